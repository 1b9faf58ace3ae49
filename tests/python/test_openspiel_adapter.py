"""Rule files as OpenSpiel games: its own tests, its algorithms, and its own games beside ours."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable

import bundled
import houserule as hr
import numpy as np
import pyspiel
import pytest
from extent import tries
from houserule import openspiel as ours
from houserule._native import facts
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability, mcts, minimax

GAMES = tries(50, 200)

# Two take one or two in turn; who takes the last wins.
NIM = """
game "Nim" {
  players 2
  var left: 0..6 = 5                         "what is left"
  turn {
    step take {
      choose take {
        one where left >= 1 "take one" { left -= 1 }
        two where left >= 2 "take two" { left -= 2 }
      }
    }
  }
  end taken when left == 0: win me
}
"""

# A die decides how many are left: chance, and a value that can be worked out by hand.
DIE = """
game "Die" {
  players 2
  dice die: 1 of d3
  var left: 0..3 = 0                         "what is left"
  var rolled: bool = false                    "have they been rolled for?"
  turn {
    step roll { if not rolled { roll die; left = die[1]; rolled = true } }
    step take {
      choose take {
        one where left >= 1 "take one" { left -= 1 }
        two where left >= 2 "take two" { left -= 2 }
      }
    }
  }
  end taken when left == 0: win me
}
"""


@pytest.fixture(autouse=True, scope="module")
def registered() -> None:
    known = ours.register()
    assert known == ours.register()
    assert len(known) == len(bundled.NAMES)
    assert set(known) <= set(pyspiel.registered_names())


# OpenSpiel's test plays a game again from its text at every move, so it takes the square of a game's length.
LONG = tries(40, 100)


def played(game: pyspiel.Game) -> pyspiel.State:
    """A random game."""
    rng = random.Random(1)
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    return state


@pytest.mark.one_of(8)
@pytest.mark.parametrize("name", bundled.NAMES)
def test_random_simulations(name: str) -> None:
    """Three games with the fewest players, one of a variant or with the most."""
    for number, players in enumerate(bundled.counts(name)):
        game = pyspiel.load_game(ours.name_of(name), {"players": players})
        assert game.num_players() == players
        state = played(game)
        if state.move_number() <= LONG:
            sims = 3 if number == 0 and name in bundled.BASES else 1
            pyspiel.random_sim_test(game, num_sims=sims, serialize=True, verbose=False, mask_test=True)
        again = game.deserialize_state(state.serialize())
        assert str(again) == str(state)
        assert again.history() == state.history()
        assert again.returns() == state.returns()


@pytest.mark.parametrize("text", [NIM, DIE])
def test_random_simulations_of_own_files(text: str) -> None:
    pyspiel.random_sim_test(ours.game(text), num_sims=20, serialize=True, verbose=False, mask_test=True)


def test_what_kind_of_game_it_is() -> None:
    kinds = pyspiel.GameType
    connect = pyspiel.load_game("houserule_connect_four")
    assert connect.get_type().chance_mode == kinds.ChanceMode.DETERMINISTIC
    assert connect.get_type().information == kinds.Information.PERFECT_INFORMATION
    assert connect.get_type().utility == kinds.Utility.ZERO_SUM
    assert (connect.min_utility(), connect.max_utility(), connect.utility_sum()) == (-1.0, 1.0, 0.0)
    assert (connect.num_distinct_actions(), connect.max_chance_outcomes()) == (7, 0)
    pig = pyspiel.load_game("houserule_pig", {"players": 3})
    assert pig.get_type().chance_mode == kinds.ChanceMode.EXPLICIT_STOCHASTIC
    assert (pig.get_type().min_num_players, pig.get_type().max_num_players) == (2, 10)
    assert (pig.min_utility(), pig.max_chance_outcomes()) == (-0.5, 6)
    alone = pyspiel.load_game("houserule_dilido")
    assert alone.get_type().utility == kinds.Utility.GENERAL_SUM
    assert alone.utility_sum() is None
    assert (alone.min_utility(), alone.max_utility()) == (-ours.SCORE_BOUND, ours.SCORE_BOUND)
    assert alone.max_chance_outcomes() == 36
    assert alone.max_game_length() == facts(hr.load("dilido"))["limit"]


def test_params_are_passed_on() -> None:
    assert pyspiel.load_game("houserule_tic_tac_toe(size=4)").num_distinct_actions() == 16
    assert pyspiel.load_game("houserule_reversi", {"size": 6}).num_distinct_actions() == 36
    game = pyspiel.load_game("houserule_dilido(penalty_limit=5,line_points.3=2)")
    assert facts(game.rules)["params"]["line_points.3"] == 2
    again = pyspiel.load_game(str(game))
    assert facts(again.rules) == facts(game.rules)


def test_a_score_is_a_lone_player_s_utility() -> None:
    game = pyspiel.load_game("houserule_dilido")
    rng = random.Random(4)
    state = play(game, rng)
    assert state.returns() == [float(score) for score in state._state.score]
    assert state.returns() != [0.0]


def test_the_limit_ends_a_game() -> None:
    game = ours.game(NIM.replace("end taken", "limit 3\n  end taken").replace("= 5", "= 6"))
    state = game.new_initial_state()
    for _ in range(3):
        assert not state.is_terminal()
        state.apply_action(0)
    assert state.is_terminal()
    assert state.returns() == [0.0, 0.0]
    assert state.legal_actions() == []


def play(game: pyspiel.Game, rng: random.Random) -> pyspiel.State:
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes())
            state.apply_action(rng.choices(outcomes, weights)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize(
    ("name", "theirs", "translated"),
    [
        ("tic-tac-toe", "tic_tac_toe", lambda action: (2 - action // 3) * 3 + action % 3),
        ("connect-four", "connect_four", lambda action: action),
        ("pig", "pig", lambda action: action),
    ],
)
def test_states_are_those_of_openspiel_s_own_games(name: str, theirs: str, translated: Callable[[int], int]) -> None:
    """State by state: who is to move, what is legal, how likely chance is, how it ends, and what it is worth."""
    rng = random.Random(11)
    mine, its = pyspiel.load_game(ours.name_of(name)), pyspiel.load_game(theirs)
    assert mine.num_distinct_actions() == its.num_distinct_actions()
    assert mine.max_chance_outcomes() == its.max_chance_outcomes()
    for _ in range(GAMES):
        state, other = mine.new_initial_state(), its.new_initial_state()
        native = hr.load(name).start(0, explicit_chance=True)
        while not other.is_terminal():
            assert not state.is_terminal()
            assert state.current_player() == other.current_player()
            if other.is_chance_node():
                assert dict(state.chance_outcomes()) == pytest.approx(dict(other.chance_outcomes()))
                assert native.is_chance
                outcome = rng.choice(other.legal_actions())
                state.apply_action(outcome)
                other.apply_action(outcome)
                native.apply_outcome(outcome)
                continue
            legal = state.legal_actions()
            assert sorted(map(translated, legal)) == other.legal_actions()
            assert native.legal_actions() == legal
            assert native.current_player == other.current_player()
            action = rng.choice(legal)
            state.apply_action(action)
            other.apply_action(translated(action))
            native.apply(action)
        assert state.is_terminal()
        assert native.is_over
        assert state.returns() == other.returns() == native.returns


def test_tic_tac_toe_is_a_draw() -> None:
    value, _ = minimax.alpha_beta_search(pyspiel.load_game("houserule_tic_tac_toe(size=3)"))
    assert value == 0.0


def test_values_are_those_worked_out_by_hand() -> None:
    # With two at the most, multiples of three are lost for whoever is to take.
    assert minimax.alpha_beta_search(ours.game(NIM))[0] == 1.0
    assert minimax.alpha_beta_search(ours.game(NIM.replace("= 5", "= 6")))[0] == -1.0
    # One or two left are won, three are lost.
    die = ours.game(DIE)
    value, _ = minimax.expectiminimax(
        die.new_initial_state(), 10, value_function=lambda state: 0.0, maximizing_player_id=0
    )
    assert value == pytest.approx(1 / 3)


def test_cfr_finds_equilibria() -> None:
    for text in (NIM, DIE):
        game = ours.game(text)
        solver = cfr.CFRSolver(game)
        before = exploitability.exploitability(game, solver.average_policy())
        for _ in range(100):
            solver.evaluate_and_update_policy()
        after = exploitability.exploitability(game, solver.average_policy())
        assert after < 0.02 < before


def test_kuhn_poker_has_its_known_value() -> None:
    """The first player loses an eighteenth of a chip (Kuhn, 1950)."""
    game = pyspiel.load_game("houserule_kuhn_poker")
    solver = cfr.CFRPlusSolver(game)
    for _ in range(tries(60, 400)):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    values = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])
    slack = exploitability.nash_conv(game, policy)
    assert slack < 0.05 and abs(values[0] + 1 / 18) <= slack and values[1] == pytest.approx(-values[0])


def test_mcts_beats_random_players() -> None:
    game = pyspiel.load_game("houserule_tic_tac_toe")
    rng = np.random.RandomState(3)
    bot = mcts.MCTSBot(
        game, 2.0, 60, mcts.RandomRolloutEvaluator(1, rng), solve=True, random_state=np.random.RandomState(5)
    )
    total = 0.0
    for number in range(20):
        state = game.new_initial_state()
        while not state.is_terminal():
            mine = state.current_player() == number % 2
            state.apply_action(bot.step(state) if mine else int(rng.choice(state.legal_actions())))
        total += state.returns()[number % 2]
    # Random players against each other come to about 0 for both seats together.
    assert total >= 14


def test_information_states_tell_apart_what_players_know() -> None:
    game = pyspiel.load_game("houserule_tic_tac_toe")
    one, other = game.new_initial_state(), game.new_initial_state()
    for action in (0, 1, 2):
        one.apply_action(action)
    for action in (2, 1, 0):
        other.apply_action(action)
    assert one.observation_string(0) == other.observation_string(0)
    assert one.observation_tensor(0) == other.observation_tensor(0)
    assert one.information_state_string(0) != other.information_state_string(0)


@pytest.mark.parametrize("name", ["leduc_poker", "dominoes", "battleship"])
def test_information_states_are_those_of_the_package(name: str) -> None:
    """In games with secrets: the same text for states that a player can't tell apart, without playing the game again."""
    if f"houserule_{name}" not in pyspiel.registered_names():
        pytest.skip("there is no such game")
    game, rng = pyspiel.load_game(f"houserule_{name}"), random.Random(3)
    state = game.new_initial_state()
    for _ in range(tries(15, 40)):
        if state.is_terminal():
            break
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, odds)[0])
            continue
        for player in range(game.num_players()):
            text = state.information_state_string(player)
            assert text == state._state.information_state(player)
            assert state.resample_from_infostate(player, rng.random).information_state_string(player) == text
        assert state.information_state_string(0) != state.information_state_string(1)
        state.apply_action(rng.choice(state.legal_actions()))


