"""Tables of results: columns in Arrow format."""

from __future__ import annotations

import html
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from houserule import _native

if TYPE_CHECKING:
    import pandas
    import polars

#: Maximum number of rows that a text or a notebook shows.
_SHOWN = 10

#: Maximum number of columns that a text or a notebook shows.
_SHOWN_COLUMNS = 40


class Table:
    """Columns of equal length.

    A table implements Arrow's C stream interface, so ``polars.DataFrame(table)``, ``pyarrow.table(table)``, DuckDB and
    others read it without a copy. ``pandas.DataFrame(table)`` and ``altair.Chart(table)`` take it too. ``table["score"]``
    is a numpy array, ``table[["seat", "score"]]``, ``table[:5]`` and ``table[table["score"] > 9]`` are tables, and
    ``table[0]`` is a row. ``"score" in table`` tests for a column; a loop yields rows, as `rows` returns them.
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

    def __narwhals_dataframe__(self) -> Any:
        """Returns the table for libraries that take data frames by narwhals, such as altair and plotly."""
        import narwhals

        return narwhals.from_native(self._frame(), eager_only=True)._compliant_frame

    def __dataframe__(self, nan_as_null: bool = False, allow_copy: bool = True) -> Any:
        """Returns the table by the interchange protocol of data frames, which seaborn and others read."""
        frame: Any = self._frame()
        return frame.__dataframe__(nan_as_null, allow_copy)

    def _frame(self) -> polars.DataFrame | pandas.DataFrame:
        """Returns a data frame of polars, or of pandas without polars."""
        try:
            return self.to_polars()
        except ImportError:
            return self.to_pandas()

    def __contains__(self, name: object) -> bool:
        return name in self.columns

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows())

    def _ipython_key_completions_(self) -> list[str]:
        return self.columns

    @overload
    def __getitem__(self, which: str) -> np.ndarray[Any, Any]: ...
    @overload
    def __getitem__(self, which: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, which: slice | list[str] | list[int] | np.ndarray[Any, Any]) -> Table: ...
    def __getitem__(self, which: Any) -> Any:
        """Returns a column, some columns, a row or some rows.

        Parameters
        ----------
        which
            The name of a column, for a numpy array, see `to_numpy`. A list of names, for a table with these columns. The
            number of a row, for a dict. A slice, an array of bool with an entry for each row, or row numbers, for a table
            with these rows.

        Raises
        ------
        KeyError
            If there is no such column.
        IndexError
            If there is no such row, or an array of bool has another length.
        TypeError
            If it is none of these.
        """
        if isinstance(which, str):
            return self._column(which)
        if isinstance(which, slice):
            start, stop, step = which.indices(len(self))
            if step == 1:
                return Table(self._native.slice(start, max(stop - start, 0)))
            return self._rows(which)
        if hasattr(which, "__index__") and not isinstance(which, (bool, np.ndarray)):
            number = operator.index(which)
            if not -len(self) <= number < len(self):
                raise IndexError(f"there is no row {number}: the table has {len(self):,} rows")
            return Table(self._native.slice(number % len(self), 1)).rows()[0]
        if isinstance(which, list) and which and all(isinstance(name, str) for name in which):
            return _table([(name, *self._native.column(name)) for name in which], len(self))
        if isinstance(which, (list, np.ndarray)):
            rows = np.asarray(which)
            if rows.ndim == 1 and (rows.dtype.kind in "biu" or not len(rows)):
                return self._rows(rows if len(rows) else rows.astype(np.int64))
        raise TypeError(
            "a table is indexed by the name of a column, a list of names, the number of a row, a slice, or an array of bool or "
            f"of row numbers, not {type(which).__name__}"
        )

    def _rows(self, which: slice | np.ndarray[Any, Any]) -> Table:
        columns = []
        for name in self.columns:
            kind, values, known, words = self._native.column(name)
            columns.append((name, kind, np.ascontiguousarray(values[which]), None if known is None else np.ascontiguousarray(known[which]), words))
        return _table(columns, len(np.empty(len(self), bool)[which]))

    def _column(self, name: str) -> np.ndarray[Any, Any]:
        kind, values, known, words = self._native.column(name)
        if kind == "text":
            assert words is not None
            codes = values if known is None else np.where(known, values, len(words))
            return np.array([*words, None], dtype=object)[codes]
        if known is not None:
            return np.where(known, values.astype(np.float64), np.nan)
        return values

    def renamed(self, name: Callable[[str], str]) -> Table:
        """Returns the table with other names of its columns, each of which a function returns for the one that it has."""
        return _table([(name(one), *self._native.column(one)) for one in self.columns], len(self))

    def to_numpy(self) -> dict[str, np.ndarray[Any, Any]]:
        """Returns the columns by name, as numpy arrays of shape (rows,).

        Integers are int64 (seeds uint64), floats float64, booleans bool, and strings object. NumPy has no nulls:
        columns of numbers or booleans with nulls become float64 with NaN, and strings have None.
        """
        return {name: self._column(name) for name in self.columns}

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
        plain = self._column(name).tolist() if kind == "text" else values.tolist()
        return plain if known is None else [v if k else None for v, k in zip(plain, known, strict=True)]

    def _head(self) -> tuple[list[str], list[dict[str, Any]], str]:
        """Returns the columns and rows that are shown, and what there is besides, in words."""
        shown = Table(self._native.slice(0, _SHOWN)).rows()
        columns = self.columns[:_SHOWN_COLUMNS]
        hidden = {"rows": len(self) - len(shown), "columns": len(self.columns) - len(columns)}
        more = " and ".join(f"{n:,} more {what}" for what, n in hidden.items() if n)
        return columns, shown, f"… and {more}" if more else ""

    def __repr__(self) -> str:
        columns, rows, more = self._head()
        cells = [columns] + [[_text(row[name]) for name in columns] for row in rows]
        widths = [max(len(line[at]) for line in cells) for at in range(len(columns))]
        lines = ["  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)) for line in cells]
        return "\n".join([*lines, *([more] if more else [])])

    def _repr_html_(self) -> str:
        columns, rows, more = self._head()
        head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(_text(row[name]))}</td>" for name in columns) + "</tr>" for row in rows
        )
        note = f"<p>{more}</p>" if more else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}"


def _table(columns: list[Any], rows: int) -> Table:
    """Restores a table from its pickled columns."""
    return Table(_native.Table.of_columns(columns, rows))


def concat(tables: Sequence[Table]) -> Table:
    """Concatenates tables vertically. Values of columns that a table lacks are null."""
    return Table(_native.Table.concat([table._native for table in tables]))


def beside(columns: Mapping[str, Sequence[Any]], table: Table) -> Table:
    """Returns the table with columns added in front."""
    front = _native.Table.of_lists([(name, list(values)) for name, values in columns.items()])
    named = [(name, *part.column(name)) for part in (front, table._native) for name in part.names]
    return _table(named, len(table))


def with_front(table: Table, constants: Mapping[str, Any]) -> Table:
    """Returns the table with constant columns added in front. A column that already exists is kept."""
    return Table(table._native.with_front(list(constants.items())))


def _text(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return "–" if value != value else f"{value:,.4g}" if abs(value) < 1e4 else f"{value:,.0f}"
    return str(value)
