"""Vector environments of houserule, pgx, EnvPool and PufferLib side by side, in one run on one core.

    maturin develop --release
    pip install numpy gymnasium "jax[cpu]" pgx==2.6.0 envpool==1.2.5
    python benches/python/beside.py [--rounds 5] [--envs 1024 4096] [--puffer SOURCE] [--only WORD]

Prints millions of decisions per second of CPU time: the median of rounds in which all cases take turns, and
the least and greatest round. An engine whose package is missing is skipped, with a line that says so. ``SOURCE`` is
the unpacked source distribution of PufferLib 3. The script compiles single C environments of it with ``cc`` and the
raylib that the distribution contains, without PyTorch. Without ``--puffer``, PufferLib is skipped.

All legal actions are equally likely, or all actions where an engine has no mask. houserule, pgx and squared begin
the next episode in the step that ends one. The others use a step of its own, whose time is counted and which is no
decision. Every engine writes its own observations, rewards and ends.
houserule and pgx sample actions within the measured time. For EnvPool and PufferLib numpy samples them, outside of it.
Compilation by XLA and the creation of environments aren't measured.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import statistics
import subprocess
import sysconfig
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

SECONDS = 0.5
STEPS = 20
SQUARED = 11  # the size of PufferLib's grid, as its own class chooses it

RULES = Path(__file__).parent / "rules"
HOUSERULE: dict[str, dict[str, Any]] = {
    "tic-tac-toe": {"opponents": "self"},
    "connect-four": {"opponents": "self"},
    "go": {"opponents": "self", "size": 9},
    "2048": {},
    "kuhn-poker": {"opponents": "self"},
    "blackjack": {},
    "frozen-lake.rules": {},
    "squared.rules": {"dtype": "uint8"},  # the dtype of PufferLib's
}
PGX = ["tic_tac_toe", "connect_four", "go_9x9", "2048", "kuhn_poker"]
ENVPOOL = ["TicTacToe-v1", "ConnectFour-v1", "Play2048-v1", "Blackjack-v1", "FrozenLake-v1"]
ENVPOOL += ["CartPole-v1", "Taxi-v3", "Catch-v0", "NChain-v0", "CliffWalking-v1"]
PUFFER = ["connect4", "squared"]

Chunk = Callable[[], tuple[int, float]]


@dataclass
class Case:
    """Some environments of one game: ``run`` makes a few steps of all and returns decisions and seconds."""

    engine: str
    game: str
    envs: int
    numbers: int
    bytes: int
    run: Chunk

    @property
    def name(self) -> str:
        return f"{self.engine} {self.game}"


def houserule(game: str, envs: int) -> Case:
    import houserule as hr

    source = str(RULES / game) if game.endswith(".rules") else game
    vector = hr.vector_env(source, envs, threads=1, autoreset_mode="SameStep", **HOUSERULE[game])
    vector.reset(seed=1)
    space = vector.single_observation_space
    observations = np.empty((envs, *space.shape), space.dtype)
    masks = np.empty((envs, vector.single_action_space.n), np.int8)
    rewards, terminated, truncated = np.empty(envs), np.empty(envs, bool), np.empty(envs, bool)
    actions = np.empty(envs, np.int64)

    def run() -> tuple[int, float]:
        start = time.process_time()
        for _ in range(STEPS):
            vector.sample_actions(actions)
            vector.step_into(actions, rewards, terminated, truncated, observations=observations, action_masks=masks)
        return STEPS * envs, time.process_time() - start

    return Case("houserule", game, envs, observations[0].size, observations[0].nbytes, run)


def pgx(game: str, envs: int) -> Case:
    import jax
    import pgx as library
    from pgx.experimental import auto_reset

    env = library.make(game)
    step = jax.vmap(auto_reset(env.step, env.init))

    @jax.jit
    def many(state, key):  # type: ignore[no-untyped-def]
        def one(state, key):  # type: ignore[no-untyped-def]
            key, other = jax.random.split(key)
            logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
            state = step(state, jax.random.categorical(key, logits), jax.random.split(other, envs))
            return state, state.observation.sum()  # without a reader, XLA would leave out observations

        return jax.lax.scan(one, state, jax.random.split(key, STEPS))

    state = jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(0), envs))
    seen, key = state.observation[0], jax.random.PRNGKey(1)

    def run() -> tuple[int, float]:
        nonlocal state, key
        key, other = jax.random.split(key)
        start = time.process_time()
        state, sums = many(state, other)
        sums.block_until_ready()
        return STEPS * envs, time.process_time() - start

    run()
    return Case("pgx", game, envs, seen.size, seen.nbytes, run)


def envpool(game: str, envs: int) -> Case:
    import envpool as library

    vector = library.make_gymnasium(game, num_envs=envs, num_threads=1, seed=1)
    observations, info = vector.reset()
    count, rng = int(vector.action_space.n), np.random.default_rng(1)

    def run() -> tuple[int, float]:
        nonlocal info
        begun, spent = 0, 0.0
        for _ in range(STEPS):
            mask = info.get("legal_action_mask", np.ones((envs, 1), bool))
            actions = (mask * rng.random((envs, count), np.float32)).argmax(1).astype(np.int32)
            start = time.process_time()
            _, _, terminated, truncated, info = vector.step(actions)
            spent += time.process_time() - start
            begun += int(np.count_nonzero(terminated | truncated))
        return STEPS * envs - begun, spent

    return Case("EnvPool", game, envs, observations.size // envs, observations.nbytes // envs, run)


def puffer_binding(source: Path, game: str, folder: Path) -> Any:
    """Compiles the binding of one environment, with the optimization level of PufferLib's setup.py."""
    target, raylib = folder / f"{game}.so", source / "raylib-5.5_linux_amd64"
    includes = [raylib / "include", sysconfig.get_path("include"), np.get_include()]
    flags = ["-shared", "-fPIC", "-O2", "-flto", "-fwrapv", "-w", "-Wl,-Bsymbolic", "-DPLATFORM_DESKTOP"]
    files = [source / f"pufferlib/ocean/{game}/binding.c", raylib / "lib/libraylib.a"]
    command = ["cc", *flags, *(f"-I{path}" for path in includes), *map(str, files), "-lm", "-o", str(target)]
    subprocess.run(command, check=True)
    spec = importlib.util.spec_from_file_location("binding", target)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def puffer(game: str, envs: int, source: Path, folder: Path) -> Case:
    """What ``step`` of PufferLib's class does: the actions are copied, and all environments step in C."""
    binding = puffer_binding(source, game, folder)
    shape, kind, count = ((42,), np.float32, 7) if game == "connect4" else ((SQUARED**2,), np.uint8, 5)
    given: dict[str, int] = {} if game == "connect4" else {"size": SQUARED}
    observations, taken = np.zeros((envs, *shape), kind), np.zeros(envs, np.int32)
    rewards, terminated, truncated = np.zeros(envs, np.float32), np.zeros(envs, bool), np.zeros(envs, bool)
    buffers = observations, taken, rewards, terminated, truncated
    vector = binding.vec_init(*buffers, envs, 1, **given)
    binding.vec_reset(vector, 1)
    rng = np.random.default_rng(1)

    def run() -> tuple[int, float]:
        begun, spent = 0, 0.0
        for _ in range(STEPS):
            # In a column of connect4 the sixth site is the highest; a disc there fills the column.
            mask = observations.reshape(envs, 7, 6)[:, :, 5] == 0 if game == "connect4" else 1
            actions = (mask * rng.random((envs, count), np.float32)).argmax(1)
            start = time.process_time()
            buffers[1][:] = actions  # C keeps pointers to the buffers, so this function keeps them alive
            binding.vec_step(vector)
            spent += time.process_time() - start
            if game == "connect4":  # squared resets within the step
                begun += int(np.count_nonzero(terminated))
        return STEPS * envs - begun, spent

    return Case("PufferLib", game, envs, observations[0].size, observations[0].nbytes, run)


