"""OpenSpiel's games and states in pickles, what can be won, and information states as tensors."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

import houserule as hr
import numpy as np
import pyspiel
import pytest
from houserule import openspiel as ours

RULES = """
game "Race" {
  players 2
  var steps[player]: 0..9 = 0
  turn { choose { one { steps[me] += 1 } two { steps[me] += 2 } } }
  end far when steps[me] >= 4: win me
  score { points: steps[me] }
}
"""


@pytest.fixture(autouse=True, scope="module")
def registered() -> None:
    ours.register()


def through(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


def test_games_keep_their_names_and_params() -> None:
    for text in ("houserule_tic_tac_toe", "houserule_dicrono(penalty_limit=2)", "houserule_pig(players=3,utility=score)"):
        game = pyspiel.load_game(text)
        again = through(game)
        assert again.get_parameters() == game.get_parameters() and again.rules == game.rules
        assert str(again) == str(game)


def test_games_of_ones_own_take_their_rules_to_another_process() -> None:
    game = ours.game(RULES, utility="margin")
    state = game.new_initial_state()
    state.apply_action(1)
    use = "import pickle, sys; state = pickle.load(sys.stdin.buffer); print(state.history(), state.get_game().utility)"
    found = subprocess.run([sys.executable, "-c", use], input=pickle.dumps(state), capture_output=True, check=True)
    assert found.stdout.split() == [b"[1]", b"margin"]


@pytest.mark.parametrize("name", ["houserule_dilido", "houserule_connect_four", "houserule_dominoes"])
def test_states_go_on_alike(name: str) -> None:
    state = pyspiel.load_game(name).new_initial_state()
    lots = np.random.default_rng(1)
    for _ in range(6):
        state.apply_action(int(lots.choice(state.legal_actions())))
    again = through(state)
    assert again.history() == state.history() and str(again) == str(state)
    assert again.legal_actions() == state.legal_actions()
    assert str(state.clone()) == str(state)


def test_what_can_be_won() -> None:
    won = {}
    for utility in ("outcome", "score", "margin"):
        game = ours.game(RULES, utility=utility)
        state = game.new_initial_state()
        for action in (1, 0, 1):
            assert state.returns() == [0, 0]
            state.apply_action(action)
        won[utility] = state.returns()
        assert game.utility_sum() == (None if utility == "score" else 0)
        assert all(game.min_utility() <= one <= game.max_utility() for one in state.returns())
    assert won == {"outcome": [1, -1], "score": [4, 1], "margin": [3, -3]}
    with pytest.raises(ValueError, match="utility"):
        ours.game(RULES, utility="points")


def test_information_states_are_tensors_that_tell_apart_what_the_player_can() -> None:
    game = pyspiel.load_game("houserule_dominoes")
    assert game.get_type().provides_information_state_tensor
    lots = np.random.default_rng(2)
    seen: dict[bytes, str] = {}
    for _ in range(5):
        state = game.new_initial_state()
        while not state.is_terminal() and len(state.history()) < 40:
            if state.current_player() >= 0:
                for player in (0, 1):
                    tensor = np.asarray(state.information_state_tensor(player), np.float32)
                    assert tensor.shape == tuple(game.information_state_tensor_shape())
                    text = state.information_state_string(player)
                    assert seen.setdefault(tensor.tobytes(), text) == text
            state.apply_action(int(lots.choice(state.legal_actions())))
    assert len(seen) > 50
