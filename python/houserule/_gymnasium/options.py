"""The options of environments, and values derived from them.

:func:`env_options`, :func:`vector_env_options` and :func:`env_queue_options` declare the options. The classes of the
environments, and the functions that make them, take their parameters from these with :func:`made_with` and :func:`takes`.
Nothing here imports Gymnasium.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, Literal, ParamSpec, TypeVar, Union, cast

import numpy as np

from houserule._agents import is_agent, name_of
from houserule._mixture import Mixture, mixture
from houserule._native import dtype_name
from houserule._source import Source, game_or_rules, suggesting
from houserule._starts import positions_of

if TYPE_CHECKING:
    from gymnasium.vector import AutoresetMode

    from houserule._agents import Agent
    from houserule._native import Game, Player, Search, State
    from houserule._rules import RuleChoice, RuleSets

Opponent = Union[str, "Player", "Search", "Callable[[State], int | str]"]
"""An agent: a name of the table in ``docs/agents.md`` such as ``"random"`` or ``"mcts:100"``, the path of a script or
of a trained player (``"careful.rhai"``, ``"strong.player"``), a `Player`, a `Search`, or a function that takes a state and returns
a legal action by number or name."""
Opponents = Union[Opponent, Sequence[Opponent], Mixture]
"""One agent for all seats, a sequence with one for each seat, a `Mixture`, or ``"self"``."""
Observation = Literal["flat", "planes", "dict"]
DTypeName = Literal["float32", "float16", "uint8", "bool", "bits"]
DType = Union[DTypeName, "np.dtype[Any]", type[np.generic]]
"""The dtype of observations: a name, or a dtype of numpy such as ``numpy.uint8``."""
Reward = str
"""``"auto"``, ``"score"``, ``"outcome"``, ``"payoff"``, ``"margin"``, or an expression of the rule language such as
``"score + 15 * jokers_left"``."""
Starts = Sequence[Union["State", str, "dict[str, Any]", "tuple[dict[str, Any], int]"]]
"""Positions in which episodes start: states, positions as text, records of games, or pairs of a record and the number of
its decisions after which to start."""
IllegalAction = Literal["penalize", "raise", "ignore"]
Seat = Union[int, Literal["random"]]

SHARE = 256
"""The number of environments for which a thread of its own pays."""


@dataclass(frozen=True)
class Options:
    """The options of an environment. Those with a default here aren't options of every environment."""

    game: Game
    rule_sets: RuleSets | None
    seat: Seat
    opponents: Opponents
    dtype: DTypeName
    reward: Reward
    potential: str | None
    gamma: float | None
    illegal_action: IllegalAction
    skip_forced: bool
    match: bool
    starts: list[str]
    """The positions in which episodes start, in text; none for the start of the game."""
    observation: Observation = "flat"
    num_envs: int = 1
    batch_size: int | None = None
    autoreset_mode: str | AutoresetMode = "NextStep"
    threads: int | None = None
    render_mode: str | None = None
    render_width: int | None = None
    statistics: bool = False
    rule_choice: RuleChoice = "uniform"
    show_rules: bool = True
    max_episode_steps: int | None = None

    def __str__(self) -> str:
        """Returns what is played, for the display of environments: ``connect-four: 2 players, random opponents``."""
        game, sets = self.game, self.rule_sets
        name = game.name if sets is None else f"{len(sets)} rule sets"
        players = f"{game.players} player{'s' * (game.players != 1)}"
        if game.players == 1:
            return f"{name}: {players}"
        if self.self_play:
            return f"{name}: {players}, self-play"
        mixed = isinstance(self.opponents, Mixture)
        named = self.opponents if isinstance(self.opponents, (list, tuple)) else [self.opponents]
        agents = "a mixture of opponents" if mixed else f"opponents {', '.join(name_of(cast('Agent', one)) for one in named)}"
        seat = "a random seat" if self.seat == "random" else f"seat {self.seat}"
        return f"{name}: {players}, {seat}, {agents}"

    @classmethod
    def given(cls, arguments: dict[str, Any]) -> Options:
        """Returns the options among the arguments of a function that declares them: its ``locals()``, by name."""
        settings = arguments["settings"]
        with suggesting(settings, arguments.keys() - {"settings"}):
            game, rule_sets = game_or_rules(arguments["game"], arguments["players"], arguments["params"], **settings)
        told = {field.name: arguments[field.name] for field in fields(cls) if field.name in arguments}
        told["dtype"] = dtype_name(told["dtype"])
        return cls(**{**told, "game": game, "rule_sets": rule_sets, "starts": positions_of(game, arguments["starts"])})

    def native(self, autoreset: str = "Disabled") -> dict[str, Any]:
        """Returns the options in the form of the native module, which checks all others.

        Raises
        ------
        ValueError
            If the seat is invalid, the opponents are a list that contains ``"self"``, a dict observation has dtype
            ``"bits"``, or only one of ``potential`` and ``gamma`` is given.
        TypeError
            If an opponent is neither a name nor a player nor a callable.
        """
        if self.seat != "random" and (isinstance(self.seat, bool) or not _is_index(self.seat)):
            raise ValueError(f"seat must be a number from 0 on, or 'random', not {self.seat!r}")
        if self.observation == "dict" and self.dtype == "bits":
            raise ValueError("observation 'dict' can't have dtype 'bits': use dtype 'uint8', or observation 'flat'")
        if (self.potential is None) != (self.gamma is None):
            raise ValueError("potential and gamma need each other: gamma is the discount of the training")
        rules = {} if self.rule_sets is None else {"rules": self._rules(self.rule_sets)}
        if self.rule_sets is None and self.rule_choice != "uniform":
            raise ValueError("rule_choice needs rule sets: make them with houserule.rules")
        return {
            **rules,
            "observation": self.observation,
            "dtype": self.dtype,
            "reward": self.reward,
            "potential": None if self.potential is None else (self.potential, float(self.gamma or 0.0)),
            **opponents_given(self.opponents),
            "seat": None if self.seat == "random" else int(self.seat),
            "illegal_action": self.illegal_action,
            "skip_forced": self.skip_forced,
            "match": self.match,
            "max_episode_steps": self.max_episode_steps,
            "autoreset": autoreset,
        }

    def _rules(self, sets: RuleSets) -> dict[str, Any]:
        choice: Any = self.rule_choice
        if isinstance(choice, str):
            choices: dict[str, list[float] | None] = {
                "uniform": [1.0] * len(sets),
                "weighted": list(sets.weights),
                "slices": None,
            }
            if choice not in choices:
                raise ValueError(
                    f"rule_choice must be 'uniform', 'weighted', 'slices', weights or a function, not {choice!r}"
                )
            choice = choices[choice]
        elif not callable(choice):
            choice = [float(weight) for weight in choice]
        return {"games": list(sets), "choice": choice, "show": self.show_rules}

    @property
    def self_play(self) -> bool:
        """True if the decisions of every seat are steps."""
        return isinstance(self.opponents, str) and self.opponents == "self"


