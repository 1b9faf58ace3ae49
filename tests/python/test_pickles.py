"""Results, tables and adapters go through pickles and copies, as Ray, multiprocessing and joblib send them."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from typing import Any

import numpy as np
import pytest

import houserule as hr


def through(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


def same(one: hr.Table, other: hr.Table) -> None:
    assert one.columns == other.columns and one.rows() == other.rows()
    for name in one.columns:
        assert one[name].dtype == other[name].dtype, name


@pytest.mark.parametrize("agents", ["random", "greedy"])
def test_results(agents: str) -> None:
    plain = hr.simulate("dilido", games=40, agents=agents, seed=3, record=True)
    for found in (through(plain), copy.deepcopy(plain), through(through(plain))):
        assert found.report == plain.report and str(found) == str(plain) and len(found) == 40
        same(found.games, plain.games)
        same(found.seats, plain.seats)
        same(found.decisions, plain.decisions)
        same(found.summary(), plain.summary())
        assert found.game(17) == plain.game(17) and found.record(17) == plain.record(17)
        assert list(found.distributions()) == list(plain.distributions())


def test_results_of_callables_leave_them_behind() -> None:
    found = through(hr.simulate("tic-tac-toe", games=5, agents=lambda state: state.legal_actions()[0]))
    assert len(found.games) == 5
    with pytest.raises(ValueError, match="doesn't contain the callable"):
        found.game(0)


def test_tables_sweeps_ladders_and_evaluations() -> None:
    sweep = hr.sweep("dilido", games=3, jokers=[0, 1])
    same(through(sweep).games, sweep.games)
    ladder = hr.ladder(["random", "greedy"], "tic-tac-toe", games=20)
    assert through(ladder).rows == ladder.rows
    found = hr.evaluate("greedy", "tic-tac-toe", games=20)
    assert through(found).rows == found.rows
    compared = hr.compare("dilido", "dilido-torus", games=20, quick=True)
    assert repr(through(compared)) == repr(compared)
    replays = hr.replay([hr.simulate("tic-tac-toe", games=1).record(0)])
    assert through(replays).states == replays.states


def test_columns_keep_their_types() -> None:
    table = hr.simulate("dilido", games=3, seed=2**63).games
    assert through(table)["seed"].dtype == np.uint64
    same(through(table), table)


def test_another_process_that_is_spawned() -> None:
    found = hr.simulate("dilido", games=20, seed=1)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        again, state = pool.map(copy.copy, [found, found.game(3)])
    assert again.report == found.report and state == found.game(3)


def test_parts_of_a_run_begin_anywhere() -> None:
    whole = hr.sweep("dilido", games=20, jokers=[0, 1]).games
    parts = [hr.sweep("dilido", games=10, jokers=[0, 1], first=first).games for first in (0, 10)]
    assert sorted(whole["turns"]) == sorted(np.concatenate([part["turns"] for part in parts]))
    late = hr.evaluate("greedy", "tic-tac-toe", games=20, first=10)
    assert late.rows != hr.evaluate("greedy", "tic-tac-toe", games=20).rows
