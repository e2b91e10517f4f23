"""Wild Horses worth a thought, and whether one gains enough to be played."""

from collections.abc import Iterator

from domain.games.change_horses import commands as c
from domain.games.change_horses.actions import sidestep
from domain.games.change_horses.board import CARD_HORSES, HORSES, rounds
from domain.games.change_horses.bot.outlook import HALVES, best_worth, heat_of, worths
from domain.games.change_horses.bot.scene import Scene
from domain.games.change_horses.state import Table, visible
from domain.games.change_horses.track import FIELD, fast_steps, in_order, lane_after, march, slip
from domain.kernel.game import Chooser
from domain.kernel.message import Command

GAIN_EARLY, GAIN_LATE = 0.6, 0.05
"""Points that a Wild Horse must gain: it tells of its owner, and unused it breaks ties."""
LOOKS_MOST = 12
"""What needs a look at every card is thought of while few play after this turn."""
NEAR = 2
BLOCKED = 0.3
"""Points that standing behind another horse is worth in later rounds."""


def gain_wanted(t: Table) -> float:
    """Less, the nearer the end."""
    run = max(max(t.spaces) / t.finish, t.round / rounds(t.seats))
    return GAIN_EARLY + (GAIN_LATE - GAIN_EARLY) * min(1.0, run)


def best_wild(
    t: Table, scene: Scene, counts: list[int], best: float, chooser: Chooser
) -> Command | None:
    """The Wild Horse that gains most, if it is enough."""
    top, found = best + gain_wanted(t), None
    for command, value in wilds(t, scene, counts, best, chooser):
        if value > top:
            top, found = value, command
    return found


def wilds(
    t: Table, scene: Scene, counts: list[int], best: float, chooser: Chooser
) -> Iterator[tuple[Command, float]]:
    """Wild Horses worth a thought, and what the turn is then worth."""
    yield c.PlayWild(option="fast"), fast(t, scene, best)
    yield from change(t, scene, best)
    if len(scene.futures) * len(scene.shown) <= LOOKS_MOST:
        yield from stumble(t, scene, counts)
        yield from slippery(t, scene, counts, chooser)


def fast(t: Table, scene: Scene, best: float) -> float:
    """The rear goes forward; it may end the race."""
    spaces = list(t.spaces)
    for horse, space in march(t.lanes, t.spaces, fast_steps(t.spaces)):
        spaces[horse] = space
    after = best_worth([HALVES * space for space in spaces], scene.own, heat_of(t, spaces))
    if max(spaces) >= t.finish:
        return after
    now = best_worth([HALVES * space for space in t.spaces], scene.own, heat_of(t, t.spaces))
    return best + after - now


def change(t: Table, scene: Scene, best: float) -> Iterator[tuple[Command, float]]:
    """Any horse but the own may be the one on top of the pile."""
    halves = [HALVES * space for space in t.spaces]
    by_horse = worths(halves, heat_of(t, t.spaces))
    others = [value for horse, value in enumerate(by_horse) if horse not in scene.own]
    mean = sum(others) / len(others)
    if len(scene.own) == 1:
        yield c.PlayWild(option="change"), best + mean - by_horse[scene.own[0]]
        return
    worst = min(scene.own, key=by_horse.__getitem__)
    better = sum(max(0.0, v - max(by_horse[h] for h in scene.own)) for v in others) / len(others)
    yield c.PlayWild(option="change", certificate=HORSES[worst]), best + better


def stumble(t: Table, scene: Scene, counts: list[int]) -> Iterator[tuple[Command, float]]:
    """Each open card covered."""
    for card in dict.fromkeys(visible(t)):
        one, other = CARD_HORSES[card]
        left = list(counts)
        left[one] -= 1
        left[other] -= 1
        yield c.PlayWild(option="stumble", card=card), scene.best(left, t.lanes, t.spaces)


def slippery(
    t: Table, scene: Scene, counts: list[int], chooser: Chooser
) -> Iterator[tuple[Command, float]]:
    """The own horse behind another one; any other horse goes with it, as if it were about that."""
    for horse in scene.own:
        for step in (-1, 1):
            lane = lane_after(t.lanes, t.spaces, (horse, step))
            if lane is None or not blocked(t, lane, t.spaces[horse]):
                continue
            pairs = [
                moves
                for other in FIELD
                if other not in scene.own
                for side in (-1, 1)
                if slip(t.lanes, t.spaces, moves := [(horse, step), (other, side)]) is not None
            ]
            if pairs:
                moves = chooser.choice(pairs)
                lanes = slip(t.lanes, t.spaces, moves)
                assert lanes is not None, "only possible pairs are chosen from"
                sides = [sidestep(*move) for move in in_order(t.lanes, t.spaces, moves)]
                value = scene.best(counts, lanes, t.spaces)
                yield c.PlayWild(option="slippery", moves=sides), value + BLOCKED


def blocked(t: Table, lane: int, space: int) -> bool:
    """Whether a horse stands near in front in this lane."""
    return any(
        t.lanes[horse] == lane and space < t.spaces[horse] <= space + NEAR for horse in FIELD
    )
