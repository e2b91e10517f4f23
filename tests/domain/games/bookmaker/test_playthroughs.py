"""What must be recorded of Bookmaker: kinds of races, ways to end, options, seats."""

from domain.games.bookmaker.board import JOKER, KINDS
from domain.games.bookmaker.events import CardsOpened, CardTurned, JokerPlayed, RaceEnded
from domain.kernel.message import Event, type_of
from domain.racing.events import MeetingAbandoned, MeetingOpened
from tests.kit.recordings import Recordings

RECORDED = Recordings("bookmaker")
NAMES = RECORDED.names


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
    recorded = set().union(*(ends_of(RECORDED.events(name)) for name in NAMES))
    wanted = {(kind, end) for kind in KINDS for end in POSSIBLE[kind]}
    assert wanted <= recorded


def test_every_seat_count_of_note_option_and_ending_is_recorded() -> None:
    """One and two bookmakers, few and many seats, each option, finished and abandoned."""
    opened = [RECORDED.events(name)[0] for name in NAMES]
    assert all(isinstance(event, MeetingOpened) for event in opened)
    assert {2, 3, 4, 5, 9} <= {event.seats for event in opened}
    assert {1, 0.5, 0.1} <= {event.options["odds_step"] for event in opened}
    assert {True, False} == {event.options["in_running"] for event in opened}
    assert {True, False} == {event.options["brocco"] for event in opened}
    assert {True, False} == {event.arranged for event in opened}
    abandoned = [
        RECORDED.events(n) for n in NAMES if isinstance(RECORDED.events(n)[-1], MeetingAbandoned)
    ]
    assert {len(events) > 20 for events in abandoned} == {True, False}, "in play, before the start"
