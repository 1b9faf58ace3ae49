"""The bundled games. Tests are given their names, for one loads fast and all take seconds; each is loaded once in a process."""

from __future__ import annotations

from functools import cache

import houserule as hr

NAMES = hr.games().names
BASES = [entry.name for entry in hr.games() if entry.of is None]
CHANCE_ALONE = ["old-maid", "snakes-and-ladders", "tic-tac-die"]
"""Games in which nobody decides anything: they are no environments."""
DECIDED = [name for name in NAMES if name not in CHANCE_ALONE]

MOST = 5
"""The greatest number of players that is tried."""


@cache
def load(name: str) -> hr.Game:
    return hr.load(name)


def counts(name: str) -> list[int]:
    """The numbers of players that are tried: the fewest, and of games also the most up to five. Variants are games of the same kind."""
    fewest, most = load(name).player_range
    return sorted({fewest, min(most, MOST)}) if name in BASES else [fewest]
