"""The mean score of best play in Yacht alone, worked out without the engine: backwards over all sets of free boxes, every throw and every choice of
dice to keep. Wants numpy; takes some ten seconds.

    python benches/python/yacht_optimum.py
"""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement
from math import factorial

import numpy as np

THROWS = list(combinations_with_replacement(range(1, 7), 5))
KEPT = sorted({kept for throw in THROWS for n in range(6) for kept in combinations(throw, n)}, key=lambda kept: (len(kept), kept))
BOXES = 12


def scores(throw: tuple[int, ...]) -> list[int]:
    counts = [throw.count(face) for face in range(1, 7)]
    pips = sum(throw)
    full = (3 in counts and 2 in counts) or 5 in counts
    upper = [face * counts[face - 1] for face in range(1, 7)]
    small, large = throw == (1, 2, 3, 4, 5), throw == (2, 3, 4, 5, 6)
    return [*upper, pips, pips * (max(counts) >= 4), pips * full, 30 * small, 30 * large, 50 * (5 in counts)]


def chances(kept: tuple[int, ...]) -> np.ndarray:
    """How likely each throw is once the other dice are rolled."""
    found = np.zeros(len(THROWS))
    place = {throw: at for at, throw in enumerate(THROWS)}
    rolled = 5 - len(kept)
    for more in combinations_with_replacement(range(1, 7), rolled):
        ways = factorial(rolled)
        for face in set(more):
            ways //= factorial(more.count(face))
        found[place[tuple(sorted(kept + more))]] += ways / 6**rolled
    return found


def main() -> None:
    worth = np.array([scores(throw) for throw in THROWS], dtype=float)
    rolls = np.array([chances(kept) for kept in KEPT])
    number = {kept: at for at, kept in enumerate(KEPT)}
    keeps = [sorted({number[tuple(kept)] for n in range(6) for kept in combinations(throw, n)}) for throw in THROWS]
    values = np.zeros(1 << BOXES)
    for free in range(1, 1 << BOXES):
        now = np.full(len(THROWS), -np.inf)
        for box in range(BOXES):
            if free >> box & 1:
                now = np.maximum(now, worth[:, box] + values[free & ~(1 << box)])
        for _ in range(2):
            each = rolls @ now
            now = np.array([each[own].max() for own in keeps])
        values[free] = float(rolls[number[()]] @ now)
    assert len(THROWS) == 252 and len(KEPT) == 462 and abs(rolls.sum() - len(KEPT)) < 1e-9
    print(f"{values[-1]:.4f}")


if __name__ == "__main__":
    main()
