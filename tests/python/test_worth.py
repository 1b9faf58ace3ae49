"""What each rule of a game is worth."""

from __future__ import annotations

import json
import subprocess
import sys

import houserule as hr
import pytest


def test_the_same_as_the_command():
    here = hr.worth("dilido", games=60, seed=3, quick=True)
    args = [sys.executable, "-m", "houserule", "worth", "dilido", "--games", "60", "--seed", "3", "--quick", "--json"]
    there = json.loads(subprocess.run(args, check=True, capture_output=True, text=True).stdout)
    for report in (here.report, there):
        report.pop("seconds"), report.pop("threads")
    assert here.report == there
    assert list(here.fixed) == ["end penalties"]
    assert str(here).startswith("What each rule of Di-Li-Do (dilido) is worth\n")
    assert "option joker" in here._repr_mimebundle_()["text/html"]
    assert repr(here) == "<Worth: 4 rules of dilido>"


def test_a_table_of_all_figures():
    found = hr.worth("pig", games=40, agents=["random", "greedy"])
    rows = found.rules.rows()
    assert {row["rule"] for row in rows} == {"option roll", "option stop"}
    assert all(row["restricted"] for row in rows), "without the option the game never ends"
    assert {row["seat"] for row in rows} == {None, 0, 1}
    for row in rows:
        assert row["difference"] == pytest.approx(row["with"] - row["without"])


def test_rules_by_name():
    found = hr.worth("dilido", games=20, agents="greedy", only=["option joker", "jokers"])
    assert {rule["name"] for rule in found.report["rules"]} == {"joker", "jokers = 1"}
    with pytest.raises(ValueError, match="did you mean `joker`"):
        hr.worth("dilido", games=20, only="jokr")
    with pytest.raises(ValueError, match="callables"):
        hr.worth("dilido", games=20, agents=lambda state: state.legal_actions()[0])


def test_a_quick_study_ends_soon():
    # Without a time it takes minutes.
    found = hr.worth("hearts", quick=True)
    assert found.report["seconds"] < 20
    assert found.report["agents"] == ["random", "greedy"]
