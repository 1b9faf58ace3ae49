"""Players that learn a game by playing it against themselves."""

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
    """Trains a player and judges it on the way against ``greedy`` and ``mcts:100``, or a lone one by its score.

    Parameters
    ----------
    game
        A game, a name, a path or rule text.
    games
        How many games of training; without this and ``seconds`` as many as take some 15 seconds.
    seconds
        Instead, seconds of processor time on each thread.
    seed
        The same seed and number of games give the same player, on any number of threads.
    threads
        How many threads play; one for each processor by default.
    name
        What the player is called in tables.
    progress
        Shows a bar.

    Raises
    ------
    ValueError
        Both ``games`` and ``seconds``, or nothing can be learned: no random game comes to an end, or a lone player has
        no score.

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
    """What `learn` came to."""

    def __init__(self, report: str, player: _native.Player) -> None:
        self.report: dict[str, Any] = json.loads(report)
        """All figures, under the keys of ``houserule learn --json``."""
        self.player = player
        """The player: an agent wherever agents are named."""

    @property
    def curve(self) -> Table:
        """A row for each checkpoint and opponent.

        Columns: ``games`` and ``seconds`` of training so far, ``opponent``, ``played`` (games of the judgement),
        ``mean`` (the share of wins, or a lone player's score), ``low`` and ``high`` (its 95 % interval), ``kept``.
        """
        rows = [
            {"games": at["games"], "seconds": at["seconds"], "kept": not at["dropped"], **_judged(against)}
            for at in self.report["curve"]
            for against in at["strength"]
        ]
        return Table.of_rows("games seconds opponent played mean low high kept".split(), rows)

    @property
    def strength(self) -> list[dict[str, Any]]:
        """How strong the player is at the end, by opponent: ``opponent``, ``played``, ``mean``, ``low``, ``high`` as in
        `curve`; ``better`` (the mean less an even share, or less the opponent's score in the same games),
        ``better_low``, ``better_high``; ``own_seconds`` and ``other_seconds`` of a decision."""
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
        """Was the last checkpoint surely better than the one before? Then more training pays."""
        gain = self.report["gain"]
        return gain is not None and gain["mean"] > gain["half"]

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the player to a file that ends in ``.player``, an agent by its path.

        Raises
        ------
        ValueError
            The path ends otherwise.
        """
        path = Path(path)
        if path.suffix != ".player":
            raise ValueError(f"{str(path)!r}: the file of a player ends in .player")
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
        rising = "Still rising." if self.is_rising else "Flat."
        head = f"<p><b>{self.report['games']:,} games of training</b>. {html.escape(rising)}</p>"
        body = Table.of_rows("opponent played mean low high better own_seconds".split(), self.strength)._repr_html_()
        chart = _charts.intervals(lines, "Mean at each checkpoint, 95 % intervals")
        return {"text/html": f"<div>{head}{body}{chart}</div>", "text/plain": repr(self)}

    def plot(self) -> Any:
        """The curve as an altair chart (``pip install '.[analysis]'``)."""
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
