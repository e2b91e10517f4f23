"""The board of Tuyaux: programme, field front first, the cards of a turn, the seats."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from service.terminal.games.tuyaux.words import (
    coloured,
    told_bet,
    told_field,
    told_moved,
    told_starters,
)
from service.terminal.plain import Json, hands, headline, ranking_table, who


def board(board: Json) -> RenderableType:
    """Programme, field, turn and seats; before the start the seats alone."""
    parts: list[RenderableType] = [headline(board)]
    if board["programme"] is not None:
        parts += [programme(board["programme"]), *_turn(board), field(board["lines"])]
        parts += [seats(board), *_hand(board)]
    else:
        parts += [Text(f"seat {place['seat']}  {who(place)}") for place in board["seats"]]
    if board["ranking"]:
        parts.append(ranking_table(board))
    return Group(*parts)


def programme(drawn: Json) -> Text:
    """The starters and what they are."""
    return coloured(f"programme {drawn['card']}: {told_starters(drawn['values'])}")


def _turn(board: Json) -> list[Text]:
    """The race card turned and the tips that followed it."""
    if board["turn"] is None:
        return []
    tips = [
        f"seat {tip['seat']} {tip['card']} {told_moved(tip['moved'])}"
        for tip in board["tips_played"]
        if tip["turn"] == board["turn"]
    ]
    of = len(board["programme"]["values"])
    line = f"turn {board['turn']} of {of}: {board['race_card']}"
    return [coloured(f"{line}  tips: {', '.join(tips)}" if tips else line)]


def field(lines: Sequence[Sequence[str]]) -> Text:
    """The lines from front to back."""
    return coloured(f"front ▸ {told_field(lines)}")


def seats(board: Json) -> Table:
    """Who has how many coins and tips, and the bets that may be seen; D deals."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("seat", "who", "", "coins", "tips", "bet"):
        table.add_column(column, justify="right" if column in ("coins", "tips") else "left")
    for place in board["seats"]:
        hidden = "hidden" if place["has_bet"] else ""
        table.add_row(
            str(place["seat"]),
            Text(who(place)),
            "D" if place["seat"] == board["dealer"] else "",
            str(place["coins"]),
            str(place["hand_count"]),
            coloured(told_bet(place["bet"]) if place["bet"] else hidden),
        )
    return table


def _hand(board: Json) -> list[Text]:
    return [coloured(f"{whose}  {'  '.join(hand)}") for whose, hand in hands(board)]


def checks(board: Json) -> list[tuple[str, bool]]:
    """Coins, pays and ranking say the same (TU-E1, TU-E2)."""
    coins = {place["seat"]: place["coins"] for place in board["seats"]}
    paid = {seat: sum(race["pays"][seat - 1] for race in board["results"]) for seat in coins}
    points = {line["seat"]: line["points"] for line in board["ranking"] or []}
    return [
        ("every seat's coins are what its races paid", coins == paid),
        ("the ranking's points are the coins", points == coins),
    ]
