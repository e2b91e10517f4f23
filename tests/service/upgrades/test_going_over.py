"""A meeting that runs while its server is brought to a newer release goes on under its rules."""

import os
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from domain.kernel.game import Game
from domain.kernel.lines import join
from domain.kernel.message import type_of
from domain.kernel.rejection import Rejected
from domain.racing import lifecycle
from domain.racing.draft import Draft
from domain.racing.events import RulesChanged
from domain.racing.forms import UnknownEvent
from domain.racing.meeting import RUNNING
from domain.verification import Report, verify
from service.handling import Meetings
from service.idempotency import Key
from service.keeping import Kept, load, restore
from service.memory.event_log import MemoryEventLog
from service.ports import EventLog
from service.snapshots import snapshot_form
from tests.kit.forging import rechained
from tests.kit.jobs import now, seat_bots
from tests.kit.releases import CARD_PLAYED, OLDER, newer, released, upcast

PEOPLE = (None, None, None)
KEY = Key.of_caller("p", "/commands", "the last under old rules", b"body")


@pytest.fixture(params=[True, False], ids=["with the old code", "without it"])
def game(request: pytest.FixtureRequest) -> Game:
    """The game as the newer release has it."""
    return newer(with_old_code=request.param)


@pytest.fixture
def log() -> EventLog:
    """A log of both releases."""
    return MemoryEventLog(2)


def open_meetings(log: EventLog) -> Meetings:
    """A process that has just started."""
    return Meetings(log, now, os.urandom)


async def give(meetings: Meetings, meeting: str, key: Key | None = None, seed: int = 0) -> Any:
    """One decision of the first seat that owes one."""
    kept = await meetings.fresh(meeting)
    seat = kept.game.waiting(kept.full)[0]
    command = kept.game.bots["random"].decide(kept.view(seat), seat, Random(seed))
    return await meetings.command(meeting, seat, command, key=key)


async def play(meetings: Meetings, meeting: str, most: int = 10_000) -> None:
    """So many decisions, or all up to the end."""
    for turn in range(most):
        if (await meetings.fresh(meeting)).full.status != RUNNING:
            return
        await give(meetings, meeting, seed=turn)


async def half_played(log: EventLog) -> str:
    """A meeting of the older release in which cards lie on the board."""
    meetings = open_meetings(log)
    meeting = await seat_bots(meetings, *PEOPLE, game=OLDER)
    await play(meetings, meeting, most=14)
    await give(meetings, meeting, key=KEY)
    return meeting


