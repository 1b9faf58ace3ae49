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
    start = (options or {}).get("start")
    decisions = (options or {}).get("decisions")
    if decisions is not None and not isinstance(start, dict):
        raise ValueError("options['decisions'] needs a record as options['start']")
    if start is None:
        return game.start(seed, index)
    if isinstance(start, dict):
        start = _of_record(game, start, decisions)
    if isinstance(start, _native.State):
        if start.game != game:
            raise ValueError(f"options['start'] is a state of {start.game!r}, and this is an environment of {game!r}")
        start = start.position()
    if not isinstance(start, str):
        raise TypeError(f"options['start'] must be a state, a position as text, or a record as a dict, not {type(start).__name__}")
    state = game.position(start, seed, index)
    if state.is_over:
        raise ValueError("options['start'] is a position in which the game is over: give one with a decision to take")
    return state


def _of_record(game: _native.Game, record: dict[str, Any], decisions: int | None) -> _native.State:
    ((_, _, state, problem),) = _native.replay([json.dumps(record)], game)
    if state is None:
        raise ValueError(f"options['start'] is a record that can't be replayed: {problem}")
    if decisions is None:
        return state
    if not 0 <= decisions <= state.decisions:
        raise ValueError(f"options['decisions'] is {decisions}, and the record has {state.decisions} decisions")
    # The chance events of a replayed record are steps of its history too. Those after the last decision stay.
    while state.decisions > decisions:
        state.undo()
    return state
