"""People, meetings and play over HTTP, as tests need them."""

import asyncio
import json
import secrets
from collections.abc import Callable
from typing import Any

from domain.registry import GAMES
from service.bootstrap import now
from service.handling import Meetings
from service.redis.client import BLOCK_SECONDS, CALL_SECONDS, PoolCalls
from service.redis.event_log import RedisEventLog
from tests.kit.face import PARTITIONS, Api, Client


class Person:
    """A player with a client for each API process it calls."""

    def __init__(self, api: Api, name: str = "Ann") -> None:
        self.client = api.client()
        made = self.client.post("/v1/players", json={"name": name}).json()
        self.id: str = made["id"]
        self.name: str = made["name"]
        self.token: str = made["token"]
        self.client.headers["Authorization"] = f"Bearer {self.token}"

    def on(self, api: Api) -> Client:
        """The same player on another process."""
        return api.client(self.token)


class Meeting:
    """A meeting of Bookmaker with its host."""

    def __init__(self, host: Person, **body: Any) -> None:
        self.host = host
        told = {"game": "bookmaker", "seats": 2, **body}
        answer = host.client.post("/v1/meetings", json=told)
        assert answer.status_code == 201, answer.text
        self.id: str = answer.json()["id"]
        self.path = f"/v1/meetings/{self.id}"

    def seat(self, *people: Person) -> "Meeting":
        """Sit people down, each in the lowest free seat or one more."""
        for person in people:
            free = [s["seat"] for s in self.summary()["seats"] if s["player"] is None]
            answer = person.client.post(f"{self.path}/seats", json={"seat": free[0]})
            assert answer.status_code == 201, answer.text
        return self

    def start(self) -> "Meeting":
        """Begin play."""
        answer = self.host.client.post(f"{self.path}/start")
        assert answer.status_code == 200, answer.text
        return self

    def summary(self) -> dict[str, Any]:
        """As everybody may know it."""
        shown: dict[str, Any] = self.host.client.get(self.path).json()
        return shown

    def board(self, person: Person, **query: Any) -> dict[str, Any]:
        """A person's board."""
        answer = person.client.get(f"{self.path}/board", params=query)
        assert answer.status_code == 200, answer.text
        shown: dict[str, Any] = answer.json()
        return shown

    def actions(self, person: Person, **query: Any) -> dict[str, Any]:
        """What a person may do."""
        answer = person.client.get(f"{self.path}/actions", params=query)
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = answer.json()
        return told

    def give(self, person: Person, body: Any, **headers: str) -> Any:
        """The answer to a command."""
        raw = json.dumps(body).encode()
        return person.client.send_raw("POST", f"{self.path}/commands", raw, **headers)

    def play(self, redis_url: str, people: list[Person], until: Callable[[], bool]) -> None:
        """Let everybody play its default until then, or the end; the server's part too."""
        for _ in range(2_000):
            if until() or self.summary()["status"] != "running":
                return
            moved = settle(redis_url, self.id)
            for person in people:
                for seat in self.seats_of(person):
                    told = self.actions(person, seat=seat)
                    if told["default"] is not None:
                        assert self.give(person, {**told["default"], "seat": seat}).is_success
                        moved = True
            assert moved, "nobody moves and nothing is owed"
        raise AssertionError("the meeting does not end")

    def seats_of(self, person: Person) -> list[int]:
        """The seats of a person."""
        return [s["seat"] for s in self.summary()["seats"] if s["player"] == person.id]


def running(api: Api, seats: int = 2, **body: Any) -> tuple[Meeting, list[Person]]:
    """A meeting in play, and its players; the first is the host."""
    people = [Person(api, f"Player {number + 1}") for number in range(seats)]
    meeting = Meeting(people[0], seats=seats, **body).seat(*people).start()
    return meeting, people


def settle(redis_url: str, meeting: str) -> bool:
    """Give the system command that a meeting is owed, as a worker would; whether there was one."""

    async def work() -> bool:
        calls = PoolCalls(redis_url)
        waiting = PoolCalls(redis_url, seconds=BLOCK_SECONDS + CALL_SECONDS)
        try:
            meetings = Meetings(RedisEventLog(calls, waiting, PARTITIONS), now, secrets.token_bytes)
            kept = await meetings.fresh(meeting)
            owed = GAMES[kept.game.id].awaits(kept.full)
            if owed is not None:
                await meetings.command(meeting, 0, owed)
            return owed is not None
        finally:
            await calls.close()
            await waiting.close()

    return asyncio.run(work())
