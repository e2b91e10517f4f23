"""The calls that become the examples of the document, scene by scene, each on an app of its own."""

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

import httpx

from domain.registry import GAMES
from service.ports import Diverged, LogUnavailable
from tests.openapi.playing import play
from tests.openapi.recording import People, Recorder, Shop

Body = dict[str, Any]
Scene = Callable[[Recorder, AsyncExitStack], Awaitable[None]]
HTML_LINES = 3


# ---------------------------------------------------------------------- of long answers


def shortened(page: Body) -> Body:
    """The first entries of a page."""
    return {**page, "items": page["items"][:3]}


def of_game(entry: Body) -> Body:
    """A catalogue's entry with the first of each kind of thing."""
    phases = entry["phases"][:1]
    return {
        **entry,
        "phases": phases,
        "commands": [c for c in entry["commands"] if c["phases"] == [phases[0]["phase"]]][:1],
        "events": entry["events"][:1],
        "texts": dict(list(entry["texts"].items())[:3]),
    }


def first_lines(text: str) -> str:
    """The beginning of a text."""
    return "".join(text.splitlines(keepends=True)[:HTML_LINES])


# ---------------------------------------------------------------------- players


async def players(on: Recorder, stack: AsyncExitStack) -> None:
    """Who plays, and what a server tells of players."""
    shop = Shop("players")
    people = People(shop, stack)
    nobody, admin = await people.caller(None), await people.admin()
    made = await on.call(
        nobody, "POST", "/v1/players", {"name": "Ann"}, keep="ann", summary="Ann becomes a player"
    )
    ann = await people.caller(made.json()["token"])
    path = f"/v1/players/{made.json()['id']}"
    await on.call(ann, "GET", "/v1/me", keep="ann", summary="Ann, who sits nowhere yet")
    await on.call(nobody, "GET", path, keep="person", summary="A person")
    await on.call(nobody, "GET", "/v1/players/steady", keep="bot", summary="A built-in bot")
    roles = {"roles": ["player", "organiser"]}
    await on.call(admin, "PATCH", path, roles, keep="organiser", summary="Ann becomes an organiser")
    await on.call(ann, "PATCH", path, roles)
    await on.call(admin, "PATCH", "/v1/players/admin", {"roles": ["player"]})
    await on.call(ann, "POST", "/v1/me/token", keep="rotated", summary="Another token for Ann")
    await on.call(
        admin, "POST", f"{path}/token", keep="reissued", summary="All her old tokens are dead"
    )
    await on.call(admin, "DELETE", f"{path}/token", keep="revoked", summary="She has none any more")
    await on.call(ann, "GET", "/v1/me")
    await on.call(nobody, "GET", "/v1/players/nobody")
    await on.call(nobody, "POST", "/v1/players", {"name": "Ann", "age": 7})
    await on.call(nobody, "POST", "/v1/players", content=b"name=Ann")
    closed = People(Shop("closed", registration="closed"), stack)
    await on.call(await closed.caller(None), "POST", "/v1/players", {"name": "Eve"})
    small = People(Shop("small", body_bytes_max=20), stack)
    await on.call(await small.caller(None), "POST", "/v1/players", {"name": "Ann of many names"})
    few = People(Shop("few", reads_per_minute=1), stack)
    for _ in range(2):
        await on.call(await few.caller(None), "GET", "/v1/games")


# ---------------------------------------------------------------------- the server itself


async def _log_probe() -> Body:
    return {"ok": True, "state": "ok", "fsync": "always", "fsync_confirmed": True}


async def _no_log() -> Body:
    return {"ok": False, "state": "unreachable", "fsync": "always", "fsync_confirmed": True}


async def _queue_probe() -> Body:
    return {"ok": True}


