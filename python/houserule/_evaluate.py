"""Evaluation of an agent, in all seats and on the same dice as others."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from houserule import _charts, _native
from houserule._agents import Agent, Count, at_least_one, is_agent, name_of
from houserule._progress import progress as progress_of
from houserule._results import one_by_one
from houserule._source import Source, game_of
from houserule._tables import Table

_COLUMNS = (
    "policy against games score score_low score_high score_difference difference_low difference_high "
    "returns returns_low returns_high win_rate win_low win_high draw_rate"
)


def evaluate(
    policy: Agent,
    game: Source,
    against: Sequence[Agent | Sequence[Agent]] | Agent = ("random",),
    games: Count = 10_000,
    seed: int = 1,
    threads: int | None = None,
    progress: bool = False,
    first: int = 0,
) -> Evaluation:
    """Evaluates an agent in every seat, with the same seeds.

    Game *i* is played once with the policy in each seat, which balances the luck of the seats and of the dice. The mean
    over the seats of game *i* counts as one observation. The 95 % confidence intervals are Student's over these.

    Parameters
    ----------
    policy
        The agent to evaluate: a name, a trained player or a callable.
    game
        A game, a name, a path or rule text.
    against
        The opponents. Each of them in turn takes all other seats. A sequence within the sequence names an agent for
        each other seat, in turn order after the policy. In a one-player game the opponents play the same dice, and the
        scores are compared.
    games
        The number of games in all seats together, rounded up to a multiple of the number of seats.
    seed, threads, progress
        As for `simulate`.
    first
        The index of the first game, in each seat.

    Raises
    ------
    ValueError
        If there is no such agent, or a sequence of opponents doesn't fit the number of players.

    Examples
    --------
    >>> found = evaluate("greedy", "tic-tac-toe", against=["random"], games=400)
    >>> found.rows[0]["win_rate"] > 0.6
    True
    """
    loaded = game_of(game)
    players = loaded.players
    others = [against] if is_agent(against) else list(cast("Sequence[Agent | Sequence[Agent]]", against))
    sets = -(-at_least_one(games) // players)
    runs = (1 + len(others)) if players == 1 else players * len(others)
    rows: list[dict[str, Any]] = []
    with progress_of(progress, sets * runs) as show:
        play = one_by_one(loaded, sets, seed, threads, show, first)
        if players == 1:
            own = _by_index(play([policy]), 0)
            rows = [_alone(name_of(policy), None, own, None)] if not others else []
            for other in others:
                rows.append(_alone(name_of(policy), other, own, _by_index(play([_one(other)]), 0)))
        else:
            for other in others:
                rest = _table(other, players)
                tables = [
                    _by_index(play([policy if at == seat else rest[(at - seat - 1) % players] for at in range(players)]), seat)
                    for seat in range(players)
                ]
                name = ", ".join(name_of(one) for one in (rest if len(set(map(id, rest))) > 1 else rest[:1]))
                rows.append(_together(name_of(policy), name, tables))
    return Evaluation(loaded, rows)


def _one(other: Agent | Sequence[Agent]) -> Agent:
    if is_agent(other):
        return other
    raise ValueError("in a one-player game, each entry of `against` must be a single agent, not a list")


def _table(other: Agent | Sequence[Agent], players: int) -> list[Agent]:
    if is_agent(other):
        return [other] * (players - 1)
    table = list(cast("Sequence[Agent]", other))
    if len(table) != players - 1:
        raise ValueError(f"{len(table)} opponents in a game of {players} players: give one for all other seats, or {players - 1}")
    return table


def _by_index(seats: Table, seat: int) -> dict[str, np.ndarray[Any, Any]]:
    """Returns the results of one seat in each game, as arrays of shape (games,). A win that k players share counts
    1/k."""
    own = seats["seat"] == seat
    players = int(seats["seat"].max(initial=0)) + 1
    returns = seats["returns"]
    # With n players, each of k winners gets (n/k - 1)/(n - 1), so the return determines 1/k.
    share = seats["win_share"] if players > 1 else np.zeros(len(returns))
    # In a draw several sides share the win, and so each seat has a part of it.
    _, game = np.unique(seats["index"], return_inverse=True)
    least = np.ones(len(share))
    np.minimum.at(least, game, share)
    return {
        "index": seats["index"][own],
        "score": seats["score"][own].astype(float),
        "returns": returns[own],
        "win": share[own],
        "draw": ((least[game] > 0) & (share < 1))[own].astype(float),
    }


def mean_and_interval(values: np.ndarray[Any, Any]) -> tuple[float, float, float]:
    """Returns the mean and the ends of its 95 % confidence interval by Student's t; NaN if there are too few values."""
    n = len(values)
    errors = _native.student(n)
    if errors is None:
        return (float(values.mean()) if n else math.nan), math.nan, math.nan
    half = errors * float(values.std(ddof=1)) / math.sqrt(n)
    mean = float(values.mean())
    return mean, mean - half, mean + half


