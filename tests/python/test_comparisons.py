"""Sweeps, evaluations, ladders and replays."""

from __future__ import annotations

import json
import math
import subprocess
import sys

import houserule as hr
import numpy as np
import pytest
from houserule._ladder import rate

#: Elo points for a factor e of the odds.
ELO = 400 / math.log(10)


def test_a_sweep_is_separate_simulations():
    found = hr.sweep("dilido", games=150, seed=9, penalty_limit=range(1, 4), jokers=[0, 1])
    assert [tuple(cell.values()) for cell in found.cells] == [(p, j) for p in (1, 2, 3) for j in (0, 1)]
    seats, games = found.seats.rows(), found.games.rows()
    assert len(seats) == len(games) == 6 * 150
    for at, cell in enumerate(found.cells):
        alone = hr.simulate(hr.load("dilido", **cell), games=150, seed=9)
        part = [row for row in seats if all(row[k] == v for k, v in cell.items())]
        assert [row["score"] for row in part] == alone.seats["score"].tolist()
        assert {(row["penalty_limit"], row["jokers"]) for row in games[150 * at : 150 * at + 150]} == {tuple(cell.values())}
        mean = alone.summary().rows()[0]
        there = [row for row in found.summary().rows() if all(row[k] == v for k, v in cell.items())][0]
        assert (there["mean"], there["low"], there["high"]) == (mean["mean"], mean["low"], mean["high"])
    html = found._repr_mimebundle_()["text/html"]
    assert "<svg" in html and "penalty_limit = 2, jokers = 0" in html


def test_a_sweep_of_other_columns_has_nulls():
    found = hr.sweep("dilido", games=20, size=[4, 6])
    seats = found.seats.rows()
    assert all((row["lines_across_6"] is None) == (row["size"] == 4) for row in seats)


def test_a_sweep_of_a_game_and_of_tables():
    game = hr.load("dilido", penalty_limit=5)
    found = hr.sweep(game, games=20, line_points=[{3: 1, 4: 3, 5: 10, 6: 40}, {3: 2, 4: 3, 5: 10, 6: 40}])
    assert set(found.games["penalty_limit"]) == {5} and len(set(found.games["line_points"])) == 2
    with pytest.raises(ValueError, match="penalty_limit"):
        hr.sweep("dilido", games=10, penalty_limit=[1, 99])
    with pytest.raises(ValueError, match="no values"):
        hr.sweep("dilido", games=10, penalty_limit=[])


def test_evaluation_swaps_seats_on_the_same_dice():
    asked = []

    def policy(state):
        asked.append((state.current_player, str(state)))
        return state.legal_actions()[0]

    found = hr.evaluate(policy, "dicrono", against=["random"], games=20, seed=3)
    assert {seat for seat, _ in asked} == {0, 1}
    row = found.rows[0]
    assert row["games"] == 20 and row["against"] == "random"
    seats = [hr.simulate("dicrono", 10, agents, seed=3).seats for agents in ([policy, "random"], ["random", policy])]
    own = [table["returns"][table["seat"] == seat] for seat, table in enumerate(seats)]
    assert row["returns"] == pytest.approx(np.mean(own))
    sets = np.mean(own, axis=0)
    # Student's 0.975 quantile of 9 degrees of freedom is 2.26216.
    assert row["returns_high"] - row["returns"] == pytest.approx(2.26216 * sets.std(ddof=1) / 10**0.5, rel=1e-4)
    wins = np.mean([(table["returns"][table["seat"] == s] + 1) / 2 for s, table in enumerate(seats)])
    assert found.win_rate == pytest.approx(wins) and found.mean == row["returns"]


def test_like_against_like_is_even():
    # The same game twice, once from either side: all luck evens out.
    same = hr.evaluate("random", "connect-four", against=["random"], games=1000, seed=1)
    assert same.mean == 0 and same.win_rate == 0.5
    assert same.rows[0]["win_low"] < 0.5 < same.rows[0]["win_high"]

    def dice(state):
        legal = state.legal_actions()
        return legal[int(rng.integers(len(legal)))]

    rng = np.random.default_rng(3)
    found = hr.evaluate(dice, "connect-four", against=["random"], games=600, seed=1)
    low, high = found.interval
    assert abs(found.mean) < 2 * (high - low) and 0.02 < high - low < 0.3


