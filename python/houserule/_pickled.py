"""A run of games as it comes out of a pickle: what it found, and how to play its games again."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from houserule import _native
from houserule._tables import Table

COUNTS = ("turns", "rolls", "decisions")


@dataclass(frozen=True)
class Plan:
    """What was asked for."""

    game: _native.Game
    agents: list[tuple[str, Any]]
    games: int
    first: int
    seed: int
    match: bool
    record: bool

    @property
    def named(self) -> bool:
        """Has every agent a name by which it can be made again?"""
        return all(isinstance(agent, str) for _, agent in self.agents)

    def play(self) -> _native.Run:
        """Plays the games again."""
        return _native.simulate(
            self.game,
            self.agents,
            games=self.games,
            first=self.first,
            seed=self.seed,
            threads=1,
            match_play=self.match,
            record=self.record,
        )


class Kept:
    """What :class:`houserule._native.Run` has, without the run. Tables of random games that were not asked for before
    are made when they are, by playing the games again; agents without a name are not there any more."""

    def __init__(self, plan: Plan, run: _native.Run | Kept, tables: tuple[Table, Table] | None) -> None:
        self.plan = plan
        self.game = plan.game
        self._report = run.report()
        self._text = run.text()
        self._seats = run.game_seats()
        self._lengths = {count: run.lengths(count) for count in COUNTS}
        self.first_aborted = run.first_aborted
        self._summary = Table(run.summary())
        self._tables = tables
        decisions = run.decisions()
        self._decisions = None if decisions is None else Table(decisions)
        self._played: _native.Run | None = None

    def __getstate__(self) -> dict[str, Any]:
        agents = [(name, agent if isinstance(agent, str) else None) for name, agent in self.plan.agents]
        return {**self.__dict__, "plan": Plan(**{**self.plan.__dict__, "agents": agents}), "_played": None}

    def report(self) -> str:
        return self._report

    def text(self) -> str:
        return self._text

    def game_seats(self) -> list[str]:
        return self._seats

    def lengths(self, count: str) -> list[tuple[int, int]]:
        return self._lengths[count]

    def summary(self) -> _native.Table:
        return self._summary._native

    def tables(self) -> tuple[_native.Table, _native.Table]:
        if self._tables is None:
            return self._again().tables()
        games, seats = self._tables
        return games._native, seats._native

    def decisions(self) -> _native.Table | None:
        return None if self._decisions is None else self._decisions._native

    def reopen(self, index: int) -> _native.State:
        return self._again().reopen(index)

    def record(self, index: int) -> str:
        return self._again().record(index)

    def _again(self) -> _native.Run:
        if not self.plan.named:
            name = next(name for name, agent in self.plan.agents if not isinstance(agent, str))
            raise ValueError(
                f"`{name}` is no agent by name, and did not come along in the pickle: open games before, or keep "
                "them with `record=True`"
            )
        if self._played is None:
            self._played = self.plan.play()
        return self._played
