"""Recorded meetings: folded they give the board they gave, decided anew the events they hold."""

from functools import cache

import pytest

from domain.games.bookmaker.board import JOKER, KINDS
from domain.games.bookmaker.events import CardsOpened, CardTurned, JokerPlayed, RaceEnded
from domain.kernel.lines import redact, split
from domain.kernel.message import Event, type_of
from domain.racing.events import MeetingAbandoned, MeetingOpened
from domain.racing.evolve import fold
from domain.racing.meeting import FULL, PUBLIC_VIEW, Meeting
from domain.registry import GAMES, event_decoder, event_types
from domain.verification import decide_anew, recorded_chance, verify
from tests.kit.playthroughs import BY_BOTS, FOLDER, MEETINGS, board_file

GAME = GAMES["bookmaker"]
NAMES = sorted(MEETINGS)


@cache
def lines_of(name: str) -> list[bytes]:
    """The log as it was recorded."""
    return (FOLDER / f"{name}.ndjson").read_bytes().splitlines(keepends=True)


@cache
def events_of(name: str) -> list[Event]:
    """Its events."""
    decode = event_decoder(GAME.id).decode
    return [decode(split(line[:-1])[0]) for line in lines_of(name)]


def seen_by(name: str, viewer: int) -> Meeting:
    """The meeting folded from what a viewer may know of it."""
    known = (redact(event, viewer) for event in events_of(name))
    return fold((event for event in known if event is not None), GAME, viewer)


@pytest.mark.parametrize("name", NAMES)
def test_folding_a_recorded_meeting_gives_its_recorded_board(name: str) -> None:
    """The lock on the stored format."""
    recorded = (FOLDER / f"{name}.json").read_bytes()
    assert board_file(seen_by(name, PUBLIC_VIEW)) == recorded


@pytest.mark.parametrize("name", NAMES)
def test_deciding_anew_from_the_recorded_draws_gives_the_recorded_events(name: str) -> None:
    """The lock on the rules, whatever chance said."""
    events = events_of(name)
    meeting = decide_anew(events, GAME, recorded_chance(events))
    assert meeting == fold(events, GAME, FULL)


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_meeting_is_verified(name: str) -> None:
    """Hashes, chance, rules and money."""
    report = verify(lines_of(name))
    assert report.problems == []
    assert report.rules_checked
    assert report.draws_checked
    assert report.complete


@pytest.mark.parametrize("name", sorted(set(NAMES) - BY_BOTS))
def test_a_scripted_meeting_played_again_is_the_same_log(name: str) -> None:
    """Rules, defaults and the recorder give the same bytes; what bots think may change."""
    assert MEETINGS[name]().lines() == lines_of(name)


def test_a_meeting_of_bots_played_twice_is_the_same_log() -> None:
    """A bot chooses by the source that it is given, and by nothing else."""
    name = "plain__won_by_a_card"
    assert MEETINGS[name]().lines() == MEETINGS[name]().lines()


def test_every_file_is_a_known_meeting_and_every_meeting_has_its_files() -> None:
    """Nothing is left behind when a meeting gets another name."""
    files = {path.name for path in FOLDER.iterdir()}
    assert files == {f"{name}.{end}" for name in NAMES for end in ("ndjson", "json")}


def ends_of(events: list[Event]) -> set[tuple[str, str]]:
    """(race kind, how it ended) of the races of a log, told by the events."""
    ends = set()
    kind, last, passes = "", "", 1
    for event in events:
        match event:
            case CardsOpened():
                kind, passes = event.kind, 1
            case CardTurned():
                last = "a turned joker" if event.card == JOKER else "a card"
            case JokerPlayed():
                last = "a joker from a hand"
            case RaceEnded():
                ends.add((kind, f"won by {last}" if event.how == "won" else event.how))
                if passes > 1:
                    ends.add((kind, f"{event.how} after a reshuffle"))
            case _ if type_of(event) == "bookmaker.deck_reshuffled":
                passes += 1
    return ends


POSSIBLE = {
    "plain": {"won by a card"},
    "joker": {"won by a card", "won by a turned joker", "won by a joker from a hand"},
    "trot": {
        "won by a card",
        "won after a reshuffle",
        "all_out",
        "no_progress",
        "no_progress after a reshuffle",
    },
    "joker_trot": {
        "won by a card",
        "won by a turned joker",
        "won by a joker from a hand",
        "all_out",
        "no_progress",
    },
}


def test_every_race_kind_and_every_way_a_race_can_end_is_recorded() -> None:
    """BM-R1, BM-R2, BM-J1, BM-J2, BM-T2."""
    recorded = set().union(*(ends_of(events_of(name)) for name in NAMES))
    wanted = {(kind, end) for kind in KINDS for end in POSSIBLE[kind]}
    assert wanted <= recorded


def test_every_seat_count_of_note_option_and_ending_is_recorded() -> None:
    """One and two bookmakers, few and many seats, each option, finished and abandoned."""
    opened = [events_of(name)[0] for name in NAMES]
    assert all(isinstance(event, MeetingOpened) for event in opened)
    assert {2, 3, 4, 5, 9} <= {event.seats for event in opened}
    assert {1, 0.5, 0.1} <= {event.options["odds_step"] for event in opened}
    assert {True, False} == {event.options["in_running"] for event in opened}
    assert {True, False} == {event.options["brocco"] for event in opened}
    assert {True, False} == {event.arranged for event in opened}
    abandoned = [events_of(n) for n in NAMES if isinstance(events_of(n)[-1], MeetingAbandoned)]
    assert {len(events) > 20 for events in abandoned} == {True, False}, "in play, before the start"


def test_every_event_type_is_recorded() -> None:
    """So the format of each is locked; before the first rules there were none to go over from."""
    recorded = {type_of(event) for name in NAMES for event in events_of(name)}
    assert recorded == set(event_types("bookmaker")) - {"rules_changed"}
