"""Many environments at once, held to Gymnasium's own way of stepping many."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from typing import Any

import gymnasium
import houserule as hr
import numpy as np
import pytest
from gym_helpers import OWN, any_legal, same
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from houserule.gymnasium import VectorEnv
from numpy.typing import NDArray

N = 5


def lowest(state: Any) -> int:
    return min(state.legal_actions())


GAMES: list[tuple[str, dict[str, Any]]] = [
    ("dilido", {}),
    ("dilido", {"observation": "dict", "skip_forced": True}),
    ("dicrono", {"opponents": "greedy", "observation": "planes"}),
    ("tic-tac-toe", {"opponents": "self"}),
    ("connect-four", {"opponents": "self", "illegal_action": "ignore"}),
    ("dots-and-boxes", {"players": 3, "reward": "score", "opponents": ["random", "greedy", "random"]}),
    ("pig", {"players": 3, "opponents": "self", "reward": "score", "goal": 15}),
    ("yacht", {"players": 2, "seat": 1, "opponents": lowest}),
    ("dominoes", {"seat": 0, "opponents": ["random", "mcts:4"], "hand_size": 2, "max_pips": 3}),
    (OWN, {"most": 20}),
    (OWN.replace("  players 1\n", "  players 1\n  match { games: 2 }\n"), {"match": True, "opponents": "self"}),
]


def agree(ours: dict[str, Any], theirs: dict[str, Any], mode: AutoresetMode, path: str = "infos") -> None:
    """Holds infos to those of Gymnasium: the same keys, and where it says there is something, the same."""
    assert ours.keys() == theirs.keys(), path
    for key, value in theirs.items():
        here = f"{path}[{key!r}]"
        if key.startswith("_"):
            # Where a step ended an episode and began another, ours still tells what it brought.
            richer = key == "_rewards" and path == "infos" and mode is AutoresetMode.SAME_STEP
            assert (ours[key] >= value).all() if richer else same(ours[key], value), here
        elif isinstance(value, dict):
            agree(ours[key], value, mode, here)
        else:
            there = theirs[f"_{key}"]
            assert ours[key].dtype == value.dtype and ours[key].shape == value.shape, here
            assert same(ours[key][there], value[there]), here


# Of an odd number, so that both numbers of threads are tried.
@pytest.mark.one_of(5)
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize(("game", "options"), GAMES)
def test_steps_are_those_of_sync_vector_env(
    game: str, options: dict[str, Any], mode: AutoresetMode, threads: int
) -> None:
    # Two threads share from 33 environments on.
    n = N if threads == 1 else 40
    ours = hr.vector_env(game, n, autoreset_mode=mode, threads=threads, **options)
    theirs = SyncVectorEnv([lambda: hr.env(game, **options)] * n, autoreset_mode=mode)
    assert ours.observation_space == theirs.observation_space and ours.action_space == theirs.action_space
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.single_action_space == theirs.single_action_space
    assert ours.metadata["autoreset_mode"] is mode
    rng = np.random.default_rng(6)
    (obs, infos), told = ours.reset(seed=3), theirs.reset(seed=3)
    ends = 0
    for step in range(90 if threads == 1 else 25):
        assert same(obs, told[0])
        agree(infos, told[-1], mode)
        actions = ours.sample_actions()
        for env in range(n):
            assert infos["action_mask"][env][actions[env]]
        # Now and then something illegal.
        wrong = rng.random(n) < 0.03
        actions[wrong] = rng.integers(0, ours.single_action_space.n, wrong.sum())
        obs, rewards, terminated, truncated, infos = ours.step(actions)
        told = theirs.step(actions)
        assert same(rewards, told[1]) and same(terminated, told[2]) and same(truncated, told[3])
        over = terminated | truncated
        ends += over.sum()
        if ours.options.self_play:
            alone = infos["rewards"][~over]
            assert (infos["rewards"][over].any() or ours.players == 1) or not over.any() or not rewards[over].any()
            assert alone.shape[1] == ours.players
        if mode is AutoresetMode.DISABLED and over.any() and step % 2:
            assert same(obs, told[0])
            agree(infos, told[-1], mode)
            obs, infos = ours.reset(options={"reset_mask": over})
            told = theirs.reset(options={"reset_mask": over.copy()})
        elif mode is AutoresetMode.DISABLED and over.any():
            seeds = [100 + step if one else None for one in over]
            obs, infos = ours.reset(seed=seeds, options={"reset_mask": over})
            told = theirs.reset(seed=seeds, options={"reset_mask": over.copy()})
    assert ends > 0 or game in ("dicrono", "yacht", "dots-and-boxes") or threads == 2


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_the_ends_that_decided_are_named(mode: AutoresetMode) -> None:
    envs = hr.vector_env("tic-tac-toe", 40, autoreset_mode=mode)
    envs.reset(seed=1)
    ends = set()
    for _ in range(9):
        _, _, over, _, infos = envs.step(envs.sample_actions())
        told = infos.get("final_info", {}) if mode is AutoresetMode.SAME_STEP else infos
        assert over.any() == ("end" in told) and ("end" not in infos or told is infos)
        if over.any():
            assert (told["_end"] == over).all() and all(end is None for end in told["end"][~over])
            ends |= set(told["end"][over])
            if mode is not AutoresetMode.SAME_STEP:
                assert all(told["end"][env] == envs.state(env).outcome.end for env in np.flatnonzero(over))
            if mode is AutoresetMode.DISABLED:
                envs.reset(options={"reset_mask": over})
    assert ends == {"line", "full"}


def test_what_a_step_gives_stays_as_it_is() -> None:
    envs = hr.vector_env("dilido", 8)
    given = [envs.reset(seed=1)]
    copies = [copy.deepcopy(given[0])]
    for _ in range(20):
        given.append(envs.step(envs.sample_actions()))
        copies.append(copy.deepcopy(given[-1]))
    for told, kept in zip(given, copies):
        assert all(same(a, b) for a, b in zip(told, kept))


def test_make_vec_makes_the_native_one() -> None:
    envs = gymnasium.make_vec("houserule/ConnectFour-v0", num_envs=6, opponents="self", autoreset_mode="SameStep")
    assert isinstance(envs, VectorEnv) and envs.num_envs == 6
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert envs.spec is not None and envs.spec.id == "houserule/ConnectFour-v0"
    own = gymnasium.make_vec("houserule/File-v0", num_envs=2, rules=OWN, params={"most": 12})
    assert own.reset(seed=1)[0].shape[0] == 2
    assert isinstance(gymnasium.make_vec("houserule/Dilido-v0", num_envs=2, vectorization_mode="sync"), SyncVectorEnv)


def test_gymnasium_wrappers_of_many_environments_fit() -> None:
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(hr.vector_env("dilido", 16))
    envs.reset(seed=1)
    scores = []
    for _ in range(60):
        *_, infos = envs.step(envs.unwrapped.sample_actions())
        if "episode" in infos:
            scores += infos["episode"]["r"][infos["_episode"]].tolist()
    assert len(scores) > 20 and 20 < np.mean(scores) < 60


def test_step_into_writes_what_step_gives() -> None:
    for mode in AutoresetMode:
        if mode is AutoresetMode.DISABLED:
            continue
        a, b = (hr.vector_env("tic-tac-toe", 16, opponents="self", autoreset_mode=mode) for _ in range(2))
        a.reset(seed=2)
        b.reset(seed=2)
        steps, shape = 12, a.single_observation_space.shape
        observations = np.full((steps, 16, *shape), np.nan, np.float32)
        masks = np.full((steps, 16, 9), -1, np.int8)
        rewards, seat_rewards = np.full((steps, 16), np.nan), np.full((steps, 16, 2), np.nan)
        ends = np.zeros((2, steps, 16), bool)
        players = np.zeros((steps, 16), np.int32)
        actions = np.empty(16, np.int64)
        for t in range(steps):
            assert a.sample_actions(actions) is actions
            a.step_into(
                actions,
                rewards[t],
                ends[0, t],
                ends[1, t],
                observations=observations[t],
                action_masks=masks[t],
                current_players=players[t],
                seat_rewards=seat_rewards[t],
            )
            obs, reward, terminated, truncated, infos = b.step(actions)
            assert same(obs, observations[t]) and same(reward, rewards[t])
            assert same(terminated, ends[0, t]) and same(truncated, ends[1, t])
            assert same(infos["action_mask"], masks[t]) and same(infos["rewards"], seat_rewards[t])
            assert (infos["current_player"] == players[t]).all()
        assert ends[0].any()


def locked(shape: Any, dtype: Any) -> NDArray[Any]:
    """An array that is read-only."""
    array = np.empty(shape, dtype)
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("wrong", "match"),
    [
        ({"rewards": np.empty(3)}, "rewards must have 4"),
        ({"rewards": np.empty(4, np.int64)}, "rewards must be an array of float64, not int64"),
        ({"rewards": [0.0] * 4}, "rewards must be a numpy array of float64, not list"),
        ({"terminations": np.empty(4, np.uint8)}, "terminations must be an array of bool, not uint8"),
        ({"rewards": np.empty(8)[::2]}, "contiguous"),
        ({"actions": np.zeros(4, np.int32)}, "actions"),
        ({"actions": np.zeros(5, np.int64)}, "actions must have 4"),
        ({"observations": np.empty((4, 3), np.float32)}, "observations must have"),
        ({"action_masks": np.empty((4, 73), np.uint8)}, "action_masks must be an array of int8, not uint8"),
        ({"observations": np.empty((4, 200), np.float64)}, "observations must be an array of float32, .* not float64"),
        ({"observations": locked((4, 200), np.float32)}, "observations can't be written: the array is read-only"),
        ({"rewards": locked(4, np.float64)}, "rewards can't be written: the array is read-only"),
        ({"rewards": locked(4, np.float32)}, "rewards"),
    ],
)
def test_step_into_refuses_arrays_that_do_not_fit(wrong: dict[str, Any], match: str) -> None:
    envs = hr.vector_env("dilido", 4)
    envs.reset(seed=1)
    before = envs.snapshot()
    given = {
        "actions": envs.sample_actions(),
        "rewards": np.empty(4),
        "terminations": np.empty(4, bool),
        "truncations": np.empty(4, bool),
    }
    before = envs.snapshot()
    with pytest.raises((TypeError, ValueError), match=match):
        envs.step_into(**{**given, **wrong})
    assert envs.snapshot() == before


def test_step_into_takes_the_arrays_of_torch() -> None:
    ours, theirs = (hr.vector_env("connect-four", 4, opponents="self") for _ in range(2))
    for envs in (ours, theirs):
        envs.reset(seed=1)
    rewards, seats, masks = np.empty(4, np.float32), np.empty((4, 2), np.float32), np.empty((4, 7), bool)
    flags = np.empty(4, bool), np.empty(4, bool)
    for _ in range(60):
        actions = ours.sample_actions()
        ours.step_into(actions, rewards, *flags, action_masks=masks, seat_rewards=seats)
        _, told, *ends, infos = theirs.step(actions)
        assert same(rewards, told.astype(np.float32)) and same(flags[0], ends[0])
        assert same(masks, infos["action_mask"].astype(bool)) and same(seats, infos["rewards"].astype(np.float32))


MOST = 6


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
@pytest.mark.parametrize(("name", "options"), [("go", {}), ("connect-four", {"opponents": "self"}), ("yacht", {"players": 2}), ("pig", {"reward": "score"}), ("kalah", {"reward": "margin"})])
def test_an_episode_ends_after_a_number_of_steps(name: str, options: dict[str, Any], mode: str) -> None:
    """As with Gymnasium's `TimeLimit`, in any mode of reset, for any number of threads, and going on from a snapshot."""
    envs = hr.vector_env(name, 40, max_episode_steps=MOST, autoreset_mode=mode, **options)
    other = hr.vector_env(name, 40, max_episode_steps=MOST, autoreset_mode=mode, threads=2, **options)
    free = hr.vector_env(name, 40, autoreset_mode=mode, **options)
    for one in (envs, other, free):
        one.reset(seed=1)
    steps, ever = np.zeros(40, int), False
    for at in range(3 * MOST):
        actions = envs.sample_actions()
        if at == MOST // 2:
            other.restore(envs.snapshot())
            assert pickle.loads(pickle.dumps(envs)).options.max_episode_steps == MOST
        over_before = steps < 0
        results, others = envs.step(actions), other.step(actions)
        assert all(same(a, b) for a, b in zip(results[1:4], others[1:4], strict=True))
        if at < MOST - 1:
            assert all(same(a, b) for a, b in zip(results[1:3], free.step(actions)[1:3], strict=True))
        _, _, terminated, truncated, infos = results
        steps = np.where(over_before, 0, steps + 1)
        assert (truncated == (steps == MOST) & ~terminated).all() and "error" not in infos.get("final_info", infos)
        ever |= bool(truncated.any())
        over = terminated | truncated
        if mode == "Disabled" and over.any():
            envs.reset(options={"reset_mask": over})
            other.reset(options={"reset_mask": over})
        steps[over] = -1 if mode == "NextStep" else 0
    assert ever


