"""The board of Bookmaker: the track, the seats' money, the books and the bets."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from service.terminal.plain import Json, hands, headline, ranking_table, who

HORSES = ("red", "blue", "green", "yellow")
FINISH = 10
TURNED_SHOWN = 12
BETS_SHOWN = 6


def board(board: Json) -> RenderableType:
    """Track, seats, books and bets; before the start the seats alone."""
    parts: list[RenderableType] = [_head(board)]
    if board["horses"] is not None:
        parts += [track(board), *_cards(board), seats(board)]
        if board["odds"] is not None:
            parts.append(books(board))
        if board["bets"]:
            parts.append(bets(board))
    else:
        parts += [Text(f"seat {place['seat']}  {who(place)}") for place in board["seats"]]
    if board["brocco"] is not None:
        parts.append(_brocco(board["brocco"]))
    if board["ranking"]:
        parts.append(ranking_table(board))
    return Group(*parts)


def _head(board: Json) -> Text:
    text = headline(board)
    if board["race_kind"] is not None:
        text.append(f" · {board['race_kind'].replace('_', ' ')}", style="not bold")
    if board["bookmakers"]:
        text.append(f" · bookmakers: {', '.join(map(str, board['bookmakers']))}", style="not bold")
    return text


def track(board: Json) -> Table:
    """A lane for each horse, its tokens as `*`; space 10 is the finish."""
    tokens = {(token["horse"], token["space"]) for token in board["tokens"]}
    table = Table.grid(padding=(0, 1))
    for horse in board["horses"]:
        lane = Text()
        for space in range(FINISH + 1):
            here = horse["space"] == space
            mark = horse["horse"][0].upper() if here else "*"
            if not here and (horse["horse"], space) not in tokens:
                mark = "." if space < FINISH else "|"
            lane.append(f" {mark}", style=f"bold {horse['horse']}" if here else "dim")
        state = "out" if horse["out"] else f"{horse['space']}"
        if horse["space"] >= FINISH:
            state = "wins"
        table.add_row(Text(horse["horse"], style=horse["horse"]), lane, state)
    return table


def _cards(board: Json) -> list[Text]:
    """Cards that all see, and the viewer's own."""
    lines = [("face up", board["open_cards"])]
    lines += hands(board)
    turned = board["turned"]
    more = [f"({len(turned)})"] if len(turned) > TURNED_SHOWN else []
    lines.append(("turned", [*more, *turned[-TURNED_SHOWN:]]))
    return [cards(label, items) for label, items in lines if items]


def cards(label: str, items: Sequence[str]) -> Text:
    """Cards by name, each in its colour."""
    text = Text(f"{label} ", style="dim")
    for card in items:
        colour = card.partition("-")[0]
        text.append(f" {card}", style=f"not dim {colour if colour in HORSES else 'bold'}")
    return text


def seats(board: Json) -> Table:
    """Who has how much; B is a bookmaker of this race."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("seat", "who", "", "cash", "loan", "cards", "done"):
        table.add_column(column, justify="right" if column in ("cash", "loan") else "left")
    for place in board["seats"]:
        table.add_row(
            str(place["seat"]),
            Text(who(place)),
            "B" if place["seat"] in board["bookmakers"] else "",
            f"{place['cash']:,}",
            f"{place['loan']:,}" if place["loan"] else "",
            str(place["hand_count"]),
            "done" if place["done"] else "",
        )
    return table


def books(board: Json) -> Table:
    """The odds and limits of each bookmaker; - is a horse without odds."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("book")
    for horse in HORSES:
        table.add_column(Text(horse, style=horse), justify="right")
    table.add_column("limits")
    for seat, odds in board["odds"].items():
        limits = board["limits"][seat]
        set_limits = [f"{horse} {limits[horse]}" for horse in HORSES if limits[horse] is not None]
        shown = (f"{odds[horse]}" if odds[horse] else "-" for horse in HORSES)
        table.add_row(f"seat {seat}", *shown, ", ".join(set_limits))
    return table


def bets(board: Json) -> Table:
    """The last bets of this race."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("bet", "seat", "book", "horse", "stake", "odds", ""):
        table.add_column(column, justify="right" if column in ("bet", "stake", "odds") else "left")
    hidden = len(board["bets"]) - BETS_SHOWN
    if hidden > 0:
        table.add_row("…", f"{hidden} earlier")
    for bet in board["bets"][-BETS_SHOWN:]:
        table.add_row(
            str(bet["bet"]),
            str(bet["seat"]),
            str(bet["bookmaker"]),
            Text(bet["horse"], style=bet["horse"]),
            f"{bet['stake']:,}",
            f"{bet['odds']}",
            bet["status"],
        )
    return table


def _brocco(brocco: Json) -> Text:
    named = ", ".join(f"seat {seat} {horse}" for seat, horse in brocco["named"].items())
    shares = ", ".join(f"seat {seat} {amount}" for seat, amount in brocco["shares"].items())
    text = cards("brocco", [brocco["card"]])
    return text.append(f"  named: {named}; pot {brocco['pot']}; shares: {shares or 'none'}")


def checks(board: Json) -> list[tuple[str, bool]]:
    """Ledger, cash, bank and ranking say the same (BM-P3)."""
    moved = dict.fromkeys((place["seat"] for place in board["seats"]), 0)
    for line in board["ledger"]:
        for end, sign in (("from", -1), ("to", 1)):
            if line[end] != "bank":
                moved[line[end]] += sign * line["amount"]
    cash = {place["seat"]: place["cash"] for place in board["seats"]}
    started = {cash[seat] - moved[seat] for seat in cash}
    bank = board["bank"]["lent"] - board["bank"]["taken"]
    points = {line["seat"]: line["points"] for line in board["ranking"] or []}
    start = min(started)
    return [
        (f"every seat's cash is {start:,} and what its ledger moved", len(started) == 1),
        (
            "all cash is the starting cash and what the bank gave",
            sum(cash.values()) == start * len(cash) + bank,
        ),
        ("the ranking's points are the cash", points == cash),
    ]
