"""What happened in Change Horses: a line for each event worth one, and how long it takes."""

from rich.text import Text

from service.terminal.games.change_horses.words import coloured, told_moves, told_seats
from service.terminal.plain import Json, Names
from service.terminal.telling import Teller, kind_of, line_of


def told(event: Json, names: Names) -> Text | None:
    """One line about an event, or None."""
    line = line_of(event, names, _TELLERS)
    return None if line is None else coloured(line)


def _placed(event: Json, names: Names) -> str:
    return f"The horses are at the start, from the inside: {', '.join(event['lanes'])}"


def _dealt(event: Json, names: Names) -> str:
    own = f" Yours: {' and '.join(event['certificates'])}" if "certificates" in event else ""
    return f"Every seat owns a horse; {event['pile_count']} certificates lie aside.{own}"


def _round(event: Json, names: Names) -> str:
    if event["positions"] is not None:
        return f"Round {event['round']}, in the order {told_seats(event['positions'])}"
    return f"Round {event['round']}, {names[event['starts']]} starts."


def _picked(event: Json, names: Names) -> str:
    cards = f": {'  '.join(event['cards'])}" if "cards" in event else ""
    return f"{names[event['seat']]} has picked{cards}."


def _shown(event: Json, names: Names) -> str:
    picks = (f"seat {seat} {'  '.join(cards)}" for seat, cards in event["cards"].items())
    return f"Shown: {'; '.join(picks)}"


def _card(event: Json, names: Names) -> str:
    return f"{names[event['seat']]} plays {event['card']}"


def _stumble(event: Json, names: Names) -> str:
    return f"{names[event['seat']]}: Wild Horse, stumble! {event['card']} counts no more."


def _slippery(event: Json, names: Names) -> str:
    moves = " and ".join(f"{move['horse']} to lane {move['lane']}" for move in event["moves"])
    return f"{names[event['seat']]}: Wild Horse, slippery! {moves}"


def _fast(event: Json, names: Names) -> str:
    return f"{names[event['seat']]}: Wild Horse, fast! {told_moves(event['moves'])}"


def _change(event: Json, names: Names) -> str:
    which = f" {event['gave']} for {event['took']}" if "gave" in event else ""
    return f"{names[event['seat']]}: Wild Horse, change of horse!{which}"


def _moved(event: Json, names: Names) -> str:
    return f"The horses move: {told_moves(event['moves'])}"


def _emptied(event: Json, names: Names) -> str:
    return "The betting board is emptied."


def _auction(event: Json, names: Names) -> str:
    return f"The turn order of round {event['round']} is auctioned."


def _bid(event: Json, names: Names) -> str:
    out = ", and is out" if event["locked"] else ""
    return f"{names[event['seat']]} bids {event['carrots']}{out}"


def _stood(event: Json, names: Names) -> str:
    return f"{names[event['seat']]} stands."


def _failed(event: Json, names: Names) -> str:
    return f"{names[event['seat']]} can't bid and gives up {event['carrots']} carrots."


def _paid(event: Json, names: Names) -> str:
    return f"Paid: {told_seats(event['paid']) or 'nothing'}"


def _ended(event: Json, names: Names) -> str:
    places = ", ".join(
        f"{place['rank']} {place['horse']}"
        + (f" (seat {place['seat']})" if place["seat"] is not None else "")
        for place in event["ranking"]
    )
    points = ", ".join(f"seat {seat} {n}" for seat, n in enumerate(event["points"], 1) if n)
    return f"The race is over. From the rear: {places}. Points: {points or 'for nobody'}"


_TELLERS: dict[str, Teller] = {
    "horses_placed": _placed,
    "certificates_dealt": _dealt,
    "round_opened": _round,
    "cards_selected": _picked,
    "cards_shown": _shown,
    "card_played": _card,
    "stumble_played": _stumble,
    "slippery_played": _slippery,
    "fast_played": _fast,
    "change_played": _change,
    "horses_moved": _moved,
    "board_emptied": _emptied,
    "auction_opened": _auction,
    "bid_made": _bid,
    "bidder_stood": _stood,
    "bid_failed": _failed,
    "auction_closed": _paid,
    "race_ended": _ended,
}

_SECONDS = {
    "horses_placed": 2.0,
    "cards_shown": 2.5,
    "card_played": 0.8,
    "stumble_played": 1.5,
    "slippery_played": 1.5,
    "fast_played": 1.5,
    "change_played": 1.5,
    "horses_moved": 1.5,
    "race_ended": 4.0,
    "meeting_finished": 0.0,
}
"""How long a person needs to take an event in; others are short."""


def seconds(event: Json) -> float:
    """A card is quick to see, what it does to the field is not."""
    return _SECONDS.get(kind_of(event), 0.3)


def redraws(event: Json) -> bool:
    """After every move of the field, and at the end of a race."""
    return kind_of(event) in ("horses_moved", "fast_played", "race_closed", "meeting_finished")
