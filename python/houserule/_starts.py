"""Positions in which the games of an environment start: endgames, curricula, positions of recorded games."""

from __future__ import annotations

import json
from typing import Any

from houserule import _native

OPTIONS = ("start", "decisions")
"""The options of ``reset`` that :func:`started` reads."""


def started(game: _native.Game, seed: int, index: int, options: dict[str, Any] | None = None) -> _native.State:
    """Returns the start of game `index` of a run or, with the option ``"start"``, that game from another position on.

    Its dice are those of the seed and index, so that a position is played on differently by each game. The past of the
    position, which ``repeated`` counts, isn't kept.

    Parameters
    ----------
    options
        ``"start"``: a state, a position as text, or the record of a game as a dict. ``"decisions"``: with a record, the
        number of its decisions after which the game starts; without it the last position.

    Raises
    ------
    TypeError
        If the start is none of these.
    ValueError
        If the text isn't a position of the game, the state or record is of another game, the record can't be replayed
        or has fewer decisions, or the game is over in the position.
    """
    position = next_position(game, options)
    if position is None:
        return game.start(seed, index)
    state = game.position(position, seed, index)
    if state.is_over:
        raise ValueError("options['start'] is a position in which the game is over: give one with a decision to take")
    return state


def positions_of(game: _native.Game, starts: Any) -> list[str]:
    """Returns a list of starts as positions in text. None is an empty list.

    Raises
    ------
    TypeError, ValueError
        As :func:`position_of`. The message says which start it is.
    """
    if starts is None:
        return []
    if isinstance(starts, (str, dict, _native.State)):
        raise TypeError("starts must be a list: write [start] for a single one")
    return [position_of(game, start, f"starts[{number}]") for number, start in enumerate(starts)]


def next_positions(game: _native.Game, options: dict[str, Any] | None, count: int) -> list[str | None] | None:
    """Returns the option ``"starts"`` of a reset as positions in text: one for each environment, or None without the option.

    Raises
    ------
    ValueError
        If the list has another length, and as :func:`position_of`.
    """
    starts = (options or {}).get("starts")
    if starts is None:
        return None
    if not isinstance(starts, list):
        return [position_of(game, starts, "options['starts']")] * count
    if len(starts) != count:
        raise ValueError(f"options['starts'] has {len(starts)} starts for {count} environments: give one for all, or one or None for each")
    named = ((start, f"options['starts'][{number}]") for number, start in enumerate(starts))
    return [None if start is None else position_of(game, start, name) for start, name in named]


def next_position(game: _native.Game, options: dict[str, Any] | None) -> str | None:
    """Returns the options ``"start"`` and ``"decisions"`` of a reset as a position in text, or None without them.

    Raises
    ------
    TypeError, ValueError
        As :func:`position_of`, or if there are decisions without a record.
    """
    start = (options or {}).get("start")
    decisions = (options or {}).get("decisions")
    if decisions is not None and not isinstance(start, dict):
        raise ValueError("options['decisions'] needs a record as options['start']")
    if start is None:
        return None
    return position_of(game, start if decisions is None else (start, decisions))


def position_of(game: _native.Game, start: Any, name: str = "options['start']") -> str:
    """Returns a start as a position in text.

    Parameters
    ----------
    start
        A state, a position as text, the record of a game as a dict, or a record and the number of its decisions after
        which the game starts.
    name
        The name of the start in messages.

    Raises
    ------
    TypeError
        If the start is none of these.
    ValueError
        If the state or record is of another game, or the record can't be replayed or has fewer decisions.
    """
    decisions = None
    if isinstance(start, tuple) and len(start) == 2 and isinstance(start[0], dict):
        start, decisions = start
    if isinstance(start, dict):
        start = _of_record(game, start, decisions, name)
    if isinstance(start, _native.State):
        if start.game != game:
            raise ValueError(f"{name} is a state of {start.game!r}, and this is an environment of {game!r}")
        start = start.position()
    if not isinstance(start, str):
        raise TypeError(f"{name} must be a state, a position as text, or a record as a dict, not {type(start).__name__}")
    return start


def _of_record(game: _native.Game, record: dict[str, Any], decisions: int | None, name: str) -> _native.State:
    ((_, _, state, problem),) = _native.replay([json.dumps(record)], game)
    if state is None:
        raise ValueError(f"{name} is a record that can't be replayed: {problem}")
    if decisions is None:
        return state
    if not 0 <= decisions <= state.decisions:
        raise ValueError(f"options['decisions'] is {decisions}, and the record has {state.decisions} decisions")
    # The chance events of a replayed record are steps of its history too. Those after the last decision stay.
    while state.decisions > decisions:
        state.undo()
    return state