def test_evaluation_of_several_and_alone():
    three = hr.load("dots-and-boxes", players=3)
    found = hr.evaluate("greedy", three, against=["random", ["random", "greedy"]], games=60)
    assert [row["against"] for row in found.rows] == ["random", "random, greedy"]
    assert all(row["games"] == 60 for row in found.rows)
    with pytest.raises(ValueError, match="opponents in a game of"):
        hr.evaluate("greedy", three, against=[["random"]], games=10)
    alone = hr.evaluate("greedy", "dilido", against=["random"], games=500, seed=5)
    row = alone.rows[0]
    scores = [hr.simulate("dilido", 500, agent, seed=5).seats["score"] for agent in ("greedy", "random")]
    assert row["score"] == pytest.approx(scores[0].mean())
    assert row["score_difference"] == pytest.approx((scores[0] - scores[1]).mean())
    assert row["difference_low"] > 0 and alone.interval[0] < alone.mean < alone.interval[1]
    assert "<svg" in alone._repr_mimebundle_()["text/html"]
    assert [r["games"] for r in hr.evaluate("greedy", "dilido", against=[], games=50).rows] == [50]


def made_up(strengths, seat, draw, games, rng):
    """Results of players whose strengths are known, by the model's own proportions."""
    found = []
    for a in range(len(strengths)):
        for b in range(len(strengths)):
            if a != b:
                worth = np.array([strengths[a] + seat, draw + (strengths[a] + strengths[b] + seat) / 2, strengths[b]])
                chance = np.exp(worth) / np.exp(worth).sum()
                found.append((a, b, np.arange(games), rng.choice([1, 0, -1], games, p=chance)))
    return found


@pytest.mark.parametrize("draw", [-0.5, -50.0])
@pytest.mark.parametrize("seat", [0.0, 0.7])
def test_elo_of_players_with_known_strengths(draw, seat):
    strengths = np.array([0.0, 0.3, 0.8, 1.5])
    truth = ELO * (strengths - strengths.mean())
    names = list("abcd")
    errors, inside, runs = [], 0, 40
    rng = np.random.default_rng(5)
    for run in range(runs):
        found = rate(names, made_up(strengths, seat, draw, 400, rng))
        by_name = {row["agent"]: row for row in found.rows}
        for name, elo in zip(names, truth, strict=True):
            row = by_name[name]
            errors.append((row["elo"] - elo) / row["se"])
            inside += row["low"] <= elo <= row["high"]
        assert abs(found.first_seat - ELO * seat) < 60
    errors = np.array(errors)
    assert np.abs(errors).max() < 4.5
    # 160 intervals of 95 %: 152 of them, give or take 4 standard errors (those of a run hang together).
    assert inside / (4 * runs) > 0.95 - 4 * (0.05 * 0.95 / runs) ** 0.5 and errors.std() > 0.6


def test_whoever_wins_all_has_a_rating():
    always = [(0, 1, np.arange(50), np.ones(50, int)), (1, 0, np.arange(50), -np.ones(50, int))]
    found = rate(["a", "b"], always)
    assert found.rows[0]["agent"] == "a" and 200 < found.rows[0]["elo"] < 1000
    assert found.rows[0]["low"] < found.rows[0]["elo"] - 50
    even = rate(["a", "b"], [(0, 1, np.arange(50), np.zeros(50, int)), (1, 0, np.arange(50), np.zeros(50, int))])
    assert [row["elo"] for row in even.rows] == pytest.approx([0, 0], abs=1e-6)


def test_a_ladder():
    def first(state):
        return state.legal_actions()[0]

    found = hr.ladder({"low": first, "dice": "random", "greedy": "greedy"}, "tic-tac-toe", games=200, seed=2)
    assert {row["agent"] for row in found.rows} == {"low", "dice", "greedy"}
    assert all(row["games"] == 400 and row["low"] < row["elo"] < row["high"] for row in found.rows)
    assert sum(row["elo"] for row in found.rows) == pytest.approx(0, abs=1e-6)
    assert found.rows[-1]["agent"] == "dice" and found.first_seat > 0
    pairs = found.pairs
    assert np.isnan(np.diag(pairs)).all() and np.allclose((pairs + pairs.T)[~np.eye(3, dtype=bool)], 1)
    assert "<svg" in found._repr_mimebundle_()["text/html"]
    alone = hr.ladder(["random", "greedy"], "dilido", games=300)
    assert alone.rows[0]["agent"] == "greedy" and alone.first_seat is None
    with pytest.raises(ValueError, match="two agents or more"):
        hr.ladder(["random"], "tic-tac-toe")
    with pytest.raises(ValueError, match="same name"):
        hr.ladder(["random", "random"], "tic-tac-toe")