def _alone(name: str, other: Any, own: dict[str, Any], theirs: dict[str, Any] | None) -> dict[str, Any]:
    mean, low, high = mean_and_interval(own["score"])
    row = {"policy": name, "games": len(own["score"]), "score": mean, "score_low": low, "score_high": high}
    if theirs is not None:
        both, mine, its = np.intersect1d(own["index"], theirs["index"], return_indices=True)
        found = mean_and_interval(own["score"][mine] - theirs["score"][its])
        row |= dict(zip(("score_difference", "difference_low", "difference_high"), found, strict=True))
        row |= {"against": name_of(other), "games": len(both)}
    return row


def _together(name: str, against: str, tables: list[dict[str, Any]]) -> dict[str, Any]:
    # Only sets in which every game was finished count.
    common = tables[0]["index"]
    for table in tables[1:]:
        common = np.intersect1d(common, table["index"])
    chosen = [np.searchsorted(table["index"], common) for table in tables]

    def of(what: str) -> np.ndarray[Any, Any]:
        return np.mean([table[what][at] for table, at in zip(tables, chosen, strict=True)], axis=0)

    row: dict[str, Any] = {"policy": name, "against": against, "games": len(common) * len(tables)}
    for what, column in (("score", "score"), ("returns", "returns")):
        row |= dict(zip((column, f"{column}_low", f"{column}_high"), mean_and_interval(of(what)), strict=True))
    win, low, high = mean_and_interval(of("win"))
    if low == high:
        # All values are equal, so Student's interval would be empty. Wilson's covers results that didn't occur.
        low, high = _native.share_interval(win, len(common)) or (math.nan, math.nan)
    row |= {"win_rate": win, "win_low": max(low, 0.0), "win_high": min(high, 1.0), "draw_rate": float(of("draw").mean())}
    return row


class Evaluation:
    """The result of `evaluate`, with a row for each opponent."""

    def __init__(self, game: _native.Game, rows: list[dict[str, Any]]) -> None:
        self.game = game
        self.rows = rows
        """A dict for each opponent: ``policy``, ``against``, ``games``; with the ends of their 95 % confidence
        intervals ``score``, ``score_difference`` (in one-player games: own minus theirs, on the same dice),
        ``returns`` and ``win_rate`` (a win that k players share counts 1/k); and ``draw_rate``. Keys that don't apply
        are absent."""

    @property
    def table(self) -> Table:
        """The rows as a table."""
        present = [name for name in _COLUMNS.split() if any(name in row for row in self.rows)]
        return Table.of_rows(present, self.rows)

    @property
    def mean(self) -> float:
        """The mean return against the first opponent; in one-player games, the mean score."""
        return float(self.rows[0]["score" if self.game.players == 1 else "returns"])

    @property
    def interval(self) -> tuple[float, float]:
        """The lower and upper end of the 95 % confidence interval of `mean`."""
        what = "score" if self.game.players == 1 else "returns"
        return float(self.rows[0][f"{what}_low"]), float(self.rows[0][f"{what}_high"])

    @property
    def win_rate(self) -> float | None:
        """The win rate against the first opponent; None in one-player games."""
        return self.rows[0].get("win_rate")

    def __repr__(self) -> str:
        return repr(self.table)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        lines = [
            (f"against {row['against']}", row["win_rate"], row["win_low"], row["win_high"])
            for row in self.rows
            if "win_rate" in row
        ] or [
            (f"against {row['against']}", row["score_difference"], row["difference_low"], row["difference_high"])
            for row in self.rows
            if "score_difference" in row
        ]
        least = "" if self.game.score_direction == "most" else "; lower is better"
        title = "Win rate" if self.game.players > 1 else f"Difference in score with the same dice{least}"
        head = html.escape(f"{self.rows[0]['policy']} at {self.game.title}")
        chart = _charts.intervals(lines, title, zero=True)
        body = f"<div><p><b>{head}</b></p>{self.table._repr_html_()}{chart}</div>"
        return {"text/html": body, "text/plain": repr(self)}
