"""What happened in Ticket Gagnant: a line for each event worth one, and how long it takes."""

from rich.text import Text

from service.terminal.games.ticket_gagnant.words import (
    coloured,
    told_choice,
    told_order,
    told_prediction,
)
from service.terminal.plain import Json, Names
from service.terminal.telling import Teller, kind_of, line_of


def told(event: Json, names: Names) -> Text | None:
    """One line about an event, or None."""
    line = line_of(event, names, _TELLERS)
    return None if line is None else coloured(line)


def _lanes(event: Json, names: Names) -> str:
    first = names[event["first"]]
    return f"From the rail: {told_order(event['lanes'])}. First player: {first}"


def _chosen(event: Json, names: Names) -> str:
    chooser = f"{names[event['seat']]} chooses: " if "seat" in event else "The programme: "
    return chooser + told_choice(event)


def _dealt(event: Json, names: Names) -> str:
    hand = f" Yours: {'  '.join(event['hand'])}" if "hand" in event else ""
    return f"{event['count']} cards for each seat.{hand}"


def _predicted(event: Json, names: Names) -> str:
    own = f": {told_prediction(event['prediction'])}" if "prediction" in event else ""
    return f"{names[event['seat']]} has predicted{own}."


def _off(event: Json, names: Names) -> str:
    if event["predictions"] is None:
        return "They're off! The predictions stay hidden."
    return f"They're off! Predicted: {_by_seat(event['predictions'])}"


def _by_seat(predictions: list[Json]) -> str:
    return "; ".join(f"seat {seat} {told_prediction(p)}" for seat, p in enumerate(predictions, 1))


def _moved(moved: Json) -> str:
    return f"{moved['horse']} to lane {moved['lane']}, space {moved['space']}"


def _played(event: Json, names: Names) -> str:
    line = f"{names[event['seat']]} plays {event['card']}: "
    line += "nobody moves" if event["moved"] is None else _moved(event["moved"])
    if event["displaced"] is not None:
        line += f"; {_moved(event['displaced'])}"
    return line


def _discarded(event: Json, names: Names) -> str:
    return f"{names[event['seat']]} can play nothing and discards {event['card']}"


def _photo(event: Json, names: Names) -> str:
    return f"Photo finish: {told_order(event['order'])}"


def _scored(event: Json, names: Names) -> str:
    out = f" Disqualified: {told_order(event['disqualified'])}." if event["disqualified"] else ""
    nets = ", ".join(f"seat {seat} {net:+}" for seat, net in enumerate(event["nets"], 1))
    return f"The finish: {told_order(event['ranking'])}.{out} Points: {nets}"


_TELLERS: dict[str, Teller] = {
    "lanes_drawn": _lanes,
    "race_chosen": _chosen,
    "hands_dealt": _dealt,
    "prediction_made": _predicted,
    "moves_opened": _off,
    "card_played": _played,
    "card_discarded": _discarded,
    "photo_finish_drawn": _photo,
    "race_scored": _scored,
}

_SECONDS = {
    "lanes_drawn": 1.5,
    "race_chosen": 1.5,
    "moves_opened": 2.0,
    "card_played": 1.0,
    "card_discarded": 1.0,
    "race_scored": 3.0,
    "meeting_finished": 0.0,
}
"""How long a person needs to take an event in; others are short."""


def seconds(event: Json) -> float:
    """A play is quick to see, a finish is not."""
    return _SECONDS.get(kind_of(event), 0.3)


def redraws(event: Json) -> bool:
    """When horses begin to move, when they have moved, and at the end."""
    return kind_of(event) in ("moves_opened", "race_scored", "meeting_finished")
