"""Sweeps over variants, players and agents, their differences and files, and tuning."""

from __future__ import annotations

import json
import os
import pickle
import subprocess

import houserule as hr
import polars
import pytest

MADE = """game "Made" {
  players 1
  param a: 1..9 = 5 "a"
  param b: 1..9 = 5 "b"
  dice die: 1 of d6 "a die"
  var one: 0..1000 = 0 "one"
  var two: 0..1000 = 0 "two"
  turn { step roll { roll die; one = a * b + die[1]; two = a + 2 * b + die[1]; end game } }
  score { one: one }
}"""


def test_a_sweep_over_everything():
    found = hr.sweep(
        "pig", games=20, seed=3, variants=["two-dice"], players=[2, 3], agents=["random", "greedy"], goal=[20, 30]
    )
    assert len(found) == 16
    assert found.cells[0] == {"variant": "", "players": 2, "agents": "random", "goal": 20}
    assert found.cells[-1] == {"variant": "two-dice", "players": 3, "agents": "greedy", "goal": 30}
    for cell, one in zip(found.cells, found, strict=True):
        name = "pig + two-dice" if cell["variant"] else "pig"
        alone = hr.simulate(hr.load(name, players=cell["players"], goal=cell["goal"]), 20, cell["agents"], seed=3)
        assert one.seats["score"].tolist() == alone.seats["score"].tolist()
        assert one.report["agents"] == [cell["agents"]] * cell["players"]
    assert set(found.games["agents"]) == {"random", "greedy", "random, random", "greedy, greedy"} & set(found.games["agents"])
    several = hr.sweep(["pig", "dilido"], games=5)
    assert [cell["game"] for cell in several.cells] == ["pig", "dilido"]
    seats = hr.sweep("pig", games=5, agents=["random,greedy", ["greedy", "random"]])
    assert [one.report["agents"] for one in seats] == [["random", "greedy"], ["greedy", "random"]]
    with pytest.raises(ValueError, match="one agent for all seats"):
        seats.differences()
    with pytest.raises(ValueError, match="no-such"):
        hr.sweep("pig", games=5, variants=["no-such"])


def test_differences_are_those_of_comparisons():
    found = hr.sweep("dilido", games=60, seed=3, jokers=[0, 1], penalty_limit=[2, 3])
    rows = found.differences(base={"jokers": 1}).rows()
    assert {(row["jokers"], row["penalty_limit"]) for row in rows} == {(0, 2), (0, 3), (1, 3)}
    base = hr.load("dilido", jokers=1, penalty_limit=2)
    both = hr.compare(base, hr.load("dilido", jokers=0, penalty_limit=3), games=60, agents="random", seed=3)
    mine = {row["metric"]: row for row in rows if (row["jokers"], row["penalty_limit"]) == (0, 3)}
    for quantity in both.quantities.rows():
        if quantity["quantity"] in ("score", "turns", "decisions"):
            row = mine[quantity["quantity"]]
            assert row["difference"] == pytest.approx(quantity["difference"])
            assert row["low"] == pytest.approx(quantity["low"]) and row["p"] == pytest.approx(quantity["p"])
            assert row["p_corrected"] >= row["p"] and row["games"] == 60
    again = pickle.loads(pickle.dumps(found))
    assert again.differences(base=2).rows() == rows
    with pytest.raises(ValueError, match="no combination"):
        found.differences(base={"jokers": 9})
    with pytest.raises(ValueError, match="sums of sweeps"):
        (found + hr.sweep("dilido", games=5, seed=3, first=60, jokers=[0, 1], penalty_limit=[2, 3])).plot()
    called = hr.sweep("dilido", games=2, agents=[lambda state: state.legal_actions()[0]], jokers=[0, 1])
    with pytest.raises(ValueError, match="callables"):
        called.differences()
    pickle.dumps(called.cells)


