"""Simulations of a game with other settings, on the same dice."""

from __future__ import annotations

import dataclasses
import html
import itertools
import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from houserule import _charts, _native
from houserule._agents import (
    Agent,
    Agents,
    Count,
    at_least_one,
    by_seat,
    is_agent,
    name_of,
    no_games_and_seconds,
    threads_or_all,
)
from houserule._metrics import Measured, command_name, precision_list, python_name
from houserule._native import Game, stack
from houserule._pickled import Plan
from houserule._progress import progress as progress_of
from houserule._results import Results, run_of, team_in_words
from houserule._rules import RuleSets
from houserule._source import Source, game_of, option_names, suggesting
from houserule._tables import Table, beside, concat, with_front
from houserule._workers import On, counted_on

#: The name of a metric of a seat in the name of a column.
_METRIC = re.compile(r"\S+\[\d+\](?=\.\w+$)")

#: Names of the columns for what isn't a param. A combination has those that were given several values.
_OTHERS = ("game", "variant", "players", "agents")


def sweep(
    game: Source | Sequence[Source],
    games: Count | None = None,
    agents: Agents | Sequence[Agents] = "random",
    seed: int = 1,
    threads: int | None = None,
    record: bool = False,
    match: bool = False,
    progress: bool = False,
    first: int = 0,
    variants: Sequence[str | os.PathLike[str]] | None = None,
    players: int | Iterable[int] | None = None,
    on: On | None = None,
    *,
    seconds: float | None = None,
    precision: Mapping[str, float] | None = None,
    skip_invalid: bool = False,
    **params: Any,
) -> Sweep:
    """Simulates a game with every combination of some settings, with the same seed.

    Parameters
    ----------
    game
        A game, a name, a path or rule text; or a list of them, or rule sets. Games of one name are told apart by the params
        in which they differ.
    games
        The number of games of each combination. The default is 10,000.
    agents
        An agent for all seats, or a list: each of its agents in turn plays all seats. In that list, a list or a string
        with commas has an agent for each seat.
    seed, threads, record, match, progress, first
        As for `simulate`.
    variants
        Variants, played beside the game without any: ``["torus", "torus + falling"]``.
    players
        The number of players, or several.
    on
        Other processes or machines that play, as for `simulate`. `Sweep.differences`, `Sweep.rows` and `Sweep.plot` play
        again in this process.
    seconds
        The time of the sweep, instead of ``games``. Half of it finds the number of games that fits into the other half.
    precision
        Half the width of the 95 % interval that the means of all combinations are to have, by metric: ``{"score": 0.5}``.
        ``games`` is then the maximum.
    skip_invalid
        Leave out the combinations whose game can't be loaded, such as a line that is longer than the board. `Sweep.skipped`
        has them with their errors.
    **params
        The values of each param, or a single value: ``penalty_limit=range(1, 6)``. The value of a table is a dict.

    Raises
    ------
    ValueError
        If there is no such param, variant or agent, or it can't have one of the values. With ``skip_invalid``, if no
        combination can be loaded.

    Examples
    --------
    >>> found = sweep("dilido", games=100, penalty_limit=range(1, 4))
    >>> [cell.report["games"] for cell in found]
    [100, 100, 100]
    """
    tried = {name: _values(values) for name, values in params.items()}
    others: dict[str, list[Any]] = {
        "game": list(cast("Sequence[Source]", game)) if isinstance(game, (list, tuple, RuleSets)) else [game],
        "variant": [None, *(_values(variants) if variants is not None else [])],
        "players": [None] if players is None else _values(players),
        "agents": _line_ups(agents),
    }
    for name, values in (others | tried).items():
        if not values:
            raise ValueError(f"no values are given for `{name}`: give at least one")
    # Load every combination first, so that an invalid one raises before any game is played.
    with suggesting(params, option_names(sweep)):
        combinations, skipped = _combinations(others, tried, skip_invalid)
    no_games_and_seconds(games, seconds)
    count = None if games is None else at_least_one(games)
    replay = _Replay(combinations, {"count": count, "first": first, "seed": seed, "threads": threads, "match_play": match})
    if seconds is not None or precision:
        counted_on(on, seconds=seconds, precision=precision)
        half = None if seconds is None else seconds / 2
        trial, *_ = replay.play(0, [], seconds=half, precision=precision_list(precision))
        count = trial["requested"]
    played = replay.plan["count"] = count or 10_000
    plans = [Plan(one.game, by_seat(one.agents, one.game.players), played, first, seed, match, record) for one in combinations]
    with progress_of(progress, played * len(combinations)) as show:
        results = run_of(plans, threads, on, show)
    found = Sweep([one.cell for one in combinations], results)
    found.skipped = skipped
    # Callables may not be pickled, and the differences need other agents.
    if not any(_has_callable(line_up) for line_up in others["agents"]):
        found._replay = replay
    return found


