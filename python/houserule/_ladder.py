"""The relative strength of agents: Elo ratings by maximum likelihood."""

from __future__ import annotations

import html
import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from houserule import _charts, _native
from houserule._agents import Agent, Count, at_least_one, name_of
from houserule._progress import progress as progress_of
from houserule._results import one_by_one
from houserule._source import Source, game_of, score_sign
from houserule._tables import Table


def ladder(
    agents: Sequence[Agent] | Mapping[str, Agent],
    game: Source,
    games: Count = 1000,
    seed: int = 1,
    threads: int | None = None,
    progress: bool = False,
    first: int = 0,
) -> Ladder:
    """Plays games between every pair of agents, and rates the agents.

    Each pair plays every game twice, with the sides swapped. An agent decides for all players of its side, a player or
    a team. In a one-player game both agents play the same dice, and the better score wins.

    Parameters
    ----------
    agents
        Names, trained players and callables, or a mapping from display names to these.
    game
        A game of one player or of two sides: a game, a name, a path or rule text.
    games
        The number of games of each pair, rounded up to an even number. In one-player games, the number of games of
        each agent.
    seed, threads, progress, first
        As for `simulate`.

    Notes
    -----
    The model is that of Bradley and Terry (1952), with draws as in Davidson (1970) and an advantage of the first seat
    as in Davidson and Beaver (1977): the first player wins, draws or loses in the proportions
    πₐγ : ν√(πₐγπᵦ) : πᵦ. The likelihood is that of a multinomial logit, so it has a single maximum, which is found
    by Newton's method. One virtual game of each pair, half won and half lost, keeps the maximum finite.

    Confidence intervals are ± 1.96 standard errors of the difference from the mean of all. A standard error is the
    greater of two: that of the observed information, and that of White's sandwich estimator (1982) with the games of
    one seed as a cluster (Liang and Zeger 1986), because they share their dice.

    Raises
    ------
    ValueError
        If there are fewer than two agents, two have the same name, or the game has more than two
        sides, or several players who are all one side.

    Examples
    --------
    >>> found = ladder(["random", "greedy"], "tic-tac-toe", games=200)
    >>> found.rows[0]["agent"]
    'greedy'
    """
    loaded = game_of(game)
    sides = loaded.sides
    if loaded.players > 1 and len(set(sides)) == 1:
        raise ValueError("a ladder plays agents against each other, and here all players win or lose together: use `simulate`")
    if len(set(sides)) > 2:
        raise ValueError(f"a ladder needs a game for one player or for two sides, not for {len(set(sides))}: use `evaluate`")
    if isinstance(agents, Mapping):
        names, players = list(agents), list(agents.values())
    else:
        players = list(agents)
        names = [name_of(agent) for agent in players]
    if len(players) < 2:
        raise ValueError("a ladder needs two agents or more")
    if len(set(names)) < len(names):
        raise ValueError(f"two agents have the same name in {names}: give a mapping from names to agents")
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
                    seats = play([players[(first, second)[side]] for side in sides])
                    own = seats["seat"] == 0
                    found.append((first, second, seats["index"][own], np.sign(2 * seats["win_share"][own] - 1).astype(int)))
    return rate(names, found, alone=alone, title=loaded.title)


def rate(
    names: Sequence[str],
    found: Sequence[tuple[int, int, np.ndarray[Any, Any], np.ndarray[Any, Any]]],
    *,
    alone: bool = False,
    title: str = "",
) -> Ladder:
    """Rates players by the results of their games.

    Each pairing in ``found`` has the first and the second player, as indices of ``names``, and two arrays of shape
    (games,): the index of each game, and its result for the first player, 1, 0 or -1. With ``alone`` there is no
    advantage of the first seat.
    """
    players, pairs, first_seat = _native.rate(
        len(names),
        [
            (first, second, np.ascontiguousarray(index, np.uint64), np.ascontiguousarray(result, np.int8))
            for first, second, index, result in found
        ],
        alone,
    )
    order = sorted(range(len(names)), key=lambda at: -players[at][0])
    rows = []
    for at in order:
        elo, se, games, points, draws = players[at]
        rows.append(
            {
                "agent": names[at],
                "elo": elo,
                "low": elo - 1.959964 * se,
                "high": elo + 1.959964 * se,
                "se": se,
                "games": games,
                "points": points,
                "draws": draws,
            }
        )
    return Ladder(title, list(names), rows, np.array(pairs), first_seat)


class Ladder:
    """The result of `ladder`."""

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
        """The names of the agents, in the given order."""
        self.rows = rows
        """A dict for each agent, best first: ``agent``, ``elo`` (the mean of all is 0), ``low`` and ``high`` (its 95 %
        confidence interval), ``se`` (its standard error), ``games``, ``points`` (the share of games won, where a draw
        counts half), ``draws`` (the share of draws)."""
        self.pairs = pairs
        """The points of each agent (row) against each other (column), as a share of their games: shape (n, n), in the
        order of `names`."""
        self.first_seat = first_seat
        """The advantage of the first seat, or of its side, in Elo; None in one-player games."""

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
        """Returns the ladder as an altair chart (``pip install '.[analysis]'``)."""
        from houserule._results import _altair

        altair = _altair()
        base = altair.Chart(self.table.to_polars()).encode(y=altair.Y("agent:N", sort=None, title=None))
        return base.mark_rule().encode(x=altair.X("low:Q", title="Elo"), x2="high:Q") + base.mark_point(
            filled=True
        ).encode(x="elo:Q", tooltip=["agent", "elo", "low", "high", "games"])
