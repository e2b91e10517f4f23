"""A forger's tools: lines changed as bytes, and events changed with all hashes made anew.

Who forges knows the seed, so salts and numbers are made anew too, where that makes it harder.
"""

import copy
import string
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from random import Random
from typing import Any

import msgspec

from domain.games.bookmaker.board import CARDS, HORSES, KINDS
from domain.kernel.chance import salt
from domain.kernel.lines import GENESIS, canonical, chain, join, split
from tests.kit.meetings import chained

Fields = dict[str, Any]
Path = tuple[str | int, ...]


def fields_of(lines: Sequence[bytes]) -> list[Fields]:
    """The events of a log as plain fields, hashes apart."""
    return [msgspec.json.decode(split(line[:-1])[0]) for line in lines]


def rechained(events: Sequence[Fields]) -> list[bytes]:
    """A log of these events, whose chain is whole."""
    return chained(canonical(event) for event in events)


class Rechaining:
    """A log of which single events are forged, again and again: only what follows is hashed anew.

    Args:
        lines: the honest log.
    """

    def __init__(self, lines: Sequence[bytes]) -> None:
        self._lines = list(lines)
        self._parts = [split(line[:-1]) for line in lines]

    def with_event(self, index: int, event: Fields) -> list[bytes]:
        """The log with another event at this place, all hashes made anew."""
        digest = self._parts[index - 1][1] if index else GENESIS
        made = self._lines[:index]
        for body in (canonical(event), *(body for body, _ in self._parts[index + 1 :])):
            digest = chain(digest, body)
            made.append(join(body, digest) + b"\n")
        return made


def renumbered(events: Sequence[Fields]) -> list[Fields]:
    """Copies numbered 1, 2, 3 … and salted as the seed of the first wants it."""
    seed = bytes.fromhex(events[0]["private"]["server"]["seed"])
    again = []
    for number, event in enumerate(events, 1):
        made = {**event, "seq": number}
        if "private" in event:
            server = {**event["private"].get("server", {}), "salt": salt(seed, number)}
            made["private"] = {**event["private"], "server": server}
        again.append(made)
    return again


# ---------------------------------------------------------------- bytes


def cut_short(data: bytes, random: Random) -> bytes:
    """The file ends early."""
    return data[: random.randrange(len(data))]


def byte_changed(data: bytes, random: Random) -> bytes:
    """One byte is another."""
    at = random.randrange(len(data))
    return data[:at] + bytes([data[at] ^ random.randint(1, 255)]) + data[at + 1 :]


def byte_dropped(data: bytes, random: Random) -> bytes:
    """One byte is gone."""
    at = random.randrange(len(data))
    return data[:at] + data[at + 1 :]


def byte_added(data: bytes, random: Random) -> bytes:
    """One byte more, of those that stand in a log, or any."""
    at = random.randrange(len(data) + 1)
    new = random.choice((random.choice(data), random.randrange(256), *b"\n\r\t "))
    return data[:at] + bytes([new]) + data[at:]


def byte_doubled(data: bytes, random: Random) -> bytes:
    """One byte stands twice."""
    at = random.randrange(len(data))
    return data[:at] + data[at : at + 1] + data[at:]


def bytes_swapped(data: bytes, random: Random) -> bytes:
    """Two neighbours that differ change places."""
    while True:
        at = random.randrange(len(data) - 1)
        if data[at] != data[at + 1]:
            return data[:at] + data[at + 1 : at + 2] + data[at : at + 1] + data[at + 2 :]


def digit_changed(data: bytes, random: Random) -> bytes:
    """One digit is another: what a forger of money would do."""
    while True:
        at = random.randrange(len(data))
        if data[at : at + 1].isdigit():
            new = random.choice([d for d in string.digits.encode() if d != data[at]])
            return data[:at] + bytes([new]) + data[at + 1 :]


def line_dropped(data: bytes, random: Random) -> bytes:
    """One line is gone."""
    lines = data.splitlines(keepends=True)
    del lines[random.randrange(len(lines))]
    return b"".join(lines)


def line_doubled(data: bytes, random: Random) -> bytes:
    """One line stands twice."""
    lines = data.splitlines(keepends=True)
    at = random.randrange(len(lines))
    return b"".join([*lines[: at + 1], *lines[at:]])


def line_added(data: bytes, random: Random) -> bytes:
    """A line of this log stands in another place too, or an empty one."""
    lines = data.splitlines(keepends=True)
    new = random.choice([*lines, b"\n", b"{}\n"])
    at = random.randrange(len(lines) + 1)
    return b"".join([*lines[:at], new, *lines[at:]])


def lines_swapped(data: bytes, random: Random) -> bytes:
    """Two lines change places."""
    lines = data.splitlines(keepends=True)
    one, other = random.sample(range(len(lines)), 2)
    lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)


def lines_cut_off(data: bytes, random: Random) -> bytes:
    """The last lines are gone."""
    lines = data.splitlines(keepends=True)
    return b"".join(lines[: random.randrange(len(lines))])


MUTATIONS = (
    cut_short,
    byte_changed,
    byte_dropped,
    byte_added,
    byte_doubled,
    bytes_swapped,
    digit_changed,
    line_dropped,
    line_doubled,
    line_added,
    lines_swapped,
    lines_cut_off,
)


