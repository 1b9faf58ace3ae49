"""How strong players are against each other: Elo by maximum likelihood."""

from __future__ import annotations

import html
import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from houserule import _charts
from houserule._agents import Agent, Count, at_least_one, name_of
from houserule._progress import progress as progress_of
from houserule._results import one_by_one
from houserule._source import Source, game_of, score_sign
from houserule._tables import Table

#: Elo points for a factor e of the odds.
ELO = 400 / math.log(10)

#: Half of this many games of each pair are wins and half are losses that nobody played, so that whoever
#: wins all has a rating too.
_VIRTUAL = 1.0


def ladder(
    agents: Sequence[Agent] | Mapping[str, Agent],
    game: Source,
    games: Count = 1000,
    seed: int = 1,
    threads: int | None = None,
    progress: bool = False,
    first: int = 0,
) -> Ladder:
    """Lets every pair of players play, and rates them.

    Each pair plays every seed twice with the seats swapped. In a game of one player both play the same dice,
    and the better score wins.

    Parameters
    ----------
    agents
        Names and callables, or a mapping from what they are to be called.
    game
        A game of one or two players: a game, a name, a path or rule text.
    games
        How many games of each pair, rounded up to an even number.
    seed, threads, progress, first
        As `simulate` has them.

    Notes
    -----
    The model is that of Bradley and Terry (1952) with draws as Davidson (1970) and a first seat as Davidson
    and Beaver (1977) have them: the first player wins, draws or loses in the proportions
    πₐγ : ν√(πₐγπᵦ) : πᵦ. The likelihood is that of a multinomial logit, so it has one maximum, found
    by Newton's method. One virtual game of each pair, half won and half lost, keeps it finite.

    Intervals are ± 1.96 standard errors of the difference from the mean of all. An error is the greater of
    two: that of the observed information, and that of White's sandwich (1982) with the games of one seed
    as a cluster (Liang and Zeger 1986), since they share their dice.

    Raises
    ------
    ValueError
        There are fewer than two players, two of one name, or the game has more than two seats.

    Examples
    --------
    >>> found = ladder(["random", "greedy"], "tic-tac-toe", games=200)
    >>> found.rows[0]["agent"]
    'greedy'
    """
    loaded = game_of(game)
    if loaded.players > 2:
        raise ValueError(f"a ladder is of games of one or two players, this one has {loaded.players}: use `evaluate`")
    if isinstance(agents, Mapping):
        names, players = list(agents), list(agents.values())
    else:
        players = list(agents)
        names = [name_of(agent) for agent in players]
    if len(players) < 2:
        raise ValueError("a ladder needs two players or more")
    if len(set(names)) < len(names):
        raise ValueError(f"two players have one name in {names}: give a mapping from names to agents")
    games = at_least_one(games)
    alone = loaded.players == 1
    each = games if alone else -(-games // 2)
    pairs = list(itertools.combinations(range(len(players)), 2))
    found: list[tuple[int, int, np.ndarray[Any, Any], np.ndarray[Any, Any]]] = []
    with progress_of(progress, each * (len(players) if alone else 2 * len(pairs))) as show:
        play = one_by_one(loaded, each, seed, threads, show, first)
        if alone:
            scores = [play([player]) for player in players]
            for a, b in pairs:
                both, at_a, at_b = np.intersect1d(scores[a]["index"], scores[b]["index"], return_indices=True)
                better = score_sign(loaded) * (scores[a]["score"][at_a] - scores[b]["score"][at_b])
                found.append((a, b, both, np.sign(better).astype(int)))
        else:
            for a, b in pairs:
                for first, second in ((a, b), (b, a)):
                    seats = play([players[first], players[second]])
                    own = seats["seat"] == 0
                    found.append((first, second, seats["index"][own], np.sign(seats["returns"][own]).astype(int)))
    return rate(names, found, alone=alone, title=loaded.title)


def rate(
    names: Sequence[str],
    found: Sequence[tuple[int, int, np.ndarray[Any, Any], np.ndarray[Any, Any]]],
    *,
    alone: bool = False,
    title: str = "",
) -> Ladder:
    """Rates players by their games: for each pairing who sat first, who second, the seed's game of each
    result, and the result for the first: 1, 0 or -1. With ``alone`` there is no first seat."""
    count = len(names)
    drawn = any((result == 0).any() for *_, result in found)
    won = any((result != 0).any() for *_, result in found)
    # The params: the ratings, then what a draw is worth, then what the first seat is worth.
    draw_at, seat_at = count, count + 1
    size = count + 2
    free = [*range(count), *([draw_at] if drawn and won else []), *([] if alone else [seat_at])]

    def design(first: int, second: int) -> np.ndarray[Any, Any]:
        rows = np.zeros((3, size))
        rows[0, first], rows[0, seat_at] = 1.0, 1.0
        rows[1, [first, second, draw_at]], rows[1, seat_at] = (0.5, 0.5, 1.0), 0.5
        rows[2, second] = 1.0
        return rows

    cells = [
        (design(first, second), np.array([(result == r).sum() for r in (1, 0, -1)], dtype=float))
        for first, second, _, result in found
    ]
    virtual = np.array([_VIRTUAL / 2, 0.0, _VIRTUAL / 2])
    for first, second in sorted({tuple(sorted((a, b))) for a, b, *_ in found}):
        for pair in ((first, second), (second, first)):
            cells.append((design(*pair), virtual / 2))

    def chances(rows: np.ndarray[Any, Any], at: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        worth = rows @ at
        if not (drawn and won):
            # Nobody ever drew, or did nothing else: then the draw is no outcome, or the only news.
            worth[1] = -np.inf
        worth = np.exp(worth - worth.max())
        return worth / worth.sum()

    def slope(at: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        gradient, information = np.zeros(size), np.zeros((size, size))
        for rows, counts in cells:
            if not (drawn and won):
                # A draw is half a win for each.
                counts = np.array([counts[0] + counts[1] / 2, 0.0, counts[2] + counts[1] / 2])
            chance = chances(rows, at)
            gradient += (counts - counts.sum() * chance) @ rows
            information += counts.sum() * (rows.T @ np.diag(chance) @ rows - np.outer(chance @ rows, chance @ rows))
        return gradient[free], information[np.ix_(free, free)]

    at = np.zeros(size)
    for _ in range(100):
        gradient, information = slope(at)
        step = np.linalg.pinv(information, hermitian=True) @ gradient
        # A step of more than a few units is beyond where the curve is like its parabola.
        at[free] += step * min(1.0, 2.0 / max(np.abs(step).max(), 1e-300))
        if np.abs(step).max() < 1e-10:
            break
    at[:count] -= at[:count].mean()
    _, information = slope(at)
    inverse = np.linalg.pinv(information, hermitian=True)

    # White's sandwich: the gradient of each seed's games together.
    seeds = np.unique(np.concatenate([index for _, _, index, _ in found]))
    clustered = np.zeros((len(seeds), size))
    for first, second, index, result in found:
        rows = design(first, second)
        expected = chances(rows, at) @ rows
        if drawn and won:
            seen = rows[1 - result]
        else:
            seen = (rows[0] + rows[2]) / 2 + result[:, None] * (rows[0] - rows[2]) / 2
        np.add.at(clustered, np.searchsorted(seeds, index), seen - expected)
    clustered = clustered[:, free]
    sandwich = inverse @ (clustered.T @ clustered) @ inverse
    centre = np.eye(len(free))
    centre[:count, :count] -= 1 / count
    variances = [np.diag(centre @ matrix @ centre.T)[:count] for matrix in (inverse, sandwich)]
    errors = ELO * np.sqrt(np.maximum.reduce([*variances, np.zeros(count)]))
    ratings = ELO * at[:count]

    games, points, draws = np.zeros(count), np.zeros(count), np.zeros(count)
    pairs = np.full((count, count), np.nan)
    totals: dict[tuple[int, int], list[float]] = {}
    for first, second, _, result in found:
        for me, you, sign in ((first, second, 1), (second, first, -1)):
            games[me] += len(result)
            points[me] += (sign * result + 1).sum() / 2
            draws[me] += (result == 0).sum()
            total = totals.setdefault((me, you), [0.0, 0.0])
            total[0] += (sign * result + 1).sum() / 2
            total[1] += len(result)
    for (me, you), (won_by_me, of) in totals.items():
        pairs[me, you] = won_by_me / of if of else np.nan
    rows = [
        {
            "agent": names[i],
            "elo": float(ratings[i]),
            "low": float(ratings[i] - 1.959964 * errors[i]),
            "high": float(ratings[i] + 1.959964 * errors[i]),
            "se": float(errors[i]),
            "games": int(games[i]),
            "points": float(points[i] / max(games[i], 1)),
            "draws": float(draws[i] / max(games[i], 1)),
        }
        for i in np.argsort(-ratings, kind="stable")
    ]
    return Ladder(title, list(names), rows, pairs, None if alone else float(ELO * at[seat_at]))


class Ladder:
    """What `ladder` found."""

    def __init__(
        self,
        title: str,
        names: list[str],
        rows: list[dict[str, Any]],
        pairs: np.ndarray[Any, Any],
        first_seat: float | None,
    ) -> None:
        self.title = title
        self.names = names
        """The players as they were given."""
        self.rows = rows
        """Best first: ``agent``, ``elo`` (the mean of all is 0), ``low`` and ``high`` (its 95 % interval), ``se``,
        ``games``, ``points`` (the share of games won, a draw counting half), ``draws`` (their share)."""
        self.pairs = pairs
        """The points of each player (row) against each (column), a share of their games; in the order of `names`."""
        self.first_seat = first_seat
        """What the first seat is worth, in Elo; None in games of one player."""

    @property
    def table(self) -> Table:
        """The rows as a table."""
        return Table.of_rows("agent elo low high se games points draws".split(), self.rows)

    def __repr__(self) -> str:
        return repr(self.table)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        lines = [(row["agent"], row["elo"], row["low"], row["high"]) for row in self.rows]
        body = self.table._repr_html_() + _charts.intervals(lines, "Elo, 95 % intervals")
        return {
            "text/html": f"<div><p><b>{html.escape(self.title)}</b></p>{body}</div>",
            "text/plain": repr(self),
        }

    def plot(self) -> Any:
        """The ladder as an altair chart (``pip install '.[analysis]'``)."""
        from houserule._results import _altair

        altair = _altair()
        base = altair.Chart(self.table.to_polars()).encode(y=altair.Y("agent:N", sort=None, title=None))
        return base.mark_rule().encode(x=altair.X("low:Q", title="Elo"), x2="high:Q") + base.mark_point(
            filled=True
        ).encode(x="elo:Q", tooltip=["agent", "elo", "low", "high", "games"])
