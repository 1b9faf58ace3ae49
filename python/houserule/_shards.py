"""Runs divided among workers: games by their indices, other work by its parts."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from houserule import _native
from houserule._pickled import Kept, Plan
from houserule._progress import progress as progress_of
from houserule._tables import Table, concat
from houserule._workers import Job, On, Workers, same_version, workers

SECONDS = 1.0
"""How long a worker plays a shard."""

SHORTEST = 0.05
"""The shortest time of a shard, near the end of a run."""

PREPARED = 5
"""How many times as long as its preparation a shard takes at least: loading, and solving a game for ``exact``."""

KEPT = 1 << 20
"""Maximum number of games whose rows are kept, if they are slow to play again."""


class Played(NamedTuple):
    """What a worker returns of a shard."""

    figures: str
    """The saved sums."""
    aborted: tuple[int, str] | None
    """The index and the error of the first aborted game."""
    tables: tuple[Table, Table] | None
    decisions: Table | None
    playing: float
    """Seconds in which games were played."""
    all: float
    """Seconds of the whole job."""


def play(version: str, plan: Plan, threads: int, keep: bool, players: dict[str, bytes]) -> Played:
    """Plays a shard. Runs on a worker."""
    begun = time.perf_counter()
    same_version(version)
    held = _native.trained(plan.game, plan.agents, _native.Parts(given=players)) if players else None
    run = plan.play(threads)
    del held
    figures = run.figures
    _, saved, aborted = figures.__reduce__()[1]
    tables = tuple(Table(table) for table in run.tables()) if keep else None
    decisions = run.decisions() if plan.record else None
    took = time.perf_counter() - begun
    table = None if decisions is None else Table(decisions)
    return Played(saved, aborted, tables, table, figures.seconds, took)  # type: ignore[arg-type]


def do_part(version: str, name: str, args: tuple[Any, ...], options: dict[str, Any], part: str, given: dict[str, bytes]) -> bytes | None:
    """Does a part of some work. Returns its result, or None if it has none. Runs on a worker."""
    same_version(version)
    parts = _native.Parts(part, given)
    getattr(_native, name)(*args, **options, parts=parts)
    return parts.result()


def sendable(agents: Sequence[tuple[str, Any]], on: On) -> list[tuple[str, Any]]:
    """Returns agents that need no file of this machine.

    Raises
    ------
    ValueError
        If a callable can't be pickled.
    """
    return [(name, _sendable(name, agent, on)) for name, agent in agents]


def _sendable(name: str, agent: Any, on: On) -> Any:
    if isinstance(agent, str):
        path = _native.agent_path(agent)
        return agent if path is None else _native.AgentFile(agent, Path(path).read_bytes())
    if isinstance(on, ProcessPoolExecutor) and callable(agent):
        try:
            pickle.dumps(agent)
        except Exception as error:
            raise ValueError(
                f"the agent `{name}` can't be sent to another process: define it at the top of a module; Ray, Dask and "
                "joblib send any function"
            ) from error
    return agent


@dataclass
class _Run:
    """A run whose shards are played elsewhere."""

    plan: Plan
    sent: Plan
    """The plan with agents that can be sent."""
    players: dict[str, bytes]
    issued: int = 0
    merged: int = 0
    """The games of the shards so far, sent and merged."""
    rate: float | None = None
    """Games in a second."""
    prepared: float = float("inf")
    """The shortest preparation of a shard, in seconds."""
    figures: Any = None
    tables: list[tuple[Table, Table]] = field(default_factory=list)
    decisions: list[Table] = field(default_factory=list)
    waiting: dict[int, tuple[int, Played]] = field(default_factory=dict)

    @property
    def keeps(self) -> bool:
        """Whether the tables come with the results: those of games that would take long to play again."""
        asked = any(callable(agent) for _, agent in self.plan.agents)
        return self.plan.record or asked or (self.plan.slow and self.plan.games <= KEPT)

    def size(self, count: int) -> int:
        """Returns the number of games of the next shard."""
        left = self.plan.games - self.issued
        if self.rate is None:
            return min(1 if self.plan.slow else 1000, left)
        long = self.rate * max(SECONDS, PREPARED * min(self.prepared, 60.0))
        # Short ones near the end, so that all workers end together.
        shared = max(left / (2 * count), self.rate * SHORTEST)
        return max(1, min(int(min(long, shared)), left))

    def take(self, first: int, games: int, played: Played) -> None:
        """Adds a shard, and merges those that follow one another."""
        self.rate = games / max(played.playing, 1e-6)
        self.prepared = min(self.prepared, max(played.all - played.playing, 0.0))
        self.waiting[first] = (games, played)
        while found := self.waiting.pop(self.plan.first + self.merged, None):
            games, played = found
            figures = _native.Figures.restored(self.plan.game, played.figures, played.aborted)
            self.figures = figures if self.figures is None else self.figures.merged(figures)
            self.tables.extend([] if played.tables is None else [played.tables])
            self.decisions.extend([] if played.decisions is None else [played.decisions])
            self.merged += games

    def kept(self) -> Kept:
        """Returns the games of the finished run."""
        both = tuple(concat(tables) for tables in zip(*self.tables, strict=True)) if self.tables else None
        decisions = concat(self.decisions)._native if self.decisions else None
        return Kept(self.plan, both, decisions)  # type: ignore[arg-type]


def simulate_on(
    on: On, plans: Sequence[Plan], threads: int | None, show: Callable[[int], None] | None
) -> list[tuple[_native.Figures, Kept]]:
    """Plays runs on workers. Returns the statistics and the games of each, the same as in this process."""
    each = 1 if threads is None else threads
    with workers(on, each) as crew:
        runs = [_prepared(plan, on, crew) for plan in plans]
        open_runs = [run for run in runs if run.plan.games]
        jobs: dict[str, tuple[_Run, int, int]] = {}

        def next_job() -> Job | None:
            while open_runs and open_runs[0].issued == open_runs[0].plan.games:
                open_runs.pop(0)
            behind = sum(len(run.waiting) for run in runs)
            if not open_runs or behind > 4 * crew.count:
                return None
            run = open_runs[0]
            if run.rate is None and run.issued >= crew.count * run.size(crew.count):
                # The first shards say how long games take.
                return None
            first, games = run.plan.first + run.issued, run.size(crew.count)
            run.issued += games
            name = f"{run.plan.game.name}, games {first} to {first + games - 1} (shard {len(jobs)})"
            jobs[name] = (run, first, games)
            shard = replace(run.sent, first=first, games=games)
            return Job(name, play, (_native.__version__, shard, each, run.keeps, run.players))

        done = 0
        results = crew.done(next_job)
        try:
            for job, played in results:
                run, first, games = jobs[job.name]
                run.take(first, games, played)
                done += games
                if show is not None:
                    show(done)
        finally:
            results.close()  # type: ignore[attr-defined]
    return [(run.figures, run.kept()) for run in runs]


def _prepared(plan: Plan, on: On, crew: Workers) -> _Run:
    """Trains the players that the agents of a run need."""
    sent = replace(plan, agents=sendable(plan.agents, on))
    by_name = [(name, agent) for name, agent in sent.agents if isinstance(agent, (str, _native.AgentFile))]
    if not by_name:
        return _Run(plan, sent, {})
    return _Run(plan, sent, _done_parts(crew, "trained", (plan.game, by_name), {}, None))


def in_parts(
    on: On, threads: int | None, name: str, args: tuple[Any, ...], options: dict[str, Any], progress: Any
) -> tuple[str, ...]:
    """Calls a function of the native module, whose parts workers do. ``args`` ends with the agents. Returns what it returns
    in this process."""
    each = 1 if threads is None else threads
    args, options = (*args[:-1], sendable(args[-1], on)), {**options, "threads": each}
    with workers(on, each) as crew:
        given = _done_parts(crew, name, args, options, progress)
    found: tuple[str, ...] = getattr(_native, name)(*args, **options, parts=_native.Parts(given=given))
    return found


def _done_parts(
    crew: Workers, name: str, args: tuple[Any, ...], options: dict[str, Any], progress: Any
) -> dict[str, bytes]:
    """Does the parts of some work, each after those that it needs. A part without a result is left out."""

    def list_parts(listing: _native.Parts) -> _native.Parts:
        getattr(_native, name)(*args, **options, parts=listing)
        return listing

    listing = list_parts(_native.Parts())
    open_parts = dict(listing.listed())
    results: dict[str, bytes | None] = {}
    # The first parts may decide which others follow.
    total = None if listing.is_open() else len(open_parts)

    def next_job() -> Job | None:
        for part, needs in list(open_parts.items()):
            if any(need not in results for need in needs):
                continue
            del open_parts[part]
            given = {need: results[need] for need in needs}
            if None in given.values():
                results[part] = None
                continue
            return Job(part, do_part, (_native.__version__, name, args, options, part, given))
        return None

    with progress_of(progress, total, "parts") as show:
        while True:
            done = crew.done(next_job)
            try:
                for job, result in done:
                    results[job.name] = result
                    if show is not None:
                        show(len(results))
            finally:
                done.close()  # type: ignore[attr-defined]
            if not listing.is_open():
                break
            listing = list_parts(_native.Parts(given=_made(results), whole=False))
            open_parts.update((part, needs) for part, needs in listing.listed() if part not in results)
            if not open_parts:
                break
    return _made(results)


def _made(results: dict[str, bytes | None]) -> dict[str, bytes]:
    """Returns the results of the parts that have one."""
    return {part: result for part, result in results.items() if result is not None}