def test_the_limit_of_steps_everywhere() -> None:
    env = hr.env("go", max_episode_steps=MOST)
    env.reset(seed=1)
    ends = [env.step(env.sample_action())[2:4] for _ in range(MOST)]
    assert ends == [(False, False)] * (MOST - 1) + [(False, True)] and env.action_masks().all()
    with pytest.raises(RuntimeError, match="is over"):
        env.step(0)
    made = gymnasium.make_vec("houserule/Go-v0", num_envs=3, max_episode_steps=MOST)
    made.reset(seed=1)
    cut = [made.step(made.unwrapped.sample_actions())[3] for _ in range(MOST)]
    assert cut[-1].all() and not np.any(cut[:-1])
    rules = hr.rules("dilido", variants=["torus"], penalty_limit=[4, 5])
    mixed = hr.vector_env(rules, 4, max_episode_steps=2)
    mixed.reset(seed=1)
    assert [mixed.step(mixed.sample_actions())[3].all() for _ in range(2)] == [False, True]
    with hr.vector_env("go", 2, max_episode_steps=MOST, batch_size=2) as queue:
        queue.async_reset(seed=1)
        ids = queue.recv()[-1]["env_id"]
        for _ in range(MOST):
            _, _, _, cut, infos = queue.step(queue.sample_actions(ids), ids)
            ids = infos["env_id"]
        assert cut.all() and "error" not in infos


