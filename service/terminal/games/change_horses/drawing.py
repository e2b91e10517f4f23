"""The board of Change Horses: the track, the betting board, the seats, the auction."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from service.terminal.games.change_horses.words import STYLES, coloured, counts
from service.terminal.plain import Json, hands, headline, ranking_table, who

BEYOND = 3
"""So many spaces are drawn beyond the farthest horse, at least to the finish at 8."""
FINISH_LEAST = 8


def board(board: Json) -> RenderableType:
    """Track, betting board and seats; before the start the seats alone."""
    parts: list[RenderableType] = [_head(board)]
    if board["horses"]:
        parts += [track(board), betting(board), seats(board), *_auction(board), *_hand(board)]
    else:
        parts += [Text(f"seat {place['seat']}  {who(place)}") for place in board["seats"]]
    if board["ranking"]:
        parts += [*_results(board), ranking_table(board)]
    return Group(*parts)


def _head(board: Json) -> Text:
    text = headline(board)
    if board["round"]:
        text.append(f" · round {board['round']}", style="not bold")
    if board["starts"] is not None:
        text.append(f" · seat {board['starts']} starts", style="not bold")
    return text


def track(board: Json) -> Table:
    """A line for each lane, the inside one first; a horse is its letter, in capitals."""
    farthest = max(horse["space"] for horse in board["horses"])
    table = Table.grid(padding=(0, 1))
    for number in range(1, 7):
        here = {horse["space"]: horse for horse in board["horses"] if horse["lane"] == number}
        lane = Text()
        for space in range(max(farthest + BEYOND, FINISH_LEAST) + 1):
            horse = here.get(space)
            if horse is None:
                lane.append(" ·", style="dim")
            else:
                lane.append(f" {horse['letter']}", style=f"bold {STYLES[horse['horse']]}")
        names = ", ".join(
            f"{horse['horse']} {horse['space']}{' crossed' if horse['crossed'] else ''}"
            for _, horse in sorted(here.items(), reverse=True)
        )
        table.add_row(str(number), lane, coloured(names))
    return table


def betting(board: Json) -> Text:
    """The cards as played, covered ones in brackets, and how often each horse counts."""
    cards = [
        f"[{placed['card']}]" if placed["covered"] else placed["card"]
        for placed in board["betting_board"]
    ]
    if not cards:
        return Text("the betting board is empty", style="dim")
    visible = counts(board["betting_board"])
    sums = "  ".join(f"{horse} {number}" for horse, number in visible.items() if number)
    return coloured(f"board  {'  '.join(cards)}   counts  {sums}")


def seats(board: Json) -> Table:
    """Position, shown cards, Wild Horses left, who has changed, what is one's own."""
    derby = any(place["carrots"] is not None for place in board["seats"])
    table = Table(box=None, pad_edge=False, header_style="bold")
    columns = ["seat", "who", "turn", "shown", "hand", "wild", "", "owns", "points"]
    for column in (*columns, *(["carrots"] if derby else [])):
        table.add_column(column)
    for place in board["seats"]:
        position = (board["positions"] or {}).get(str(place["seat"]), "")
        cells: list[RenderableType] = [
            str(place["seat"]),
            Text(who(place)),
            str(position),
            coloured("  ".join(place["shown"])),
            str(place["hand_count"]),
            str(place["wild_left"]),
            "changed" if place["changed"] else "",
            coloured(" ".join(place["certificates"] or ())),
            str(place["points"]),
        ]
        table.add_row(*cells, *([str(place["carrots"])] if derby else []))
    return table


def _auction(board: Json) -> list[Text]:
    if board["auction"] is None:
        return []
    bids = ", ".join(f"seat {seat} {bid}" for seat, bid in board["auction"]["bids"].items())
    out = ", ".join(str(seat) for seat in board["auction"]["locked"])
    return [Text(f"bids  {bids or 'none yet'}{f'   out: {out}' if out else ''}")]


def _hand(board: Json) -> list[Text]:
    return [coloured(f"{whose}  {'  '.join(hand)}") for whose, hand in hands(board)]


def _results(board: Json) -> list[Text]:
    lines = []
    for race in board["results"]:
        places = ", ".join(
            f"{place['rank']} {place['horse']}"
            + (f" (seat {place['seat']})" if place["seat"] is not None else "")
            for place in race["ranking"]
        )
        lines.append(coloured(f"race {race['race']} from the rear: {places}"))
    return lines


def checks(board: Json) -> list[tuple[str, bool]]:
    """Results, points and ranking say the same (CH-E6)."""
    points = {place["seat"]: place["points"] for place in board["seats"]}
    won = {seat: sum(race["points"][seat - 1] for race in board["results"]) for seat in points}
    ranked = {line["seat"]: line["points"] for line in board["ranking"] or []}
    return [
        ("every seat's points are those of its races", points == won),
        ("the ranking's points are the match points", ranked == points),
    ]
