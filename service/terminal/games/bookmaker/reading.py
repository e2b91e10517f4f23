"""What a person may type in Bookmaker instead of JSON."""

from collections.abc import Sequence
from typing import Any

from service.terminal.plain import Json

HORSES = ("red", "blue", "green", "yellow")

_FORMS: dict[str, tuple[str, ...]] = {
    "exchange": ("give red-3 blue-7           two cards for the other bookmaker",),
    "odds": (
        "odds 3 3 2 2                red, blue, green, yellow; at least 10 in sum",
        "odds 3 3 2 2 limit 50       and accept offers up to 50 by themselves",
    ),
    "bets": (
        "bet 1 red 50                50 on red with the bookmaker on seat 1",
        "accept 7 30                 30 of offer number 7",
        "odds 4 3 2 2                change the odds of your book",
        "done",
    ),
    "race": ("play · keep                 a joker", "turn", "show red 3 blue 4           odds"),
    "brocco": ("name red",),
}


def forms(board: Json) -> Sequence[str]:
    """What may be typed in this phase."""
    return (*_FORMS.get(board["phase"] or "", ()), "borrow 100")


def shorthand(words: Sequence[str], board: Json) -> Json | None:
    """The body of a command in short form, or None."""
    try:
        body = _body(list(words), board)
    except (ValueError, IndexError):
        return None
    return None if body is None else {"type": f"bookmaker.{body.pop('type')}", **body}


def _body(words: list[str], board: Json) -> Json | None:
    match words:
        case ["give", *given]:
            return {"type": "exchange_cards", "cards": given}
        case ["odds", *rest]:
            return _odds(rest, board["phase"] == "odds")
        case ["bet", bookmaker, horse, stake]:
            bet = {"bookmaker": int(bookmaker), "horse": horse, "stake": int(stake)}
            return {"type": "place_bet", **bet}
        case ["accept", bet, stake]:
            return {"type": "answer_bet", "bet": int(bet), "stake": int(stake)}
        case ["show", *rest] if len(rest) % 2 == 0:
            pairs = zip(rest[::2], rest[1::2], strict=True)
            return {"type": "show_odds", "odds": {horse: number(odds) for horse, odds in pairs}}
        case ["borrow", amount]:
            return {"type": "borrow", "amount": int(amount)}
        case ["name", horse]:
            return {"type": "name_brocco", "horse": horse}
        case ["done"]:
            return {"type": "done"}
        case ["play" | "keep" as verb]:
            return {"type": f"{verb}_joker"}
        case ["turn"]:
            return {"type": "turn_card"}
    return None


def _odds(words: list[str], first: bool) -> Json | None:
    body: Json = {"type": "set_odds" if first else "change_odds"}
    body["odds"] = dict(zip(HORSES, map(number, words[:4]), strict=True))
    match words[4:]:
        case ["limit", limit]:
            body["limit"] = int(limit)
        case [_, *_]:
            return None
    return body


def number(word: str) -> int | float:
    """A number as it is typed."""
    value: Any = float(word)
    return int(value) if value.is_integer() else float(value)
