"""The spaces of a game, and how flat observations become entries by name."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from houserule._native import Game


class Layout:
    """How observations are laid out: as they come, or as a dict with an array for each entry.

    Parameters
    ----------
    game
        Whose observations.
    form
        ``"flat"``, ``"planes"`` or ``"dict"``.
    shape
        Of what the native module writes.

    Raises
    ------
    ValueError
        The game has no decisions.
    """

    def __init__(self, game: Game, form: str, shape: list[int]) -> None:
        if game.num_actions == 0:
            raise ValueError(f"{game.name} has no decisions: there is nothing to learn")
        self.shape = tuple(shape)
        self.entries: list[tuple[str, slice, tuple[int, ...]]] | None = None
        if form == "dict":
            self.entries = [
                (entry.name, slice(entry.offset, entry.offset + entry.length), entry.shape)
                for entry in game.observation_spec()
            ]

    def space(self) -> gymnasium.Space[Any]:
        """Of one observation: float32 from 0 to 1."""
        if self.entries is None:
            return _box(self.shape)
        return gymnasium.spaces.Dict({name: _box(shape) for name, _, shape in self.entries})

    def one(self, numbers: NDArray[np.float32]) -> Any:
        """An observation from its numbers, which it keeps."""
        if self.entries is None:
            return numbers
        return {name: numbers[part].reshape(shape) for name, part, shape in self.entries}

    def many(self, numbers: NDArray[np.float32]) -> Any:
        """Observations from their numbers, one row each."""
        if self.entries is None:
            return numbers
        n = len(numbers)
        return {name: numbers[:, part].reshape(n, *shape) for name, part, shape in self.entries}


def _box(shape: tuple[int, ...]) -> gymnasium.spaces.Box:
    return gymnasium.spaces.Box(0.0, 1.0, shape, np.float32)
