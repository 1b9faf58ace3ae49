"""Many games, and what they came to."""

from __future__ import annotations

import html
import json
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from houserule import _charts, _native
from houserule._agents import Agents, Count, at_least_one, by_seat, threads_or_all
from houserule._pickled import Games, Kept, Plan, follow
from houserule._progress import part_of
from houserule._progress import progress as progress_of
from houserule._source import Source, game_of
from houserule._tables import Table


def simulate(
    game: Source,
    games: Count = 10_000,
    agents: Agents = "random",
    seed: int = 1,
    threads: int | None = None,
    record: bool = False,
    match: bool = False,
    progress: bool | Callable[[int], None] = False,
    *,
    first: int = 0,
) -> Results:
    """Plays a game many times.

    Parameters
    ----------
    game
        A game, a name, a path or rule text.
    games
        How many games; with ``match``, how many matches.
    agents
        ``"random"``, ``"greedy"``, ``"exact"``, ``"mcts:N"`` and the like, a script by its path (``"careful.rhai"``,
        ``"greedy:careful.rhai"``), or a callable for all seats, or a list with one for each. A callable gets a `State` and returns the number or the text of a legal action. The state is a copy
        that rolls other dice than the game, so what is tried on it tells nothing of the future. Where something
        is hidden it is the seat's view: what the seat does not see raises `HiddenError`, and
        ``state.determinize()`` gives a whole state to try things on.
    seed
        The same seed means the same games, whatever the number of threads.
    threads
        How many threads; by default one for each processor. Callables are asked on one.
    record
        Keep every decision, see `Results.decisions`.
    match
        Play whole matches.
    progress
        Show a bar; or a callable that hears now and then how many have been played.
    first
        The number of the first game, or match.

    Raises
    ------
    ValueError
        There is no such agent, or not as many as seats; a callable's answer is no legal action.
    KeyboardInterrupt
        At Ctrl-C, within a fraction of a second.

    Examples
    --------
    >>> found = simulate("dilido", games=1000)
    >>> len(found.games)
    1000
    """
    loaded = game_of(game)
    seated = by_seat(agents, loaded.players)
    games = at_least_one(games)
    with progress_of(progress, games, "matches" if match else "games") as show:
        run = _native.simulate(
            loaded,
            seated,
            games=games,
            first=first,
            seed=seed,
            threads=threads_or_all(threads),
            match_play=match,
            record=record,
            progress=show,
        )
    results = Results(run.figures, Plan(loaded, seated, games, first, seed, match, record), run)
    aborted = run.figures.first_aborted
    if aborted is not None:
        index, why = aborted
        count = results.report["aborted"]
        many = "1 game was aborted and counts" if count == 1 else f"{count:,} games were aborted and count"
        warnings.warn(
            f"{many} in no figure; the first is game {index}: {why} (`results.game({index})` is where it stopped)",
            RuntimeWarning,
            stacklevel=2,
        )
    return results