async def seen(log: EventLog, meeting: str) -> dict[tuple[int, str], Any]:
    """Every viewer's board, now and earlier, and its events, as a fresh process shows them."""
    meetings = open_meetings(log)
    kept = await meetings.fresh(meeting)
    found: dict[tuple[int, str], Any] = {}
    for viewer in range(len(kept.full.seats) + 1):
        items, version = await meetings.events(meeting, viewer, 0, 10_000)
        found[viewer, "events"] = items
        for at in (1, version // 2, version):
            view = await meetings.view(meeting, viewer, at)
            found[viewer, f"board {at}"] = msgspec.json.encode(kept.game.view(view))
    return found


async def test_viewers_see_the_same_before_and_after_the_restart(log: EventLog, game: Game) -> None:
    """Old events have the newer form, as the newer document promises, and are else as they were."""
    meeting = await half_played(log)
    lines = await log.read(meeting)
    before = await seen(log, meeting)
    played = sum(item["type"] == CARD_PLAYED for item in before[0, "events"])
    assert played
    with released(game):
        after = await seen(log, meeting)
    for (viewer, what), told in before.items():
        wanted = told
        if what == "events":
            wanted = [upcast(item) if item["type"] == CARD_PLAYED else item for item in told]
        assert after[viewer, what] == wanted, what
    assert await log.read(meeting) == lines, "a restart alone writes nothing"


async def test_the_next_command_goes_over_to_the_newer_rules_in_the_same_step(
    log: EventLog, game: Game
) -> None:
    meeting = await half_played(log)
    head = await log.head(meeting)
    assert head is not None
    with released(game):
        meetings = open_meetings(log)
        outcome = await give(meetings, meeting)
        assert outcome.first == head.version + 1
        assert [type(event) for event in outcome.events[:1]] == [RulesChanged]
        assert outcome.events[0].rules == "2"
        assert len(outcome.events) > 1
        assert outcome.events[1].command or outcome.events[1].private
        again = await give(meetings, meeting)
        assert RulesChanged not in map(type, again.events), "once is enough"
        feed = await log.feed(log.partition(meeting), 0)
        assert feed[-2].first == head.version + 1
        assert feed[-2].count == len(outcome.events), "rules_changed and command are one entry"
        answer = await meetings.answer(outcome, 0)
        assert answer.events[0]["type"] == "rules_changed"
        assert (await open_meetings(log).fresh(meeting)).full.rules == "2"


async def test_a_refused_command_writes_nothing_and_changes_nothing(
    log: EventLog, game: Game
) -> None:
    meeting = await half_played(log)
    lines = await log.read(meeting)
    with released(game):
        meetings = open_meetings(log)
        before = await seen(log, meeting)

        def refuse(_draft: Draft, _kept: Kept) -> None:
            raise Rejected(lifecycle.SEATS_OPEN)

        def nothing(_draft: Draft, _kept: Kept) -> None:
            return

        for _ in range(2):
            with pytest.raises(Rejected):
                await meetings.act(meeting, refuse)
            assert (await meetings.act(meeting, nothing)).events == []
        assert await log.read(meeting) == lines
        assert await seen(log, meeting) == before
        assert (await meetings.fresh(meeting)).full.rules == "1"
        await play(meetings, meeting)


async def test_a_retry_over_the_restart_finds_what_was_done_before_it(
    log: EventLog, game: Game
) -> None:
    meeting = await half_played(log)
    lines = await log.read(meeting)
    kept = await load(log, meeting)
    assert kept is not None
    with released(game):
        meetings = open_meetings(log)

        def work(_draft: Draft, _kept: Kept) -> None:
            raise Rejected(lifecycle.SEATS_OPEN)

        outcome = await meetings.act(meeting, work, KEY)
    assert outcome.duplicate
    assert [event.seq for event in outcome.events] == [
        line.version for line in lines[outcome.first - 1 :]
    ]


async def test_a_meeting_that_is_over_stays_under_its_rules(log: EventLog, game: Game) -> None:
    meetings = open_meetings(log)
    meeting = await seat_bots(meetings, *PEOPLE, game=OLDER)
    await play(meetings, meeting)
    lines = await log.read(meeting)
    with released(game):

        def end(draft: Draft, _kept: Kept) -> None:
            lifecycle.abandon(draft, "host")

        with pytest.raises(Rejected):
            await open_meetings(log).act(meeting, end)
        assert await log.read(meeting) == lines


async def test_a_snapshot_of_the_older_release_is_dropped_and_made_anew(
    log: EventLog, game: Game
) -> None:
    meeting = await half_played(log)
    old = await load(log, meeting)
    assert old is not None
    await log.save_snapshot(meeting, old.snapshot())
    with released(game):
        snapshot = await log.load_snapshot(meeting)
        assert snapshot is not None
        assert restore(snapshot) is None
        meetings = open_meetings(log)
        await play(meetings, meeting, most=20)
        kept = await meetings.fresh(meeting)
        await log.save_snapshot(meeting, kept.snapshot())
        fresh = await log.load_snapshot(meeting)
        assert fresh is not None
        assert fresh.form == snapshot_form(game)
        restored = restore(fresh)
        assert restored is not None
        assert restored.reading.stretches == kept.reading.stretches
        assert [rules for _, rules in restored.reading.stretches] == ["1", "2"]
        await play(open_meetings(log), meeting)
        assert report_of(await exported(log, meeting)).ok
    kept_by_old = restore(fresh)
    assert kept_by_old is None, "the older release does not take it either"


async def exported(log: EventLog, meeting: str) -> list[bytes]:
    """The log as a file has it."""
    return [join(line.body, line.digest) + b"\n" for line in await log.read(meeting)]


def report_of(lines: list[bytes]) -> Report:
    """What verify says."""
    return verify(lines)


async def over_two_releases(log: EventLog, game: Game) -> list[bytes]:
    """The log of a meeting that began under the old rules and ended under the new."""
    meeting = await half_played(log)
    with released(game):
        await play(open_meetings(log), meeting)
    return await exported(log, meeting)


async def test_verify_holds_each_stretch_against_the_rules_that_it_was_played_under(
    log: EventLog, game: Game
) -> None:
    lines = await over_two_releases(log, game)
    with released(game):
        report = verify(lines)
    knows = game.earlier[0].game is not None
    assert report.ok, report.problems
    assert report.draws_checked
    assert report.rules_checked == knows
    old, new = report.stretches
    assert (old.rules, old.first, old.decided) == ("1", 1, knows)
    assert (new.rules, new.first, new.last, new.decided) == ("2", old.last + 1, len(lines), True)
    told = [note for note in report.notes if "rules were NOT checked" in note]
    assert [f"Lines 1 to {old.last} " in note for note in told] == ([] if knows else [True])


def spaces_forged(lines: list[bytes], nth: int) -> tuple[int, list[bytes]]:
    """The log with one horse a space further in a move of it; the number of the line."""
    events: list[dict[str, Any]] = [msgspec.json.decode(line) for line in lines]
    moves = [e for e in events if e["type"] == "change-horses.horses_moved" and e["moves"]]
    moves[nth]["moves"][0]["space"] += 1
    for event in events:
        del event["hash"]
    return moves[nth]["seq"], rechained(events)


async def test_a_forger_is_found_in_the_stretch_of_either_rules(log: EventLog) -> None:
    """One space more is right by the new rules, and forged in the old stretch: who knows these
    finds it there. Without them it is said that nobody looked."""
    knowing, not_knowing = newer(with_old_code=True), newer(with_old_code=False)
    lines = await over_two_releases(log, knowing)
    line, forged = spaces_forged(lines, 0)
    later, forged_later = spaces_forged(lines, -1)
    with released(knowing):
        assert [problem.line for problem in verify(forged).problems] == [line]
        report = verify(forged_later)
        assert [problem.line for problem in report.problems] == [later]
        assert [stretch.decided for stretch in report.stretches] == [True, False]
    with released(not_knowing):
        report = verify(forged)
        assert not report.rules_checked
        assert [problem.line for problem in verify(forged_later).problems] == [later]


async def test_the_older_release_says_that_it_can_not_check_the_newer_rules(
    log: EventLog, game: Game
) -> None:
    lines = await over_two_releases(log, game)
    report = verify(lines)
    assert not report.rules_checked
    assert any("rules '1', '2'" in note and "NOT checked" in note for note in report.notes)


@pytest.mark.parametrize("to", ["1", "0", "3"])
async def test_rules_that_go_nowhere_or_back_are_found(log: EventLog, to: str) -> None:
    game = newer(with_old_code=True)
    lines = await over_two_releases(log, game)
    events: list[dict[str, Any]] = [msgspec.json.decode(line) for line in lines]
    for event in events:
        del event["hash"]
        if event["type"] == "rules_changed":
            event["rules"] = to
    with released(game):
        report = verify(rechained(events))
    assert not (report.ok and report.rules_checked)


async def test_what_a_newer_release_wrote_stops_the_older_one_before_it_is_skipped(
    log: EventLog, game: Game
) -> None:
    meeting = await half_played(log)
    older = open_meetings(log)
    kept = await older.fresh(meeting)
    version = kept.head.version
    with released(game):
        await give(open_meetings(log), meeting)
    lines = await log.read(meeting)
    for _ in range(2):
        with pytest.raises(UnknownEvent, match="rules 2"):
            await older.fresh(meeting)
        with pytest.raises(UnknownEvent, match="rules 2"):
            await open_meetings(log).fresh(meeting)
    stale = open_meetings(log)
    stale.shelf._kept[meeting] = kept  # it knows of nothing newer yet
    assert kept.head.version == version
    with pytest.raises(UnknownEvent):
        await stale.act(meeting, lambda draft, _kept: lifecycle.ask_abandon(draft, 1))
    assert await log.read(meeting) == lines


@pytest.fixture(autouse=True)
def the_tree_is_what_is_released_afterwards() -> Iterator[None]:
    """No test leaves another release behind."""
    yield
    from domain.registry import GAMES, event_types

    assert GAMES[OLDER.id] is OLDER
    assert event_types(OLDER.id)[CARD_PLAYED] is {type_of(k): k for k in OLDER.events}[CARD_PLAYED]
