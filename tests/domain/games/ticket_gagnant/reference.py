"""The movement and scoring of Ticket Gagnant written a second time, from the sheet alone.

Nothing here is shared with the rules: horses are names, places (lane, space), and every move is
walked step by step. It is slow and plain, to be held against the fast one.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from tests.domain.games.ticket_gagnant.turf import HORSES, Spot

Body = dict[str, Any]
STRAIGHT = {"forward": (0, 1), "backward": (0, -1), "left": (-1, 0), "right": (1, 0)}
BESIDE = {"front": (0, 1), "behind": (0, -1), "left": (-1, 0), "right": (1, 0)}
STANDARD: Body = {"lanes": 7, "last": 15, "start": 1, "line": 13, "hedges": [4, 8]}
PRINTS = "2-4 5-5 3-6 6-7 1-8 4-9 7-10 2-11 5-12 3-13 6-14"


class Track:
    """A race as it stands.

    Args:
        board: a public board of the server, as JSON.
        options: of the meeting.
    """

    def __init__(self, board: Mapping[str, Any], options: Mapping[str, Any]) -> None:
        course = options["course"]
        self.course: Body = STANDARD if course == "standard" else course
        self.kind = board["choice"]["kind"]
        self.wins = options["dashed_line"] == "wins"
        self.river = self._river(board["choice"]["river"])
        self.horses = {h["horse"]: (h["lane"], h["space"]) for h in board["horses"]}

    def _river(self, river: Mapping[str, Any] | None) -> int | None:
        if river is None:
            return None
        hedge: int = self.course["hedges"][river["hedge"] - 1]
        return hedge if river["side"] == "front" else hedge + 1

    @property
    def hoofprints(self) -> set[Spot]:
        """Where a horse is disqualified at the end."""
        if self.kind != "harness":
            return set()
        if self.course is STANDARD:
            return {(int(s.split("-")[0]), int(s.split("-")[1])) for s in PRINTS.split()}
        return {(spot["lane"], spot["space"]) for spot in self.course["hoofprints"]}

    def on_track(self, spot: Spot) -> bool:
        """Between the rails and the ends."""
        return 1 <= spot[0] <= self.course["lanes"] and 0 <= spot[1] <= self.course["last"]

    def over_hedge(self, start: int, end: int) -> bool:
        """Whether going from one space number to another crosses a hedge backward."""
        hedges = self.course["hedges"] if self.kind in ("obstacle", "steeplechase") else []
        return any(end <= hedge < start for hedge in hedges)

    def back_over_line(self, start: int, end: int) -> bool:
        """Whether a horse past the line would be brought to a lower space, where it may not."""
        return not self.wins and start >= self.course["line"] and end < start

    def may_be_put(self, horse: str, spot: Spot) -> bool:
        """Whether this horse may be put there, all else apart from who stands there."""
        start = self.horses[horse][1]
        return (
            self.on_track(spot)
            and spot[1] != self.river
            and not self.over_hedge(start, spot[1])
            and not self.back_over_line(start, spot[1])
        )

    def straight(self, horse: str, direction: str, length: int) -> Spot | None:
        """Where a straight move ends; None where it is none."""
        lane, space = self.horses[horse]
        step = STRAIGHT[direction]
        walked = [(lane, space)]
        for _ in range(length):
            spot = (walked[-1][0] + step[0], walked[-1][1] + step[1])
            if not self.on_track(spot) or self.over_hedge(walked[-1][1], spot[1]):
                break
            walked.append(spot)
        while walked[-1][1] == self.river:
            walked.pop()
        if len(walked) == 1 or self.back_over_line(space, walked[-1][1]):
            return None
        return walked[-1]

    def ends(self, body: Body) -> tuple[str, Spot] | None:
        """(mover, where it ends) of a play, all else apart from who is displaced."""
        card = body["card"]
        if "+" in card:
            horse = body["horse"]
            other = card.replace(horse, "").strip("+")
            lane, space = self.horses[other]
            across, along = BESIDE[body["beside"]]
            spot = (lane + across, space + along)
            return (horse, spot) if self.may_be_put(horse, spot) else None
        kind, _, number = card.partition("-")
        horse = body.get("horse", kind)
        length = int(number) if number else body["spaces"]
        end = self.straight(horse, body["direction"], length)
        return None if end is None else (horse, end)

    def room(self, mover: str, end: Spot) -> tuple[str | None, list[Spot]]:
        """(who is displaced, where it may be put)."""
        taken = [h for h, spot in self.horses.items() if spot == end and h != mover]
        if not taken:
            return None, []
        others = {spot for h, spot in self.horses.items() if h != mover} | {end}
        near = [
            (end[0] + across, end[1] + along)
            for across, along in product((-1, 0, 1), (-1, 0, 1))
            if (across, along) != (0, 0)
        ]
        return taken[0], [s for s in near if s not in others and self.may_be_put(taken[0], s)]

    def after(self, body: Body) -> dict[str, Spot] | None:
        """Where horses stand after a play; None where it is illegal."""
        ended = self.ends(body)
        if ended is None:
            return None
        mover, end = ended
        displaced, room = self.room(mover, end)
        to = body.get("displaced_to")
        after = {**self.horses, mover: end}
        if displaced is None:
            return after if to is None else None
        if to is None or (to["lane"], to["space"]) not in room:
            return None
        return {**after, displaced: (to["lane"], to["space"])}

    def legal(self, hand: Sequence[str]) -> list[Body]:
        """Every legal play of a hand, as bodies without type."""
        found = []
        for card in dict.fromkeys(hand):
            for fields in ways(card):
                body = {"card": card, **fields}
                ended = self.ends(body)
                if ended is None:
                    continue
                displaced, room = self.room(*ended)
                if displaced is None:
                    found.append(body)
                for lane, space in room:
                    found.append({**body, "displaced_to": {"lane": lane, "space": space}})
        return found

    def over(self) -> bool:
        """Whether a horse has crossed the line and won."""
        return self.wins and any(s >= self.course["line"] for _, s in self.horses.values())

    def finish(self, photo: Sequence[str] | None) -> tuple[list[str], list[str]]:
        """(ranking, disqualified); without a photo the nearer the rail is ahead."""
        out = [h for h in HORSES if self.horses[h] in self.hoofprints]
        left = [h for h in HORSES if h not in out]
        ranking: list[str] = []
        while left:
            ahead = max(self.horses[h][1] for h in left)
            tied = [h for h in left if self.horses[h][1] == ahead]
            if photo is None:
                tied.sort(key=lambda h: self.horses[h][0])
            else:
                tied.sort(key=photo.index)
            ranking.append(tied[0])
            left.remove(tied[0])
        return ranking, out


def ways(card: str) -> Iterator[Body]:
    """Every way to lay a card, whatever the position: fields but for `displaced_to`."""
    if "+" in card:
        for horse, beside in product(card.split("+"), BESIDE):
            yield {"horse": horse, "beside": beside}
    elif card == "wild":
        for horse, direction, spaces in product(HORSES, STRAIGHT, (1, 2, 3)):
            yield {"horse": horse, "direction": direction, "spaces": spaces}
    elif card.startswith("wild-"):
        for horse, direction in product(HORSES, STRAIGHT):
            yield {"horse": horse, "direction": direction}
    else:
        for direction in STRAIGHT:
            yield {"direction": direction}


def earns(
    prediction: Mapping[str, str | None],
    ranking: Sequence[str],
    out: Sequence[str],
    last_place: int,
) -> int:
    """What a prediction earns in a race."""
    rank = {horse: place for place, horse in enumerate(ranking, 1)}
    bets = [(i, prediction[p]) for i, p in enumerate(("first", "second", "third"), 1)]
    bets = [(place, horse) for place, horse in bets if horse is not None]
    total = 0
    exact = shown = 0
    for place, horse in bets:
        if horse in out:
            total -= 2
        elif rank[horse or ""] == place:
            total += {1: 7, 2: 5, 3: 4}[place]
            exact += 1
        elif rank[horse or ""] <= 3:
            total += 3
            shown += 1
        elif rank[horse or ""] == 7:
            total += last_place
        else:
            total -= 1
    if exact == 3:
        return total + 5
    return total + 2 if exact + shown == 3 else total
