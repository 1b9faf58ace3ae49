"""Exact odds of expressions with dice, and of games."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from houserule import _charts, _native
from houserule._progress import progress as progress_of
from houserule._source import Source, game_of
from houserule._tables import Table

#: The beginning of a rule text.
_RULES = re.compile(r'\b(?:game|variant)\s*"')


def odds(
    what: Source,
    of: str | None = None,
    agents: str | Sequence[str] = (),
    params: dict[str, Any] | None = None,
    players: int | None = None,
    progress: bool = False,
) -> Odds:
    """Computes the exact distribution of an expression with dice, or of a game in which nobody or a fixed player decides.

    Parameters
    ----------
    what
        An expression of the rule language in which dice are written in place, such as ``"max(2d6)"``; or a game, a name, a
        path or rule text.
    of
        What is asked of a game: ``"score"``, ``"winner"``, ``"turns"``, ``"rolls"``, ``"decisions"`` or an expression at its
        end. By default the score, else the winner, else the turns.
    agents
        Who decides, one for all seats or one for each: ``"random"`` or ``"exact"``. By default nobody, for games without
        decisions.
    params
        Params of the game by name.
    players
        The number of players.
    progress
        Whether to show a progress bar.

    Raises
    ------
    RulesError
        If the expression or the rules are invalid.
    ValueError
        If the game has decisions and no agents, doesn't have what is asked, or is too large.

    Examples
    --------
    >>> found = odds("max(2d6)")
    >>> found.fractions[6], found.at_least(5), found.quantile(0.5)
    (Fraction(11, 36), 0.5555555555555556, 5)
    """
    is_text = isinstance(what, str) and not _RULES.search(what)
    if isinstance(what, str) and is_text and _native.is_expression(what):
        if params or players is not None:
            raise ValueError(f"{what!r} is an expression; params and players are for games")
        game, expression = None, what
    else:
        # A name of a game has no braces, so rule text is not mistaken for one.
        game, expression = game_of(what, players, params), None
    names = agents.split(",") if isinstance(agents, str) else [os.fspath(agent) for agent in agents]
    with progress_of(progress, None, "states") as show:
        report, text = _native.odds(game, expression, of=of, agents=names, progress=show)
    return Odds(report, text)


class Distribution:
    """The distribution of a quantity, for a seat or for the whole game."""

    def __init__(self, report: dict[str, Any], name: str) -> None:
        self.report = report
        """The distribution as a dict, one of ``distributions`` of ``houserule odds --json``."""
        self._name = name

    @property
    def seat(self) -> int | None:
        """The seat, from 0, if each has its own distribution."""
        seat: int | None = self.report["seat"]
        return seat

    @property
    def mean(self) -> float:
        """The mean; not a number for the winner."""
        mean = self.report["mean"]
        return float("nan") if mean is None else float(mean["decimal"])

    @property
    def mean_fraction(self) -> Fraction | None:
        """The mean as a fraction; None if it isn't known."""
        mean = self.report["mean"]
        return None if mean is None or mean["fraction"] is None else Fraction(mean["fraction"])

    @property
    def sd(self) -> float:
        """The standard deviation; not a number for the winner."""
        sd = self.report["sd"]
        return float("nan") if sd is None else float(sd)

    @property
    def probabilities(self) -> dict[Any, float]:
        """The probability of each value, in order; winners have their names."""
        return {_key(one): one["probability"]["decimal"] for one in self.report["values"]}

    @property
    def fractions(self) -> dict[Any, Fraction]:
        """The probability of each value as a fraction. Empty if the odds aren't exact."""
        known = [one for one in self.report["values"] if one["probability"]["fraction"] is not None]
        return {_key(one): Fraction(one["probability"]["fraction"]) for one in known}

    def at_least(self, value: int) -> float:
        """Returns the probability of ``value`` or more."""
        return next((one["at_least"]["decimal"] for one in self.report["values"] if one["value"] >= value), 0.0)

    def at_most(self, value: int) -> float:
        """Returns the probability of ``value`` or less."""
        return next((one["at_most"]["decimal"] for one in reversed(self.report["values"]) if one["value"] <= value), 0.0)

    def quantile(self, share: float) -> int:
        """Returns the lowest value that at least a ``share`` of the games doesn't exceed.

        Raises
        ------
        ValueError
            If the share isn't from 0 to 1.
        """
        if not 0 <= share <= 1:
            raise ValueError(f"share={share} must be from 0 to 1")
        values = self.report["values"]
        reached = (one["value"] for one in values if one["at_most"]["decimal"] >= share - 1e-12)
        found: int = next(reached, values[-1]["value"])
        return found

    @property
    def table(self) -> Table:
        """A table with the columns ``value``, ``probability``, ``at_least``, ``at_most`` and ``fraction``."""
        columns = "value probability at_least at_most fraction".split()
        rows = [
            {
                "value": _key(one),
                **{name: one[name]["decimal"] for name in columns[1:4]},
                "fraction": one["probability"]["fraction"],
            }
            for one in self.report["values"]
        ]
        return Table.of_rows(columns, rows)

    def __repr__(self) -> str:
        if self.report["mean"] is None:
            return f"<Distribution of {self._name}: {len(self.report['values'])} results>"
        return f"<Distribution of {self._name}: mean {self.mean:.6g}, sd {self.sd:.6g}>"

    def _repr_html_(self) -> str:
        if self.report["mean"] is None:
            return self.table._repr_html_()
        # A chart counts integers, here parts of a million millions.
        counts = [(one["value"], round(one["probability"]["decimal"] * 10**12)) for one in self.report["values"]]
        head = f"<p>mean {self.mean:.6g}, standard deviation {self.sd:.6g}</p>"
        return _charts.histogram(counts, self._name) + head + self.table._repr_html_()


