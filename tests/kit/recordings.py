"""The recorded meetings of a game: their files, read and written.

What is played stands beside the tests of each game, in its `playthroughs.py`: MEETINGS by name, and
BY_BOTS, those in which careful bots choose, which change when a bot is taught better.
"""

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from domain.kernel.lines import split
from domain.kernel.message import Event
from domain.racing.meeting import PUBLIC_VIEW, Meeting
from domain.registry import GAMES, event_decoder
from tests.kit.meetings import Played

FOLDERS = Path(__file__).parents[1] / "playthroughs"
Meetings = Mapping[str, Callable[[], Played]]


class Recordings:
    """Those of one game.

    Args:
        game: its id.
    """

    def __init__(self, game: str) -> None:
        word = game.replace("-", "_")
        self.game = GAMES[game]
        self.folder = FOLDERS / word
        self._module = f"tests.domain.games.{word}.playthroughs"

    @property
    def played(self) -> Any:
        """The module that plays them."""
        return import_module(self._module)

    @property
    def names(self) -> list[str]:
        """Of all that are recorded."""
        return sorted(path.stem for path in self.folder.glob("*.ndjson"))

    def lines(self, name: str) -> list[bytes]:
        """A log as it was recorded, with line ends; the caller's own list."""
        return list(_lines(self.folder / f"{name}.ndjson"))

    def board(self, name: str) -> bytes:
        """The file of its public board at the end."""
        return (self.folder / f"{name}.json").read_bytes()

    def events(self, name: str) -> list[Event]:
        """The events of a log; the caller's own list."""
        return list(_events(self.game.id, self.folder / f"{name}.ndjson"))

    def all_events(self) -> list[Event]:
        """Of all recorded meetings."""
        return [event for name in self.names for event in self.events(name)]

    def write(self, meetings: Meetings) -> None:
        """Write all of them, and remove what is none of them."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for name, play in meetings.items():
            played = play()
            played.write(self.folder / f"{name}.ndjson")
            (self.folder / f"{name}.json").write_bytes(board_file(played.view(PUBLIC_VIEW)))
            print(f"{name}: {len(played.events)} events, {played.full.status}")
        for path in self.folder.iterdir():
            if path.stem not in meetings:
                path.unlink()


def board_file(view: Meeting) -> bytes:
    """A board as a file that people can compare."""
    board = msgspec.json.encode(GAMES[view.game].view(view), order="sorted")
    return msgspec.json.format(board) + b"\n"


@cache
def _lines(path: Path) -> tuple[bytes, ...]:
    return tuple(path.read_bytes().splitlines(keepends=True))


@cache
def _events(game: str, path: Path) -> tuple[Event, ...]:
    decode = event_decoder(game).decode
    return tuple(decode(split(line[:-1])[0]) for line in _lines(path))
