"""The most and the least that a game can come to."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from houserule import _native
from houserule._progress import progress as progress_of
from houserule._replay import replay
from houserule._source import Source, game_of
from houserule._tables import Table


def extremes(
    game: Source,
    of: str | Sequence[str] = (),
    seconds: float | None = None,
    seed: int = 1,
    progress: bool = False,
    chance: str = "friend",
) -> Extremes:
    """Finds the most and the least score, turns, rolls and decisions that are possible in a game.

    All players are one. Chance is their friend, so any sequence of legal actions and of possible outcomes is a game, or
    their enemy: then the result is what players can force.

    Parameters
    ----------
    game
        A game, a name, a path or rule text.
    of
        What to find: ``"score"``, ``"turns"``, ``"rolls"``, ``"decisions"``, or several of them. By default all that the
        game has.
    seconds
        The time of the search. By default a number of positions that takes up to a minute; the result then depends only
        on the seed.
    seed
        The seed of the search.
    progress
        Whether to show a progress bar.
    chance
        ``"friend"``: chance chooses for the extreme, as the players do. ``"enemy"``: chance chooses against it.

    Raises
    ------
    ValueError
        If there is no such quantity, or the game doesn't have it; with ``chance="enemy"``, if the game has no chance.

    Examples
    --------
    >>> found = extremes("tic-tac-toe", of="decisions")
    >>> [(one.extreme, one.value, one.proved) for one in found]
    [('most', 9, True), ('least', 5, True)]
    """
    names = [of] if isinstance(of, str) else list(of)
    loaded = game_of(game)
    with progress_of(progress, None, "positions") as show:
        report, text = _native.extremes(
            loaded, of=names, chance=chance, seconds=seconds, seed=seed, progress=show
        )
    return Extremes(report, text, loaded)


@dataclass(frozen=True)
class ExtremeFound:
    """The most or the least of a quantity."""

    of: str
    """``"score"``, ``"turns"``, ``"rolls"`` or ``"decisions"``."""
    seat: int | None
    """The seat, from 0, of a score; None for the others."""
    extreme: str
    """``"most"`` or ``"least"``."""
    value: int | None
    """The value; None if there is no limit, if no game was found, or if no end can be forced."""
    unlimited: bool
    """True if games can have more than any number."""
    proved: bool
    """True if no game has more, or less; false if it is the best that was found."""
    bound: int | None
    """A value that no game exceeds, if one is known."""
    method: str
    """How it was found or proved: ``"positions"``, ``"shortest"``, ``"bound"``, ``"loop"``, ``"search"`` or ``"enemy"``."""
    loop: tuple[int, int] | None
    """The first and the last event, from 1, that can be repeated if there is no limit."""
    record: dict[str, Any] | None
    """A game that shows it, as `simulate` records games; None if no game was found."""
    game: _native.Game
    """The game."""

    @property
    def state(self) -> _native.State | None:
        """The end of the game that shows it, with its history; a notebook draws it."""
        if self.record is None:
            return None
        return replay([self.record], self.game)[0].state


class Extremes(Sequence[ExtremeFound]):
    """The result of `extremes`: by quantity and seat, the most before the least."""

    def __init__(self, report: str, text: str, game: _native.Game) -> None:
        self.report: dict[str, Any] = json.loads(report)
        """The report as a dict, with the keys of ``houserule extremes --json``."""
        self._text = text
        self._game = game
        self._found = [_found(one, game) for one in self.report["extremes"]]

    def __getitem__(self, index: Any) -> Any:
        return self._found[index]

    def __len__(self) -> int:
        return len(self._found)

    def __iter__(self) -> Iterator[ExtremeFound]:
        return iter(self._found)

    def find(self, of: str, extreme: str, seat: int | None = None) -> ExtremeFound:
        """Returns one extreme, such as ``find("score", "most", seat=0)``. Without a seat, the first that fits.

        Raises
        ------
        KeyError
            If it is not in the result.
        """
        for one in self._found:
            if (one.of, one.extreme) == (of, extreme) and seat in (None, one.seat):
                return one
        raise KeyError(f"{extreme} {of}" + ("" if seat is None else f" of seat {seat}"))

    @property
    def table(self) -> Table:
        """A table with the columns ``of``, ``seat``, ``extreme``, ``value``, ``unlimited``, ``proved``, ``bound`` and
        ``method``."""
        columns = "of seat extreme value unlimited proved bound method".split()
        return Table.of_rows(columns, [{name: one[name] for name in columns} for one in self.report["extremes"]])

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        proved = sum(one.proved for one in self._found)
        return f"<Extremes of {self.report['title']}: {proved} of {len(self._found)} proved>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/html": self.table._repr_html_(), "text/plain": str(self)}


def _found(one: dict[str, Any], game: _native.Game) -> ExtremeFound:
    loop = one["loop"]
    return ExtremeFound(
        **{name: one[name] for name in "of seat extreme value unlimited proved bound method record".split()},
        loop=None if loop is None else (loop["first"], loop["last"]),
        game=game,
    )
