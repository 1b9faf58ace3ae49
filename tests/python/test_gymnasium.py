"""Rule files as Gymnasium environments, one at a time."""

from __future__ import annotations

import copy
import multiprocessing
import os
import pickle
import subprocess
import sys
import textwrap
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import houserule as hr
import numpy as np
import pytest
from bundled import DECIDED
from gym_helpers import OWN, advance, any_legal, same
from gymnasium.utils.env_checker import check_env
from houserule.gymnasium import Env, env_id

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")


def check(env: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env)
    env.close()
    env.close()


@pytest.mark.one_of(8)
@pytest.mark.parametrize("name", DECIDED)
def test_check_env(name: str) -> None:
    check(gymnasium.make(env_id(name)).unwrapped)


@pytest.mark.parametrize("form", ["dict", "planes"])
@pytest.mark.parametrize("name", ["dilido", "connect-four", "dots-and-boxes"])
def test_check_env_of_other_observations(name: str, form: str) -> None:
    check(gymnasium.make(env_id(name), observation=form).unwrapped)


def test_check_env_of_an_own_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.rules"
    path.write_text(OWN)
    check(gymnasium.make("houserule/File-v0", rules=str(path), params={"most": 30}).unwrapped)
    check(gymnasium.make("houserule/File-v0", rules=OWN, most=30, opponents="self").unwrapped)


def test_the_ids_are_the_names_in_camel_case() -> None:
    assert env_id("dilido-8x8") == "houserule/Dilido8x8-v0"
    assert env_id("tic-tac-toe") == "houserule/TicTacToe-v0"
    known = {name for name in gymnasium.registry if name.startswith("houserule/")}
    assert known == {env_id(name) for name in hr.games().names} | {"houserule/File-v0"}


@pytest.mark.parametrize(
    "program",
    [
        "import gymnasium; import houserule",
        "import houserule; assert 'gymnasium' not in sys.modules; import gymnasium",
        "import houserule; import importlib.util; importlib.util.find_spec('gymnasium'); import gymnasium",
        "import houserule.gymnasium; import gymnasium",
        "import gymnasium; gymnasium.make('houserule:houserule/Dilido-v0', penalty_limit=5)",
    ],
)
def test_every_order_of_imports_registers(program: str) -> None:
    program = f"""
        import sys
        {program}
        env = gymnasium.make("houserule/Dilido-v0", penalty_limit=5)
        assert env.unwrapped.game.name == "dilido"
        envs = gymnasium.make_vec("houserule:houserule/Dilido8x8-v0", num_envs=3)
        assert envs.reset(seed=1)[0].shape[0] == 3
        assert not [finder for finder in sys.meta_path if "houserule" in type(finder).__module__]
        assert gymnasium.__spec__.loader.__class__.__name__ != "_Loader"
        """
    subprocess.run([sys.executable, "-W", "error", "-c", textwrap.dedent(program)], check=True)


def test_params_of_make_are_those_of_the_rules() -> None:
    def length(limit: int) -> float:
        env = gymnasium.make("houserule/Dilido-v0", penalty_limit=limit).unwrapped
        steps = 0
        for seed in range(30):
            env.reset(seed=seed)
            while True:
                steps += 1
                _, _, terminated, _, _ = env.step(env.sample_action())
                if terminated:
                    break
        return steps / 30

    assert length(5) > length(1) + 3
    with pytest.raises(ValueError, match="penalty_limt"):
        gymnasium.make("houserule/Dilido-v0", penalty_limt=5)
    assert hr.env("dilido", params={"penalty_limit": 5}).game.name == "dilido"
    game = hr.load("dilido", penalty_limit=5)
    assert hr.env(game).game.num_actions == game.num_actions


def episode(env: Env, seed: int | None = None, rng: np.random.Generator | None = None) -> list[Any]:
    """Everything that an episode tells."""
    told: list[Any] = [env.reset(seed=seed)]
    while True:
        mask = told[-1][-1]["action_mask"]
        action = any_legal(rng or np.random.default_rng(len(told)), mask)
        told.append(env.step(action))
        if told[-1][2] or told[-1][3]:
            return told


def equal(a: list[Any], b: list[Any]) -> bool:
    return len(a) == len(b) and all(same(x, y) for one, other in zip(a, b) for x, y in zip(one, other))


@pytest.mark.parametrize("name", ["dilido", "pig", "hex"])
def test_seeds(name: str) -> None:
    env, other = hr.env(name), hr.env(name)
    first, second = episode(env, 7), episode(env)
    assert not equal(first, second), "the next episode is another one"
    assert equal(episode(other, 7), first)
    assert equal(episode(other), second)
    assert not equal(episode(hr.env(name), None), episode(hr.env(name), None)), "an unseeded reset is not a fixed one"
    with pytest.raises(Exception, match="(?i)seed"):
        env.reset(seed=-1)


