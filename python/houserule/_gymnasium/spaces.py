"""Observation spaces of a game, and the conversion of flat observations to dicts of entries."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from houserule._gymnasium.options import Options
from houserule._native import EnvCore, Game, QueueCore, VectorCore

_TYPES: dict[str, type[np.generic]] = {
    "float32": np.float32,
    "float16": np.float16,
    "uint8": np.uint8,
    "bool": np.bool_,
    "bits": np.uint8,
}
_CELLS: dict[str, type[np.generic]] = {"float16": np.uint16, "bool": np.uint8}
"""The numbers that the native module writes, if they aren't those of the observation."""


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

    def __init__(self, game: Game, options: Options, native: EnvCore | QueueCore | VectorCore) -> None:
        if native.sizes.num_actions == 0:
            raise ValueError(f"{game.name} has no decisions: an environment needs a game with actions")
        self.shape = tuple(native.sizes.shape)
        self.dtype: type[Any] = _TYPES[options.dtype]
        self._cells = _CELLS.get(options.dtype)
        # The maximum of each number.
        self._high = (
            np.frombuffer(bytes(native.sizes.highest), np.uint8).reshape(self.shape)
            if self.dtype is np.uint8
            else np.ones(self.shape, self.dtype)
        )
        self.entries: list[tuple[str, slice, tuple[int, ...]]] | None = None
        if options.observation == "dict":
            self.entries = [
                (entry.name, slice(entry.offset, entry.offset + entry.length), entry.shape)
                for entry in game.observation_spec()
            ]
        # Only rule sets have one.
        layout = getattr(native, "layout", None)
        self.actions, self.features = (game.action_names, None) if layout is None else layout[1:]
        if self.entries is not None and layout is not None:
            self.entries = [
                (name, slice(offset, offset + length), tuple(shape)) for name, offset, length, shape in layout[0]
            ]

    def space(self) -> gymnasium.Space[Any]:
        """Returns the space of one observation: floats from 0 to 1, uint8 from 0 to the maximum of each number, or bool."""
        if self.entries is None:
            return self._box(self._high)
        return gymnasium.spaces.Dict({name: self._box(self._high[part].reshape(shape)) for name, part, shape in self.entries})

    def _box(self, high: NDArray[Any]) -> gymnasium.spaces.Box:
        if self.dtype is np.float32 or self.dtype is np.float16:
            return gymnasium.spaces.Box(0.0, 1.0, high.shape, self.dtype)
        return gymnasium.spaces.Box(np.zeros_like(high), high, dtype=self.dtype)

    def native(self, numbers: NDArray[Any]) -> NDArray[Any]:
        """Returns observations as the native module writes them. They share the memory of `numbers`."""
        if self._cells is None or numbers.dtype != self.dtype:
            return numbers
        return numbers.view(self._cells)

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

