"""Rule files as PettingZoo environments."""

from __future__ import annotations

import pickle
import warnings

import bundled
import houserule as hr
import numpy as np
import pytest
from houserule import pettingzoo as zoo
from houserule._frames import Frames
from pettingzoo import AECEnv

with warnings.catch_warnings():
    # PettingZoo's tests load its own games in a way that it warns of.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, parallel_seed_test, render_test, seed_test

# What PettingZoo says of every environment whose observations are dicts, but for its own, which it knows by name;
# and of what an agent sees that is done.
EXPECTED = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box",
    "Action mask numpy array is all zeros",
    # Where nothing has happened yet and the rules show nothing else.
    "Observation numpy array is all zeros",
    # The test resets with an option of its own.
    "`reset` has no option 'options'",
)

COUNT = """
game "Count" {
  param most: 1..20 = 3                      "points that end the game"
  players 1..5
  var points[player]: 0..20 = 2              "counted so far"
  turn {
    step count {
      choose count { up "count on" { points[me] += 1 } }
    }
  }
  end counted when any p in players: points[p] >= most
  score { points: points[me] }
  winner most(score)
}
"""


# Variants have actions and observations of their own, but seeds and pictures like those of their games.
every_game = pytest.mark.parametrize("name", bundled.DECIDED)
every_base = pytest.mark.parametrize("name", [name for name in bundled.DECIDED if name in bundled.BASES])


@pytest.fixture(autouse=True)
def no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(Frames, "FPS", 100_000)


def check_api(env: AECEnv) -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        api_test(env, num_cycles=40)
    unexpected = [str(warning.message) for warning in told if not str(warning.message).startswith(EXPECTED)]
    assert unexpected == []


@pytest.mark.one_of(8)
@every_game
def test_api(name: str) -> None:
    for players in bundled.counts(name):
        check_api(zoo.env(name, players=players))


@pytest.mark.one_of(8)
@every_base
def test_api_without_wrappers(name: str) -> None:
    for players in bundled.counts(name):
        check_api(zoo.raw_env(name, players=players))


def test_an_option_is_warned_of() -> None:
    with pytest.warns(UserWarning, match="`reset` has no option 'seat': it has only 'start', 'decisions'; the option is ignored"):
        zoo.env("pig").reset(options={"seat": 1})


@pytest.mark.one_of(8)
@every_base
def test_seeds(name: str) -> None:
    for players in bundled.counts(name):
        seed_test(lambda players=players: zoo.env(name, players=players), num_cycles=40)


@pytest.mark.one_of(12)
@every_base
def test_render(name: str) -> None:
    for players in bundled.counts(name):
        render_test(lambda render_mode, players=players: zoo.env(name, players=players, render_mode=render_mode))


@pytest.mark.one_of(8)
@every_game
def test_parallel_api(name: str) -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for players in bundled.counts(name):
            parallel_api_test(zoo.parallel_env(name, players=players), num_cycles=40)
    unexpected = [str(warning.message) for warning in told if not str(warning.message).startswith(EXPECTED)]
    assert unexpected == []


@pytest.mark.one_of(8)
@every_base
def test_parallel_seeds(name: str) -> None:
    for players in bundled.counts(name):
        parallel_seed_test(lambda players=players: zoo.parallel_env(name, players=players), num_cycles=40)


def test_max_cycles_truncates() -> None:
    made = {"game": COUNT, "players": 1, "most": 20}

    class Module:
        env = staticmethod(lambda max_cycles: zoo.env(**made, max_cycles=max_cycles))
        parallel_env = staticmethod(lambda max_cycles: zoo.parallel_env(**made, max_cycles=max_cycles))

    max_cycles_test(Module)
    with pytest.raises(ValueError, match="max_cycles must be at least 1, not 0"):
        zoo.env("pig", max_cycles=0)