async def server(on: Recorder, stack: AsyncExitStack) -> None:
    """Catalogue, health, figures, documents."""
    people = People(Shop("server", probes={"event_log": _log_probe, "queue": _queue_probe}), stack)
    nobody, admin = await people.caller(None), await people.admin()
    await on.call(
        nobody,
        "GET",
        "/v1/games/tuyaux",
        keep="tuyaux",
        summary="The first of each kind of thing alone",
        cut=of_game,
    )
    await on.call(nobody, "GET", "/v1/games/chess")
    await on.call(
        nobody,
        "GET",
        "/v1/games",
        keep="games",
        summary="One game of several, of it the first of each kind of thing",
        cut=lambda page: {**page, "items": [of_game(page["items"][-1])]},
    )
    plain: dict[str, tuple[str, Any]] = {
        "/": ("What is where", None),
        "/health/live": ("The process answers", None),
        "/health/ready": ("Every part is ready", None),
        "/v1/problems": ("The first of many", shortened),
        "/v1/limits": ("The defaults", None),
        "/problems/stale_decision": ("A code in words", None),
        "/docs": ("The page's beginning", first_lines),
        "/docs/reference": ("The page's beginning", first_lines),
        "/docs/schemas": ("The page's beginning", first_lines),
        "/docs/contract": ("The page's beginning", first_lines),
        "/docs/rules/tuyaux": ("The page's beginning", first_lines),
        "/docs/guides/first-client": ("The page's beginning", first_lines),
        "/docs/files/style.css": ("The file's beginning", first_lines),
        "/docs/files/icon.svg": ("The icon", None),
    }
    for path, (summary, cut) in plain.items():
        name = path.rpartition("/")[2] if "/files/" in path else "shown"
        await on.call(nobody, "GET", path, keep=name, summary=summary, cut=cut)
    await on.call(
        nobody,
        "GET",
        "/openapi.json",
        keep="shown",
        summary="The head of the document",
        cut=lambda whole: {key: whole[key] for key in ("openapi", "info", "servers")},
    )
    await on.call(
        admin, "GET", "/metrics", keep="shown", summary="The text's beginning", cut=first_lines
    )
    told, page = "A code in words", "The first page for people, as a browser gets it"
    for path, media, name, summary, cut in (
        ("/", "text/html", "page", page, first_lines),
        ("/problems/stale_decision", "application/json", "json", told, None),
        ("/problems/stale_decision", "text/html", "page", told, first_lines),
    ):
        asked = {"Accept": media}
        await on.call(nobody, "GET", path, keep=name, summary=summary, cut=cut, headers=asked)
    await on.call(nobody, "GET", "/problems/no_such_code")
    await on.call(nobody, "DELETE", "/v1/problems")
    lame = People(Shop("lame", probes={"event_log": _no_log, "queue": _queue_probe}), stack)
    await on.call(await lame.caller(None), "GET", "/health/ready")


# ---------------------------------------------------------------------- meetings


async def meetings(on: Recorder, stack: AsyncExitStack) -> None:
    """A table from its opening to its end, and what it refuses."""
    shop = Shop("meetings")
    people = People(shop, stack)
    ann, ben = await people.person("Ann"), await people.person("Ben")
    nobody = await people.caller(None)
    paths = await tables(on, ann)
    await seats(on, paths["tuyaux"], people, ann, ben)
    await running(on, paths["tuyaux"], nobody, ann, ben)
    await abandoned(on, paths["bookmaker"], nobody, ann, ben)
    await two_seats(on, ann, nobody)
    await shop.projector.catch_up()
    said = "The newest two meetings"
    await on.call(nobody, "GET", "/v1/meetings?limit=2", keep="lobby", summary=said)
    path = "/v1/meetings?game=tuyaux&status=running"
    said = "Those of a game that are under way"
    await on.call(nobody, "GET", path, keep="filtered", summary=said)
    await on.call(ann, "GET", "/v1/me", keep="seated", summary="Ann, who has seats")


async def tables(on: Recorder, ann: httpx.AsyncClient) -> dict[str, str]:
    """One of each game; their paths."""
    draws = {"first_player": [2]}
    opened: dict[str, Body] = {
        "bookmaker": {"options": {"programme": ["plain", "joker"], "cash": 500}},
        "change-horses": {"options": {"turn_order": "derby"}, "start": "when_full"},
        "ticket-gagnant": {"name": "Friday's table", "arranged": {"draws": draws}},
        "tuyaux": {},
    }
    paths = {}
    for game, more in opened.items():
        body = {"game": game, "seats": 3 if game == "change-horses" else 2, **more}
        said = f"A table of {GAMES[game].title}"
        made = await on.call(ann, "POST", "/v1/meetings", body, keep=game, summary=said)
        paths[game] = made.headers["location"]
    key = {"Idempotency-Key": "k-2"}
    for count in (2, 3):
        body = {"game": "tuyaux", "seats": count}
        await on.call(ann, "POST", "/v1/meetings", body, headers=key)
    return paths


async def seats(
    on: Recorder, path: str, people: People, ann: httpx.AsyncClient, ben: httpx.AsyncClient
) -> None:
    """Sit, keep, free."""
    here = f"{path}/seats"
    await on.call(ann, "POST", f"{path}/start")
    nonce = {"nonce": "Ann's own words"}
    await on.call(ann, "POST", here, nonce, keep="oneself", summary="Ann sits, with a nonce")
    await on.call(ann, "POST", here, {}, keep="again", summary="Ann sits here already")
    await on.call(ben, "POST", here, {"seat": 1})
    await on.call(ben, "POST", here, {"bot": "steady"})
    kept = {"player": people.ids["Ben"], "seat": 2}
    await on.call(ann, "POST", here, kept, keep="reserved", summary="Ann keeps a seat for Ben")
    await on.call(ben, "DELETE", f"{here}/1")
    await on.call(ben, "DELETE", f"{here}/9")
    await on.call(ben, "DELETE", f"{here}/2", keep="freed", summary="Ben leaves his seat")
    await on.call(ann, "DELETE", f"{here}/2")
    bot = {"bot": "steady"}
    await on.call(ann, "POST", here, bot, keep="bot", summary="Ann sits a bot down")


