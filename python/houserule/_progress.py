"""Bars for what takes long."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(
    wanted: bool | Callable[[int], None], total: int | None, unit: str = "games"
) -> Iterator[Callable[[int], None] | None]:
    """A callable that is told how much is done, or None. ``tqdm.auto`` where it is installed, else a line.

    What is wanted may be such a callable already, for a part of some work.
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
    """The same, for a part of the work that begins after so much."""
    return None if show is None else lambda done: show(before + done)