@pytest.mark.one_of(8)
@pytest.mark.parametrize("name", DECIDED)
def test_masks_and_arrays(name: str) -> None:
    env = hr.env(name)
    observation, info = env.reset(seed=3)
    for _ in range(40):
        mask = info["action_mask"]
        assert mask.dtype == np.int8 and mask.shape == (env.action_space.n,)
        masks = env.action_masks()
        assert masks.dtype == np.bool_ and (masks == mask).all()
        legal = env.state.legal_actions()
        # An opponent may lose with the first move of a game: the episode is over when it begins, and the next step says so.
        assert env.state.is_over or np.flatnonzero(mask).tolist() == legal
        action = env.action_space.sample(mask=mask)
        assert env.state.is_over or action in legal
        before = observation.copy()
        kept, kept_mask = observation, mask.copy()
        observation, _, terminated, truncated, info = env.step(action)
        assert type(terminated) is bool and type(truncated) is bool
        assert env.observation_space.contains(observation)
        assert (kept == before).all() and (mask == kept_mask).all(), "what was given stays as it was"
        assert not np.shares_memory(kept, observation)
        if terminated or truncated:
            assert info["action_mask"].all() and env.action_masks().all(), "any action does: no softmax is of nothing"
            observation, info = env.reset()


def test_an_observation_is_that_of_the_state() -> None:
    for name in ("dilido", "dicrono", "yacht"):
        env = hr.env(name, seat=0)
        flat, _ = env.reset(seed=5)
        entries = hr.env(name, seat=0, observation="dict").reset(seed=5)[0]
        for _ in range(5):
            assert (flat == env.state.observation(0)).all()
            flat, _, over, _, _ = env.step(env.sample_action())
            if over:
                flat, _ = env.reset()
        assert sum(entry.size for entry in entries.values()) == flat.size


def test_rewards_of_a_score_add_up_to_it() -> None:
    env = hr.env("dilido")
    for seed in range(20):
        told = episode(env, seed)
        assert sum(step[1] for step in told[1:]) == env.state.score[0]
    env = hr.env("dots-and-boxes", reward="score")
    for seed in range(10):
        told = episode(env, seed)
        assert sum(step[1] for step in told[1:]) == env.state.score[told[-1][-1]["seat"]]


def test_rewards_of_an_outcome_come_at_the_end() -> None:
    for name in ("tic-tac-toe", "dicrono"):
        env, seen = hr.env(name), set()
        for seed in range(60):
            told = episode(env, seed)
            assert all(step[1] == 0 for step in told[1:-1])
            assert told[-1][1] == env.state.returns[told[-1][-1]["seat"]]
            seen.add(told[-1][1])
        assert {-1.0, 1.0} <= seen
    env, rng = hr.env("pig", players=4, goal=20), np.random.default_rng(1)
    ends = {round(episode(env, seed, rng)[-1][1], 9) for seed in range(30)}
    assert ends == {1.0, round(-1 / 3, 9)}


def illegal(env: Env, info: dict[str, Any]) -> int:
    return int(np.flatnonzero(info["action_mask"] == 0)[0])


def test_the_end_that_decided_is_named() -> None:
    ends = set()
    env = hr.env("tic-tac-toe")
    for seed in range(30):
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            assert "end" not in info
            _, _, over, _, info = env.step(env.sample_action())
        assert info["end"] == env.state.outcome.end
        ends.add(info["end"])
    assert ends == {"line", "full"}


@pytest.mark.parametrize("name", ["dilido", "connect-four"])
def test_illegal_actions(name: str) -> None:
    env = hr.env(name)
    _, info = env.reset(seed=1)
    wrong = env.action_space.n if info["action_mask"].all() else illegal(env, info)
    _, reward, terminated, truncated, info = env.step(wrong)
    assert (reward, terminated, truncated, info["illegal_action"]) == (-1.0, True, False, True)
    assert "end" not in info
    with pytest.raises(RuntimeError, match="over"):
        env.step(0)

    env = hr.env(name, illegal_action="ignore")
    observation, info = env.reset(seed=1)
    again, reward, terminated, truncated, info_again = env.step(wrong)
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert same(observation, again) and same(info, info_again)

    env = hr.env(name, illegal_action="raise")
    _, info = env.reset(seed=1)
    before = env.snapshot()
    with pytest.raises(ValueError, match="not legal") as raised:
        env.step(wrong)
    assert env.game.action_name(env.state.legal_actions()[0]) in str(raised.value)
    assert env.snapshot() == before
    env.step(env.state.legal_actions()[0])