class Odds(Sequence[Distribution]):
    """The result of `odds`: a distribution for each seat, or one. Figures of the first are figures of the result."""

    def __init__(self, report: str, text: str) -> None:
        self.report: dict[str, Any] = json.loads(report)
        """The result as a dict, with the keys of ``houserule odds --json``."""
        self._text = text
        self._found = [Distribution(one, self.report["of"]) for one in self.report["distributions"]]

    def __getitem__(self, index: Any) -> Any:
        return self._found[index]

    def __len__(self) -> int:
        return len(self._found)

    def __iter__(self) -> Iterator[Distribution]:
        return iter(self._found)

    @property
    def exact(self) -> bool:
        """True if all numbers are exact and have fractions."""
        exact: bool = self.report["exact"]
        return exact

    @property
    def mean(self) -> float:
        """The mean."""
        return self._found[0].mean

    @property
    def mean_fraction(self) -> Fraction | None:
        """The mean as a fraction; None if it isn't known."""
        return self._found[0].mean_fraction

    @property
    def sd(self) -> float:
        """The standard deviation."""
        return self._found[0].sd

    @property
    def probabilities(self) -> dict[Any, float]:
        """The probability of each value, in order."""
        return self._found[0].probabilities

    @property
    def fractions(self) -> dict[Any, Fraction]:
        """The probability of each value as a fraction. Empty if the odds aren't exact."""
        return self._found[0].fractions

    def at_least(self, value: int) -> float:
        """Returns the probability of ``value`` or more."""
        return self._found[0].at_least(value)

    def at_most(self, value: int) -> float:
        """Returns the probability of ``value`` or less."""
        return self._found[0].at_most(value)

    def quantile(self, share: float) -> int:
        """Returns the lowest value that at least a ``share`` of the games doesn't exceed."""
        return self._found[0].quantile(share)

    @property
    def table(self) -> Table:
        """The table of the first distribution."""
        return self._found[0].table

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        known = "exact" if self.exact else f"to within {self.report['bound']:.0e}"
        if self.report["distributions"][0]["mean"] is None:
            return f"<Odds of {self.report['of']} in {self.report['title']}: {known}>"
        return f"<Odds of {self.report['of']}: mean {self.mean:.6g}, sd {self.sd:.6g}, {known}>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/html": "".join(one._repr_html_() for one in self._found), "text/plain": str(self)}


def _key(one: dict[str, Any]) -> Any:
    return one["value"] if one["name"] is None else one["name"]
