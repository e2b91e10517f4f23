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


def game() -> int:
    """One whole game; its moves."""
    env.reset(seed=next(seeds))
    moves = 0
    for _ in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
            continue
        env.step(int(chooser.choice(np.flatnonzero(observation["action_mask"]))))
        moves += 1
    return moves


for line in sys.stdin:
    seconds = float(line)
    began = time.perf_counter()
    moves = 0
    while (passed := time.perf_counter() - began) < seconds:
        moves += game()
    print(moves / passed, flush=True)
