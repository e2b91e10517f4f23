"""The rules as people read them: the text of each rule id, from the RULES.md of a game's folder."""

import re
from functools import cache
from importlib.resources import files

from domain.registry import GAMES

_RULE = re.compile(r"- \*\*([A-Z]{2}-[A-Z0-9]+)\*\* (.*)")
_GOES_ON = "  "


@cache
def _read(game_id: str) -> tuple[tuple[str, str], ...]:
    folder = GAMES[game_id].id.replace("-", "_")
    sheet = files("domain.games").joinpath(folder, "RULES.md").read_text(encoding="utf-8")
    found: list[tuple[str, list[str]]] = []
    in_rule = False
    for line in sheet.splitlines():
        rule = _RULE.fullmatch(line)
        if rule is not None:
            found.append((rule[1], [rule[2]]))
        elif in_rule and line.startswith(_GOES_ON):
            found[-1][1].append(line.strip())
        in_rule = rule is not None or (in_rule and line.startswith(_GOES_ON))
    return tuple((rule_id, "\n".join(lines)) for rule_id, lines in found)


def texts(game_id: str) -> dict[str, str]:
    """The text (Markdown; lines as the sheet has them) of every rule of a game, in its order.

    Raises:
        KeyError: there is no such game.
    """
    return dict(_read(game_id))
