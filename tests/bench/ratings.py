"""Measures the published ratings of a game's built-in bots: `python -m tests.bench.ratings`.

Nine players of each bot meet at random tables of every size, under the default options, and are
rated as people are. A finite list of results is rated over and over in random order, until ratings
only sway about where they belong; their mean from then on is the bot's strength. What is published
is such that `projections.ratings.of_bot` gives that mean back.
"""

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from random import Random
from statistics import fmean

from domain.registry import GAMES
from projections.ratings import BOT_SIGMA, NEWCOMER, Strength, rate
from service.simulation import Field, play

EACH = 9
ROUNDS = 20
SETTLED = 5
"""Rounds over all results until ratings are where they belong."""

Result = tuple[list[str], list[int]]


def result(game_id: str, seed: int, players: Sequence[str]) -> list[int]:
    """The ranks of one meeting, by seat; a player is named `bot/number`."""
    game = GAMES[game_id]
    bots = tuple(player.partition("/")[0] for player in players)
    options = game.read_options({}, len(bots))
    return play(Field(game=game_id, options=options, bots=bots, seed=seed), 0, game).ranks


def results(game_id: str, meetings: int, seed: int, jobs: int) -> list[Result]:
    """Meetings at random tables."""
    random = Random(seed)
    least, most = GAMES[game_id].seats
    players = [f"{bot}/{number}" for bot in GAMES[game_id].bots for number in range(EACH)]
    tables = [random.sample(players, random.randint(least, most)) for _ in range(meetings)]
    seeds = [seed * meetings + number for number in range(meetings)]
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        ranks = pool.map(result, [game_id] * meetings, seeds, tables, chunksize=8)
        return list(zip(tables, ranks, strict=True))


def strengths(played: list[Result], seed: int) -> dict[str, float]:
    """The mean of each bot once ratings have settled."""
    random = Random(seed)
    rated: dict[str, Strength] = {}
    means: dict[str, list[float]] = {}
    for turn in range(ROUNDS):
        for players, ranks in random.sample(played, len(played)):
            before = [rated.get(player, NEWCOMER) for player in players]
            rated.update(zip(players, rate(before, ranks), strict=True))
        if turn >= SETTLED:
            for player, strength in rated.items():
                means.setdefault(player.partition("/")[0], []).append(strength.mu)
    return {bot: fmean(of_bot) for bot, of_bot in means.items()}


def main() -> None:
    """Print each bot's strength and what is to be published."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="bookmaker", choices=sorted(GAMES))
    parser.add_argument("--meetings", type=int, default=900)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    played = results(args.game, args.meetings, args.seed, args.jobs)
    for bot, mean in sorted(strengths(played, args.seed).items()):
        print(f"{bot}: strength {mean:.2f}, publish {mean - 3 * BOT_SIGMA:.1f}")


if __name__ == "__main__":
    main()