@pytest.mark.parametrize(("name", "players"), [("connect-four", 2), ("dots-and-boxes", 3), ("yacht", 2)])
def test_parallel_steps_are_those_of_turns(name: str, players: int) -> None:
    turns, env = zoo.raw_env(name, players=players, reward="score"), zoo.parallel_env(name, players=players, reward="score")
    turns.reset(seed=4)
    seen, infos = env.reset(seed=4)
    rng = np.random.default_rng(4)
    while env.agents:
        agent = turns.agent_selection
        assert {info["current_player"] for info in infos.values()} == {env.possible_agents.index(agent)}
        assert env.current_agent == agent
        for other in env.agents:
            told = turns.observe(other)
            assert all(np.array_equal(told[key], seen[other][key]) for key in told)
        actions = {other: env.action_space(other).sample(mask=seen[other]["action_mask"]) for other in env.agents}
        actions[agent] = int(rng.choice(np.flatnonzero(seen[agent]["action_mask"])))
        turns.step(actions[agent])
        seen, rewards, terminations, truncations, infos = env.step(actions)
        assert (rewards, terminations, truncations) == (turns.rewards, turns.terminations, turns.truncations)
    assert all(terminations.values()) and infos[agent].keys() == {"end", "current_player"}
    assert env.end_names[infos[agent]["end"]] == turns._state.outcome.end
    assert infos[agent]["current_player"] == -1 and env.current_agent is None
    assert not any(one["action_mask"].any() for one in seen.values())
    with pytest.raises(ValueError, match="the game is over"):
        env.step({})


@pytest.mark.parametrize("name", ["tic-tac-toe", "yacht", "leduc-poker"])
def test_infos_of_parallel_environments_are_numbers(name: str) -> None:
    env = zoo.parallel_env(name)
    seen, infos = env.reset(seed=1)
    while env.agents:
        assert {np.asarray(value).dtype.kind for info in infos.values() for value in info.values()} <= set("biuf")
        seen, *_, infos = env.step({agent: env.action_space(agent).sample(mask=seen[agent]["action_mask"]) for agent in env.agents})
    assert {np.asarray(value).dtype.kind for info in infos.values() for value in info.values()} <= set("biuf")


def test_an_illegal_action_of_a_parallel_environment_ends_the_game() -> None:
    env = zoo.parallel_env("tic-tac-toe")
    env.reset()
    with pytest.raises(ValueError, match="player_0 has to decide; actions were given for: player_1"):
        env.step({"player_1": 4})
    env.step({"player_0": 4})
    _, rewards, terminations, truncations, infos = env.step({"player_0": 0, "player_1": 4})
    assert rewards == {"player_0": 0.0, "player_1": -1.0} and env.agents == []
    assert all(terminations.values()) and not any(truncations.values())
    assert infos["player_1"] == {"current_player": -1, "illegal_action": 4} and infos["player_0"] == {"current_player": -1}


def test_games_start_in_other_positions() -> None:
    record = hr.simulate("dilido", games=1, seed=8, record=True).record(0)
    (replayed,) = hr.replay([record])
    env = zoo.raw_env("dilido")
    for start in (replayed.state.game.start(8, 0), record):
        options = {"start": start, "decisions": 6} if start is record else {"start": start}
        env.reset(seed=1, options=options)
        first = env.observe("player_0")["observation"]
        env.reset(seed=2, options=options)
        assert np.array_equal(first, env.observe("player_0")["observation"])
    game = hr.load("dilido")
    played = game.start(8, 0)
    for _ in range(6):
        played.apply(_next(record, played.decisions))
    assert env._state.position() == played.position() and env._state.decisions == 0
    # Only what is scored from there on is a reward.
    while played.score[0] == 0:
        played.apply(played.legal_actions()[0])
    env.reset(seed=2, options={"start": played})
    before, given = played.score[0], 0.0
    for agent in env.agent_iter():
        seen, reward, terminated, _, _ = env.last()
        given += reward
        env.step(None if terminated else int(np.flatnonzero(seen["action_mask"])[0]))
    assert before + given == env._state.score[0]

    def rolls(seed: int) -> list[bytes]:
        env.reset(seed=seed, options={"start": played.position()})
        seen = []
        for _ in range(3):
            env.step(env._state.legal_actions()[0])
            seen.append(env.observe("player_0")["observation"].tobytes())
        return seen

    assert rolls(3) == rolls(3) != rolls(4)


