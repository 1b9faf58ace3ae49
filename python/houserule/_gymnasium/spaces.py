"""Observation spaces of a game, and the conversion of flat observations to dicts of entries."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from houserule._gymnasium.options import Options
from houserule._native import EnvCore, Game, VectorCore


class Layout:
    """The layout of observations: a single array, or a dict with an array for each entry.

    Parameters
    ----------
    game
        The game that is observed.
    options
        The options of the environment.
    native
        The native environment, which writes the observations.

    Raises
    ------
    ValueError
        If the game has no decisions.
    """

    def __init__(self, game: Game, options: Options, native: EnvCore | VectorCore) -> None:
        if native.num_actions == 0:
            raise ValueError(f"{game.name} has no decisions: an environment needs a game with actions")
        self.shape = tuple(native.shape)
        self.dtype: type[np.generic] = np.float32 if options.dtype == "float32" else np.uint8
        # The maximum of each number.
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
        layout = native.layout
        self.actions, self.features = (game.action_names, None) if layout is None else layout[1:]
        if self.entries is not None and layout is not None:
            self.entries = [
                (name, slice(offset, offset + length), tuple(shape)) for name, offset, length, shape in layout[0]
            ]

    def space(self) -> gymnasium.Space[Any]:
        """Returns the space of one observation: float32 from 0 to 1, or uint8 from 0 to the maximum of each number."""
        if self.entries is None:
            return self._box(self._high)
        return gymnasium.spaces.Dict({name: self._box(self._high[part].reshape(shape)) for name, part, shape in self.entries})

    def _box(self, high: NDArray[Any]) -> gymnasium.spaces.Box:
        if self.dtype is np.float32:
            return gymnasium.spaces.Box(0.0, 1.0, high.shape, np.float32)
        return gymnasium.spaces.Box(np.zeros_like(high), high, dtype=np.uint8)

    def one(self, numbers: NDArray[Any]) -> Any:
        """Returns the observation with these numbers. Its arrays share their memory."""
        if self.entries is None:
            return numbers
        return {name: numbers[part].reshape(shape) for name, part, shape in self.entries}

    def many(self, numbers: NDArray[Any]) -> Any:
        """Returns the observations with these numbers, one row for each environment. Their arrays may share memory."""
        if self.entries is None:
            return numbers
        n = len(numbers)
        return {name: numbers[:, part].reshape(n, *shape) for name, part, shape in self.entries}

