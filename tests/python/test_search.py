"""Searches with an evaluator: what they find, what they call, and what happens when the evaluator is wrong."""

from __future__ import annotations

import functools
import os
import pickle
import signal
import threading
import time
from typing import Any

import houserule as hr
import numpy as np
import pytest
from extent import tries

Array = np.ndarray[Any, Any]


def uniform(observations: Array, masks: Array) -> tuple[Array, Array]:
    """Knows nothing."""
    return np.ones(masks.shape, np.float32), np.zeros(len(masks), np.float32)


class Recorder:
    """Keeps what an evaluator is called with."""

    def __init__(self, evaluator: Any = uniform) -> None:
        self.calls: list[tuple[Array, Array]] = []
        self.evaluator = evaluator

    def __call__(self, observations: Array, masks: Array) -> Any:
        self.calls.append((observations.copy(), masks.copy()))
        return self.evaluator(observations, masks)

    @property
    def rows(self) -> list[int]:
        return [len(masks) for _, masks in self.calls]


def cells(observation: Array, game: hr.Game) -> str:
    """Returns the marks of a tic-tac-toe observation as a string: the player to move has x."""
    (entry,) = (entry for entry in game.observation_spec() if entry.name == "mark")
    own, other = observation[entry.offset : entry.offset + entry.length].reshape(2, 9)
    return "".join("x" if mine else "o" if theirs else "." for mine, theirs in zip(own, other, strict=True))


LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@functools.cache
def exact(board: str) -> int:
    """The value of a board for x, who is to move."""
    if any(all(board[at] == "o" for at in line) for line in LINES):
        return -1
    empty = [at for at, mark in enumerate(board) if mark == "."]
    turned = board.translate(str.maketrans("xo", "ox"))
    return max((-exact(turned[:at] + "o" + turned[at + 1 :]) for at in empty), default=0)


def test_a_search_with_exact_values_finds_the_exact_move() -> None:
    game = hr.load("tic-tac-toe")

    def evaluator(observations: Array, masks: Array) -> tuple[Array, Array]:
        return np.ones(masks.shape), np.array([exact(cells(one, game)) for one in observations])

    search = hr.Search(evaluator, 30, leaves=1)
    rng = np.random.default_rng(1)
    states: list[hr.State] = []
    while len(states) < 60:
        state = game.start(int(rng.integers(1 << 30)))
        for _ in range(rng.integers(0, 7)):
            if not state.is_over:
                state.apply(int(rng.choice(state.legal_actions())))
        if not state.is_over and len(state.legal_actions()) > 1:
            states.append(state)
    _, values, actions = search.run(states)
    for state, value, action in zip(states, values, actions, strict=True):
        best = exact(cells(state.observation(state.current_player), game))
        after = state.clone()
        after.apply(int(action))
        if after.is_over:
            found = int(after.returns[state.current_player])
        else:
            found = -exact(cells(after.observation(after.current_player), game))
        assert found == best, f"{action} in\n{state}"
        assert -1 <= value <= 1
    row = hr.evaluate(search, game, against=["random"], games=200).rows[0]
    assert row["win_rate"] > 0.85 and row["returns_low"] > 0.85


def test_a_search_without_knowledge_is_far_better_than_random_play() -> None:
    found = hr.evaluate(hr.Search(uniform, tries(100, 200)), "tic-tac-toe", against=["random", "greedy"], games=tries(100, 200))
    assert found.rows[0]["returns_low"] > 0.6


def test_run_returns_shares_of_visits_values_and_legal_actions() -> None:
    game = hr.load("connect-four")
    states = [game.start(seed) for seed in range(20)]
    for state in states[10:]:
        state.apply(state.legal_actions()[0])
    policies, values, actions = hr.Search(uniform, 64).run(states)
    assert policies.shape == (20, game.num_actions) and policies.dtype == np.float32
    assert values.shape == (20,) and values.dtype == np.float64 and actions.dtype == np.int64
    assert policies.sum(1) == pytest.approx(1)
    assert (policies * 64 == pytest.approx(np.round(policies * 64))) and (policies[:, :7] > 0).any()
    assert (policies.max(1) == policies[np.arange(20), actions]).all()


