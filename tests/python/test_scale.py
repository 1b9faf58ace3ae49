"""Runs of a given time or precision, and rows written to a file while a run goes on."""

from __future__ import annotations

import os
import subprocess
import sys

import houserule as hr
import polars
import pytest
from extent import tries

GAMES = ["dilido", "pig", "tic-tac-toe", "dicrono", "dominoes", "yacht"]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("match", [False, True])
def test_rows_in_a_file_are_those_of_the_tables(name, match, tmp_path):
    game = hr.load(name)
    try:
        found = hr.simulate(game, 60, seed=4, threads=2, match=match, rows=tmp_path / "all.parquet")
    except ValueError as error:
        assert match and "nothing of matches" in str(error)
        return
    kept = hr.simulate(game, 60, seed=4, match=match)
    written = polars.read_parquet(tmp_path / "all.parquet")
    games, seats = kept.games.to_polars(), kept.seats.to_polars()
    assert written.height == seats.height > 0
    assert len(written.columns) == len(games.columns) + len(seats.columns) - (3 if match else 1)
    for column in games.columns:
        repeated = [value for value in games[column].to_list() for _ in range(game.players)]
        assert written[column].to_list() == repeated, column
    for column in seats.columns:
        mine = f"seat_{column}" if f"seat_{column}" in written.columns else column
        assert written[mine].to_list() == seats[column].to_list(), column
    assert found.report["games"] == kept.report["games"] and found.seats.rows() == kept.seats.rows()


def test_columns_are_as_small_as_their_values_allow(tmp_path):
    hr.simulate("dilido", 10, rows=tmp_path / "all.parquet")
    types = polars.read_parquet_schema(tmp_path / "all.parquet")
    assert types["seat"] == polars.UInt8 and types["turns"] == polars.UInt32 and types["seed"] == polars.UInt64
    assert types["penalty_limit"] == polars.UInt8 and types["penalties"] == polars.UInt8
    assert types["score"] == polars.Int64 and types["end"] == polars.String and types["starter"] == polars.Boolean


def test_csv_is_the_same(tmp_path):
    for ending in ("csv", "parquet"):
        hr.simulate("pig", 50, rows=tmp_path / f"all.{ending}", agents=["greedy", "random"])
    csv, parquet = polars.read_csv(tmp_path / "all.csv"), polars.read_parquet(tmp_path / "all.parquet")
    for column in parquet.columns:
        if column != "variant":  # Without a value, CSV has no type.
            assert csv[column].to_list() == parquet[column].to_list(), column


def test_files_are_not_overwritten(tmp_path):
    path = tmp_path / "all.csv"
    hr.simulate("pig", 5, rows=path)
    before = path.read_bytes()
    with pytest.raises(FileExistsError, match="overwrite=True"):
        hr.simulate("pig", 6, rows=path)
    assert path.read_bytes() == before
    hr.simulate("pig", 6, rows=path, overwrite=True)
    assert path.read_bytes() != before
    with pytest.raises(ValueError, match="the ending must be"):
        hr.simulate("pig", 5, rows=tmp_path / "all.txt")
    with pytest.raises(ValueError, match="record=True"):
        hr.simulate("pig", 5, rows=path, record=True)
    assert [file.name for file in tmp_path.iterdir()] == ["all.csv"]


def test_an_exception_leaves_no_file(tmp_path):
    def wrong(state):
        raise KeyError("no idea")

    with pytest.raises(KeyError):
        hr.simulate("pig", 5, agents=wrong, rows=tmp_path / "all.parquet")
    assert list(tmp_path.iterdir()) == []
    hr.simulate("pig", 5, agents=lambda state: state.legal_actions()[0], rows=tmp_path / "all.parquet")
    assert polars.read_parquet(tmp_path / "all.parquet").height == 10


def within(run):
    """What a run with enough seconds returns; a busy machine needs more of them."""
    for seconds in (0.1, 0.4, 1, 4, 16, 64):
        try:
            return run(seconds)
        except ValueError as error:
            assert "the time was over" in str(error)
    raise AssertionError("64 seconds are not enough")