def env_options(
    game: Source | RuleSets,
    *,
    players: int | None = None,
    seat: Seat = "random",
    opponents: Opponents = "random",
    observation: Observation = "flat",
    dtype: DType = "float32",
    reward: Reward = "auto",
    potential: str | None = None,
    gamma: float | None = None,
    illegal_action: IllegalAction = "penalize",
    skip_forced: bool = False,
    match: bool = False,
    max_episode_steps: int | None = None,
    starts: Starts | None = None,
    render_mode: str | None = None,
    render_width: int | None = None,
    statistics: bool = False,
    rule_choice: RuleChoice = "uniform",
    show_rules: bool = True,
    params: dict[str, Any] | None = None,
    **settings: Any,
) -> Options:
    """Returns the options of :class:`houserule.gymnasium.Env`."""
    return Options.given(locals())


def vector_env_options(
    game: Source | RuleSets,
    num_envs: int = 1,
    *,
    players: int | None = None,
    seat: Seat = "random",
    opponents: Opponents = "random",
    observation: Observation = "flat",
    dtype: DType = "float32",
    reward: Reward = "auto",
    potential: str | None = None,
    gamma: float | None = None,
    illegal_action: IllegalAction = "penalize",
    skip_forced: bool = False,
    match: bool = False,
    max_episode_steps: int | None = None,
    starts: Starts | None = None,
    autoreset_mode: str | AutoresetMode = "NextStep",
    threads: int | None = None,
    render_mode: str | None = None,
    render_width: int | None = None,
    statistics: bool = False,
    rule_choice: RuleChoice = "uniform",
    show_rules: bool = True,
    params: dict[str, Any] | None = None,
    **settings: Any,
) -> Options:
    """Returns the options of :class:`houserule.gymnasium.VectorEnv`."""
    return Options.given(locals())