def test_replay(tmp_path):
    path = tmp_path / "games.jsonl"
    done = [sys.executable, "-m", "houserule", "simulate", "dicrono", "--games", "5", "--record", str(path)]
    subprocess.run(done, check=True, capture_output=True, timeout=120)
    found = hr.replay(path)
    assert len(found) == len(found.states) == 5 and not found.problems
    mine = hr.simulate("dicrono", games=5, seed=1)
    for index, one in enumerate(found):
        assert one.record == mine.record(index)
        assert str(one.state) == str(mine.game(index)) and one.line == index + 1
    lines = path.read_text().splitlines()
    bent = json.loads(lines[1])
    bent["score"][0] += 1
    wrong = hr.replay([lines[0], bent, "{}"])
    assert [one.problem is None for one in wrong] == [True, False, False]
    assert wrong.problems[0].startswith("line 2: the record says the score is")
    broken = tmp_path / "bent.jsonl"
    broken.write_text(json.dumps(bent) + "\n")
    command = subprocess.run(
        [sys.executable, "-m", "houserule", "replay", str(broken)], capture_output=True, text=True, timeout=120
    )
    assert wrong[1].problem in " ".join(command.stderr.split())
    with pytest.raises(FileNotFoundError):
        hr.replay(tmp_path / "none.jsonl")


def test_replay_of_rules_that_have_no_name():
    text = 'game "One" { players 1; dice die: 1 of d6; var n: 0..6 = 0; turn { step roll { roll die; n = die[1]; end game } }; score { n: n } }'
    game = hr.parse(text)
    record = hr.simulate(game, games=1).record(0)
    assert hr.replay([record], game=game).states[0].is_over
    assert hr.replay([record]).problems


def test_elo_is_where_the_likelihood_is_greatest():
    """By the model as Davidson wrote it, held against the fit: no other ratings near it are likelier."""
    rng = np.random.default_rng(1)
    found = made_up(np.array([0.0, 1.0, 2.5]), 0.0, 0.5, 4000, rng)
    fit = rate(list("abc"), found, alone=True)
    elo = {row["agent"]: row["elo"] / ELO for row in fit.rows}
    best = np.array([elo[name] for name in "abc"])
    counts = [(a, b, *[int((result == r).sum()) for r in (1, 0, -1)]) for a, b, _, result in found]

    def likelihood(at: np.ndarray) -> float:
        strength = np.exp(at)

        def given(nu: float) -> float:
            total = 0.0
            for a, b, won, drawn, lost in counts:
                draw = nu * (strength[a] * strength[b]) ** 0.5
                whole = strength[a] + strength[b] + draw
                total += won * np.log(strength[a] / whole) + drawn * np.log(draw / whole)
                total += lost * np.log(strength[b] / whole)
            return total

        low, high = -3.0, 4.0
        for _ in range(60):
            a, b = low + (high - low) / 3, high - (high - low) / 3
            low, high = (a, high) if given(np.exp(a)) < given(np.exp(b)) else (low, b)
        return given(np.exp(low))

    there = likelihood(best)
    assert all(likelihood(best + 0.02 * rng.standard_normal(3)) < there for _ in range(40))
    # Three wins to one are 400 log10 3 points, whatever the draws.
    two = rate(["a", "b"], [(0, 1, np.arange(80_000), np.repeat([1, 0, -1], [30_000, 40_000, 10_000]))], alone=True)
    assert two.rows[0]["elo"] - two.rows[1]["elo"] == pytest.approx(400 * np.log10(3), abs=0.05)


TEAMS = """
game "Pairs" {
  players A, B, C, D
  team odd = {A, C}
  team even = {B, D}
  var points[player]: 0..9 = 0
  turn { choose { more { points[me] += 1 } less { } } }
  end when turns[D] == 4 and me == D
  score { points: points[me] }
  winner most(score)
}
"""


def test_a_ladder_is_of_two_sides():
    game = hr.parse(TEAMS)
    assert game.sides == [0, 1, 0, 1] and hr.load("dominoes", players=3).sides == [0, 1, 2]
    more = game.parse_action("more")
    found = hr.ladder({"random": "random", "more": lambda state: more}, game, games=40)
    assert [row["agent"] for row in found.rows] == ["more", "random"]
    assert found.rows[0]["games"] == 40 and found.rows[0]["points"] > 0.9
    crew = 'game "Crew" { players 2; team crew = players; turn { choose { save { end game as saved: win me } } } }'
    with pytest.raises(ValueError, match="win or lose together"):
        hr.ladder(["random", "greedy"], hr.parse(crew))
    with pytest.raises(ValueError, match="for two sides, not for 3"):
        hr.ladder(["random", "greedy"], hr.load("dominoes", players=3))


def test_a_draw_between_teams_is_a_draw():
    teams = "players A, B, C, D; team odd = {A, C}; team even = {B, D}"
    game = hr.parse(f'game "Level" {{ {teams}; turn {{ choose {{ go {{ end game as level: draw }} }} }} }}')
    found = hr.evaluate("random", game, against=["random"], games=8).rows[0]
    assert (found["win_rate"], found["draw_rate"]) == (0.5, 1)
