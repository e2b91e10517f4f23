"""What a person may type in Tuyaux instead of JSON."""

from collections.abc import Sequence

from service.terminal.games.tuyaux.words import STYLES
from service.terminal.plain import Json

_FORMS: dict[str, tuple[str, ...]] = {
    "bet": (
        "win noiro · win noiro perle     one horse, or two where two are asked",
        "win noiro place perle",
        "tierce noiro perle grisou       1st, 2nd and 3rd",
    ),
    "tips": ("noiro-2                         the tip to play",),
}


def forms(board: Json) -> Sequence[str]:
    """What may be typed in this phase."""
    return _FORMS.get(board["phase"] or "", ())


def shorthand(words: Sequence[str], board: Json) -> Json | None:
    """The body of a command in short form, or None."""
    match list(words):
        case ["win", horse, "place", place]:
            return {"type": "tuyaux.bet", "win": [horse], "place": place}
        case ["win", first, *more]:
            return {"type": "tuyaux.bet", "win": [first, *more]}
        case ["tierce", *three] if three:
            return {"type": "tuyaux.bet", "tierce": three}
        case [card] if card.partition("-")[0] in STYLES:
            return {"type": "tuyaux.play_tip", "card": card}
    return None
