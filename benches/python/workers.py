"""Two worker processes against two threads, the cost of a shard, and a large run on paper.

``python benches/python/workers.py [GAME]``: runs of both kinds in turns. Time is CPU time of all processes, so other
work on the machine moves the ratio little; the wall-clock ratio is beside it. Needs Linux.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from statistics import median

import houserule as hr
from houserule import _native, _shards
from houserule._pickled import Plan

ROUNDS = 7
GAMES = 2_000_000
TRIPS = 200


def cpu(pids: list[int]) -> float:
    """Returns the CPU time of some processes, in seconds."""
    ticks = 0
    for pid in pids:
        with open(f"/proc/{pid}/stat") as file:
            ticks += sum(map(int, file.read().rsplit(")", 1)[1].split()[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def main() -> None:
    game = sys.argv[1] if len(sys.argv) > 1 else "dilido"
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        hr.simulate(game, 200_000, on=pool)
        pids = [os.getpid(), *pool._processes]
        ratios, walls, rates = [], [], []
        for _ in range(ROUNDS):
            took = []
            for options in ({"threads": 2}, {"on": pool}):
                before, clock = cpu(pids), time.perf_counter()
                hr.simulate(game, GAMES, **options)
                took.append((cpu(pids) - before, time.perf_counter() - clock))
            (threads, clock), (workers, other) = took
            ratios.append(threads / workers)
            walls.append(clock / other)
            rates.append(GAMES / workers)
        print(f"{game}, {GAMES:,} games, {ROUNDS} rounds in turns")
        print(f"two workers to two threads, CPU time: {median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")
        print(f"two workers to two threads, wall clock: {median(walls):.2f} ({min(walls):.2f} to {max(walls):.2f})")
        plan = Plan(hr.load(game), [("random", "random")], 1, 0, 1, False, False)
        job = (hr.__version__, plan, 1, False, {})
        before, clocks = cpu(pids), []
        for _ in range(TRIPS):
            begun = time.perf_counter()
            pool.submit(_shards.play, *job).result()
            clocks.append(time.perf_counter() - begun)
        trip = (cpu(pids) - before) / TRIPS
    print(f"a shard of one game, there and back: {trip * 1e3:.2f} ms of CPU time, {min(clocks) * 1e3:.2f} ms of time at least")
    full = [hr.simulate(game, 1_000_000, first=first)._figures.__reduce__()[1][1:] for first in (0, 1_000_000)]
    print(f"bytes: {len(pickle.dumps(job)):,} of a job, {len(pickle.dumps(full[0])):,} of the result of 1,000,000 games")
    begun = time.process_time()
    for _ in range(TRIPS):
        one, more = (_native.Figures.restored(plan.game, *saved) for saved in full)
        one.merged(more)
    merge = (time.process_time() - begun) / TRIPS / 2
    print(f"reading and merging a result: {merge * 1e3:.2f} ms of CPU time")
    rate, cores, wanted = median(rates), 1000, 10**9
    serial = merge + trip / 2
    # Each worker has a probe, then shares of what is left. Half of a trip is the sender's.
    shards = 3 * cores
    playing = wanted / rate / cores
    print(
        f"{wanted:,} games on {cores:,} cores, on paper: {playing:.2f} s of play on each, and {shards:,} shards take "
        f"{shards * serial:.1f} s of the process that sends and merges"
    )


if __name__ == "__main__":
    main()
