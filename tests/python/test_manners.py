"""What users of a Python package expect of it: a version, errors of the usual kinds, signatures, Ctrl-C."""

from __future__ import annotations

import inspect
import os
import signal
import threading
from collections.abc import Callable
from importlib.metadata import version

import numpy as np
import pytest

import houserule as hr
from houserule.gymnasium import Env, VectorEnv


def test_the_version_is_that_of_the_package() -> None:
    assert hr.__version__ == version("houserule") and "__version__" in hr.__all__


def test_games_hold_names_and_entries() -> None:
    games = hr.games()
    assert "dilido" in games and games[0] in games and "nowhere" not in games


@pytest.mark.parametrize("name", ["nowhere.rules", "./nowhere", "dilido + nowhere.rules"])
def test_a_file_that_is_not_there(name: str) -> None:
    for load in (hr.load, hr.simulate, hr.env, hr.stack):
        with pytest.raises(FileNotFoundError) as caught:
            load(name)
        assert "nowhere" in caught.value.filename


def test_a_name_that_there_is_not_is_no_file() -> None:
    with pytest.raises(ValueError, match="nowhere"):
        hr.load("nowhere")


def test_options_of_a_reset_that_mean_nothing() -> None:
    env, envs = hr.env("dilido"), hr.vector_env("dilido", 3)
    for reset in (env.reset, envs.reset):
        with pytest.raises(ValueError, match="nonsense"):
            reset(seed=1, options={"nonsense": 1})
        reset(seed=1, options={})
    envs.reset(options={"reset_mask": np.array([True, False, True])})


@pytest.mark.parametrize("made, plain", [(Env, hr.env), (VectorEnv, hr.vector_env)])
def test_functions_say_what_they_take(made: type, plain: Callable[..., object]) -> None:
    names = lambda signature: [parameter.name for parameter in signature.parameters.values() if parameter.name != "self"]
    # With `batch_size` the function returns another class.
    taken = [name for name in names(inspect.signature(plain)) if name != "batch_size"]
    assert taken == names(inspect.signature(made.__init__))
    text = inspect.getdoc(plain) or ""
    assert all(name in text for name in names(inspect.signature(plain)))


def interrupted(work: Callable[[], object]) -> None:
    """Presses Ctrl-C while some work goes on that would take for ever."""
    # Who runs this in the background ignores Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    press = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    press.start()
    with pytest.raises(KeyboardInterrupt):
        work()
    press.join()


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_a_step_and_leaves_the_environments_as_they_were(threads: int) -> None:
    env = hr.env("points-small", opponents="mcts:10000000", seat=0)
    env.reset(seed=1)
    before = env.state
    interrupted(lambda: env.step(env.sample_action()))
    assert env.state == before
    envs = hr.vector_env("points-small", 100, opponents="mcts:10000000", seat=0, threads=threads)
    envs.reset(seed=1)
    states = [envs.state(at) for at in range(100)]
    interrupted(lambda: envs.step(envs.sample_actions()))
    assert [envs.state(at) for at in range(100)] == states


def test_ctrl_c_ends_searches_and_solving() -> None:
    search = "mcts:10000000"
    interrupted(lambda: hr.simulate("points-small", games=4, agents=search))
    interrupted(lambda: hr.compare("points-small", "points-area", games=4, agents=[search]))
    interrupted(lambda: hr.simulate("connect-four", games=1, agents="exact"))
    # With a callable the games are played on this thread.
    interrupted(lambda: hr.simulate("points-small", games=1, agents=[lambda state: state.legal_actions()[0], search]))


def test_an_opponent_that_fails_leaves_the_environment_as_it_was() -> None:
    fails = False

    def opponent(state: hr.State) -> int:
        if fails:
            raise LookupError("lost")
        return state.legal_actions()[0]

    env = hr.env("tic-tac-toe", opponents=opponent, seat=0)
    env.reset(seed=1)
    before, fails = env.state, True
    with pytest.raises(LookupError):
        env.step(env.sample_action())
    assert env.state == before
    fails = False
    env.step(env.sample_action())


def test_one_game_has_no_interval() -> None:
    found = hr.simulate("dilido", games=1)
    intervals = [(row["low"], row["high"]) for row in found.summary().rows() if row["quantity"] == "score"]
    assert intervals == [(None, None)], "null, and not NaN"
    assert "nan" not in found._repr_mimebundle_()["text/html"] and "nan" not in str(found)
    sweep = hr.sweep("dilido", games=1, jokers=[0, 1])
    assert "nan" not in repr(sweep) and "nan" not in sweep._repr_mimebundle_()["text/html"]


def test_what_is_shown_fits_on_a_page_and_names_the_game() -> None:
    found = hr.simulate("dilido", games=50, record=True)
    replayed = hr.replay([found.record(index) for index in range(50)])
    shown = repr(replayed)
    assert len(shown) < 2000 and "50 records of dilido, 0 with problems" in shown and "… and 40 more" in shown
    assert len(repr(replayed[0])) < 200 and "dilido" in repr(replayed[0])
    broken = hr.replay(["nonsense"])
    assert "1 record of no game, 1 with problems" in repr(broken) and "no record of a game" in repr(broken[0])
    for env in (hr.env("connect-four"), hr.vector_env("connect-four", 3), hr.vector_env("connect-four", 3, batch_size=2)):
        assert "connect-four" in repr(env) and len(repr(env)) < 200 and " at 0x" not in repr(env)
    assert repr(hr.env("dilido")) == "<Env of dilido: 1 player>"
    assert repr(hr.vector_env("kalah", 3, opponents="self")) == "<VectorEnv, 3 of kalah: 2 players, self-play>"
    assert repr(hr.env("kalah", seat=1, opponents="greedy")) == "<Env of kalah: 2 players, seat 1, opponents greedy>"
    assert len(repr(hr.sweep("kalah", games=5, pits=[3, 4]).wide())) < 8000
