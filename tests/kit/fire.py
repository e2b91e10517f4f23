"""Tables where all seats act at once, over several processes and lossy lines, each call repeated
under its key until it is answered; and what must then hold of log, feeds and answers.
"""

import json
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from random import Random
from typing import Any

import httpx

from domain.verification import lines_of, verify
from tests.kit.face import ADMIN, Api
from tests.kit.programs import PATIENCE
from tests.kit.tables import Person, settle

LATE = {"stale_decision", "wrong_phase", "not_your_turn", "already_done", "meeting_not_running"}
"""Codes of commands that others were faster than."""

Addresses = Sequence[str]


class Stubborn:
    """A caller that repeats a call, at one address after the other, until it is answered.

    Args:
        addresses: of processes, or of lossy lines to them.
        token: whose.
        name: begins its keys.
    """

    def __init__(self, addresses: Addresses, token: str, name: str) -> None:
        headers = {"Authorization": f"Bearer {token}"}
        self._clients = [
            httpx.Client(
                transport=httpx.HTTPTransport(verify=False),
                base_url=address,
                headers=headers,
                timeout=20,
            )
            for address in addresses
        ]
        self._name = name
        self._turn = count()
        self._calls = count(1)
        self.repeated = 0

    def post(self, path: str, body: Any) -> httpx.Response:
        """One call under a key of its own."""
        return self.send("POST", path, body, f"{self._name}-{next(self._calls)}")

    def get(self, path: str) -> dict[str, Any]:
        """What a GET answers."""
        answer = self.send("GET", path)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def send(self, method: str, path: str, body: Any = None, key: str = "") -> httpx.Response:
        """The answer to a call, however often it is made."""
        headers = {"Idempotency-Key": key} if key else {}
        until = time.monotonic() + PATIENCE
        while True:
            client = self._clients[next(self._turn) % len(self._clients)]
            try:
                answer = client.request(method, path, json=body, headers=headers)
                if answer.status_code != 503:
                    return answer
            except httpx.TransportError:
                pass
            self.repeated += 1
            assert time.monotonic() < until, f"{method} {path} is not answered"
            time.sleep(0.005)

    def close(self) -> None:
        """End its connections."""
        for client in self._clients:
            client.close()


