"""How much a test tries: in `./test` a part, in `./test --all` everything."""

from __future__ import annotations

import os
from typing import TypeVar

N = TypeVar("N")


def everything() -> bool:
    """`./test --all` sets HOUSERULE_TESTS to `all`."""
    return os.environ.get("HOUSERULE_TESTS") == "all"


def tries(few: N, all: N) -> N:
    """How many of something are tried: `few` in `./test`, `all` in `./test --all`."""
    return all if everything() else few