def test_a_step_before_a_reset_raises() -> None:
    with pytest.raises(RuntimeError, match="reset"):
        hr.env("dilido").step(0)


@pytest.mark.parametrize(
    "wrong",
    [
        {"seat": 2},
        {"seat": "first"},
        {"seat": -1},
        {"opponents": "nobody"},
        {"opponents": ["random"] * 3},
        {"opponents": ["self", "random"]},
        {"observation": "picture"},
        {"reward": "money"},
        {"illegal_action": "punish"},
        {"render_mode": "film"},
        {"match": True},
        {"players": 3},
        {"no_such_param": 3},
    ],
)
def test_wrong_options_raise(wrong: dict[str, Any]) -> None:
    for make in (hr.env, hr.vector_env):
        with pytest.raises((ValueError, TypeError)) as raised:
            make("tic-tac-toe", **wrong)
        assert len(str(raised.value)) > 20


def test_a_game_without_decisions_is_no_environment() -> None:
    for make in (hr.env, hr.vector_env):
        with pytest.raises(ValueError, match="no decisions"):
            make("tic-tac-die")


def test_seats() -> None:
    env = hr.env("tic-tac-toe")
    seats = [env.reset(seed=seed)[1]["seat"] for seed in range(200)]
    # 200 fair draws: the mean is within four standard errors.
    assert abs(np.mean(seats) - 0.5) < 4 * 0.5 / np.sqrt(200)
    fixed = hr.env("tic-tac-toe", seat=1)
    for seed in range(10):
        _, info = fixed.reset(seed=seed)
        assert info["seat"] == 1
        assert info["action_mask"].sum() == 8, "the first mark is there"
    assert "seat" not in hr.env("dilido").reset(seed=1)[1]


@pytest.mark.one_of(8)
@pytest.mark.parametrize("name", DECIDED)
def test_self_play(name: str) -> None:
    env = hr.env(name, opponents="self", observation="flat")
    for seed in range(2):
        _, info = env.reset(seed=seed)
        total = np.zeros(env.game.players)
        steps = 0
        while True:
            player = info["current_player"]
            assert player == env.state.current_player
            observation, reward, terminated, truncated, info = env.step(env.sample_action())
            assert info["rewards"].shape == (env.game.players,) and info["rewards"].dtype == np.float64
            assert reward == info["rewards"][player]
            total += info["rewards"]
            steps += 1
            if terminated or truncated or steps > 400:
                break
        if terminated:
            assert info["current_player"] == -1
            # Who plays alone gets the points, others the outcome.
            assert total.tolist() == pytest.approx(env.state.returns if env.game.players > 1 else env.state.score)


def test_skipping_forced_decisions() -> None:
    env = hr.env("dilido", skip_forced=True)
    for seed in range(20):
        for step in episode(env, seed)[1:-1]:
            assert step[-1]["action_mask"].sum() > 1
    plain = hr.env("dilido")
    assert any((step[-1]["action_mask"].sum() == 1) for seed in range(20) for step in episode(plain, seed)[1:-1])


MATCH = OWN.replace("  players 1\n", "  players 1\n  match { games: 3 }\n")


def test_a_match_is_one_episode() -> None:
    env = hr.env(MATCH, match=True)
    told = episode(env, 4)
    alone = hr.env(MATCH)
    lengths = [len(episode(alone, 4)) for _ in range(1)]
    assert len(told) > lengths[0]
    assert not told[-1][3]


def lowest(state: Any) -> int:
    return min(state.legal_actions())


def by_name(state: Any) -> str:
    return state.game.action_name(min(state.legal_actions()))


def broken(state: Any) -> int:
    raise KeyError("no plan")


def test_opponents_can_be_functions() -> None:
    a, b = hr.env("connect-four", opponents=lowest, seat=0), hr.env("connect-four", opponents=by_name, seat=0)
    assert equal(episode(a, 3), episode(b, 3))
    # Who always plays the lowest column loses to one who piles up the last.
    env = hr.env("connect-four", opponents=lowest, seat=0)
    env.reset(seed=1)
    for _ in range(4):
        _, reward, terminated, _, _ = env.step(6)
    assert not terminated or reward == 1.0
    mixed = hr.env("pig", players=3, seat=0, opponents=["random", lowest, "greedy"], goal=20)
    episode(mixed, 1)
    with pytest.raises(KeyError, match="no plan"):
        hr.env("connect-four", opponents=broken, seat=1).reset(seed=1)
    for answer in (99, None):
        with pytest.raises(ValueError, match="not a legal action; legal: 0 `drop 1`"):
            hr.env("connect-four", opponents=lambda state, answer=answer: answer, seat=1).reset(seed=1)


