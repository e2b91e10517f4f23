"""The meeting itself: open, sit, start, abandon; and the numbers that viewers count by."""

from typing import Any

import pytest

from domain.kernel.chance import commitment, nonce_hash, salt
from domain.kernel.message import SERVER, Event
from domain.kernel.rejection import Malformed, Rejected
from domain.racing import events as e
from domain.racing import lifecycle
from domain.racing.draft import Draft
from domain.racing.folding import apply
from domain.racing.forms import UnknownEvent
from domain.racing.meeting import ABANDONED, FINISHED, FULL, OPEN, RUNNING, Meeting
from domain.registry import GAMES
from tests.kit.meetings import SEED, Played, as_default, seated
from tests.kit.spec import frozen

GAME = next(iter(GAMES))


def opened(**rest: Any) -> Played:
    """An open meeting of two seats."""
    return Played(GAME, seats=2, **rest)


def refused(played: Played, work: Any, reason: Any) -> None:
    """Asking is refused for this reason and changes nothing."""
    before = frozen(played)
    with pytest.raises(Rejected) as caught:
        played.act(work)
    assert caught.value.reason is reason
    assert frozen(played) == before


def test_the_first_line_commits_to_the_seed_and_keeps_it_with_the_server() -> None:
    """Contract, Chance and Log"""
    first = opened().events[0]
    assert isinstance(first, e.MeetingOpened)
    assert first.seq == 1
    assert first.commitment == commitment(SEED)
    assert first.secret(SERVER) == {"salt": salt(SEED, 1), "seed": SEED.hex()}
    assert first.arranged is False


def test_arranged_draws_stand_with_the_server() -> None:
    """Contract, Log"""
    first = opened(draws={"race-1/deck": []}).events[0]
    assert isinstance(first, e.MeetingOpened)
    assert first.arranged is True
    assert (first.secret(SERVER) or {})["arranged"] == {"race-1/deck": []}


def test_a_nonce_is_the_seats_secret_and_its_hash_is_public() -> None:
    """Contract, Chance"""
    played = opened().sit(2, "Ann", "lucky 7")
    taken = played.events[-1]
    assert isinstance(taken, e.SeatTaken)
    assert taken.nonce_hash == nonce_hash("lucky 7")
    assert set(taken.private or {}) == {"2", SERVER}
    without = opened().sit(1, "Ann").events[-1]
    assert isinstance(without, e.SeatTaken)
    assert without.nonce_hash is None
    assert not without.private


def test_all_nonces_are_told_at_the_start_in_seat_order() -> None:
    """Contract, Chance"""
    played = opened().sit(2, "Ann", "b").sit(1, "Ben").begin()
    started = next(ev for ev in played.events if isinstance(ev, e.MeetingStarted))
    assert started.nonces == ["", "b"]
    assert played.view(0).seats[1].nonce == "b"


def test_a_seat_is_taken_once() -> None:
    """Contract, Resources"""
    played = opened().sit(1, "Ann")
    take = lambda d: lifecycle.take_seat(d, 1, player="p-2", name="Ben")  # noqa: E731
    refused(played, take, lifecycle.SEAT_TAKEN)
    played.sit(2, "Ben")
    anywhere = lambda d: lifecycle.take_seat(d, None, player="p-3", name="Cy")  # noqa: E731
    refused(played, anywhere, lifecycle.SEAT_TAKEN)


def test_without_a_number_the_lowest_free_seat_is_taken() -> None:
    """Contract, Resources"""
    played = Played(GAME, seats=GAMES[GAME].seats[1]).sit(2, "Ann")
    sit = lambda d: lifecycle.take_seat(d, None, player="p-2", name="Ben")  # noqa: E731
    assert [played.act(sit), played.act(sit)] == [1, 3]


def test_a_reserved_seat_waits_for_its_player() -> None:
    """Contract, Resources"""
    played = opened()
    reserve = lambda d: lifecycle.reserve_seat(d, None, "p-2", "Ben")  # noqa: E731
    assert played.act(reserve) == 1
    assert not played.full.seats[0].taken
    other = lambda d: lifecycle.take_seat(d, 1, player="p-3", name="Cy")  # noqa: E731
    refused(played, other, lifecycle.SEAT_TAKEN)
    refused(played, lifecycle.start_meeting, lifecycle.SEATS_OPEN)
    own = lambda d: lifecycle.take_seat(d, None, player="p-2", name="Ben")  # noqa: E731
    assert played.act(own) == 1
    assert played.full.seats[0].taken


def test_a_seat_is_freed_before_the_start_and_others_keep_their_numbers() -> None:
    """Contract, Resources"""
    played = opened().sit(1, "Ann", "a").sit(2, "Ben")
    played.act(lambda d: lifecycle.leave_seat(d, 1))
    assert [place.player for place in played.full.seats] == [None, "p-ben"]
    assert played.full.seats[0].nonce == ""
    refused(played, lambda d: lifecycle.leave_seat(d, 1), lifecycle.SEAT_FREE)
    refused(played, lifecycle.start_meeting, lifecycle.SEATS_OPEN)


