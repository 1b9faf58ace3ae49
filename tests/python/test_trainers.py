"""What trainers ask of environments: rewards of their own, small observations, starts, mixtures of opponents, and steps
that don't wait for the slowest."""

from __future__ import annotations

import pickle
import threading
from typing import Any

import houserule as hr
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from houserule.gymnasium import Env, EnvQueue, VectorEnv

N = 12


def episode(env: Env, seed: int) -> list[float]:
    env.reset(seed=seed)
    rewards, over = [], False
    while not over:
        _, reward, terminated, truncated, _ = env.step(env.sample_action())
        rewards.append(reward)
        over = terminated or truncated
    return rewards


# ---- rewards


def test_an_expression_is_a_reward() -> None:
    scored, mixed = hr.env("dilido", jokers=3), hr.env("dilido", jokers=3, reward="score + 15 * jokers_left")
    for seed in range(4):
        episode(scored, seed)
        rewards = episode(mixed, seed)
        assert mixed.state.position() == scored.state.position()
        jokers = 3 - mixed.state.variables["jokers_left"]
        assert sum(rewards) == scored.state.score[0] - 15 * jokers
    check_env(mixed, skip_render_check=True)


def test_a_margin_is_the_difference_of_the_scores() -> None:
    envs = hr.vector_env("pig", N, players=3, goal=30, opponents="self", reward="margin")
    envs.reset(seed=2)
    sums = np.zeros((N, 3))
    over = np.zeros(N, bool)
    while not over.all():
        _, _, terminated, _, infos = envs.step(envs.sample_actions())
        sums[~over] += infos["rewards"][~over]
        for env in np.flatnonzero(terminated & ~over):
            score = envs.state(int(env)).score
            assert sums[env].tolist() == [own - max(score[:i] + score[i + 1 :]) for i, own in enumerate(score)]
        over |= terminated


def test_a_potential_shapes_rewards_and_needs_its_discount() -> None:
    plain = hr.env("pig", players=2, goal=30, seat=0)
    shaped = hr.env("pig", players=2, goal=30, seat=0, potential="score", gamma=1.0)
    for seed in range(4):
        # With a discount of 1, the potentials cancel but for the first one.
        plain.reset(seed=seed)
        first = plain.state.score[0]
        assert sum(episode(shaped, seed)) == pytest.approx(sum(episode(plain, seed)) - first)
    with pytest.raises(ValueError, match="gamma is the discount"):
        hr.env("pig", players=2, potential="score")
    with pytest.raises(ValueError, match="from 0 to 1"):
        hr.env("pig", players=2, potential="score", gamma=2)


def test_an_error_in_a_reward_shows_its_place() -> None:
    with pytest.raises(ValueError, match=r"(?s)\"margin\".*unknown-name.*reward:1:9.*\^\^\^"):
        hr.env("dilido", reward="score + joker_left")
    with pytest.raises(ValueError, match="leave out `match`"):
        hr.env("dilido", reward="2 * score", match=True)


def test_environments_with_expressions_are_pickled() -> None:
    envs = hr.vector_env("dilido", N, reward="2 * score", potential="jokers_left", gamma=0.5)
    envs.reset(seed=3)
    again = pickle.loads(pickle.dumps(envs))
    state = pickle.loads(pickle.dumps(envs.state(0)))
    assert state.game == envs.game
    for _ in range(20):
        actions = envs.sample_actions()
        assert (envs.step(actions)[1] == again.step(actions)[1]).all()


# ---- observations


@pytest.mark.parametrize(("dtype", "numpy_dtype"), [("float16", np.float16), ("bool", np.bool_)])
@pytest.mark.parametrize("observation", ["flat", "planes", "dict"])
def test_halves_and_truth_values_are_written(dtype: Any, numpy_dtype: Any, observation: Any) -> None:
    options: dict[str, Any] = {"opponents": "self", "observation": observation, "autoreset_mode": "SameStep"}
    floats, envs = (hr.vector_env("connect-four", N, dtype=d, **options) for d in ("float32", dtype))
    expected, _ = floats.reset(seed=3)
    seen, _ = envs.reset(seed=3)

    def same(expected: Any, seen: Any) -> None:
        if isinstance(seen, dict):
            for name in expected:
                same(expected[name], seen[name])
            return
        assert seen.dtype == numpy_dtype and (seen == expected.astype(numpy_dtype)).all()

    for _ in range(60):
        same(expected, seen)
        same(floats.observations(), envs.observations())
        assert envs.observation_space.contains(seen)
        actions = floats.sample_actions()
        expected, _, _, _, wanted = floats.step(actions)
        seen, _, _, _, infos = envs.step(actions)
        for final, want in zip(infos.get("final_obs", []), wanted.get("final_obs", [])):
            if final is not None:
                same(want, final)