def test_observations_are_those_of_the_package() -> None:
    game = pyspiel.load_game("houserule_dicrono")
    state = play(game, random.Random(2))
    for player in (0, 1):
        assert np.array_equal(np.array(state.observation_tensor(player), np.float32), state._state.observation(player))


def test_actions_and_outcomes_have_names() -> None:
    state = pyspiel.load_game("houserule_pig").new_initial_state()
    assert [state.action_to_string(action) for action in state.legal_actions()] == ["roll", "stop"]
    state.apply_action(0)
    assert state.is_chance_node()
    assert state.action_to_string(state.legal_actions()[3]) == "roll die 4"


def test_python_ends_quietly() -> None:
    """OpenSpiel keeps registered games until after the end of Python."""
    code = "import pyspiel, houserule.openspiel as o; o.register(); g = pyspiel.load_game('houserule_pig')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(ValueError, match="11"):
        pyspiel.load_game("houserule_pig(players=11)")
    with pytest.raises(hr.RulesError):
        ours.game('game "Nothing" { }')


FEWEST_PIPS = """
game "Fewest pips" {
  players 1
  dice cup: 13 of d6
  turn { roll cup  choose { go { } } }
  end over when turns[me] == 1
  score { pips: sum(cup) }
  winner least(score)
}
"""


def test_a_roll_too_large_to_list_comes_die_by_die_and_the_least_is_the_best_utility() -> None:
    game = ours.game(FEWEST_PIPS)
    assert game.max_chance_outcomes() == 6
    state = game.new_initial_state()
    for die in range(13):
        assert state.is_chance_node()
        assert state.chance_outcomes() == [(face, 1 / 6) for face in range(6)]
        assert state.action_to_string(state.current_player(), 2) == f"die {die + 1} of the roll: 3"
        state = state.clone()
        state.apply_action(2)
    assert not state.is_chance_node()
    state.apply_action(state.legal_actions()[0])
    assert state.returns() == [-39.0]
