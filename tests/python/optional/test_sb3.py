"""Rule files for Stable-Baselines3: what it takes gigabytes to test."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import gymnasium
import houserule as hr
import numpy as np
import pytest

pytest.importorskip("stable_baselines3")

from houserule import sb3
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor


@pytest.mark.parametrize("name", ["dilido", "connect-four", "pig"])
@pytest.mark.parametrize("form", ["flat", "dict"])
def test_their_check_env(name: str, form: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Entries of a dict have the shape of what they show.
        warnings.filterwarnings("ignore", ".*unconventional shape.*")
        check_env(hr.env(name, observation=form))


def test_masks_are_found() -> None:
    single, many = hr.env("dilido"), sb3.VecEnv("dilido", 4)
    wrapped = gymnasium.make("houserule/Dilido-v0")
    for env in (single, many, wrapped, VecMonitor(many)):
        assert is_masking_supported(env)
    many.seed(1)
    many.reset()
    masks = get_action_masks(many)
    assert masks.shape == (4, 73) and masks.dtype == np.bool_
    assert (masks == [info["action_mask"] for info in many.reset_infos]).all()
    single.reset(seed=1)
    assert (get_action_masks(single) == masks[0]).all()


@pytest.mark.parametrize(("name", "options"), [("dilido", {}), ("dots-and-boxes", {"players": 3, "opponents": "greedy"}), ("connect-four", {"observation": "dict"})])
def test_steps_are_those_of_their_own(name: str, options: dict[str, Any]) -> None:
    ours = sb3.VecEnv(name, 5, **options)
    theirs = DummyVecEnv([lambda: hr.env(name, **options)] * 5)
    assert ours.observation_space == theirs.observation_space and ours.action_space == theirs.action_space
    ours.seed(3)
    theirs.seed(3)

    def same(a: Any, b: Any) -> bool:
        if isinstance(a, dict):
            return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
        return a.dtype == b.dtype and bool((a == b).all())

    assert same(ours.reset(), theirs.reset())
    ends, sums, lengths = 0, np.zeros(5), np.zeros(5, int)
    for step in range(150):
        assert (get_action_masks(ours) == get_action_masks(theirs)).all()
        actions = ours.envs.sample_actions() if step % 40 else np.zeros(5, int)
        a, b = ours.step(actions), theirs.step(actions)
        assert all(same(x, y) for x, y in zip(a[:3], b[:3]))
        sums, lengths = sums + b[1], lengths + 1
        for env in range(5):
            if not b[2][env]:
                assert a[3][env] == {}
                continue
            ends += 1
            assert same(a[3][env]["terminal_observation"], b[3][env]["terminal_observation"])
            for key in ("TimeLimit.truncated", "seat", "end", "illegal_action"):
                assert a[3][env].get(key) == b[3][env].get(key)
            assert a[3][env]["episode"]["r"] == pytest.approx(sums[env])
            assert a[3][env]["episode"]["l"] == lengths[env]
            sums[env] = lengths[env] = 0
    assert ends > 3


def test_maskable_ppo_learns_and_is_measured() -> None:
    envs = sb3.VecEnv("tic-tac-toe", 32)
    model = MaskablePPO("MlpPolicy", envs, n_steps=32, batch_size=256, seed=1, device="cpu")
    before, _ = evaluate_policy(model, hr.env("tic-tac-toe"), n_eval_episodes=100, warn=False)
    model.learn(20_000)
    after, _ = evaluate_policy(model, hr.env("tic-tac-toe"), n_eval_episodes=100, warn=False)
    # The standard error of a difference of two such means is 0.13 at most.
    assert after > before + 0.26
    assert len(model.ep_info_buffer) > 0


def test_infos_name_the_rules_and_the_opponents_that_were_played() -> None:
    sets = hr.rules("connect-four", width=[4, 5], height=4)
    pair = hr.mixture({"random": 1.0, "greedy": 1.0})
    envs = sb3.VecEnv(sets, 8, rule_choice="slices", opponents=pair)
    envs.seed(1)
    envs.reset()
    rules, opponents = set(), set()
    for _ in range(60):
        _, _, dones, infos = envs.step(np.array([np.flatnonzero(mask)[0] for mask in envs.action_masks()]))
        for env in np.flatnonzero(dones).tolist():
            rules.add((env, infos[env]["rules"]))
            opponents.add(infos[env]["opponent"])
    assert {rule for _, rule in rules} == {0, 1} and len(rules) <= 8
    assert opponents == {"random", "greedy"}


def test_it_pickles_and_draws() -> None:
    envs = sb3.VecEnv("dilido", 3, render_mode="rgb_array")
    envs.reset()
    other = pickle.loads(pickle.dumps(envs))
    actions = envs.envs.sample_actions()
    assert (envs.step(actions)[0] == other.step(actions)[0]).all()
    assert envs.render().ndim == 3
    envs.close()


def test_what_it_can_not_do() -> None:
    with pytest.raises(ValueError, match="one player"):
        sb3.VecEnv("tic-tac-toe", 2, opponents="self")
    envs = sb3.VecEnv("tic-tac-toe", 2)
    with pytest.raises(AttributeError):
        envs.env_method("fly")
    assert not envs.has_attr("fly")
    with pytest.raises(RuntimeError, match="step_async"):
        envs.step_wait()


def test_episodes_are_measured_as_by_a_monitor() -> None:
    envs = sb3.VecEnv("connect-four", 2)
    assert envs.env_is_wrapped(Monitor) == [True, True] and envs.env_is_wrapped(Monitor, [1]) == [True]
    assert envs.env_is_wrapped(gymnasium.wrappers.TimeLimit) == [False, False]
    model = MaskablePPO("MlpPolicy", envs, n_steps=8, batch_size=16)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evaluate_policy(model, envs, n_eval_episodes=2)
