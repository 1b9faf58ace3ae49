"""What an environment can be asked for, and what follows from it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Union

from houserule._agents import is_agent

if TYPE_CHECKING:
    from houserule._native import Player, State

Opponent = Union[str, "Player", "Callable[[State], int | str]"]
"""``"random"``, ``"greedy"``, ``"exact"``, ``"flat:N"``, ``"mcts:N"``, ``"ismcts:N"``, ``"learned"``, a script or a player by its path (``"careful.rhai"``, ``"strong.player"``), a `Player`, or a function from a state to a legal action, by number or name."""
Opponents = Union[Opponent, Sequence[Opponent]]
"""One opponent for all seats, one for each seat, or ``"self"``."""
Observation = Literal["flat", "planes", "dict"]
DType = Literal["float32", "uint8", "bits"]
Reward = Literal["auto", "score", "outcome"]
IllegalAction = Literal["penalize", "raise", "ignore"]
Seat = Union[int, Literal["random"]]

SHARE = 256
"""Environments that a thread is worth having for."""


@dataclass(frozen=True)
class Options:
    """The options that one environment and many have alike."""

    seat: Seat
    opponents: Opponents
    observation: str
    dtype: str
    reward: str
    illegal_action: str
    skip_forced: bool
    match: bool

    def native(self, autoreset: str = "Disabled") -> dict[str, Any]:
        """As the native module takes them.

        Raises
        ------
        ValueError
            The seat or the opponents are none. The native module checks the rest.
        """
        if self.seat != "random" and (isinstance(self.seat, bool) or not _is_index(self.seat)):
            raise ValueError(f"seat is {self.seat!r}: it is a number from 0 on, or 'random'")
        if self.observation == "dict" and self.dtype == "bits":
            raise ValueError("an observation 'dict' has no dtype 'bits': take 'uint8', or 'flat' bits")
        opponents: list[Opponent] | None
        if isinstance(self.opponents, str) and self.opponents == "self":
            opponents = None
        elif is_agent(self.opponents):
            opponents = [self.opponents]
        else:
            opponents = list(self.opponents)
            for opponent in opponents:
                if opponent == "self":
                    raise ValueError("opponents is a list with 'self' in it: in self-play it is just 'self'")
                if not is_agent(opponent):
                    raise TypeError(f"an opponent is {opponent!r}: it is a name, a player or a function")
        return {
            "observation": self.observation,
            "dtype": self.dtype,
            "reward": self.reward,
            "opponents": opponents,
            "seat": None if self.seat == "random" else int(self.seat),
            "illegal_action": self.illegal_action,
            "skip_forced": self.skip_forced,
            "match": self.match,
            "autoreset": autoreset,
        }

    @property
    def self_play(self) -> bool:
        """Is every seat's decision a step?"""
        return isinstance(self.opponents, str) and self.opponents == "self"


def _is_index(value: Any) -> bool:
    return hasattr(value, "__index__") and int(value) >= 0


def threads_for(num_envs: int) -> int:
    """How many threads step so many environments, unless the user says."""
    return max(1, min(processors(), num_envs // SHARE))


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
