"""A newer release of one game, for tests of upgrades: Change Horses under rules 2.

The form of an event is another (`card_played` tells which place the card has), and so is a rule:
horses that move go one space further. The release of the tree is the older one.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from msgspec import structs

from domain import registry
from domain.games.change_horses import events as e
from domain.kernel.game import Earlier, Game
from domain.kernel.message import Event
from domain.racing.draft import Draft

OLDER = registry.GAMES["change-horses"]
CARD_PLAYED = "change-horses.card_played"
UNKNOWN_PLACE = 0
"""Where a card of old logs lies: nobody wrote it down."""


class CardPlayed(e.CardPlayed, frozen=True, kw_only=True, tag=CARD_PLAYED):
    """A shown card lies on the betting board, in this place."""

    place: int


class NewerDraft:
    """A draft whose game records what the newer rules say."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft

    def __getattr__(self, name: str) -> Any:
        return getattr(self._draft, name)

    def record(self, event: type[Event], **content: Any) -> None:
        """See Draft.record."""
        if event is e.CardPlayed:
            event, content["place"] = CardPlayed, len(self._draft.table.board) + 1
        if event is e.HorsesMoved:
            content["moves"] = [structs.replace(m, space=m.space + 1) for m in content["moves"]]
        self._draft.record(event, **content)


def _by_newer_rules(decide: Callable[..., None]) -> Callable[..., None]:
    def decided(draft: Any, *rest: Any) -> None:
        decide(NewerDraft(draft), *rest)

    return decided


def upcast(form: dict[str, Any]) -> dict[str, Any]:
    """A `card_played` of rules 1 in the form of rules 2."""
    return {**form, "place": UNKNOWN_PLACE}


def newer(*, with_old_code: bool) -> Game:
    """The game as the newer release has it; whether that still has the code of the old rules."""
    events = tuple(CardPlayed if kind is e.CardPlayed else kind for kind in OLDER.events)
    before = Earlier(
        rules=OLDER.rules,
        upcasts={CARD_PLAYED: upcast},
        game=OLDER if with_old_code else None,
    )
    return structs.replace(
        OLDER,
        rules="2",
        events=events,
        begin=_by_newer_rules(OLDER.begin),
        decide={kind: _by_newer_rules(decide) for kind, decide in OLDER.decide.items()},
        evolve={**OLDER.evolve, CardPlayed: OLDER.evolve[e.CardPlayed]},
        earlier=(before,),
    )


def install(game: Game) -> None:
    """Make this process one of the release that has the game so."""
    registry._FOUND[game.id] = game
    for known in (registry.event_types, registry.command_types, registry.event_decoder):
        known.cache_clear()


@contextmanager
def released(game: Game) -> Iterator[None]:
    """This process is of another release for a while."""
    before = registry.GAMES[game.id]
    install(game)
    try:
        yield
    finally:
        install(before)
