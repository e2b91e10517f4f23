"""A meeting of every game, in which every command is given: the examples of play."""

from contextlib import AsyncExitStack
from typing import Any

import httpx

from domain.kernel.message import type_of
from domain.registry import GAMES
from tests.domain.games.ticket_gagnant.turf import HORSES, MOAT, STUCK, deck
from tests.openapi.recording import People, Recorder, Shop

Body = dict[str, Any]
STUCK_TOO = ["black+blue", "black+green", "purple+red"]


def nothing(_: Any) -> None:
    """Of this answer another example is enough."""


STUCK_BODY: Body = {
    "options": {"course": MOAT},
    "arranged": {
        "draws": {
            "first_player": [1],
            "race-1/lanes": list(HORSES),
            "race-1/deck": deck({1: STUCK, 2: STUCK_TOO}, 2, 3, 1, "free"),
        }
    },
}
"""A race of Ticket Gagnant in which nobody can play anything."""

WAITING_BET: Body = {
    "bookmaker.set_odds": {"odds": {"red": 3, "blue": 3, "green": 2, "yellow": 2}, "limit": 50},
    "bookmaker.place_bet": {"stake": 100},
}
RIVER: Body = {"hedge": 1, "side": "front"}
BY_THE_RIVER: Body = {
    "ticket-gagnant.choose_race": {
        "kind": "steeplechase",
        "deal": 3,
        "hidden": True,
        "river": RIVER,
    }
}
JOKERS: Body = {"options": {"programme": ["joker_trot"] * 4, "in_running": True, "brocco": True}}
DERBY: Body = {"options": {"turn_order": "derby"}}

TABLES: dict[str, tuple[tuple[Body, Body], ...]] = {
    "bookmaker": ((JOKERS, WAITING_BET),),
    "change-horses": ((DERBY, {}),),
    "ticket-gagnant": (({}, {}), (STUCK_BODY, BY_THE_RIVER)),
    "tuyaux": (({}, {}),),
}
"""By game: the meetings in which every command is given, and by type what is told otherwise than it
is listed."""

SEATS = {"bookmaker": 4, "change-horses": 3, "ticket-gagnant": 2, "tuyaux": 2}
AGAINST_RULES: dict[str, Body] = {
    "bookmaker.set_odds": {"odds": {"red": 1, "blue": 1, "green": 1, "yellow": 1}, "limit": 100},
    "change-horses.select_cards": {"cards": []},
    "ticket-gagnant.predict": {},
    "tuyaux.bet": {"win": []},
}
"""By type: the fields with which a command is refused by a rule."""

ROUNDS_MAX = 900


class Play:
    """Meetings of one game, played to their ends, until each command was given.

    Args:
        on: what is recorded.
        shop: the app.
        game: which.
        people: a caller for each seat.
    """

    def __init__(
        self, on: Recorder, shop: Shop, game: str, people: list[httpx.AsyncClient]
    ) -> None:
        self._on, self._shop, self._people = on, shop, people
        self._game = GAMES[game]
        self._left = {type_of(kind): kind for kind in self._game.commands}
        self._refused: set[str] = set()
        self._words: Body = {}

    async def run(self, nobody: httpx.AsyncClient) -> None:
        """Play them."""
        for more, words in TABLES[self._game.id]:
            self._words = words
            await self._meeting(nobody, more)
        assert not self._left, f"never given: {sorted(self._left)}"

    async def _meeting(self, nobody: httpx.AsyncClient, more: Body) -> None:
        game = self._game.id
        body = {"game": game, "seats": len(self._people), **more}
        made = await self._on.call(self._people[0], "POST", "/v1/meetings", body)
        path = made.headers["location"]
        for seat, person in enumerate(self._people, 1):
            await self._on.call(person, "POST", f"{path}/seats", {"seat": seat})
        await self._on.call(self._people[0], "POST", f"{path}/start")
        said = f"The board of a seat of {self._game.title}"
        await self._on.call(self._people[0], "GET", f"{path}/board", keep=game, summary=said)
        said = f"The first events of {self._game.title}, as a seat knows them"
        await self._on.call(
            self._people[0],
            "GET",
            f"{path}/events?after={len(self._people) + 1}&limit=4",
            keep=game,
            summary=said,
        )
        for _ in range(ROUNDS_MAX):
            if not await self._round(path):
                break
        said = f"A meeting of {self._game.title} that is over, as everybody sees it"
        await self._on.call(nobody, "GET", path, keep=f"{game}-over", summary=said)

    async def _round(self, path: str) -> bool:
        """Let every seat act that wants to; whether anything was done."""
        done = False
        for person in self._people:
            answer = await self._on.call(person, "GET", f"{path}/actions")
            told = answer.json()
            body = self._wanted(told) or told["default"]
            if body is None:
                continue
            body |= self._words.get(body["type"], {})
            if len(answer.content) < 2_000 and body["type"] in self._left:
                await self._on.call(
                    person,
                    "GET",
                    f"{path}/actions",
                    keep=self._game.id,
                    summary=f"What a seat of {self._game.title} may do",
                )
            number = {} if told["decision"] is None else {"decision": told["decision"]}
            await self._give(person, path, {**body, **number})
            done = True
        if not done:
            kept = await self._shop.deps.meetings.known(path.rpartition("/")[2])
            command = self._game.awaits(kept.full)
            if command is not None:
                await self._shop.deps.meetings.command(kept.full.id, lambda _: 0, command, None)
                done = True
        return done

    def _wanted(self, told: Body) -> Body | None:
        """A command of a type that was not given yet."""
        return next((body for body in told["actions"] if body["type"] in self._left), None)

    async def _give(self, person: httpx.AsyncClient, path: str, body: Body) -> None:
        name = body["type"]
        fault = AGAINST_RULES.get(name)
        if fault is not None and name not in self._refused:
            self._refused.add(name)
            refused = await self._on.call(
                person, "POST", f"{path}/commands", {"type": name, **fault}
            )
            assert refused.status_code == 422, refused.text
        kind = self._left.pop(name, None)
        first = len(self._left) == len(self._game.commands) - 1
        answer = await self._on.call(
            person,
            "POST",
            f"{path}/commands",
            body,
            keep=None if kind is None else name,
            summary="" if kind is None else (kind.__doc__ or "").partition("\n")[0],
            cut=None if first else nothing,
        )
        assert answer.status_code == 200, answer.text


async def play(on: Recorder, stack: AsyncExitStack) -> None:
    """A meeting of every game; the last is rated."""
    shop = Shop("play-2")
    people = People(shop, stack)
    nobody = await people.caller(None)
    names = ("Ann", "Ben", "Cleo", "Dai")
    seated = [await people.person(name) for name in names]
    for game in GAMES:
        await Play(on, shop, game, seated[: SEATS[game]]).run(nobody)
    await shop.projector.catch_up()
    await on.call(
        nobody,
        "GET",
        "/v1/leaderboards/tuyaux",
        keep="shown",
        summary="After one rated meeting, beside the built-in bots",
    )
