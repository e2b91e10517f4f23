"""Tuyaux once more, written down from the sheet alone: what tests compare the game with.

It shares no code with the game and is as plain as can be; speed does not matter. Chance is asked
for by label.
"""

from collections.abc import Callable, Sequence
from itertools import permutations, product
from typing import Any

from tests.domain.games.tuyaux.paddock import FACES, HORSES, printed

Body = dict[str, Any]
Draw = Callable[[str, Sequence[Any]], list[Any]]
TIPS = [f"{horse}-{face}" for horse in HORSES for face in FACES]


class Refused(Exception):
    """A 409 by its code, or 422 (`rule`)."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


def demand(condition: bool, kind: str = "rule") -> None:
    """Refuse where a sentence of the sheet does not hold."""
    if not condition:
        raise Refused(kind)


def table_order(horses: Sequence[str]) -> list[str]:
    """Horses as TU-S1 lists them."""
    return [horse for horse in HORSES if horse in horses]


def one_step(field: list[list[str]], horse: str, forward: bool) -> list[list[str]]:
    """TU-M7: one place, by looking at the lines from the horse's side."""
    lines = field if forward else field[::-1]
    at = next(i for i, line in enumerate(lines) if horse in line)
    left = [[h for h in line if h != horse] for line in lines]
    if len(lines[at]) > 1:
        moved = [*left[:at], [horse], *left[at:]]
    elif at == 0:
        moved = lines
    else:
        moved = [*left[: at - 1], [horse], left[at - 1], *left[at + 1 :]]
    return moved if forward else moved[::-1]


def orders(field: list[list[str]]) -> list[list[str]]:
    """TU-E1: every order of the horses within their lines."""
    per_line = [list(permutations(line)) for line in field]
    return [[h for line in chosen for h in line] for chosen in product(*per_line)]


def pays(field: list[list[str]], values: dict[str, int], bet: Body) -> int:
    """TU-E1."""
    win = {2: 1, 1: 2, 0: 3}
    place = {2: 1, 1: 1, 0: 2}
    coins = sum(win[values[h]] for h in bet["win"] or [] if h in field[0])
    among = field[0] if len(field[0]) > 1 else field[0] + field[1]
    if bet["place"] in among:
        coins += place[values[bet["place"]]]
    named = bet["tierce"]
    if named and any(order[:3] == named for order in orders(field)):
        coins += sum(win[values[h]] for h in named)
    elif named and any(set(order[:3]) == set(named) for order in orders(field)):
        coins += sum(place[values[h]] for h in named)
    return coins


