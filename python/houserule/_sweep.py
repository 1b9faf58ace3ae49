"""Simulations of a game with different params, on the same dice."""

from __future__ import annotations

import html
import itertools
from collections.abc import Iterable
from typing import Any

from houserule import _charts
from houserule._agents import Agents, Count, at_least_one
from houserule._progress import part_of
from houserule._progress import progress as progress_of
from houserule._results import Results, simulate
from houserule._source import Source, game_of
from houserule._tables import Table, concat, with_front


def sweep(
    game: Source,
    games: Count = 10_000,
    agents: Agents = "random",
    seed: int = 1,
    threads: int | None = None,
    record: bool = False,
    match: bool = False,
    progress: bool = False,
    first: int = 0,
    **params: Any,
) -> Sweep:
    """Simulates a game with every combination of some params, with the same seed.

    Parameters
    ----------
    game
        A game, a name, a path or rule text.
    games
        The number of games of each combination.
    agents, seed, threads, record, match, progress, first
        As for `simulate`.
    **params
        The values of each param, or a single value: ``penalty_limit=range(1, 6)``. The value of a table is a dict.

    Raises
    ------
    ValueError
        If there is no such param, or it can't have one of the values.

    Examples
    --------
    >>> found = sweep("dilido", games=100, penalty_limit=range(1, 4))
    >>> [cell.report["games"] for cell in found]
    [100, 100, 100]
    """
    plain = game_of(game)
    tried = {name: _values(values) for name, values in params.items()}
    for name, values in tried.items():
        if not values:
            raise ValueError(f"no values are given for `{name}`: give at least one")
    cells = [dict(zip(tried, chosen, strict=True)) for chosen in itertools.product(*tried.values())]
    # Load every combination first, so that an invalid param raises before any game is played.
    loaded = [plain.with_params(cell) for cell in cells]
    results = []
    games = at_least_one(games)
    with progress_of(progress, games * len(cells)) as show:
        for at, one in enumerate(loaded):
            part = part_of(show, at * games)
            results.append(simulate(one, games, agents, seed, threads, record, match, progress=part or False, first=first))
    return Sweep(cells, results)


def _values(values: Any) -> list[Any]:
    if isinstance(values, (str, dict)) or not isinstance(values, Iterable):
        return [values]
    return list(values)


class Sweep:
    """The results of `sweep`: those of each combination of params, and tables over all combinations."""

    def __init__(self, cells: list[dict[str, Any]], results: list[Results]) -> None:
        self.cells = cells
        """The params of each combination."""
        self.results = results
        """The results of each combination."""

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Any:
        return iter(self.results)

    def __getitem__(self, at: int) -> Results:
        return self.results[at]

    def __add__(self, other: Sweep) -> Sweep:
        """Returns the results of both, added for each combination, see `Results.__add__`.

        Raises
        ------
        ValueError
            If the combinations differ, or their results can't be added.
        """
        if not isinstance(other, Sweep):
            return NotImplemented
        if self.cells != other.cells:
            raise ValueError("the sweeps have different combinations of params: only sweeps over the same values can be added")
        return Sweep(self.cells, [one + more for one, more in zip(self.results, other.results, strict=True)])

    def __radd__(self, other: object) -> Sweep:
        """Supports `sum`, which starts with 0."""
        return self if other == 0 else NotImplemented

    def _all(self, tables: Iterable[Table]) -> Table:
        return concat([with_front(table, cell) for cell, table in zip(self.cells, tables, strict=True)])

    @property
    def games(self) -> Table:
        """The games of all combinations, see `Results.games`. The params are columns."""
        return self._all(one.games for one in self.results)

    @property
    def seats(self) -> Table:
        """The seats of all combinations, see `Results.seats`, with the params as the first columns."""
        return self._all(one.seats for one in self.results)

    @property
    def decisions(self) -> Table:
        """The decisions of all combinations, see `Results.decisions`, with the params as the first columns."""
        return self._all(one.decisions for one in self.results)

    def summary(self) -> Table:
        """Returns the means and proportions of all combinations with their confidence intervals, see
        `Results.summary`, with the params as the first columns."""
        return self._all(one.summary() for one in self.results)

    def _lines(self, quantity: str, name: str | None = None) -> list[tuple[str, float, float, float]]:
        return [
            (", ".join(f"{key} = {value}" for key, value in cell.items()), row["mean"], row["low"], row["high"])
            for cell, one in zip(self.cells, self.results, strict=True)
            for row in one.summary().rows()
            if row["quantity"] == quantity and (row["seat"] or 0) == 0 and (name is None or row["name"] == name)
        ]

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        first = self.results[0].report
        scored = any(score["min"] or score["max"] for one in self.results for score in one.report["score"])
        what, lines = ("Score", self._lines("score")) if scored else ("Wins of the first seat", self._lines("win"))
        title = f"{first['game']}, {first['games']:,} games each: {what[0].lower()}{what[1:]}"
        lines = [line for line in lines if line[2] is not None]
        turns = [line for line in self._lines("count", "turns") if line[2] is not None]
        cell = "<td>{}</td>".format
        rows = "".join(
            "<tr>" + cell(html.escape(name)) + cell(f"{mean:,.4g}") + cell(f"{low:,.4g} to {high:,.4g}") + "</tr>"
            for name, mean, low, high in lines
        )
        head = "<tr><th></th><th>mean</th><th>95 % interval</th></tr>"
        table = f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>"
        charts = _charts.intervals(lines, title) + _charts.intervals(turns, "Turns in a game")
        return {"text/html": f"<div>{table}{charts}</div>", "text/plain": repr(self)}

    def __repr__(self) -> str:
        lines = self._lines("score") or self._lines("count", "turns")
        text = [
            f"{name}: {mean:,.4g}" + ("" if low is None else f" ({low:,.4g} to {high:,.4g})")
            for name, mean, low, high in lines
        ]
        return "\n".join([f"<Sweep of {self.results[0].report['game']}, {len(self)} combinations>", *text])