def test_many_searches_are_evaluated_in_one_call() -> None:
    game = hr.load("connect-four")
    recorder = Recorder()
    hr.Search(recorder, 40, leaves=4).run([game.start(seed) for seed in range(100)])
    assert recorder.rows[0] == 100 and max(recorder.rows) == 400
    observations, masks = recorder.calls[0]
    assert observations.shape == (100, len(game.start(1).observation(0))) and observations.dtype == np.float32
    assert masks.shape == (100, game.num_actions) and masks.dtype == np.int8
    assert sum(recorder.rows) <= 100 * 41
    recorder.calls.clear()
    hr.Search(recorder, 40, leaves=4, batch=40).run([game.start(seed) for seed in range(100)])
    assert max(recorder.rows) == 40


def test_games_are_played_side_by_side_so_that_their_leaves_share_a_call() -> None:
    recorder = Recorder()
    hr.simulate("connect-four", 64, hr.Search(recorder, 16, leaves=4))
    assert max(recorder.rows) > 64
    assert sum(recorder.rows) / len(recorder.rows) > 32


def test_the_results_are_the_same_again_and_for_any_threads_and_batches() -> None:
    search = hr.Search(uniform, 24, root_noise=0.5, temperature=0.8)
    one = hr.simulate("connect-four", 40, search, threads=1)
    two = hr.simulate("connect-four", 40, search, threads=2)
    small = hr.simulate("connect-four", 40, hr.Search(uniform, 24, root_noise=0.5, temperature=0.8, batch=8))
    assert one.games.rows() == two.games.rows() == small.games.rows()
    assert one.seats.rows() == two.seats.rows() == small.seats.rows()
    game = hr.load("dilido")
    states = [game.start(seed) for seed in range(30)]

    def run(threads: int, batch: int = 2048) -> list[Array]:
        return list(hr.Search(uniform, 50, root_noise=0.3, temperature=1, batch=batch).run(states, threads))

    for other in (run(1), run(2), run(2, 40)):
        assert all((a == b).all() for a, b in zip(run(1), other, strict=True))


def test_each_run_has_random_numbers_of_its_own() -> None:
    states = [hr.load("connect-four").start(1)] * 8
    search = hr.Search(uniform, 30, root_noise=1.0, temperature=1, seed=7)
    first, second = search.run(states), search.run(states)
    assert (first[0] != second[0]).any() and (first[0][0] != first[0][1:]).any()
    again = hr.Search(uniform, 30, root_noise=1.0, temperature=1, seed=7).run(states)
    assert (first[0] == again[0]).all()


def test_illegal_actions_are_never_chosen_whatever_their_priors() -> None:
    def stubborn(observations: Array, masks: Array) -> tuple[Array, Array]:
        return np.where(masks == 0, 1e6, 0.0), np.zeros(len(masks))

    for game in ("connect-four", "dilido"):
        found = hr.simulate(game, 4, hr.Search(stubborn, 12))
        assert len(found.games) == 4 and found.report["aborted"] == 0


def test_high_priors_are_searched_first() -> None:
    game = hr.load("connect-four")

    def third(observations: Array, masks: Array) -> tuple[Array, Array]:
        priors = np.full(masks.shape, 0.01)
        priors[:, 2] = 1
        return priors, np.zeros(len(masks))

    policies, _, actions = hr.Search(third, 20, leaves=1).run([game.start(1)])
    assert actions[0] == 2 and policies[0, 2] > 0.5