def one_by_one(
    game: _native.Game, games: int, seed: int, threads: int | None, show: Callable[[int], None] | None, first: int = 0
) -> Callable[[Agents], Table]:
    """Runs of a game on the same seed under one bar: from who sits in the seats to the table of the seats."""
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
    """What `simulate` found: a report, and tables of the games, their seats and their decisions.

    Results pickle. Callables that played do not come along: what they did is kept as far as it is in the tables.
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
        # Random games are played again where their tables are wanted; others take too long for that.
        tables = self._both() if self._plan.slow or self._tables is not None else None
        return _unpickled, (self._figures, Kept(self._plan, tables, self._run.decisions()))

    def __add__(self, other: Results) -> Results:
        """The results of the games of both, as if they had been played in one run.

        They have to be parts of one run: the same game, params, agents and seed, and the games of one begin where those
        of the other end. All figures are computed anew from exact sums; the times are added.

        Raises
        ------
        ValueError
            They differ, some games are in both, or some between them are missing.

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
        """Lets `sum` begin with its 0."""
        return self if other == 0 else NotImplemented

    @property
    def report(self) -> dict[str, Any]:
        """All figures, under the keys of ``houserule simulate --json``."""
        if self._report is None:
            self._report = json.loads(self._figures.report())
        return self._report

    def summary(self) -> Table:
        """The means and shares with their 95 % intervals, a row each.

        Columns: ``quantity``, ``name``, ``seat``, ``player``, ``mean``, ``low``, ``high``, ``sd``, ``least``,
        ``least_index``, ``most``, ``most_index`` (the first game that has the value; of a match its number).
        ``low`` and ``high`` are the ends of the 95 % interval: of means Student's, of shares (``win``, ``draw``,
        ``end``) Wilson's.
        """
        return Table(self._figures.summary())

    @property
    def games(self) -> Table:
        """A row for each finished game, in the order of their numbers.

        Columns: ``game``, ``variant``, each param, ``seed``, ``index``, (of matches ``match`` and
        ``game_in_match``, from 0), ``agents``, ``turns``, ``rolls``, ``decisions``, ``end`` (the name of the
        end), ``winner`` (a seat; null if nobody won alone). A param that is called as another column has
        ``param_`` in front.
        """
        return self._both()[0]

    @property
    def seats(self) -> Table:
        """A row for each finished game and seat.

        Columns: ``index``, (``match``, ``game_in_match``), ``seat``, ``name``, ``starter``, ``agent``, ``score``,
        ``returns``, each item of the score, each variable at the end (of a set how many elements it has; of a
        family over the players the seat's own, of any other a column for each element: ``name_element``), and
        where an item scores lines how many of each direction and length counted: ``lines_across_3``.
        """
        return self._both()[1]

    def _both(self) -> tuple[Table, Table]:
        if self._tables is None:
            games, seats = self._run.tables()
            self._tables = Table(games), Table(seats)
        return self._tables

    @property
    def decisions(self) -> Table:
        """A row for each decision, if the run was made with ``record=True``.

        Columns: ``index``, ``ply`` (from 0 in each game), ``turn`` (from 0), ``seat``, ``step``, ``option``, ``action``
        (as text), ``n_legal``, ``score_before`` (of who decides).
        """
        if self._decisions is None:
            table = self._run.decisions()
            if table is None:
                raise ValueError("the decisions were not kept: simulate with `record=True`")
            self._decisions = Table(table)
        return self._decisions

    def game(self, index: int) -> _native.State:
        """Opens a game of the run again: a state at its end, with its history.

        ``index`` is what ``.games`` has under that name.

        Raises
        ------
        IndexError
            The run has no such game.
        """
        if index < 0:
            raise IndexError(f"the run has no game {index}; `.games` has the index of each")
        return self._run.reopen(index)

    def record(self, index: int) -> dict[str, Any]:
        """The record of a game of the run, as ``houserule simulate --record`` writes it."""
        if index < 0:
            raise IndexError(f"the run has no game {index}; `.games` has the index of each")
        return json.loads(self._run.record(index))  # type: ignore[no-any-return]

    def __len__(self) -> int:
        return int(self.report["games"])

    def __str__(self) -> str:
        return self._figures.text()

    def __repr__(self) -> str:
        report = self.report
        return f"<Results: {report['games']:,} games of {report['game']}, seed {report['seed']}>"

    def distributions(self) -> Iterator[tuple[str, list[tuple[int, int]]]]:
        """What is drawn: of each seat the scores, or the length of games that have none."""
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
        body = f"<p><b>{html.escape(head)}</b></p>{_summary_html(self.summary())}{charts}"
        return {"text/html": f"<div>{body}</div>", "text/plain": str(self)}

    def plot(self) -> Any:
        """The distribution as an altair chart (``pip install '.[analysis]'``)."""
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


def _altair() -> Any:
    try:
        import altair
        import polars  # noqa: F401
    except ImportError as error:
        raise ImportError("charts need altair and polars: pip install '.[analysis]'") from error
    return altair


#: What a summary's table shows in a notebook, and what it is called there.
_SHOWN = {"score": "score", "item": "points for", "win": "wins", "draw": "draws", "count": "", "end": "ended by"}


def _summary_html(summary: Table) -> str:
    lines = []
    for row in summary.rows():
        if row["quantity"] not in _SHOWN:
            continue
        label = " ".join(part for part in (_SHOWN[row["quantity"]], row["name"], row["player"]) if part)
        share = row["quantity"] in ("win", "draw", "end")
        number = "{:.1%}" if share else "{:,.2f}"
        mean = number.format(row["mean"])
        interval = "" if row["low"] is None else f"{number.format(row['low'])} to {number.format(row['high'])}"
        span = "" if row["least"] is None else f"{row['least']:,} to {row['most']:,}"
        cells = "".join(f"<td>{cell}</td>" for cell in (mean, interval, span))
        lines.append(f'<tr><th style="text-align:left">{html.escape(label)}</th>{cells}</tr>')
    head = "<tr><th></th><th>mean</th><th>95 % interval</th><th>range</th></tr>"
    return f"<table><thead>{head}</thead><tbody>{''.join(lines)}</tbody></table>"
