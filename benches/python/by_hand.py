"""Di-Li-Do as one writes an environment by hand: the alternative beside which the native one is measured."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

SIZE = 6
SQUARES = SIZE * SIZE
PENALTY_LIMIT = 3
POINTS = {3: 1, 4: 3, 5: 10, 6: 40}
PASS = 2 * SQUARES


def _lines() -> list[list[int]]:
    """Rows, columns and diagonals, as squares."""
    rows = [[r * SIZE + c for c in range(SIZE)] for r in range(SIZE)]
    columns = [list(column) for column in zip(*rows)]
    falling = [[r * SIZE + r + d for r in range(SIZE) if 0 <= r + d < SIZE] for d in range(-SIZE + 1, SIZE)]
    rising = [[r * SIZE + d - r for r in range(SIZE) if 0 <= d - r < SIZE] for d in range(2 * SIZE - 1)]
    return [line for line in rows + columns + falling + rising if len(line) >= 3]


LINES = _lines()
THROUGH = [[line for line in LINES if square in line] for square in range(SQUARES)]
AROUND = [
    [
        r * SIZE + c
        for r in range(square // SIZE - 1, square // SIZE + 2)
        for c in range(square % SIZE - 1, square % SIZE + 2)
        if 0 <= r < SIZE and 0 <= c < SIZE and r * SIZE + c != square
    ]
    for square in range(SQUARES)
]


class HandWritten(gymnasium.Env[NDArray[np.float32], int]):
    """Two dice name two squares; a dot goes on a free one. Once, a joker goes beside a dot or a double. The reward is
    the change of the score: runs of three or more dots."""

    def __init__(self) -> None:
        self.observation_space = gymnasium.spaces.Box(0.0, 1.0, (3 * SQUARES + 2 + 2 * SIZE + 2,), np.float32)
        self.action_space = gymnasium.spaces.Discrete(2 * SQUARES + 1)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        super().reset(seed=seed)
        self.filled = [False] * SQUARES
        self.dots = np.zeros((2, SQUARES), np.float32)
        self.penalties = 0
        self.jokers = 1
        self.joking = False
        self._roll()
        return self._observe(), self._info()

    def step(self, action: int) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        action = int(action)
        if action not in self.legal:
            self.legal = []
            return self._observe(), -1.0, True, False, self._info()
        reward = 0.0
        if action < SQUARES:
            reward = float(self._fill(action, 0))
            self.anchor = action
            self._offer_joker()
        elif action < PASS:
            reward = float(self._fill(action - SQUARES, 1))
            self.jokers -= 1
            self._roll()
        else:
            self._roll()
        return self._observe(), reward, not self.legal, False, self._info()

    def _roll(self) -> None:
        """Rolls until there is something to decide, or the game is over."""
        while True:
            self.anchor = -1
            self.dice = self.np_random.integers(0, SIZE, 2)
            a, b = int(self.dice[0]), int(self.dice[1])
            named = {a * SIZE + b, b * SIZE + a}
            self.legal = [square for square in named if not self.filled[square]]
            if self.legal:
                self.joking = False
                return
            if a == b:
                self.anchor = a * SIZE + a
                if self.jokers:
                    self._offer_joker()
                    return
            else:
                self.penalties += 1
                if self.penalties == PENALTY_LIMIT:
                    return

    def _offer_joker(self) -> None:
        if not self.jokers:
            self._roll()
            return
        self.joking = True
        self.legal = [SQUARES + square for square in AROUND[self.anchor] if not self.filled[square]]
        self.legal.append(PASS)

    def _fill(self, square: int, kind: int) -> int:
        """Puts a dot or a joker, and says what the score changes by."""
        before = sum(self._points(line) for line in THROUGH[square])
        self.filled[square] = True
        self.dots[kind, square] = 1.0
        return sum(self._points(line) for line in THROUGH[square]) - before

    def _points(self, line: list[int]) -> int:
        points = run = 0
        for square in line:
            if self.filled[square]:
                run += 1
            else:
                points += POINTS.get(run, 0)
                run = 0
        return points + POINTS.get(run, 0)

    def _observe(self) -> NDArray[np.float32]:
        observation = np.zeros(self.observation_space.shape, np.float32)
        observation[int(self.joking)] = bool(self.legal)
        observation[2 + self.dice[0]] = 1.0
        observation[2 + SIZE + self.dice[1]] = 1.0
        at = 2 + 2 * SIZE
        observation[at : at + 2 * SQUARES] = self.dots.ravel()
        observation[at + 2 * SQUARES] = self.penalties / PENALTY_LIMIT
        observation[at + 2 * SQUARES + 1] = self.jokers
        if self.anchor >= 0:
            observation[at + 2 * SQUARES + 2 + self.anchor] = 1.0
        return observation

    def _info(self) -> dict[str, Any]:
        mask = np.zeros(2 * SQUARES + 1, np.int8)
        mask[self.legal] = 1
        return {"action_mask": mask}