def _next(record: dict, decisions: int) -> str:
    return [event for event in record["events"] if not event.startswith("roll")][decisions]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"start": 7}, TypeError, "must be a state, a position as text, or a record as a dict, not int"),
        ({"start": "nonsense"}, ValueError, "a row has 6 sites"),
        ({"start": hr.load("pig").start(1)}, ValueError, "is a state of <Game pig"),
        ({"start": {}}, ValueError, "can't be replayed"),
        ({"decisions": 3}, ValueError, "needs a record"),
    ],
)
def test_what_is_no_start_is_said(options: dict, error: type, message: str) -> None:
    for env in (zoo.env("dilido"), zoo.parallel_env("dilido")):
        with pytest.raises(error, match=message):
            env.reset(options=options)
    record = hr.simulate("dilido", games=1, seed=8, record=True).record(0)
    with pytest.raises(ValueError, match=r"the record has \d+ decisions"):
        env.reset(options={"start": record, "decisions": 99})
    with pytest.raises(ValueError, match="over"):
        env.reset(options={"start": hr.replay([record])[0].state})


def play(env, seed: int) -> dict[str, float]:
    """Plays a random game; what each agent was given, all rewards added up."""
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    given = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        given[agent] += reward
        done = terminated or truncated
        env.step(None if done else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
    return given


def test_outcomes_are_rewards() -> None:
    for seed in range(20):
        env = zoo.raw_env("pig", players=3)
        given = play(env, seed)
        assert sorted(given.values()) == [-0.5, -0.5, 1.0]
        env = zoo.raw_env("tic-tac-toe")
        assert sum(play(env, seed).values()) == 0.0


@pytest.mark.parametrize(
    ("name", "players", "reward"), [("dilido", 1, "auto"), ("yacht", 3, "score"), ("dicrono", 2, "score")]
)
def test_scores_are_rewards(name: str, players: int, reward: str) -> None:
    for seed in range(10):
        env = zoo.env(name, players=players, reward=reward)
        given = play(env, seed)
        state = env.unwrapped._state
        assert list(given.values()) == [float(score) for score in state.score]


def test_points_from_the_start_come_with_the_first_step() -> None:
    env = zoo.raw_env(COUNT, players=2, reward="score", most=3)
    assert play(env, 0) == {"player_0": 3.0, "player_1": 2.0}


def test_only_who_decides_has_a_mask() -> None:
    env = zoo.env("dots-and-boxes", players=3)
    env.reset(seed=5)
    repeated = 0
    last = None
    rng = np.random.default_rng(5)
    for agent in env.agent_iter():
        _, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
            continue
        masks = {other: env.observe(other)["action_mask"] for other in env.agents}
        assert [other for other in env.agents if masks[other].any()] == [agent]
        assert np.flatnonzero(masks[agent]).tolist() == env.unwrapped._state.legal_actions()
        repeated += agent == last
        last = agent
        env.step(int(rng.choice(np.flatnonzero(masks[agent]))))
    assert repeated > 0


def test_observations_are_fresh_and_of_their_space() -> None:
    env = zoo.env("dicrono")
    env.reset(seed=1)
    agent = env.agent_selection
    first = env.observe(agent)
    kept = {key: value.copy() for key, value in first.items()}
    assert env.observation_space(agent).contains(first)
    assert first["observation"].dtype == np.float32
    assert first["action_mask"].dtype == np.int8
    env.step(int(np.flatnonzero(first["action_mask"])[0]))
    assert all(np.array_equal(first[key], kept[key]) for key in first)
    assert env.observation_space(agent) is env.observation_space(agent)
    assert env.metadata["is_parallelizable"] is False


def test_every_agent_is_told_which_end_decided() -> None:
    env = zoo.env("tic-tac-toe")
    env.reset()
    for action in [0, 3, 1, 4]:
        env.step(action)
        assert env.infos == {"player_0": {}, "player_1": {}}
    env.step(2)
    assert env.infos == {"player_0": {"end": "line"}, "player_1": {"end": "line"}}
    assert env.last()[4] == {"end": "line"}


def test_an_illegal_action_ends_the_game() -> None:
    env = zoo.env("tic-tac-toe")
    env.reset()
    env.step(4)
    env.step(4)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards == {"player_0": 0, "player_1": -1.0}


def test_without_wrappers_an_illegal_action_raises() -> None:
    env = zoo.raw_env("tic-tac-toe")
    env.reset()
    env.step(4)
    with pytest.raises(ValueError, match=r"`place b2` \(action 4\) is not legal here\. Legal: 0 `place a1`"):
        env.step(4)
    with pytest.raises(ValueError, match="player_1 has to decide"):
        env.step(None)


def test_the_limit_truncates() -> None:
    env = zoo.raw_env(COUNT.replace("winner most(score)", "winner most(score)\n  limit 4"), most=20)
    env.reset()
    for _ in range(4):
        assert not any(env.truncations.values())
        env.step(0)
    assert env.truncations == {"player_0": True}
    assert env.terminations == {"player_0": False}
    assert not env.observe("player_0")["action_mask"].any()


def test_resets_without_a_seed_go_on() -> None:
    def rolls(env) -> list[bytes]:
        seen = []
        for _ in range(8):
            seen.append(env.observe("player_0")["observation"].tobytes())
            env.reset()
        return seen

    one, other = zoo.raw_env("dilido"), zoo.raw_env("dilido")
    one.reset(seed=3)
    other.reset(seed=3)
    first = rolls(one)
    assert first == rolls(other)
    assert len(set(first)) > 1
    one.reset()
    other = zoo.raw_env("dilido")
    other.reset()
    assert rolls(one) != rolls(other)


def test_pictures_of_a_game_have_one_size() -> None:
    env = zoo.env("dilido", render_mode="rgb_array")
    env.reset(seed=2)
    sizes = set()
    for _ in env.agent_iter(12):
        seen, _, terminated, _, _ = env.last()
        picture = env.render()
        assert picture.dtype == np.uint8
        assert len(np.unique(picture.astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], np.uint32))) > 10
        sizes.add(picture.shape)
        env.step(None if terminated else int(np.flatnonzero(seen["action_mask"])[0]))
    assert len(sizes) == 1
    env = zoo.env("dilido", render_mode="ansi")
    env.reset()
    assert "Di-Li-Do" in env.render() or "penalties" in env.render()


