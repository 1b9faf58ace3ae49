"""The spaces of a game, and how flat observations become entries by name."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from houserule._gymnasium.options import Options
from houserule._native import EnvCore, Game, VectorCore


class Layout:
    """How observations are laid out: as they come, or as a dict with an array for each entry.

    Parameters
    ----------
    game
        Whose observations.
    options
        Of the environment.
    native
        What writes the observations.

    Raises
    ------
    ValueError
        The game has no decisions.
    """

    def __init__(self, game: Game, options: Options, native: EnvCore | VectorCore) -> None:
        if game.num_actions == 0:
            raise ValueError(f"{game.name} has no decisions: there is nothing to learn")
        self.shape = tuple(native.shape)
        self.dtype: type[np.generic] = np.float32 if options.dtype == "float32" else np.uint8
        # What each number is at most.
        self._high = (
            np.ones(self.shape, np.float32)
            if options.dtype == "float32"
            else np.frombuffer(bytes(native.highest), np.uint8).reshape(self.shape)
        )
        self.entries: list[tuple[str, slice, tuple[int, ...]]] | None = None
        if options.observation == "dict":
            self.entries = [
                (entry.name, slice(entry.offset, entry.offset + entry.length), entry.shape)
                for entry in game.observation_spec()
            ]

    def space(self) -> gymnasium.Space[Any]:
        """Of one observation: float32 from 0 to 1, or uint8 from 0 to what each number is at most."""
        if self.entries is None:
            return self._box(self._high)
        return gymnasium.spaces.Dict({name: self._box(self._high[part].reshape(shape)) for name, part, shape in self.entries})

    def _box(self, high: NDArray[Any]) -> gymnasium.spaces.Box:
        if self.dtype is np.float32:
            return gymnasium.spaces.Box(0.0, 1.0, high.shape, np.float32)
        return gymnasium.spaces.Box(np.zeros_like(high), high, dtype=np.uint8)

    def one(self, numbers: NDArray[Any]) -> Any:
        """An observation from its numbers, which it keeps."""
        if self.entries is None:
            return numbers
        return {name: numbers[part].reshape(shape) for name, part, shape in self.entries}

    def many(self, numbers: NDArray[Any]) -> Any:
        """Observations from their numbers, one row each."""
        if self.entries is None:
            return numbers
        n = len(numbers)
        return {name: numbers[:, part].reshape(n, *shape) for name, part, shape in self.entries}

