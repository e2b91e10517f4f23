"""What happened in Tuyaux: a line for each event worth one, and how long it takes to read."""

from rich.text import Text

from service.terminal.games.tuyaux.words import (
    coloured,
    told_bet,
    told_field,
    told_moved,
    told_starters,
)
from service.terminal.plain import Json, Names
from service.terminal.telling import Teller, kind_of, line_of


def told(event: Json, names: Names) -> Text | None:
    """One line about an event, or None."""
    line = line_of(event, names, _TELLERS)
    return None if line is None else coloured(line)


def _programme(event: Json, names: Names) -> str:
    starters = told_starters(event["values"])
    return f"{names[event['dealer']]} deals. {event['card']}: {starters}"


def _dealt(event: Json, names: Names) -> str:
    hand = f" Yours: {'  '.join(event['hand'])}" if "hand" in event else ""
    return f"{event['count']} tips for each seat.{hand}"


def _bet(event: Json, names: Names) -> str:
    bet = f": {told_bet(event['bet'])}" if "bet" in event else ""
    return f"{names[event['seat']]} has bet{bet}."


def _revealed(event: Json, names: Names) -> str:
    bets = (f"seat {seat} {told_bet(bet)}" for seat, bet in enumerate(event["bets"], 1))
    return f"The bets: {'; '.join(bets)}"


def _turned(event: Json, names: Names) -> str:
    return f"Turn {event['turn']}: {event['card']}  ▸ {told_field(event['lines'])}"


def _tip(event: Json, names: Names) -> str:
    moved = told_moved(event["moved"])
    who_plays = names[event["seat"]]
    return f"{who_plays} plays {event['card']} ({moved})  ▸ {told_field(event['lines'])}"


def _settled(event: Json, names: Names) -> str:
    won = " and ".join(event["winners"])
    verb = "win together" if len(event["winners"]) > 1 else "wins"
    pays = (f"seat {seat} {pay}" for seat, pay in enumerate(event["pays"], 1) if pay)
    return f"{won} {verb}! Coins: {', '.join(pays) or 'for nobody'}"


_TELLERS: dict[str, Teller] = {
    "programme_drawn": _programme,
    "tips_dealt": _dealt,
    "bet_made": _bet,
    "bets_revealed": _revealed,
    "card_turned": _turned,
    "tip_played": _tip,
    "race_settled": _settled,
}

_SECONDS = {
    "programme_drawn": 3.0,
    "bets_revealed": 2.0,
    "card_turned": 1.0,
    "tip_played": 0.8,
    "race_settled": 3.0,
    "meeting_finished": 0.0,
}
"""How long a person needs to take an event in; others are short."""


def seconds(event: Json) -> float:
    """A tip is quick to see, a programme is not."""
    return _SECONDS.get(kind_of(event), 0.3)


def redraws(event: Json) -> bool:
    """When a race is paid."""
    return kind_of(event) in ("race_closed", "meeting_finished")
