"""Reports on what the rules do to a game: the questions of a designer, answered by figures."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from houserule._agents import Agent, Count, at_least_one, name_of, no_games_and_seconds
from houserule._metrics import precision_list
from houserule._source import Source, game_of
from houserule._tables import Table
from houserule._workers import On, here_or_on

WHOLE = 1000
"""What progress counts to."""


def report(
    source: Source,
    games: Count | None = None,
    agent: Agent | None = None,
    quick: bool = False,
    seed: int = 1,
    threads: int | None = None,
    progress: bool = False,
    decision_seconds: float = 10.0,
    roll_seconds: float = 5.0,
    counting_seconds: float = 60.0,
    on: On | None = None,
    *,
    seconds: float | None = None,
    precision: Mapping[str, float] | None = None,
) -> Report:
    """Plays a game with random, greedy and strong players, and reports what its rules do.

    It answers: who wins, is it fair, how long does it take, when is it decided, is there anything to decide, luck or
    skill, which rules do something, what is on the board. ``docs/metrics.md`` defines every figure.

    Parameters
    ----------
    source
        A game, a name, a path or a rule text.
    games
        The number of games of the strong player. By default as many as a minute or two allow.
    agent
        The strong player: a name or a player. The default is ``learned``, of which two are trained.
    quick
        At most 10 seconds, instead of 3 minutes, with the best player that can be had so soon. With ``games`` or ``on``
        nothing is measured by the clock: the player is the same on every machine, and it may take longer.
    seed, threads, progress
        As for `simulate`.
    decision_seconds, roll_seconds, counting_seconds
        How long people take, for the length in minutes.
    on
        Other processes or machines that play, as for `simulate`, with the same results. Without it, this process.
    seconds
        The time of the report, instead of ``games``: more time is for more games of the strong player, at most 20,000.
        What isn't finished then is missing.
    precision
        Play until the figures of these metrics have 95 % intervals this narrow for the strong player:
        ``{"score": 0.5, "drama": 0.01}`` for half of the width. ``games`` is then the maximum, by default 20,000.

    Raises
    ------
    ValueError
        If there is no such agent or metric, or seconds are negative.
    """
    pace = (float(decision_seconds), float(roll_seconds), float(counting_seconds))
    if not all(0 <= seconds < float("inf") for seconds in pace):
        raise ValueError(f"seconds must be 0 or more, found {pace}")
    no_games_and_seconds(games, seconds)
    args = (game_of(source), [] if agent is None else [(name_of(agent), agent)])
    games = None if games is None else at_least_one(games)
    options: dict[str, Any] = {"games": games, "quick": quick, "pace": pace, "seed": seed}
    if quick and precision:
        raise ValueError("`precision` is of the strong player's games, and `quick` plays none")
    budget = {"seconds": seconds, "precision": precision_list(precision)}
    return Report(*here_or_on("report", args, options, budget, threads, on, progress, (WHOLE, "parts of 1,000")))


class Report:
    """The result of `report`. A notebook shows the page."""

    def __init__(self, page: str, text: str, markdown: str, html: str) -> None:
        self.page: dict[str, Any] = json.loads(page)
        """The report as a dict, with the keys of ``houserule report --json``."""
        self.html = html
        """The report as a self-contained HTML file."""
        self.markdown = markdown
        """The report as Markdown."""
        self._text = text

    @property
    def figures(self) -> Table:
        """A table with a row for each figure.

        Columns: ``section``, ``metric``, ``label``, ``agent``, ``value``, ``low``, ``high`` (95 % confidence interval),
        ``unit`` (``share``, ``difference``, ``number``, ``points``, ``minutes``, ``elo``). Shares are from 0 to 1.
        """
        sections = self.page["sections"]
        rows = [{**figure, "section": section["id"]} for section in sections for figure in section["figures"]]
        return Table.of_rows("section metric label agent value low high unit".split(), rows)

    @property
    def first(self) -> list[str]:
        """What is out of the ordinary, as a sentence each; at most three."""
        return [flag["sentence"] for flag in self.page["first"]]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the report to a file, by its ending: ``.html``, ``.md`` or ``.json``.

        Raises
        ------
        ValueError
            If the ending is another.
        """
        forms = {".html": self.html, ".md": self.markdown, ".json": json.dumps(self.page, indent=2) + "\n"}
        file = Path(path)
        if file.suffix not in forms:
            raise ValueError(f"the name of a report must end in .html, .md or .json, found {file.name!r}")
        file.write_text(forms[file.suffix], encoding="utf-8")

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<Report: {self.page['game']}>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        # A frame keeps the page's styles apart from the notebook's.
        frame = self.html.replace("&", "&amp;").replace('"', "&quot;")
        shown = f'<iframe srcdoc="{frame}" style="width:100%;height:40rem;border:0" title="Report"></iframe>'
        return {"text/html": shown, "text/plain": str(self)}
