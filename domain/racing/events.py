"""Facts that mean the same in every game, so that no reader of the log learns a game's name.

These names and fields are the stored format: nothing is renamed, removed or narrowed.
"""

from typing import Annotated, Any, ClassVar

from msgspec import UNSET, Meta, Struct, UnsetType

from domain.kernel.message import Drawn, Event, Secret, ServerSecret
from domain.kernel.words import known

PlayerKind = Annotated[str, known("PlayerKind", "human", "bot")]
Start = Annotated[str, known("Start", "manual", "when_full")]
AbandonReason = Annotated[
    str, known("AbandonReason", "host", "organiser", "not_started", "no_decision")
]
OptionsInFull = Annotated[
    dict[str, Any],
    Meta(description="All options, those with defaults too; each game has a form of its own."),
]


class Rank(Struct, frozen=True, kw_only=True):
    """One seat's place at the end: equal points share a rank where the game says so."""

    seat: int
    rank: int
    points: int


class OpenedServer(ServerSecret, frozen=True, kw_only=True):
    """The master seed (hex), and the draws that the host arranged."""

    seed: str
    arranged: dict[str, list[Drawn]] | UnsetType = UNSET


class MeetingOpened(Event, frozen=True, kw_only=True, tag="meeting_opened"):
    """A table is open. `options` in full; `commitment` is the SHA-256 of the master seed."""

    server_form: ClassVar[type[ServerSecret]] = OpenedServer

    game: str
    rules: str
    name: str | None
    options: OptionsInFull
    seats: int
    host: str
    start: Start
    arranged: bool
    commitment: str


class SeatReserved(Event, frozen=True, kw_only=True, tag="seat_reserved"):
    """A seat is kept for a player, and taken once that player sits down."""

    player: str
    name: str


class NonceSecret(Secret, frozen=True, kw_only=True):
    """The seat's own part of the key of chance."""

    nonce: str


class SeatTaken(Event, frozen=True, kw_only=True, tag="seat_taken"):
    """A player sits. `bot` names the built-in bot that plays the seat, null for a person."""

    seat_form: ClassVar[type[Secret] | None] = NonceSecret

    player: str
    name: str
    kind: PlayerKind
    bot: str | None
    nonce_hash: str | None


class SeatLeft(Event, frozen=True, kw_only=True, tag="seat_left"):
    """A seat (taken or reserved) is free again, before the start."""

    player: str


class MeetingStarted(Event, frozen=True, kw_only=True, tag="meeting_started"):
    """Play begins; `nonces` in seat order, "" where none was given."""

    nonces: list[str]


class RaceOpened(Event, frozen=True, kw_only=True, tag="race_opened"):
    """The next race begins. `races` is null where the game's end is open."""

    race: int
    races: int | None


class RaceClosed(Event, frozen=True, kw_only=True, tag="race_closed"):
    """A race is over and settled; `hash` stands beside it in every feed."""

    race: int


class AbandonAsked(Event, frozen=True, kw_only=True, tag="abandon_asked"):
    """A seat asks that the meeting be abandoned."""


class RulesChanged(Event, frozen=True, kw_only=True, tag="rules_changed"):
    """A newer release goes on with the meeting, under these rules from the next event on."""

    rules: str


class MeetingFinished(Event, frozen=True, kw_only=True, tag="meeting_finished"):
    """The programme is over; the seed is revealed."""

    ranking: list[Rank]
    seed: str


class MeetingAbandoned(Event, frozen=True, kw_only=True, tag="meeting_abandoned"):
    """The meeting ends without a result; the seed is revealed all the same."""

    reason: AbandonReason
    seed: str


SHARED_EVENTS: tuple[type[Event], ...] = (
    MeetingOpened,
    SeatReserved,
    SeatTaken,
    SeatLeft,
    MeetingStarted,
    RaceOpened,
    RaceClosed,
    AbandonAsked,
    RulesChanged,
    MeetingFinished,
    MeetingAbandoned,
)