@dataclass(frozen=True)
class _Combination:
    """A combination of settings, with its game."""

    cell: dict[str, Any]
    """What the results show of the settings: the params, and those of `_OTHERS` that were given several values."""
    game: Game
    variant: str
    """The name of the variant; may be empty."""
    params: dict[str, Any]
    agents: Agents


def _combinations(
    others: dict[str, list[Any]], params: dict[str, list[Any]], skip_invalid: bool
) -> tuple[list[_Combination], list[Skipped]]:
    """Loads the games of all combinations of the values of `_OTHERS` and of params. Returns them, and those that can't be
    loaded and are skipped."""
    several = [name for name in _OTHERS if len(others[name]) > 1]
    games: dict[tuple[Any, ...], Game | ValueError] = {}
    combinations: list[_Combination] = []
    skipped: list[Skipped] = []
    error: ValueError | None = None
    for (at, source), variant, number, agents, *values in itertools.product(
        enumerate(others["game"]), *(others[name] for name in _OTHERS[1:]), *params.values()
    ):
        chosen = dict(zip(params, values, strict=True))
        key = (at, variant, number, repr(chosen))
        if key not in games:
            try:
                plain = game_of(source) if variant is None else stack(source, *_parts(variant))
                games[key] = game_of(plain, number, chosen)
            except ValueError as invalid:
                games[key] = invalid
        game = games[key]
        names = {
            "game": _game_name(source, game),
            "variant": _name(variant),
            "players": number,
            "agents": _line_up_name(agents),
        }
        cell = {name: names[name] for name in several} | chosen
        if isinstance(game, ValueError):
            error = error or game
            if not skip_invalid:
                # A param that there isn't fits no combination.
                if hasattr(game, "add_note") and "no param" not in str(game):
                    game.add_note(f"The combination is {_text(cell) or 'the only one'}; `skip_invalid=True` leaves out what can't be loaded.")
                raise game
            skipped.append(Skipped(cell, str(game)))
            continue
        combinations.append(_Combination(cell, game, _name(variant), chosen, agents))
    if not combinations and error is not None:
        raise error
    return _told_apart(combinations), skipped


def _game_name(source: Source, game: Game | ValueError) -> str:
    """Returns the name of a game that is swept, also if it couldn't be loaded."""
    if isinstance(source, str) and "{" not in source:
        return source
    if isinstance(game, ValueError):
        return source.name if isinstance(source, Game) else "text" if isinstance(source, str) else os.fspath(source)
    return game.name


def _told_apart(combinations: list[_Combination]) -> list[_Combination]:
    """Returns the combinations with what tells their games apart where the settings that were swept don't: the params in
    which they differ, the number of players, and for rules that differ otherwise a number after the name."""
    games = list(dict.fromkeys(one.game for one in combinations))
    of_cell: dict[str, list[Game]] = {}
    for one in combinations:
        same = of_cell.setdefault(repr(one.cell), [])
        if one.game not in same:
            same.append(one.game)
    if all(len(same) == 1 for same in of_cell.values()):
        return combinations
    names = dict.fromkeys(name for game in games for name in game.params)

    def value(game: Game, name: str) -> Any:
        return game.params[name].value if name in game.params else None

    differ = [name for name in names if any(value(game, name) != value(games[0], name) for game in games)]
    told = []
    for one in combinations:
        own = {name: value(one.game, name) for name in differ if name in one.game.params and name not in one.cell}
        cell = one.cell | own
        if len({game.players for game in games}) > 1:
            cell["players"] = one.game.players
        told.append(dataclasses.replace(one, cell=cell, params=one.params | own))
    numbers: dict[str, list[Game]] = {}
    for at, one in enumerate(told):
        same = numbers.setdefault(repr(one.cell), [])
        if one.game not in same:
            same.append(one.game)
        if number := same.index(one.game):
            told[at] = dataclasses.replace(one, cell=one.cell | {"game": f"{one.cell.get('game', one.game.name)} ({number + 1})"})
    return told


