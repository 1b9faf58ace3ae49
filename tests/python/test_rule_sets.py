"""Several rule sets in one environment, held to an environment of each of them alone."""

from __future__ import annotations

import pickle
import traceback
from typing import Any

import gymnasium
import houserule as hr
import numpy as np
import pytest
from extent import tries
from gymnasium.vector import AutoresetMode

N = tries(12, 40)


def dilido() -> hr.RuleSets:
    return hr.rules("dilido", variants=[None, "torus", "second-joker"], penalty_limit=range(2, 4), jokers=[0, 2])


def with_index(game: hr.Game, options: dict[str, Any], seed: int, episode: int) -> tuple[Any, Any, dict[str, Any]]:
    """Returns an environment of one game at the beginning of an episode."""
    env = hr.env(game, **options)
    observation, info = env.reset(seed=seed)
    for _ in range(episode):
        observation, info = env.reset()
    return env, observation, info


def hold(seen: dict[str, Any], alone: dict[str, Any], at: str) -> None:
    for name, value in seen.items():
        if name == "rules":
            continue
        if name in alone:
            assert np.array_equal(value, alone[name]), f"{at}: {name}"
        else:
            assert not value.any(), f"{at}: {name}"
    assert alone.keys() <= seen.keys()


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("dtype", ["float32", "uint8"])
def test_each_environment_equals_one_of_its_rule_set_alone(mode: AutoresetMode, dtype: str) -> None:
    sets, options = dilido(), {"observation": "dict", "dtype": dtype}
    envs = hr.vector_env(sets, N, autoreset_mode=mode, threads=2, **options)
    observations, infos = envs.reset(seed=11)
    places = [{name: number for number, name in enumerate(game.action_names)} for game in sets]
    alone, episodes = [], [0] * N
    for i, rules in enumerate(infos["rules"]):
        env, observation, info = with_index(sets[rules], options, 11 + i, 0)
        alone.append((env, observation, info))
    over = np.zeros(N, bool)
    begun = 0
    for step in range(120):
        assert (envs.rule_indices == infos["rules"]).all()
        for i, (_, observation, info) in enumerate(alone):
            at = f"step {step}, environment {i}, {sets.names[infos['rules'][i]]}"
            hold({name: value[i] for name, value in observations.items()}, observation, at)
            own = places[infos["rules"][i]]
            expected = [info["action_mask"][own[name]] if name in own else over[i] for name in envs.action_names]
            assert np.array_equal(infos["action_mask"][i], np.asarray(expected, np.int8)), at
        if mode is AutoresetMode.DISABLED and over.any():
            observations, infos = envs.reset(options={"reset_mask": over})
            rewards, ended, before = np.zeros(N), over, over
        else:
            actions = envs.sample_actions()
            before = over
            observations, rewards, terminated, truncated, infos = envs.step(actions)
            ended = terminated | truncated
        for i, (env, _, _) in enumerate(alone):
            if mode is not AutoresetMode.SAME_STEP and before[i]:
                episodes[i] += 1
                begun += 1
                alone[i] = with_index(sets[infos["rules"][i]], options, 11 + i, episodes[i])
            elif mode is not AutoresetMode.DISABLED or not before.any():
                own = env.game.action_names.index(envs.action_names[actions[i]])
                observation, reward, terminated_alone, truncated_alone, info = env.step(own)
                assert (reward, terminated_alone, truncated_alone) == (rewards[i], terminated[i], truncated[i])
                alone[i] = env, observation, info
                if ended[i] and mode is AutoresetMode.SAME_STEP:
                    final = infos["final_info"]
                    assert sets[final["rules"][i]] == env.game and final["end"][i] == info["end"]
                    hold(infos["final_obs"][i], observation, f"final of {i}")
                    episodes[i] += 1
                    begun += 1
                    alone[i] = with_index(sets[infos["rules"][i]], options, 11 + i, episodes[i])
        over = ended if mode is AutoresetMode.NEXT_STEP else np.zeros(N, bool)
        if mode is AutoresetMode.DISABLED:
            over = ended & ~before
    assert begun > N


