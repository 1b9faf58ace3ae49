"""The most and the least that a game can come to."""

import json

import houserule as hr
import pytest


def test_each_extreme_has_a_game_that_shows_it():
    found = hr.extremes(hr.load("pig", goal=10))
    assert len(found) == 10 and all(one.proved for one in found)
    best = found.find("score", "most", seat=1)
    assert (best.value, best.seat, best.method) == (15, 1, "positions")
    assert best.state.score[1] == 15 and best.state.is_over
    assert hr.replay([best.record], best.game).problems == []
    rolls = found.find("rolls", "most")
    assert rolls.unlimited and rolls.value is None and rolls.loop[0] <= rolls.loop[1]
    assert found.find("rolls", "least").value == 2
    assert list(found.table.columns)[:3] == ["of", "seat", "extreme"]
    assert "no limit" in str(found) and "10 of 10" in repr(found) and "<table" in found._repr_mimebundle_()["text/html"]


def test_the_command_says_the_same(capsys):
    found = hr.extremes("tic-tac-toe", of=["turns", "decisions"], seed=3)
    assert [one.value for one in found] == [9, 5, 9, 5]
    assert json.loads(json.dumps(found.report)) == found.report
    with pytest.raises(KeyError, match="most score"):
        found.find("score", "most")


def test_bad_requests_say_what_there_is():
    with pytest.raises(ValueError, match="score, turns, rolls, decisions"):
        hr.extremes("pig", of="foo")
    with pytest.raises(ValueError, match="no rolls"):
        hr.extremes("tic-tac-toe", of="rolls")
    with pytest.raises(ValueError, match="more than 0"):
        hr.extremes("pig", seconds=0)
