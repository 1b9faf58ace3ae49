"""The positions of Points that were counted by hand, through Python: what is captured, where dots may go, and
what a Stop loses. `tests/games/points.rs` holds both executors to them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import houserule as hr
import pytest

POSITIONS = json.loads((Path(__file__).parents[1] / "facts" / "points" / "positions.json").read_text())["positions"]

# Either colour may place, as often as it likes, wherever it is allowed to.
SET_UP = """variant "Points, set up" of "points" {
    define zone = cells
    extend place { leave "leave it to the other" { } }
}"""


def played(fact: dict[str, Any], base_capture: str) -> hr.State:
    """The position after the moves, with nothing placed in turns that are left to the other."""
    width, height = fact["width"], fact["height"]
    zone = {"zone_width": min(width, 8), "zone_height": min(height, 15)}
    params = {"width": width, "height": height, "base_capture": base_capture, **zone}
    state = hr.parse(SET_UP, params=params).start(0)
    for move in fact["moves"]:
        x, y = map(int, move[1:].split(","))
        if state.current_player != "RB".index(move[0]):
            state.apply("leave")
        state.apply(f"place {'abcdefghi'[x]}{height - y}")
    return state


@pytest.mark.parametrize("fact", POSITIONS, ids=lambda fact: str(fact["name"]))
def test_positions_are_as_counted(fact: dict[str, Any]) -> None:
    for base_capture, key in [("immediate", "captured"), ("owner_go", "captured_owner_go")]:
        assert list(played(fact, base_capture).score) == [fact[key]["R"], fact[key]["B"]]
    state = played(fact, "immediate")
    assert sum(name.startswith("place") for name in state.legal_names()) == fact["free_cells"]


@pytest.mark.parametrize("fact", POSITIONS, ids=lambda fact: str(fact["name"]))
@pytest.mark.parametrize("colour", ["R", "B"])
def test_stop_loses_what_was_counted(fact: dict[str, Any], colour: str) -> None:
    state, stopper = played(fact, "immediate"), "RB".index(colour)
    # Nobody stops before a turn of one's own.
    state.apply("leave")
    state.apply("leave")
    if state.current_player != stopper:
        state.apply("leave")
    before = state.score
    state.apply("stop")
    assert state.is_over
    after = state.score
    other = 1 - stopper
    assert (after[other] - before[other]) + (before[stopper] - after[stopper]) == fact["stop_loss"][colour]