def _text(cell: dict[str, Any]) -> str:
    """Returns the settings of a combination in a line."""
    return ", ".join(f"{key} = {value}" for key, value in cell.items())


class Skipped(NamedTuple):
    """A combination whose game can't be loaded."""

    cell: dict[str, Any]
    """Its settings, as those of `Sweep.cells`."""
    error: str
    """Why it can't."""


def _has_callable(line_up: Agents) -> bool:
    agents = line_up if isinstance(line_up, (list, tuple)) else [line_up]
    return any(callable(agent) for agent in agents)


def _values(values: Any) -> list[Any]:
    if isinstance(values, (str, dict)) or not isinstance(values, Iterable):
        return [values]
    return list(values)


def _line_ups(agents: Agents | Sequence[Agents]) -> list[Agents]:
    if is_agent(agents):
        return [agents]
    return list(cast("Sequence[Agents]", agents))


def _line_up_name(agents: Agents) -> str:
    return name_of(agents) if is_agent(agents) else ", ".join(name_of(agent) for agent in cast("Sequence[Agent]", agents))


def _parts(variant: str | os.PathLike[str]) -> list[Any]:
    text = os.fspath(variant)
    return [variant] if "{" in text or not isinstance(variant, str) else [part.strip() for part in text.split("+")]


def _name(variant: str | os.PathLike[str] | None) -> str:
    if variant is None:
        return ""
    text = os.fspath(variant)
    return "text" if "{" in text else text if not isinstance(variant, str) else " + ".join(part.strip() for part in text.split("+"))


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, dict) else value


def _written(name: str, value: Any) -> list[tuple[str, str]]:
    """Returns a param as the command writes it, the entries of a table one by one."""
    if isinstance(value, dict):
        return [(f"{name}.{key}", str(entry)) for key, entry in value.items()]
    truth = isinstance(value, bool) or type(value).__name__ in ("bool_", "bool")
    return [(name, str(value).lower() if truth else str(value))]


class _Replay:
    """Plays the games of a sweep again, for the differences and the plot. The plan has the arguments of the native function
    that say which games."""

    def __init__(self, combinations: list[_Combination], plan: dict[str, Any]) -> None:
        self.combinations = combinations
        self.plan = plan

    def play(self, base: int, metrics: Sequence[str], **more: Any) -> tuple[dict[str, Any], str, Table, list[int]]:
        """Returns the sweep as JSON, as SVG and as a table, and for each combination the index of its row. ``more`` are
        arguments of the native function."""
        games: list[tuple[str, list[tuple[str, str]], Game]] = []
        keys: list[tuple[Any, ...]] = []
        line_ups: list[Agents] = []
        at: list[tuple[int, int]] = []
        for one in self.combinations:
            if not is_agent(one.agents) or (isinstance(one.agents, str) and "," in one.agents):
                raise ValueError("differences, plots, `seconds` and `precision` need one agent for all seats of a combination")
            key = (one.game, one.variant, repr(one.params))
            if key not in keys:
                keys.append(key)
                games.append((one.variant, [pair for param in one.params.items() for pair in _written(*param)], one.game))
            if one.agents not in line_ups:
                line_ups.append(one.agents)
            at.append((keys.index(key), line_ups.index(one.agents)))
        agents = [(name_of(cast("Agent", line_up)), line_up) for line_up in line_ups]
        plan = self.plan | {"threads": threads_or_all(self.plan["threads"])}
        named = [command_name(metric) for metric in metrics]
        found, _, svg, wide = _native.sweep(games, agents, base=at[base][0], metrics=named, **plan, **more)
        return json.loads(found), svg, Table(wide), [game * len(line_ups) + agent for game, agent in at]


