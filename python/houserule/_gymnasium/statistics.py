"""Statistics of episodes, in the form of Gymnasium's ``RecordEpisodeStatistics``."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray


class EpisodeStatistics:
    """Sums the rewards and counts the steps of the current episodes of N environments.

    Parameters
    ----------
    num_envs
        The number of environments, N.
    """

    def __init__(self, num_envs: int) -> None:
        self._sums = np.zeros(num_envs)
        self._lengths = np.zeros(num_envs, np.int64)
        self._began = np.full(num_envs, time.perf_counter())

    def begin(self, fresh: NDArray[np.bool_]) -> None:
        """Starts the episodes of the environments where `fresh` is true."""
        self._sums[fresh] = 0.0
        self._lengths[fresh] = 0
        self._began[fresh] = time.perf_counter()

    def step(self, rewards: NDArray[np.float64], played: NDArray[np.bool_], over: NDArray[np.bool_]) -> dict[str, Any]:
        """Adds a step of the environments where `played` is true.

        Returns
        -------
        infos
            ``"episode"`` with the arrays ``"r"`` (the sum of the rewards), ``"l"`` (the number of steps) and ``"t"``
            (seconds), which are 0 where `over` is false, and ``"_episode"``; empty if no episode is over.
        """
        self._sums[played] += rewards[played]
        self._lengths[played] += 1
        if not over.any():
            return {}
        seconds = np.round(time.perf_counter() - self._began, 6)
        values = {"r": self._sums, "l": self._lengths, "t": seconds}
        return {"episode": {key: np.where(over, value, 0) for key, value in values.items()}, "_episode": over.copy()}
