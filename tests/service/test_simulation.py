"""Whole meetings in process: seats rotated, the same by the same seed, however many jobs."""

import math
from pathlib import Path

import pytest

from domain.racing.meeting import FINISHED
from domain.registry import GAMES
from domain.verification import verify
from service.figures import Mean, figures, mean_of, share_of_win, t_quantile
from service.series import Series, Unverified, run
from service.simulation import Field, LocalMeeting, Played, play, rounds

GAME = GAMES["bookmaker"]
BOTS = ("steady", "random", "random")


def field(bots: tuple[str, ...] = BOTS, seed: int = 1, **options: object) -> Field:
    """Who plays what."""
    return Field(
        game="bookmaker", options=GAME.read_options(options, len(bots)), bots=bots, seed=seed
    )


def test_a_round_has_each_entrant_once_on_each_seat() -> None:
    f = field()
    for entrant in range(3):
        assert sorted(f.seat_of(entrant, meeting) for meeting in range(3, 6)) == [1, 2, 3]
    for meeting in range(3):
        assert sorted(f.seat_of(entrant, meeting) for entrant in range(3)) == [1, 2, 3]


def test_meetings_are_counted_in_whole_rounds() -> None:
    assert [rounds(n, BOTS) for n in (1, 3, 4, 6)] == [3, 3, 6, 6]


def test_the_same_meeting_of_the_same_field_is_the_same_log() -> None:
    first, again = (play(field(), 2, GAME, log=True) for _ in range(2))
    other = play(field(seed=2), 2, GAME, log=True)
    assert first.log is not None
    assert first.log == again.log
    assert first.log != other.log


def test_meetings_of_one_round_share_their_cards() -> None:
    """Paired seeds: who sits where is all that differs."""
    logs = [play(field(), meeting, GAME, log=True).log or [] for meeting in (0, 1, 3)]
    opened = [next(line for line in log if b'"bookmaker.cards_opened"' in line) for log in logs]
    cards = [line.partition(b'"race-1/deck":')[2].partition(b"]")[0] for line in opened]
    assert cards[0] == cards[1]
    assert cards[0] != cards[2]


@pytest.mark.parametrize(
    "options",
    [{}, {"in_running": True, "programme": ["joker_trot"] * 3}, {"brocco": True, "odds_step": 0.1}],
)
def test_the_log_of_a_simulated_meeting_verifies(options: dict[str, object]) -> None:
    played = play(field(**options), 0, GAME, log=True)
    assert played.log is not None
    report = verify([line + b"\n" for line in played.log])
    assert not report.problems
    assert report.complete
    assert report.rules_checked
    assert report.facts.events == played.events == len(played.log)


def test_points_and_ranks_are_those_of_the_entrants() -> None:
    played = play(field(), 1, GAME)
    local = LocalMeeting(GAME, options=field().options, seats=3, seed=bytes(32), name=played.name)
    assert local.full.id == played.name == "simulated-1-1"
    best = min(range(3), key=lambda entrant: played.ranks[entrant])
    assert played.points[best] == max(played.points)


def test_a_meeting_waits_for_a_seat_without_a_bot() -> None:
    local = LocalMeeting(GAME, options=field().options, seats=2, seed=bytes(32))
    local.sit(1, "Ann")
    local.sit(2, "Steady", "steady")
    local.start()
    bots = {2: GAME.bots["steady"]}
    while local.step(bots, {2: None}):  # type: ignore[dict-item] # steady chooses without chance
        pass
    assert local.full.status != FINISHED
    assert local.game.waiting(local.full) == [1]


def test_a_simulation_knows_no_more_than_its_seat() -> None:
    """Views are folded from redacted events: the other hands are not in them."""
    local = LocalMeeting(GAME, options=field().options, seats=3, seed=bytes(32))
    for seat in (1, 2, 3):
        local.sit(seat, "Random", "random")
    local.start()
    assert [hand is None for hand in local.view(2).table.hands] == [True, False, True]
    assert local.view(2).seed is None
    assert all(hand is None for hand in local.view(0).table.hands)


# ------------------------------------------------------------- series and figures


def test_several_jobs_find_the_same_figures_as_one() -> None:
    series = Series(field=field(("random", "steady")), meetings=8)
    one, two = (figures(series.field, list(run(series, jobs))) for jobs in (1, 2))
    assert one == two
    assert [bot.bot for bot in one] == ["random", "steady"]


def test_logs_are_written_one_file_a_meeting(tmp_path: Path) -> None:
    series = Series(field=field(("random", "steady")), meetings=2, out=tmp_path, verify=True)
    played = list(run(series))
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == ["simulated-1-0.ndjson", "simulated-1-1.ndjson"]
    for meeting, file in zip(played, files, strict=True):
        lines = file.read_bytes().splitlines(keepends=True)
        assert len(lines) == meeting.events
        assert verify(lines).ok
        assert meeting.log is None


def test_a_log_that_does_not_verify_stops_the_series(monkeypatch: pytest.MonkeyPatch) -> None:
    def cut(self: LocalMeeting) -> list[bytes]:
        return [b"{}"]

    monkeypatch.setattr(LocalMeeting, "lines", cut)
    with pytest.raises(Unverified, match="meeting 0: "):
        list(run(Series(field=field(("random", "steady")), meetings=2, verify=True)))


def meeting(number: int, points: list[int], ranks: list[int]) -> Played:
    """A meeting's end as figures need it."""
    return Played(meeting=number, name=f"m{number}", points=points, ranks=ranks, moves=1, events=1)


def test_figures_are_means_for_a_seat_with_a_round_as_sample() -> None:
    two = field(("steady", "random"))
    played = []
    for number in range(10):
        won = number // 2 % 2 == 0  # rounds in turns
        points, ranks = ([300, 100], [1, 2]) if won else ([100, 100], [1, 1])
        played.append(meeting(number, points, ranks))
    steady, random = figures(two, played)
    assert (steady.seats, steady.points.mean) == (1, 220)
    assert random.points == Mean(mean=100, margin=0)
    assert steady.wins.mean == pytest.approx(0.8)
    assert random.wins.mean == pytest.approx(0.2)
    deviation = math.sqrt((3 * 80**2 + 2 * 120**2) / 4)
    assert steady.points.margin == pytest.approx(t_quantile(4) * deviation / math.sqrt(5))


def test_too_few_samples_have_no_margin() -> None:
    assert mean_of([1.0, 2.0, 3.0, 4.0]) == Mean(mean=2.5, margin=None)


@pytest.mark.parametrize(("freedom", "exact"), [(4, 2.776), (9, 2.262), (29, 2.045), (999, 1.962)])
def test_students_t_is_near_the_printed_tables(freedom: int, exact: float) -> None:
    assert t_quantile(freedom) == pytest.approx(exact, rel=0.02)


def test_first_places_are_shared() -> None:
    played = meeting(0, [5, 5, 1], [1, 1, 3])
    assert [share_of_win(played, entrant) for entrant in range(3)] == [0.5, 0.5, 0]
