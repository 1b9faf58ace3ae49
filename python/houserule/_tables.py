"""Tables of results: columns in Arrow format."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from houserule import _native

if TYPE_CHECKING:
    import pandas
    import polars

#: Maximum number of rows that a text or a notebook shows.
_SHOWN = 10


class Table:
    """Columns of equal length.

    A table implements Arrow's C stream interface, so ``polars.DataFrame(table)``, ``pyarrow.table(table)``, DuckDB and
    others read it without a copy. ``table["score"]`` is a numpy array.
    """

    def __init__(self, native: _native.Table) -> None:
        self._native = native

    @classmethod
    def of_rows(cls, names: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> Table:
        """Creates a table from rows, which map column names to values. A missing value is null."""
        columns = [(name, [row.get(name) for row in rows]) for name in names]
        return cls(_native.Table.of_lists(columns))

    def __reduce__(self) -> tuple[Any, ...]:
        columns = [(name, *self._native.column(name)) for name in self.columns]
        return _table, (columns, len(self))

    @property
    def columns(self) -> list[str]:
        """The names of the columns, in order."""
        return self._native.names

    def __len__(self) -> int:
        return self._native.num_rows

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._native.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        return self._native.__arrow_c_schema__()

    def __getitem__(self, name: str) -> np.ndarray[Any, Any]:
        """Returns a column as a numpy array, see `to_numpy`."""
        kind, values, known, words = self._native.column(name)
        if kind == "text":
            assert words is not None
            codes = values if known is None else np.where(known, values, len(words))
            return np.array([*words, None], dtype=object)[codes]
        if known is not None:
            return np.where(known, values.astype(np.float64), np.nan)
        return values

    def to_numpy(self) -> dict[str, np.ndarray[Any, Any]]:
        """Returns the columns by name, as numpy arrays of shape (rows,).

        Integers are int64 (seeds uint64), floats float64, booleans bool, and strings object. NumPy has no nulls:
        columns of numbers or booleans with nulls become float64 with NaN, and strings have None.
        """
        return {name: self[name] for name in self.columns}

    def to_polars(self) -> polars.DataFrame:
        """Returns a polars data frame, without copying numbers. Strings are ``Categorical``."""
        import polars

        return polars.DataFrame(self)

    def to_pandas(self) -> pandas.DataFrame:
        """Returns a pandas data frame. Strings are ``category``, integers with nulls ``Int64``."""
        import pandas

        def column(name: str) -> Any:
            kind, values, known, words = self._native.column(name)
            if kind == "text":
                codes = values if known is None else np.where(known, values, -1)
                return pandas.Categorical.from_codes(codes, categories=words)
            if kind == "int" and known is not None:
                return pandas.arrays.IntegerArray(values, ~known)
            return values if known is None else np.where(known, values, np.nan)

        return pandas.DataFrame({name: column(name) for name in self.columns})

    def rows(self) -> list[dict[str, Any]]:
        """Returns the rows as dicts of plain Python values, with None for null."""
        if not self.columns:
            return []
        lists = [self._list(name) for name in self.columns]
        return [dict(zip(self.columns, row, strict=True)) for row in zip(*lists, strict=True)]

    def _list(self, name: str) -> list[Any]:
        kind, values, known, _ = self._native.column(name)
        plain = self[name].tolist() if kind == "text" else values.tolist()
        return plain if known is None else [v if k else None for v, k in zip(plain, known, strict=True)]

    def _head(self) -> tuple[list[dict[str, Any]], int]:
        shown = Table(self._native.slice(0, _SHOWN)).rows()
        return shown, len(self) - len(shown)

    def __repr__(self) -> str:
        rows, more = self._head()
        cells = [self.columns] + [[_text(row[name]) for name in self.columns] for row in rows]
        widths = [max(len(line[at]) for line in cells) for at in range(len(self.columns))]
        lines = ["  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)) for line in cells]
        return "\n".join([*lines, *([f"… and {more:,} more rows"] if more else [])])

    def _repr_html_(self) -> str:
        rows, more = self._head()
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self.columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(_text(row[name]))}</td>" for name in self.columns) + "</tr>"
            for row in rows
        )
        note = f"<p>… and {more:,} more rows</p>" if more else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}"


def _table(columns: list[Any], rows: int) -> Table:
    """Restores a table from its pickled columns."""
    return Table(_native.Table.of_columns(columns, rows))


def concat(tables: Sequence[Table]) -> Table:
    """Concatenates tables vertically. Values of columns that a table lacks are null."""
    return Table(_native.Table.concat([table._native for table in tables]))


def with_front(table: Table, constants: Mapping[str, Any]) -> Table:
    """Returns the table with constant columns added in front. A column that already exists is kept."""
    return Table(table._native.with_front(list(constants.items())))


def _text(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return "–" if value != value else f"{value:,.4g}" if abs(value) < 1e4 else f"{value:,.0f}"
    return str(value)
