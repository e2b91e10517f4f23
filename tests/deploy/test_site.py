"""A site of single parts, started as deploy/ starts them: played on, watched, lost and restored."""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest

from tests.kit.answers import FOREIGN
from tests.kit.deployment import DEPLOY, run_shell, shell_blocks
from tests.kit.programs import is_alive
from tests.kit.redis_server import free_port
from tests.kit.site import ComposeSite, Site, UnitSite, children
from tests.kit.tools import need

S = TypeVar("S", bound=Site)
ADMIN = "the-admin-token-of-this-site"
SLOW = {"programme": ["plain", "joker", "trot", "joker_trot"] * 3}


@pytest.fixture
def site_of(tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Makes sites; what runs of them ends with the test."""
    sites: list[Site] = []

    def make(kind: type[S], **variables: str) -> S:
        sites.append(kind(tmp_path, {"HOMESTRETCH_ADMIN_TOKEN": ADMIN}, **variables))
        return sites[-1]  # type: ignore[return-value]

    yield make
    for site in sites:
        site.close()


def bearer(token: str) -> dict[str, str]:
    """The header of a caller."""
    return {"Authorization": f"Bearer {token}"}


class Table:
    """A meeting with a person in seat 1 and a bot in each other seat.

    Args:
        site: where.
        bots: how many.
        options: of the game.
    """

    def __init__(self, site: Site, bots: int, **options: Any) -> None:
        self._http = site.client
        made = self._ask("POST", "/v1/players", {}, name="Ann").json()
        self._head = bearer(made["token"])
        body = {"game": "bookmaker", "seats": bots + 1, "start": "when_full", "options": options}
        self.id: str = self._ask("POST", "/v1/meetings", self._head, **body).json()["id"]
        self.path = f"/v1/meetings/{self.id}"
        self._ask("POST", f"{self.path}/seats", self._head)
        for _ in range(bots):
            self._ask("POST", f"{self.path}/seats", self._head, bot="steady")

    def _ask(self, method: str, path: str, headers: dict[str, str], **body: Any) -> httpx.Response:
        answer = self._http.request(method, path, headers=headers, json=body)
        assert answer.is_success, answer.text
        return answer

    @property
    def summary(self) -> dict[str, Any]:
        """As everybody may know it."""
        told: dict[str, Any] = self._http.get(self.path).json()
        return told

    def play(self, site: Site, until: Callable[[dict[str, Any]], bool]) -> list[dict[str, Any]]:
        """Play the default of the person until then; the public feed from its beginning."""

        def step() -> bool:
            now = self._http.get(f"{self.path}/actions", headers=self._head).json()
            if now["default"] is not None:
                body = {**now["default"], "decision": now["decision"]}
                given = self._http.post(f"{self.path}/commands", headers=self._head, json=body)
                assert given.is_success or given.json()["code"] == "stale_decision", given.text
            told = self.summary
            return until(told) or told["status"] != "running"

        site.until(step)
        return self.feed()

    def feed(self) -> list[dict[str, Any]]:
        """Its public events."""
        items: list[dict[str, Any]] = []
        while True:
            query = {"after": len(items), "limit": 1000, "seat": "public"}
            page = self._http.get(f"{self.path}/events", params=query).json()
            items += page["items"]
            if page["next_cursor"] is None:
                return items


def over(summary: dict[str, Any]) -> bool:
    """Whether a meeting is finished."""
    return bool(summary["status"] == "finished")


def past(race: int) -> Callable[[dict[str, Any]], bool]:
    """Whether a meeting has come to this race."""
    return lambda summary: bool(summary["race"] >= race)


# ---------------------------------------------------------------------- as Compose starts it


def test_parts_started_as_compose_does_play_are_watched_and_stop_in_their_time(
    site_of: Callable[..., ComposeSite], tmp_path: Path
) -> None:
    site = site_of(ComposeSite, REDIS_MEMORY="512mb")
    site.env["HOMESTRETCH_METRICS_PORT"] = str(free_port())
    site.start_redis(tmp_path / "redis")
    assert site.healthy("redis")
    site.start()
    table = Table(site, 2)
    assert table.play(site, over)[-1]["type"] == "meeting_finished"
    hold_metrics(site)
    rotate_the_token(site)
    listed = site.client.get("/v1/meetings", params={"status": "finished"}).json()["items"]
    assert [item["id"] for item in listed] == [table.id]
    lose_redis(site)
    jobs: list[int] = []

    def at_work(_summary: dict[str, Any]) -> bool:
        jobs.extend(children(site.parts["turns"].process.pid))
        return bool(jobs)

    Table(site, 2, **SLOW).play(site, at_work)
    assert jobs, "a worker has a process for each job"
    site.stop()
    assert not [pid for pid in jobs if is_alive(pid)]


def hold_metrics(site: Site) -> None:
    """Dashboard, alarms and runbook name metrics that there are, and the runbook all of them."""
    answer = site.client.get("/metrics", headers=bearer(ADMIN))
    told = set(re.findall(r"^# TYPE (homestretch_\w+) \w+$", answer.text, re.MULTILINE))
    exported = {name for name in told if not name.endswith("_created")}
    samples = set(re.findall(r"^(homestretch_\w+)", answer.text, re.MULTILINE))
    named = {}
    for file in ("runbook.md", "prometheus/alerts.yaml", "grafana/homestretch.json"):
        text = (DEPLOY / file).read_text()
        named[file] = set(re.findall(r"\bhomestretch_[a-z]\w+", text))
        assert named[file] <= samples | exported, file
    told_of = {re.sub(r"_total$", "", name) for name in named["runbook.md"]}
    assert {re.sub(r"_total$", "", name) for name in exported} == told_of


def lose_redis(site: Site) -> None:
    """The port of the metrics tells that it is away and that it is back; nobody ended meanwhile."""
    url = f"http://127.0.0.1:{site.env['HOMESTRETCH_METRICS_PORT']}/metrics"

    def tells(line: str) -> bool:
        return f"\n{line}\n" in site.client.get(url, extensions=FOREIGN).text

    assert site.redis is not None
    site.until(lambda: tells("homestretch_log_ok 1.0") and tells("homestretch_queue_ok 1.0"))
    site.redis.kill()
    site.until(lambda: tells("homestretch_log_ok 0.0") and tells("homestretch_queue_ok 0.0"))
    site.redis.start()
    site.until(lambda: tells("homestretch_log_ok 1.0") and site.is_ready())


def rotate_the_token(site: Site) -> None:
    """By the API: the old one works until the new one is used."""
    (block,) = shell_blocks("Rotate the admin's token")
    need(shutil.which("curl"), "curl is missing (Debian: apt install curl)")
    env = {"HOMESTRETCH_URL": str(site.client.base_url), "HOMESTRETCH_TOKEN": ADMIN}
    new = json.loads(run_shell(block, env))["token"]

    def status(token: str) -> int:
        return site.client.get("/metrics", headers=bearer(token)).status_code

    assert [status(ADMIN), status(new), status(ADMIN)] == [200, 200, 401]


# ---------------------------------------------------------------------- as systemd starts it


def test_a_site_started_as_systemd_does_is_backed_up_lost_and_restored(
    site_of: Callable[..., UnitSite], tmp_path: Path
) -> None:
    need(shutil.which("curl"), "curl is missing (Debian: apt install curl)")
    site = site_of(UnitSite)
    site.start_redis(tmp_path / "first")
    site.start()
    finished, running = Table(site, 2), Table(site, 3, **SLOW)
    finished.play(site, over)
    running.play(site, past(2))
    env = operator_of(site, tmp_path)
    assert run_shell("homestretch archive --now", env).startswith("1 logs ")
    back_up, _ = shell_blocks("Back up")
    before = running.feed()
    env["BACKUP"] = run_shell(back_up, env).strip()
    lost = running.play(site, past(3))[-1]
    site.kill()

    env |= {"FOLDER": str(tmp_path / "second"), "MEETING": running.id, "FINISHED": finished.id}
    shutil.move(env["HOMESTRETCH_ARCHIVE"], tmp_path / "lost")
    lay, _, lay_archive, flush, look, listing, abandon, verify, *_ = shell_blocks("Restore")
    run_shell(lay, env)
    site.start_redis(tmp_path / "second")
    site.env["HOMESTRETCH_ADMIN_TOKEN"] = env["HOMESTRETCH_TOKEN"] = "the-one-after-it"
    assert run_shell(lay_archive, env).endswith(" read, 0 damaged\n")
    assert run_shell(flush, env) == "OK\n"
    site.start()
    assert "lobby 1, version " in run_shell(look, env)
    assert run_shell(listing, env).split() == [running.id]
    kept = running.feed()
    assert kept[: len(before)] == before
    assert lost not in kept
    tend(site, env)
    running.play(site, past(4))
    assert run_shell(verify, env).endswith("The log is in order.\n")
    run_shell(abandon, env)  # by the new token: that of the settings is the admin's
    assert site.client.get("/metrics", headers=bearer(ADMIN)).status_code == 401
    assert running.summary["status"] == "abandoned"
    site.stop()


def operator_of(site: Site, folder: Path) -> dict[str, str]:
    """What stands in the environment of an operator."""
    return {
        "BACKUPS": str(folder / "backups"),
        "HOMESTRETCH_REDIS_URL": f"redis://127.0.0.1:{site.redis_port}/0",
        "HOMESTRETCH_QUEUE_URL": site.queue_url,
        "HOMESTRETCH_DATA": str(site.data),
        "HOMESTRETCH_ARCHIVE": str(site.data / "archive"),
        "HOMESTRETCH_URL": str(site.client.base_url),
        "HOMESTRETCH_TOKEN": ADMIN,
    }


def tend(site: Site, env: dict[str, str]) -> None:
    """Views and a meeting that seems to stand still, by the runbook."""
    show, rebuild, retry = shell_blocks("Rebuild a view")
    told = run_shell(rebuild, env)
    assert told.endswith(": in use\n"), told
    number = told.splitlines()[-1].removesuffix(": in use")
    assert f"{number}, version " in run_shell(show, env)
    assert run_shell(retry, env).splitlines()[0].startswith("lobby: ")
    (inspect,) = shell_blocks("Read a stuck meeting")
    told = run_shell(inspect, env)
    assert "\nstatus     running, race " in told
    assert "no worker" not in told
    assert "no reactor" not in told
