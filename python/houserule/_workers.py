"""Workers on this machine and others: what sends jobs to them, and again if a worker is lost."""

from __future__ import annotations

import concurrent.futures
import os
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from typing import Any, NamedTuple, Protocol, TypeAlias, Union

from houserule import _native
from houserule._agents import threads_or_all
from houserule._progress import progress as progress_of

RETRIES = 3
"""How often a job is tried again whose worker was lost."""

AHEAD = 3
"""Maximum number of jobs for each worker that are sent before the results of earlier ones are there."""

#: Classes of Ray's and Dask's exceptions that mean the loss of a worker, not an error of the job.
_LOST = {
    "LocalRayletDiedError",
    "NodeDiedError",
    "ObjectLostError",
    "OutOfMemoryError",
    "WorkerCrashedError",
    "KilledWorker",
}


class Submits(Protocol):
    """What takes jobs: executors of ``concurrent.futures``, Dask and joblib, and any object with this method."""

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Future[Any]:
        """Starts ``fn(*args)`` somewhere, and returns its future."""
        ...


#: Where to play: ``"ray"``, the address of a Ray cluster, or what takes jobs.
On: TypeAlias = Union[str, Submits]


class Job(NamedTuple):
    """A call that a worker does."""

    name: str
    """What it does, in words."""
    call: Callable[..., Any]
    """A function of a module, so that a pickle names it."""
    args: tuple[Any, ...]


class Workers:
    """Workers, and the jobs under way."""

    def __init__(self, pool: Submits, count: int) -> None:
        self._pool = pool
        self._own: list[ProcessPoolExecutor] = []
        self.count = count
        """The number of jobs that are done at the same time."""

    def done(self, next_job: Callable[[], Job | None]) -> Iterator[tuple[Job, Any]]:
        """Yields jobs with their results, as they are done.

        ``next_job`` returns the next job, or None if there is none until another is done; without one under way, that
        is the end. A job whose worker was lost is sent again, at most `RETRIES` times. The caller closes the iterator,
        which cancels what has not begun.

        Raises
        ------
        RuntimeError
            If the workers of a job were lost each time.
        Exception
            The exception of a job.
        """
        flying: dict[Future[Any], tuple[Job, int]] = {}
        lost: list[tuple[Job, int]] = []
        try:
            while True:
                while len(flying) < AHEAD * self.count:
                    if lost:
                        job, tried = lost.pop()
                    elif (found := next_job()) is not None:
                        job, tried = found, 0
                    else:
                        break
                    flying[self._send(job)] = (job, tried)
                if not flying:
                    return
                ready, _ = concurrent.futures.wait(flying, return_when=concurrent.futures.FIRST_COMPLETED)
                for future in ready:
                    job, tried = flying.pop(future)
                    error = future.exception()
                    if error is None:
                        yield job, future.result()
                    elif not _is_loss(error):
                        # Ray wraps exceptions in one whose text is the traceback.
                        raise getattr(error, "cause", None) or error
                    elif tried == RETRIES:
                        raise RuntimeError(
                            f"{job.name}: the worker was lost {RETRIES + 1} times. The system ends a process that takes too "
                            "much memory; code of an agent can end its process, too"
                        ) from error
                    else:
                        lost.append((job, tried + 1))
        finally:
            for future in flying:
                future.cancel()

    def _send(self, job: Job) -> Future[Any]:
        try:
            future = self._pool.submit(job.call, *job.args)
        except BrokenExecutor:
            # A pool of processes takes no jobs after the loss of one.
            self._pool = self._renewed()
            future = self._pool.submit(job.call, *job.args)
        if not isinstance(future, Future):
            raise TypeError(
                f"`submit` of {type(self._pool).__name__} must return a concurrent.futures.Future, found "
                f"{type(future).__name__}; Dask has such a `submit` in `client.get_executor()`"
            )
        return future

    def _renewed(self) -> Submits:
        pool: Any = self._pool
        if hasattr(type(pool), "get_reusable_executor"):
            # joblib's: the module has the function that makes it.
            made = import_module(type(pool).__module__).get_reusable_executor(max_workers=self.count)
            return made  # type: ignore[no-any-return]
        if not isinstance(pool, ProcessPoolExecutor):
            raise RuntimeError(f"a worker was lost, and {type(pool).__name__} takes no more jobs: give another executor")
        old: Any = pool
        fresh = ProcessPoolExecutor(self.count, old._mp_context, old._initializer, old._initargs)
        self._own.append(fresh)
        return fresh

    def close(self) -> None:
        """Ends the processes started here."""
        for pool in self._own:
            pool.shutdown(wait=False, cancel_futures=True)


