"""Meetings to try: which values an option may have, told by its JSON Schema, and how to cover them.

No game is named here: whatever a game's option record allows is tried.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any

import msgspec

from domain.kernel.game import Game
from domain.kernel.rejection import Malformed

LENGTH_MAX = 40
Options = dict[str, Any]


def option_values(game: Game, seats: int) -> dict[str, list[Any]]:
    """The values of each option worth trying with so many seats."""
    schema = msgspec.json.schema(game.options)
    record = resolve(schema, schema)
    return {
        name: values_of(game, seats, name, resolve(schema, form), schema)
        for name, form in record["properties"].items()
    }


def resolve(root: Mapping[str, Any], form: Mapping[str, Any]) -> dict[str, Any]:
    """A form without its reference, and of several alternatives the one that is not null."""
    default = {"default": form["default"]} if "default" in form else {}
    if "$ref" in form:
        name = form["$ref"].rsplit("/", 1)[1]
        return {**root["$defs"][name], **default}
    for alternative in form.get("anyOf", ()):
        if alternative.get("type") != "null" and "enum" not in form:
            return {**alternative, **default}
    return dict(form)


def values_of(
    game: Game, seats: int, name: str, form: Mapping[str, Any], root: Mapping[str, Any]
) -> list[Any]:
    """Values of one option: all of a few, the ends and the default of many."""
    if "enum" in form:
        return [value for value in form["enum"] if taken(game, seats, {name: value})]
    if form.get("type") == "boolean":
        return [False, True]
    if form.get("type") == "integer":
        found = [form["default"], form["minimum"], form["maximum"]]
        return list(dict.fromkeys(found))
    if form.get("type") == "array":
        items = list(resolve(root, form["items"])["enum"])
        lists = [*([item] for item in items), items]
        return [shortest(game, seats, name, pattern) for pattern in lists]
    raise AssertionError(f"{name}: an option of a form that is not tried yet")


def shortest(game: Game, seats: int, name: str, pattern: Sequence[Any]) -> list[Any]:
    """The shortest list that the game takes and that holds the pattern, over and over."""
    for length in range(len(pattern), LENGTH_MAX):
        tried = [pattern[i % len(pattern)] for i in range(length)]
        if taken(game, seats, {name: tried}):
            return tried
    raise AssertionError(f"{name}: no list of {pattern} is taken")


def taken(game: Game, seats: int, options: Options) -> bool:
    """Whether a meeting of so many seats may have these options."""
    try:
        game.read_options(options, seats)
    except Malformed:
        return False
    return True


def every(values: Mapping[str, Sequence[Any]]) -> Iterator[Options]:
    """All combinations."""
    for chosen in product(*values.values()):
        yield dict(zip(values, chosen, strict=True))


Pair = frozenset[tuple[str, int]]


def pairwise(values: Mapping[str, Sequence[Any]]) -> list[Options]:
    """Few combinations in which every two values of two options meet (greedy)."""
    names = list(values)
    missing: set[Pair] = {
        frozenset(((a, i), (b, j)))
        for a, b in combinations(names, 2)
        for i in range(len(values[a]))
        for j in range(len(values[b]))
    }
    found: list[Options] = []
    while missing:
        chosen = dict(sorted(min(missing, key=sorted)))
        for name in names:
            if name not in chosen:
                chosen[name] = max(
                    range(len(values[name])),
                    key=lambda i: sum(
                        frozenset((pair, (name, i))) in missing for pair in chosen.items()
                    ),
                )
        missing -= {frozenset(pair) for pair in combinations(chosen.items(), 2)}
        found.append({name: values[name][chosen[name]] for name in names})
    return found
