"""Tables of results where tables are used: indices, loops, data frames and charts."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy as np
import pytest

import houserule as hr


@pytest.fixture(scope="module")
def table() -> hr.Table:
    return hr.simulate("dilido", games=9).seats


def test_columns_are_in_it_and_rows_are_listed(table: hr.Table) -> None:
    assert "score" in table and "nonsense" not in table and 3 not in table
    assert list(table) == table.rows() and len(list(table)) == len(table)
    assert table._ipython_key_completions_() == table.columns


def test_rows_by_number_slice_and_condition(table: hr.Table) -> None:
    rows = table.rows()
    assert table[0] == rows[0] and table[-1] == rows[-1] and table[np.int64(2)] == rows[2]
    for part in (slice(0, 5), slice(None), slice(-3, None), slice(7, 2), slice(None, None, 2), slice(None, None, -1), slice(100, 200)):
        assert table[part].rows() == rows[part] and table[part].columns == table.columns
    high = table["score"] > np.median(table["score"])
    assert table[high].rows() == [row for row, is_high in zip(rows, high, strict=True) if is_high]
    assert table[[3, 1]].rows() == [rows[3], rows[1]] and table[np.array([], int)].rows() == []


def test_some_columns(table: hr.Table) -> None:
    some = table[["score", "seat"]]
    assert some.columns == ["score", "seat"] and (some["score"] == table["score"]).all() and len(some) == len(table)
    assert pickle.loads(pickle.dumps(some)).rows() == some.rows()


def test_nulls_stay_nulls() -> None:
    games = hr.simulate("tic-tac-toe", games=50).games
    drawn = games[[winner is None for winner in (row["winner"] for row in games)]]
    assert len(drawn) and {row["winner"] for row in drawn} == {None} and set(drawn["end"]) <= set(games["end"])


def test_what_a_table_is_not_indexed_by(table: hr.Table) -> None:
    with pytest.raises(IndexError, match="no row 99: the table has 9 rows"):
        table[99]
    with pytest.raises(KeyError, match="nonsense"):
        table[["score", "nonsense"]]
    for wrong in (1.5, None, (0, 1), {"score"}, np.zeros((2, 2), int), np.array(["a"])):
        with pytest.raises(TypeError, match="a table is indexed by the name of a column"):
            table[wrong]  # type: ignore[call-overload]
    with pytest.raises(IndexError):
        table[np.array([True])]


def test_data_frames(table: hr.Table) -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    frame = pandas.DataFrame(table)
    assert list(frame.columns) == table.columns and frame["score"].to_list() == table["score"].tolist()
    assert polars.DataFrame(table)["name"].cast(polars.String).to_list() == table["name"].tolist()
    assert len(np.asarray(table)) == len(table)


def test_charts(table: hr.Table) -> None:
    altair = pytest.importorskip("altair")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made: Any = altair.Chart(table).mark_bar().encode(x="score", y="count()", color="name").to_dict()
    (rows,) = made["datasets"].values()
    assert [row["score"] for row in rows] == table["score"].tolist()
    encoding = made["encoding"]
    assert encoding["x"]["type"] == "quantitative" and encoding["color"]["type"] in ("nominal", "ordinal")