class Table:
    """A meeting whose seats all act at once, each in a thread.

    Args:
        api: a process for what must not fail.
        addresses: where the seats call.
        game, options: of the meeting.
        seats: how many.
        commands: so many are accepted at most, or a few more; then the meeting is abandoned.
        twins: whether every command is sent twice at once.
    """

    def __init__(
        self,
        api: Api,
        addresses: Addresses,
        game: str,
        options: dict[str, Any],
        *,
        seats: int = 3,
        commands: int = 30,
        twins: bool = False,
    ) -> None:
        self.api = api
        self.commands = commands
        self.twins = twins
        people = [Person(api, f"Seat {number}") for number in range(1, seats + 1)]
        body = {"game": game, "seats": seats, "options": options}
        opened = people[0].client.post("/v1/meetings", json=body)
        assert opened.status_code == 201, opened.text
        self.id: str = opened.json()["id"]
        self.path = f"/v1/meetings/{self.id}"
        for person in people:
            assert person.client.post(f"{self.path}/seats", json={}).status_code == 201
        self.host = people[0]
        self.callers = [
            Stubborn(addresses, person.token, f"{self.id}-{seat}")
            for seat, person in enumerate(people, 1)
        ]
        self.answers: list[list[dict[str, Any]]] = [[] for _ in people]
        """What each seat was told of its accepted commands."""
        self.refusals: set[str] = set()

    @property
    def repeated(self) -> int:
        """How many calls had to be made again."""
        return sum(caller.repeated for caller in self.callers)

    @property
    def accepted(self) -> int:
        """How many commands were accepted."""
        return sum(map(len, self.answers))

    def close(self) -> None:
        """End the connections of the seats."""
        for caller in self.callers:
            caller.close()

    def play(self, redis_url: str) -> "Table":
        """Let all seats act until the meeting is over or they have acted enough."""
        start = self.callers[0].post(f"{self.path}/start", {})
        assert start.status_code == 200, start.text
        ended = threading.Event()
        settling = threading.Thread(target=self._settle, args=(redis_url, ended))
        settling.start()
        try:
            with ThreadPoolExecutor(len(self.callers)) as pool:
                list(pool.map(self._act, range(1, len(self.callers) + 1)))
        except BaseException:
            self.close()
            raise
        finally:
            ended.set()
            settling.join(PATIENCE)
        with self.api.client(ADMIN) as admin:
            if admin.get(self.path).json()["status"] == "running":
                assert admin.post(f"{self.path}/abandon").status_code == 200
        return self

    def _settle(self, redis_url: str, ended: threading.Event) -> None:
        while not ended.wait(0.05):
            settle(redis_url, self.id)

    def _act(self, seat: int) -> None:
        caller, random = self.callers[seat - 1], Random(f"{self.id}/{seat}")
        until = time.monotonic() + PATIENCE
        while self.accepted < self.commands:
            told = caller.get(f"{self.path}/actions")
            if told["default"] is None:
                if caller.get(self.path)["status"] != "running":
                    return
                assert time.monotonic() < until, "nobody acts"
                time.sleep(0.005)
                continue
            body = random.choice([told["default"], random.choice(told["actions"])])
            answer = self._give(caller, {**body, "decision": told["decision"]})
            if answer.status_code == 200:
                self.answers[seat - 1].append(answer.json())
            else:
                self.refusals.add(answer.json()["code"])
                assert answer.json()["code"] in LATE, answer.text

    def _give(self, caller: Stubborn, body: dict[str, Any]) -> httpx.Response:
        path = f"{self.path}/commands"
        if not self.twins:
            return caller.post(path, body)
        key = f"twin-{self.id}-{next(caller._calls)}"
        with ThreadPoolExecutor(2) as pool:
            calls = [pool.submit(caller.send, "POST", path, body, key) for _ in range(2)]
            one, two = (call.result() for call in calls)
        assert one.status_code == two.status_code, f"{one.text} / {two.text}"
        if one.status_code == 200:
            assert one.json() == two.json()
            assert one.content == two.content
        return one

    def check(self) -> int:
        """Hold the log against what was told; how many commands it has.

        Raises:
            AssertionError: an effect is missing, double, or another than was told.
        """
        with self.api.client() as anybody:
            log = anybody.get(f"{self.path}/log").content
        check_log(log)
        by_seat = commands_by_seat(log)
        for seat, (caller, answers) in enumerate(
            zip(self.callers, self.answers, strict=True), start=1
        ):
            feed = feed_of(caller.get, self.path)
            assert [event["version"] for event in feed] == list(range(1, len(feed) + 1))
            told = [event for answer in answers for event in answer["events"]]
            assert told == [feed[event["version"] - 1] for event in told]
            versions = [event["version"] for event in told]
            assert len(set(versions)) == len(versions), "two commands tell one event"
            assert len(by_seat.get(seat, [])) == len(answers), "done twice, or never told"
        self.close()
        return sum(map(len, by_seat.values()))


def check_log(log: bytes) -> None:
    """A log that is dense, and honest."""
    lines = [json.loads(line) for line in log.splitlines()]
    assert [line["seq"] for line in lines] == list(range(1, len(lines) + 1))
    report = verify(lines_of(log))
    assert report.ok, report.problems


def commands_by_seat(log: bytes) -> dict[int, list[dict[str, Any]]]:
    """The commands that a log carries, by the seat that gave them."""
    found: dict[int, list[dict[str, Any]]] = {}
    for text in log.splitlines():
        line = json.loads(text)
        if "command" in line and "seat" in line:
            found.setdefault(line["seat"], []).append(line["command"])
        for viewer, own in line.get("private", {}).items():
            if viewer != "server" and "command" in own:
                found.setdefault(int(viewer), []).append(own["command"])
    return found


def feed_of(get: Callable[[str], dict[str, Any]], path: str) -> list[dict[str, Any]]:
    """All events of a caller's feed."""
    items: list[dict[str, Any]] = []
    after: int | None = 0
    while after is not None:
        page = get(f"{path}/events?after={after}&limit=1000")
        items += page["items"]
        after = page["next_cursor"]
    return items
