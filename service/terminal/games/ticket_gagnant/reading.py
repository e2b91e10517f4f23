"""What a person may type in Ticket Gagnant instead of JSON."""

from collections.abc import Sequence

from service.terminal.games.ticket_gagnant.words import PLACES, STYLES
from service.terminal.plain import Json

KINDS = ("flat", "obstacle", "steeplechase", "harness")

_FORMS: dict[str, tuple[str, ...]] = {
    "choose": (
        "flat 5 · obstacle 4 · harness 7   and how many cards",
        "steeplechase 5 1 front            the river in front of hedge 1",
        "flat 5 hidden                     predictions stay hidden",
    ),
    "predict": ("predict red - black               first, no second, third",),
    "move": (
        "red-3 forward                     or backward, left (to the rail), right",
        "red-3 forward to 4 8              who stood there is put on lane 4, space 8",
        "wild red left 2 · wild-2 red left",
        "blue+red red front                red in front of blue; or behind, left, right",
        "discard red-3",
    ),
}


def forms(board: Json) -> Sequence[str]:
    """What may be typed in this phase."""
    return _FORMS.get(board["phase"] or "", ())


def shorthand(words: Sequence[str], board: Json) -> Json | None:
    """The body of a command in short form, or None."""
    try:
        body = _body(list(words))
    except ValueError:
        return None
    return None if body is None else {"type": f"ticket-gagnant.{body.pop('type')}", **body}


def _body(words: list[str]) -> Json | None:
    match words:
        case [kind, deal, *rest] if kind in KINDS:
            return _choice(kind, int(deal), rest)
        case ["predict", *horses] if 1 <= len(horses) <= len(PLACES):
            named = zip(PLACES, horses, strict=False)
            return {"type": "predict", **{place: horse for place, horse in named if horse != "-"}}
        case ["discard", card]:
            return {"type": "discard_card", "card": card}
        case [*play, "to", lane, space]:
            body = _play(play)
            to = {"lane": int(lane), "space": int(space)}
            return None if body is None else {**body, "displaced_to": to}
    return _play(words)


def _choice(kind: str, deal: int, rest: list[str]) -> Json | None:
    body: Json = {"type": "choose_race", "kind": kind, "deal": deal}
    if rest and rest[-1] == "hidden":
        body["hidden"] = True
        rest = rest[:-1]
    match rest:
        case []:
            return body
        case [hedge, side]:
            return {**body, "river": {"hedge": int(hedge), "side": side}}
    return None


def _play(words: list[str]) -> Json | None:
    body: Json = {"type": "play_card", "card": words[0] if words else ""}
    match words:
        case ["wild", horse, direction, spaces]:
            return {**body, "horse": horse, "direction": direction, "spaces": int(spaces)}
        case [card, horse, beside] if "+" in card:
            return {**body, "horse": horse, "beside": beside}
        case [card, horse, direction] if card.startswith("wild-"):
            return {**body, "horse": horse, "direction": direction}
        case [card, direction] if card.partition("-")[0] in STYLES:
            return {**body, "direction": direction}
    return None