def test_observations_show_the_rules() -> None:
    sets = hr.rules("dilido", variants=[None, "second-joker"], penalty_limit=[2, 4, 6])
    envs = hr.vector_env(sets, 6, rule_choice="slices", observation="dict")
    observations, infos = envs.reset(seed=1)
    assert infos["rules"].tolist() == list(range(6)) and infos["rules"].dtype == np.int64
    assert [envs.rules[i] for i in infos["rules"]] == list(sets)
    limit = envs.rule_features.index("penalty_limit")
    assert observations["rules"][:, limit].tolist() == [0, 0.5, 1] * 2
    variant = [number for number, name in enumerate(envs.rule_features) if "second-joker" in name]
    assert (observations["rules"][:, variant[0]] == [0, 0, 0, 1, 1, 1]).all()
    flat = hr.vector_env(sets, 6, rule_choice="slices")
    numbers, _ = flat.reset(seed=1)
    assert np.array_equal(numbers[:, -len(envs.rule_features) :], observations["rules"])
    hidden = hr.vector_env(sets, 6, rule_choice="slices", show_rules=False)
    assert hidden.single_observation_space.shape == (numbers.shape[1] - len(envs.rule_features),)
    assert hidden.rule_features == []
    assert np.array_equal(hidden.reset(seed=1)[0], numbers[:, : -len(envs.rule_features)])


def test_rule_sets_are_a_sequence_with_names_and_params() -> None:
    sets = dilido()
    assert len(sets) == 12 and isinstance(sets[0], hr.Game)
    assert sets[0] == hr.load("dilido", penalty_limit=2, jokers=0)
    assert sets[-1] == hr.load("dilido + second-joker", penalty_limit=3, jokers=2)
    assert sets.params[5]["penalty_limit"] == 2 and sets.params[5]["jokers"] == 2
    assert sets.names[0] == "dilido penalty_limit=2 jokers=0"
    assert sets.weights == (1.0,) * 12
    assert list(sets[2:4]) == [sets[2], sets[3]] and sets[2:4].names[0].startswith("dilido")
    assert pickle.loads(pickle.dumps(sets)) == sets and hash(sets) == hash(pickle.loads(pickle.dumps(sets)))
    assert hr.rule_sets(["dilido", hr.load("dilido", jokers=0)])[1].params["jokers"].value == 0
    assert repr(sets).startswith("12 rule sets\n   0  dilido penalty_limit=2")


def test_the_same_seed_gives_the_same_rules_for_any_number_of_threads() -> None:
    seen = []
    for threads in (1, 2):
        envs = hr.vector_env(dilido(), 600, threads=threads)
        _, infos = envs.reset(seed=4)
        rules = [infos["rules"]]
        for _ in range(60):
            rules.append(envs.step(envs.sample_actions())[-1]["rules"])
        seen.append(np.array(rules))
    assert np.array_equal(*seen) and len(np.unique(seen[0])) == 12
    single = hr.env(dilido())
    for i in range(5):
        assert single.reset(seed=4 + i)[1]["rules"] == seen[0][0, i]


def test_weights_choose_and_change_while_it_runs() -> None:
    sets = hr.rules("dilido", penalty_limit=[2, 3, 4], weights=[0, 1, 3])
    envs = hr.vector_env(sets, 400, rule_choice="weighted")
    counts = np.bincount(envs.reset(seed=1)[1]["rules"], minlength=3)
    assert counts[0] == 0 and 60 < counts[1] < 140
    envs.set_rule_weights([1, 0, 0])
    for _ in range(150):
        infos = envs.step(envs.sample_actions())[-1]
    assert (infos["rules"] == 0).all()
    again = pickle.loads(pickle.dumps(envs))
    assert np.array_equal(again.step(actions := again.sample_actions())[0], envs.step(actions)[0])
    again.reset(seed=5)
    assert (again.step(again.sample_actions())[-1]["rules"] == 0).all()
    with pytest.raises(ValueError, match="2 weights for 3 rule sets"):
        envs.set_rule_weights([1, 2])


def test_a_pickle_keeps_the_rules_of_the_episode_in_progress() -> None:
    envs = hr.vector_env(dilido(), 30)
    envs.reset(seed=3)
    for _ in range(25):
        infos = envs.step(envs.sample_actions())[-1]
    again = pickle.loads(pickle.dumps(envs))
    for _ in range(40):
        actions = envs.sample_actions()
        ours, theirs = envs.step(actions), again.step(actions)
        assert np.array_equal(ours[0], theirs[0]) and np.array_equal(ours[-1]["rules"], theirs[-1]["rules"])