def rate(run: Chunk) -> float:
    decisions, spent = 0, 0.0
    while spent < SECONDS:
        more, seconds = run()
        decisions, spent = decisions + more, spent + seconds
    return decisions / spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--envs", type=int, nargs="+", default=[1024, 4096])
    parser.add_argument("--puffer", type=Path, metavar="SOURCE")
    parser.add_argument("--only", default="", metavar="WORD", help="only cases whose name contains this")
    given = parser.parse_args()
    # One core for all, before XLA counts the cores.
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false " + os.environ.get("XLA_FLAGS", "")
    os.environ["JAX_PLATFORMS"] = "cpu"

    cases: list[Case] = []
    with tempfile.TemporaryDirectory() as folder:
        engines: list[tuple[str, list[str], Callable[[str, int], Case]]] = [
            ("houserule", list(HOUSERULE), houserule),
            ("pgx", PGX, pgx),
            ("EnvPool", ENVPOOL, envpool),
        ]
        if given.puffer:
            engines.append(("PufferLib", PUFFER, lambda game, envs: puffer(game, envs, given.puffer, Path(folder))))
        else:
            print("PufferLib: skipped, --puffer isn't given")
        for engine, games, make in engines:
            wanted = [game for game in games if given.only in f"{engine} {game}"]
            try:
                cases += [make(game, envs) for game in wanted for envs in given.envs]
            except ImportError as error:
                print(f"{engine}: skipped, {error}")
        rates: list[list[float]] = [[] for _ in cases]
        for _ in range(given.rounds):
            for case, found in zip(cases, rates, strict=True):
                found.append(rate(case.run))
    print(f"{'':28}{'envs':>6}{'numbers':>9}{'bytes':>7}  M decisions/s")
    for case, found in zip(cases, rates, strict=True):
        median, least, greatest = (value / 1e6 for value in (statistics.median(found), min(found), max(found)))
        print(
            f"{case.name:28}{case.envs:6}{case.numbers:9}{case.bytes:7}  {median:8.3f}  ({least:.3f} to {greatest:.3f})"
        )


if __name__ == "__main__":
    main()
