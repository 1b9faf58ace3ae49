"""What players may know: information states, and states drawn in place of what is hidden."""

from __future__ import annotations

import numpy as np
import pytest

import houserule as hr


def started(players: int = 2, decisions: int = 3) -> hr.State:
    state = hr.load("dominoes", players=players).start(seed=4)
    for _ in range(decisions):
        state.apply(state.random_action())
    return state


def test_what_is_hidden_does_not_show() -> None:
    state = started(players=3)
    for player in range(3):
        known = state.information_state(player)
        others = [state.determinize(player, seed=seed) for seed in range(8)]
        assert {other.information_state(player) for other in others} == {known}
        for other in others:
            assert np.array_equal(other.observation(player), state.observation(player))
        assert len({other.position() for other in others}) > 1


def test_what_is_drawn_is_a_state_of_its_own() -> None:
    state = started()
    drawn = state.determinize(seed=1)
    assert drawn == state.determinize(seed=1)
    assert drawn.legal_actions() == state.legal_actions()
    before = state.position()
    while not drawn.is_over:
        drawn.apply(drawn.random_action())
    assert state.position() == before


def test_own_hands_are_open_and_those_of_others_are_not() -> None:
    state = started()
    text = state.text(0)
    rows = {line.lstrip("> ").split("  ")[0]: line for line in text.splitlines()}
    assert rows["Player 2"].endswith(" in hand")
    assert rows["Player 1"].endswith(" you")
    assert any(line.startswith("hand  ") for line in text.splitlines())
    assert "hand[player-2] has" in state.information_state(0)


def test_what_is_wrong_is_said() -> None:
    state = started()
    with pytest.raises(ValueError, match="player"):
        state.determinize(5)
    with pytest.raises(ValueError):
        state.determinize(0, seed=-1)
