"""Agents that tests send to other processes. They stand here, for a new process imports no tests to play them."""

from __future__ import annotations

import multiprocessing
import os
import signal
from pathlib import Path

import houserule as hr

MARK = "HOUSERULE_TEST_MARK"
"""The environment variable with the path of a file that `fragile` makes before it ends its process."""


def lowest(state: hr.State) -> int:
    return state.legal_actions()[0]


def end_process() -> None:
    if multiprocessing.parent_process() is not None:
        os.kill(os.getpid(), signal.SIGKILL)


def fragile(state: hr.State) -> int:
    """Ends the first process that asks."""
    try:
        Path(os.environ[MARK]).touch(exist_ok=False)
    except FileExistsError:
        return lowest(state)
    end_process()
    return lowest(state)


def broken(state: hr.State) -> int:
    end_process()
    return lowest(state)


def illegal(state: hr.State) -> int:
    return -1
