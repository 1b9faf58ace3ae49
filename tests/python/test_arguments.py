"""Arguments that can't be are refused by their names, in words of Python; those of numpy are taken."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import houserule as hr

SEEDED: dict[str, Callable[[Any], object]] = {
    "start": lambda seed: hr.load("dilido").start(seed),
    "simulate": lambda seed: hr.simulate("dilido", games=2, seed=seed),
    "sweep": lambda seed: hr.sweep("dilido", games=2, seed=seed, jokers=[0, 1]),
    "compare": lambda seed: hr.compare("dilido", "dilido", games=2, agents="random", seed=seed),
    "worth": lambda seed: hr.worth("dilido", games=2, agents="random", seed=seed, only="joker"),
    "learn": lambda seed: hr.learn("pig", games=2, seed=seed),
    "tune": lambda seed: hr.tune("dilido", {"turns": 15}, {"penalty_limit": [1, 2]}, games=2, seed=seed),
    "evaluate": lambda seed: hr.evaluate("random", "dilido", games=2, seed=seed),
    "ladder": lambda seed: hr.ladder(["random", "greedy"], "dilido", games=2, seed=seed),
    "report": lambda seed: hr.report("pig", games=2, seed=seed),
    "extremes": lambda seed: hr.extremes("tic-tac-toe", of="decisions", seed=seed),
    "Search": lambda seed: hr.Search(lambda observations, masks: None, seed=seed),
    "seed_samples": lambda seed: hr.vector_env("dilido", 2).seed_samples(seed),
    "vector_env": lambda seed: hr.vector_env("dilido", 2).reset(seed=[seed, 1]),
}


@pytest.mark.parametrize("name", SEEDED)
@pytest.mark.parametrize("seed", [-1, 2**64, "one"])
def test_a_seed_that_can_not_be_is_named(name: str, seed: Any) -> None:
    with pytest.raises((ValueError, TypeError), match="seed"):
        SEEDED[name](seed)


def test_a_seed_of_none_is_named() -> None:
    for call in (hr.simulate, hr.compare):
        with pytest.raises(TypeError, match="seed must be an integer, not NoneType"):
            call(*["dilido"] * (1 + (call is hr.compare)), games=2, agents="random", seed=None)


def test_a_first_game_that_can_not_be_is_named() -> None:
    for call in (lambda: hr.simulate("dilido", games=2, first=-1), lambda: hr.sweep("dilido", games=2, jokers=[0, 1], first=-1)):
        with pytest.raises(ValueError, match="first must be a number from 0"):
            call()


def test_seeds_of_numpy_are_seeds() -> None:
    assert hr.simulate("dilido", games=5, seed=np.int64(3)).report["score"] == hr.simulate("dilido", games=5, seed=3).report["score"]


MISSPELT = {"rewards": "reward", "opponent": "opponents", "observations": "observation", "skip_force": "skip_forced", "player": "players"}


@pytest.mark.parametrize("misspelt", MISSPELT)
@pytest.mark.parametrize("make", [hr.env, hr.vector_env, lambda game, **options: hr.vector_env(game, 4, batch_size=2, **options)])
def test_a_misspelt_option_is_answered_with_the_option(make: Callable[..., object], misspelt: str) -> None:
    with pytest.raises(ValueError, match=f"did you mean the option `{MISSPELT[misspelt]}`") as caught:
        make("connect-four", **{misspelt: "auto"})
    assert f"no param `{misspelt}`" in str(caught.value)


def test_a_misspelt_option_elsewhere() -> None:
    zoo = pytest.importorskip("houserule.pettingzoo")
    with pytest.raises(ValueError, match="did you mean the option `reward`"):
        zoo.parallel_env("connect-four", rewards="score")
    with pytest.raises(ValueError, match="did you mean the option `agents`"):
        hr.sweep("connect-four", agent="greedy")


def test_a_misspelt_param_is_answered_with_the_param() -> None:
    with pytest.raises(ValueError, match="width") as caught:
        hr.env("connect-four", widht=5)
    assert "option" not in str(caught.value)


def test_truth_values_of_numpy_are_params() -> None:
    for value in (True, False):
        assert hr.load("kalah", empty_capture=np.bool_(value)) == hr.load("kalah", empty_capture=value)
    swept = hr.sweep("kalah", games=5, empty_capture=np.array([True, False]))
    assert [row["games"] for row in swept.rows()] == [5, 5]


@pytest.mark.parametrize("dtype", [np.uint8, np.dtype("uint8"), np.dtype(bool), np.float16])
def test_dtypes_of_numpy_are_dtypes(dtype: Any) -> None:
    space = hr.env("connect-four", dtype=dtype).observation_space
    assert space.dtype == dtype and space == hr.env("connect-four", dtype=np.dtype(dtype).name).observation_space
    assert hr.load("connect-four").start(1).observation(dtype=dtype).dtype == dtype


@pytest.mark.parametrize("dtype", [np.int32, None, 8, "float"])
def test_other_dtypes_are_refused_by_name(dtype: Any) -> None:
    for call in (lambda: hr.env("connect-four", dtype=dtype), lambda: hr.load("connect-four").start(1).observation(dtype=dtype)):
        with pytest.raises((TypeError, ValueError), match="dtype"):
            call()


def test_a_step_before_the_first_reset_is_told_as_that() -> None:
    for env, action in ((hr.env("connect-four"), 0), (hr.vector_env("connect-four", 2, autoreset_mode="Disabled"), [0, 0])):
        with pytest.raises(RuntimeError, match="no episode yet; reset it"):
            env.step(action)


def test_what_is_no_game_is_told_as_that() -> None:
    rules = hr.rules("dilido", variants=["torus"], penalty_limit=[4, 5])
    with pytest.raises(TypeError, match="a game is needed, not rule sets"):
        hr.simulate(rules, games=5)
    with pytest.raises(TypeError, match="a game must be a name, a path, rule text or a Game, not int"):
        hr.simulate(5, games=5)
    assert [one.report["games"] for one in hr.sweep(rules, games=5)] == [5, 5]


@pytest.mark.parametrize("line", ["nonsense", "{", "{houserule: 2}", "[1,"])
def test_a_line_that_is_no_record_is_told_as_that(line: str) -> None:
    problem = hr.replay([line])[0].problem
    assert problem is not None and "no record of a game" in problem and "ident" not in problem


@pytest.mark.parametrize("width", [0, -1, 8193, 20_000, 2**70])
def test_the_width_of_a_picture_has_one_limit(width: int) -> None:
    state = hr.load("connect-four").start(1)
    for call in (lambda: state.rgb(width), lambda: state.rgb(8, width), lambda: hr.env("connect-four", render_mode="rgb_array", render_width=width)):
        with pytest.raises(ValueError, match=r"(width|height) must be (a number )?from 1 to 8192"):
            call()


@pytest.mark.parametrize("threads", [0, -1, 1025])
def test_the_number_of_threads_has_one_limit(threads: int) -> None:
    calls: list[Callable[[], object]] = [
        lambda: hr.simulate("dilido", games=5, threads=threads),
        lambda: hr.vector_env("dilido", 2, threads=threads),
        lambda: hr.vector_env("dilido", 2, batch_size=1, threads=threads),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="threads"):
            call()


@pytest.mark.parametrize("form", ["flat", "planes", "dict"])
@pytest.mark.parametrize("dtype", ["float32", "float16", "uint8", "bool", "bits"])
@pytest.mark.parametrize("name", ["connect-four", "dilido"])
def test_states_have_the_forms_of_environments(name: str, form: Any, dtype: Any) -> None:
    state = hr.load(name).start(1)
    try:
        env = hr.env(name, observation=form, dtype=dtype, seat=0)
    except ValueError:
        with pytest.raises(ValueError):
            state.observation(0, form, dtype=dtype)
        return
    seen, _ = env.reset(seed=1)
    told = env.state.observation(0, form, dtype=dtype)
    for a, b in zip(seen.values(), told.values(), strict=True) if form == "dict" else [(seen, told)]:
        assert a.shape == b.shape and a.dtype == b.dtype and (a == b).all()


def test_the_signature_says_the_default_dtype() -> None:
    assert inspect.signature(hr.State.observation).parameters["dtype"].default == "float32"
    assert inspect.signature(hr.Search).parameters["dtype"].default == "float32"