def test_a_meeting_that_starts_when_full_does_so_by_itself() -> None:
    """Contract, Resources"""
    played = opened(start="when_full").sit(2, "Ann")
    assert played.full.status == OPEN
    played.sit(1, "Ben")
    assert played.full.status == RUNNING
    assert played.full.race == 1


def test_once_begun_nobody_sits_leaves_or_starts_again() -> None:
    """Contract, Resources"""
    played = seated(opened())
    for work in (
        lambda d: lifecycle.take_seat(d, None, player="p-9", name="Zoe"),
        lambda d: lifecycle.reserve_seat(d, None, "p-9", "Zoe"),
        lambda d: lifecycle.leave_seat(d, 1),
        lifecycle.start_meeting,
    ):
        refused(played, work, lifecycle.MEETING_NOT_OPEN)


@pytest.mark.parametrize("begun", [False, True])
def test_an_abandoned_meeting_reveals_its_seed_and_has_no_ranking(begun: bool) -> None:
    """Contract, Log"""
    played = seated(opened(), start=begun).abandon("host")
    last = played.events[-1]
    assert isinstance(last, e.MeetingAbandoned)
    assert (last.seed, last.reason) == (SEED.hex(), "host")
    assert played.full.status == ABANDONED
    assert played.full.ranking is None
    refused(played, lambda d: lifecycle.abandon(d, "host"), lifecycle.MEETING_OVER)


def test_asking_to_abandon_is_noted_once_while_the_meeting_runs() -> None:
    """Contract, Resources"""
    played = seated(opened()).ask_abandon(2)
    count = len(played.events)
    assert played.ask_abandon(2).full.asked == [2]
    assert len(played.events) == count
    refused(opened(), lambda d: lifecycle.ask_abandon(d, 1), lifecycle.REASONS[0])


def test_commands_are_for_meetings_that_run() -> None:
    """Contract, Errors"""
    command = as_default(begun := seated(opened()), begun.game.waiting(begun.full)[0])
    for played in (opened(), seated(opened()).abandon()):
        refused(played, lambda d: lifecycle.decide(d, 1, command), lifecycle.REASONS[0])


def test_a_seat_gives_no_command_of_the_system_and_the_system_none_of_a_seat() -> None:
    """Contract, Errors: 400 comes before the state of play."""
    played = seated(opened())
    for kind in played.game.system_commands:
        with pytest.raises(Malformed):
            played.give(1, kind())
    command = as_default(played, played.game.waiting(played.full)[0])
    with pytest.raises(Malformed):
        played.give(0, command)


def test_the_end_reveals_the_seed() -> None:
    """Contract, Chance"""
    played = seated(opened()).play(as_default)
    last = played.events[-1]
    assert isinstance(last, e.MeetingFinished)
    assert last.seed == SEED.hex()
    assert played.full.status == FINISHED
    for viewer in range(3):
        assert played.view(viewer).seed is None


def test_every_line_with_secrets_or_for_some_alone_is_salted() -> None:
    """Contract, Log"""
    for event in seated(opened(), ["a", "b"]).play(as_default).events:
        if event.private or event.audience != "public":
            assert (event.secret(SERVER) or {})["salt"] == salt(SEED, event.seq)


def test_seq_counts_from_1_and_time_never_goes_back() -> None:
    """Contract, Log"""
    played = seated(opened())
    played.clock = 0  # a clock that was set back
    played.play(as_default)
    assert [ev.seq for ev in played.events] == list(range(1, len(played.events) + 1))
    assert [ev.at for ev in played.events] == sorted(ev.at for ev in played.events)


def test_the_first_event_of_a_command_carries_it_and_its_seat() -> None:
    """Contract, Log"""
    played = seated(opened())
    while played.full.status == RUNNING:
        known = len(played.events)
        owing = played.game.waiting(played.full)
        played.step(as_default)
        first, *rest = played.events[known:]
        seat = owing[0] if owing and played.game.awaits(played.full) is None else None
        carried = first.command or (first.secret(first.seat or 0) or {}).get("command")
        assert carried
        assert carried["type"].startswith(f"{GAME}.")
        assert "seat" not in carried
        assert "decision" not in carried
        if seat is not None:
            assert first.seat == seat
        for event in rest:
            assert not event.command
            assert all("command" not in own for own in (event.private or {}).values())


def test_an_event_that_nobody_knows_stops_the_fold() -> None:
    """Design, Laws"""

    class Strange(Event, frozen=True, kw_only=True, tag="strange"):
        """An event of a later release."""

    event = Strange(seq=1, at="2026-05-01T14:00:00.000Z", meeting="m-1")
    with pytest.raises(UnknownEvent):
        apply(Meeting(viewer=FULL), event, GAMES[GAME])


def test_a_draft_draws_nothing_before_the_start() -> None:
    """Contract, Chance"""
    played = opened()
    draft = Draft(played.full, played.game, "2026-05-01T14:00:00.000Z")
    with pytest.raises(AssertionError):
        draft.draw("deck", [1, 2])