# ---------------------------------------------------------------- values


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every place in an event: fields, and all that is in them."""
    if path:
        yield path, value
    inner: Iterator[tuple[str | int, Any]] = iter(())
    if isinstance(value, dict):
        inner = iter(value.items())
    elif isinstance(value, list):
        inner = iter(enumerate(value))
    for key, content in inner:
        yield from leaves(content, (*path, key))


ABSENT = object()
"""Stands for: take the field away."""


def forged_values(value: Any) -> Iterator[Any]:
    """Other values for a place: of its own kind first, then of others."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value + 10, value - 1, -value - 1)
    elif isinstance(value, float):
        yield value + 1
    elif isinstance(value, str):
        yield from forged_texts(value)
    elif value is None:
        yield from (0, "x", 10)
    elif isinstance(value, list):
        yield from forged_lists(value)
    elif isinstance(value, dict):
        yield {**value, "extra": 1}
    yield ABSENT
    if value is not None:
        yield None


def forged_texts(value: str) -> Iterator[str]:
    """Another word of the same list of words where it is one."""
    for words in (CARDS, HORSES, KINDS, ("won", "returned", "all_out"), ("human", "bot")):
        if value in words:
            yield next(word for word in words if word != value)
    if len(value) in (32, 64):
        yield value[:-1] + ("0" if value[-1] != "0" else "1")
    yield value + "x"


def forged_lists(value: list[Any]) -> Iterator[list[Any]]:
    """One item less, one twice, the others' order."""
    if value:
        yield value[:-1]
    yield [*value, *(value[-1:] or [1])]
    if any(one != other for one, other in pairwise(value)):
        yield value[::-1]


def replaced(event: Fields, path: Path, value: Any) -> Fields:
    """A copy of the event with another value at this place."""
    again = copy.deepcopy(event)
    inner: Any = again
    for key in path[:-1]:
        inner = inner[key]
    if value is not ABSENT:
        inner[path[-1]] = value
    else:
        del inner[path[-1]]
    return again


def pattern(path: Path) -> str:
    """A place without the numbers of items and seats: `private.*.hand.*`."""
    return ".".join("*" if isinstance(key, int) or key.isdecimal() else key for key in path)


def forged_fields(event: Fields, types: Sequence[str]) -> Iterator[tuple[str, Fields]]:
    """(place, forged event): every place with every other value, and fields that were not there.

    Args:
        event: a line's fields.
        types: all event types of its game; one that stands in for another is worst.
    """
    for path, value in leaves(event):
        for other in forged_values(value):
            yield pattern(path), replaced(event, path, other)
    for other in types:
        if other != event["type"]:
            yield "type", {**event, "type": other}
    seats: list[Any] = ["public", [], [1], [2], [1, 2]]
    for audience in seats:
        if audience != event["audience"]:
            yield "audience", {**event, "audience": audience}
    additions: Fields = {
        "extra": 1,
        "seat": 1,
        "command": {"type": "bookmaker.done"},
        "draws": {"race-1/deck": ["red-1"]},
        "arrangement_dropped": ["race-1/deck"],
        "private": {"1": {"hand": ["red-1"]}},
        "hash": "0" * 64,
    }
    for name, value in additions.items():
        if name not in event:
            yield f"+{name}", {**event, name: value}
    if "private" in event:
        yield from forged_placement(event)


def forged_placement(event: Fields) -> Iterator[tuple[str, Fields]]:
    """What is private stands elsewhere: at another seat, in the open, at the server."""
    private: dict[str, Fields] = event["private"]
    for key, content in private.items():
        rest = {other: inner for other, inner in private.items() if other != key}
        other = "2" if key == "1" else "1"
        yield "private.moved", {**event, "private": {**rest, other: content}}
        yield "private.copied", {**event, "private": {**private, "9": content}}
        yield "private.opened", {**event, **content, "private": rest}
        yield "private.opened", {**event, **content}
    if "1" in private and "2" in private and private["1"] != private["2"]:
        swapped = {**private, "1": private["2"], "2": private["1"]}
        yield "private.swapped", {**event, "private": swapped}


# ---------------------------------------------------------------- stories

Events = list[Fields]
Forgery = Callable[[Events], Any]
"""Changes a log in place."""


def of(events: Events, name: str, nth: int = 0) -> Fields:
    """The nth event of a type of Bookmaker (or a shared one)."""
    found = [e for e in events if e["type"] in (name, f"bookmaker.{name}")]
    return found[nth]


def at(events: Events, event: Fields) -> int:
    """Where it stands."""
    return next(i for i, e in enumerate(events) if e is event)


def insert(events: Events, index: int, **event: Any) -> None:
    """A new event, at the time of the one before it."""
    before = events[index - 1]
    events.insert(
        index,
        {"at": before["at"], "meeting": before["meeting"], "audience": "public", "seq": 0, **event},
    )


def rank_again(events: Events, cash: dict[int, int]) -> None:
    """A ranking that goes with these changes of cash."""
    ranking = events[-1]["ranking"]
    for row in ranking:
        row["points"] += cash.get(row["seat"], 0)
    ranking.sort(key=lambda row: (-row["points"], row["seat"]))
    for row in ranking:
        row["rank"] = 1 + sum(other["points"] > row["points"] for other in ranking)