def _is_loss(error: BaseException) -> bool:
    return isinstance(error, BrokenExecutor) or any(of.__name__ in _LOST for of in type(error).__mro__)


@contextmanager
def workers(on: On, threads: int) -> Iterator[Workers]:
    """Yields the workers of a place, each of which uses some threads.

    Raises
    ------
    TypeError
        If it is neither a string nor has a method ``submit``.
    ImportError
        If Ray isn't installed.
    """
    if isinstance(on, str):
        ray = _Ray(on, threads)
        found = Workers(ray, ray.count)
    elif callable(getattr(on, "submit", None)):
        found = Workers(on, _count(on))
    else:
        raise TypeError(
            f"on={on!r} takes no jobs: give 'ray', the address of a Ray cluster, or an executor with a method `submit`"
        )
    try:
        yield found
    finally:
        found.close()


def _count(pool: Any) -> int:
    """Returns the number of jobs that an executor does at the same time."""
    if isinstance(count := getattr(pool, "_max_workers", None), int):
        return max(count, 1)
    # Dask's.
    client = getattr(pool, "_client", None)
    return max(len(client.nthreads()), 1) if client is not None else threads_or_all(None)


class _Ray:
    """A Ray cluster as an executor."""

    def __init__(self, address: str, threads: int) -> None:
        try:
            import ray
        except ImportError as error:
            raise ImportError("on='ray' needs Ray: pip install '.[ray]'") from error
        if not ray.is_initialized():
            if address == "ray" and "RAY_ADDRESS" not in os.environ:
                ray.init(include_dashboard=False, log_to_driver=False)
            else:
                ray.init(address=None if address == "ray" else address, log_to_driver=False)
        self._ray: Any = ray
        self._threads = threads
        self._remotes: dict[Callable[..., Any], Any] = {}
        self.count = max(int(self._ray.cluster_resources().get("CPU", 1)) // threads, 1)

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Future[Any]:
        if fn not in self._remotes:
            self._remotes[fn] = self._ray.remote(num_cpus=self._threads, max_retries=0)(fn)
        reference = self._remotes[fn].remote(*args)
        future: Future[Any] = reference.future()
        cancel = future.cancel

        def cancelled() -> bool:
            # Ray's future ends the waiting only.
            self._ray.cancel(reference)
            return cancel()

        future.cancel = cancelled  # type: ignore[method-assign]
        return future


def counted_on(on: On | None, **limits: object) -> None:
    """Checks that nothing but a number of games bounds what other processes play.

    Raises
    ------
    ValueError
        If something else does.
    """
    given = [f"`{name}`" for name, limit in limits.items() if limit]
    if on is not None and given:
        raise ValueError(f"{' and '.join(given)} can't be given with `on`: other processes play a number of games, `games`")


def here_or_on(
    name: str,
    args: tuple[Any, ...],
    options: dict[str, Any],
    limits: dict[str, Any],
    threads: int | None,
    on: On | None,
    progress: bool | Callable[[int], None],
    scale: tuple[int | None, str],
) -> tuple[str, ...]:
    """Calls a function of the native module in this process, or divides its work among workers.

    ``args`` ends with the agents. ``limits`` bound the work besides its games. ``scale`` has the number and the name of
    the units in which it reports progress.
    """
    if on is not None:
        counted_on(on, **limits)
        from houserule._shards import in_parts

        return in_parts(on, None if threads is None else threads_or_all(threads), name, args, options, progress)
    with progress_of(progress, *scale) as show:
        found: tuple[str, ...] = getattr(_native, name)(
            *args, **options, **limits, threads=threads_or_all(threads), progress=show
        )
    return found


def same_version(version: str) -> None:
    """Raises a ``RuntimeError`` if the process that sent a job has another version of houserule than this worker."""
    if version != _native.__version__:
        raise RuntimeError(
            f"a worker has houserule {_native.__version__}, and the jobs come from {version}: install the same version"
        )