def test_files_and_plots(tmp_path):
    found = hr.sweep("dilido", games=30, jokers=[0, 1], adjacency=[4, 8])
    for name in ("all.csv", "all.parquet", "all.json"):
        found.write(tmp_path / name)
    rows = json.loads((tmp_path / "all.json").read_text())
    read = polars.read_parquet(tmp_path / "all.parquet")
    assert read["score.mean"].to_list() == [row["metrics"]["score"]["mean"] for row in rows]
    assert read["jokers"].to_list() == [0, 0, 1, 1]
    assert polars.read_csv(tmp_path / "all.csv")["turns.low"].to_list() == read["turns.low"].to_list()
    assert [row["metrics"]["score"]["mean"] for row in rows] == pytest.approx([one.report["score"][0]["mean"] for one in found])
    with pytest.raises(ValueError, match="ending"):
        found.write(tmp_path / "all.xlsx")
    plot = found.plot(["score", "turns"])
    plot.save(tmp_path / "plot.svg")
    assert (tmp_path / "plot.svg").read_text().startswith("<svg") and plot._repr_svg_().count("prefers-color-scheme") == 1
    with pytest.raises(ValueError, match="no metric `scores`"):
        found.plot(["scores"])


def test_tuning_finds_what_was_planted():
    # The product 21 and the sum 13.
    values = {"a": range(1, 10), "b": range(1, 10)}
    found = hr.tune(MADE, {"one": "= 24.5 ± 1", "variable.two": "in 16.4..16.6 ± 1"}, values, games=200)
    only = hr.tune(MADE, ["one = 24.5 ± 1", "variable.two = 16.5 ± 1"], values, games=200)
    assert found.params == only.params == {"a": 7, "b": 3} and only.game.params["a"].value == 7
    assert only.probability > 0.9 and only.report["settings"] == 81
    first = only.settings.rows()[0]
    assert (first["rank"], first["a"], first["games"]) == (1, 7, 200) and abs(first["mean"] - 24.5) < 4 * first["se"]
    assert "param a = 7" in only.variant and str(only).startswith("Made")
    with pytest.raises(ValueError, match="did you mean `score`"):
        hr.tune(MADE, {"scores": 3}, {"a": [1, 2]})
    with pytest.raises(ValueError, match="not callables"):
        hr.tune(MADE, "score = 3", {"a": [1, 2]}, agents=lambda state: 0)


def test_the_command_finds_the_same():
    command = [os.environ["HOUSERULE"]] if "HOUSERULE" in os.environ else ["houserule"]
    arguments = ["tune", "dilido", "--target", "turns = 15", "--vary", "jokers=0,1", "-n", "50", "--agents", "greedy", "--json"]
    done = subprocess.run([*command, *arguments], check=True, capture_output=True, text=True, timeout=120)
    mine = hr.tune("dilido", {"turns": 15}, {"jokers": [0, 1]}, games=50, agents="greedy")
    assert json.loads(done.stdout)["best"] == mine.report["best"]


def test_quantiles_shares_and_good_players():
    targets = {"p90(turns)": "<= 60", "share(turns < 10)": "< 5 %", "wins[seat 0]": (0.4, 0.6), "p50(score[seat 1])": "> 1"}
    found = hr.tune("pig", targets, {"goal": [20, 60]}, games=60)
    chosen = found.report["contest"]["agent"]
    assert chosen != "random" and found.report["agents"] == [chosen] * 2
    rows = found.settings.rows()
    assert [row["metric"] for row in rows[:4]] == ["p90(turns)", "share(turns < 10)", "wins[seat 0]", "p50(score[seat 1])"]
    assert found.probability <= min(row["met"] for row in rows[:4])
    assert f"`{chosen}` was chosen" in str(found) and found.report["missing"] is None
    again = hr.tune("pig", targets, {"goal": [20, 60]}, games=60, agents=chosen)
    assert again.settings.rows() == rows and again.report["contest"] is None
    with pytest.raises(ValueError, match="leave the `%` out"):
        hr.tune("pig", {"p90(turns)": "<= 60 %"}, {"goal": [20, 60]})