def test_halves_of_numbers_are_rounded_and_single_environments_have_them() -> None:
    for game in ("dilido", "pig"):
        floats, halves = hr.env(game), hr.env(game, dtype="float16")
        check_env(halves, skip_render_check=True)
        for seed in range(3):
            expected, seen = floats.reset(seed=seed)[0], halves.reset(seed=seed)[0]
            assert seen.dtype == np.float16 and (seen == expected.astype(np.float16)).all()
    state = hr.load("pig").start(1)
    assert (state.observation(0, dtype="float16") == state.observation(0).astype(np.float16)).all()
    state = hr.load("connect-four").start(1)
    truths = state.observation(0, dtype="bool")
    assert truths.dtype == np.bool_ and (truths == state.observation(0).astype(bool)).all()
    check_env(hr.env("tic-tac-toe", dtype="bool"), skip_render_check=True)
    with pytest.raises(ValueError, match="`penalties`.*more than a bit"):
        hr.env("dilido", dtype="bool")


@pytest.mark.parametrize("dtype", ["float16", "bool"])
def test_steps_into_buffers_of_these_types(dtype: Any) -> None:
    envs = hr.vector_env("connect-four", N, opponents="self", dtype=dtype)
    envs.reset(seed=1)
    seen = np.empty((N, *envs.single_observation_space.shape), envs.single_observation_space.dtype)
    rewards, over, cut = np.empty(N), np.empty(N, bool), np.empty(N, bool)
    envs.step_into(envs.sample_actions(), rewards, over, cut, observations=seen)
    assert (seen == envs.observations()).all()
    with pytest.raises(TypeError, match=f"must be {dtype}"):
        envs.step_into(envs.sample_actions(), rewards, over, cut, observations=seen.astype(np.float32))


# ---- starts


def positions(game: str, seed: int, count: int) -> list[hr.State]:
    state = hr.load(game).start(seed)
    found = []
    for _ in range(count):
        found.append(state.clone())
        state.apply(state.legal_actions()[0])
    return found


def test_episodes_start_in_positions_states_and_records() -> None:
    states = positions("connect-four", 1, 5)
    starts = [states[2], states[3].position()]
    envs = hr.vector_env("connect-four", N, opponents="self", starts=starts)
    envs.reset(seed=4)
    texts = {envs.state(env).position() for env in range(N)}
    assert texts == {state.position() for state in states[2:4]}
    single = hr.env("connect-four", opponents="self", starts=starts)
    for env in range(N):
        single.reset(seed=4 + env)
        assert single.state.position() == envs.state(env).position()
    again = pickle.loads(pickle.dumps(envs))
    again.reset(seed=4)
    assert [again.state(env).position() for env in range(N)] == [envs.state(env).position() for env in range(N)]
    envs.set_starts([states[4]])
    envs.reset(seed=4)
    assert {envs.state(env).position() for env in range(N)} == {states[4].position()}
    envs.set_starts(None)
    envs.reset(seed=4)
    assert {envs.state(env).position() for env in range(N)} == {states[0].position()}


def test_a_reset_may_say_where_episodes_start() -> None:
    states = positions("connect-four", 1, 5)
    envs = hr.vector_env("connect-four", 3, opponents="self")
    envs.reset(seed=4, options={"starts": [states[1], None, states[4].position()]})
    assert [envs.state(env).position() for env in range(3)] == [states[number].position() for number in (1, 0, 4)]
    envs.reset(options={"starts": states[2], "reset_mask": np.array([False, True, True])})
    assert [envs.state(env).position() for env in range(3)] == [states[number].position() for number in (1, 2, 2)]
    envs.reset()
    assert {envs.state(env).position() for env in range(3)} == {states[0].position()}
    env = hr.env("connect-four", opponents="self")
    env.reset(seed=1, options={"start": states[3]})
    assert env.state.position() == states[3].position()
    env.reset(seed=1)
    assert env.state.position() == states[0].position()


