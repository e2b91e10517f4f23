"""The board of Ticket Gagnant: the track with rail, hedges, river and hoofprints; the seats."""

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from service.terminal.games.ticket_gagnant.words import (
    MARKS,
    STYLES,
    coloured,
    told_choice,
    told_prediction,
)
from service.terminal.plain import Json, hands, headline, ranking_table, who

RAIL, HEDGE, LINE, RIVER, HOOFPRINT, TURF = "═", "‖", "¦", "≈", "∩", "·"
FLOOR = -8
DISCARD_SHOWN = 12
WIDE = 25
"""Up to so many spaces each number is written; on a longer track every fifth."""

_STYLES = {RIVER: "cyan", HOOFPRINT: "bright_black", TURF: "dim"}


def board(board: Json) -> RenderableType:
    """Track, seats and cards; before the start the seats alone."""
    parts: list[RenderableType] = [_head(board)]
    if board["horses"] is not None:
        parts += [track(board), horses(board), seats(board), *_cards(board)]
    else:
        parts += [Text(f"seat {place['seat']}  {who(place)}") for place in board["seats"]]
    if board["ranking"]:
        parts.append(ranking_table(board))
    return Group(*parts)


def _head(board: Json) -> Text:
    text = headline(board)
    if board["choice"] is not None:
        text.append(f" · {told_choice(board['choice'])}", style="not bold")
    return text


def track(board: Json) -> Text:
    """A row for each lane, the rail above lane 1; horses run to the right."""
    course = board["course"]
    kind = (board["choice"] or {}).get("kind")
    ground = _ground(course, kind)
    horses = {(h["lane"], h["space"]): h["horse"] for h in board["horses"]}
    width = 3 if course["last"] <= WIDE else 2
    text = _numbers(course["last"], width)
    text.append(f"rail {RAIL * (width * (course['last'] + 1))}\n", style="bold")
    for lane in range(1, course["lanes"] + 1):
        text.append(f"{lane:>4} ", style="dim")
        for space in range(course["last"] + 1):
            text.append(_limit(course, kind, space).ljust(width - 1))
            horse = horses.get((lane, space))
            if horse is not None:
                galloping = ground.get((lane, space)) == HOOFPRINT
                style = f"{STYLES[horse]} reverse" if galloping else f"bold {STYLES[horse]}"
                text.append(MARKS[horse], style=style)
            else:
                mark = ground.get((lane, space), TURF)
                text.append(mark, style=_STYLES[mark])
        text.append("\n" if lane < course["lanes"] else "")
    return text


def _ground(course: Json, kind: str | None) -> Mapping[tuple[int, int], str]:
    """What lies on spaces, as far as it counts in this kind of race."""
    found: dict[tuple[int, int], str] = {}
    if kind == "harness":
        found |= {(spot["lane"], spot["space"]): HOOFPRINT for spot in course["hoofprints"]}
    if course["river"] is not None:
        found |= {(lane, course["river"]): RIVER for lane in range(1, course["lanes"] + 1)}
    return found


def _limit(course: Json, kind: str | None, space: int) -> str:
    """What stands between a space and the one before it."""
    if space == course["line"]:
        return LINE
    hedged = kind in ("obstacle", "steeplechase")
    return HEDGE if hedged and space - 1 in course["hedges"] else " "


def _numbers(last: int, width: int) -> Text:
    """The numbers of the spaces."""
    text = Text("     ", style="dim")
    for space in range(last + 1):
        text.append(f"{space if width > 2 or space % 5 == 0 else '':>{width}}")
    return text.append("\n")


def horses(board: Json) -> Text:
    """The letters of the horses, and their ranks when the race is over."""
    text = Text("     ")
    for horse in board["horses"]:
        name = horse["horse"]
        text.append(f"{MARKS[name]} {name}", style=STYLES[name])
        if horse["disqualified"]:
            text.append(" out")
        elif horse["rank"] is not None:
            text.append(f" {horse['rank']}")
        text.append("  ")
    return text


def seats(board: Json) -> Table:
    """Who predicts what, and the scores; 1 is the first player."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("seat", "who", "", "cards", "prediction", "score", "last"):
        right = column in ("cards", "score", "last")
        table.add_column(column, justify="right" if right else "left")
    for place in board["seats"]:
        hidden = "made" if place["predicted"] else ""
        shown = place["prediction"]
        table.add_row(
            str(place["seat"]),
            Text(who(place)),
            "1" if place["seat"] == board["first_player"] else "",
            str(place["hand_count"]),
            hidden if shown is None else coloured(told_prediction(shown)),
            str(place["score"]),
            "" if place["last_net"] is None else f"{place['last_net']:+}",
        )
    return table


def _cards(board: Json) -> list[Text]:
    """The viewer's own hand, and the last cards played."""
    lines = hands(board)
    discard = board["discard"]
    more = [f"({len(discard)})"] if len(discard) > DISCARD_SHOWN else []
    lines.append(("played", [*more, *discard[-DISCARD_SHOWN:]]))
    return [coloured(f"{label}  {'  '.join(items)}") for label, items in lines if items]


def checks(board: Json) -> list[tuple[str, bool]]:
    """Scores are the nets of the races with their floor, and rank the seats (TG-P7, TG-P8)."""
    scores: dict[int, Any] = {place["seat"]: place["score"] for place in board["seats"]}
    summed = dict.fromkeys(scores, 0)
    for race in board["results"]:
        for seat, net in enumerate(race["nets"], 1):
            summed[seat] = max(summed[seat] + net, FLOOR)
    points = {line["seat"]: line["points"] for line in board["ranking"] or []}
    return [
        (f"every seat's score is its nets, never below {FLOOR}", scores == summed),
        ("the ranking's points are the scores", points == scores),
    ]
