"""Exact odds of expressions and games."""

from fractions import Fraction

import houserule as hr
import pytest

RULES = """game "Two coins" {
  players 1
  dice coins: 2 of d2 each game
  turn { roll coins }
  end over when turns[me] == 1
  score { twos: faces(coins, 2) }
}"""


def test_an_expression_has_fractions():
    found = hr.odds("sum n in 1..3: highest(4d6, n)")
    assert found.exact and found.mean_fraction == Fraction(15869, 1296)
    assert found.mean == pytest.approx(12.2446, abs=1e-4)
    assert found.fractions[18] == Fraction(7, 432) and sum(found.fractions.values()) == 1
    assert found.at_least(15) == 25 / 108 and found.at_most(2) == 0 and found.quantile(0.5) == 12
    assert list(found.probabilities) == list(range(3, 19))
    assert "15869/1296" in str(found) and "12.2446" in repr(found)
    html = found._repr_mimebundle_()["text/html"]
    assert "<svg" in html and "<table" in html
    assert list(found.table.columns) == ["value", "probability", "at_least", "at_most", "fraction"]


def test_games_and_players():
    coins = hr.odds(RULES)
    assert coins.fractions == {0: Fraction(1, 4), 1: Fraction(1, 2), 2: Fraction(1, 4)}
    winner = hr.odds("tic-tac-toe", of="winner", agents="random")
    assert winner.fractions == {"X": Fraction(737, 1260), "O": Fraction(121, 420), "draw": Fraction(8, 63)}
    best = hr.odds(hr.load("tic-tac-toe"), agents=["exact", "exact"])
    assert best.probabilities == {"draw": 1.0}
    scores = hr.odds("pig", params={"goal": 5}, agents="random")
    assert len(scores) == 2 and [one.seat for one in scores] == [0, 1] and not scores.exact and not scores.fractions


def test_bad_requests_say_what_there_is():
    with pytest.raises(ValueError, match="step `play`.*--agents random"):
        hr.odds("pig")
    with pytest.raises(ValueError, match="`greedy` aren't known"):
        hr.odds("pig", agents="greedy")
    with pytest.raises(hr.RulesError, match="blub"):
        hr.odds("blub(4d6)")
    with pytest.raises(ValueError, match="for games"):
        hr.odds("sum(2d6)", params={"goal": 5})
    with pytest.raises(ValueError, match="from 0 to 1"):
        hr.odds("sum(2d6)").quantile(2)
