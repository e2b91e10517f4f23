"""Meetings of every game that run, held at points where a caller may give a certain command."""

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from random import Random
from typing import Any

import httpx

Body = dict[str, Any]

KINDS: dict[str, list[tuple[int, Body]]] = {
    "bookmaker": [
        (2, {"programme": ["joker", "joker_trot"], "in_running": True, "brocco": True}),
        (4, {"programme": ["joker", "trot"] * 2, "in_running": True, "odds_step": 0.1}),
        (3, {"programme": ["plain", "joker", "plain"], "odds_step": 0.5}),
    ],
    "change-horses": [
        (3, {"turn_order": "derby", "races": 3}),
        (2, {"races": 3}),
        (4, {"races": 2, "finish": 9}),
    ],
    "ticket-gagnant": [
        (2, {"races": 6}),
        (3, {"choice": "flat_only", "wild": "printed"}),
        (4, {"dashed_line": "no_return", "photo_finish": "rail"}),
    ],
    "tuyaux": [
        (3, {"bets": "tierce", "target": 30}),
        (4, {"bets": "win_and_place", "open_bets": True, "target": 30}),
        (3, {"bets": "two_wins", "whip": "first_whip", "target": 30}),
    ],
}
"""Game -> seats and options of its meetings, in turn: every command can be given in one of them."""

ANSWER = "bookmaker.answer_bet"
KEEPING_BOOK = frozenset(
    f"bookmaker.{name}" for name in ("change_odds", "done", "show_odds", "turn_card")
)
"""What a bookmaker may do while bets can wait for its answer."""

SOON, STEPS = 10, 60
"""Moves that are made at a table to come to where a command can be given: at each, then at most."""

PAID_FIRST, PAID = 100, 2
"""Moves that are made for a type of command, and for each of its calls: what is rare is not sought
for ever."""

USUAL = 0.7
"""Of these moves so many are those of the clock; the rest is anything."""

HELD = 10
"""Meetings of a caller and a game that are held at different points."""


class Gone(Exception):
    """A caller's token is dead, or the meeting is over."""


class Player:
    """Who plays at these tables.

    Args:
        http: a client of the server.
        token: as in the header Authorization.
    """

    def __init__(self, http: httpx.Client, token: str) -> None:
        self._http = http
        self.token = token

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """What a call answers.

        Raises:
            Gone: it is refused.
        """
        headers = {"Authorization": self.token}
        answer = self._http.request(method, path, json=body, headers=headers)
        if not answer.is_success:
            raise Gone(answer.text)
        return answer.json()


class Table:
    """A meeting that runs; its seats are these players, in order."""

    def __init__(self, game: str, seats: int, options: Body, players: list[Player]) -> None:
        self.game = game
        self.seats = seats
        self.players = players
        told = {"game": game, "seats": seats, "options": options}
        self.id: str = players[0].call("POST", "/v1/meetings", told)["id"]
        self.path = f"/v1/meetings/{self.id}"
        for player in players:
            player.call("POST", f"{self.path}/seats", {})
        players[0].call("POST", f"{self.path}/start", {})
        self._listings: dict[str, Body] = {}
        self._to_act: list[int] | None = None

    def moved(self) -> None:
        """Somebody did something here: what was known no longer holds."""
        self._listings.clear()
        self._to_act = None

    def listing(self, token: str) -> Body:
        """What a player may do now.

        Raises:
            Gone: nothing any more.
        """
        if token not in self._listings:
            player = next((one for one in self.players if one.token == token), None)
            if player is None:
                raise Gone
            self._listings[token] = player.call("GET", f"{self.path}/actions")
        return self._listings[token]

    def owes(self, token: str) -> bool:
        """Whether a player has a decision to take."""
        try:
            return self.listing(token)["decision"] is not None
        except Gone:
            return False

    def own(self, token: str) -> Body | None:
        """A player's seat and decision, the bets that it may answer, and legal commands.

        None where it owes none.
        """
        if not self.owes(token):
            return None
        told = self.listing(token)
        number = next(at for at, one in enumerate(self.players, 1) if one.token == token)
        bets = sorted({action["bet"] for action in told["actions"] if "bet" in action})
        legal = [told["default"] or told["actions"][0], *told["actions"]]
        return {"seat": number, "decision": told["decision"], "bets": bets, "legal": legal}

    def may(self, token: str, kind: str) -> bool:
        """Whether a player may give a command of this type."""
        if not self.owes(token):
            return False
        return any(action["type"] == kind for action in self.listing(token)["actions"])

    def suits(self, body: Body) -> bool:
        """Whether the game has such a command with so many seats; else it is malformed here."""
        if str(body.get("type", "")).partition(".")[0] != self.game:
            return False
        return body.get("option") != "change" or ("certificate" in body) == (self.seats == 2)

    def takes(self, token: str, body: Body) -> bool:
        """Whether a player sits here, owes a decision and could send this.

        A bet that is not there is malformed for a bookmaker (sheet, Refusals), so one without bets
        to answer is asked for none.
        """
        if not self.suits(body) or not self.owes(token):
            return False
        kinds = {action["type"] for action in self.listing(token)["actions"]}
        return body.get("type") != ANSWER or ANSWER in kinds or not kinds & KEEPING_BOOK

    def step(self, random: Random) -> bool:
        """Let a seat that owes something do something; whether there is one."""
        asked = [self.players[seat - 1] for seat in self._to_act or ()] or self.players
        for player in random.sample(asked, len(asked)):
            told = self.listing(player.token)
            if told["decision"] is not None and told["actions"]:
                usual = told["default"] or told["actions"][0]
                body = usual if random.random() < USUAL else random.choice(told["actions"])
                self.moved()
                answer = player.call("POST", f"{self.path}/commands", body)
                self._to_act = answer["board"]["to_act"]
                return True
        return False


