"""What happened in Tuyaux: a line for each event worth one, and how long it takes to read."""

from collections.abc import Callable, Mapping

from rich.text import Text

from service.terminal.games.tuyaux.words import (
    coloured,
    told_bet,
    told_field,
    told_moved,
    told_starters,
)
from service.terminal.plain import Json

Names = Mapping[int, str]


def told(event: Json, names: Names) -> Text | None:
    """One line about an event, or None."""
    teller = _TELLERS.get(_name(event))
    return None if teller is None else coloured(teller(event, names))


def _name(event: Json) -> str:
    name: str = event["type"].rpartition(".")[2]
    return name


def _taken(event: Json, names: Names) -> str:
    return f"{names[event['seat']]} sits down."


def _begun(event: Json, names: Names) -> str:
    return "The meeting begins."


def _opened(event: Json, names: Names) -> str:
    return f"── Race {event['race']} ──"


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


def _finished(event: Json, names: Names) -> str:
    return "The meeting is over."


def _abandoned(event: Json, names: Names) -> str:
    return f"The meeting is abandoned: {event['reason']}"


_TELLERS: dict[str, Callable[[Json, Names], str]] = {
    "seat_taken": _taken,
    "meeting_started": _begun,
    "race_opened": _opened,
    "programme_drawn": _programme,
    "tips_dealt": _dealt,
    "bet_made": _bet,
    "bets_revealed": _revealed,
    "card_turned": _turned,
    "tip_played": _tip,
    "race_settled": _settled,
    "meeting_finished": _finished,
    "meeting_abandoned": _abandoned,
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
    return _SECONDS.get(_name(event), 0.3)


def redraws(event: Json) -> bool:
    """When a race is paid."""
    return _name(event) in ("race_closed", "meeting_finished")