@pytest.mark.parametrize("most", [0, -1, 1.5, "ten"])
def test_a_limit_of_steps_that_can_not_be(most: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="max_episode_steps"):
        hr.vector_env("go", 2, max_episode_steps=most)


def test_a_limit_is_of_the_snapshot() -> None:
    envs, free = hr.vector_env("go", 2, max_episode_steps=5), hr.vector_env("go", 2)
    envs.reset(seed=1)
    with pytest.raises(ValueError, match="options"):
        free.restore(envs.snapshot())


def test_one_array_can_not_be_two() -> None:
    envs = hr.vector_env("dilido", 4)
    envs.reset(seed=1)
    ends = np.empty(4, bool)
    with pytest.raises((TypeError, ValueError, RuntimeError)):
        envs.step_into(envs.sample_actions(), np.empty(4), ends, ends)
    frozen = np.empty(4)
    frozen.flags.writeable = False
    with pytest.raises((TypeError, ValueError)):
        envs.step_into(envs.sample_actions(), frozen, ends, ends.copy())


def test_wrong_steps_and_resets_say_so() -> None:
    envs = hr.vector_env("connect-four", 4, illegal_action="raise", autoreset_mode="Disabled")
    with pytest.raises(RuntimeError, match="reset"):
        envs.step(np.zeros(4, int))
    envs.reset(seed=1)
    before = envs.snapshot()
    with pytest.raises(ValueError, match="environment 2.*drop"):
        envs.step([0, 1, 7, 3])
    assert envs.snapshot() == before
    with pytest.raises(TypeError, match="must be integers"):
        envs.step(np.zeros(4))
    with pytest.raises(ValueError, match="seeds"):
        envs.reset(seed=[1, 2])
    for mask, error in (([True] * 4, TypeError), (np.ones(3, bool), ValueError), (np.zeros(4, bool), ValueError)):
        with pytest.raises(error, match="reset_mask"):
            envs.reset(options={"reset_mask": mask})
    for count in (0, 10**9):
        with pytest.raises(ValueError, match="num_envs must be a number from 1 to 1000000"):
            hr.vector_env("dilido", count)


