"""Random games beside naive simulators in Python: python benches/python/simulators.py HOUSERULE [GAME …] [--games N …] [--rounds N]

Each file of tests/outside has a simulator in benches/python/naive: what an engineer writes for that one game, without tricks. Whole
commands are compared, with start, loading and compiling, on one thread. Figures are seconds of processor time, medians of the rounds in
turns, and the ratio is how many times as long Python takes. At the end of the rounds both have played the same game on average, or
the last column says by how many standard errors they differ.
"""

from __future__ import annotations

import argparse
import importlib
import json
import math
import os
import random
import resource
import statistics
import subprocess
import sys
from pathlib import Path

RULES = Path(__file__).parents[2] / "tests" / "outside"


def measure_run(command: list[str]) -> tuple[float, dict[str, float]]:
    """Runs a command that prints JSON. Returns its processor time, and the mean and standard error of its decisions."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    # A game that the rules' limits abort makes `simulate` fail, but it reports the others.
    done = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if not done.stdout:
        raise SystemExit(done.stderr)
    return seconds, json.loads(done.stdout)["counts"]["decisions"]


def play(name: str, games: int, seed: int) -> None:
    """Plays games with a simulator, and prints their decisions as `simulate --json` does."""
    simulator = importlib.import_module("naive." + name.replace("-", "_"))
    rng = random.Random(seed)
    decisions = [simulator.play(rng)["decisions"] for _ in range(games)]
    spread = statistics.stdev(decisions) if games > 1 else 0.0
    counts = {"decisions": {"mean": statistics.mean(decisions), "se": spread / math.sqrt(games)}}
    print(json.dumps({"counts": counts}))


def compare(houserule: str, name: str, games: int, rounds: int) -> str:
    """Measures both in turns. Returns a row of the table."""
    times: tuple[list[float], list[float]] = ([], [])
    counts: list[tuple[dict[str, float], dict[str, float]]] = []
    for number in range(rounds):
        seed = str(number + 1)
        ours = [houserule, "simulate", str(RULES / f"{name}.rules"), "-n", str(games), "--threads", "1"]
        theirs = [sys.executable, __file__, "--play", name, "--games", str(games), "--seed", seed]
        own, other = measure_run([*ours, "--seed", seed, "--json"]), measure_run(theirs)
        times[0].append(own[0])
        times[1].append(other[0])
        counts.append((own[1], other[1]))
    mine, python = (statistics.median(side) for side in times)
    apart = [statistics.mean(own["mean"] - other["mean"] for own, other in counts)]
    error = math.sqrt(sum(own["se"] ** 2 + other["se"] ** 2 for own, other in counts)) / rounds
    differ = abs(apart[0]) / error if error else 0.0
    return f"| {name} | {games:,} | {mine:.2f} s | {python:.2f} s | {python / mine:.1f} | {differ:.1f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("houserule", nargs="?", default="houserule")
    parser.add_argument("names", nargs="*", metavar="GAME")
    parser.add_argument("--games", type=int, nargs="+", default=[20, 200, 2000])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--play", metavar="GAME", help=argparse.SUPPRESS)
    parser.add_argument("--seed", type=int, default=1, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.play:
        return play(options.play, options.games[0], options.seed)
    print("| game | games | houserule | Python | ratio | standard errors apart |\n| --- | --- | --- | --- | --- | --- |")
    for name in options.names or sorted(path.stem for path in RULES.glob("*.rules")):
        for games in options.games:
            print(compare(os.path.abspath(options.houserule), name, games, options.rounds), flush=True)


main()