def test_a_value_is_for_the_player_to_move() -> None:
    game = hr.load("connect-four")

    def seat_one_wins(observations: Array, masks: Array) -> tuple[Array, Array]:
        (seat,) = (entry for entry in game.observation_spec() if entry.name == "seat")
        return np.ones(masks.shape), np.where(observations[:, seat.offset] == 1, 1.0, -1.0)

    first, second = game.start(1), game.start(1)
    second.apply(second.legal_actions()[0])
    _, values, _ = hr.Search(seat_one_wins, 20).run([first, second])
    assert values == pytest.approx([1, -1])

    def both(observations: Array, masks: Array) -> tuple[Array, Array]:
        _, values = seat_one_wins(observations, masks)
        return np.ones(masks.shape), np.stack([values, -values], 1)

    assert (hr.Search(both, 20).run([first, second])[1] == values).all()


def test_a_one_player_value_is_a_score_in_points() -> None:
    game = hr.load("dilido")

    def forty(observations: Array, masks: Array) -> tuple[Array, Array]:
        return np.ones(masks.shape), np.full(len(masks), 40.0)

    _, values, _ = hr.Search(forty, 30).run([game.start(seed) for seed in range(5)])
    assert values == pytest.approx([40] * 5)


def test_more_than_two_players_need_a_value_for_each() -> None:
    game = hr.load("dominoes", players=3)
    with pytest.raises(ValueError, match=r"values of shape \(1,\): expected \(1, 3\)"):
        hr.Search(uniform, 10).run([game.start(1)])

    def relative(observations: Array, masks: Array) -> tuple[Array, Array]:
        # The player to move will win, and the turn passes.
        return np.ones(masks.shape), np.tile([1.0, -0.5, -0.5], (len(masks), 1))

    _, values, _ = hr.Search(relative, 1).run([game.start(1)])
    assert values == pytest.approx([-0.5])


def test_planes_and_dtypes_are_those_of_the_environments() -> None:
    game = hr.load("connect-four")
    state = game.start(1)
    state.apply(3)
    for dtype in ("float32", "uint8", "bits"):
        for layout in ("flat", "planes"):
            recorder = Recorder()
            hr.Search(recorder, 2, observation=layout, dtype=dtype).run([state])
            envs = hr.vector_env(game, 1, opponents="self", observation=layout, dtype=dtype)
            envs.reset(seed=1)
            seen, *_ = envs.step(np.array([3]))
            assert (recorder.calls[0][0] == seen).all() and recorder.calls[0][0].dtype == seen.dtype
            assert recorder.calls[0][0].shape == seen.shape
    with pytest.raises(ValueError, match="planes need a board"):
        hr.Search(uniform, 2, observation="planes").run([hr.load("yacht").start(1)])


def test_equal_information_states_give_equal_batches() -> None:
    """What the seat can't see is in no call of the evaluator, and changes nothing."""
    game = hr.load("dominoes")
    state = hidden_state(game)
    player = state.current_player
    for method in ("mcts", "ismcts"):
        other = state.determinize(player, seed=5)
        assert other.information_state(player) == state.information_state(player)
        found = []
        for one in (state, other):
            recorder = Recorder()
            result = hr.Search(recorder, 24, method=method, leaves=4).run([one])
            found.append((recorder.calls, result))
        (calls, result), (other_calls, other_result) = found
        assert [len(masks) for _, masks in calls] == [len(masks) for _, masks in other_calls]
        for (seen, masks), (other_seen, other_masks) in zip(calls, other_calls, strict=True):
            assert (seen == other_seen).all() and (masks == other_masks).all()
        assert all((a == b).all() for a, b in zip(result, other_result, strict=True))


def hidden_state(game: hr.Game) -> hr.State:
    """Returns a state of a game with hidden information after some random decisions, with several legal actions."""
    for seed in range(100):
        state = game.start(seed)
        rng = np.random.default_rng(seed)
        for _ in range(14):
            if not state.is_over:
                state.apply(int(rng.choice(state.legal_actions())))
        if not state.is_over and len(state.legal_actions()) > 1:
            return state
    raise AssertionError("there is such a state")


