"""What every event log promises, as one class of cases; each adapter's tests run it.

A subclass gives the fixture `log`: an empty log of 16 partitions.
"""

import asyncio
from random import Random

import pytest

from service.ports import (
    Appended,
    Conflict,
    Diverged,
    EventLog,
    FeedEntry,
    Head,
    KeyReused,
    Line,
    Snapshot,
)
from tests.kit.log_lines import START, assert_stored_once, audit, batch, end, grow
from tests.kit.log_load import Load

OTHER = "f" * 64


async def everything(log: EventLog, meeting: str) -> tuple[object, ...]:
    """All that a refused call on a meeting could have changed."""
    feeds = [await log.feed(number, 0) for number in range(log.partitions)]
    return await log.head(meeting), await log.read(meeting), feeds, await log.feed_heads()


class EventLogContract:
    """Cases for `service.ports.EventLog`."""

    # Appending and reading

    async def test_a_meeting_that_nobody_opened_has_no_head_and_no_lines(
        self, log: EventLog
    ) -> None:
        assert await log.head("m") is None
        assert await log.read("m") == []

    async def test_an_append_stores_all_lines_of_a_command(self, log: EventLog) -> None:
        lines = batch(START, 3)
        assert await log.append("m", START, "c", "print", lines) == Appended(first=1, last=3)
        assert await log.head("m") == end(lines)
        assert await log.read("m") == lines

    async def test_the_next_append_goes_on_from_the_head(self, log: EventLog) -> None:
        head = await grow(log, "m", 2)
        lines = batch(head, 2)
        assert await log.append("m", head, "c", "print", lines) == Appended(first=3, last=4)
        assert (await log.read("m"))[2:] == lines

    async def test_bytes_come_back_as_they_were_stored(self, log: EventLog) -> None:
        body = bytes(range(256)) * 800
        line = Line(1, body, "00ff" * 16)
        await log.append("m", START, "c", "print", [line])
        assert await log.read("m") == [line]
        assert await log.head("m") == Head(1, "00ff" * 16)

    @pytest.mark.parametrize(
        ("after", "upto", "count", "expected"),
        [
            (0, None, None, range(1, 11)),
            (3, None, None, range(4, 11)),
            (0, 4, None, range(1, 5)),
            (2, 4, None, range(3, 5)),
            (2, 4, 1, range(3, 4)),
            (2, None, 3, range(3, 6)),
            (8, 20, 9, range(9, 11)),
            (4, 4, None, range(0)),
            (4, 2, None, range(0)),
            (10, None, None, range(0)),
            (99, None, None, range(0)),
            (0, None, 0, range(0)),
        ],
    )
    async def test_a_read_gives_the_lines_in_its_bounds(
        self, log: EventLog, after: int, upto: int | None, count: int | None, expected: range
    ) -> None:
        await grow(log, "m", 4, 1, 5)
        lines = await log.read("m", after, upto, count)
        assert [line.version for line in lines] == list(expected)

    async def test_a_long_log_is_read_whole(self, log: EventLog) -> None:
        await grow(log, "m", 1000, 1, 699)
        logs = await audit(log, ["m"])
        assert len(logs["m"]) == 1700
        assert [line.version for line in await log.read("m", 3, 1503)] == list(range(4, 1504))
        assert len(await log.read("m", 1, count=501)) == 501

    async def test_ids_may_hold_any_characters(self, log: EventLog) -> None:
        meeting, command, print_ = "m{x}:|é ", "{p00}|1|2: *\n", "a|b|3|4"
        await log.append(meeting, START, command, print_, batch(START, 2))
        again = await log.append(meeting, START, command, print_, batch(START, 2))
        assert again == Appended(first=1, last=2, duplicate=True)
        entries = await log.feed(log.partition(meeting), 0)
        assert [entry.meeting for entry in entries] == [meeting]

    @pytest.mark.parametrize(
        "lines",
        [
            [],
            batch(Head(1, OTHER), 2),
            [*batch(START, 1), *batch(START, 1)],
            [batch(START, 2)[1]],
            batch(START, 1001),
        ],
        ids=["none", "later", "twice", "gap", "too many"],
    )
    async def test_lines_that_do_not_go_on_from_the_head_are_the_callers_fault(
        self, log: EventLog, lines: list[Line]
    ) -> None:
        with pytest.raises(ValueError, match=r"line|events"):
            await log.append("m", START, "c", "print", lines)
        assert await log.head("m") is None

    async def test_an_id_known_for_no_time_is_the_callers_fault(self, log: EventLog) -> None:
        with pytest.raises(ValueError, match="second"):
            await log.append("m", START, "c", "print", batch(START), key_seconds=0)
        assert await log.head("m") is None

    # The head that the writer decided on

    async def test_a_writer_behind_the_log_is_told_its_version(self, log: EventLog) -> None:
        old = await grow(log, "m", 1)
        await grow(log, "m", 2)
        before = await everything(log, "m")
        with pytest.raises(Conflict) as refusal:
            await log.append("m", old, "late", "print", batch(old))
        assert refusal.value.version == 3
        assert await everything(log, "m") == before
        assert await log.seen("m", "late", "print") is None

    async def test_a_writer_ahead_of_the_log_has_diverged(self, log: EventLog) -> None:
        await grow(log, "m", 2)
        before = await everything(log, "m")
        ahead = Head(5, OTHER)
        with pytest.raises(Diverged):
            await log.append("m", ahead, "c", "print", batch(ahead))
        assert await everything(log, "m") == before

    async def test_a_writer_of_a_log_that_is_gone_has_diverged(self, log: EventLog) -> None:
        ahead = end(batch(START, 3))
        with pytest.raises(Diverged):
            await log.append("m", ahead, "c", "print", batch(ahead))
        assert await log.head("m") is None

    async def test_a_writer_with_another_history_has_diverged(self, log: EventLog) -> None:
        head = await grow(log, "m", 2)
        before = await everything(log, "m")
        other = Head(head.version, OTHER)
        with pytest.raises(Diverged):
            await log.append("m", other, "c", "print", batch(other))
        assert await everything(log, "m") == before

    async def test_a_new_log_begins_from_nothing_else_than_the_start(self, log: EventLog) -> None:
        other = Head(0, OTHER)
        with pytest.raises(Diverged):
            await log.append("m", other, "c", "print", batch(other))
        assert await log.head("m") is None

    # Command ids

    async def test_a_command_sent_again_is_stored_once(self, log: EventLog) -> None:
        lines = batch(START, 2)
        await log.append("m", START, "c", "print", lines)
        later = await grow(log, "m", 3)
        before = await everything(log, "m")
        again = Appended(first=1, last=2, duplicate=True)
        assert await log.append("m", START, "c", "print", lines) == again
        assert await log.append("m", later, "c", "print", batch(later)) == again
        assert await log.seen("m", "c", "print") == again
        assert await everything(log, "m") == before

    async def test_a_command_id_with_another_fingerprint_is_refused(self, log: EventLog) -> None:
        head = await grow(log, "m", 1)
        await log.append("m", head, "c", "print", batch(head))
        before = await everything(log, "m")
        later = Head(*((await log.head("m") or START).version, end(batch(head)).digest))
        with pytest.raises(KeyReused):
            await log.append("m", later, "c", "other", batch(later))
        with pytest.raises(KeyReused):
            await log.seen("m", "c", "other")
        with pytest.raises(KeyReused):
            await log.remember("m", "c", "other", 2)
        assert await everything(log, "m") == before

    async def test_a_command_id_belongs_to_its_meeting(self, log: EventLog) -> None:
        await log.append("m", START, "c", "print", batch(START))
        assert await log.seen("n", "c", "print") is None
        done = await log.append("n", START, "c", "other", batch(START))
        assert done == Appended(first=1, last=1)

    async def test_a_refused_command_leaves_its_id_free(self, log: EventLog) -> None:
        head = await grow(log, "m", 1)
        with pytest.raises(Conflict):
            await log.append("m", START, "c", "print", batch(START))
        done = await log.append("m", head, "c", "other", batch(head))
        assert done == Appended(first=2, last=2)

    async def test_a_command_id_is_forgotten_after_its_time(self, log: EventLog) -> None:
        await log.append("m", START, "c", "print", batch(START), key_seconds=1)
        await log.append("n", START, "c", "print", batch(START), key_seconds=60)
        await asyncio.sleep(1.1)
        assert await log.seen("m", "c", "print") is None
        assert await log.seen("n", "c", "print") is not None
        with pytest.raises(Conflict):
            await log.append("m", START, "c", "print", batch(START))

    async def test_twins_that_run_together_are_stored_once(self, log: EventLog) -> None:
        calls = [log.append("m", START, "c", "print", batch(START, 2)) for _ in range(20)]
        answers = await asyncio.gather(*calls)
        assert sorted(answer.duplicate for answer in answers) == [False] + [True] * 19
        assert {(answer.first, answer.last) for answer in answers} == {(1, 2)}
        assert len((await audit(log, ["m"]))["m"]) == 2

    async def test_an_answer_without_events_is_remembered(self, log: EventLog) -> None:
        head = await grow(log, "m", 3)
        assert await log.seen("m", "c", "print") is None
        assert await log.remember("m", "c", "print", 3) == Appended(first=4, last=3)
        again = Appended(first=4, last=3, duplicate=True)
        await grow(log, "m", 1)
        assert await log.remember("m", "c", "print", 4) == again, "the first call wins"
        assert await log.seen("m", "c", "print") == again
        assert await log.append("m", head, "c", "print", batch(head)) == again

    async def test_what_an_append_stored_is_not_remembered_anew(self, log: EventLog) -> None:
        await log.append("m", START, "c", "print", batch(START, 2))
        known = await log.remember("m", "c", "print", 9)
        assert known == Appended(first=1, last=2, duplicate=True)

    async def test_an_answer_without_events_is_in_no_feed(self, log: EventLog) -> None:
        await log.remember("m", "c", "print", 0)
        assert await log.head("m") is None
        assert await log.feed_heads() == [0] * 16

    # Feeds

    async def test_the_feed_has_one_entry_a_command(self, log: EventLog) -> None:
        await grow(log, "m", 3, 1, 2)
        mine = log.partition("m")
        assert await log.feed(mine, 0) == [
            FeedEntry(partition=mine, position=1, meeting="m", first=1, count=3),
            FeedEntry(partition=mine, position=2, meeting="m", first=4, count=1),
            FeedEntry(partition=mine, position=3, meeting="m", first=5, count=2),
        ]
        heads = [0] * 16
        heads[mine] = 3
        assert await log.feed_heads() == heads
        assert await log.feed((mine + 1) % 16, 0) == []

    async def test_a_feed_is_read_in_pieces(self, log: EventLog) -> None:
        await grow(log, "m", *[1] * 7)
        mine = log.partition("m")
        pieces = [await log.feed(mine, after, count=3) for after in (0, 3, 6, 7)]
        assert [[entry.position for entry in piece] for piece in pieces] == [
            [1, 2, 3],
            [4, 5, 6],
            [7],
            [],
        ]

    async def test_meetings_of_a_partition_share_its_feed(self, log: EventLog) -> None:
        mine = log.partition("m")
        other = next(f"m{n}" for n in range(999) if log.partition(f"m{n}") == mine)
        await grow(log, "m", 1)
        await grow(log, other, 2)
        await grow(log, "m", 1)
        feed = [(entry.position, entry.meeting) for entry in await log.feed(mine, 0)]
        assert feed == [(1, "m"), (2, other), (3, "m")]
        await audit(log, ["m", other])

    async def test_meetings_are_spread_over_all_partitions(self, log: EventLog) -> None:
        partitions = [log.partition(f"meeting-{number}") for number in range(400)]
        assert set(partitions) == set(range(16))
        assert log.partition("m") == 10, "as sha256 says, for ever"

    async def test_a_follower_gets_at_once_what_is_there(self, log: EventLog) -> None:
        meetings = ["m", "n", "o", "p"]
        for meeting in meetings:
            await grow(log, meeting, 1, 2)
        entries = await log.follow([0] * 16, 60)
        assert {entry.meeting for entry in entries} == set(meetings)
        places = [(entry.partition, entry.position) for entry in entries]
        assert places == sorted(places)
        assert len(places) == 8
        few = await log.follow([0] * 16, 60, count=1)
        assert {entry.position for entry in few} == {1}

    async def test_a_follower_waits_for_the_first_entry(self, log: EventLog) -> None:
        await grow(log, "m", 1)
        heads = await log.feed_heads()
        waiting = asyncio.create_task(log.follow(heads, 60))
        await asyncio.sleep(0.05)
        assert not waiting.done()
        await grow(log, "n", 2)
        entries = await waiting
        assert [(entry.meeting, entry.first, entry.count) for entry in entries] == [("n", 1, 2)]

    async def test_several_followers_hear_the_same(self, log: EventLog) -> None:
        waiting = [asyncio.create_task(log.follow([0] * 16, 60)) for _ in range(3)]
        await asyncio.sleep(0.05)
        await grow(log, "m", 1)
        answers = await asyncio.gather(*waiting)
        assert answers[0] == answers[1] == answers[2]
        assert len(answers[0]) == 1

    @pytest.mark.parametrize("seconds", [0, 0.1])
    async def test_a_follower_hears_nothing_where_nothing_comes(
        self, log: EventLog, seconds: float
    ) -> None:
        await grow(log, "m", 1)
        assert await log.follow(await log.feed_heads(), seconds) == []

    async def test_a_follower_ahead_of_its_feed_has_diverged(self, log: EventLog) -> None:
        await grow(log, "m", 1)
        ahead = await log.feed_heads()
        ahead[log.partition("m")] += 1
        with pytest.raises(Diverged):
            await log.follow(ahead, 0.05)

    async def test_a_follower_that_gave_up_harms_nobody(self, log: EventLog) -> None:
        waiting = asyncio.create_task(log.follow([0] * 16, 60))
        await asyncio.sleep(0.05)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await grow(log, "m", 1)
        assert len(await log.follow([0] * 16, 60)) == 1

    # Snapshots

    async def test_a_snapshot_comes_back_as_it_was_saved(self, log: EventLog) -> None:
        assert await log.load_snapshot("m") is None
        snapshot = Snapshot(7, OTHER, "form-1", b"|\x00|" + bytes(range(256)))
        await log.save_snapshot("m", snapshot)
        assert await log.load_snapshot("m") == snapshot
        assert await log.load_snapshot("n") is None

    async def test_only_a_later_snapshot_replaces_one(self, log: EventLog) -> None:
        first = Snapshot(10, OTHER, "a", b"first")
        await log.save_snapshot("m", first)
        await log.save_snapshot("m", Snapshot(9, OTHER, "a", b"earlier"))
        assert await log.load_snapshot("m") == first
        same = Snapshot(10, OTHER, "b", b"of a newer release")
        await log.save_snapshot("m", same)
        assert await log.load_snapshot("m") == same
        later = Snapshot(100, OTHER, "a", b"later")
        await log.save_snapshot("m", later)
        assert await log.load_snapshot("m") == later

    async def test_a_form_whose_name_breaks_the_record_is_refused(self, log: EventLog) -> None:
        with pytest.raises(ValueError, match="form"):
            await log.save_snapshot("m", Snapshot(1, OTHER, "a|b", b""))

    # Many at once

    async def test_concurrent_writers_store_every_command_once(self, log: EventLog) -> None:
        load = Load(log, [f"meeting-{number}" for number in range(6)])
        await load.write(writers=8, commands=60)
        logs = await audit(log, load.meetings)
        assert len(load.done) == 480
        assert sum(map(len, logs.values())) == sum(count for _, _, count in load.done.values())
        assert load.doubles == 0
        assert_stored_once(logs, load.done)

    async def test_cancelled_calls_do_not_shift_the_answers_of_others(self, log: EventLog) -> None:
        for number in range(8):
            await grow(log, f"meeting-{number}", number + 1)
        random = Random(4)

        async def ask(number: int) -> int:
            head = await log.head(f"meeting-{number}")
            lines = await log.read(f"meeting-{number}")
            assert head == end(lines)
            assert len(lines) == number + 1
            return number

        tasks = []
        for _ in range(600):
            tasks.append(asyncio.create_task(ask(random.randrange(8))))
            if random.random() < 0.3:
                await asyncio.sleep(0)
                tasks.pop(random.randrange(len(tasks))).cancel()
            if random.random() < 0.02:
                await asyncio.sleep(0.002)
        assert all(number < 8 for number in await asyncio.gather(*tasks))

    async def test_a_cancelled_append_is_stored_whole_or_not_at_all(self, log: EventLog) -> None:
        random = Random(5)
        load = Load(log, ["m", "n"])
        for number in range(60):
            task = asyncio.create_task(load.command(f"cancelled-{number}"))
            for _ in range(random.randrange(5)):
                await asyncio.sleep(random.choice([0, 0.0003]))
            task.cancel()
            await asyncio.wait([task])
        assert_stored_once(await audit(log, load.meetings), load.done)

    @pytest.mark.long
    async def test_sixteen_writers_store_eight_thousand_commands_once(self, log: EventLog) -> None:
        meetings = [f"meeting-{number}" for number in range(10)]
        load = Load(log, meetings)
        await load.write(writers=16, commands=500)
        logs = await audit(log, meetings)
        assert len(load.done) == 8000
        assert sum(map(len, logs.values())) == sum(count for _, _, count in load.done.values())
        assert_stored_once(logs, load.done)
