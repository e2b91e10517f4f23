"""Change Horses written a second time from its sheet alone, slowly and plainly.

Nothing of the game's own code is used. It is told the commands and what was drawn, and says what
the public board must then show.
"""

from collections.abc import Callable
from typing import Any

COLOURS = {"yellow": "A", "orange": "B", "red": "C", "green": "D", "blue": "E", "purple": "F"}
Json = dict[str, Any]
Drawn = Callable[[str], list[Any]]


class Reference:
    """A meeting.

    Args:
        seats, options: of the meeting.
        drawn: (label) -> the items of a draw that the log has shown.
    """

    def __init__(self, seats: int, options: Json, drawn: Drawn) -> None:
        self.n = seats
        self.all = range(1, seats + 1)
        self.options = options
        self.drawn = drawn
        self.points = dict.fromkeys(self.all, 0)
        self.results: list[Json] = []
        self.ranking: list[Json] | None = None
        self.race = 0
        self.open_race()

    # ------------------------------------------------------------- setup

    def open_race(self) -> None:
        """CH-S"""
        self.race += 1
        self.lane = {h: i for i, h in enumerate(self.drawn(f"race-{self.race}/lanes"), 1)}
        self.space = dict.fromkeys(COLOURS, 0)
        names = sorted(COLOURS)
        pack = sorted(f"{a}+{b}" for a in names for b in names if a < b)
        self.hand = {s: list(pack) for s in self.all}
        self.shown: dict[int, list[str]] = {s: [] for s in self.all}
        self.picked: dict[int, list[str]] = {}
        self.wild = dict.fromkeys(self.all, 2)
        self.changed = dict.fromkeys(self.all, False)
        self.carrots = dict.fromkeys(self.all, 11 * self.n)
        certificates = list(self.drawn(f"race-{self.race}/certificates"))
        each = 2 if self.n == 2 else 1
        self.owns = {s: [certificates.pop(0) for _ in range(each)] for s in self.all}
        self.pile = certificates
        self.table: list[Json] = []
        self.round = 1
        self.wild_now = False
        self.auction: Json | None = None
        first = self.drawn(f"race-{self.race}/positions")
        self.starts = first[0] if self.n == 2 else None
        self.position = None if self.n == 2 else dict(zip(self.all, first, strict=True))
        self.phase: str | None = None
        self.prepare()

    def prepare(self) -> None:
        """Before a round: pick, or play on."""
        if self.n == 2:
            other = 3 - self.starts  # type: ignore[operator] # a seat with two of them
            self.queue = [self.starts, other, self.starts, other]
            self.picks = {1: 4, 7: 1}.get(self.round, 2)
        else:
            assert self.position is not None
            self.queue = sorted(self.all, key=self.position.__getitem__)
            self.picks = {1: 3}.get(self.round, 2) if self.round % 2 else 0
        self.picked = {}
        self.phase = "select" if self.picks else "turn"

    # ------------------------------------------------------------- commands

    def do(self, seat: int, body: Json) -> None:
        """A command that was accepted."""
        name = body["type"].split(".")[1]
        getattr(self, name)(seat, {k: v for k, v in body.items() if k != "type"})

    def select_cards(self, seat: int, body: Json) -> None:
        """CH-R1, CH-R4, CH-2B"""
        self.picked[seat] = body["cards"]
        if len(self.picked) == self.n:
            for s in self.all:
                for name in self.picked[s]:
                    self.hand[s].remove(name)
                self.shown[s] += self.picked[s]
            self.phase = "turn"

    def play_card(self, seat: int, body: Json) -> None:
        """CH-R2, CH-R3, CH-R4"""
        assert self.queue.pop(0) == seat
        self.shown[seat].remove(body["card"])
        self.table.append({"card": body["card"], "seat": seat, "covered": False})
        self.wild_now = False
        self.last = seat
        if not self.queue:
            seen = [
                c for entry in self.table if not entry["covered"] for c in entry["card"].split("+")
            ]
            self.advance({h: seen.count(h) for h in COLOURS if seen.count(h) % 2 == 1})
            self.after_move()

    def play_wild(self, seat: int, body: Json) -> None:
        """CH-W"""
        self.wild[seat] -= 1
        self.wild_now = True
        getattr(self, body["option"])(seat, body)

    def stumble(self, seat: int, body: Json) -> None:
        """CH-W1"""
        for entry in self.table:
            if entry["card"] == body["card"] and not entry["covered"]:
                entry["covered"] = True
                return

    def slippery(self, seat: int, body: Json) -> None:
        """CH-W2"""
        for move in body["moves"]:
            lane = self.lane[move["horse"]] + {"inside": -1, "outside": 1}[move["side"]]
            assert 1 <= lane <= 6
            assert self.at(lane, self.space[move["horse"]]) is None
            self.lane[move["horse"]] = lane

    def fast(self, seat: int, body: Json) -> None:
        """CH-W3"""
        rows = sorted(set(self.space.values()))[:2]
        self.advance({h: 2 for h in COLOURS if self.space[h] in rows})
        if self.crossed():
            self.end_race()

    def change(self, seat: int, body: Json) -> None:
        """CH-W4"""
        gives = body.get("certificate", self.owns[seat][0])
        self.owns[seat].remove(gives)
        self.pile.append(gives)
        self.owns[seat].append(self.pile.pop(0))
        self.changed[seat] = True

    # ------------------------------------------------------------- moving

    def at(self, lane: int, space: int) -> str | None:
        """Who stands there."""
        for horse in COLOURS:
            if (self.lane[horse], self.space[horse]) == (lane, space):
                return horse
        return None

    def advance(self, steps: dict[str, int]) -> None:
        """CH-M2: step by step, lane by lane, the front horse first."""
        for lane in range(1, 7):
            inside = [h for h in COLOURS if self.lane[h] == lane]
            for horse in sorted(inside, key=lambda h: self.space[h], reverse=True):
                for _ in range(steps.get(horse, 0)):
                    if self.at(lane, self.space[horse] + 1) is None:
                        self.space[horse] += 1

    def crossed(self) -> bool:
        """CH-S1"""
        return any(space >= self.options["finish"] for space in self.space.values())

    def after_move(self) -> None:
        """CH-R4: check the end, empty, turn order, pick."""
        if self.crossed() or self.round == (7 if self.n == 2 else 14):
            self.end_race()
            return
        if self.round % 2 == 0:
            self.table = []
            if self.n == 2:
                self.starts = self.last
        self.round += 1
        if self.n == 2:
            self.prepare()
        elif self.options["turn_order"] == "derby":
            self.auction = {"bids": {}, "out": [], "failed": []}
            self.phase = "auction"
            assert self.position is not None
            self.around = sorted(self.all, key=self.position.__getitem__)
            self.turn_of = list(self.around)
            self.call()
        else:
            assert self.position is not None
            first = max(self.all, key=self.position.__getitem__)
            rest = iter(self.drawn(f"race-{self.race}/positions-{self.round}"))
            self.position = {s: 1 if s == first else next(rest) for s in self.all}
            self.prepare()

    # ------------------------------------------------------------- auction

    def free(self, seat: int) -> list[int]:
        """CH-D2"""
        assert self.auction is not None
        others = [b for s, b in self.auction["bids"].items() if s != seat]
        return [b for b in range(1, self.carrots[seat] + 1) if b not in others]

    def call(self) -> None:
        """CH-D3, CH-D5: who bids next; those that can't fail as their turn comes."""
        auction = self.auction
        assert auction is not None
        while True:
            waiting = [
                s for s in self.around if s not in auction["bids"] and s not in auction["out"]
            ]
            still = [s for s in self.around if s not in auction["out"]]
            if not waiting and len(still) <= 1:
                self.close()
                return
            seat = self.turn_of.pop(0)
            self.turn_of.append(seat)
            if seat in auction["out"]:
                continue
            if seat not in auction["bids"] and not self.free(seat):
                self.carrots[seat] = 0
                auction["out"].append(seat)
                auction["failed"].append(seat)
                continue
            self.bidder = seat
            return

    def bid(self, seat: int, body: Json) -> None:
        """CH-D2"""
        assert self.auction is not None
        assert body["carrots"] in self.free(seat)
        highest = max(self.auction["bids"].values(), default=0)
        self.auction["bids"][seat] = body["carrots"]
        if body["carrots"] < highest:
            self.auction["out"].append(seat)
        self.call()

    def stand(self, seat: int, body: Json) -> None:
        """CH-D3"""
        assert self.auction is not None
        self.auction["out"].append(seat)
        self.call()

    def close(self) -> None:
        """CH-D4, CH-D5"""
        assert self.auction is not None
        bids = self.auction["bids"]
        ranked = self.auction["failed"] + sorted(bids, key=lambda s: bids[s])
        self.position = {s: ranked.index(s) + 1 for s in self.all}
        for seat, carrots in bids.items():
            self.carrots[seat] -= carrots
        self.auction = None
        self.prepare()

    # ------------------------------------------------------------- ending

    def better(self, one: str, other: str) -> int:
        """CH-E2, CH-E3, CH-E4: 1 if the first horse ranks before the second, -1 after, 0 equal."""
        owner = {h: s for s in self.all for h in self.owns[s]}
        answers = [(self.space[other], self.space[one]), (one in owner, other in owner)]
        if one in owner and other in owner:
            a, b = owner[one], owner[other]
            answers += [(self.wild[a], self.wild[b]), (not self.changed[a], not self.changed[b])]
            if self.options["turn_order"] == "derby":
                answers.append((self.carrots[a], self.carrots[b]))
            if self.n == 2:
                seconds = [
                    self.space[next(h for h in self.owns[owner[x]] if h != x)] for x in (one, other)
                ]
                answers.append((seconds[1], seconds[0]))
        for mine, theirs in answers:
            if mine != theirs:
                return 1 if mine > theirs else -1
        return 0

    def end_race(self) -> None:
        """CH-E"""
        rank = {h: 1 + sum(self.better(o, h) == 1 for o in COLOURS) for h in COLOURS}
        best = {s: min(rank[h] for h in self.owns[s]) for s in self.all}
        got = {s: {1: 3, 2: 2, 3: 1}.get(best[s], 0) for s in self.all}
        owner = {h: s for s in self.all for h in self.owns[s]}
        self.results.append(
            {
                "race": self.race,
                "ranking": [
                    {"horse": h, "rank": rank[h], "seat": owner.get(h)}
                    for h in sorted(COLOURS, key=lambda h: (rank[h], COLOURS[h]))
                ],
                "points": list(got.values()),
            }
        )
        for seat in self.all:
            self.points[seat] += got[seat]
        self.wild_now = False
        if self.race < self.options["races"]:
            self.open_race()
            return
        self.phase = None
        final = {
            s: (best[s] if best[s] < 4 else 4)
            if self.options["races"] == 1
            else 1 + sum(p > self.points[s] for p in self.points.values())
            for s in self.all
        }
        self.ranking = [
            {"seat": s, "rank": final[s], "points": self.points[s]}
            for s in sorted(self.all, key=lambda s: (final[s], s))
        ]

    # ------------------------------------------------------------- board

    def waiting(self) -> list[int]:
        """Who must act."""
        if self.phase == "select":
            return [s for s in self.all if s not in self.picked]
        if self.phase == "turn":
            return [self.queue[0]]
        return [self.bidder] if self.phase == "auction" else []

    def board(self) -> Json:
        """The game's public fields, of the board and of the seats."""
        derby = self.options["turn_order"] == "derby"
        return {
            "race": self.race,
            "phase": self.phase,
            "to_act": self.waiting(),
            "ranking": self.ranking,
            "horses": [
                {
                    "horse": horse,
                    "letter": letter,
                    "lane": self.lane[horse],
                    "space": self.space[horse],
                    "crossed": self.space[horse] >= self.options["finish"],
                }
                for horse, letter in COLOURS.items()
            ],
            "betting_board": self.table,
            "round": self.round,
            "positions": {str(s): p for s, p in self.position.items()} if self.position else None,
            "starts": self.starts,
            "wild_played": self.wild_now,
            "auction": {
                "bids": {str(s): b for s, b in self.auction["bids"].items()},
                "locked": sorted(self.auction["out"]),
                "to_bid": self.bidder,
            }
            if self.auction is not None
            else None,
            "pile_count": len(self.pile),
            "results": self.results,
            "seats": [
                {
                    "hand_count": len(self.hand[s]),
                    "shown": sorted(self.shown[s]),
                    "wild_left": self.wild[s],
                    "changed": self.changed[s],
                    "carrots": self.carrots[s] if derby else None,
                    "points": self.points[s],
                }
                for s in self.all
            ],
        }
