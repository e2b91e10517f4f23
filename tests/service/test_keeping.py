"""A meeting kept: however a process came by it, it shows the same bytes."""

from random import Random

import pytest

from domain.kernel.lines import GENESIS
from domain.racing.meeting import FULL
from domain.registry import GAMES
from service.http.call import as_json
from service.keeping import Kept, as_lines, load, restore
from service.memory.event_log import MemoryEventLog
from service.ports import Head, Line
from service.showing import replay
from tests.kit.meetings import NAMES, Played, at_random, seated


def shown(kept: Kept) -> list[bytes]:
    """What each viewer's board is as an answer."""
    viewers = range(len(kept.full.seats) + 1)
    return [as_json(kept.game.view(kept.view(viewer))).body for viewer in viewers]


async def stored(lines: list[Line]) -> MemoryEventLog:
    """A log of these lines."""
    log, head = MemoryEventLog(), Head(0, GENESIS)
    for line in lines:
        await log.append("m", head, str(line.version), "", [line])
        head = Head(line.version, line.digest)
    return log


@pytest.mark.parametrize("game", GAMES)
async def test_a_meeting_from_a_snapshot_shows_the_same_bytes_as_one_from_its_log(
    game: str,
) -> None:
    seats = min(4, GAMES[game].seats[1])
    played = seated(Played(game, seats=seats), NAMES).play(at_random(Random(game)))
    lines = as_lines(played.events, Head(0, GENESIS))
    for at in range(len(lines) // 8, len(lines) + 1, len(lines) // 8):
        log = await stored(lines[:at])
        folded = await load(log, "m")
        assert folded is not None
        restored = restore(folded.snapshot())
        assert restored is not None
        half = await load(await stored(lines[: at // 2]), "m")
        assert half is not None
        later = restore(half.snapshot())
        assert later is not None
        later.extend(lines[at // 2 : at])
        assert shown(restored) == shown(folded)
        assert shown(later) == shown(folded)
        anew = replay(lines[:at], folded, FULL)
        full = as_json(folded.game.view(folded.full)).body
        assert as_json(folded.game.view(anew)).body == full
        assert as_json(folded.game.view(restored.full)).body == full
