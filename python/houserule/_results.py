"""Simulations of many games, and their results."""

from __future__ import annotations

import dataclasses
import html
import json
import os
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from houserule import _charts, _native
from houserule._agents import Agents, Count, at_least_one, by_seat, no_games_and_seconds, threads_or_all
from houserule._metrics import precision_list
from houserule._pickled import Games, Kept, Plan, follow
from houserule._progress import part_of
from houserule._progress import progress as progress_of
from houserule._source import Source, game_of
from houserule._tables import Table
from houserule._workers import On, counted_on


def simulate(
    game: Source,
    games: Count | None = None,
    agents: Agents = "random",
    seed: int = 1,
    threads: int | None = None,
    record: bool = False,
    match: bool = False,
    progress: bool | Callable[[int], None] = False,
    *,
    first: int = 0,
    on: On | None = None,
    seconds: float | None = None,
    precision: Mapping[str, float] | None = None,
    rows: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
) -> Results:
    """Simulates many games.

    Parameters
    ----------
    game
        A game, a name, a path or rule text.
    games
        The number of games; with ``match``, the number of matches. The default is 10,000.
    agents
        One agent for all seats, or a list with one for each seat: ``"random"``, ``"greedy"``, ``"exact"``,
        ``"mcts:N"`` and so on, the path of a script (``"careful.rhai"``, ``"greedy:careful.rhai"``), or a callable. A
        callable takes a `State` and returns the number or the text of a legal action. The state is a copy with other
        dice than the game, so that trying an action on it reveals nothing about the future. In a game with hidden
        information it is the seat's view: reading what is hidden raises `HiddenError`, and ``state.determinize()``
        returns a complete state that can be played on.
    seed
        The seed of the run. The same seed gives the same games for any number of threads.
    threads
        The number of threads; by default one for each processor. Callables run on one thread.
    record
        Keep every decision, see `Results.decisions`.
    match
        Play whole matches.
    progress
        Whether to show a progress bar, or a callable that is called from time to time with the number played so far.
    first
        The index of the first game or match.
    on
        Other processes or machines that play, with the same results: an executor of ``concurrent.futures``, Dask or
        joblib, any object with such a ``submit``, ``"ray"``, or the address of a Ray cluster. ``threads`` is then the number
        of each worker, by default 1.
    seconds
        The time of the run, instead of ``games``. The results are those of the ``report["requested"]`` games that it was
        enough for.
    precision
        Half the width of the 95 % interval at which the run ends, by metric: ``{"score": 0.5, "wins[seat 0]": 0.01}``.
        ``games`` is then the maximum, by default 10,000,000. ``wins[1]``, as the command writes it, is the same: there
        seats count from 1.
    rows
        A file, ``.parquet`` or ``.csv``, to which a row for each game and seat is written while the run goes on. Its
        memory doesn't grow with the games.
    overwrite
        Whether to replace an existing file.

    Raises
    ------
    FileExistsError
        If the file of rows exists.
    ValueError
        If there is no such agent or metric, their number isn't that of the seats, or a callable returns no legal action.
    KeyboardInterrupt
        On Ctrl-C, within a fraction of a second.

    Examples
    --------
    >>> found = simulate("dilido", games=1000)
    >>> len(found.games)
    1000
    """
    loaded = game_of(game)
    seated = by_seat(agents, loaded.players)
    no_games_and_seconds(games, seconds)
    if rows is not None and record:
        raise ValueError("`record=True` keeps decisions in memory, and `rows` has none of them: give one of the two")
    count = None if games is None else at_least_one(games)
    limits: dict[str, Any] = {}
    if seconds is not None or precision or rows is not None:
        counted_on(on, seconds=seconds, precision=precision, rows=rows)
        limits = {
            "games": count,
            "seconds": seconds,
            "precision": precision_list(precision),
            "rows": None if rows is None else os.fspath(rows),
            "overwrite": overwrite,
        }
    plan = Plan(loaded, seated, count or 10_000, first, seed, match, record)
    total = None if seconds is not None or precision else plan.games
    with progress_of(progress, total, "matches" if match else "games") as show:
        return run_of([plan], threads, on, show, limits)[0]