def test_what_is_no_start_is_refused() -> None:
    envs = hr.vector_env("connect-four", 2, opponents="self")
    with pytest.raises(TypeError, match="starts must be a list"):
        envs.set_starts("x")
    with pytest.raises(TypeError, match=r"starts\[0\] must be a state"):
        envs.set_starts([7])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="start 0: line 1"):
        envs.set_starts(["nonsense"])
    with pytest.raises(ValueError, match=r"starts\[1\] is a state of"):
        envs.set_starts([envs.game.start(0), hr.load("pig").start(0)])
    with pytest.raises(ValueError, match="1 starts for 2 environments"):
        envs.reset(options={"starts": [None]})
    with pytest.raises(ValueError, match="needs a record"):
        hr.env("pig").reset(options={"start": "x", "decisions": 3})


# ---- mixtures of opponents


def first(state: hr.State) -> int:
    return state.legal_actions()[0]


def test_every_episode_draws_an_opponent() -> None:
    opponents = hr.mixture({"random": 1, "greedy": 1, first: 2})
    envs = hr.vector_env("connect-four", N, opponents=opponents, autoreset_mode="SameStep")
    _, infos = envs.reset(seed=1)
    assert set(infos["opponent"]) <= {"random", "greedy", "first"} and infos["_opponent"].all()
    names, finals = set(infos["opponent"]), 0
    playing = list(infos["opponent"])
    for _ in range(80):
        _, _, terminated, _, infos = envs.step(envs.sample_actions())
        for env in np.flatnonzero(terminated):
            assert infos["final_info"]["opponent"][env] == playing[env]
            finals += 1
        playing = list(infos["opponent"])
        names |= set(playing)
    assert names == {"random", "greedy", "first"} and finals > N
    single = hr.env("connect-four", opponents=opponents)
    envs.reset(seed=9)
    for env in range(N):
        assert single.reset(seed=9 + env)[1]["opponent"] == envs.opponents[env]


def test_opponents_change_while_the_environments_run() -> None:
    envs = hr.vector_env("connect-four", N, opponents="random")
    envs.reset(seed=1)
    assert envs.opponents is None
    envs.set_opponents(hr.mixture([("greedy", 1), (["random", first], 1)]))
    envs.reset()
    assert set(envs.opponents) == {"greedy", "random, first"}
    again = pickle.loads(pickle.dumps(envs))
    assert list(again.opponents) == list(envs.opponents)
    for _ in range(30):
        actions = envs.sample_actions()
        assert (envs.step(actions)[0] == again.step(actions)[0]).all()
    envs.set_opponents("greedy")
    envs.reset()
    assert set(envs.opponents) == {"greedy"}


def test_an_exception_of_a_new_opponent_is_raised() -> None:
    def breaks(state: hr.State) -> int:
        raise RuntimeError("no idea")

    for env in (hr.env("connect-four", seat=0), hr.vector_env("connect-four", 3, seat=0)):
        env.reset(seed=1)
        env.set_opponents(breaks)
        env.reset()
        with pytest.raises(RuntimeError, match="no idea"):
            env.step(0 if isinstance(env, Env) else np.zeros(3, np.int64))


def test_what_is_no_mixture_is_refused() -> None:
    for opponents, wrong in [({}, ValueError), ({"random": 0}, ValueError), ({"random": -1}, ValueError), ({"random": "x"}, TypeError), ({7: 1}, TypeError)]:
        with pytest.raises(wrong):
            hr.mixture(opponents)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="'self'"):
        hr.vector_env("connect-four", 2, opponents=hr.mixture({"self": 1}))
    with pytest.raises(ValueError, match="no opponents to change"):
        hr.vector_env("connect-four", 2, opponents="self").set_opponents("random")


# ---- send and receive