class SweepPlot:
    """A chart as SVG. Notebooks show it, in their light or dark theme."""

    def __init__(self, svg: str) -> None:
        self.svg = svg
        """The chart as a string."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the chart to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)

    def _repr_svg_(self) -> str:
        return self.svg


class Sweep:
    """The results of `sweep`: those of each combination of params, and tables over all combinations."""

    _replay: _Replay | None = None

    def __init__(self, cells: list[dict[str, Any]], results: list[Results]) -> None:
        self.cells = cells
        """The settings of each combination: its params, and of ``game``, ``variant``, ``players`` and ``agents`` those
        that were given several values."""
        self.results = results
        """The results of each combination."""
        self.skipped: list[Skipped] = []
        """The combinations that ``skip_invalid`` left out, each with its ``cell`` and its ``error``."""

    def differences(self, base: dict[str, Any] | int = 0) -> Table:
        """Returns the differences of all metrics from those of a combination, over pairs of games with the same dice.

        Plays the games again. Columns: ``game``, ``variant``, ``players`` and ``agents`` if they vary, the params,
        then ``metric``, ``label``, ``mean``, ``difference``, ``se``, ``low``, ``high`` (the 95 % confidence interval of
        the difference), ``p``, ``p_corrected`` (by Holm's method, over all rows tested), ``differs``, ``games``.

        Parameters
        ----------
        base
            The combination to compare with: its index, or some of its settings, ``{"jokers": 1}``; the first that has
            them. Each combination is compared with the base of the same agents.

        Raises
        ------
        ValueError
            If no combination has these settings, an agent is a callable, or the sweep is a sum.
        """
        found, _, _, rows = self._replayable().play(self._index(base), [])
        return Table.of_rows(
            [*dict.fromkeys(name for cell in self.cells for name in cell), *"metric label mean difference se low high p p_corrected differs games".split()],
            [
                {
                    **{name: _plain(value) for name, value in cell.items()},
                    **one["difference"],
                    "metric": python_name(key),
                    "label": one["label"],
                    "mean": one["mean"],
                    "difference": one["difference"]["mean"],
                    "games": found["rows"][row]["games"],
                }
                for cell, row in zip(self.cells, rows, strict=True)
                for key, one in found["rows"][row]["metrics"].items()
                if one["difference"] is not None
            ],
        )

    def rows(self, base: dict[str, Any] | int = 0) -> list[dict[str, Any]]:
        """Returns the rows of ``houserule sweep --json``: for each combination and agent the means of all metrics with
        standard errors and intervals, and their differences from the base, see `differences`.

        In the names of metrics seats count from 0, as everywhere in Python: ``row["metrics"]["wins[seat 0]"]``. The names
        of the command, whose seats count from 1, find them too: ``row["metrics"]["wins[1]"]`` is the same.
        """
        return [{**row, "metrics": Measured(row["metrics"].items())} for row in self._rows(base)]

    def _rows(self, base: dict[str, Any] | int = 0) -> list[dict[str, Any]]:
        found, _, _, rows = self._replayable().play(self._index(base), [])
        return [found["rows"][row] for row in rows]

    def wide(self, base: dict[str, Any] | int = 0) -> Table:
        """Returns the table that `write` writes: a row for each combination and agent, with columns for each metric.

        Plays the games again. Columns: ``game`` if it varies, ``combination``, the params, ``variant``, ``players``,
        ``agent``, ``games``, ``aborted``, and for each metric ``NAME.mean``, ``NAME.se``, ``NAME.low``, ``NAME.high`` and the
        differences from the base, see `differences`. In names of metrics seats count from 0: ``wins[seat 0].mean``.
        """
        _, _, wide, rows = self._replayable().play(self._index(base), [])
        wide = wide[rows]
        if "game" in self.cells[0]:
            wide = beside({"game": [cell["game"] for cell in self.cells]}, wide)
        return wide.renamed(lambda name: _METRIC.sub(lambda metric: python_name(metric[0]), name))

    def plot(self, metrics: Sequence[str] = ()) -> SweepPlot:
        """Returns a chart with a panel for each metric: the first param is along it, the others are in colours.

        Plays the games again. Without ``metrics``, they are those of whole games that vary. Metrics are named as in `rows`.
        """
        return SweepPlot(self._replayable().play(0, metrics)[1])

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes a row for each combination, with the means of all metrics, their errors, intervals and differences
        from the first combination: ``.csv``, ``.parquet`` or ``.json``. An existing file is replaced.

        Raises
        ------
        ValueError
            If the name of the file has another ending.
        """
        ending = os.path.splitext(os.fspath(path))[1]
        if ending not in (".csv", ".parquet", ".json"):
            raise ValueError(f"{os.fspath(path)!r}: the ending must be .csv, .parquet or .json")
        if ending == ".json":
            with open(path, "w", encoding="utf-8") as file:
                json.dump(self._rows(), file, indent=1)
        else:
            self._replayable().play(0, [], output=os.fspath(path), overwrite=True)

    def _replayable(self) -> _Replay:
        if self._replay is None:
            raise ValueError(
                "sums of sweeps and sweeps with callables have no differences and plots: sweep once with all games, and "
                "agents by name"
            )
        return self._replay

    def _index(self, base: dict[str, Any] | int) -> int:
        if isinstance(base, int):
            return range(len(self.cells))[base]
        for at, cell in enumerate(self.cells):
            if all(name in cell and cell[name] == value for name, value in base.items()):
                return at
        raise ValueError(f"no combination has {base}: give settings that were swept, such as {self.cells[-1]}")

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
        both = Sweep(self.cells, [one + more for one, more in zip(self.results, other.results, strict=True)])
        both.skipped = self.skipped
        return both

    def __radd__(self, other: object) -> Sweep:
        """Supports `sum`, which starts with 0."""
        return self if other == 0 else NotImplemented

    def _all(self, tables: Iterable[Table]) -> Table:
        plain = [{name: _plain(value) for name, value in cell.items()} for cell in self.cells]
        return concat([with_front(table, cell) for cell, table in zip(plain, tables, strict=True)])

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
            (_text(cell), row["mean"], row["low"], row["high"])
            for cell, one in zip(self.cells, self.results, strict=True)
            for row in one.summary().rows()
            if row["quantity"] == quantity and (row["seat"] or 0) == 0 and (name is None or row["name"] == name)
        ]

    def _shown(self) -> tuple[str, list[tuple[str, float, float, float]]]:
        """Returns the name of the figure that displays show, and its lines: the score of the first seat, its wins or those
        of its team in games without scores, the wins of all players who play together, or the turns of a game for one
        player without scores."""
        seats = {tuple(one._figures.game_seats()) for one in self.results}
        first = next(iter(seats))[0] if len(seats) == 1 else "the first seat"
        alone = all(len(names) == 1 for names in seats)
        if any(score["min"] or score["max"] for one in self.results for score in one.report["score"]):
            return "score" if alone else f"score of {first}, seat 0", self._lines("score")
        if not alone:
            teams = {one._figures.seat_teams()[0] for one in self.results}
            team = next(iter(teams)) if len(teams) == 1 else None
            together = self._lines("success")
            what = f"{first}, seat 0" if team is None else team_in_words(team)
            return f"wins of {what}", together or self._lines("win")
        return "turns", self._lines("count", "turns")

    def _title(self) -> str:
        games = " and ".join(dict.fromkeys(one.report["game"] for one in self.results))
        counts = {one.report["games"] for one in self.results}
        each = f" of {counts.pop():,} games" if len(counts) == 1 else ""
        skipped = f", {len(self.skipped)} skipped" if self.skipped else ""
        return f"{games}, {len(self)} combination{'s' * (len(self) != 1)}{each}{skipped}"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        what, lines = self._shown()
        lines = [line for line in lines if line[2] is not None]
        turns = [line for line in self._lines("count", "turns") if line[2] is not None]
        cell = "<td>{}</td>".format
        rows = "".join(
            "<tr>" + cell(html.escape(name)) + cell(f"{mean:,.4g}") + cell(f"{low:,.4g} to {high:,.4g}") + "</tr>"
            for name, mean, low, high in lines
        )
        head = f"<tr><th></th><th>{html.escape(what)}</th><th>95 % interval</th></tr>"
        table = f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>"
        left_out = "".join(f"<li>{html.escape(_text(one.cell))}</li>" for one in self.skipped)
        note = f"<p>skipped:</p><ul>{left_out}</ul>" if left_out else ""
        charts = _charts.intervals(lines, f"{self._title()}: {what}")
        if what != "turns":
            charts += _charts.intervals(turns, "Turns in a game")
        return {"text/html": f"<div>{table}{note}{charts}</div>", "text/plain": repr(self)}

    def __repr__(self) -> str:
        what, lines = self._shown()
        text = [
            f"{name}: {mean:,.4g}" + ("" if low is None else f" ({low:,.4g} to {high:,.4g})")
            for name, mean, low, high in lines
        ]
        skipped = [f"skipped: {_text(one.cell)}" for one in self.skipped]
        return "\n".join([f"<Sweep of {self._title()}: {what}>", *text, *skipped])
