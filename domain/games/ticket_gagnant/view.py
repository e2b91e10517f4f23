"""The board of Ticket Gagnant: what one viewer's folded state shows (sheet, Board fields)."""

from functools import lru_cache
from typing import Annotated, Any

from msgspec import Struct

from domain.games.ticket_gagnant.board import HORSES, STANDARD, Card, Horse, lane_of, space_of
from domain.games.ticket_gagnant.events import Prediction
from domain.games.ticket_gagnant.phases import PHASES, waiting
from domain.games.ticket_gagnant.settle import forty_tokens
from domain.games.ticket_gagnant.state import DEALING, Choice, RaceResult, Table
from domain.kernel.words import Instant, known
from domain.racing.events import PlayerKind, Rank
from domain.racing.meeting import ABANDONED, FINISHED, RUNNING, Meeting, Status, Viewer

Phase = Annotated[str, known("Phase", *PHASES)]


class SeatView(Struct, frozen=True, kw_only=True, gc=False):
    """A seat; `hand` is its owner's, `prediction` null where it is not to be seen."""

    seat: int
    player: str | None
    name: str | None
    kind: PlayerKind | None
    hand: list[Card] | None
    hand_count: int | None
    prediction: Prediction | None
    predicted: bool | None
    score: int | None
    forty_tokens: int | None
    last_net: int | None


class HorseView(Struct, frozen=True, kw_only=True):
    """Where a horse stands; its rank once the race is over (null if disqualified)."""

    horse: Horse
    lane: int
    space: int
    rank: int | None
    disqualified: bool


class Hoofprint(Struct, frozen=True, kw_only=True):
    """A space whose printed hoof disqualifies at the end of a harness race."""

    lane: int
    space: int


class CourseView(Struct, frozen=True, kw_only=True):
    """The geometry in force whatever the kind; `river` the row under water in this race."""

    lanes: int
    last: int
    start: int
    line: int
    hedges: list[int]
    hoofprints: list[Hoofprint]
    river: int | None


class Board(Struct, frozen=True, kw_only=True, gc=False):
    """The meeting as one viewer may see it (contract, Board)."""

    meeting: str
    game: str
    status: Status
    version: int
    viewer: Viewer
    race: int
    races: int | None
    phase: Phase | None
    to_act: list[int] | None
    decision: int | None
    deadline: Instant | None
    seats: list[SeatView]
    ranking: list[Rank] | None
    first_player: int | None
    course: CourseView | None
    choice: Choice | None
    horses: list[HorseView] | None
    discard: list[Card] | None
    results: list[RaceResult] | None


def view(m: Meeting) -> Board:
    """The board of the meeting's viewer."""
    over = m.status in (FINISHED, ABANDONED)
    t: Table = m.table
    begun = m.status == RUNNING or t.race > 0
    return Board(
        meeting=m.id,
        game=m.game,
        status=m.status,
        version=m.version,
        viewer=m.viewer if m.viewer > 0 else "public",
        race=m.race,
        races=t.races,
        phase=None if over or t.phase == DEALING else t.phase,
        to_act=waiting(m),
        decision=m.decision,
        deadline=None,
        seats=seat_views(m, t, begun),
        ranking=m.ranking,
        first_player=t.first or None,
        course=course_view(t) if begun else None,
        choice=t.choice if begun else None,
        horses=horse_views(t) if begun else None,
        discard=t.discard if begun else None,
        results=t.results if begun else None,
    )


def seat_views(m: Meeting, t: Table, begun: bool) -> list[SeatView]:
    """The seats as the viewer may see them; its own hand is [] before it is dealt."""
    if not begun:
        return [
            SeatView(
                seat=place.seat,
                player=place.player,
                name=place.name,
                kind=place.kind,
                hand=None,
                hand_count=None,
                prediction=None,
                predicted=None,
                score=None,
                forty_tokens=None,
                last_net=None,
            )
            for place in m.seats
        ]
    return [
        SeatView(
            seat=place.seat,
            player=place.player,
            name=place.name,
            kind=place.kind,
            hand=[] if hand is None and place.seat == m.viewer else hand,
            hand_count=count,
            prediction=prediction,
            predicted=predicted,
            score=score,
            forty_tokens=forty_tokens(score),
            last_net=last_net,
        )
        for place, hand, count, prediction, predicted, score, last_net in zip(
            m.seats,
            t.hands,
            t.hand_counts,
            t.predictions,
            t.predicted,
            t.scores,
            t.last_nets,
            strict=True,
        )
    ]


def course_view(t: Table) -> CourseView:
    """The geometry, and where the water is."""
    return standard_view(t.river) if t.own_course is None else course_of(t.own_course, t.river)


@lru_cache(maxsize=8)
def standard_view(river: int | None) -> CourseView:
    """The standard course."""
    return course_of(STANDARD, river)


def course_of(course: dict[str, Any], river: int | None) -> CourseView:
    """A course as the board shows it."""
    spots = [Hoofprint(lane=spot["lane"], space=spot["space"]) for spot in course["hoofprints"]]
    return CourseView(
        lanes=course["lanes"],
        last=course["last"],
        start=course["start"],
        line=course["line"],
        hedges=list(course["hedges"]),
        hoofprints=spots,
        river=river,
    )


def horse_views(t: Table) -> list[HorseView]:
    """Every horse, in number order; [] before the first have lined up."""
    if not t.ranks:
        return running(*t.places)
    return [
        HorseView(
            horse=horse,
            lane=lane_of(where),
            space=space_of(where),
            rank=rank,
            disqualified=horse in t.disqualified,
        )
        for horse, where, rank in zip(HORSES, t.places, t.ranks, strict=True)
    ]


@lru_cache(maxsize=1024)  # every seat asks for the same; nobody writes into the answer
def running(*places: int) -> list[HorseView]:
    """The horses while the race is on."""
    return [
        HorseView(
            horse=horse, lane=lane_of(where), space=space_of(where), rank=None, disqualified=False
        )
        for horse, where in zip(HORSES, places, strict=False)
    ]
