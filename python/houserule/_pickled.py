"""The games of results: those of a run, those restored from a pickle, and those of several runs together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeVar, Union

from houserule import _native
from houserule._tables import Table

Found = TypeVar("Found")


@dataclass(frozen=True)
class Plan:
    """The arguments of a simulation."""

    game: _native.Game
    agents: list[tuple[str, Any]]
    games: int
    first: int
    seed: int
    match: bool
    record: bool

    @property
    def slow(self) -> bool:
        """True if playing the games again may take long: matches, and games of agents other than ``random``."""
        return self.match or any(agent != "random" for _, agent in self.agents)

    def play(self, threads: int = 1, progress: Callable[[int], None] | None = None, **limits: Any) -> _native.Run:
        """Plays the games. ``limits`` are arguments of the native function that replace or bound their number."""
        return _native.simulate(
            self.game,
            self.agents,
            first=self.first,
            seed=self.seed,
            threads=threads,
            match_play=self.match,
            record=self.record,
            progress=progress,
            **({"games": self.games} | limits),
        )


class Kept:
    """The interface of :class:`houserule._native.Run`, without the run.

    Tables that aren't kept, and states and records, are computed when needed, by playing the games again. Agents that
    weren't given by name aren't pickled.

    Raises
    ------
    ValueError
        If games must be played again, but an agent is missing in a pickle.
    """

    def __init__(self, plan: Plan, tables: tuple[Table, Table] | None, decisions: _native.Table | None) -> None:
        self.plan = plan
        self._tables = tables
        self._decisions = None if decisions is None else Table(decisions)
        self._played: _native.Run | None = None

    def __getstate__(self) -> dict[str, Any]:
        agents = [(name, agent if isinstance(agent, str) else None) for name, agent in self.plan.agents]
        return {**self.__dict__, "plan": replace(self.plan, agents=agents), "_played": None}

    def tables(self) -> tuple[_native.Table, _native.Table]:
        if self._tables is None:
            return self._again().tables()
        games, seats = self._tables
        return games._native, seats._native

    def decisions(self) -> _native.Table | None:
        return None if self._decisions is None else self._decisions._native

    def reopen(self, index: int) -> _native.State:
        return self._with(index).reopen(index)

    def record(self, index: int) -> str:
        return self._with(index).record(index)

    def _with(self, index: int) -> _native.Run:
        """Returns a run with a game: of that game alone, unless the index of a match is asked for."""
        plan = self.plan
        if plan.match or self._played is not None or not plan.first <= index < plan.first + plan.games:
            return self._again()
        return Kept(replace(plan, first=index, games=1), None, None)._again()

    def _again(self) -> _native.Run:
        name = next((name for name, agent in self.plan.agents if agent is None), None)
        if name is not None:
            raise ValueError(
                f"the games can't be played again: a pickle doesn't contain the callable `{name}`; open games before "
                "pickling, or simulate again"
            )
        if self._played is None:
            self._played = self.plan.play()
        return self._played


class Several:
    """The games of two consecutive runs."""

    def __init__(self, one: tuple[Plan, Games], next_one: tuple[Plan, Games]) -> None:
        self._parts = (one, next_one)

    def tables(self) -> tuple[_native.Table, _native.Table]:
        (games, seats), (more_games, more_seats) = (run.tables() for _, run in self._parts)
        return _native.Table.concat([games, more_games]), _native.Table.concat([seats, more_seats])

    def decisions(self) -> _native.Table | None:
        one, next_one = (run.decisions() for _, run in self._parts)
        return None if one is None or next_one is None else _native.Table.concat([one, next_one])

    def reopen(self, index: int) -> _native.State:
        return self._asked(index, lambda run: run.reopen(index))

    def record(self, index: int) -> str:
        return self._asked(index, lambda run: run.record(index))

    def _asked(self, index: int, ask: Callable[[Games], Found]) -> Found:
        (plan, run), (_, next_run) = self._parts
        # The index of a game in a match doesn't show here which match it belongs to.
        if not plan.match:
            return ask(run if index < plan.first + plan.games else next_run)
        try:
            return ask(run)
        except IndexError:
            return ask(next_run)


#: The sources from which results get their games.
Games: TypeAlias = Union[_native.Run, Kept, Several]


def follow(one: tuple[Plan, Games], other: tuple[Plan, Games]) -> tuple[Plan, Several]:
    """Returns the plan of two consecutive runs together, and their games in order.

    Raises
    ------
    ValueError
        If the callables of the two runs differ.
    """
    first, second = sorted((one, other), key=lambda part: part[0].first)
    for seat, ((name, agent), (_, again)) in enumerate(zip(first[0].agents, second[0].agents, strict=True)):
        by_name = isinstance(agent, str)
        # A callable that was lost in a pickle is None. It is identified by its display name only.
        same = agent == again or (None in (agent, again) and not by_name and not isinstance(again, str))
        if not same:
            raise ValueError(
                f"the results differ in the agents: two different callables called `{name}` played seat {seat}; only parts "
                "of one run can be added, with the same game, params, agents and seed"
            )
    whole = replace(
        first[0], games=first[0].games + second[0].games, record=first[0].record and second[0].record
    )
    return whole, Several(first, second)
