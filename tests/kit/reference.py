"""Bookmaker once more, written down from the sheet alone: what tests compare the game with.

It shares no code with the game and is as plain as can be. Nothing is counted as play goes on where
it can be counted anew from what has happened; speed does not matter. Chance is asked for by label.
"""

from collections.abc import Callable, Sequence
from typing import Any

COLOURS = ("red", "blue", "green", "yellow")
PACK = [f"{c}-{n}" for c in COLOURS for n in range(1, 11) for _ in (1, 2)]
ORDER = {card: i for i, card in enumerate([*dict.fromkeys(PACK), "joker"])}
PHASES = {
    "exchange_cards": "exchange",
    "set_odds": "odds",
    "place_bet": "bets race",
    "answer_bet": "bets race",
    "change_odds": "bets",
    "done": "bets",
    **dict.fromkeys(("play_joker", "keep_joker", "turn_card", "show_odds"), "race"),
    "name_brocco": "brocco",
    **dict.fromkeys(("settle_race", "settle_meeting"), "settlement"),
}
Draw = Callable[[str, Sequence[Any]], list[Any]]
Body = dict[str, Any]


class Refused(Exception):
    """400 (`malformed`), a 409 by its code, or 422."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


def demand(condition: bool, kind: str = "rule") -> None:
    """Refuse where a sentence of the sheet does not hold."""
    if not condition:
        raise Refused(kind)


def tenths(number: Any) -> int | None:
    """Exact tenths, or None."""
    for t in range(-1, 1001):
        if t / 10 == number:
            return t
    return None


class Reference:
    """A meeting of Bookmaker, from the moment it starts."""

    def __init__(self, seats: int, options: Body, draw: Draw) -> None:
        self.n = seats
        self.o = options
        self.draw = draw
        self.cash = dict.fromkeys(self.seats, options["cash"])
        self.loan = dict.fromkeys(self.seats, 0)
        self.asked_of_bank: list[tuple[int, int, int]] = []  # (race, seat, amount), unforced
        self.lent = self.taken = 0
        self.results: list[Body] = []
        self.ledger: list[Body] = []
        self.names: dict[int, str] = {}
        self.brocco: Body | None = None
        self.over = False
        self.first = draw("bookmaker", list(self.seats))[0]
        self.aside = draw("brocco", PACK)[0] if options["brocco"] else None
        self.race = 0
        self.open_race()

    @property
    def seats(self) -> range:
        """All seats."""
        return range(1, self.n + 1)

    # ------------------------------------------------------------- a race

    def open_race(self) -> None:
        """BM-S3, S4, D1."""
        self.race += 1
        self.kind = self.o["programme"][self.race - 1]
        if self.n < 4:
            self.books = [(self.first - 1 + self.race - 1) % self.n + 1]
        else:
            at = self.first - 1 + 2 * (self.race - 1)
            self.books = [at % self.n + 1, (at + 1) % self.n + 1]
        pack = list(PACK)
        if self.aside:
            pack.remove(self.aside)
        deck = self.draw(f"race-{self.race}/deck", pack)
        self.face_up, deck = deck[:4], deck[4:]
        if "joker" in self.kind:
            deck = self.draw(f"race-{self.race}/joker-deck", [*deck, "joker", "joker"])
        self.hands: dict[int, list[str]] = {}
        for seat in self.seats:
            size = 6 if self.n < 4 and seat in self.books else 4
            self.hands[seat], deck = deck[:size], deck[size:]
        self.deck = deck
        self.gives: dict[int, list[str]] = {}
        self.tokens: list[tuple[str, int]] = []
        self.set: dict[int, tuple[dict[str, int], dict[str, int | None]]] = {}
        self.odds: dict[int, dict[str, int]] | None = None
        self.limits: dict[int, dict[str, int | None]] | None = None
        self.bets: list[Body] = []
        self.log: list[tuple[str, int, Any]] = []  # what happened in this race, for counting
        self.done = dict.fromkeys(self.seats, False)
        self.space = dict.fromkeys(COLOURS, 0)
        self.out: set[str] = set()
        self.turned: list[str] = []
        self.past: list[str] = []  # the race cards turned, jokers apart, over all passes
        self.pass_number = 1
        self.moves_of_pass = 0
        self.joker_horse: str | None = None  # waited for after a card of this horse
        self.answered: set[int] = set()
        self.untils: dict[int, list[tuple[str, int]]] = {}
        self.winner: str | None = None
        self.idle = False
        self.phase = "exchange"
        if self.n < 4:
            self.before_odds()

    def before_odds(self) -> None:
        """BM-D3."""
        if "trot" in self.kind:
            for card in self.draw(f"race-{self.race}/trot", self.deck):
                if len(self.tokens) < 4 and card != "joker":
                    token = (card.split("-")[0], int(card.split("-")[1]))
                    if token not in self.tokens:
                        self.tokens.append(token)
            self.deck = self.draw(f"race-{self.race}/turn", self.deck)
        self.phase = "odds"

    # ------------------------------------------------------------- commands

    def give(self, seat: int, body: Body) -> None:
        """A command of a seat, or of the system (seat 0)."""
        name = body["type"].split(".")[1]
        demand(not self.over, "meeting_not_running")
        if name == "borrow":
            self.borrow(seat, body["amount"])
            return
        demand(self.phase in PHASES[name].split(), "wrong_phase")
        if self.phase == "race":
            if name in ("play_joker", "keep_joker"):
                demand(self.joker_horse is not None, "wrong_phase")
            else:
                demand(self.o["in_running"] and self.joker_horse is None, "wrong_phase")
        getattr(self, f"do_{name}")(seat, body)

    def do_exchange_cards(self, seat: int, body: Body) -> None:
        """BM-D2."""
        demand(seat in self.books, "not_your_turn")
        demand(seat not in self.gives, "already_done")
        demand(len(body["cards"]) == 2)
        left = list(self.hands[seat])
        for card in body["cards"]:
            demand(card in left)
            left.remove(card)
        self.gives[seat] = sorted(body["cards"], key=ORDER.__getitem__)
        if len(self.gives) == 2:
            one, two = self.books
            for mine, other in ((one, two), (two, one)):
                for card in self.gives[mine]:
                    self.hands[mine].remove(card)
                self.hands[mine] += self.gives[other]
            self.before_odds()

    def in_steps(self, number: Any) -> int:
        """Odds in steps, or refused."""
        found = tenths(number)
        demand(found is not None)
        assert found is not None
        demand(found % round(self.o["odds_step"] * 10) == 0)
        return found

    @staticmethod
    def read_limit(limit: Any) -> dict[str, int | None]:
        """BM-B2."""
        limits = limit if isinstance(limit, dict) else dict.fromkeys(COLOURS, limit)
        demand(all(value is None or 0 <= value < 2**53 for value in limits.values()))
        return {c: limits[c] for c in COLOURS}

    def do_set_odds(self, seat: int, body: Body) -> None:
        """BM-O1."""
        demand(seat in self.books, "not_your_turn")
        demand(seat not in self.set, "already_done")
        odds = {c: self.in_steps(body["odds"][c]) for c in COLOURS}
        demand(all(10 <= value <= 1000 for value in odds.values()))
        demand(sum(odds.values()) >= 100)
        self.set[seat] = (odds, self.read_limit(body.get("limit")))
        if len(self.set) == len(self.books):
            self.odds = {b: self.set[b][0] for b in self.books}
            self.limits = {b: self.set[b][1] for b in self.books}
            self.phase = "bets"

    def waiting(self, **fields: Any) -> list[Body]:
        """Offers that wait."""
        return [
            b
            for b in self.bets
            if b["status"] == "waiting" and all(b[k] == v for k, v in fields.items())
        ]

    def backed(self, seat: int) -> bool:
        """A bet, or an offer that waits."""
        return any(b["seat"] == seat and b["status"] in ("waiting", "accepted") for b in self.bets)

    def do_place_bet(self, seat: int, body: Body) -> None:
        """BM-B1, B2, B3, B6, B7, I1."""
        book, horse, stake = body["bookmaker"], body["horse"], body["stake"]
        demand(book in self.books)
        demand(book != seat)
        demand(not (self.n < 4 and seat in self.books))
        assert self.odds is not None
        assert self.limits is not None
        shown = self.odds[book][horse]
        demand(shown > 0)
        if "odds" in body:
            demand(shown / 10 == body["odds"])
        demand(stake >= 10)
        demand(stake % 10 == 0)
        mine = [b for b in self.bets if b["seat"] == seat]
        if self.phase == "bets":
            demand(not self.done[seat])
            demand(sum(b["status"] != "lapsed" for b in mine) < 20)
        else:
            demand(self.since_card("offer", seat) < 3)
        free = self.cash[seat] - sum(b["stake"] for b in self.waiting(seat=seat))
        if stake > free:
            bettor = seat not in self.books
            demand(bettor and not self.backed(seat) and self.cash[seat] < 10 and stake == 10)
            self.bank_lends(seat, 10)
        self.log.append(("offer", seat, None))
        bet = {
            "bet": len(self.bets) + 1,
            "seat": seat,
            "bookmaker": book,
            "horse": horse,
            "stake": stake,
            "odds": shown,
            "status": "waiting",
        }
        self.bets.append(bet)
        limit = self.limits[book][horse]
        if self.phase == "bets" and (stake == 10 or (limit is not None and stake <= limit)):
            self.accept(bet, stake)

    def since_card(self, what: str, seat: int) -> int:
        """How often since the last card, or the start of the race."""
        count = 0
        for kind, who, _ in self.log:
            if kind in ("card", "off"):
                count = 0
            elif (kind, who) == (what, seat):
                count += 1
        return count

    def accept(self, bet: Body, stake: int) -> None:
        """The stake is paid."""
        bet["stake"], bet["status"] = stake, "accepted"
        self.pay(bet["seat"], bet["bookmaker"], stake, "stake", bet["bet"])
        self.log.append(("accepted", bet["bookmaker"], bet["horse"]))

    def pay(self, source: Any, target: Any, amount: int, why: str, bet: int | None = None) -> None:
        """Money moves, and the ledger says so."""
        if amount:
            for who, sign in ((source, -1), (target, 1)):
                if who != "bank":
                    self.cash[who] += sign * amount
            self.ledger.append(
                {
                    "from": source,
                    "to": target,
                    "amount": amount,
                    "why": why,
                    "race": self.race,
                    "bet": bet,
                }
            )

    def do_answer_bet(self, seat: int, body: Body) -> None:
        """BM-B2, B4, I1."""
        demand(seat in self.books, "not_your_turn")
        number, stake = body["bet"], body["stake"]
        demand(1 <= number <= len(self.bets), "malformed")
        bet = self.bets[number - 1]
        demand(bet["bookmaker"] == seat, "not_your_turn")
        demand(bet["status"] == "waiting", "already_done")
        rivals = self.waiting(bookmaker=seat, horse=bet["horse"])
        nearest = min(rivals, key=lambda b: ((b["seat"] - seat) % self.n, b["bet"]))
        demand(bet is nearest)
        if self.phase == "race" and stake == 0:
            bet["status"] = "refused"
            return
        demand(10 <= stake <= bet["stake"])
        demand(stake % 10 == 0)
        self.accept(bet, stake)
        self.start_if_ready()

    def do_change_odds(self, seat: int, body: Body) -> None:
        """BM-B5, B6, B7."""
        demand(seat in self.books, "not_your_turn")
        assert self.odds is not None
        assert self.limits is not None
        new = {c: self.in_steps(body["odds"][c]) for c in COLOURS}
        old = self.odds[seat]
        limits = self.read_limit(body["limit"]) if "limit" in body else None
        if new == old:
            demand(limits is not None)
            assert limits is not None
            demand(self.log.count(("limit", seat, None)) < 20)
            self.log.append(("limit", seat, None))
            self.limits[seat] = limits
            return
        demand(self.log.count(("change", seat, None)) < 10)
        fresh = False
        for kind, who, _ in self.log:
            if (kind, who) == ("accepted", seat):
                fresh = True
            elif (kind, who) == ("change", seat):
                fresh = False
        demand(fresh)
        demand(all(value == 0 or 10 <= value <= 1000 for value in new.values()))
        demand(sum(new.values()) >= 100)
        for c in COLOURS:
            demand(new[c] >= old[c] or ("accepted", seat, c) in self.log)
        self.log.append(("change", seat, None))
        self.odds[seat] = new
        if limits is not None:
            self.limits[seat] = limits
        self.lapse_moved(seat, old, new)
        for other in self.seats:
            if other != seat:
                self.done[other] = False

    def lapse_moved(self, book: int, old: dict[str, int], new: dict[str, int]) -> None:
        """BM-B3."""
        for bet in self.waiting(bookmaker=book):
            if old[bet["horse"]] != new[bet["horse"]]:
                bet["status"] = "lapsed"

    def do_done(self, seat: int, body: Body) -> None:
        """BM-B6."""
        demand(not (self.n < 4 and seat in self.books), "not_your_turn")
        demand(not self.done[seat], "already_done")
        demand(seat in self.books or self.backed(seat))
        self.done[seat] = True
        self.start_if_ready()

    def start_if_ready(self) -> None:
        """BM-B6."""
        who = [s for s in self.seats if not (self.n < 4 and s in self.books)]
        if self.phase == "bets" and all(self.done[s] for s in who) and not self.waiting():
            self.phase = "race"
            self.log.append(("off", 0, None))
            if self.o["in_running"]:
                self.close()
            else:
                self.run()

    def borrow(self, seat: int, amount: int) -> None:
        """BM-L1."""
        demand(amount >= 10 and amount % 10 == 0)
        demand(sum(a for _, s, a in self.asked_of_bank if s == seat) + amount <= 1_000_000)
        demand(sum((r, s) == (self.race, seat) for r, s, _ in self.asked_of_bank) < 20)
        self.asked_of_bank.append((self.race, seat, amount))
        self.bank_lends(seat, amount)

    def bank_lends(self, seat: int, amount: int) -> None:
        """A loan."""
        self.loan[seat] += amount
        self.lent += amount
        self.pay("bank", seat, amount, "loan")

    # ------------------------------------------------------------- running

    def close(self) -> None:
        """BM-I1: all odds to 0."""
        self.odds = {b: dict.fromkeys(COLOURS, 0) for b in self.books}

    def run(self) -> None:
        """BM-R1."""
        while self.phase == "race" and self.joker_horse is None:
            self.turn()

    def turn(self) -> None:
        """BM-R1, R2, J1, T1, T2."""
        if len(self.turned) == len(self.deck):
            self.pass_number += 1
            self.deck = self.draw(f"race-{self.race}/turn-{self.pass_number}", self.turned)
            self.turned, self.moves_of_pass = [], 0
        card = self.deck[len(self.turned)]
        self.turned.append(card)
        self.log.append(("card", 0, None))
        if self.o["in_running"]:
            self.close()
        moved = None
        if card == "joker":
            if self.past:
                horse = self.past[-1].split("-")[0]
                moved = None if horse in self.out else horse
        else:
            self.past.append(card)
            horse, number = card.split("-")[0], int(card.split("-")[1])
            if horse not in self.out:
                breaks = (horse, number) in self.tokens and self.space[horse] == number - 1
                if breaks:
                    self.out.add(horse)
                else:
                    moved = horse
        if moved:
            self.space[moved] += 1
            self.moves_of_pass += 1
        if self.ended():
            return
        if moved and any("joker" in hand for hand in self.hands.values()):
            self.joker_horse = moved
            self.answered = set()
            for seat, untils in self.untils.items():
                if any(self.space[horse] < space for horse, space in untils):
                    self.answered.add(seat)
            self.joker_over()

    def ended(self) -> bool:
        """BM-R1, R2, T2."""
        arrived = [c for c in COLOURS if self.space[c] == 10]
        self.idle = len(self.turned) == len(self.deck) and self.moves_of_pass == 0
        if arrived or len(self.out) == 4 or self.idle:
            self.winner = arrived[0] if arrived else None
            self.joker_horse = None
            self.phase = "settlement"
            return True
        return False

    def asked(self) -> list[int]:
        """BM-J2: who is waited for."""
        if self.joker_horse is None:
            return []
        return [s for s in self.seats if "joker" in self.hands[s] and s not in self.answered]

    def joker_over(self) -> None:
        """BM-J2: the race goes on when nobody is waited for any more."""
        if not self.asked():
            self.joker_horse = None
            if not self.o["in_running"]:
                self.run()

    def may_answer(self, seat: int) -> None:
        """BM-J2 (Commands)."""
        demand(seat not in self.answered, "already_done")
        demand("joker" in self.hands[seat])

    def do_play_joker(self, seat: int, body: Body) -> None:
        """BM-J2."""
        self.may_answer(seat)
        assert self.joker_horse is not None
        self.hands[seat].remove("joker")
        if "joker" not in self.hands[seat]:
            self.answered.add(seat)
        self.space[self.joker_horse] += 1
        if self.space[self.joker_horse] == 10:
            self.winner, self.joker_horse, self.phase = self.joker_horse, None, "settlement"
        else:
            self.joker_over()

    def do_keep_joker(self, seat: int, body: Body) -> None:
        """BM-J2."""
        self.may_answer(seat)
        if "until" in body:
            horse, space = body["until"]["horse"], body["until"]["space"]
            demand(horse not in self.out)
            demand(self.space[horse] < space <= 10)
            self.untils.setdefault(seat, []).append((horse, space))
        self.answered.add(seat)
        self.joker_over()

    def do_turn_card(self, seat: int, body: Body) -> None:
        """BM-I1."""
        demand(seat == self.books[0], "not_your_turn")
        for bet in self.waiting():
            bet["status"] = "lapsed"
        self.turn()

    def do_show_odds(self, seat: int, body: Body) -> None:
        """BM-I1."""
        demand(seat in self.books, "not_your_turn")
        assert self.odds is not None
        new = dict.fromkeys(COLOURS, 0)
        for horse, number in body["odds"].items():
            new[horse] = self.in_steps(number)
            demand(10 <= new[horse] <= 1000)
            demand(horse not in self.out)
        demand(self.since_card("show", seat) < 3)
        self.log.append(("show", seat, None))
        self.lapse_moved(seat, self.odds[seat], new)
        self.odds[seat] = new

    # ------------------------------------------------------------- money at the end

    def do_settle_race(self, seat: int, body: Body) -> None:
        """BM-P1, R2, T1, T2."""
        demand(len(self.results) < self.race, "wrong_phase")
        books = {b: {"seat": b, "taken": 0, "paid": 0} for b in self.books}
        for bet in self.bets:
            if bet["status"] != "accepted":
                continue
            books[bet["bookmaker"]]["taken"] += bet["stake"]
            back = 0
            if bet["horse"] == self.winner:
                bet["status"], back = "won", bet["stake"] + bet["stake"] * bet["odds"] // 10
            elif self.winner is None and self.idle and bet["horse"] not in self.out:
                bet["status"], back = "returned", bet["stake"]
            else:
                bet["status"] = "lost"
            books[bet["bookmaker"]]["paid"] += back
            self.pay(bet["bookmaker"], bet["seat"], back, bet["status"], bet["bet"])
        for who in self.seats:
            if self.cash[who] < 0:
                self.bank_lends(who, (-self.cash[who] + 9) // 10 * 10)
        self.results.append(
            {
                "race": self.race,
                "kind": self.kind,
                "winner": self.winner,
                "out": [c for c in COLOURS if c in self.out],
                "bets": [dict(bet) for bet in self.bets],
                "books": list(books.values()),
            }
        )
        if self.race < len(self.o["programme"]):
            self.open_race()
        elif self.o["brocco"]:
            self.phase = "brocco"

    def do_name_brocco(self, seat: int, body: Body) -> None:
        """BM-K1."""
        demand(seat not in self.names, "already_done")
        if self.cash[seat] < 10:
            self.bank_lends(seat, 10)
        self.names[seat] = body["horse"]
        self.taken += 10
        self.pay(seat, "bank", 10, "brocco")
        if len(self.names) == self.n:
            self.phase = "settlement"

    def do_settle_meeting(self, seat: int, body: Body) -> None:
        """BM-P2, K1."""
        demand(len(self.results) == len(self.o["programme"]), "wrong_phase")
        if self.aside:
            pot = 10 * self.n
            right = [s for s in self.seats if self.names[s] == self.aside.split("-")[0]]
            shares = {s: pot // len(right) for s in right}
            for who, share in shares.items():
                self.taken -= share
                self.pay("bank", who, share, "brocco")
            self.brocco = {
                "card": self.aside,
                "named": {str(s): self.names[s] for s in self.seats},
                "pot": pot,
                "shares": {str(s): share for s, share in shares.items()},
            }
        for who in self.seats:
            loan, self.loan[who] = self.loan[who], 0
            self.lent -= loan
            self.taken += loan // 10
            self.pay(who, "bank", loan + loan // 10, "repayment")
        self.over = True

    def to_act(self) -> list[int]:
        """Who owes a decision."""
        if self.over or self.phase == "settlement":
            return []
        if self.phase == "exchange":
            return sorted(set(self.books) - set(self.gives))
        if self.phase == "odds":
            return sorted(set(self.books) - set(self.set))
        if self.phase == "brocco":
            return [s for s in self.seats if s not in self.names]
        if self.phase == "race":
            return self.asked() if self.joker_horse else [self.books[0]]
        lone = self.n < 4
        return [
            s
            for s in self.seats
            if self.waiting(bookmaker=s) or (not self.done[s] and not (lone and s in self.books))
        ]

    def ranking(self) -> list[Body]:
        """BM-P2."""
        rows = [
            {
                "seat": s,
                "rank": 1 + sum(money > self.cash[s] for money in self.cash.values()),
                "points": self.cash[s],
            }
            for s in self.seats
        ]
        return sorted(rows, key=lambda row: (row["rank"], row["seat"]))
