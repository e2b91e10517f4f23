"""Commands and events: what seats ask, and what then is a fact.

An event in memory is a line of the log: envelope and content in one flat Struct. What only some may
see stands under `private`, by seat number as text or "server"; a class names the form of both.
Field names and types are the stored format (openapi/events.json locks them).
"""

from collections.abc import Iterator, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Any, ClassVar, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UNSET, UnsetType

from domain.kernel.words import Instant

PUBLIC: Literal["public"] = "public"
Audience = Literal["public"] | tuple[int, ...]
SERVER = "server"
Drawn = str | int
"""One item of a draw: a card, a horse, a lane, or the number of a seat."""


class Secret(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of the private forms of events; `command` where the command itself is private."""

    command: dict[str, Any] | UnsetType = UNSET


class ServerSecret(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What nobody may see before the end: the salt of the line, and draws not yet dealt."""

    salt: str
    draws: dict[str, list[Drawn]] | UnsetType = UNSET


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="event", gc=False):
    """A fact of one meeting, as the log stores it. It holds plain values: never part of a cycle.

    Args:
        seq: 1, 2, 3 … over the meeting's log.
        at: RFC 3339 UTC with milliseconds; never goes back.
        meeting: the meeting's id.
        audience: "public", or the seats that may know of the event.
        seat: whom it is about, where it is about one seat.
        command: on the first event of a command, the body as understood.
        draws: for each label the piece of the draw that this event uses.
        arrangement_dropped: labels whose arranged list did not fit.
        private: by seat as text, and "server", what only they may see.

    Of the class:
        known_to: "public" where everybody may know of such an event, "seats" where only those that
            its audience names may.
        seat_form, server_form: what stands under `private`.
    """

    known_to: ClassVar[Literal["public", "seats"]] = "public"
    seat_form: ClassVar[type[Secret] | None] = None
    server_form: ClassVar[type[ServerSecret]] = ServerSecret

    seq: int
    at: Instant
    meeting: str
    audience: Audience = PUBLIC
    seat: int | UnsetType = UNSET
    command: dict[str, Any] | UnsetType = UNSET
    draws: dict[str, list[Drawn]] | UnsetType = UNSET
    arrangement_dropped: list[str] | UnsetType = UNSET
    private: dict[str, dict[str, Any]] | UnsetType = UNSET

    def secret(self, seat: int | str) -> dict[str, Any] | None:
        """What is private to this seat (or "server"), or None where this copy does not know."""
        return None if self.private is UNSET else self.private.get(str(seat))

    def pieces(self) -> Iterator[tuple[str, list[Any]]]:
        """The pieces of draws that it records, by label: for all, then the server's."""
        if self.draws:
            yield from self.draws.items()
        yield from (self.secret(SERVER) or {}).get("draws", {}).items()


class Command(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"
):
    """What a seat asks; the envelope's `seat` and `decision` are read before it.

    Where the fields of a command hang on one of them (a card's kind), `forms` are its closed forms,
    commands of the same type, and `form_of` tells which of them a body must have.
    """

    forms: ClassVar[tuple[type["Command"], ...]] = ()

    @classmethod
    def form_of(cls, body: Mapping[str, Any]) -> type["Command"]:
        """The closed form that this body must have; of most commands there is one, the command."""
        return cls

    def check(self, table: Any) -> None:
        """Refuse what hangs on the meeting's options or seats, before any other refusal.

        Args:
            table: the game's state.

        Raises:
            Malformed: with the pointer of the field.
        """


def type_of(message: type[Event] | type[Command] | Event | Command) -> str:
    """The `type` under which a message is written."""
    tag = message.__struct_config__.tag
    assert isinstance(tag, str)
    return tag


def body_of(command: Command) -> dict[str, Any]:
    """The command as the log carries it: with `type`, without what was left out.

    Numbers without a fraction are integers, however the caller wrote them.
    """
    body: dict[str, Any] = msgspec.to_builtins(command)
    for name in _not_plain(type(command)):
        if name in body:
            body[name] = _whole(body[name])
    return body


@cache
def _not_plain(command: type[Command]) -> tuple[str, ...]:
    """The fields that may hold more than a text, a truth or a whole number."""
    hints = get_type_hints(command)
    return tuple(
        f.encode_name for f in msgspec.structs.fields(command) if not _plain(hints[f.name])
    )


def _plain(kind: Any) -> bool:
    origin = get_origin(kind)
    if origin in (Union, UnionType, list):
        return all(_plain(part) for part in get_args(kind))
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return all(_plain(hint) for hint in get_type_hints(kind).values())
    return origin is Literal or kind in (str, int, bool, NoneType, UnsetType)


def _whole(value: Any) -> Any:
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, dict):
        return {n: held if type(held) is int else _whole(held) for n, held in value.items()}
    return [_whole(held) for held in value] if isinstance(value, list) else value
