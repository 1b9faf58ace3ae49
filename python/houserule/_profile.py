"""Where the time of a game's rules goes."""

from __future__ import annotations

import json
from typing import Any

from houserule._tables import Table

_COSTS = "share microseconds evaluations instructions repeated".split()
_PLACE = "file line column".split()


class Profile:
    """The result of `Game.profile`: what random games spend their time on.

    Shares are measured and vary; evaluations and instructions are those of the seed. The share of a part or an expression
    has all that it uses in it, that of a line only what begins on it: the shares of the lines have the sum 1.
    """

    def __init__(self, report: str, text: str) -> None:
        self.report: dict[str, Any] = json.loads(report)
        """The profile as a dict, with the keys of ``houserule profile --json``."""
        self._text = text

    @property
    def parts(self) -> Table:
        """A table of defines, procedures, steps, options, score items and ends, the greatest share first. Its columns are
        ``kind``, ``name``, ``file``, ``line``, ``column``, ``share``, ``own_share``, ``microseconds``, ``evaluations``,
        ``instructions`` and ``repeated``."""
        costs = ["share", "own_share", *_COSTS[1:]]
        return Table.of_rows(["kind", "name", *_PLACE, *costs], self.report["parts"])

    @property
    def lines(self) -> Table:
        """A table of the lines in the order of the text, with the columns ``file``, ``line``, ``column``, ``text``,
        ``share``, ``microseconds``, ``evaluations``, ``instructions`` and ``repeated``."""
        return Table.of_rows([*_PLACE, "text", *_COSTS], self.report["lines"])

    @property
    def expressions(self) -> Table:
        """A table of expressions and statements in the order of the text, with the columns of `lines`."""
        return Table.of_rows([*_PLACE, "text", *_COSTS], self.report["expressions"])

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        games, decisions = self.report["games"], self.report["decisions"]
        return f"<Profile of {self.report['title']}: {games:,} games, {decisions:,} decisions>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/html": self.parts._repr_html_(), "text/plain": str(self)}
