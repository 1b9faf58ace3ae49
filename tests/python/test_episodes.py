"""Episodes of Gymnasium environments: their statistics, and what is told where they end."""

from __future__ import annotations

import pickle
from typing import Any

import gymnasium
import houserule as hr
import numpy as np
import pytest
from gym_helpers import same
from gymnasium.vector import AutoresetMode

OPTIONS: list[tuple[str, dict[str, Any]]] = [
    ("dilido", {"skip_forced": True}),
    ("tic-tac-toe", {"opponents": "self"}),
    ("pig", {"players": 3, "reward": "score", "goal": 15}),
]


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize(("game", "options"), OPTIONS)
def test_statistics_are_those_of_gymnasium_s_wrapper(game: str, options: dict[str, Any], mode: AutoresetMode) -> None:
    ours = hr.vector_env(game, 9, autoreset_mode=mode, statistics=True, **options)
    theirs = gymnasium.wrappers.vector.RecordEpisodeStatistics(hr.vector_env(game, 9, autoreset_mode=mode, **options))
    ours.reset(seed=2)
    theirs.reset(seed=2)
    ends = 0
    for step in range(120):
        actions = ours.sample_actions()
        infos, told = ours.step(actions)[-1], theirs.step(actions)[-1]
        assert infos.keys() == told.keys()
        if "episode" not in infos:
            continue
        over = infos["_episode"]
        assert (over == told["_episode"]).all()
        for key in "rl":
            assert same(infos["episode"][key], told["episode"][key])
        assert (infos["episode"]["t"][over] > 0).all() and not infos["episode"]["t"][~over].any()
        ends += over.sum()
        if mode is AutoresetMode.DISABLED:
            for envs in (ours, theirs):
                envs.reset(options={"reset_mask": over.copy()})
        if step % 40 == 0:
            ours = pickle.loads(pickle.dumps(ours))
    assert ends > 9


def test_statistics_of_one_environment() -> None:
    ours = hr.env("dilido", statistics=True, observation="dict")
    theirs = gymnasium.wrappers.RecordEpisodeStatistics(hr.env("dilido"))
    for seed in range(5):
        ours.reset(seed=seed)
        theirs.reset(seed=seed)
        over = False
        while not over:
            action = ours.sample_action()
            _, _, over, _, info = ours.step(action)
            told = theirs.step(action)[-1]
            assert ("episode" in info) == over
        assert all(info["episode"][key] == told["episode"][key] for key in "rl") and info["episode"]["t"] > 0
    assert isinstance(info["episode"]["r"], float) and isinstance(info["episode"]["l"], int)
    assert "episode" in gymnasium.make("houserule/Dilido-v0", statistics=True).unwrapped.__doc__


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_final_observations_and_masks_in_every_autoreset_mode(mode: AutoresetMode) -> None:
    envs = hr.vector_env("tic-tac-toe", 30, autoreset_mode=mode, opponents="self")
    _, infos = envs.reset(seed=1)
    ended = 0
    for _ in range(25):
        states = [envs.state(env) for env in range(30)]
        actions = envs.sample_actions()
        seen, _, terminated, _, infos = envs.step(actions)
        final = infos.get("final_info", {}) if mode is AutoresetMode.SAME_STEP else infos
        for env in np.flatnonzero(terminated).tolist():
            mover = states[env].current_player
            states[env].apply(int(actions[env]))
            last = infos["final_obs"][env] if mode is AutoresetMode.SAME_STEP else seen[env]
            assert states[env].is_over and (last == states[env].observation(mover)).all()
            assert final["action_mask"][env].all() and final["_action_mask"][env]
            # With same-step autoreset, the other arrays are of the next episode, which has just begun.
            begun = mode is AutoresetMode.SAME_STEP
            assert (envs.state(env).decisions == 0) == begun and (envs.current_player[env] >= 0) == begun
        ended += terminated.sum()
        if mode is AutoresetMode.DISABLED and terminated.any():
            envs.reset(options={"reset_mask": terminated})
    assert ended > 30


def test_step_into_writes_final_observations_where_an_episode_is_over() -> None:
    one, other = (hr.vector_env("tic-tac-toe", 30, autoreset_mode="SameStep") for _ in range(2))
    one.reset(seed=1)
    other.reset(seed=1)
    final, rewards, ended, cut = np.zeros((30, 22), np.float32), np.empty(30), np.empty(30, bool), np.empty(30, bool)
    for _ in range(6):
        final[:] = -1
        actions = one.sample_actions()
        one.step_into(actions, rewards, ended, cut, final_observations=final)
        infos = other.step(actions)[-1]
        assert (final[~ended] == -1).all()
        assert all((final[env] == infos["final_obs"][env]).all() for env in np.flatnonzero(ended))


def test_pictures_have_the_width_that_is_asked_for() -> None:
    env = hr.env("connect-four", render_mode="rgb_array", render_width=256)
    env.reset(seed=1)
    height, width, _ = env.render().shape
    assert width == 256 and 150 < height < 256
    env.step(env.sample_action())
    assert env.render().shape == (height, 256, 3)
    envs = hr.vector_env("connect-four", 2, render_mode="rgb_array", render_width=100)
    envs.reset(seed=1)
    assert [frame.shape[1] for frame in envs.render()] == [100, 100]
    for wrong in (0, 9000):
        with pytest.raises(ValueError, match=f"render_width must be from 1 to 8192 pixels, not {wrong}"):
            hr.env("connect-four", render_width=wrong)
