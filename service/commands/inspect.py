"""`homestretch inspect`: where a meeting stands and what it waits for; it changes nothing."""

import argparse
import asyncio
from datetime import UTC, datetime
from typing import Any

import msgspec

from service import bootstrap, probing
from service.audit import FILE, FileAudit
from service.commands import CommandError
from service.commands.logfile import plain, printable
from service.commands.view_care import server_on
from service.handling import MeetingUnknown
from service.jobs.inspecting import Inspection, inspect
from service.logs import configure
from service.ports import LogError
from service.redis.client import PoolCalls
from service.redis.gate import GateRefused
from service.redis.wakes import Wakes
from service.settings import Settings

EVENTS = 5
SILENT_SECONDS = probing.SILENT_SECONDS
SHOWN_ALWAYS = frozenset(("type", "seq", "at", "meeting", "seat"))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which meeting, and how much of it."""
    parser.add_argument("meeting", metavar="MEETING", help="its id")
    parser.add_argument(
        "--events", type=int, default=EVENTS, metavar="N", help=f"last events to show ({EVENTS})"
    )
    parser.add_argument(
        "--full",
        action="store_true",
        help="also what players may not know of each other; noted in the audit log first",
    )


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Print what there is to know.

    Raises:
        CommandError: there is no such meeting, no server, or its log can't be read.
    """
    settings = server_on(settings)
    configure(settings.log_format, "error")
    if args.full:
        _note(args.meeting, settings)
    try:
        print("\n".join(asyncio.run(_look(args, settings))))
    except MeetingUnknown as unknown:
        raise CommandError(f"there is no meeting {plain(args.meeting)}") from unknown
    except GateRefused as refused:
        raise CommandError(f"Redis: {refused.detail}") from refused
    except LogError as fault:
        raise CommandError(f"the log of {plain(args.meeting)} can't be read: {fault}") from fault
    except msgspec.ValidationError as unread:
        raise CommandError("this release can't read an event of its log: run a newer") from unread
    return 0


def _note(meeting: str, settings: Settings) -> None:
    try:
        settings.data.mkdir(parents=True, exist_ok=True)
        FileAudit(settings.data / FILE, bootstrap.now).note("meeting_inspected", meeting=meeting)
    except OSError as error:
        raise CommandError(f"can't write {settings.data / FILE}: {error.strerror}") from error


async def _look(args: argparse.Namespace, settings: Settings) -> list[str]:
    calls = PoolCalls(bootstrap.queue_url(settings))
    try:
        site = await bootstrap.site_of(settings)
        async with site.meetings() as meetings:
            found = await inspect(
                meetings,
                Wakes(calls),
                site,
                args.meeting,
                events=max(0, args.events),
                full=args.full,
            )
            return lines(found, datetime.now(UTC), full=args.full)
    finally:
        await calls.close()


def lines(found: Inspection, now: datetime, *, full: bool) -> list[str]:
    """What was found, in words."""
    meeting = found.known
    name = f" {plain(meeting.name)}," if meeting.name else ""
    race = f", race {meeting.race} of {meeting.races or 'as many as come'}" if meeting.race else ""
    phase = f", phase {found.phase}" if found.phase else ""
    seats = (
        f"  {place.seat} "
        + ("free" if not place.player else f"{plain(place.name)} ({place.player}), {place.kind}")
        for place in meeting.seats
    )
    return [
        f"meeting    {meeting.id},{name} {meeting.game}, rules {meeting.rules}",
        f"status     {meeting.status}{race}{phase}",
        f"version    {_version(found, full)}",
        f"opened     {meeting.opened_at} by {meeting.host}",
        f"last event {meeting.at}, {_ago(meeting.at, now)}",
        "seats",
        *seats,
        "waits for",
        *(f"  {line}" for line in _waits(found, now)),
        "last events" + (" of the log" if full else " of the public feed"),
        *(f"  {_event(event, full)}" for event in found.last),
    ]


def _waits(found: Inspection, now: datetime) -> list[str]:
    meeting = found.known
    if meeting.status == "open":
        free = [place.seat for place in meeting.seats if not place.taken]
        if free:
            return [f"somebody on seat {', '.join(map(str, free))}"]
        return [f"its start by the host ({meeting.host}) or an organiser"]
    if meeting.status != "running":
        return ["nothing: it is over"]
    waits = [f"the server: {found.command}"] if found.command is not None else []
    if found.owing is None:
        waits.append("somebody, in secret (--full tells who)")
    for owing in found.owing or ():
        place = meeting.seats[owing.seat - 1]
        who = plain(place.name) if owing.person else f"{plain(place.name)}, a bot of the server"
        waits.append(
            f"seat {owing.seat} ({who}) since {owing.since}, {_ago(owing.since, now)}"
            + (f", decision {owing.decision}" if owing.decision is not None else "")
        )
    return [*waits, *([] if found.queue is None else _work(found.queue, found))]


def _work(queue: str, found: Inspection) -> list[str]:
    """How the queue that must act on it now is doing."""
    if found.queued is None:
        return [f"queue {queue}: its Redis is away"]
    named = found.queued.named.get(queue)
    health = found.queued.jobs.queues[queue]
    looked = found.queued.jobs.looked_seconds
    where = "in a worker's hands, or not named yet" if named is None else f"named {named} s ago"
    told = [f"queue {queue}: {where}; {health.drains} draining, {health.waiting} waiting"]
    if health.drains == 0:
        told.append(f"no worker drains {queue}: does `homestretch work {queue}` run?")
    if looked is None or looked > SILENT_SECONDS:
        told.append("no reactor looks at what is owed: does `homestretch react` run?")
    return told


def _version(found: Inspection, full: bool) -> str:
    if full:
        return f"{found.kept.head.version}, hash {found.kept.head.digest}"
    return f"{found.known.public_version} public events"


def _event(event: dict[str, Any], full: bool) -> str:
    seat = f", seat {event['seat']}" if "seat" in event else ""
    text = f"{event['seq' if full else 'version']} {event['at']} {event['type']}{seat}"
    if full:
        rest = {name: value for name, value in event.items() if name not in SHOWN_ALWAYS}
        text += f" {msgspec.json.encode(printable(rest)).decode()}"
    return text


def _ago(at: str, now: datetime) -> str:
    seconds = max(0, int((now - datetime.fromisoformat(at)).total_seconds()))
    for unit, size in (("days", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit} ago"
    return f"{seconds} s ago"