def test_a_function_chooses_and_its_exception_leaves_the_environments_usable() -> None:
    calls: list[tuple[int, int, int]] = []
    broken = False

    def choose(seed: int, episode: int, env: int) -> int:
        if broken:
            raise LookupError("no more rules")
        calls.append((seed, episode, env))
        return (seed + episode) % 12

    for mode in ("NextStep", "SameStep"):
        broken = False
        envs = hr.vector_env(dilido(), 20, rule_choice=choose, autoreset_mode=mode)
        assert envs.reset(seed=7)[1]["rules"].tolist() == [(7 + i) % 12 for i in range(20)]
        raised = 0
        for _ in range(60):
            actions = envs.sample_actions()
            before, broken = envs.snapshot(), True
            try:
                envs.step(actions)
            except LookupError as error:
                raised += 1
                assert traceback.extract_tb(error.__traceback__)[-1].name == "choose"
                assert envs.snapshot() == before
                broken = False
                envs.step(actions)
        assert raised > 0
    assert (7, 0, 0) in calls and (8, 1, 1) in calls
    envs = hr.vector_env(dilido(), 3, rule_choice=lambda seed, episode, env: 12)
    with pytest.raises(ValueError, match="rule set 12 for environment 0; there are 12, 0 to 11"):
        envs.reset(seed=1)
    envs = hr.vector_env(dilido(), 3, rule_choice=lambda seed, episode, env: "two")
    with pytest.raises(TypeError, match="must return the index of a rule set, not str"):
        envs.reset(seed=1)


def test_what_cannot_be_loaded_is_named_before_anything_runs() -> None:
    with pytest.raises(ValueError, match=r"rule set 2 \(dilido, penalty_limit=99\): .*penalty_limit"):
        hr.rules("dilido", penalty_limit=[2, 3, 99])
    with pytest.raises(ValueError, match=r"rule set 1 \(dilido \+ tours\): .*torus"):
        hr.rules("dilido", variants=[None, "tours"])
    with pytest.raises(hr.RulesError, match=r"rule set 0 \(text\):\n.*") as caught:
        hr.rule_sets(['game "X" { players 1 turn { nonsense } }'])
    assert caught.value.diagnostics
    with pytest.raises(ValueError, match="has no values"):
        hr.rules("dilido", jokers=[])
    with pytest.raises(ValueError, match="there can be 1 to 100,000"):
        hr.rule_sets([])
    with pytest.raises(ValueError, match="rule sets have all their settings: give 'jokers'"):
        hr.vector_env(dilido(), 2, jokers=1)
    with pytest.raises(ValueError, match="rule_choice needs rule sets"):
        hr.vector_env("dilido", 2, rule_choice="slices")
    with pytest.raises(ValueError, match="rule_choice must be"):
        hr.vector_env(dilido(), 20, rule_choice="other")  # type: ignore[arg-type]


def test_what_cannot_share_a_layout_is_refused_with_the_reason() -> None:
    with pytest.raises(ValueError, match="same number of players: `connect-four` has 2, `dilido` has 1"):
        hr.vector_env(hr.rule_sets(["connect-four", "dilido"]), 4)
    with pytest.raises(ValueError, match="planes need boards of one size: .* has 6 rows and 6 columns"):
        hr.vector_env(hr.rules("dilido", size=[6, 7]), 4, observation="planes")
    with pytest.raises(ValueError, match="rule set `pig`: planes need a board"):
        hr.vector_env(hr.rules("pig", goal=[30, 40]), 4, observation="planes")
    with pytest.raises(ValueError, match='doesn\'t fit the dtype: use the dtype "float32", or show_rules=False'):
        hr.vector_env(hr.rules("connect-four", variants=[None], width=[6, 7, 8]), 4, dtype="bits")


def test_sites_of_boards_of_several_sizes_are_found_by_name() -> None:
    sets = hr.rules("tic-tac-toe", variants=[None, "4x4"])
    envs = hr.vector_env(sets, 2, rule_choice="slices", observation="dict", opponents="self")
    envs.reset(seed=1)
    action = envs.action_names.index("place c2")
    observations = envs.step(np.array([action, action]))[0]
    name = next(name for name, value in observations.items() if value.shape[-1] == 16)
    small, large = observations[name]
    assert np.array_equal(small, large) and small.sum() == 1


def test_a_single_environment_draws_its_rules() -> None:
    sets = dilido()
    env = hr.env(sets)
    assert isinstance(env.observation_space, gymnasium.spaces.Box)
    seen = set()
    for episode in range(40):
        observation, info = env.reset(seed=3 if episode == 0 else None)
        seen.add(info["rules"])
        assert env.state.game == sets[info["rules"]] and env.observation_space.contains(observation)
        while True:
            observation, _, terminated, truncated, info = env.step(env.sample_action())
            assert env.observation_space.contains(observation)
            if terminated or truncated:
                break
    assert len(seen) > 8
