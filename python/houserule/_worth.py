"""What each rule of a game is worth."""

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


def worth(
    game: Source,
    games: Count | None = None,
    agents: Agents | None = None,
    seed: int = 1,
    threads: int | None = None,
    only: str | Sequence[str] = (),
    progress: bool = False,
    quick: bool = False,
    on: On | None = None,
    *,
    seconds: float | None = None,
    precision: Mapping[str, float] | None = None,
) -> Worth:
    """Removes each rule of a game in turn, and plays the game with and without it on the same seeds.

    Rules are the options, the items of the score, the ends, params that can be 0, and the changes of variants.

    Parameters
    ----------
    game
        A game, name, path or rule text.
    games
        The number of games with and without each rule. By default as many as take a few seconds a rule.
    agents
        An agent or several; each in turn plays all seats. The default is ``random``, ``greedy`` and ``learned``, for
        which two players are trained for the game, and two for the game without each rule.
    seed, threads, progress
        As for `simulate`.
    only
        The names of rules, such as ``"joker"`` or ``"end full"``; by default all.
    quick
        At most 10 seconds: train no players. With ``games``, ``seconds``, ``precision`` or ``on``, only that.
    on
        Other processes or machines that play, as for `simulate`, with the same results. Without it, this process.
    seconds
        The time of the study, instead of ``games``; training takes part of it.
    precision
        End when the differences of these metrics have 95 % intervals this narrow, for every rule and agent, as for
        `compare`. ``games`` is then the maximum, by default 10,000,000.

    Raises
    ------
    ValueError
        If there is no such agent or rule.
    """
    chosen = () if agents is None else agents
    kinds = [chosen] if is_agent(chosen) else list(cast("Sequence[Agent]", chosen))
    no_games_and_seconds(games, seconds)
    options: dict[str, Any] = {
        "learns": not quick,
        "only": [only] if isinstance(only, str) else list(only),
        "games": None if games is None else at_least_one(games),
        "seed": seed,
    }
    args = (game_of(game), [(name_of(kind), kind) for kind in kinds])
    limits = {"seconds": seconds, "precision": precision_list(precision)}
    return Worth(*here_or_on("worth", args, options, limits, threads, on, progress, (1000, "‰")))


class Worth:
    """The result of `worth`."""

    def __init__(self, report: str, text: str, note: str) -> None:
        self.report: dict[str, Any] = json.loads(report)
        """The report as a dict, with the keys of ``houserule worth --json``."""
        self.note = note
        """A note on how to read the figures."""
        self._text = text

    @property
    def rules(self) -> Table:
        """A table with a row for each rule and each figure of each agent; those that change most first.

        Columns: ``rule`` (its label), ``kind``, ``name``, ``agent``, ``restricted`` (true: the same player against
        itself without the option), ``quantity``, ``seat``, ``label``, ``without``, ``with`` (the means), ``difference``
        (with − without), ``low``, ``high`` (its 95 % confidence interval), ``se``, ``p``, ``p_corrected`` (by Holm's
        method), ``differs``, ``games`` (pairs of ``agent``). Proportions are from 0 to 1.
        """
        rows = [
            {
                **q,
                "rule": f"{rule['kind']} {rule['name']}",
                "kind": rule["kind"],
                "name": rule["name"],
                "agent": agent["agent"],
                "games": agent["games"],
                "restricted": restricted,
                "quantity": q["kind"],
                "without": q["a"]["mean"],
                "with": q["b"]["mean"],
            }
            for rule in self.report["rules"]
            for agent in rule["agents"]
            for restricted in (False, True)
            for q in agent["restricted" if restricted else "changes"]
        ]
        names = "rule kind name agent restricted quantity seat label without with difference low high se p p_corrected differs games"
        return Table.of_rows(names.split(), rows)

    @property
    def fixed(self) -> dict[str, str]:
        """The rules that can't be removed, each with the reason."""
        return {f"{rule['kind']} {rule['name']}": rule["reason"] for rule in self.report["fixed"]}

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<Worth: {len(self.report['rules'])} rules of {self.report['game']}>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        parts = [f"<p><b>What each rule of {html.escape(self.report['title'])} is worth</b></p>"]
        for name in self.report["agents"]:
            found = [(rule, agent) for rule in self.report["rules"] for agent in rule["agents"] if agent["agent"] == name]
            shown = [
                (f"{rule['kind']} {rule['name']}", *(agent["points"][key] for key in ("mean", "low", "high")))
                for rule, agent in found
                if agent["points"] is not None and agent["points"]["low"] is not None
            ]
            if shown:
                parts.append(f"<p>{html.escape(name)} players</p>")
                parts.append(_charts.intervals(shown, "Points that the rule brings", zero=True))
        parts.append(f"<pre>{html.escape(str(self))}</pre>")
        return {"text/html": f"<div>{''.join(parts)}</div>", "text/plain": str(self)}
