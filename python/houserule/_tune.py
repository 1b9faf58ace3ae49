"""Settings with which the results of a game meet targets."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Union

from houserule import _native
from houserule._agents import Agents, Count, at_least_one, by_seat, no_games_and_seconds, threads_or_all
from houserule._metrics import command_name, precision_list, python_name
from houserule._native import Game
from houserule._progress import progress as progress_of
from houserule._source import Source, game_of
from houserule._sweep import _values, _written
from houserule._tables import Table

#: What a metric is to be: a number, the ends of a range, or a condition as the command writes it (``">= 50"``).
Target = Union[float, tuple[float, float], str]


def tune(
    game: Source,
    targets: str | Sequence[str] | Mapping[str, Target],
    vary: Mapping[str, Iterable[Any]],
    games: Count | None = None,
    agents: Agents | None = None,
    seed: int = 1,
    threads: int | None = None,
    players: int | None = None,
    progress: bool = False,
    *,
    seconds: float | None = None,
    precision: Mapping[str, float] | None = None,
    **params: Any,
) -> Tuning:
    """Finds values of params with which metrics most probably meet targets.

    Settings race each other on the same dice: those far from the targets play few games. The best ones are measured
    again in games that the search didn't use.

    Parameters
    ----------
    game
        A game, a name, a path or rule text.
    targets
        ``{"turns": 20, "wins[seat 0]": (0.48, 0.52), "score": ">= 50 ± 5", "p90(turns)": "< 30"}``, or as the command
        writes them: ``["turns = 20", "wins[1] in 48..52 %", "draws < 5 %", "p90(turns) < 30",
        "share(turns <= 20) >= 80 %"]``, where seats count from 1. An unknown metric raises an error that lists all.
    vary
        The values of each param to try: ``{"penalty_limit": range(1, 10), "line_points.3": range(1, 10)}``.
    games
        The number of games of a setting that comes near to the targets; the others play fewer. The default is 1,000, or
        fewer if they take more than 3 minutes.
    agents
        One agent for all seats, or a list with one for each. The default is the best player that is found in little
        time, trained for every setting if it learns; ``report["contest"]`` says how good it is.
    seed, threads, progress
        As for `simulate`.
    seconds
        The time of the search, instead of ``games``. ``report["missing"]`` says what it wasn't enough for.
    precision
        End when the best setting's figures, of those with a target, have 95 % intervals this narrow, as for
        `simulate`: ``{"turns": 0.5}``, ``{"p90(turns)": 2}``. ``games`` is then the maximum, by default 1,000,000.
    players, **params
        The number of players, and values of params that are not varied.

    Raises
    ------
    ValueError
        If there is no such metric, param or value, with all errors at once.

    Examples
    --------
    >>> found = tune("dilido", {"turns": 15}, {"penalty_limit": range(1, 4)}, games=100, agents="random")
    >>> found.params
    {'penalty_limit': 1}
    """
    loaded = game_of(game, players, params)
    if isinstance(targets, str):
        targets = [targets]
    wanted = [_target(*one) for one in targets.items()] if isinstance(targets, Mapping) else list(targets)
    wanted = [command_name(target) for target in wanted]
    values = [(name, [_written(name, value)[0][1] for value in _values(tried)]) for name, tried in vary.items()]
    no_games_and_seconds(games, seconds)
    with progress_of(progress, None) as show:
        found = _native.tune(
            loaded,
            wanted,
            values,
            [] if agents is None else by_seat(agents, loaded.players),
            games=None if games is None else at_least_one(games),
            seed=seed,
            threads=threads_or_all(threads),
            progress=show,
            seconds=seconds,
            precision=precision_list(precision),
        )
    return Tuning(loaded, *found)


def _target(metric: str, wanted: Target) -> str:
    if isinstance(wanted, str):
        return f"{metric} {wanted}"
    if isinstance(wanted, tuple):
        return f"{metric} in {wanted[0]}..{wanted[1]}"
    return f"{metric} = {wanted}"


def _python_figure(name: str) -> str:
    """Returns the name of a figure in Python: ``p90(score[seat 0])`` for ``p90(score[1])``."""
    return re.sub(r"\w[\w.]*\[\d+\]", lambda metric: python_name(metric[0]), name)


class Tuning:
    """The result of `tune`."""

    def __init__(self, game: Game, report: str, text: str) -> None:
        self._game = game
        self.report: dict[str, Any] = json.loads(report)
        """The report as a dict, with the keys of ``houserule tune --json``."""
        self._text = text

    @property
    def params(self) -> dict[str, Any]:
        """The best values of the params that were varied."""
        return dict(self.report["best"][0]["params"])

    @property
    def probability(self) -> float:
        """The probability that they meet all targets (bootstrap)."""
        return float(self.report["best"][0]["probability"])

    @property
    def variant(self) -> str:
        """The rule text of a variant that sets the params."""
        return str(self.report["variant"])

    @property
    def game(self) -> Game:
        """The game with the best values."""
        tables: dict[str, Any] = {}
        for name, value in self.params.items():
            param, dot, key = name.partition(".")
            if dot:
                tables.setdefault(param, {})[key] = value
            else:
                tables[param] = value
        return self._game.with_params(tables)

    @property
    def settings(self) -> Table:
        """A table with a row for each target of the best settings, the best first.

        Columns: ``rank``, the params, ``probability`` (that all targets are met), ``distance`` (of all targets, in
        tolerances), ``metric``, ``mean`` (or the quantile or share of the target), ``se``, ``low``, ``high``, ``off`` (the
        distance from this target), ``met`` (the probability that this target is met), ``games``.
        """
        best = self.report["best"]
        rows = [
            {
                **one["params"],
                **metric,
                "rank": rank,
                "probability": one["probability"],
                "distance": one["distance"],
                "metric": _python_figure(metric["metric"]),
                "off": metric["distance"],
                "games": one["games"],
            }
            for rank, one in enumerate(best, 1)
            for metric in one["metrics"]
        ]
        names = ["rank", *best[0]["params"], *"probability distance metric mean se low high off met games".split()]
        return Table.of_rows(names, rows)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<Tuning of {self.report['game']}: {self.params}>"