def test_seeds() -> None:
    def run(envs: VectorEnv, seed: Any) -> list[Any]:
        told = [envs.reset(seed=seed)]
        return told + [envs.step(envs.sample_actions()) for _ in range(30)]

    def equal(a: list[Any], b: list[Any]) -> bool:
        return all(same(x, y) for one, other in zip(a, b) for x, y in zip(one, other))

    envs = hr.vector_env("dilido", 40)
    first, second = run(envs, 5), run(envs, None)
    assert not equal(first, second)
    for threads in (1, 2, 3):
        again = hr.vector_env("dilido", 40, threads=threads)
        assert again.threads == threads
        assert equal(run(again, 5), first) and equal(run(again, list(range(5, 45))), first)
    assert not equal(run(hr.vector_env("dilido", 40), None), run(hr.vector_env("dilido", 40), None))
    # The environments are different games.
    assert len({row.tobytes() for row in first[5][0]}) > 30


def test_sampled_actions_are_legal_and_of_equal_chance() -> None:
    n = 4000
    envs = hr.vector_env("connect-four", n, opponents="self")
    envs.reset(seed=1)
    counts = np.bincount(envs.sample_actions(), minlength=7)
    # Each column's count is binomial: within four standard errors.
    assert (abs(counts - n / 7) < 4 * np.sqrt(n * 1 / 7 * 6 / 7)).all()
    envs.seed_samples(9)
    one = envs.sample_actions()
    envs.seed_samples(9)
    assert (envs.sample_actions() == one).all()
    for _ in range(60):
        actions, masks = envs.sample_actions(), envs.action_masks()
        over = envs.current_player < 0
        assert masks[np.arange(n), actions].all() and not actions[over].any() and masks[over].all()
        envs.step(actions)


