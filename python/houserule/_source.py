"""Sources of games: a name, a path, rule text, or a game."""

from __future__ import annotations

import inspect
import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Union

from houserule._native import Game, load, parse
from houserule._rules import RuleSets

if TYPE_CHECKING:
    from houserule._native import State

Source = Union[str, "os.PathLike[str]", Game]
"""A bundled game's name (variants after ``+``), a path, rule text, or a game."""


def only_options(options: dict[str, Any] | None, *known: str) -> None:
    """Raises a ``ValueError`` if a ``reset`` was given an option other than the ``known`` ones."""
    if told := _unknown(options, known):
        raise ValueError(told)


def told_options(options: dict[str, Any] | None, *known: str) -> None:
    """Warns about options of a ``reset`` other than the ``known`` ones. For a library whose own tests pass options that no environment knows."""
    if told := _unknown(options, known):
        warnings.warn(f"{told}; the option is ignored", stacklevel=3)


def _unknown(options: dict[str, Any] | None, known: tuple[str, ...]) -> str | None:
    for name in options or {}:
        if name not in known:
            there = f"it has only {', '.join(map(repr, known))}" if known else "it has none"
            return f"`reset` has no option {name!r}: {there}"
    return None


def game_of(source: Source, players: int | None = None, params: dict[str, Any] | None = None, **settings: Any) -> Game:
    """Returns the game of a name, a path, a rule text or a game.

    Parameters
    ----------
    source
        A name or a path as for :func:`houserule.load`. A string that contains ``{`` is rule text, as for
        :func:`houserule.parse`. A game keeps everything that isn't set here.
    players
        The number of players. By default the minimum that the rules allow, or that of a given game.
    params, **settings
        Params by name.

    Raises
    ------
    RulesError
        If the rules are invalid.
    ValueError
        If there is no such game or param, or the number of players isn't allowed.
    TypeError
        If the source is of another type.
    """
    if isinstance(source, RuleSets):
        raise TypeError("a game is needed, not rule sets: give one of them, such as rules[0]")
    if isinstance(source, Game):
        game = source.with_params(params, **settings) if params or settings else source
        return game if players in (None, game.players) else game.with_players(players)
    if not isinstance(source, str) and not hasattr(source, "__fspath__"):
        raise TypeError(f"a game must be a name, a path, rule text or a Game, not {type(source).__name__}")
    text = os.fspath(source)
    make = parse if "{" in text else load
    return make(text, players=players, params=params, **settings)


@contextmanager
def suggesting(settings: Iterable[str], options: Iterable[str]) -> Iterator[None]:
    """Appends to an error about a param that there isn't the option that was meant.

    Parameters
    ----------
    settings
        The names of the params that were given as keywords.
    options
        The names of the options beside which they were given.
    """
    try:
        yield
    except ValueError as error:
        if type(error) is not ValueError:
            raise
        from difflib import get_close_matches

        text, possible = str(error), list(options)
        unknown = [name for name in settings if f"no param `{name}`" in text]
        meant = [option for name in unknown for option in get_close_matches(name, possible, 1, 0.7)]
        if not meant or "did you mean" in text:
            raise
        raise ValueError(f"{text}; did you mean the option `{meant[0]}`?") from None


def option_names(function: Callable[..., Any]) -> list[str]:
    """Returns the names of the options of a function, without the params of the rules."""
    every = inspect.signature(function).parameters.values()
    return [one.name for one in every if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY) and one.name not in ("self", "settings")]


def game_or_rules(
    source: Source | RuleSets, players: int | None = None, params: dict[str, Any] | None = None, **settings: Any
) -> tuple[Game, RuleSets | None]:
    """Returns the game of :func:`game_of`, or the first one of rule sets with the rule sets.

    Raises
    ------
    ValueError
        If params or a number of players are given for rule sets.
    """
    if not isinstance(source, RuleSets):
        return game_of(source, players, params, **settings), None
    given = [*(params or {}), *settings, *([] if players is None else ["players"])]
    if given:
        raise ValueError(f"rule sets have all their settings: give {given[0]!r} to houserule.rules")
    return source[0], source


def returns_of(state: State, reward: str) -> list[float]:
    """Returns the rewards at the end of a game, by seat; 0 before. With ``"payoff"`` or ``"auto"`` they are the returns, with
    ``"outcome"`` those of winning, whatever the rules pay."""
    outcome = state.outcome
    n = state.game.players
    if reward != "outcome" or outcome is None or n == 1:
        return state.returns
    shares = [(seat in outcome.winners) / max(1, len(outcome.winners)) for seat in range(n)]
    return [(n * share - 1) / (n - 1) for share in shares]


def score_sign(game: Game) -> int:
    """Returns 1 if the highest score of a game is best, -1 if the lowest is."""
    return 1 if game.score_direction == "most" else -1
