"""Progress bars for long operations."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(
    wanted: bool | Callable[[int], None], total: int | None, unit: str = "games"
) -> Iterator[Callable[[int], None] | None]:
    """Yields a callable that reports progress, or None if ``wanted`` is false.

    The callable takes the number of units done so far. It updates a bar of ``tqdm.auto``, or prints a line to
    standard error if tqdm isn't installed. If ``wanted`` is a callable, it is yielded unchanged.
    """
    if callable(wanted):
        yield wanted
        return
    if not wanted:
        yield None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        of = "" if total is None else f" of {total:,}"
        try:
            yield lambda done: print(f"\r{done:,}{of} {unit}", end="", file=sys.stderr, flush=True)
        finally:
            print(file=sys.stderr)
        return
    with tqdm(total=total, unit=f" {unit}", unit_scale=True) as bar:

        def show(done: int) -> None:
            bar.update(done - bar.n)

        yield show


def part_of(show: Callable[[int], None] | None, before: int) -> Callable[[int], None] | None:
    """Returns ``show`` for a part of the work that begins after ``before`` units, or None if ``show`` is None."""
    return None if show is None else lambda done: show(before + done)
