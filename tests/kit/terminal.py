"""Games as people see them in a terminal: boards drawn, whole meetings told."""

from collections.abc import Collection
from io import StringIO
from typing import Any

import msgspec
from rich.console import Console, RenderableType

from domain.kernel.lines import redact, wire
from domain.racing.meeting import PUBLIC_VIEW
from service.simulation import LocalMeeting
from service.terminal.plain import names_of
from service.terminal.rendering import Renderer
from tests.kit.meetings import Played


def shown(drawn: RenderableType, width: int = 100) -> str:
    """What a terminal of this width would have."""
    out = StringIO()
    Console(file=out, width=width, highlight=False).print(drawn)
    return out.getvalue()


def board_of(played: Played | LocalMeeting, viewer: int = PUBLIC_VIEW) -> dict[str, Any]:
    """A viewer's board as any client gets it."""
    board: dict[str, Any] = msgspec.to_builtins(played.game.view(played.view(viewer)))
    return board


def told_to_all(drawn: Renderer, played: Played, silent: Collection[str]) -> set[str]:
    """Tell a meeting that is over to every viewer, and draw its end; the types of events told.

    Args:
        drawn: how its game is drawn.
        played: the meeting.
        silent: types of events that are not worth a line.
    """
    told = set()
    for viewer in range(len(played.full.seats) + 1):
        board = board_of(played, viewer)
        for event in played.events:
            known = redact(event, viewer)
            assert known is not None
            form = wire(known, viewer, 1)
            line = drawn.told(form, names_of(board))
            assert drawn.seconds(form) >= 0
            assert isinstance(drawn.redraws(form), bool)
            if line is None:
                assert form["type"] in silent
            else:
                assert "\n" not in line.plain
                told.add(form["type"])
        assert "Ranking" in shown(drawn.board(board))
    assert all(right for _, right in drawn.checks(board_of(played)))
    return told
