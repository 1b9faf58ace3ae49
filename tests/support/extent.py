"""How much a test tries: in `./test` a part, in `./test --all` everything."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar
from zlib import crc32

N = TypeVar("N")


def everything() -> bool:
    """`./test --all` sets HOUSERULE_TESTS to `all`."""
    return os.environ.get("HOUSERULE_TESTS") == "all"


def tries(few: N, all: N) -> N:
    """How many of something are tried: `few` in `./test`, `all` in `./test --all`."""
    return all if everything() else few


def some_of(test: str, parts: int, items: Sequence[N]) -> Sequence[N]:
    """The items that a test tries: in `./test` one of `parts`, in `./test --all` all. Its name decides which, so that tests
    differ in what they try, and each tries the same in every run."""
    parts = tries(parts, 1)
    return items[crc32(test.encode()) % parts :: parts]
