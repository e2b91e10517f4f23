"""What means the same in every game is told in the same words, whichever games there are."""

from typing import Any

import pytest

from domain.registry import GAMES
from service.terminal.rendering import renderer

SAID: list[tuple[dict[str, Any], str | None]] = [
    ({"type": "seat_taken", "seat": 2}, "seat 2 (Ann) sits down."),
    ({"type": "meeting_started"}, "The meeting begins."),
    ({"type": "race_opened", "race": 2, "races": 3}, "── Race 2 of 3 ──"),
    ({"type": "race_opened", "race": 2, "races": None}, "── Race 2 ──"),
    ({"type": "race_closed", "race": 2}, None),
    ({"type": "meeting_finished"}, "The meeting is over."),
    ({"type": "meeting_abandoned", "reason": "host"}, "The meeting is abandoned: host"),
]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_shared_events_are_told_alike_in_every_game(game: str) -> None:
    drawn = renderer(game)
    for event, said in SAID:
        line = drawn.told(event, {2: "seat 2 (Ann)"})
        assert (None if line is None else line.plain) == said
