"""Rule files as RLlib environments. Ray is large: this runs where it is asked for."""

from __future__ import annotations

import pickle
from typing import Any

import gymnasium
import houserule as hr
import numpy as np
import pytest
import ray
from houserule.rllib import MultiAgentEnv
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module import MultiRLModuleSpec, RLModuleSpec
from ray.rllib.env.multi_agent_env import MultiAgentEnv as RayMultiAgentEnv
from ray.rllib.env.multi_agent_episode import MultiAgentEpisode
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.rllib.utils.pre_checks.env import check_multiagent_environments

MOST = 5


def names() -> list[str]:
    return [entry.name for entry in hr.games()]


def games() -> list[tuple[str, int]]:
    """Every bundled game that has decisions, with each number of players up to five."""
    all_games = []
    for name in names():
        game = hr.load(name)
        if game.num_actions > 0:
            fewest, most = game.player_range
            all_games += [(name, players) for players in range(fewest, min(most, MOST) + 1)]
    return all_games


@pytest.mark.parametrize(("name", "players"), games())
def test_ray_s_check(name: str, players: int) -> None:
    env = MultiAgentEnv({"game": name, "players": players})
    assert isinstance(env, RayMultiAgentEnv)
    check_multiagent_environments(env)


@pytest.mark.parametrize(("name", "players"), games())
def test_episodes(name: str, players: int) -> None:
    """RLlib's own episodes take every step, and the values are those of the spaces."""
    env = MultiAgentEnv({"game": name, "players": players})
    observations, infos = env.reset(seed=4)
    rng = np.random.default_rng(4)
    episode = MultiAgentEpisode()
    episode.add_env_reset(observations=observations, infos=infos)
    for _ in range(200):
        (agent,) = observations
        assert env.get_observation_space(agent).contains(observations[agent])
        mask = observations[agent]["action_mask"]
        assert mask.dtype == np.float32
        actions = {agent: int(rng.choice(np.flatnonzero(mask)))}
        observations, rewards, over, broken_off, infos = env.step(actions)
        episode.add_env_step(observations, actions, rewards, infos, terminateds=over, truncateds=broken_off)
        if over["__all__"]:
            assert set(observations) == set(env.possible_agents)
            assert episode.is_done
            break


def play(env: MultiAgentEnv, seed: int) -> dict[str, float]:
    """Plays a random game; what each agent was given."""
    observations, _ = env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    given = dict.fromkeys(env.possible_agents, 0.0)
    over = {"__all__": False}
    while not over["__all__"]:
        (agent,) = observations
        action = int(rng.choice(np.flatnonzero(observations[agent]["action_mask"])))
        observations, rewards, over, _, _ = env.step({agent: action})
        for other, reward in rewards.items():
            given[other] += reward
    return given


def test_rewards() -> None:
    for seed in range(10):
        assert sorted(play(MultiAgentEnv({"game": "pig", "players": 3}), seed).values()) == [-0.5, -0.5, 1.0]
        env = MultiAgentEnv({"game": "yacht", "players": 2, "reward": "score"})
        given = play(env, seed)
        assert list(given.values()) == [float(score) for score in env._state.score]


def test_every_agent_is_told_which_end_decided() -> None:
    env = MultiAgentEnv({"game": "tic-tac-toe"})
    env.reset()
    for turn, action in enumerate([0, 3, 1, 4]):
        assert env.step({f"player_{turn % 2}": action})[4] == {}
    assert env.step({"player_0": 2})[4] == {"player_0": {"end": "line"}, "player_1": {"end": "line"}}


def test_an_illegal_action_ends_the_game() -> None:
    env = MultiAgentEnv({"game": "tic-tac-toe"})
    env.reset()
    env.step({"player_0": 4})
    _, rewards, over, broken_off, infos = env.step({"player_1": 4})
    assert rewards == {"player_0": 0.0, "player_1": -1.0}
    assert over["__all__"] is True
    assert broken_off["__all__"] is False
    assert infos == {"player_1": {"illegal_action": 4}}


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(ValueError, match="needs 'game'"):
        MultiAgentEnv({})
    with pytest.raises(ValueError, match="has no 'goal'"):
        MultiAgentEnv({"game": "pig", "goal": 50})
    env = MultiAgentEnv({"game": "pig", "params": {"goal": 50}})
    env.reset()
    with pytest.raises(ValueError, match="player_0 has to decide; actions were given for: player_1"):
        env.step({"player_1": 0})


def test_a_copy_in_mid_game_goes_on_the_same() -> None:
    env = MultiAgentEnv({"game": "dicrono"})
    env.reset(seed=2)
    copy = pickle.loads(pickle.dumps(env))
    agent = env.possible_agents[env._state.current_player]
    action = env._state.legal_actions()[0]
    for mine, its in zip(env.step({agent: action})[0].values(), copy.step({agent: action})[0].values()):
        assert all(np.array_equal(mine[key], its[key]) for key in mine)


def test_a_config_takes_it() -> None:
    config = PPOConfig().environment(MultiAgentEnv, env_config={"game": "connect-four"})
    config = config.multi_agent(policies={"shared"}, policy_mapping_fn=lambda *_, **__: "shared")
    env = config.env(config.env_config)
    assert isinstance(env.get_action_space("player_0"), gymnasium.spaces.Discrete)


def test_ppo_with_masks_learns_an_iteration() -> None:
    """The new stack trains with RLlib's own module of masks, and its actions are legal: no episode ends by one."""
    ended: list[bool] = []

    class Watched(MultiAgentEnv):
        def step(self, action_dict: dict[str, int]) -> Any:
            told = super().step(action_dict)
            ended.append(any("illegal_action" in info for info in told[-1].values()))
            return told

    config = (
        PPOConfig()
        .environment(Watched, env_config={"game": "tic-tac-toe"})
        .multi_agent(policies={"shared"}, policy_mapping_fn=lambda agent, episode, **_: "shared")
        .rl_module(
            rl_module_spec=MultiRLModuleSpec(rl_module_specs={"shared": RLModuleSpec(module_class=ActionMaskingTorchRLModule)})
        )
        .env_runners(num_env_runners=0)
        .training(train_batch_size=200, minibatch_size=100, num_epochs=1)
    )
    algorithm = config.build_algo()
    try:
        result = algorithm.train()
    finally:
        algorithm.stop()
        ray.shutdown()
    assert result["env_runners"]["num_env_steps_sampled"] >= 200
    assert len(ended) >= 200 and not any(ended)


def test_games_start_in_other_positions() -> None:
    env = MultiAgentEnv({"game": "dilido"})
    state = hr.load("dilido").start(7)
    for _ in range(5):
        state.apply(state.random_action())
    observations, _ = env.reset(seed=2, options={"start": state})
    assert np.array_equal(observations["player_0"]["observations"], state.observation(0))
    with pytest.raises(ValueError, match="has no option 'begin'"):
        env.reset(options={"begin": state})
