"""Results of parts of a run are added: what comes out is the run."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import houserule as hr

#: What does not follow from the games.
TIMES = {"threads", "seconds", "cpu_seconds", "games_per_second", "decisions_per_second"}


def figures(found: hr.Results) -> dict[str, Any]:
    return {key: value for key, value in found.report.items() if key not in TIMES}


def same(found: hr.Results, whole: hr.Results) -> None:
    assert figures(found) == figures(whole) and len(found) == len(whole)
    assert found.summary().rows() == whole.summary().rows()
    assert found.games.rows() == whole.games.rows() and found.seats.rows() == whole.seats.rows()
    assert list(found.distributions()) == list(whole.distributions())


def through(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


@pytest.mark.parametrize("agents", ["random", "greedy"])
def test_parts_are_the_whole(agents: str) -> None:
    def part(games: int, first: int) -> hr.Results:
        return hr.simulate("dicrono", games, agents, seed=7, first=first, threads=2, record=True)

    whole, parts = part(60, 5), [part(10, 5), part(20, 15), part(30, 35)]
    for found in (sum(parts), parts[2] + (parts[1] + parts[0]), through(through(parts[0]) + through(parts[1])) + parts[2]):
        same(found, whole)
        assert found.decisions.rows() == whole.decisions.rows()
        assert found.game(5) == whole.game(5) and found.record(64) == whole.record(64)
        with pytest.raises(IndexError):
            found.game(65)
    same(through(sum(parts)), whole)


def test_matches_are_added() -> None:
    def part(games: int, first: int) -> hr.Results:
        return hr.simulate("dilido", games, match=True, first=first)

    whole, found = part(5, 0), part(2, 0) + part(3, 2)
    same(found, whole)
    last = whole.games.rows()[-1]["index"]
    assert found.game(last) == whole.game(last)


def test_callables_are_added_to_themselves() -> None:
    def lowest(state: hr.State) -> int:
        return state.legal_actions()[0]

    def part(games: int, first: int, agents: Any = lowest) -> hr.Results:
        return hr.simulate("tic-tac-toe", games, agents, first=first)

    same(part(2, 0) + part(3, 2), part(5, 0))
    same(part(2, 0) + through(part(3, 2)), part(5, 0))

    def another(state: hr.State) -> int:
        return state.legal_actions()[-1]

    another.__name__ = "lowest"
    with pytest.raises(ValueError, match="two different callables called `lowest`"):
        part(2, 0) + part(3, 2, another)


def test_aborted_games_are_told_of() -> None:
    rules = """game "Never" {
  players 1
  limit 10
  var n: 0..9 = 0
  turn { n = 0 }
  end when n == 5
}"""
    with pytest.warns(RuntimeWarning):
        one, more = (hr.simulate(rules, 2, first=first) for first in (0, 2))
    both = through(one) + more
    assert both.report["aborted"] == 4 and both._figures.first_aborted == one._figures.first_aborted


def test_sweeps_are_added() -> None:
    def part(games: int, first: int) -> hr.Sweep:
        return hr.sweep("dilido", games, jokers=[0, 1], first=first)

    found = part(4, 0) + part(6, 4)
    assert found.games.rows() == part(10, 0).games.rows()
    with pytest.raises(ValueError, match="same values"):
        found + hr.sweep("dilido", 4, jokers=[2, 1], first=10)


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"first": 9}, r"game 9 is in both results: play one of them with other games, as `first=10`"),
        ({"first": 0, "games": 20}, r"games 0 to 9 are in both results"),
        ({"first": 12}, r"games 10 to 11 are in neither of the results: play them with `games=2, first=10`"),
        ({"seed": 2}, r"differ in the seed, 1 and 2"),
        ({"agents": "greedy"}, r"differ in the agents, `random` and `greedy`"),
        ({"match": True}, r"differ in what was played, single games and matches"),
        ({"game": "dilido + torus"}, r"differ in the game"),
        ({"game": hr.load("dilido", jokers=2)}, r"differ in the params"),
    ],
)
def test_what_is_no_part_of_the_run_is_refused(other: dict[str, Any], message: str) -> None:
    one = hr.simulate("dilido", games=10)
    with pytest.raises(ValueError, match=message):
        one + hr.simulate(**{"game": "dilido", "games": 10, "first": 10, **other})


def test_other_things_are_no_results() -> None:
    found = hr.simulate("dilido", games=1)
    with pytest.raises(TypeError):
        found + 1
    with pytest.raises(ValueError, match="can't be added"):
        one = hr.compare("dilido", "dilido-torus", games=2, quick=True)
        one + one
