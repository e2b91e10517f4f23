"""Two releases on one log: the older one stops at what it does not know, and at that alone."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from domain.kernel.lines import canonical, chain
from domain.racing.forms import UnknownEvent
from projections.lobby import LOBBY
from service.handling import Meetings
from service.jobs.draining import Drain
from service.jobs.reconcile import Reconciler
from service.jobs.turns import play as play_turns
from service.jobs.watch import Watch
from service.ports import Head, Line
from service.projecting import Projector
from service.redis.client import PoolCalls
from service.redis.views import RedisViews
from service.redis.wakes import Wakes
from tests.kit.archiving import open_log
from tests.kit.face import Api
from tests.kit.jobs import now, queue_url, seat_bots, site_of
from tests.kit.redis_server import RedisServer
from tests.kit.releases import OLDER, newer, released
from tests.kit.tables import Meeting, Person, running


class NewerApi(Api):
    """An API process of a newer release."""

    module = "tests.kit.newer_process"


@pytest.fixture(scope="module")
def own_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """A Redis on which two releases work."""
    server = RedisServer(tmp_path_factory.mktemp("releases-redis")).start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def old(own_redis: RedisServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """An API process of the release of the tree."""
    api = Api(own_redis.url, tmp_path_factory.mktemp("older"))
    yield api
    api.stop()


@pytest.fixture(scope="module")
def new(own_redis: RedisServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[NewerApi]:
    """An API process of the newer release."""
    api = NewerApi(own_redis.url, tmp_path_factory.mktemp("newer"))
    yield api
    api.stop()


def act(api: Api, meeting: Meeting, people: list[Person]) -> Any:
    """What somebody who owes a decision gets for its default from this process."""
    for person in people:
        caller = person.on(api)
        default = caller.get(f"{meeting.path}/actions").json()["default"]
        if default is not None:
            return caller.post(f"{meeting.path}/commands", json=default)
    raise AssertionError("nobody owes anything")


def test_the_older_process_refuses_that_meeting_alone_and_writes_nothing(
    old: Api, new: NewerApi
) -> None:
    meeting, people = running(old, game="change-horses")
    other, others = running(old, game="tuyaux")
    assert act(old, meeting, people).is_success
    here, there = people[0].on(old), people[0].on(new)
    before = there.get(f"{meeting.path}/board").content
    assert here.get(f"{meeting.path}/board").content == before, "until then both serve it alike"
    default = [p.on(old).get(f"{meeting.path}/actions").json()["default"] for p in people]
    assert act(new, meeting, people).is_success
    version = there.get(meeting.path).json()["version"]
    types = [e["type"] for e in there.get(f"{meeting.path}/events").json()["items"]]
    assert types.count("rules_changed") == 1
    asked = [here.get(f"{meeting.path}{path}") for path in ("", "/board", "/events", "/actions")]
    for person, body in zip(people, default, strict=True):
        if body is not None:
            asked.append(person.on(old).post(f"{meeting.path}/commands", json=body))
    asked.append(here.post(f"{meeting.path}/abandon"))
    for answer in asked:
        assert (answer.status_code, answer.json()["code"]) == (503, "newer_release")
        assert int(answer.headers["Retry-After"]) > 0
    assert there.get(meeting.path).json()["version"] == version, "nothing was written"
    for api in (old, new):
        assert others[0].on(api).get(f"{other.path}/board").status_code == 200
    assert act(old, other, others).is_success
    assert act(new, other, others).is_success
    for _ in range(400):
        if there.get(meeting.path).json()["status"] != "running":
            break
        assert act(new, meeting, people).is_success
    assert there.get(meeting.path).json()["status"] == "finished"
    assert here.get(f"{meeting.path}/log").json()["code"] == "newer_release"


def test_a_meeting_opened_under_newer_rules_is_refused_by_the_older_process(
    old: Api, new: NewerApi
) -> None:
    meeting, people = running(new, game="change-horses")
    assert people[0].on(new).get(f"{meeting.path}/board").status_code == 200
    answer = people[0].on(old).get(f"{meeting.path}/board")
    assert (answer.status_code, answer.json()["code"]) == (503, "newer_release")


@pytest.fixture
async def meetings(redis_url: str, tmp_path: Path) -> AsyncIterator[Meetings]:
    """The meetings of an older process."""
    async with open_log(redis_url, tmp_path) as log:
        yield Meetings(log, now, os.urandom)


async def both(meetings: Meetings) -> tuple[str, str]:
    """A meeting of bots that a newer release has gone on with, and one that it has not."""
    theirs = await seat_bots(meetings, "random", "random", game=OLDER)
    ours = await seat_bots(meetings, "random", "random", game=OLDER)
    with released(newer(with_old_code=False)):
        stopping = asyncio.Event()
        newest = Meetings(meetings.log, now, os.urandom)
        assert await play_turns(newest, theirs, stopping), "it plays some turns, not all"
    return theirs, ours


async def test_workers_and_reactor_leave_that_meeting_alone_say_so_and_go_on_with_others(
    meetings: Meetings, redis_url: str
) -> None:
    theirs, ours = await both(meetings)
    lines = await meetings.log.read(theirs)
    fresh = Meetings(meetings.log, now, os.urandom)
    calls = PoolCalls(queue_url(redis_url))
    try:
        wakes, site = Wakes(calls), site_of(redis_url)
        watch = Watch(fresh, wakes, site)
        with capture_logs() as told:
            await watch.look([theirs, ours])
            await Reconciler(fresh, watch, wakes, site).reconcile()
        assert watch.owing() == [ours]
        assert watch.ageing(1e12) == [], "nobody ends it either"
        said = [line for line in told if line["event"] == "meeting_of_newer_release"]
        assert [(line["meeting"], line["log_level"]) for line in said] == [(theirs, "warning")]
        await wakes.wake("turns", [theirs, ours], 1.0)
        with capture_logs() as told:
            await Drain("turns", fresh, wakes, asyncio.Event()).run(2)
        said = [line for line in told if line["event"] == "meeting_of_newer_release"]
        assert [line["meeting"] for line in said] == [theirs]
        assert await wakes.waiting("turns") == 0, "nor does it come back at once"
    finally:
        await calls.close()
    assert await meetings.log.read(theirs) == lines
    assert (await fresh.fresh(ours)).full.status == "finished"


async def test_views_go_on_with_rules_that_they_need_not_know_and_stop_at_facts_that_they_must(
    meetings: Meetings,
) -> None:
    """The types that all games share keep their form, so the number is nothing to a view."""
    theirs, _ = await both(meetings)
    log = meetings.log
    views = RedisViews(log._calls, 2)  # type: ignore[attr-defined] # the same way to Redis
    projector = Projector(log, views, [LOBBY])
    await projector.catch_up()
    last = (await log.read(theirs))[-1]
    body = canonical(
        {
            "seq": last.version + 1,
            "at": now(),
            "meeting": theirs,
            "type": "steward_called",
            "audience": "public",
        }
    )
    line = Line(last.version + 1, body, chain(last.digest, body))
    await log.append(theirs, Head(last.version, last.digest), "newest", "print", [line])
    with capture_logs() as told:
        await projector.catch_up()
    assert [entry["reason"] for entry in told if entry["event"] == "view_stalled"] == [
        "UnknownFact steward_called"
    ]
    live = await views.live("lobby")
    assert live is not None
    progress = await views.progress("lobby", live)
    assert list(progress.stalled) == [log.partition(theirs)]
    with released(newer(with_old_code=False)), pytest.raises(UnknownEvent, match="steward_called"):
        await Meetings(log, now, os.urandom).fresh(theirs)
