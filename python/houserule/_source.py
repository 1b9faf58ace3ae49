"""What environments are made of: a name, a path, rule text, or a game."""

from __future__ import annotations

import os
import warnings
from typing import Any, Union

from houserule._native import Game, load, parse

Source = Union[str, "os.PathLike[str]", Game]
"""A bundled game's name (variants after ``+``), a path, rule text, or a game."""


def only_options(options: dict[str, Any] | None, *known: str) -> None:
    """Refuses options of a reset that mean nothing: ``ValueError``."""
    if told := _unknown(options, known):
        raise ValueError(told)


def told_options(options: dict[str, Any] | None) -> None:
    """Warns of options of a reset: for a library whose own tests give options that no environment knows."""
    if told := _unknown(options, ()):
        warnings.warn(f"{told}; it is not looked at", stacklevel=3)


def _unknown(options: dict[str, Any] | None, known: tuple[str, ...]) -> str | None:
    for name in options or {}:
        if name not in known:
            there = f"there is only {', '.join(map(repr, known))}" if known else "there are none"
            return f"`reset` has no option {name!r}: {there}"
    return None


def game_of(source: Source, players: int | None = None, params: dict[str, Any] | None = None, **settings: Any) -> Game:
    """The game of a name, a path or a text.

    Parameters
    ----------
    source
        What :func:`houserule.load` takes; a text with a ``{`` in it is what :func:`houserule.parse` takes; a
        game keeps what is not set here.
    players
        How many play; the fewest that the rules allow unless given.
    params, **settings
        Params by name.

    Raises
    ------
    RulesError
        The rules are wrong.
    ValueError
        There is no such game, param or number of players.
    """
    if isinstance(source, Game):
        game = source.with_params(params, **settings) if params or settings else source
        return game if players in (None, game.players) else game.with_players(players)
    text = os.fspath(source)
    make = parse if "{" in text else load
    return make(text, players=players, params=params, **settings)


def score_sign(game: Game) -> int:
    """1 if the most points are best in a game, -1 if the least are."""
    return 1 if game.score_direction == "most" else -1