def test_a_copy_in_mid_game_goes_on_the_same() -> None:
    env = zoo.env("dicrono")
    env.reset(seed=9)
    for _ in range(5):
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    copy = pickle.loads(pickle.dumps(env))
    for _ in range(10):
        if not env.agents:
            break
        seen, reward, terminated, _, _ = env.last()
        other, its, over, _, _ = copy.last()
        assert (reward, terminated) == (its, over)
        assert all(np.array_equal(seen[key], other[key]) for key in seen)
        action = None if terminated else int(np.flatnonzero(seen["action_mask"])[0])
        env.step(action)
        copy.step(action)


def test_params_are_passed_on() -> None:
    assert zoo.raw_env("tic-tac-toe", size=4).action_space("player_0").n == 16
    assert zoo.raw_env("tic-tac-toe", params={"size": 4}).action_space("player_0").n == 16
    own = hr.load("tic-tac-toe", size=5)
    assert zoo.raw_env(own).action_space("player_0").n == 25
    assert zoo.raw_env(own, size=4).action_space("player_0").n == 16
    assert zoo.raw_env(hr.load("pig", goal=50), players=3).game.params["goal"].value == 50
    assert zoo.raw_env(hr.load("pig", goal=50), players=3).possible_agents[-1] == "player_2"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"game": "tic-tac-die"}, "leaves nothing to decide"),
        ({"game": "pig", "reward": "points"}, "'auto', 'outcome', 'payoff', 'score' or 'margin'"),
        ({"game": "pig", "render_mode": "svg"}, "render_mode must be one of .*, not 'svg'"),
        ({"game": "pig", "players": 11}, "11"),
        ({"game": "pig", "gaol": 50}, "goal"),
        ({"game": "nobody-knows-it"}, "nobody-knows-it"),
    ],
)
def test_what_is_wrong_is_said(options: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        zoo.env(**options)
