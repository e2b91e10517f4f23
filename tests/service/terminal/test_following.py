"""Following a meeting on a server, in a terminal and where there is none."""

from collections.abc import Iterator
from io import StringIO
from random import Random
from typing import Any

import httpx
import msgspec
import pytest
from rich.console import Console

from domain.kernel.lines import redact, wire
from domain.kernel.message import type_of
from domain.racing.folding import apply
from domain.racing.meeting import PUBLIC_VIEW, Meeting
from domain.registry import GAMES
from service.commands import CommandError
from service.simulation import LocalMeeting
from service.terminal import following
from service.terminal.following import Follower

GAME = GAMES["bookmaker"]


@pytest.fixture(scope="module")
def played() -> LocalMeeting:
    """A whole meeting of two bots."""
    local = LocalMeeting(GAME, options=GAME.read_options({}, 2), seats=2, seed=bytes(32))
    for seat, bot in ((1, "steady"), (2, "random")):
        local.sit(seat, bot, bot)
    local.start()
    bots = {seat: GAME.bots[bot] for seat, bot in ((1, "steady"), (2, "random"))}
    while local.step(bots, {seat: Random(seat) for seat in bots}):
        pass
    return local


class Server:
    """Answers as a server does that has this meeting, a few events more with each question."""

    def __init__(self, local: LocalMeeting, grows_by: int = 40) -> None:
        self.asked: list[str] = []
        self._grows_by = grows_by
        self._come = 0
        self._events = [
            wire(known, PUBLIC_VIEW, version) for version, known in enumerate(self._known(local), 1)
        ]
        self._facts = list(self._known(local))

    @staticmethod
    def _known(local: LocalMeeting) -> Iterator[Any]:
        return (e for e in (redact(e, PUBLIC_VIEW) for e in local.events) if e is not None)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request.url.path)
        if request.url.path.endswith("/events"):
            self._come = min(self._come + self._grows_by, len(self._events))
            after = int(request.url.params["after"])
            return httpx.Response(
                200, json={"items": self._events[after : self._come], "version": self._come}
            )
        at = int(request.url.params.get("at", max(self._come, 1)))
        meeting = Meeting(viewer=PUBLIC_VIEW)
        for fact in self._facts[:at]:
            apply(meeting, fact, GAME)
        return httpx.Response(200, content=msgspec.json.encode(GAME.view(meeting)))


def follow(server: Server, *, terminal: bool, pauses: list[float] | None) -> tuple[Any, str]:
    """The last board, and what was shown."""
    out = StringIO()
    console = Console(file=out, width=100, force_terminal=terminal, highlight=False)
    with httpx.Client(
        transport=httpx.MockTransport(server), base_url="http://server", trust_env=False
    ) as client:
        pause = None if pauses is None else pauses.append
        board = Follower(client, "m1", "bookmaker", console, pause).follow()
    return board, out.getvalue()


def test_without_a_terminal_there_are_plain_lines(played: LocalMeeting) -> None:
    board, text = follow(Server(played), terminal=False, pauses=None)
    assert board["status"] == "finished"
    assert "\x1b" not in text
    lines = text.splitlines()
    assert lines[0] == "seat 1 (steady) sits down."
    assert "The meeting is over." in lines
    assert sum(line.startswith("They're off!") for line in lines) == 2
    assert sum(line.startswith("red ") for line in lines) >= 4  # the track of each race


def test_on_a_terminal_the_board_stays_below_the_events(played: LocalMeeting) -> None:
    pauses: list[float] = []
    server = Server(played)
    board, text = follow(server, terminal=True, pauses=pauses)
    assert board["status"] == "finished"
    assert "\x1b[" in text
    assert "They're off!" in text
    assert sum(pauses) > 10
    cards = sum(type_of(event) == "bookmaker.card_turned" for event in played.events)
    assert server.asked.count("/v1/meetings/m1/board") > cards


def test_without_pauses_the_board_is_asked_for_seldom(played: LocalMeeting) -> None:
    slow, fast = Server(played), Server(played)
    follow(slow, terminal=True, pauses=[])
    follow(fast, terminal=True, pauses=None)
    assert len(fast.asked) < len(slow.asked)


def test_a_meeting_in_which_nothing_happens_is_left(
    played: LocalMeeting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "QUIET_SECONDS", 0.0)
    monkeypatch.setattr(following, "POLL_SECONDS", 0.0)
    with pytest.raises(CommandError, match="are workers running"):
        follow(Server(played, grows_by=0), terminal=False, pauses=None)


def test_a_refusal_of_the_server_is_told() -> None:
    def refuse(request: httpx.Request) -> httpx.Response:
        return httpx.Response(
            404,
            json={"code": "not_found", "title": "There is no such meeting."},
            headers={"content-type": "application/problem+json"},
        )

    with (
        httpx.Client(
            transport=httpx.MockTransport(refuse), base_url="http://server", trust_env=False
        ) as client,
        pytest.raises(CommandError, match="no such meeting"),
    ):
        Follower(client, "m1", "bookmaker", Console(file=StringIO()), None).follow()
