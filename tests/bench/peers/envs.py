"""Random legal moves in a hidden-hand PettingZoo environment, by its `env()`.

On each line read from stdin it plays for so many seconds and writes moves a second.
"""

import sys
import time
import warnings

warnings.filterwarnings("ignore")

import numpy as np  # noqa: E402 - its warnings are none of ours
from pettingzoo.classic import leduc_holdem_v4  # noqa: E402 - likewise

env = leduc_holdem_v4.env()
chooser = np.random.default_rng(1)
seeds = iter(range(10**9))


def game() -> tuple[int, float]:
    """One whole game; its moves, and the seconds they took (setting it up is no move)."""
    env.reset(seed=next(seeds))
    moves = 0
    began = time.perf_counter()
    for _ in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
            continue
        env.step(int(chooser.choice(np.flatnonzero(observation["action_mask"]))))
        moves += 1
    return moves, time.perf_counter() - began


for line in sys.stdin:
    seconds = float(line)
    moves, passed = 0, 0.0
    while passed < seconds:
        more, took = game()
        moves, passed = moves + more, passed + took
    print(moves / passed, flush=True)
