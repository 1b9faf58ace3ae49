"""Observations as bytes and as bits."""

from __future__ import annotations

from typing import Any

import gymnasium
import houserule as hr
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from houserule.gymnasium import Env, VectorEnv

N = 7
GAMES: list[tuple[str, dict[str, Any]]] = [
    ("dilido", {}),
    ("pig", {"players": 3, "opponents": "self"}),
    ("go", {"size": 4, "opponents": "self"}),
    ("connect-four", {"opponents": "self"}),
    ("connect-four", {"opponents": "self", "observation": "planes"}),
    ("tic-tac-toe", {}),
]


def ranges(envs: VectorEnv) -> Any:
    """The range of each number, laid out as the observations are; 1 of bits."""
    flat = np.ones(sum(entry.length for entry in envs.game.observation_spec()), np.float32)
    for entry in envs.game.observation_spec():
        if entry.range is not None:
            flat[entry.offset : entry.offset + entry.length] = max(entry.range[1] - entry.range[0], 1)
    # The games here have bits alone on their planes.
    return 1 if envs.options.observation == "planes" else flat


@pytest.mark.parametrize(("game", "options"), GAMES)
@pytest.mark.parametrize("dtype", ["uint8", "bits"])
def test_bytes_and_bits_say_what_floats_say(game: str, options: dict[str, Any], dtype: Any) -> None:
    floats = VectorEnv(game, N, autoreset_mode="SameStep", **options)
    try:
        envs = VectorEnv(game, N, autoreset_mode="SameStep", dtype=dtype, **options)
    except ValueError as error:
        assert dtype == "bits" and "takes more than a bit" in str(error)
        return
    expected, _ = floats.reset(seed=3)
    seen, _ = envs.reset(seed=3)
    shape, scale = expected.shape[1:], ranges(floats)

    def told(cells: Any) -> Any:
        if dtype == "uint8":
            return cells
        return np.unpackbits(cells, axis=-1, count=int(np.prod(shape)), bitorder="little").reshape(N, *shape)

    for _ in range(60):
        assert seen.dtype == np.uint8 and envs.observation_space.contains(seen)
        assert (told(seen) == np.rint(expected * scale)).all()
        assert (envs.observations() == seen).all()
        actions = floats.sample_actions()
        expected, *_ = floats.step(actions)
        seen, _, _, _, infos = envs.step(actions)
        for final in infos.get("final_obs", []):
            assert final is None or envs.single_observation_space.contains(final)


def test_a_single_environment_and_a_dict() -> None:
    env = Env("dilido", observation="dict", dtype="uint8")
    check_env(env, skip_render_check=True)
    seen, _ = env.reset(seed=5)
    assert env.observation_space["penalties"].high.max() == 3
    assert all(part.dtype == np.uint8 for part in seen.values())
    flat = hr.env("dilido", dtype="uint8")
    numbers, _ = flat.reset(seed=5)
    assert (np.concatenate([part.ravel() for part in seen.values()]) == numbers).all()
    made = gymnasium.make("houserule:houserule/ConnectFour-v0", dtype="bits")
    assert made.observation_space.shape == (11,)
    assert made.observation_space.contains(made.reset(seed=1)[0])


def test_steps_into_arrays_of_bytes() -> None:
    envs = hr.vector_env("connect-four", N, opponents="self", dtype="bits")
    envs.reset(seed=1)
    seen = np.empty((N, 11), np.uint8)
    rewards, over, cut = np.empty(N), np.empty(N, bool), np.empty(N, bool)
    envs.step_into(envs.sample_actions(), rewards, over, cut, observations=seen)
    assert (seen == envs.observations()).all()
    with pytest.raises(TypeError, match="must be uint8"):
        envs.step_into(envs.sample_actions(), rewards, over, cut, observations=np.empty((N, 88), np.float32))


def test_what_does_not_fit_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="`penalties`.*more than a bit"):
        hr.env("dilido", dtype="bits")
    with pytest.raises(ValueError, match="`points`.*more than a byte"):
        hr.vector_env("pig", 2, goal=400, dtype="uint8")
    with pytest.raises(ValueError, match="'dict'.*'bits'"):
        hr.env("connect-four", observation="dict", dtype="bits")
    with pytest.raises(ValueError, match="dtype"):
        hr.env("connect-four", dtype="float64")  # type: ignore[arg-type]


def test_a_state_tells_bytes_and_bits() -> None:
    state = hr.load("connect-four").start(0)
    state.apply(3)
    floats = state.observation(0)
    whole, bits = state.observation(0, dtype="uint8"), state.observation(0, dtype="bits")
    assert (whole == floats).all() and whole.dtype == np.uint8
    assert (np.unpackbits(bits, count=len(floats), bitorder="little") == floats).all()
    planes = state.observation(0, "planes")
    assert (state.observation(0, "planes", dtype="uint8") == planes).all()
    packed = state.observation(0, "planes", dtype="bits")
    assert (np.unpackbits(packed, count=planes.size, bitorder="little") == planes.ravel()).all()
    with pytest.raises(ValueError, match="flat"):
        state.observation(0, "dict", dtype="bits")


def test_pettingzoo() -> None:
    zoo = pytest.importorskip("houserule.pettingzoo")
    for dtype in ("float32", "uint8", "bits"):
        env = zoo.env("connect-four", dtype=dtype)
        env.reset(seed=2)
        for agent in env.agent_iter():
            observation, _, over, cut, _ = env.last()
            assert env.observation_space(agent).contains(observation)
            env.step(None if over or cut else int(np.flatnonzero(observation["action_mask"])[0]))