class Reference:
    """A meeting of Tuyaux, from the moment it starts."""

    def __init__(self, seats: int, options: Body, draw: Draw) -> None:
        self.n = seats
        self.o = options
        self.draw = draw
        self.coins = dict.fromkeys(range(1, seats + 1), 0)
        self.results: list[Body] = []
        self.over = False
        self.dealer = draw("dealer", list(range(1, seats + 1)))[0]
        self.race = 0
        self.open_race()

    def open_race(self) -> None:
        """TU-S4."""
        self.race += 1
        under = f"race-{self.race}/"
        table = printed()
        self.card = self.draw(under + "programme", list(table))[0]
        self.values = table[self.card][1]
        starters = list(self.values)
        cards = [f"{h}-{v}" for h, v in self.values.items()]
        self.deck = self.draw(under + "race-deck", cards)
        tips = [tip for tip in TIPS if tip.split("-")[0] in starters]
        tips = self.draw(under + "tips", tips)
        self.hands: dict[int, list[str]] = {}
        for seat in self.order():
            hand, tips = tips[: len(starters)], tips[len(starters) :]
            self.hands[seat] = [name for name in TIPS_ONCE for card in hand if card == name]
        self.field = [starters]
        self.bets: dict[int, Body] = {}
        self.turned: list[str] = []
        self.played: list[Body] = []

    def order(self) -> list[int]:
        """TU-T1: from the seat left of the dealer, the dealer last."""
        every = [*range(1, self.n + 1)] * 2
        at = every.index(self.dealer)
        return every[at + 1 : at + 1 + self.n]

    @property
    def phase(self) -> str | None:
        """What is asked now."""
        if self.over:
            return None
        return "bet" if len(self.bets) < self.n else "tips"

    def to_act(self) -> list[int]:
        """Who is asked now."""
        if self.over:
            return []
        if self.phase == "bet":
            return [seat for seat in range(1, self.n + 1) if seat not in self.bets]
        return [self.order()[len(self.played) % self.n]]

    def give(self, seat: int, body: Body) -> None:
        """A seat's command."""
        name = body["type"].split(".")[1]
        demand(not self.over, "meeting_not_running")
        demand(self.phase == ("bet" if name == "bet" else "tips"), "wrong_phase")
        if name == "bet":
            self.bet(seat, body)
        else:
            self.tip(seat, body["card"])

    def bet(self, seat: int, body: Body) -> None:
        """TU-B1, TU-B3."""
        demand(seat not in self.bets, "already_done")
        asked = {
            "win": [("win", 1)],
            "two_wins": [("win", 2)],
            "win_and_place": [("win", 1), ("place", 1)],
            "tierce": [("tierce", 3)],
        }[self.o["bets"]]
        given = {k: [v] if isinstance(v, str) else v for k, v in body.items() if k != "type"}
        demand(sorted(given) == sorted(name for name, _ in asked))
        for name, count in asked:
            demand(len(given[name]) == count == len(set(given[name])))
            demand(all(horse in self.values for horse in given[name]))
        self.bets[seat] = {
            "win": table_order(given["win"]) if "win" in given else None,
            "place": body.get("place"),
            "tierce": body.get("tierce"),
        }
        if len(self.bets) == self.n:
            self.turn_card()

    def turn_card(self) -> None:
        """TU-T1, TU-M2."""
        card = self.deck[len(self.turned)]
        self.turned.append(card)
        horse, value = card.split("-")
        self.move(horse, int(value))

    def move(self, horse: str, places: int) -> int:
        """TU-M7; what was really gained."""
        made = 0
        for _ in range(abs(places)):
            after = one_step(self.field, horse, places > 0)
            if after != self.field:
                made += 1 if places > 0 else -1
            self.field = after
        return made

    def tip(self, seat: int, card: str) -> None:
        """TU-T1, TU-M3 to TU-M6."""
        demand(self.to_act() == [seat], "not_your_turn")
        demand(card in self.hands[seat])
        turn = len(self.turned)
        horse, face = card.split("-")
        raced, value = self.turned[-1].split("-")
        if face != "whip":
            worth = int(face)
        elif self.o["whip"] == "last_turn":
            worth = 3 if turn == len(self.values) else 2
        else:
            earlier = [p for p in self.played if p["turn"] == turn and "whip" in p["card"]]
            worth = 2 if earlier else 3
        places = worth - int(value)
        if places < 0 and value == "2" and horse == raced:
            places = 0
        self.hands[seat].remove(card)
        moved = self.move(horse, places)
        self.played.append({"turn": turn, "seat": seat, "card": card, "moved": moved})
        if len(self.played) % self.n == 0:
            if turn < len(self.values):
                self.turn_card()
            else:
                self.settle()

    def settle(self) -> None:
        """TU-E1, TU-E2, TU-E3, TU-T2."""
        bets = [self.bets[seat] for seat in range(1, self.n + 1)]
        paid = [pays(self.field, self.values, bet) for bet in bets]
        for seat, coins in enumerate(paid, 1):
            self.coins[seat] += coins
        self.results.append(
            {
                "race": self.race,
                "programme": {"card": self.card, "values": self.values},
                "lines": self.field,
                "winners": self.field[0],
                "bets": bets,
                "pays": paid,
            }
        )
        target = self.o["target"]
        if any(c >= target for c in self.coins.values()) or self.race == max(20 * target, 100):
            self.over = True
            return
        self.dealer = self.order()[0]
        self.open_race()

    def ranking(self) -> list[Body]:
        """TU-E2, TU-E3."""
        target = self.o["target"]
        groups = [[s for s in self.coins if self.coins[s] >= target]]
        for coins in range(target - 1, -1, -1):
            groups.append([s for s in self.coins if self.coins[s] == coins])
        rows: list[Body] = []
        for group in groups:
            rank = len(rows) + 1
            rows += [{"seat": s, "rank": rank, "points": self.coins[s]} for s in group]
        return rows


TIPS_ONCE = list(dict.fromkeys(TIPS))
