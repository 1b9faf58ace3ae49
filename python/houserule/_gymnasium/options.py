"""The options of environments, and values derived from them."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Union

from houserule._agents import is_agent
from houserule._mixture import Mixture, mixture

if TYPE_CHECKING:
    from houserule._native import Player, Search, State
    from houserule._rules import RuleChoice, RuleSets

Opponent = Union[str, "Player", "Search", "Callable[[State], int | str]"]
"""An agent: a name of the table in ``docs/agents.md`` such as ``"random"`` or ``"mcts:100"``, the path of a script or
of a trained player (``"careful.rhai"``, ``"strong.player"``), a `Player`, a `Search`, or a function that takes a state and returns
a legal action by number or name."""
Opponents = Union[Opponent, Sequence[Opponent], Mixture]
"""One agent for all seats, a sequence with one for each seat, a `Mixture`, or ``"self"``."""
Observation = Literal["flat", "planes", "dict"]
DType = Literal["float32", "float16", "uint8", "bool", "bits"]
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
    """The options that single and vector environments share."""

    seat: Seat
    opponents: Opponents
    observation: str
    dtype: str
    reward: str
    illegal_action: str
    skip_forced: bool
    match: bool
    potential: str | None = None
    gamma: float | None = None
    rule_sets: RuleSets | None = None
    rule_choice: RuleChoice = "uniform"
    show_rules: bool = True

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
