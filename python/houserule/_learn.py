"""Training of players by self-play."""

from __future__ import annotations

import html
import json
import os
from pathlib import Path
from typing import Any

from houserule import _charts, _native
from houserule._agents import Count, at_least_one, threads_or_all
from houserule._progress import progress as progress_of
from houserule._source import Source, game_of
from houserule._tables import Table


def learn(
    game: Source,
    games: Count | None = None,
    seconds: float | None = None,
    seed: int = 1,
    threads: int | None = None,
    name: str = "learned",
    progress: bool = False,
) -> Training:
    """Trains a player, and evaluates it at checkpoints against ``greedy`` and ``mcts:100``. In a one-player game the
    evaluation compares the scores.

    Parameters
    ----------
    game
        A game, a name, a path or rule text.
    games
        The number of training games. By default, without ``seconds``, as many as take about 15 seconds.
    seconds
        The training time instead, in seconds of CPU time on each thread.
    seed
        The seed of the training. The same seed and number of games give the same player for any number of threads.
    threads
        The number of threads; by default one for each processor.
    name
        The name of the player in tables.
    progress
        Whether to show a progress bar.

    Raises
    ------
    ValueError
        If both ``games`` and ``seconds`` are given, or nothing can be learned, because no random game reaches an end
        or a one-player game has no score.

    Examples
    --------
    >>> training = learn("tic-tac-toe", games=2000)
    >>> training.strength[0]["opponent"], training.strength[0]["better"] > 0
    ('greedy', True)
    """
    games = None if games is None else at_least_one(games)
    with progress_of(progress, games) as show:
        report, player = _native.learn(
            game_of(game),
            games=games,
            seconds=seconds,
            seed=seed,
            threads=threads_or_all(threads),
            progress=show,
        )
    return Training(report, _native.Player(player, name))


class Training:
    """The result of `learn`."""

    def __init__(self, report: str, player: _native.Player) -> None:
        self.report: dict[str, Any] = json.loads(report)
        """The report as a dict, with the keys of ``houserule learn --json``."""
        self.player = player
        """The trained player. It can be used wherever an agent is expected."""

    @property
    def curve(self) -> Table:
        """The learning curve, with a row for each checkpoint and opponent.

        Columns: ``games`` and ``seconds`` (CPU time) of training so far, ``opponent``, ``played`` (games of the
        evaluation), ``mean`` (the win rate, or the score in one-player games), ``low`` and ``high`` (its 95 %
        confidence interval), ``kept`` (false if the player was significantly worse than an earlier one and dropped).
        """
        rows = [
            {"games": at["games"], "seconds": at["seconds"], "kept": not at["dropped"], **_judged(against)}
            for at in self.report["curve"]
            for against in at["strength"]
        ]
        return Table.of_rows("games seconds opponent played mean low high kept".split(), rows)

    @property
    def strength(self) -> list[dict[str, Any]]:
        """The final strength of the player, a dict for each opponent.

        Keys: ``opponent``, ``played``, ``mean``, ``low`` and ``high`` as in `curve`; ``better`` (the mean minus an even
        share; in a one-player game minus the opponent's score, and in a game with partners minus the share that
        opponents win alone, in the same games) with its confidence interval ``better_low`` and
        ``better_high``; ``own_seconds`` and ``other_seconds`` per decision.
        """
        return [
            {
                **_judged(against),
                "better": against["better"]["mean"],
                **dict(zip(("better_low", "better_high"), _ends(against["better"]), strict=True)),
                "own_seconds": against["own_seconds"],
                "other_seconds": against["other_seconds"],
            }
            for against in self.report["strength"]
        ]

    @property
    def is_rising(self) -> bool:
        """True if the last checkpoint was significantly better than the one before, so that more training may pay."""
        gain = self.report["gain"]
        return gain is not None and gain["mean"] > gain["half"]

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the player to a file that ends in ``.player``, whose path can be used as an agent. Returns the path.

        Raises
        ------
        ValueError
            If the path has another suffix.
        """
        path = Path(path)
        if path.suffix != ".player":
            raise ValueError(f"{str(path)!r}: the name of a player's file must end in .player")
        path.write_bytes(self.player.to_bytes())
        return path

    def __repr__(self) -> str:
        judged = ", ".join(f"{s['mean']:.3g} against {s['opponent']}" for s in self.strength)
        return f"<Training: {self.report['games']:,} games, {judged}>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        lines = [
            (f"{row['games']:,} games, {row['opponent']}", row["mean"], row["low"], row["high"])
            for row in self.curve.rows()
            if row["low"] is not None
        ]
        rising = "Still improving." if self.is_rising else "No clear improvement since the previous checkpoint."
        head = f"<p><b>{self.report['games']:,} games of training</b>. {html.escape(rising)}</p>"
        body = Table.of_rows("opponent played mean low high better own_seconds".split(), self.strength)._repr_html_()
        chart = _charts.intervals(lines, "Mean at each checkpoint, 95 % intervals")
        return {"text/html": f"<div>{head}{body}{chart}</div>", "text/plain": repr(self)}

    def plot(self) -> Any:
        """Returns the learning curve as an altair chart (``pip install '.[analysis]'``)."""
        from houserule._results import _altair

        altair = _altair()
        base = altair.Chart(self.curve.to_polars()).encode(
            x=altair.X("games:Q", scale=altair.Scale(type="log")), color="opponent:N"
        )
        band = base.mark_area(opacity=0.2).encode(y=altair.Y("low:Q", title="mean"), y2="high:Q")
        return band + base.mark_line(point=True).encode(y="mean:Q", tooltip=["games", "opponent", "mean", "low", "high"])


def _judged(against: dict[str, Any]) -> dict[str, Any]:
    low, high = _ends(against["own"])
    return {
        "opponent": against["opponent"],
        "played": against["games"],
        "mean": against["own"]["mean"],
        "low": low,
        "high": high,
    }


def _ends(estimate: dict[str, Any]) -> tuple[float | None, float | None]:
    half = estimate["half"]
    return (None, None) if half is None else (estimate["mean"] - half, estimate["mean"] + half)
