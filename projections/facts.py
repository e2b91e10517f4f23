"""How a projection reads a line of the log: shared facts in full, a game's own by their heading.

A type with a dot in it is a game's own (`bookmaker.bet_offered`), so a new game needs no word here.
A type without one means the same in every game; one that this release does not know was written by
a newer release, and whoever reads it stops: nothing that may matter is skipped.
"""

from collections.abc import Set
from functools import cache
from typing import Union

import msgspec

from domain.kernel.message import PUBLIC, Event, type_of
from domain.racing.events import SHARED_EVENTS


class Heading(msgspec.Struct, frozen=True, kw_only=True):
    """What a game's own event shows to a reader that does not know the game."""

    type: str
    meeting: str
    audience: str | tuple[int, ...]


Fact = Event | Heading


class UnknownFact(Exception):
    """A shared event of a type that this release does not know: stop, never skip."""


_KNOWN = {type_of(kind): kind for kind in SHARED_EVENTS}
_heading = msgspec.json.Decoder(Heading)


@cache
def _decoder(handles: frozenset[type[Event]]) -> msgspec.json.Decoder[Event]:
    return msgspec.json.Decoder(Union[tuple(sorted(handles, key=type_of))])  # noqa: UP007


@cache
def _types(handles: frozenset[type[Event]]) -> Set[str]:
    return frozenset(type_of(kind) for kind in handles)


def read_fact(body: bytes, handles: frozenset[type[Event]], passing: bool = False) -> Fact | None:
    """One stored line (canonical form) as a projection sees it; None where it looks away.

    Args:
        body: the line without its hash.
        handles: the facts to decode in full.
        passing: whether a game's own events are of interest, by their heading.

    Raises:
        UnknownFact: a shared event of an unknown type.
        msgspec.DecodeError: the line is no event.
    """
    heading = _heading.decode(body)
    if "." in heading.type:
        return heading if passing else None
    if heading.type in _types(handles):
        return _decoder(handles).decode(body)
    if heading.type not in _KNOWN:
        raise UnknownFact(heading.type)
    return None


def is_public(fact: Fact) -> bool:
    """Whether everybody may know of it."""
    return fact.audience == PUBLIC
