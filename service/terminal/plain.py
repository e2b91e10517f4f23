"""How any game is drawn: the fields that all boards have, then the others as they are.

Names of people are data: they are put into `Text`, never read as markup.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

Json = dict[str, Any]
Names = Mapping[int, str]
"""What each seat is called."""

COMMON = frozenset(
    (
        "meeting",
        "game",
        "status",
        "version",
        "viewer",
        "race",
        "races",
        "phase",
        "to_act",
        "decision",
        "deadline",
        "seats",
        "ranking",
    )
)
"""Fields of every board (contract, Board)."""

ENVELOPE = frozenset(("version", "at", "meeting", "type", "seat", "command", "draws", "hash"))
"""Fields that any event may have besides its content."""

ID_SHOWN = 6
SECONDS = 0.4


def short(value: Any) -> str:
    """A value as one line of words."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{key} {_part(inner)}" for key, inner in value.items())
    if isinstance(value, list | tuple):
        return " ".join(_part(inner) for inner in value) or "none"
    return str(value)


def _part(value: Any) -> str:
    return f"({short(value)})" if isinstance(value, dict | list) and value else short(value)


def hands(board: Json) -> list[tuple[str, list[str]]]:
    """The hands that the viewer sees, in seat order, each with what it is called."""
    return [
        (
            "your hand" if place["seat"] == board["viewer"] else f"hand of {place['seat']}",
            place["hand"],
        )
        for place in board["seats"]
        if place["hand"]
    ]


def who(place: Json) -> str:
    """Who has a seat: names are not unique, so the id's first characters stand beside them."""
    if place["player"] is None:
        return "free"
    if place["name"] == place["player"]:
        return str(place["name"])
    return f"{place['name']} {place['player'][:ID_SHOWN]}"


def names_of(board: Json) -> dict[int, str]:
    """What each seat is called, by its number."""
    return {place["seat"]: seat_name(place) for place in board["seats"]}


def seat_name(place: Json) -> str:
    """What a seat is called: its number, and who has it; `place` of a board, or `seat_taken`."""
    return f"seat {place['seat']} ({who(place)})"


def headline(board: Json) -> Text:
    """Game, race, phase and who must act."""
    words = [board["game"]]
    if board["race"]:
        of = f" of {board['races']}" if board["races"] is not None else ""
        words.append(f"race {board['race']}{of}")
    words.append(board["phase"] or board["status"])
    if board["to_act"]:
        words.append("to act: " + ", ".join(str(seat) for seat in board["to_act"]))
    return Text(" · ".join(words), style="bold")


def seat_table(board: Json) -> Table:
    """A line for each seat: who sits there, and whatever the game says about a seat."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    own = [name for name in board["seats"][0] if name not in ("seat", "player", "name", "kind")]
    for column in ("seat", "who", *own):
        table.add_column(column, overflow="fold")
    for place in board["seats"]:
        cells = ["" if place[name] is None else short(place[name]) for name in own]
        table.add_row(str(place["seat"]), Text(who(place)), *(Text(cell) for cell in cells))
    return table


def ranking_table(board: Json) -> Table:
    """The result: rank, seat, points."""
    names = names_of(board)
    table = Table(
        box=None, pad_edge=False, header_style="bold", title="Ranking", title_justify="left"
    )
    table.add_column("rank", justify="right")
    table.add_column("seat")
    table.add_column("points", justify="right")
    for line in board["ranking"]:
        table.add_row(str(line["rank"]), Text(names[line["seat"]]), f"{line['points']:,}")
    return table


def board(board: Json) -> RenderableType:
    """The whole board."""
    parts: list[RenderableType] = [headline(board), seat_table(board)]
    rest = Table(box=None, pad_edge=False, show_header=False)
    rest.add_column(style="dim", no_wrap=True)
    rest.add_column(overflow="fold")
    for name, value in board.items():
        if name not in COMMON and value is not None:
            rest.add_row(name, Text(short(value)))
    if rest.row_count:
        parts.append(rest)
    if board["ranking"]:
        parts.append(ranking_table(board))
    return Group(*parts)


def told(event: Json, names: Names) -> Text | None:
    """The event's type, whose it is, and its fields."""
    kind = event["type"].rpartition(".")[2].replace("_", " ")
    text = Text(kind)
    if "seat" in event:
        text.append(f" {names.get(event['seat'], event['seat'])}")
    fields = [f"{k} {short(v)}" for k, v in event.items() if k not in ENVELOPE]
    if fields:
        text.append(": " + ", ".join(fields))
    return text


def seconds(event: Json) -> float:
    """The same for every event."""
    return SECONDS


def redraws(event: Json) -> bool:
    """After every race."""
    return bool(event["type"] == "race_closed")


def shorthand(words: Sequence[str], board: Json) -> Json | None:
    """`name field=value …` stands for the command of this name, values read as JSON or text."""
    body: Json = {"type": f"{board['game']}.{words[0]}"}
    for word in words[1:]:
        field, equals, value = word.partition("=")
        if not equals:
            return None
        try:
            body[field] = msgspec.json.decode(value)
        except msgspec.DecodeError:
            body[field] = value
    return body


def forms(board: Json) -> Sequence[str]:
    """What may be typed of any game."""
    return ("name field=value …    any command of the game, e.g. by its fields",)


def checks(board: Json) -> list[tuple[str, bool]]:
    """The ranking is in order of its points, and every seat is in it once."""
    ranking = board["ranking"] or []
    seats = sorted(line["seat"] for line in ranking)
    return [("every seat is ranked once", seats == [place["seat"] for place in board["seats"]])]
