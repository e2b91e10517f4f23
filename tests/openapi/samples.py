"""A golden sample of each event type under each `rules` number, for this project and for others.

`python -m tests.openapi.samples` takes those that are missing from the recorded playthroughs: of
each type the line that says most, the shorter of two that say as much. One that is there stays as
it is for ever: it is what old logs hold. `--anew` takes those of the present numbers again, for as
long as no release has been made under them.
"""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from domain.registry import GAMES

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "openapi" / "examples" / "events"
PLAYTHROUGHS = ROOT / "tests" / "playthroughs"

Samples = dict[str, bytes]
"""Lines without their ends, by event type."""


def file_of(game: str, rules: str) -> Path:
    """Where the samples of a game under these rules are, a line each."""
    return FOLDER / f"{game}-{rules}.ndjson"


def read(path: Path) -> Samples:
    """The samples of a file."""
    lines = path.read_bytes().splitlines() if path.exists() else []
    return {msgspec.json.decode(line)["type"]: line for line in lines}


def best(lines: Iterable[bytes]) -> Samples:
    """Of each type the line that says most, then the shortest, then the first of all."""
    found: dict[str, tuple[tuple[int, int], bytes]] = {}
    for line in lines:
        event = msgspec.json.decode(line)
        rank = (-len(set(paths(event))), len(line))
        kept = found.get(event["type"])
        if kept is None or rank < kept[0]:
            found[event["type"]] = (rank, line)
    return {name: line for name, (_, line) in sorted(found.items())}


def paths(value: Any, at: str = "") -> Iterator[str]:
    """Every path of an event at which there is something; positions in lists are one path."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from paths(part, f"{at}/{name}")
    elif isinstance(value, list):
        for part in value:
            yield from paths(part, f"{at}/-")
    elif value is not None:
        yield at


def lines_of(game: str, rules: str) -> Iterator[bytes]:
    """All lines of a game's recorded meetings that are under these rules."""
    for path in sorted((PLAYTHROUGHS / game.replace("-", "_")).glob("*.ndjson")):
        lines = path.read_bytes().splitlines()
        if msgspec.json.decode(lines[0])["rules"] == rules:
            yield from lines


def main(words: list[str]) -> None:
    """Write the samples that are missing, or all of the present rules anew."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for game in GAMES.values():
        path = file_of(game.id, game.rules)
        kept = {} if "--anew" in words else read(path)
        samples = dict(sorted({**best(lines_of(game.id, game.rules)), **kept}.items()))
        path.write_bytes(b"".join(line + b"\n" for line in samples.values()))
        print(f"{path.name}: {len(samples)} samples, {len(samples) - len(kept)} new")


if __name__ == "__main__":
    main(sys.argv[1:])
