"""How fast environments step, beside the alternatives, in one run.

    python benches/python/environments.py [--rounds 9]

Steps per second of processor time, medians of rounds in turns; a step is one decision. Wants a release build of the
package (``maturin develop --release``), gymnasium, and pgx with jax where those are to be measured.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import beside
import gymnasium
import houserule as hr
import numpy as np
from by_hand import HandWritten

ENVS = 1024
SECONDS = 0.4


def vector(game: str, threads: int = 1, **options: str) -> Callable[[], int]:
    """Random legal actions, sampled natively; flat observations, masks and rewards written."""
    envs = hr.vector_env(game, ENVS, threads=threads, **options)
    envs.reset(seed=1)
    observations = np.empty((ENVS, *envs.single_observation_space.shape), np.float32)
    masks = np.empty((ENVS, envs.single_action_space.n), np.int8)
    rewards, terminated, truncated = np.empty(ENVS), np.empty(ENVS, bool), np.empty(ENVS, bool)
    actions = np.empty(ENVS, np.int64)

    def run() -> int:
        for _ in range(50):
            envs.sample_actions(actions)
            envs.step_into(actions, rewards, terminated, truncated, observations=observations, action_masks=masks)
        return 50 * ENVS

    return run


def vector_step(game: str, **options: str) -> Callable[[], int]:
    """The same by ``step``, with fresh arrays and infos."""
    envs = hr.vector_env(game, ENVS, threads=1, **options)
    envs.reset(seed=1)

    def run() -> int:
        for _ in range(20):
            envs.step(envs.sample_actions())
        return 20 * ENVS

    return run


def single(game: str) -> Callable[[], int]:
    """One environment, fresh arrays each step, natively sampled actions."""
    env = hr.env(game)
    env.reset(seed=1)

    def run() -> int:
        step, sample = env.step, env.sample_action
        for _ in range(2000):
            _, _, terminated, truncated, _ = step(sample())
            if terminated or truncated:
                env.reset()
        return 2000

    return run


def by_hand() -> Callable[[], int]:
    """Di-Li-Do written by hand, 64 environments in Gymnasium's vector environment."""
    envs = gymnasium.vector.SyncVectorEnv([HandWritten] * 64)
    _, infos = envs.reset(seed=1)
    rng = np.random.default_rng(1)
    kept = [infos["action_mask"]]

    def run() -> int:
        for _ in range(20):
            # A legal action of each, without asking a space: the largest of random numbers.
            actions = (kept[0] * rng.random(kept[0].shape, np.float32)).argmax(1)
            kept[0] = envs.step(actions)[-1]["action_mask"]
        return 20 * 64

    return run


def pgx(name: str) -> Callable[[], int]:
    """A game of pgx on the CPU, compiled: 1,024 environments, random legal actions."""
    run = beside.pgx(name, ENVS).run
    run()
    return lambda: run()[0]


def rate(run: Callable[[], int], clock: Callable[[], float]) -> float:
    steps, start = 0, clock()
    while (spent := clock() - start) < SECONDS:
        steps += run()
    return steps / spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
    cases: list[tuple[str, Callable[[], int], Callable[[], float]]] = [
        ("tic-tac-toe, self-play, step_into", vector("tic-tac-toe", opponents="self"), time.process_time),
        ("connect-four, self-play, step_into", vector("connect-four", opponents="self"), time.process_time),
        ("dilido, step_into", vector("dilido"), time.process_time),
        ("dilido, step", vector_step("dilido"), time.process_time),
        ("dilido, one environment", single("dilido"), time.process_time),
        ("dilido by hand, SyncVectorEnv(64)", by_hand(), time.process_time),
        ("dilido, step_into, 1 thread, wall", vector("dilido", 1), time.perf_counter),
        ("dilido, step_into, 2 threads, wall", vector("dilido", 2), time.perf_counter),
    ]
    for name in ("tic_tac_toe", "connect_four"):
        try:
            cases.append((f"pgx {name}", pgx(name), time.process_time))
        except ImportError:
            print(f"pgx {name}: not installed")
    found: dict[str, list[float]] = {name: [] for name, _, _ in cases}
    for _ in range(rounds):
        for name, run, clock in cases:
            found[name].append(rate(run, clock))
    for name, rates in found.items():
        print(f"{name:40} {statistics.median(rates) / 1e6:8.3f} M steps/s  ({min(rates) / 1e6:.3f} to {max(rates) / 1e6:.3f})")


if __name__ == "__main__":
    main()
