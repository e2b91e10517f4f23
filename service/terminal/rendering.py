"""Finds how a game is drawn; a game without a module of its own is drawn plainly."""

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from msgspec import Struct
from rich.console import RenderableType
from rich.text import Text

from service.terminal import plain
from service.terminal.plain import Json, Names


class Renderer(Struct, frozen=True, kw_only=True):
    """How one game is drawn; boards and events are the JSON that any client gets.

    Args:
        board: (board) -> what to show of it.
        told: (event, names by seat) -> one line about it; None where it is not worth one.
        seconds: (event) -> how long a person needs to take it in.
        redraws: (event) -> whether the board is worth a look after it.
        shorthand: (words, board) -> the body that these words stand for, or None.
        forms: (board) -> lines that tell what may be typed now, in short.
        checks: (board of a meeting that is over) -> sums that must agree.
    """

    board: Callable[[Json], RenderableType]
    told: Callable[[Json, Names], Text | None]
    seconds: Callable[[Json], float]
    redraws: Callable[[Json], bool]
    shorthand: Callable[[Sequence[str], Json], Json | None]
    forms: Callable[[Json], Sequence[str]]
    checks: Callable[[Json], list[tuple[str, bool]]]


@cache
def renderer(game_id: str) -> Renderer:
    """How a game is drawn, by its id."""
    name = f"service.terminal.games.{game_id.replace('-', '_')}"
    own = import_module(name) if find_spec(name) is not None else plain
    found = {part: getattr(own, part, getattr(plain, part)) for part in Renderer.__struct_fields__}
    return Renderer(**found)
