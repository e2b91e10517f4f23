"""What is paid is paid once, though five processes pay it at the same time and are killed at it."""

import asyncio
from collections import Counter
from random import Random

import pytest
from redis import Redis

from domain.games.bookmaker import commands as c
from domain.kernel.message import type_of
from domain.kernel.rejection import Rejected
from domain.racing.draft import chance_of
from domain.racing.meeting import RUNNING
from domain.registry import GAMES
from service.handling import Meetings
from service.jobs.owed import SETTLE, TURNS
from service.jobs.turns import play
from tests.kit.jobs import open_meetings, seat_bots
from tests.kit.log_lines import audit
from tests.kit.visiting import Crew, visitors

GO_ON = asyncio.Event()
PROGRAMMES = {2: ["joker", "plain"], 3: ["trot", "joker_trot", "plain"]}
"""Of Bookmaker, by seats."""

PAYMENTS = {"bookmaker": "bookmaker.race_settled", "tuyaux": "tuyaux.race_settled"}
"""The games in which money moves, and the event that moves it."""


async def seated(meetings: Meetings, number: int, random: Random) -> str:
    """A table of bots, at one of the games with money."""
    bots = random.choices(["steady", "random"], k=random.randint(2, 3))
    if number % 3 == 2:
        return await seat_bots(meetings, *bots, "steady", game=GAMES["tuyaux"])
    return await seat_bots(meetings, *bots, programme=PROGRAMMES[len(bots)])


async def awaits(meetings: Meetings, meeting: str) -> bool:
    """Whether the server owes a settlement there."""
    kept = await meetings.fresh(meeting)
    return kept.full.status == RUNNING and kept.game.awaits(kept.full) is not None


async def lead_on(meetings: Meetings, meeting: str) -> None:
    """Play Bookmaker up to a settlement, and there borrow, which may be done until it comes."""
    while await play(meetings, meeting, GO_ON):
        pass
    full = (await meetings.fresh(meeting)).full
    for seat in range(1, len(full.seats) + 1):
        if await awaits(meetings, meeting):
            try:
                await meetings.command(meeting, seat, c.Borrow(amount=20 * seat))
            except Rejected:
                break  # the last race is paid: the loans are repaid next


async def pay(meetings: Meetings, crew: Crew, running: list[str], random: Random | None) -> None:
    """Let all visitors pay what is owed, and play where a move pays; with a `random` some die."""
    games = {meeting: (await meetings.fresh(meeting)).game.id for meeting in running}
    owed = [meeting for meeting in running if games[meeting] == "bookmaker"]
    for meeting in owed:
        await lead_on(meetings, meeting)
    await crew.visit(SETTLE, owed, random)
    if any([await awaits(meetings, meeting) for meeting in owed]):  # all of them died
        await crew.visit(SETTLE, owed, None)
    assert not any([await awaits(meetings, meeting) for meeting in owed])
    await crew.visit(TURNS, [m for m in running if m not in owed], random)


async def assert_paid_once(meetings: Meetings, played: list[str]) -> Counter[str]:
    """Each payment is in the log once, and every dollar is where it belongs; the events by type."""
    logs = await audit(meetings.log, played)
    total: Counter[str] = Counter()
    for meeting in played:
        kept = await meetings.fresh(meeting)
        events = [kept.read(line) for line in logs[meeting]]
        types = Counter(map(type_of, events))
        assert types[PAYMENTS[kept.game.id]] == types["race_closed"] == kept.full.race > 0
        assert types["meeting_finished"] == 1
        assert types["bookmaker.loans_repaid"] <= 1
        assert kept.game.audit(events, chance_of(kept.full)) == []
        total += types
    return total


@pytest.mark.parametrize(
    ("tables", "kills"), [(3, 5), pytest.param(8, 100, marks=pytest.mark.long)]
)
async def test_what_five_processes_settle_at_once_is_settled_once_though_they_are_killed(
    redis_url: str, tables: int, kills: int
) -> None:
    random = Random(kills)
    played: list[str] = []
    async with open_meetings(redis_url) as meetings, visitors(redis_url, 5) as crew:
        running: list[str] = []
        while running or crew.killed < kills:
            while crew.killed < kills and len(running) < tables:
                played.append(await seated(meetings, len(played), random))
                running.append(played[-1])
            await pay(meetings, crew, running, random if crew.killed < kills else None)
            full = [(await meetings.fresh(meeting)).full for meeting in running]
            running = [meeting.id for meeting in full if meeting.status == RUNNING]
        found = await assert_paid_once(meetings, played)
        commands = sum(await meetings.log.feed_heads())
    assert found["bookmaker.loans_repaid"], "else no loan was tested"
    with Redis.from_url(redis_url) as client:
        asked = client.info("commandstats")["cmdstat_evalsha"]["calls"]
    assert asked > commands, "several came with the same"
    paid = ", ".join(f"{found[name]} {name}" for name in PAYMENTS.values())
    print(
        f"{crew.killed} kills of those who settle, five at a time; {len(played)} meetings, {paid}, "
        f"{found['bookmaker.loans_repaid']} loans_repaid; {asked} appends tried, {commands} stored"
    )