def run_of(
    plans: Sequence[Plan],
    threads: int | None,
    on: On | None,
    show: Callable[[int], None] | None,
    limits: dict[str, Any] | None = None,
) -> list[Results]:
    """Plays runs, in this process or elsewhere. ``show`` gets the number of games played so far of all; ``limits`` are
    arguments of the native function that bound a run in this process, besides its games."""
    results = []
    if on is not None:
        from houserule._shards import simulate_on

        found = simulate_on(on, plans, None if threads is None else threads_or_all(threads), show)
        results = [Results(figures, plan, games) for plan, (figures, games) in zip(plans, found, strict=True)]
    else:
        before = 0
        for plan in plans:
            part = None if show is None else part_of(show, before)
            run = plan.play(threads_or_all(threads), part, **(limits or {}))
            results.append(Results(run.figures, dataclasses.replace(plan, games=run.games), run))
            before += plan.games
    for one in results:
        _warn_of_aborted(one)
    return results


def _warn_of_aborted(results: Results) -> None:
    aborted = results._figures.first_aborted
    if aborted is not None:
        index, why = aborted
        count = results.report["aborted"]
        many = "1 game was aborted and counts" if count == 1 else f"{count:,} games were aborted and count"
        warnings.warn(
            f"{many} in no figure; the first is game {index}: {why} (`results.game({index})` returns its last state)",
            RuntimeWarning,
            stacklevel=4,
        )


def one_by_one(
    game: _native.Game, games: int, seed: int, threads: int | None, show: Callable[[int], None] | None, first: int = 0
) -> Callable[[Agents], Table]:
    """Returns a function that simulates a game with the given agents, and returns the table of the seats.

    All its runs have the same seed and share one progress bar.
    """
    played = 0

    def play(agents: Agents) -> Table:
        nonlocal played
        part = part_of(show, played)
        played += games
        return simulate(game, games, agents, seed, threads, progress=part or False, first=first).seats

    return play


def _unpickled(figures: _native.Figures, games: Kept) -> Results:
    return Results(figures, games.plan, games)


