"""Follows a meeting on a server as the public sees it: its events, and the board after them."""

import time
from collections.abc import Callable, Iterator

import httpx
from rich.console import Console, Group
from rich.live import Live
from rich.rule import Rule

from service.commands import CommandError
from service.commands.calling import expect
from service.terminal.plain import Json, names_of, seat_name
from service.terminal.rendering import Renderer, renderer

POLL_SECONDS = 0.25
QUIET_SECONDS = 60.0
"""So long without an event, and bots or workers are not at work."""

PAGE = 200
BOARD_SECONDS = 0.5
"""An event that takes at least so long to take in is worth another look at the board."""

ENDS = frozenset(("meeting_finished", "meeting_abandoned"))


class Follower:
    """Shows a meeting until it is over.

    Args:
        client: of the server.
        meeting: the id.
        game: the game's id.
        console: where it is shown; on a terminal the board stays below the events.
        pause: (seconds) -> None, so that a person can follow; None: as fast as it goes.
    """

    def __init__(
        self,
        client: httpx.Client,
        meeting: str,
        game: str,
        console: Console,
        pause: Callable[[float], None] | None,
    ) -> None:
        self._client = client
        self._path = f"/v1/meetings/{meeting}"
        self._drawn: Renderer = renderer(game)
        self._console = console
        self._pause = pause
        self._live: Live | None = None

    def follow(self) -> Json:
        """Show everything that happens; the last board.

        Raises:
            CommandError: the server refuses, or nothing happens for long.
        """
        names = names_of(self.board())
        if self._console.is_terminal:
            with Live(console=self._console, auto_refresh=False, transient=True) as live:
                self._live = live
                self._watch(names)
            self._live = None
        else:
            self._watch(names)
        return self.board()

    def board(self, at: int | None = None) -> Json:
        """The public board, now or after event `at`."""
        answer = self._client.get(f"{self._path}/board", params={} if at is None else {"at": at})
        expect(answer)
        board: Json = answer.json()
        return board

    def _watch(self, names: dict[int, str]) -> None:
        for event in self._events():
            if event["type"] == "seat_taken":
                names[event["seat"]] = seat_name(event)
            line = self._drawn.told(event, names)
            if line is not None:
                self._console.print(line, soft_wrap=True)
            self._look(event)
            if line is not None and self._pause is not None:
                self._pause(self._drawn.seconds(event))

    def _look(self, event: Json) -> None:
        """Show the board after an event, where it is worth it."""
        if self._live is None:
            if self._drawn.redraws(event):
                self._console.print(self._drawn.board(self.board(event["version"])))
            return
        slow = self._pause is not None and self._drawn.seconds(event) >= BOARD_SECONDS
        if slow or self._drawn.redraws(event):
            board = self._drawn.board(self.board(event["version"]))
            self._live.update(Group(Rule(style="dim"), board), refresh=True)

    def _events(self) -> Iterator[Json]:
        """Every public event, as it comes, to the last."""
        after = 0
        heard = time.monotonic()
        while True:
            answer = self._client.get(
                f"{self._path}/events", params={"after": after, "limit": PAGE}
            )
            expect(answer)
            items: list[Json] = answer.json()["items"]
            for event in items:
                yield event
                if event["type"] in ENDS:
                    return
            if items:
                after = items[-1]["version"]
                heard = time.monotonic()
            elif time.monotonic() - heard > QUIET_SECONDS:
                raise CommandError(
                    f"nothing has happened for {QUIET_SECONDS:g} s: are workers running?"
                )
            else:
                time.sleep(POLL_SECONDS)