def test_every_command_takes_a_search() -> None:
    search = hr.Search(uniform, 8, name="blank")
    ladder = hr.ladder([search, "random"], "tic-tac-toe", games=20)
    assert {row["agent"] for row in ladder.rows} == {"blank", "random"}
    assert "blank" in repr(hr.evaluate(search, "tic-tac-toe", games=20))
    compared = hr.compare("tic-tac-toe", hr.load("tic-tac-toe", params={"size": 4}), agents=[search], games=20)
    assert "every game is the same" not in str(compared)
    assert "blank" in str(hr.report("tic-tac-toe", agent=search, games=20))
    envs = hr.vector_env("tic-tac-toe", 8, opponents=search)
    envs.reset(seed=1)
    for _ in range(6):
        envs.step(envs.sample_actions())
    single = hr.env("tic-tac-toe", opponents=search)
    single.reset(seed=1)
    state = hr.load("tic-tac-toe").start(1)
    assert search(state) in state.legal_actions()
    mixed = hr.simulate("tic-tac-toe", 10, [search, lambda state: state.legal_actions()[0]])
    assert len(mixed.games) == 10


def test_environments_search_their_decisions_together() -> None:
    recorder = Recorder()
    envs = hr.vector_env("tic-tac-toe", 50, opponents="self")
    envs.reset(seed=1)
    search, ended = hr.Search(recorder, 16), 0
    for _ in range(12):
        masks = envs.action_masks()
        policies, values, actions = envs.search(search)
        over = policies.sum(1) == 0
        assert policies.shape == (50, 9) and values.shape == (50,) and masks[np.arange(50), actions].all()
        assert (policies[~masks] == 0).all()
        _, _, terminated, _, _ = envs.step(actions)
        ended += int(terminated.sum())
        assert not (over & terminated).any()
    assert recorder.rows[0] == 50 and ended > 50


def broken(observations: Array, masks: Array) -> Any:
    raise ZeroDivisionError("the network is broken")


def test_an_exception_of_the_evaluator_is_raised_and_everything_stays_usable() -> None:
    search = hr.Search(broken, 8)
    state = hr.load("tic-tac-toe").start(1)
    envs = hr.vector_env("tic-tac-toe", 2, opponents=search, seat=0)
    envs.reset(seed=1)

    def tries() -> list[Any]:
        return [
            lambda: search.run([state]),
            lambda: search(state),
            lambda: hr.simulate("tic-tac-toe", 50, search),
            lambda: hr.simulate("tic-tac-toe", 50, [search, lambda state: state.legal_actions()[0]]),
            lambda: hr.evaluate(search, "tic-tac-toe", games=20),
            lambda: hr.ladder([search, "random"], "tic-tac-toe", games=20),
            lambda: hr.compare("tic-tac-toe", hr.load("tic-tac-toe", params={"size": 4}), agents=[search], games=20),
            lambda: hr.report("tic-tac-toe", agent=search, games=20),
            lambda: envs.step(np.array([0, 0])),
        ]

    for attempt in tries():
        with pytest.raises(ZeroDivisionError, match="the network is broken") as raised:
            attempt()
        assert raised.traceback[-1].name == "broken"
        assert len(hr.simulate("tic-tac-toe", 10, hr.Search(uniform, 4)).games) == 10
    # A later failure is noticed too, and the search can be used again.
    calls = 0

    def sometimes(observations: Array, masks: Array) -> Any:
        nonlocal calls
        calls += 1
        return broken(observations, masks) if calls == 5 else uniform(observations, masks)

    mended = hr.Search(sometimes, 8)
    with pytest.raises(ZeroDivisionError):
        hr.simulate("tic-tac-toe", 10, mended)
    assert len(hr.simulate("tic-tac-toe", 10, mended).games) == 10