def test_a_queue_steps_as_a_vector_does() -> None:
    envs = hr.vector_env("connect-four", N, opponents="random", reward="margin")
    queue = hr.vector_env("connect-four", N, opponents="random", reward="margin", batch_size=4, threads=3)
    assert isinstance(envs, VectorEnv) and isinstance(queue, EnvQueue)
    envs.reset(seed=3)
    queue.async_reset(seed=3)
    steps: dict[int, list[Any]] = {env: [] for env in range(N)}
    while min(len(told) for told in steps.values()) < 30:
        seen, rewards, terminated, truncated, infos = queue.recv()
        ids = infos["env_id"]
        assert len(set(ids.tolist())) == 4 and queue.observation_space.contains(seen)
        for row, env in enumerate(ids.tolist()):
            legal = np.flatnonzero(infos["action_mask"][row])
            action = int(legal[len(steps[env]) % len(legal)])
            steps[env].append((seen[row], rewards[row], terminated[row], infos["seat"][row], action))
        queue.send([steps[env][-1][-1] for env in ids.tolist()], ids)
    for step in range(29):
        actions = np.array([steps[env][step][-1] for env in range(N)])
        seen, rewards, terminated, _, infos = envs.step(actions)
        for env in range(N):
            want = steps[env][step + 1]
            assert (seen[env] == want[0]).all() and rewards[env] == want[1] and terminated[env] == want[2]
            assert infos["seat"][env] == want[3]
    queue.close()
    with pytest.raises(RuntimeError, match="closed"):
        queue.recv()


def test_steps_come_before_the_slowest_is_done() -> None:
    gate, waiting = threading.Event(), threading.Event()

    def slow(state: hr.State) -> int:
        # The first reply of one game alone waits for the gate.
        if state.decisions == 1 and not waiting.is_set():
            waiting.set()
            assert gate.wait(60)
        return state.legal_actions()[0]

    with hr.vector_env("tic-tac-toe", 3, opponents=slow, seat=0, batch_size=2, threads=2) as queue:
        queue.async_reset(seed=1)
        ids = queue.recv()[-1]["env_id"].tolist()
        missing = ({0, 1, 2} - set(ids)).pop()
        queue.send([4, 4], ids)
        assert waiting.wait(60)
        done = set(queue.recv()[-1]["env_id"].tolist())
        stuck = set(ids) - done
        assert missing in done and len(stuck) == 1, "the third one came, and not the one that waits"
        gate.set()
        queue.send([8], [next(iter(done - {missing}))])
        assert stuck < set(queue.recv()[-1]["env_id"].tolist())


def test_an_exception_of_an_opponent_is_raised_by_recv_and_leaves_the_rest() -> None:
    raised = threading.Event()

    def breaks(state: hr.State) -> int:
        if not raised.is_set():
            raised.set()
            raise RuntimeError("no idea")
        return state.legal_actions()[0]

    with hr.vector_env("tic-tac-toe", 2, opponents=breaks, seat=0, batch_size=2, threads=1) as queue:
        queue.async_reset(seed=1)
        queue.recv()
        queue.send([4, 4], [0, 1])
        with pytest.raises(RuntimeError, match="no idea"):
            queue.recv()
        assert queue.state(0).decisions == 0, "as before its action"
        queue.send([4], [0])
        assert sorted(queue.recv()[-1]["env_id"].tolist()) == [0, 1]
        assert queue.state(0).decisions == 2


def test_what_cannot_be_sent_is_refused() -> None:
    queue = hr.vector_env("tic-tac-toe", 3, batch_size=2)
    with pytest.raises(ValueError, match="2 steps can't be received: only 0"):
        queue.recv()
    with pytest.raises(ValueError, match="there is no environment"):
        queue.send([0], [-1])
    with pytest.raises(ValueError, match="environment 1 has an action already"):
        queue.send([0, 0], [1, 1])
    with pytest.raises(TypeError, match="must be integers"):
        queue.send([0.5], [0])
    with pytest.raises(ValueError, match="batch_size must be from 1"):
        hr.vector_env("tic-tac-toe", 3, batch_size=4)
    with pytest.raises(ValueError, match="can't be combined"):
        hr.vector_env("tic-tac-toe", 3, batch_size=2, statistics=True)