def test_what_is_asked_between_steps_is_what_the_step_told() -> None:
    envs = hr.vector_env("pig", 6, players=3, opponents="self")
    obs, infos = envs.reset(seed=1)
    for _ in range(30):
        assert same(envs.observations(), obs) and (envs.action_masks() == infos["action_mask"]).all()
        assert same(envs.current_player, infos["current_player"])
        for env in range(6):
            assert envs.state(env).legal_actions() == np.flatnonzero(infos["action_mask"][env]).tolist()
        obs, _, _, _, infos = envs.step(envs.sample_actions())
    with pytest.raises(IndexError):
        envs.state(6)


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_copies_go_on_alike_in_mid_episode(game: str, options: dict[str, Any]) -> None:
    envs = hr.vector_env(game, 6, autoreset_mode="SameStep", **options)
    envs.reset(seed=1)
    for _ in range(9):
        envs.step(envs.sample_actions())
    copies = [copy.deepcopy(envs), pickle.loads(pickle.dumps(envs)), hr.vector_env(game, 6, autoreset_mode="SameStep", **options)]
    copies[2].restore(envs.snapshot())
    for _ in range(20):
        actions = envs.sample_actions()
        told = envs.step(actions)
        for other in copies:
            assert (other.sample_actions() == actions).all()
            assert all(same(x, y) for x, y in zip(told, other.step(actions)))


def go_on(envs: VectorEnv) -> list[Any]:
    return [envs.step(envs.sample_actions()) for _ in range(10)]


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_they_go_on_in_another_process(method: str) -> None:
    envs = hr.vector_env("dilido", 64, threads=2)
    envs.reset(seed=1)
    envs.step(envs.sample_actions())
    with multiprocessing.get_context(method).Pool(1) as pool:
        there = pool.apply(go_on, (envs,))
    for told, here in zip(there, go_on(envs)):
        assert all(same(x, y) for x, y in zip(told, here))


def inherited(queue: Any) -> None:
    queue.put([told[1].tolist() for told in go_on(SHARED[0])])


SHARED: list[VectorEnv] = []


def test_a_forked_process_has_threads_of_its_own() -> None:
    SHARED[:] = [hr.vector_env("dilido", 256, threads=2)]
    SHARED[0].reset(seed=1)
    SHARED[0].step(SHARED[0].sample_actions())
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    process = context.Process(target=inherited, args=(queue,))
    process.start()
    there = queue.get(timeout=60)
    process.join()
    assert there == [told[1].tolist() for told in go_on(SHARED[0])]