def test_a_time_gives_whole_runs():
    found = within(lambda seconds: hr.simulate("dilido", seconds=seconds, threads=2))
    again = hr.simulate("dilido", games=found.report["requested"])
    assert found.summary().rows() == again.summary().rows() and len(found) == len(found.games) > 0
    both = within(lambda seconds: hr.compare("pig", hr.load("pig", goal=90), seconds=seconds, agents=["random", "greedy"]))
    requested = both.report["requested"][0]
    same = hr.compare("pig", hr.load("pig", goal=90), games=requested, agents=["random", "greedy"])
    assert both.report["agents"] == same.report["agents"] and requested > 1
    swept = within(lambda seconds: hr.sweep("pig", seconds=seconds, goal=[30, 40]))
    counts = {one.report["requested"] for one in swept}
    assert len(counts) == 1 and counts.pop() > 1
    assert len(swept.differences()) > 0
    tuned = within(lambda seconds: hr.tune("pig", {"turns": 20}, {"goal": range(20, 30)}, seconds=seconds))
    assert tuned.report["requested"] >= 20
    assert within(lambda seconds: hr.worth("pig", seconds=seconds, quick=True)).report["rules"]
    assert not hr.report(tries("tic-tac-toe", "pig"), 50, "greedy", quick=True).page["interrupted"]
    for run in (
        lambda: hr.simulate("pig", 5, seconds=1),
        lambda: hr.compare("pig", "pig", games=5, seconds=1),
        lambda: hr.sweep("pig", games=5, seconds=1),
        lambda: hr.tune("pig", {"turns": 20}, {"goal": [20]}, games=5, seconds=1),
        lambda: hr.worth("pig", games=5, seconds=1),
        lambda: hr.report("pig", games=5, seconds=1),
    ):
        with pytest.raises(ValueError, match="not both"):
            run()
    for seconds in (0, -1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="must be more than 0"):
            hr.simulate("pig", seconds=seconds)
    with pytest.raises(ValueError, match="the time was over"):
        hr.simulate("go", agents="mcts:100000", seconds=0.02)


def test_a_precision_ends_a_run():
    found = hr.simulate("dilido", precision={"score": 0.8})
    row = next(row for row in found.summary().rows() if row["quantity"] == "score")
    assert (row["high"] - row["low"]) / 2 <= 0.8 and found.report["requested"] >= 1000
    assert hr.simulate("dilido", 1200, precision={"score": 1e-6}).report["requested"] == 1200
    both = hr.compare("pig", hr.load("pig", goal=90), precision={"turns": 1.0}, agents="random")
    turns = next(row for row in both.quantities.rows() if row["quantity"] == "turns")
    assert (turns["high"] - turns["low"]) / 2 <= 1.0
    swept = hr.sweep("pig", precision={"wins[1]": 0.03}, goal=[30, 40])
    assert all(one.report["requested"] == swept[0].report["requested"] >= 1000 for one in swept)
    points = tries(1.4, 1.2)
    worth = hr.worth("dilido", only="joker", quick=True, precision={"score": points})
    score = next(row for row in worth.rules.rows() if row["quantity"] == "score" and row["agent"] == "random")
    assert (score["high"] - score["low"]) / 2 <= points
    tuned = hr.tune("pig", {"turns": 20}, {"goal": range(20, 60, tries(20, 10))}, precision={"turns": 0.5})
    (mean,) = tuned.report["best"][0]["metrics"]
    assert (mean["high"] - mean["low"]) / 2 <= 0.5 and tuned.report["requested"] >= 1000
    reported = tries("tic-tac-toe", hr.load("pig", goal=20))
    page = hr.report(reported, 1100, agent="greedy", precision={"turns": 0.01}).page
    assert page["agents"][0]["games"] == 1100
    with pytest.raises(ValueError, match="no metric `dramas`; did you mean `drama`"):
        hr.report("pig", precision={"dramas": 1})
    with pytest.raises(ValueError, match="`quick` plays none"):
        hr.report("pig", quick=True, precision={"turns": 1})
    with pytest.raises(ValueError, match="no metric `scores`; did you mean `score`"):
        hr.simulate("dilido", precision={"scores": 1})
    with pytest.raises(ValueError, match="must be more than 0"):
        hr.simulate("dilido", precision={"score": 0})


CHILD = """
import sys
import houserule as hr

found = hr.simulate("dilido", int(sys.argv[1]), threads=2, **({"rows": sys.argv[2]} if sys.argv[2] else {}))
if not sys.argv[2]:
    found.seats
# Not what `getrusage` tells: that may be the memory of the process that started this one.
print(next(int(line.split()[1]) // 1024 for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


def test_the_memory_of_a_file_does_not_grow_with_the_games(tmp_path):
    def megabytes(games: int, rows: str) -> int:
        done = subprocess.run(
            [sys.executable, "-c", CHILD, str(games), rows], capture_output=True, text=True, check=True, timeout=600
        )
        return int(done.stdout)

    games = tries((50_000, 200_000), (100_000, 400_000))
    few, many = (megabytes(number, os.fspath(tmp_path / f"{number}.parquet")) for number in games)
    assert polars.scan_parquet(tmp_path / f"{games[1]}.parquet").select(polars.len()).collect().item() == games[1]
    # The tables of so many games take more than that by themselves.
    bound = few + tries(45, 60)
    assert many < bound
    assert megabytes(games[1], "") > bound
