"""How fast this build is beside another one: whole runs of the command, of both in turns, in processor time.

    python benches/python/against.py OTHER [--mine target/release/houserule] [--rounds 9] [--only games|search|learn] [GAME ...]

``OTHER`` is the command of the other build: ``git worktree add ../before REVISION``, and there ``cargo build --release``. For each run the medians of
the processor seconds of both are told, and how many times as fast this build is: the median of the ratios of the rounds, with their least and greatest.
A run is loading, compiling and playing, on one thread, with the same seed in both builds, which play the same games.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple


class Run(NamedTuple):
    """A run of the command."""

    kind: str
    game: str
    count: int
    """Games; of learning, games of training."""
    arguments: tuple[str, ...] = ()


SEARCH = ("--agents", "mcts:1000")
RUNS = [
    Run("games", "tic-tac-toe", 8_000_000),
    Run("games", "connect-four", 3_000_000),
    Run("games", "dilido", 2_000_000),
    Run("games", "pig", 500_000),
    Run("games", "dicrono", 2_000_000),
    Run("games", "tic-tac-die", 8_000_000),
    Run("games", "gomoku", 300_000),
    Run("games", "reversi", 200_000),
    Run("games", "breakthrough", 200_000),
    Run("games", "hex", 200_000),
    Run("games", "kalah", 150_000),
    Run("games", "yacht", 100_000),
    Run("games", "dots-and-boxes", 300_000),
    Run("games", "nine-mens-morris", 20_000),
    Run("games", "dominoes", 100_000),
    Run("games", "dice-wide-shut", 80_000),
    Run("games", "go", 10_000),
    Run("games", "points", 3_000, ("--set", "stop=off")),
    Run("search", "connect-four", 20, SEARCH),
    Run("search", "reversi", 4, SEARCH),
    Run("search", "dominoes", 6, ("--agents", "ismcts:1000")),
    Run("learn", "dilido", 4_000),
    Run("learn", "connect-four", 4_000),
    Run("learn", "dice-wide-shut", 300),
]


def seconds(command: str, run: Run) -> float:
    """Processor seconds of a run."""
    with TemporaryDirectory() as folder:
        arguments = [command, *(("learn",) if run.kind == "learn" else ("simulate",)), run.game]
        arguments += ["--games", str(run.count), "--threads", "1", "--quiet", *run.arguments]
        if run.kind == "learn":
            arguments += ["-o", os.path.join(folder, "of.player")]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other")
    parser.add_argument("games", nargs="*")
    parser.add_argument("--mine", default="target/release/houserule")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only", choices=["games", "search", "learn"])
    arguments = parser.parse_args()
    print(f"{'run':8} {'game':18} {'count':>9} {'other s':>8} {'mine s':>8} {'ratio':>6}")
    for run in RUNS:
        wanted = not arguments.games or run.game in arguments.games
        if not wanted or arguments.only not in (None, run.kind):
            continue
        rounds = [(seconds(arguments.other, run), seconds(arguments.mine, run)) for _ in range(arguments.rounds)]
        ratios = sorted(other / mine for other, mine in rounds)
        other, mine = (median(times) for times in zip(*rounds, strict=True))
        spread = f"({ratios[0]:.2f} to {ratios[-1]:.2f})"
        print(f"{run.kind:8} {run.game:18} {run.count:9,} {other:8.2f} {mine:8.2f} {median(ratios):6.2f} {spread}", flush=True)


if __name__ == "__main__":
    main()