def env_queue_options(
    game: Source,
    num_envs: int = 1,
    *,
    batch_size: int | None = None,
    players: int | None = None,
    seat: Seat = "random",
    opponents: Opponents = "random",
    observation: Observation = "flat",
    dtype: DType = "float32",
    reward: Reward = "auto",
    potential: str | None = None,
    gamma: float | None = None,
    illegal_action: IllegalAction = "penalize",
    skip_forced: bool = False,
    match: bool = False,
    max_episode_steps: int | None = None,
    starts: Starts | None = None,
    threads: int | None = None,
    params: dict[str, Any] | None = None,
    **settings: Any,
) -> Options:
    """Returns the options of :class:`houserule.gymnasium.EnvQueue`."""
    return Options.given(locals())


P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S")


def takes(declared: Callable[P, Options]) -> Callable[[Callable[..., R]], Callable[P, R]]:
    """Shows a function with the parameters of the one that declares the options it passes on, and those of its own."""

    def shown(function: Callable[..., R]) -> Callable[P, R]:
        own, (*first, settings) = inspect.signature(function), inspect.signature(declared).parameters.values()
        names = [parameter.name for parameter in first]
        more = [one for one in own.parameters.values() if one.kind is one.KEYWORD_ONLY and one.name not in names]
        function.__signature__ = own.replace(parameters=[*first, *more, settings])  # type: ignore[attr-defined]
        return function

    return shown


def made_with(
    declared: Callable[P, Options],
) -> Callable[[Callable[[S, Options], None]], Callable[Concatenate[S, P], None]]:
    """Turns an ``__init__`` that gets options into one with the parameters of the function that declares them."""

    def whole(init: Callable[[S, Options], None]) -> Callable[Concatenate[S, P], None]:
        @wraps(init)
        def made(self: S, /, *args: P.args, **options: P.kwargs) -> None:
            # An error of the call itself would name the function that declares the options, which nobody has called.
            inspect.signature(declared).bind(*args, **options)
            init(self, declared(*args, **options))

        own = inspect.signature(init)
        taken = [own.parameters["self"], *inspect.signature(declared).parameters.values()]
        made.__signature__ = own.replace(parameters=taken)  # type: ignore[attr-defined]
        return made

    return whole


def opponents_given(opponents: Any) -> dict[str, Any]:
    """Returns opponents in the form of the native module: a list, None for self-play, or the line-ups of a mixture.

    Raises
    ------
    ValueError
        If the opponents are a list that contains ``"self"``.
    TypeError
        If an opponent is neither a name nor a player nor a callable.
    """
    if isinstance(opponents, Mixture):
        return {"mixture": [(name, weight, _line_up(one)) for name, one, weight in opponents.entries]}
    if isinstance(opponents, str) and opponents == "self":
        return {"opponents": None}
    return {"opponents": _line_up(opponents)}


def mixed(opponents: Opponents) -> Opponents:
    """Returns opponents as a mixture of which they are the only entry, unless they are a mixture or ``"self"``."""
    if isinstance(opponents, Mixture) or isinstance(opponents, str) and opponents == "self":
        return opponents
    return mixture([(opponents, 1.0)])


def _line_up(opponents: Any) -> list[Any]:
    if is_agent(opponents) and not (isinstance(opponents, str) and opponents == "self"):
        return [opponents]
    if isinstance(opponents, str):
        raise ValueError("a mixture can't contain 'self': for self-play, give just 'self'")
    listed = list(opponents)
    for opponent in listed:
        if opponent == "self":
            raise ValueError("opponents can't be a list that contains 'self': for self-play, give just 'self'")
        if not is_agent(opponent):
            raise TypeError(f"an opponent must be a name, a player or a callable, not {opponent!r}")
    return listed


def _is_index(value: Any) -> bool:
    return hasattr(value, "__index__") and int(value) >= 0


def threads_for(num_envs: int) -> int:
    """Returns the default number of threads for a number of environments."""
    return max(1, min(processors(), num_envs // SHARE))


def processors() -> int:
    """Returns the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