WRONG = [
    (lambda n, a: np.ones((n, a)), TypeError, r"must return a tuple \(priors, values\), not ndarray"),
    (lambda n, a: (np.ones((n, a + 1)), np.zeros(n)), ValueError, r"priors of shape \(1, 10\): expected \(1, 9\)"),
    (lambda n, a: (np.ones(a), np.zeros(n)), ValueError, r"priors of shape \(9,\): expected \(1, 9\)"),
    (lambda n, a: (np.ones((n, a)), np.zeros((n, 3))), ValueError, r"values of shape \(1, 3\): expected \(1,\)"),
    (lambda n, a: (np.full((n, a), np.nan), np.zeros(n)), ValueError, "prior NaN for action 0 of leaf 0: expected a number from 0"),
    (lambda n, a: (np.full((n, a), -0.5), np.zeros(n)), ValueError, "prior -0.5 for action 0 .*softmax"),
    (lambda n, a: (np.ones((n, a)), np.full(n, np.inf)), ValueError, "value inf for leaf 0: expected a finite number"),
    (lambda n, a: (np.ones((n, a)), ["high"]), ValueError, "could not convert"),
]


@pytest.mark.parametrize(("answer", "kind", "message"), WRONG)
def test_wrong_answers_of_the_evaluator_are_named(answer: Any, kind: type[Exception], message: str) -> None:
    search = hr.Search(lambda observations, masks: answer(*masks.shape), 8)
    with pytest.raises(kind, match=message):
        search.run([hr.load("tic-tac-toe").start(1)])
    with pytest.raises(kind):
        hr.simulate("tic-tac-toe", 1, search)


def test_wrong_options_and_states_are_named() -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"simulations": 0}, "simulations=0 is not possible: give a number from 1"),
        ({"leaves": 0}, "leaves=0 is not possible"),
        ({"leaves": 8, "batch": 4}, "batch=4 is less than leaves=8"),
        ({"method": "uct"}, 'method must be one of "mcts", "ismcts", not "uct"'),
        ({"observation": "dict"}, 'observation must be one of "flat", "planes"'),
        ({"temperature": -1.0}, "temperature=-1"),
        ({"root_noise": 0.0}, "root_noise=0"),
    ]
    for options, message in wrong:
        with pytest.raises(ValueError, match=message):
            hr.Search(uniform, **options)
    with pytest.raises(TypeError, match="the evaluator must be a callable"):
        hr.Search("mcts")  # type: ignore[arg-type]
    search, game = hr.Search(uniform, 8), hr.load("tic-tac-toe")
    assert search.run([])[0].shape == (0, 0)
    with pytest.raises(ValueError, match="state 1 is of another game than state 0"):
        search.run([game.start(1), hr.load("connect-four").start(1)])
    over = game.start(1)
    while not over.is_over:
        over.apply(over.legal_actions()[0])
    with pytest.raises(ValueError, match="state 1: nobody has to decide"):
        search.run([game.start(1), over])


def test_a_search_can_be_pickled_with_its_options() -> None:
    again = pickle.loads(pickle.dumps(hr.Search(uniform, 12, name="copy", leaves=2, seed=9)))
    assert (again.name, again.simulations, repr(again)) == ("copy", 12, "<Search copy: 12 simulations>")


@pytest.mark.parametrize("command", ["run", "simulate"])
def test_ctrl_c_ends_a_search(command: str) -> None:
    # Who runs this in the background ignores Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    game = hr.load("connect-four")
    began = threading.Event()

    def slow(observations: Array, masks: Array) -> tuple[Array, Array]:
        began.set()
        return uniform(observations, masks)

    search = hr.Search(slow, 1_000_000)

    def interrupt() -> None:
        began.wait(60)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    clock = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        if command == "run":
            search.run([game.start(seed) for seed in range(10)])
        else:
            hr.simulate(game, 10, search)
    thread.join()
    assert time.monotonic() - clock < 60
    assert len(hr.simulate(game, 3, hr.Search(uniform, 4)).games) == 3
