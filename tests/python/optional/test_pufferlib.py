"""Rule files as native environments of PufferLib 3. `pufferlib-core` has the modules of `pufferlib` 3.0.0 without its
games, which take a C compiler and downloads."""

from __future__ import annotations

from typing import Any

import houserule as hr
import numpy as np
import pufferlib
import pufferlib.vector
import pytest
from houserule.pufferlib import PufferEnv

N = 16


def make(backend: Any, game: str = "dilido", num_envs: int = 2, **options: Any) -> Any:
    more = {"num_workers": num_envs, "overwork": True} if backend is pufferlib.vector.Multiprocessing else {}
    return pufferlib.vector.make(
        PufferEnv, env_args=[game, N], env_kwargs=options, backend=backend, num_envs=num_envs, seed=3, **more
    )


def legal(rng: np.random.Generator, masks: np.ndarray) -> np.ndarray:
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in masks], np.int32)


@pytest.mark.parametrize("dtype", ["float32", "uint8"])
@pytest.mark.parametrize(("game", "options"), [("dilido", {}), ("connect-four", {"opponents": "greedy"}), ("pig", {"players": 3})])
@pytest.mark.parametrize("backend", [pufferlib.vector.Serial, pufferlib.vector.Multiprocessing])
def test_their_vectorization_steps_as_ours(backend: Any, game: str, options: dict[str, Any], dtype: Any) -> None:
    puffer = make(backend, game, dtype=dtype, **options)
    ours = hr.vector_env(game, 2 * N, autoreset_mode="SameStep", dtype=dtype, **options)
    actions = int(ours.single_action_space.n)
    puffer.async_reset(3)
    seen, _, _, _, _, agents, active = puffer.recv()
    assert active.all() and agents.size == 2 * N
    # Environment i of worker seed s has seed s N + i.
    first, infos = ours.reset(seed=3 * N)
    rng, ends = np.random.default_rng(1), 0
    for _ in range(60):
        assert seen.dtype == first.dtype and (seen[:, :-actions] == first).all()
        masks = seen[:, -actions:]
        assert (masks == infos["action_mask"]).all()
        chosen = legal(rng, masks)
        puffer.send(chosen)
        seen, rewards, terminals, truncations, _, _, _ = puffer.recv()
        first, gained, ended, cut, infos = ours.step(chosen)
        assert rewards.dtype == np.float32 and np.allclose(rewards, gained)
        assert (terminals == ended).all() and (truncations == cut).all()
        ends += ended.sum()
    assert ends > 0
    puffer.close()


def test_it_writes_into_the_buffers_that_it_is_given() -> None:
    env = PufferEnv("dilido", N, append_mask=False)
    arrays = {
        "observations": np.full((N, 124), -1, np.float32),
        "rewards": np.full(N, -1, np.float32),
        "terminals": np.ones(N, bool),
        "truncations": np.ones(N, bool),
        "masks": np.zeros(N, bool),
        "actions": np.zeros(N, np.int32),
    }
    own = PufferEnv("dilido", N, append_mask=False, buf=arrays)
    env.reset(seed=5)
    given, _ = own.reset(seed=5)
    assert given is arrays["observations"] and (given == env.observations).all()
    assert arrays["masks"].all() and not arrays["terminals"].any() and not arrays["rewards"].any()
    for _ in range(40):
        chosen = legal(np.random.default_rng(1), env.action_masks)
        told, its = env.step(chosen), own.step(chosen)
        assert all(np.array_equal(a, b) for a, b in zip(told[:4], its[:4]))
    assert its[0] is arrays["observations"] and its[1] is arrays["rewards"]


def test_infos_have_the_means_of_episodes() -> None:
    env = PufferEnv("dilido", 64, log_interval=50)
    env.reset(seed=1)
    sums, lengths, ended, rng = np.zeros(64), np.zeros(64), [], np.random.default_rng(1)
    for step in range(1, 101):
        _, rewards, terminals, _, infos = env.step(legal(rng, env.action_masks))
        sums += rewards
        lengths += 1
        ended += zip(sums[terminals], lengths[terminals])
        sums[terminals] = lengths[terminals] = 0
        if step % 50:
            assert infos == []
            continue
        (info,) = infos
        assert info["n"] == len(ended) and info["episode_return"] == pytest.approx(np.mean([one[0] for one in ended]))
        assert info["score"] == info["episode_return"]
        assert info["episode_length"] == pytest.approx(np.mean([one[1] for one in ended]))
        ended = []


def test_an_illegal_action_ends_the_episode() -> None:
    env = PufferEnv("tic-tac-toe", 4, seat=0)
    env.reset(seed=1)
    env.step(np.zeros(4, np.int32))
    _, rewards, terminals, _, _ = env.step(np.zeros(4, np.int32))
    assert (rewards == -1).all() and terminals.all()


def test_what_it_can_not_do() -> None:
    with pytest.raises(ValueError, match="one player"):
        PufferEnv("tic-tac-toe", opponents="self")
    with pytest.raises(ValueError, match="append_mask"):
        PufferEnv("tic-tac-toe", dtype="bits")
    with pytest.raises(ValueError, match="from 1 on|environments"):
        PufferEnv("tic-tac-toe", 0)
    env = PufferEnv("tic-tac-toe", 2, illegal_action="raise", append_mask=False, dtype="bits")
    env.reset()
    with pytest.raises(ValueError, match="environment 0"):
        env.step(np.full(2, 99))


def test_rule_sets_starts_and_shaped_rewards_are_those_of_vector_environments() -> None:
    sets = hr.rules("dilido", penalty_limit=[2, 3], jokers=[0, 1])
    start = hr.load("dilido", penalty_limit=2, jokers=0).start(1)
    start.apply(start.legal_actions()[0])
    options: dict[str, Any] = {"reward": "score", "potential": "score", "gamma": 0.9, "rule_choice": "slices"}
    puffer = PufferEnv(sets, N, seed=2, **options)
    ours = hr.vector_env(sets, N, autoreset_mode="SameStep", **options)
    actions = int(ours.single_action_space.n)
    seen, _ = puffer.reset()
    first, infos = ours.reset(seed=2 * N)
    rng = np.random.default_rng(1)
    for _ in range(40):
        assert (seen[:, :-actions] == first).all() and (puffer.action_masks == infos["action_mask"]).all()
        chosen = legal(rng, infos["action_mask"])
        seen, rewards, _, _, _ = puffer.step(chosen)
        first, gained, _, _, infos = ours.step(chosen)
        assert np.allclose(rewards, gained)
    begun = PufferEnv("dilido", 2, starts=[start], penalty_limit=2, jokers=0)
    begun.reset()
    assert str(begun.state(1)).splitlines()[1:] == str(start).splitlines()[1:]