class Results:
    """The results of `simulate`: a report, and tables of the games, their seats and their decisions.

    Results can be pickled. The pickle contains the tables of games of callables, but not the callables.
    The results of parts of a run can be added, see `__add__`.
    """

    def __init__(self, figures: _native.Figures, plan: Plan, run: Games) -> None:
        self._figures = figures
        self._plan = plan
        self._run = run
        self._report: dict[str, Any] | None = None
        self._tables: tuple[Table, Table] | None = None
        self._decisions: Table | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        # Random games are played again if their tables are needed; other games would take too long.
        tables = self._both() if self._plan.slow or self._tables is not None else None
        return _unpickled, (self._figures, Kept(self._plan, tables, self._run.decisions()))

    def __add__(self, other: Results) -> Results:
        """Returns the results of the games of both, as if they had been played in one run.

        They must be parts of one run, with the same game, params, agents and seed, and the games of one must begin
        where those of the other end. All statistics are computed again from exact sums; the times are added.

        Raises
        ------
        ValueError
            If the runs differ, some games are in both, or games between them are missing.

        Examples
        --------
        >>> both = simulate("dilido", games=100) + simulate("dilido", games=50, first=100)
        >>> len(both), both.summary().rows() == simulate("dilido", games=150).summary().rows()
        (150, True)
        """
        if not isinstance(other, Results):
            return NotImplemented
        figures = self._figures.merged(other._figures)
        return Results(figures, *follow((self._plan, self._run), (other._plan, other._run)))

    def __radd__(self, other: object) -> Results:
        """Supports `sum`, which starts with 0."""
        return self if other == 0 else NotImplemented

    @property
    def report(self) -> dict[str, Any]:
        """The report as a dict, with the keys of ``houserule simulate --json``."""
        if self._report is None:
            self._report = json.loads(self._figures.report())
        return self._report

    def summary(self) -> Table:
        """Returns a table of the means and proportions with their 95 % confidence intervals, one in each row.

        Columns: ``quantity``, ``name``, ``seat``, ``player``, ``mean``, ``low``, ``high``, ``sd`` (the standard
        deviation), ``least``, ``least_index``, ``most``, ``most_index``. ``least`` and ``most`` are the minimum and
        maximum, and their indices those of the first game or match with that value. ``low`` and ``high`` are the ends
        of the confidence interval: Student's for means, Wilson's for proportions (``win``, ``draw``, ``end``).
        """
        return Table(self._figures.summary())

    @property
    def games(self) -> Table:
        """The table of the finished games, one in each row, ordered by index.

        Columns: ``game``, ``variant``, each param, ``seed``, ``index``, for matches ``match`` and ``game_in_match``
        (from 0), ``agents``, ``turns``, ``rolls``, ``decisions`` and any other count of a game, ``end`` (the name of the
        end), ``winner`` (a seat; null if nobody won alone). A param with the name of another column gets the prefix
        ``param_``.
        """
        return self._both()[0]

    @property
    def seats(self) -> Table:
        """The table of the seats, with a row for each finished game and seat.

        Columns: ``index``, for matches ``match`` and ``game_in_match``, ``seat``, ``name``, ``starter``, ``agent``,
        ``score``, ``returns``, each item of the score, and each variable at the end. A set is stored as its size. A
        family over the players has the value of the row's seat; any other family has a column for each element:
        ``name_element``. An item that scores lines has columns with the number of runs that counted, by direction and
        length: ``lines_across_3``.
        """
        return self._both()[1]

    def _both(self) -> tuple[Table, Table]:
        if self._tables is None:
            games, seats = self._run.tables()
            self._tables = Table(games), Table(seats)
        return self._tables

    @property
    def decisions(self) -> Table:
        """The table of the decisions, one in each row.

        Columns: ``index``, ``ply`` (from 0 in each game), ``turn`` (from 0), ``seat``, ``step``, ``option``, ``action``
        (as text), ``n_legal`` (the number of legal actions), ``score_before`` (of the seat that decides).

        Raises
        ------
        ValueError
            If the run was made without ``record=True``.
        """
        if self._decisions is None:
            table = self._run.decisions()
            if table is None:
                raise ValueError("the decisions were not kept: simulate with `record=True`")
            self._decisions = Table(table)
        return self._decisions

    def game(self, index: int) -> _native.State:
        """Returns the final state of a game of the run, with its history.

        ``index`` is that of the column ``index`` of ``.games``.

        Raises
        ------
        IndexError
            If the run has no such game.
        """
        return self._run.reopen(_game_index(index))

    def record(self, index: int) -> dict[str, Any]:
        """Returns the record of a game of the run, as ``houserule simulate --record`` writes it.

        Raises
        ------
        IndexError
            If the run has no such game.
        """
        return json.loads(self._run.record(_game_index(index)))  # type: ignore[no-any-return]

    def __len__(self) -> int:
        return int(self.report["games"])

    def __str__(self) -> str:
        return self._figures.text()

    def __repr__(self) -> str:
        report = self.report
        return f"<Results: {report['games']:,} games of {report['game']}, seed {report['seed']}>"

    def distributions(self) -> Iterator[tuple[str, list[tuple[int, int]]]]:
        """Yields the titles and histograms of the charts: the scores of each seat or, without scores, the lengths of
        the games in decisions."""
        report = self.report
        names = self._figures.game_seats()
        scored = [score["histogram"] for score in report["score"] if set(score["histogram"]) - {"0"}]
        if scored:
            for name, score in zip(names, report["score"], strict=True):
                title = "Score" if len(names) == 1 else f"Score of {name}"
                yield title, [(int(number), n) for number, n in score["histogram"].items()]
        else:
            yield "Decisions in a game", self._figures.lengths("decisions")

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        report = self.report
        agents = list(dict.fromkeys(report["agents"]))
        head = f"{report['game']}: {report['games']:,} games, {', '.join(agents)}, seed {report['seed']}"
        charts = "".join(_charts.histogram(counts, title) for title, counts in list(self.distributions())[:2])
        summary = _summary_html(self.summary(), self._figures.seat_teams())
        body = f"<p><b>{html.escape(head)}</b></p>{summary}{charts}"
        return {"text/html": f"<div>{body}</div>", "text/plain": str(self)}

    def plot(self) -> Any:
        """Returns the distributions as an altair chart (``pip install '.[analysis]'``)."""
        altair = _altair()
        rows = [
            {"of": title, "from": begin, "to": begin + width, "games": n}
            for title, counts in self.distributions()
            for width, found in [_charts.bins(counts)]
            for begin, n in found
        ]
        table = Table.of_rows(["of", "from", "to", "games"], rows)
        chart = (
            altair.Chart(table.to_polars())
            .mark_bar()
            .encode(
                x=altair.X("from:Q", bin="binned", title=None),
                x2="to:Q",
                y=altair.Y("games:Q", title="games"),
                tooltip=["from:Q", "to:Q", "games:Q"],
            )
        )
        return chart.properties(width=420, height=160).facet(row=altair.Row("of:N", title=None, sort=None))