async def running(
    on: Recorder,
    path: str,
    nobody: httpx.AsyncClient,
    ann: httpx.AsyncClient,
    ben: httpx.AsyncClient,
) -> None:
    """What is refused to whom, and the beginning."""
    await on.call(ann, "GET", f"{path}/board?at=99")
    await on.call(nobody, "GET", f"{path}/log")
    await on.call(nobody, "GET", f"{path}/events", headers={"Accept": "text/html"})
    await on.call(nobody, "GET", f"{path}/board?seat=1")
    await on.call(ann, "POST", f"{path}/start", keep="started", summary="Play begins")
    await on.call(ann, "POST", f"{path}/start")
    await on.call(ben, "POST", f"{path}/abandon")
    await on.call(nobody, "GET", path, keep="running", summary="A meeting under way")


async def abandoned(
    on: Recorder,
    path: str,
    nobody: httpx.AsyncClient,
    ann: httpx.AsyncClient,
    ben: httpx.AsyncClient,
) -> None:
    """A meeting that nobody plays, and its log."""
    for person, seat in ((ann, 1), (ben, 2)):
        await on.call(person, "POST", f"{path}/seats", {"seat": seat})
    await on.call(ann, "POST", f"{path}/abandon", keep="abandoned", summary="Nobody plays")
    await on.call(ann, "POST", f"{path}/abandon")
    await on.call(ann, "POST", f"{path}/commands", {"type": "bookmaker.done"})
    said = "The log of a meeting that was abandoned before it began"
    for name, accept in (("ndjson", "application/x-ndjson"), ("text", "text/plain")):
        how: Body = {"headers": {"Accept": accept}, "keep": name, "summary": said}
        await on.call(nobody, "GET", f"{path}/log", **how)
    await on.call(nobody, "GET", "/v1/meetings/m0000000000000000")


async def two_seats(on: Recorder, ann: httpx.AsyncClient, nobody: httpx.AsyncClient) -> None:
    """One who plays both seats, and must say which; the host who ends what others play."""
    made = await on.call(ann, "POST", "/v1/meetings", {"game": "tuyaux", "seats": 2})
    path = made.headers["location"]
    for seat in (1, 2):
        await on.call(ann, "POST", f"{path}/seats", {"seat": seat})
    await on.call(ann, "POST", f"{path}/start")
    await on.call(ann, "GET", f"{path}/board")
    board = await on.call(
        ann, "GET", f"{path}/board?seat=1", keep="tuyaux", summary="The board of a seat of Tuyaux"
    )
    seen = {"If-None-Match": board.headers["etag"]}
    await on.call(
        ann,
        "GET",
        f"{path}/board?seat=1",
        headers=seen,
        keep="unchanged",
        summary="Nothing has changed",
    )
    bet = {"type": "tuyaux.bet", "seat": 1, "win": ["cocotte"]}
    await on.call(ann, "POST", f"{path}/commands", {**bet, "decision": 1})
    await on.call(
        ann, "POST", f"{path}/commands", {"type": "tuyaux.play_tip", "seat": 1, "card": "noiro-1"}
    )
    board = await on.call(ann, "GET", f"{path}/board?seat=2")
    starters = list(board.json()["programme"]["values"])
    for _ in range(2):
        await on.call(ann, "POST", f"{path}/commands", {**bet, "win": starters[:1]})
    await on.call(nobody, "POST", f"{path}/commands", {**bet, "win": starters[:1]})


# ---------------------------------------------------------------------- what goes wrong


class Away:
    """In the place of a log: it fails in one way."""

    partitions = 16

    def __init__(self, error: Exception) -> None:
        self._error = error

    def __getattr__(self, name: str) -> Any:
        raise self._error


async def faults(on: Recorder, stack: AsyncExitStack) -> None:
    """Logs that can't be reached or have lost something, and faults of our own."""
    for name, error in (
        ("away", LogUnavailable("away")),
        ("diverged", Diverged("behind")),
        ("broken", RuntimeError("broken")),
    ):
        shop = Shop(name)
        shop.deps.meetings.log = Away(error)
        shop.deps.meetings.shelf.log = Away(error)
        caller = await People(shop, stack).caller(None)
        await on.call(caller, "GET", "/v1/meetings/m0123456789abcdef")


SCENES: tuple[Scene, ...] = (players, server, meetings, play, faults)