def test_what_an_opponent_tries_tells_nothing_of_the_dice() -> None:
    def nosy(state: Any) -> int:
        clone = state.clone()
        while not clone.is_over and clone.decisions < state.decisions + 5:
            clone.apply(clone.legal_actions()[0])
        return min(state.legal_actions())

    a, b = hr.env("pig", opponents=nosy, seat=0, goal=30), hr.env("pig", opponents=lowest, seat=0, goal=30)
    assert equal(episode(a, 9), episode(b, 9))


def test_better_opponents_win_more() -> None:
    def mean(opponents: str) -> float:
        env = hr.env("dots-and-boxes", opponents=opponents)
        return float(np.mean([episode(env, seed, np.random.default_rng(seed))[-1][1] for seed in range(40)]))

    assert mean("random") > mean("greedy") + 0.5


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("dilido", {}),
        ("dilido", {"observation": "dict"}),
        ("go", {"observation": "planes"}),
        ("pig", {"players": 3, "opponents": "self"}),
        ("connect-four", {"opponents": ["greedy", lowest]}),
    ],
)
def test_copies_go_on_alike_in_mid_episode(name: str, options: dict[str, Any]) -> None:
    env = hr.env(name, **options)
    env.reset(seed=11)
    advance(env, 5)
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env)), hr.env(name, **options)]
    copies[2].restore(env.snapshot())
    told = advance(env, 60)
    for other in copies:
        assert equal(told, advance(other, 60))


def test_a_snapshot_of_another_game_is_refused() -> None:
    env = hr.env("dilido")
    env.reset(seed=1)
    for other in (hr.env("dicrono"), hr.env("dilido", penalty_limit=5)):
        with pytest.raises(ValueError):
            other.restore(env.snapshot())
    with pytest.raises(ValueError):
        env.restore(b"")


def test_a_wrapped_environment_is_copied() -> None:
    env = gymnasium.make("houserule/Dilido-v0")
    env.reset(seed=1)
    other = copy.deepcopy(env)
    a, b = env.step(0), other.step(0)
    assert equal([a], [b])


@pytest.mark.parametrize("method", ["spawn", "fork", "forkserver"])
def test_an_environment_goes_on_in_another_process(method: str) -> None:
    env = hr.env("dilido", penalty_limit=4)
    env.reset(seed=2)
    advance(env, 7)
    with multiprocessing.get_context(method).Pool(1) as pool:
        there = pool.apply(advance, (env, 30))
    assert equal(there, advance(env, 30))


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_async_workers(method: str) -> None:
    fns = [lambda: hr.env("dicrono", opponents="greedy")] * 2
    workers = gymnasium.vector.AsyncVectorEnv(fns, context=method)
    alone = gymnasium.vector.SyncVectorEnv(fns)
    try:
        told = [workers.reset(seed=5), alone.reset(seed=5)]
        assert equal([told[0]], [told[1]])
        rng = np.random.default_rng(1)
        for _ in range(30):
            actions = np.array([any_legal(rng, mask) for mask in told[0][-1]["action_mask"]])
            told = [workers.step(actions), alone.step(actions)]
            assert equal([told[0]], [told[1]])
    finally:
        workers.close()


@pytest.mark.parametrize("name", ["dilido", "connect-four", "yacht"])
def test_every_render_mode(name: str) -> None:
    for mode in Env.metadata["render_modes"]:
        env = hr.env(name, render_mode=mode)
        env.reset(seed=1)
        frames = []
        for _ in range(4):
            env.step(env.sample_action())
            frames.append(env.render())
        if mode == "ansi":
            assert all(isinstance(frame, str) and "\n" in frame for frame in frames)
        elif mode == "rgb_array":
            assert all(frame.dtype == np.uint8 and frame.shape == frames[0].shape for frame in frames)
            assert any((frame != frames[0]).any() for frame in frames)
        else:
            assert frames == [None] * 4
        env.close()
        env.close()


def test_an_episode_that_can_not_go_on_is_truncated() -> None:
    endless = """
    game "Endless" {
      limit 10
      players 1
      var n: 0..1 = 0
      turn { step on { choose on { up "go on" { n = 1 - n } } } }
      score { n: n }
    }
    """
    env = hr.env(endless)
    told = episode(env, 1)
    assert told[-1][3] and not told[-1][2]
    assert "10 decisions" in told[-1][-1]["error"]