def _game_index(index: int) -> int:
    """Returns an index if it can be that of a game; the native module takes no negative ones."""
    if index < 0:
        raise IndexError(f"the run has no game {index}; the table `.games` lists the indices of the finished ones")
    return index


def _altair() -> Any:
    try:
        import altair
        import polars  # noqa: F401
    except ImportError as error:
        raise ImportError("charts need altair and polars: pip install '.[analysis]'") from error
    return altair


#: The quantities that a notebook shows, with their labels.
_SHOWN = {
    "score": "score",
    "item": "points for",
    "success": "wins of",
    "win": "wins",
    "team": "wins of",
    "draw": "draws",
    "count": "",
    "end": "ended by",
}


def team_in_words(name: str) -> str:
    """Names a team as people read it."""
    return f"the team {name.replace('_', ' ')}"


def _summary_html(summary: Table, teams: list[str | None]) -> str:
    """Returns the summary of a game in which the seats have these teams."""
    lines = []
    rows = summary.rows()
    # Players who all win together have one rate.
    hidden = ("win", "team") if any(row["quantity"] == "success" for row in rows) else ()
    for row in rows:
        # What a team wins counts once, and what a team of one wins is its player's.
        is_of_partner = row["quantity"] == "win" and teams[row["seat"]] is not None and teams.count(teams[row["seat"]]) > 1
        is_of_one = row["quantity"] == "team" and teams.count(row["name"]) == 1
        if row["quantity"] not in _SHOWN or row["quantity"] in hidden or is_of_partner or is_of_one:
            continue
        team = {"success": teams[0], "team": row["name"]}.get(row["quantity"])
        name = row["name"] if team is None else team_in_words(team)
        label = " ".join(part for part in (_SHOWN[row["quantity"]], name, row["player"]) if part)
        share = row["quantity"] in ("success", "win", "team", "draw", "end")
        number = "{:.1%}" if share else "{:,.2f}"
        mean = number.format(row["mean"])
        interval = "" if row["low"] is None else f"{number.format(row['low'])} to {number.format(row['high'])}"
        span = "" if row["least"] is None else f"{row['least']:,} to {row['most']:,}"
        cells = "".join(f"<td>{cell}</td>" for cell in (mean, interval, span))
        lines.append(f'<tr><th style="text-align:left">{html.escape(label)}</th>{cells}</tr>')
    head = "<tr><th></th><th>mean</th><th>95 % interval</th><th>range</th></tr>"
    return f"<table><thead>{head}</thead><tbody>{''.join(lines)}</tbody></table>"
