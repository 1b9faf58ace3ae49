"""Recorded games again."""

from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from houserule import _native
from houserule._source import Source, game_of


@dataclass(frozen=True)
class Replayed:
    """A record that was played again."""

    line: int
    """Its line, from 1; of a journal its game."""
    record: dict[str, Any] | None
    """What it says; None if that can't be read."""
    state: _native.State | None
    """The state that it ends in, with its history; None if it does not play again."""
    problem: str | None
    """Where it differs, and how; None if it plays again exactly as recorded."""


class Replays(list[Replayed]):
    """The records of a file, played again."""

    @property
    def states(self) -> list[_native.State]:
        """The states of those that play again."""
        return [one.state for one in self if one.state is not None]

    @property
    def problems(self) -> list[str]:
        """What is wrong with the others: ``line 3: the record says …``."""
        return [f"line {one.line}: {one.problem}" for one in self if one.problem is not None]


def replay(
    records: str | os.PathLike[str] | Iterable[str | dict[str, Any]], game: Source | None = None
) -> Replays:
    """Plays recorded games again from their events, and compares all that they say.

    Parameters
    ----------
    records
        The path of a file of records (one JSON object a line) or of a journal; or the lines, or dicts.
    game
        What the records are of. By default they name it themselves.

    Raises
    ------
    OSError
        There is no such file.
    ValueError
        A journal can't be played again.
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
