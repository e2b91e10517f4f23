"""The state of one meeting as one viewer knows it.

The same Struct serves the server (who knows all), the public and every seat: each folds the events
that it may know of, so a board built from it cannot tell more than its viewer was told.
"""

from typing import Annotated, Any

from msgspec import Struct, field

from domain.kernel.words import known, word
from domain.racing.events import Rank

FULL = -1
PUBLIC_VIEW = 0

OPEN, RUNNING, FINISHED, ABANDONED = "open", "running", "finished", "abandoned"

Status = Annotated[str, known("MeetingStatus", OPEN, RUNNING, FINISHED, ABANDONED)]
Viewer = int | Annotated[str, word("public")]
"""Whose view it is, as boards say it."""


class Place(Struct, kw_only=True, gc=False):
    """One seat at the table: free (`player` None), reserved, or taken.

    Args:
        acted_at: when it last gave a command, or sat down; kept by the full fold alone.
    """

    seat: int
    player: str | None = None
    name: str | None = None
    kind: str | None = None
    bot: str | None = None
    reserved: bool = False
    nonce: str = ""
    acted_at: str | None = None

    @property
    def taken(self) -> bool:
        """Whether somebody sits here."""
        return self.player is not None and not self.reserved


class Meeting(Struct, kw_only=True):
    """What one viewer knows of a meeting.

    Args:
        viewer: FULL, PUBLIC_VIEW or a seat.
        version: events folded, which is the viewer's own number (for FULL the log's seq).
        public_version: public events folded, the number in the public feed.
        decision: the viewer's version at which its present decision arose; None without one.
        owed, might: whether the viewer's seat owed, or might take, a decision after the last event.
        seed, arrangement: known to FULL alone before the end.
        dropped: labels whose arranged list did not fit, as events have told.
        table: the game's own state.
    """

    viewer: int
    version: int = 0
    public_version: int = 0
    id: str = ""
    game: str = ""
    rules: str = ""
    name: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    host: str = ""
    start: str = "manual"
    arranged: bool = False
    commitment: str = ""
    seed: str | None = None
    arrangement: dict[str, list[Any]] = field(default_factory=dict)
    dropped: list[str] = field(default_factory=list)
    opened_at: str = ""
    at: str = ""
    status: str = OPEN
    seats: list[Place] = field(default_factory=list)
    race: int = 0
    races: int | None = None
    ranking: list[Rank] | None = None
    asked: list[int] = field(default_factory=list)
    decision: int | None = None
    owed: bool = False
    might: bool = False
    table: Any = None

    def seat_of(self, player: str) -> list[int]:
        """The seats that this player has taken, ascending."""
        return [p.seat for p in self.seats if p.taken and p.player == player]
