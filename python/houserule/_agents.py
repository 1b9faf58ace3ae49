"""Agents: names, trained players, searches with an evaluator and Python callables."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypeGuard, Union, cast

from houserule import _native

#: A name, a trained player, a search with an evaluator, or a callable.
#: A callable takes a `State` and returns the number or the text of a legal action. The state is a copy with other
#: dice; in a game with hidden information it is the seat's view.
Agent: TypeAlias = Union[str, _native.Player, _native.Search, Callable[[_native.State], Union[int, str]]]
Agents: TypeAlias = Union[Agent, Sequence[Agent]]


def name_of(agent: Agent) -> str:
    """Returns the name of an agent in tables."""
    if isinstance(agent, str):
        return agent.strip()
    if isinstance(agent, (_native.Player, _native.Search)):
        return agent.name
    return getattr(agent, "__name__", None) or type(agent).__name__


def is_agent(agent: object) -> TypeGuard[Agent]:
    """Returns True if the object is a single agent."""
    return isinstance(agent, (str, _native.Player)) or callable(agent)


def by_seat(agents: Agents, players: int) -> list[tuple[str, Any]]:
    """Returns the display name and the agent of each seat. A string with commas names an agent for each seat.

    Raises
    ------
    ValueError
        If the number of agents is neither 1 nor the number of players.
    TypeError
        If an agent is neither a name nor a player nor a callable.
    """
    if isinstance(agents, str) and "," in agents:
        agents = agents.split(",")
    every: list[Agent] = [agents] if is_agent(agents) else list(cast("Sequence[Agent]", agents))
    for agent in every:
        if not is_agent(agent):
            raise TypeError(f"{agent!r} is not an agent: give a name, a player or a callable that takes a state")
    if len(every) == 1:
        every = every * players
    if len(every) != players:
        raise ValueError(f"{len(every)} agents for {players} players: give one for all seats, or one for each")
    return [(name_of(agent), agent) for agent in every]


def threads_or_all(threads: int | None) -> int:
    """Returns the number of threads; by default one for each processor that this process may use.

    Raises
    ------
    ValueError
        If the number isn't from 1 to 1024.
    """
    if threads is None:
        affinity = getattr(os, "sched_getaffinity", None)
        return len(affinity(0)) if affinity else os.cpu_count() or 1
    if not 1 <= threads <= 1024:
        raise ValueError(f"threads={threads} is not possible: give a number from 1 to 1024")
    return threads


def no_games_and_seconds(games: object, seconds: float | None) -> None:
    """Checks that a run is given a number of games or a time, not both.

    Raises
    ------
    ValueError
        If both are given.
    """
    if games is not None and seconds is not None:
        raise ValueError("give `games` or `seconds`, not both: `seconds` plays as many games as the time allows")


#: A number of games; also ``1e5``, and ``"100k"`` or ``"100_000"`` as on the command line.
Count: TypeAlias = Union[int, float, str]


def at_least_one(games: Count) -> int:
    """Returns a number of games as an int.

    Raises
    ------
    ValueError
        If it isn't an integer, or is less than 1.
    TypeError
        If it is neither a number nor a string.
    """
    if isinstance(games, str):
        number = _native.parse_count(games)
    elif isinstance(games, float):
        if not games.is_integer():
            raise ValueError(f"games={games} is not an integer")
        number = int(games)
    else:
        number = operator.index(games)
    if number < 1:
        raise ValueError(f"games={games} is too small: give at least 1")
    return number