class Tables:
    """All tables of all callers.

    Args:
        http: a client of the server.
    """

    def __init__(self, http: httpx.Client) -> None:
        self._http = http
        self._random = Random(1)
        self._callers: dict[str, Player | None] = {}
        self._held: dict[tuple[str, str], list[Table]] = {}
        self._all: dict[str, Table] = {}
        self._opened: dict[str, int] = {}
        self._paid: dict[str, float] = {}
        self._turn = 0
        self._partners = [self._partner(number) for number in range(3)]

    def _partner(self, number: int) -> Player:
        made = self._http.post("/v1/players", json={"name": f"Partner {number}"})
        return Player(self._http, f"Bearer {made.json()['token']}")

    def known(self, meeting: str) -> Table | None:
        """The table of this id."""
        return self._all.get(meeting)

    def moved(self, meeting: Any) -> None:
        """A call changed something at a meeting."""
        if meeting in self._all:
            self._all[meeting].moved()

    def any(self, token: Any) -> Table | None:
        """A table of the caller, of each game in turn."""
        self._turn += 1
        game = list(KINDS)[self._turn % len(KINDS)]
        return self._owed(token, game, {"type": f"{game}."})

    def owing(self, token: Any, kind: str, body: Body) -> Table | None:
        """A table where the caller may give a command of this type; else where it owes another."""
        game = kind.partition(".")[0]
        if game not in KINDS:
            return self.any(token)
        self._paid[kind] = self._paid.get(kind, PAID_FIRST) + PAID
        return self._led(token, game, kind, body) or self._owed(token, game, body)

    def _owed(self, token: Any, game: str, body: Body) -> Table | None:
        """A table of the game where the caller owes anything; any, where it is no player."""
        if self._is_player(token):
            held = self._held.setdefault((token, game), [])
            for table in chain(tuple(held), self._new(token, game)):
                with suppress(Gone):
                    for _ in range(STEPS if table.suits(body) else 0):
                        if table.takes(token, body):
                            return table
                        if not table.step(self._random):
                            break
            return None
        return next((table for table in self._all.values() if table.suits(body)), None)

    def _led(self, token: Any, game: str, kind: str, body: Body) -> Table | None:
        """A table at which such a command may be given: one that is held, else one led to there."""
        if not self._is_player(token):
            return None
        held = self._held.setdefault((token, game), [])
        for table in held:
            if table.suits(body) and table.may(token, kind):
                held.remove(table)
                held.append(table)  # taken last: the next call goes elsewhere first
                return table
        tables = chain(
            ((table, SOON) for table in held[: len(held) - HELD + 1]),
            ((table, SOON) for table in self._new(token, game)),
            ((table, STEPS) for table in held[-len(KINDS[game]) :]),
        )
        while self._paid[kind] >= 0 and (found := next(tables, None)):
            self._paid[kind] -= 1
            if found[0].suits(body) and self._walk(*found, token, kind):
                return found[0]
        return None

    def _walk(self, table: Table, steps: int, token: str, kind: str) -> bool:
        """Lead a table to where the caller may give such a command; whether it came there."""
        try:
            for _ in range(steps):
                if table.may(token, kind):
                    return True
                self._paid[kind] -= 1
                if self._paid[kind] < 0:
                    return False
                if not table.step(self._random):
                    break
            else:
                return False
        except Gone:
            pass
        for held in self._held.values():
            if table in held:
                held.remove(table)  # it is over, or stands still
        return False

    def _is_player(self, token: Any) -> bool:
        if not isinstance(token, str) or not re.fullmatch(r"Bearer [!-~]+", token):
            return False
        if token not in self._callers:
            player = Player(self._http, token)
            try:
                player.call("GET", "/v1/me")
            except Gone:
                self._callers[token] = None
            else:
                self._callers[token] = player
        return self._callers[token] is not None

    def _new(self, token: str, game: str) -> Iterator[Table]:
        """New tables of each kind, as they are needed."""
        for _ in KINDS[game]:
            try:
                table = self._open(token, game)
            except Gone:  # a token of these died: look again whose it was
                self._callers.clear()
                if not self._is_player(token):
                    return
            else:
                held = self._held[token, game]
                held.append(table)
                del held[:-HELD]
                yield table

    def _open(self, token: str, game: str) -> Table:
        """A new table with the caller, its peer and as many others as are needed."""
        number = self._opened[game] = self._opened.get(game, -1) + 1
        seats, options = KINDS[game][number % len(KINDS[game])]
        caller = self._callers[token]
        assert caller is not None
        peers = [one for one in self._callers.values() if one is not None and one is not caller]
        players = [caller, *peers[-1:], *self._partners][:seats]
        table = Table(game, seats, options, players)
        self._all[table.id] = table
        return table
