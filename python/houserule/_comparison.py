"""Comparisons of two games on the same dice, with tests of the differences."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from houserule import _charts
from houserule._agents import Agent, Agents, Count, at_least_one, is_agent, name_of, no_games_and_seconds
from houserule._metrics import precision_list
from houserule._source import Source, game_of
from houserule._tables import Table
from houserule._workers import On, here_or_on


def compare(
    a: Source,
    b: Source,
    games: Count | None = None,
    agents: Agents | None = None,
    seed: int = 1,
    threads: int | None = None,
    match: bool = False,
    progress: bool = False,
    quick: bool = False,
    on: On | None = None,
    *,
    seconds: float | None = None,
    precision: Mapping[str, float] | None = None,
) -> Comparison:
    """Compares two games by playing both with the same seeds. Each agent in turn plays all seats.

    Parameters
    ----------
    a, b
        Games, names, paths or rule texts.
    games
        The number of games of each; with ``match``, of matches. By default as many as take a few seconds.
    agents
        An agent or several. By default ``random``, the best player that needs little time and, except for matches, a
        learned one, for which two players are trained for each game; with ``on``, ``random``, ``greedy`` and
        ``learned``. ``report["depends"]`` lists what depends on the strength of play.
    seed, threads, match, progress
        As for `simulate`.
    quick
        At most 10 seconds, instead of 3 minutes: train no players for long.
    on
        Other processes or machines that play, as for `simulate`, with the same results. Without it, this process.
    seconds
        The time of the comparison, instead of ``games``; training takes part of it.
    precision
        Half the width of the 95 % interval of a difference at which the comparison ends, by metric: ``{"score": 0.5}``.
        ``games`` is then the maximum.

    Raises
    ------
    ValueError
        If there is no such agent, or the rules don't define matches.
    """
    if agents is None and on is None:
        agents = ()
    elif agents is None:
        agents = ("random", "greedy") if quick or match else ("random", "greedy", "learned")
    kinds = [agents] if is_agent(agents) else list(cast("Sequence[Agent]", agents))
    no_games_and_seconds(games, seconds)
    games = None if games is None else at_least_one(games)
    total = None if games is None or precision or not kinds else games * len(kinds)
    args = (game_of(a), game_of(b), [(name_of(kind), kind) for kind in kinds])
    options: dict[str, Any] = {"games": games, "seed": seed, "match_play": match, "quick": quick}
    budget = {"seconds": seconds, "precision": precision_list(precision)}
    return Comparison(*here_or_on("compare", args, options, budget, threads, on, progress, (total, "pairs")))


class Comparison:
    """The result of `compare`."""

    def __init__(self, report: str, text: str, note: str) -> None:
        self.report: dict[str, Any] = json.loads(report)
        """The report as a dict, with the keys of ``houserule compare --json``."""
        self.note = note
        """A note on how to read the comparison."""
        self._text = text

    @property
    def verdict(self) -> str:
        """What the second rules change for the best players that played, in a paragraph."""
        return str(self.report["verdict"])

    @property
    def differs(self) -> bool:
        """True if any quantity differs for any agent."""
        return any(q["differs"] for agent in self.report["agents"] for q in agent["quantities"])

    @property
    def sentences(self) -> list[str]:
        """The differences, as one sentence each."""
        quantities = (q for agent in self.report["agents"] for q in agent["quantities"])
        return [q["sentence"] for q in quantities if q["sentence"]]

    @property
    def quantities(self) -> Table:
        """A table with a row for each agent and each quantity that both games have.

        Columns: ``agent``, ``quantity``, ``name``, ``seat``, ``label``, ``a``, ``b`` (the means), ``difference``
        (b − a), ``low``, ``high`` (its 95 % confidence interval), ``se`` (its standard error), ``relative``, ``p``,
        ``p_corrected`` (by Holm's method), ``differs``, ``differing`` (pairs), ``games`` (pairs). Proportions are from
        0 to 1.
        """
        rows = [
            {
                **q,
                "agent": agent["agent"],
                "games": agent["games"],
                "quantity": q["kind"],
                "a": q["a"]["mean"],
                "b": q["b"]["mean"],
            }
            for agent in self.report["agents"]
            for q in agent["quantities"]
        ]
        names = "agent quantity name seat label a b difference low high se relative p p_corrected differs differing games"
        return Table.of_rows(names.split(), rows)

    def __add__(self, other: object) -> Comparison:
        """Raises a ``ValueError``: the tests of a comparison are made once, over all pairs of games.

        Raises
        ------
        ValueError
            Always.
        """
        if not isinstance(other, Comparison):
            return NotImplemented
        raise ValueError(
            "comparisons can't be added, because a difference is tested once, over all pairs: compare again with more `games`"
        )

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<Comparison: {self.report['a']['game']} and {self.report['b']['game']}>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        a, b = (self.report[side] for side in ("a", "b"))
        parts = [f"<p><b>{html.escape(a['title'])} and {html.escape(b['title'])}</b></p>"]
        for agent in self.report["agents"]:
            parts.append(f"<p>{html.escape(agent['agent'])} players, {agent['games']:,} games of each</p>")
            parts.append(_agent_html(agent))
            shown = [
                (q["label"], q["relative"], *(q[end] / abs(q["a"]["mean"]) for end in ("low", "high")))
                for q in agent["quantities"]
                if q["differs"] and q["relative"] is not None and q["low"] is not None
            ]
            parts.append(_charts.intervals(shown, "Difference as a part of the first mean", zero=True))
        parts.append(f"<p>{html.escape(self.note)}</p>")
        return {"text/html": f"<div>{''.join(parts)}</div>", "text/plain": str(self)}


def _agent_html(agent: dict[str, Any]) -> str:
    lines = []
    for q in agent["quantities"]:
        if q["same_as"] is not None or q["constant"]:
            continue
        interval = "" if q["low"] is None else f"{q['low']:+,.4g} to {q['high']:+,.4g}"
        figures = (f"{q['a']['mean']:,.4g}", f"{q['b']['mean']:,.4g}", f"{q['difference']:+,.4g}", interval)
        cells = "".join(f"<td>{cell}</td>" for cell in (*figures, f"{q['p_corrected']:.2g}"))
        weight = "bold" if q["differs"] else "normal"
        label = html.escape(q["label"])
        lines.append(f'<tr style="font-weight:{weight}"><td style="text-align:left">{label}</td>{cells}</tr>')
    head = "".join(f"<th>{name}</th>" for name in ("", "A", "B", "B − A", "95 % interval", "p (Holm)"))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
