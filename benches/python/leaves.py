"""How many leaves searches collect with an evaluator that costs nothing, as the table of docs/performance.md.

    python benches/python/leaves.py [--states 1024] [--simulations 100] [--games 256] [GAME ...]

Wants a release build of the package (``maturin develop --release``). Leaves are counted by the evaluator, which returns
arrays that are prepared; time is CPU time of one thread for `Search.run`, and of all threads for `simulate`, in which
games are played to their end.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import houserule as hr
import numpy as np

GAMES = ["connect-four", "dilido"]


class Free:
    """Returns prepared priors and values, and counts leaves and calls."""

    def __init__(self, most: int, actions: int) -> None:
        self.priors, self.values = np.ones((most, actions), np.float32), np.zeros(most, np.float32)
        self.leaves = self.calls = 0

    def __call__(self, observations: Any, masks: Any) -> tuple[Any, Any]:
        count = len(masks)
        self.leaves, self.calls = self.leaves + count, self.calls + 1
        return self.priors[:count], self.values[:count]


def row(name: str, what: str, evaluator: Free, seconds: float) -> str:
    rate, size = evaluator.leaves / seconds, evaluator.leaves / evaluator.calls
    return f"| {name} | {what} | {evaluator.leaves:,} | {size:,.0f} | {rate:,.0f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=GAMES, metavar="GAME")
    parser.add_argument("--states", type=int, default=1024)
    parser.add_argument("--simulations", type=int, default=100)
    parser.add_argument("--games", dest="played", type=int, default=256)
    args = parser.parse_args()
    print("| game | call | leaves | leaves a call | leaves per second of CPU time |")
    print("| --- | --- | --- | --- | --- |")
    for name in args.games:
        game = hr.load(name)
        evaluator = Free(2048, game.num_actions)
        search = hr.Search(evaluator, args.simulations)
        states = [game.start(seed) for seed in range(args.states)]
        start = time.process_time()
        search.run(states)
        print(row(name, "`Search.run`", evaluator, time.process_time() - start))
        evaluator.leaves = evaluator.calls = 0
        start = time.process_time()
        hr.simulate(game, args.played, search)
        print(row(name, "`simulate`", evaluator, time.process_time() - start))


if __name__ == "__main__":
    main()
