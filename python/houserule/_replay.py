"""Replays of recorded games."""

from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from houserule import _native
from houserule._source import Source, game_of


#: Maximum number of replayed records that a text shows.
_SHOWN = 10


@dataclass(frozen=True, repr=False)
class Replayed:
    """A replayed record."""

    line: int
    """The line of the record, or the game of a journal, counted from 1."""
    record: dict[str, Any] | None
    """The record as a dict; None if it can't be read."""
    state: _native.State | None
    """The final state with its history; None if the replay failed."""
    problem: str | None
    """Where the replay differs from the record, and how; None if they agree."""

    def __repr__(self) -> str:
        what = repr(self.state) if self.problem is None else self.problem
        return f"<Replayed line {self.line}: {what}>"


class Replays(list[Replayed]):
    """The replayed records of a file."""

    def __repr__(self) -> str:
        games = dict.fromkeys(state.game.name for state in self.states)
        wrong = len(self.problems)
        head = f"<Replays: {len(self):,} record{'s' * (len(self) != 1)} of {', '.join(games) or 'no game'}, {wrong:,} with problems>"
        shown = [repr(one) for one in self[:_SHOWN]]
        more = len(self) - len(shown)
        return "\n".join([head, *shown, *([f"… and {more:,} more"] if more else [])])

    @property
    def states(self) -> list[_native.State]:
        """The final states of the successful replays."""
        return [one.state for one in self if one.state is not None]

    @property
    def problems(self) -> list[str]:
        """The problems of the other records: ``line 3: the record says …``."""
        return [f"line {one.line}: {one.problem}" for one in self if one.problem is not None]


def replay(
    records: str | os.PathLike[str] | Iterable[str | dict[str, Any]], game: Source | None = None
) -> Replays:
    """Replays recorded games from their events, and compares them with everything that the records contain.

    Parameters
    ----------
    records
        The path of a file of records (one JSON object in each line) or of a journal; or an iterable of lines or dicts.
    game
        The game of the records. By default the game that each record names.

    Raises
    ------
    OSError
        If the file doesn't exist or can't be read.
    ValueError
        If a journal can't be replayed.
    """
    if isinstance(records, (str, os.PathLike)):
        source: pathlib.Path | list[str] = pathlib.Path(records)
    else:
        source = [line if isinstance(line, str) else json.dumps(line) for line in records]
    found = _native.replay(source, None if game is None else game_of(game))
    return Replays(Replayed(line, _read(text), state, problem) for line, text, state, problem in found)


def _read(text: str) -> dict[str, Any] | None:
    try:
        record = json.loads(text)
    except ValueError:
        return None
    return record if isinstance(record, dict) else None
