"""Rule sets: several games for one environment."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, Literal, Union, overload

from houserule._native import Game, load_all

if TYPE_CHECKING:
    from houserule._source import Source

RuleChoice = Union[Literal["uniform", "weighted", "slices"], Sequence[float], Callable[[int, int, int], int]]
"""How the rule set of an episode is chosen; see :class:`houserule.gymnasium.VectorEnv`."""

MOST = 100_000
"""The maximum number of rule sets."""


class RuleSets(Sequence[Game]):
    """Several games for one environment: a sequence that can't be changed. :func:`rules` and :func:`rule_sets` make it.

    Attributes
    ----------
    names : tuple of str
        The name of each rule set: that of the game, and the params that aren't the same in all.
    params : tuple of dict
        The params of each rule set, by name.
    weights : tuple of float
        The weight of each rule set, which ``rule_choice="weighted"`` uses.
    """

    __slots__ = ("_games", "names", "params", "weights")

    def __init__(self, games: Sequence[Game], weights: Sequence[float] | None = None) -> None:
        if not games:
            raise ValueError("there are no rule sets: give at least one game")
        self._games = tuple(games)
        self.params = tuple(game.params.to_dict() for game in self._games)
        self.weights = tuple(float(weight) for weight in weights) if weights is not None else (1.0,) * len(self._games)
        if len(self.weights) != len(self._games):
            raise ValueError(f"{len(self.weights)} weights for {len(self._games)} rule sets: give one for each")
        first = self.params[0]
        varied = {
            name for params in self.params for name in {**params, **first} if params.get(name) != first.get(name)
        }
        self.names = tuple(_name(game, params, varied) for game, params in zip(self._games, self.params))

    @overload
    def __getitem__(self, index: int) -> Game: ...
    @overload
    def __getitem__(self, index: slice) -> RuleSets: ...
    def __getitem__(self, index: int | slice) -> Game | RuleSets:
        if isinstance(index, slice):
            return RuleSets(self._games[index], self.weights[index])
        return self._games[index]

    def __len__(self) -> int:
        return len(self._games)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RuleSets):
            return NotImplemented
        return self._games == other._games and self.weights == other.weights

    def __hash__(self) -> int:
        return hash((self._games, self.weights))

    def __reduce__(self) -> tuple[Any, ...]:
        return RuleSets, (self._games, self.weights)

    def __repr__(self) -> str:
        shown = [f"{index:>4}  {name}" for index, name in enumerate(self.names[:20])]
        more = [f"      … and {len(self) - 20} more"] if len(self) > 20 else []
        return "\n".join([f"{len(self)} rule sets", *shown, *more])


def rules(
    game: Source,
    *,
    variants: Iterable[Source | None] | None = None,
    players: int | None = None,
    weights: Sequence[float] | None = None,
    threads: int | None = None,
    params: Mapping[str, Any] | None = None,
    **settings: Any,
) -> RuleSets:
    """Returns rule sets for :func:`env` and :func:`vector_env`: every variant with every combination of params.

    All are loaded, on several threads, before the function returns.

    Parameters
    ----------
    game
        A bundled game's name (variants after ``+``), a path, rule text, or a :class:`houserule.Game`.
    variants
        Names, paths or rule texts of variants, or stacks of them with ``+``. None stands for the game without a variant.
    players
        The number of players; by default the minimum that the rules allow.
    weights
        A weight for each rule set, for ``rule_choice="weighted"``. The variants change slowest, and the last param
        fastest.
    threads
        The number of threads. The default is the number of processors.
    params, **settings
        Params by name, each with a single value, or with several as a list, a tuple, a range or an array. A param with
        the name of another argument must be given in ``params``.

    Raises
    ------
    RulesError
        If the rules of a rule set are invalid. The text names the rule set.
    ValueError
        If there is no such game, variant, param or value, or there are more than 100,000 rule sets.

    Examples
    --------
    >>> import houserule as hr
    >>> sets = hr.rules("dilido", variants=[None, "torus"], penalty_limit=[2, 5])
    >>> sets
    4 rule sets
       0  dilido penalty_limit=2
       1  dilido penalty_limit=5
       2  dilido + torus penalty_limit=2
       3  dilido + torus penalty_limit=5
    """
    values = {name: _values(value) for name, value in {**(params or {}), **settings}.items()}
    for name, possible in values.items():
        if not possible:
            raise ValueError(f"the param {name!r} has no values: give at least one")
    stacks = [None] if variants is None else list(variants)
    count = len(stacks)
    for possible in values.values():
        count *= len(possible)
    if not 0 < count <= MOST:
        raise ValueError(f"these are {count:,} rule sets; there can be 1 to {MOST:,}")
    requests = [
        (game, stack, players, dict(zip(values, row))) for stack in stacks for row in product(*values.values())
    ]
    return RuleSets(load_all(requests, _threads(threads)), weights)


def rule_sets(
    games: Iterable[Source], *, weights: Sequence[float] | None = None, threads: int | None = None
) -> RuleSets:
    """Returns rule sets from a list of games; see :func:`rules`.

    Parameters
    ----------
    games
        Names, paths, rule texts or :class:`houserule.Game` objects.
    weights
        A weight for each, for ``rule_choice="weighted"``.
    threads
        The number of threads. The default is the number of processors.

    Raises
    ------
    RulesError
        If the rules of a game are invalid. The text names the game.
    ValueError
        If there is no such game, or there are none or more than 100,000.
    """
    listed = list(games)
    if not 0 < len(listed) <= MOST:
        raise ValueError(f"these are {len(listed):,} rule sets; there can be 1 to {MOST:,}")
    requests = [(game, None, None, {}) for game in listed if not isinstance(game, Game)]
    loaded = iter(load_all(requests, _threads(threads)))
    return RuleSets([game if isinstance(game, Game) else next(loaded) for game in listed], weights)


def _name(game: Game, params: dict[str, Any], varied: set[str]) -> str:
    return " ".join([game.name, *(f"{name}={value}" for name, value in params.items() if name in varied)])


def _values(value: Any) -> list[Any]:
    """Returns the values of a param: those of a list, a tuple, a range or an array, or the single one."""
    if isinstance(value, (list, tuple, range)):
        return list(value)
    if hasattr(value, "tolist") and getattr(value, "ndim", 0):
        return list(value.tolist())
    return [value]


def _threads(threads: int | None) -> int:
    if threads is not None:
        return max(1, threads)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