def test_frames_of_all() -> None:
    for mode in VectorEnv.metadata["render_modes"]:
        envs = hr.vector_env("dilido", 3, render_mode=mode)
        envs.reset(seed=1)
        frames = envs.render()
        assert len(frames) == 3 and (isinstance(frames[0], str) or frames[0].dtype == np.uint8)
        envs.close()
        envs.close()


def test_scores_are_those_of_simulated_games() -> None:
    """The mean of many episodes is what a run of as many other games comes to, within four standard errors."""
    envs = hr.vector_env("dilido", 500, autoreset_mode="SameStep")
    envs.reset(seed=1)
    sums, scores = np.zeros(500), []
    while len(scores) < 3000:
        _, rewards, terminated, _, _ = envs.step(envs.sample_actions())
        sums += rewards
        scores += sums[terminated].tolist()
        sums[terminated] = 0
    alone, rng, env = [], np.random.default_rng(1), hr.env("dilido")
    for seed in range(600):
        _, info = env.reset(seed=100_000 + seed)
        total, over = 0.0, False
        while not over:
            _, reward, over, _, info = env.step(any_legal(rng, info["action_mask"]))
            total += reward
        alone.append(total)
    error = np.hypot(np.std(scores) / np.sqrt(len(scores)), np.std(alone) / np.sqrt(len(alone)))
    assert abs(np.mean(scores) - np.mean(alone)) < 4 * error


def test_an_episode_has_a_size() -> None:
    small, large = hr.vector_env("tic-tac-toe", 64), hr.vector_env("points", 64)
    assert 0 < small.bytes_per_env < 1000 < large.bytes_per_env < 100_000


def test_searches_are_opponents() -> None:
    def played(opponents: Any, threads: int = 1) -> tuple[list[Any], float]:
        envs = hr.vector_env("tic-tac-toe", 40, seat=0, opponents=opponents, autoreset_mode="SameStep", threads=threads)
        envs.reset(seed=4)
        told = [envs.step(envs.sample_actions()) for _ in range(15)]
        ended = np.concatenate([rewards[over] for _, rewards, over, _, _ in told])
        return [observations for observations, *_ in told], float(ended.mean())

    steps, mean = played("mcts:100")
    for form in (["mcts:100"], ["random", "mcts:100"], "mcts"):
        assert all(map(same, steps, played(form)[0]))
    assert all(map(same, steps, played("mcts:100", threads=2)[0]))
    # Whoever takes any action loses most games against it, and has the better seat among random ones.
    assert mean < -0.5 < 0 < played("random")[1]
    with pytest.raises(ValueError, match="from 1 to 10,000,000"):
        hr.vector_env("tic-tac-toe", opponents="mcts:0")


def test_the_state_of_an_environment_is_that_of_its_game() -> None:
    game = hr.load("pig")
    envs = hr.vector_env(game, num_envs=2, opponents="self")
    envs.reset(seed=[5, 6])
    true = game.start(6)
    for _ in range(6):
        actions = envs.sample_actions()
        envs.step(actions)
        true.apply(int(actions[1]))
    state = envs.state(1)
    assert (state.seed, state.index, state.decisions) == (6, 0, true.decisions) and state == true
    # The copies of the state go on as the game does.
    copies = [state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))]
    assert all(other == true for other in copies)
    while not true.is_over and true.decisions < 40:
        action = true.legal_actions()[0]
        true.apply(action)
        for other in [state, *copies]:
            other.apply(action)
            assert other == true
    for other in [state, *copies]:
        for read in (lambda s: s.turns, lambda s: s.rolls, lambda s: s.history, lambda s: s.record()):
            with pytest.raises(ValueError, match="environments don't keep the"):
                read(other)
    state.undo()
    assert state.decisions == true.decisions - 1


def test_the_state_of_an_environment_has_the_seed_of_its_episode() -> None:
    env = hr.env("pig", opponents="random")
    env.reset(seed=5)
    env.reset()
    assert (env.state.seed, env.state.index) == (5, 1)
    # In a match each game has an index of its own.
    envs = hr.vector_env("dilido", num_envs=1, match=True)
    envs.reset(seed=9)
    seen = set()
    for _ in range(300):
        envs.step(envs.sample_actions())
        state = envs.state(0)
        seen.add(state.index)
        assert state.seed == 9
    assert len(seen) > 2 and seen == set(range(len(seen)))
