"""Numbers of games, the default seed, and the games that show the least and the most."""

from __future__ import annotations

import json
import subprocess
import sys

import houserule as hr
import pytest

RULES = """/// Numbered from 1 to 12.
game "Keys" {
  players 1
  domain month = 1..12
  var rain[month]: 0..9 = 1
  turn { choose { go m in month { rain[m] = 2 } } }
  end over when turns[me] > 3
  score { n: sum m in month: rain[m] }
}
"""


def test_the_default_seed_is_that_of_the_command():
    command = [sys.executable, "-m", "houserule", "simulate", "dilido", "-n", "2", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    seed = json.loads(done.stdout)["seed"]
    assert hr.simulate("dilido", games=2).report["seed"] == seed
    assert hr.compare("dilido", "dilido+dilido-torus", games=2, agents="random").report["seeds"] == [seed, seed]
    assert hr.sweep("dilido", games=2)[0].report["seed"] == seed


@pytest.mark.parametrize("games", [100, 1e2, "100", "1e2", "0.1k", "1_00"])
def test_numbers_of_games_are_written_as_people_write_them(games):
    assert len(hr.simulate("tic-tac-toe", games=games)) == 100


@pytest.mark.parametrize("games", [0, -1, 1.5, "many", "1,5", "0"])
def test_what_is_no_number_of_games(games):
    with pytest.raises(ValueError, match="games="):
        hr.simulate("tic-tac-toe", games=games)


def test_the_summary_names_a_game_for_the_least_and_the_most():
    found = hr.simulate("dilido", games=200)
    score = next(row for row in found.summary().rows() if row["quantity"] == "score")
    assert found.game(score["least_index"]).score[0] == score["least"]
    assert found.game(score["most_index"]).score[0] == score["most"]


def test_mappings_are_in_the_order_of_their_domain():
    state = hr.parse(RULES).start(1)
    assert [int(month) for month in state.variables["rain"]] == list(range(1, 13))
    names = [row["name"] for row in hr.simulate(RULES, games=5).summary().rows() if row["quantity"] == "variable"]
    assert names == [f"rain[{month}]" for month in range(1, 13)]
