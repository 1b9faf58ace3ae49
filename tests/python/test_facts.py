"""The exact facts of `tests/facts` again, through Python. What a kind means is told in its README; what
takes a million states to count is left to the tests in Rust, which hold it with both executors."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import houserule as hr
import pytest
from extent import tries

MOST_LEAVES = 40_000


def facts(*kinds: str) -> list[Any]:
    found = []
    for file in sorted((Path(__file__).parents[1] / "facts").glob("*.json")):
        told = json.loads(file.read_text())
        for fact in told["facts"]:
            if fact["kind"] in kinds:
                found.append(pytest.param({"rules": [told["game"]], **fact}, id=f"{file.stem}-{fact['name']}"))
    assert found
    return found


def game_of(fact: dict[str, Any]) -> hr.Game:
    return hr.load(" + ".join(fact["rules"]), players=fact.get("players"), params=fact.get("params", {}))


def children(state: hr.State) -> Iterator[hr.State]:
    if state.is_chance:
        for outcome, _ in state.chance_outcomes():
            child = state.clone()
            child.apply_outcome(outcome)
            yield child
    else:
        for action in state.legal_actions():
            child = state.clone()
            child.apply(action)
            yield child


def leaves(state: hr.State, depth: int) -> int:
    if depth == 0:
        return 1
    if state.is_over:
        return 0
    step = 0 if state.is_chance else 1
    if depth == 1 and step == 1:
        return len(state.legal_actions())
    return sum(leaves(child, depth - step) for child in children(state))


@pytest.mark.parametrize("fact", facts("perft"))
def test_trees_have_the_leaves_that_were_counted(fact: dict[str, Any]) -> None:
    start = game_of(fact).start(0, explicit_chance=True)
    counted = [count for count in fact["leaves"] if count <= MOST_LEAVES]
    assert counted
    assert [leaves(start, depth) for depth in range(1, len(counted) + 1)] == counted


Ends = Counter[tuple[int, ...]]
"""How many complete games have these winners; none in a draw."""


def ends(state: hr.State, known: dict[str, Ends] | None) -> Ends:
    """Counts the games that go on from here, with `known` those from equal positions once."""
    if state.is_over:
        assert state.outcome is not None
        return Counter([() if state.outcome.is_draw else state.outcome.winners])
    here = state.position() if known is not None else ""
    if known is None or here not in known:
        found: Ends = Counter()
        for child in children(state):
            found += ends(child, known)
        if known is None:
            return found
        known[here] = found
    return known[here]


@pytest.mark.parametrize("fact", facts("results", "outcomes"))
def test_complete_games_end_as_they_were_counted(fact: dict[str, Any]) -> None:
    # In `./test --all` each game is played.
    found = ends(game_of(fact).start(0, explicit_chance=True), tries({}, None))
    wins, draws = [found[(seat,)] for seat in range(len(fact["wins"]))], found[()]
    assert (sum(wins) + draws, wins, draws) == (fact["games"], fact["wins"], fact["draws"])


@pytest.mark.parametrize("fact", facts("position"))
def test_positions_have_their_scores(fact: dict[str, Any]) -> None:
    game = game_of(fact)
    lines = [*fact["board"], "legend: " + ", ".join(f"{mark} = {piece}" for mark, piece in fact["legend"].items())]
    for name, value in fact.get("variables", {}).items():
        values = value if isinstance(value, list) else [value]
        lines.append(f"{name} = {' '.join(str(one).lower() for one in values)}")
    state = game.position("\n".join(lines), 1, explicit_chance=True)
    assert state.score == fact["score"]
    for item, points in fact.get("items", {}).items():
        assert [state.scores(player)[item] for player in range(game.players)] == points
