"""Vector environments whose observations end in the numbers that show the rules."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from houserule._gymnasium.vector import Array, VectorEnv
from houserule._rules import RuleSets


class RuleSetEnv(VectorEnv):
    """A vector environment of a benchmark's rule sets.

    It is a :class:`houserule.gymnasium.VectorEnv` with one difference: if the rules are shown, the benchmark's numbers for
    the rules of the episode come last in each observation; in a dict observation they are the entry ``"rules"``.

    Parameters
    ----------
    sets
        The rule sets, in the layout of the benchmark.
    num_envs
        The number of environments.
    shown
        The numbers that show each rule set, float32 of shape (rule sets, numbers), or None.
    shown_names
        The names of these numbers.
    **options
        Options of :class:`houserule.gymnasium.VectorEnv`.
    """

    def __init__(
        self, sets: RuleSets, num_envs: int, shown: NDArray[np.float32] | None, shown_names: list[str], **options: Any
    ) -> None:
        if shown is not None:
            if options.get("observation", "flat") == "planes":
                raise ValueError("the rules can't be shown in planes: use observation='flat' or 'dict', or show_rules=False")
            if (dtype := options.get("dtype", "float32")) not in ("float32", "float16"):
                raise ValueError(f"the rules are fractions, which don't fit dtype={dtype!r}: use 'float32', or show_rules=False")
        super().__init__(sets, num_envs, show_rules=False, **options)
        self._shown = None if shown is None else shown.astype(self._layout.dtype)
        self._shown_names = list(shown_names) if shown is not None else []
        if self._shown is not None:
            self._spaces(self._shown.shape[1])

    def _spaces(self, count: int) -> None:
        space = self.single_observation_space
        dtype: Any = self._layout.dtype
        if isinstance(space, gymnasium.spaces.Dict):
            entries = {**space.spaces, "rules": gymnasium.spaces.Box(0.0, 1.0, (count,), dtype)}
            self.single_observation_space = gymnasium.spaces.Dict(entries)
        else:
            assert space.shape is not None
            self.single_observation_space = gymnasium.spaces.Box(0.0, 1.0, (space.shape[0] + count,), dtype)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)

    @property
    def rule_features(self) -> list[str]:
        """The names of the numbers that show the rules, in order; empty if they aren't shown."""
        return list(self._shown_names)

    def _with_rules(self, observations: Any, rules: Any) -> Any:
        """Adds the numbers of the rules to observations, or to one of them."""
        if self._shown is None:
            return observations
        numbers = self._shown[rules]
        if isinstance(observations, dict):
            return {**observations, "rules": numbers}
        return np.concatenate([observations, numbers], axis=-1)

    def reset(
        self, *, seed: Any = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Starts new episodes; see :meth:`houserule.gymnasium.VectorEnv.reset`."""
        observations, infos = super().reset(seed=seed, options=options)
        return self._with_rules(observations, infos["rules"]), infos

    def step(self, actions: Any) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Steps every environment; see :meth:`houserule.gymnasium.VectorEnv.step`."""
        observations, rewards, terminations, truncations, infos = super().step(actions)
        if self._shown is not None and "final_obs" in infos:
            final = infos["final_obs"]
            for env in np.flatnonzero(infos["_final_obs"]).tolist():
                final[env] = self._with_rules(final[env], infos["final_info"]["rules"][env])
        return self._with_rules(observations, infos["rules"]), rewards, terminations, truncations, infos

    def observations(self) -> Any:
        """Returns the current observations, in new arrays."""
        return self._with_rules(super().observations(), self._native.rules())

    def step_into(
        self, actions: Array, rewards: Array, terminations: Array, truncations: Array, *,
        observations: Array | None = None, final_observations: Array | None = None, **others: Any,
    ) -> None:
        """Steps every environment and writes into the caller's arrays; see
        :meth:`houserule.gymnasium.VectorEnv.step_into`. If the rules are shown, observations are copied once."""
        if self._shown is None:
            others |= {"observations": observations, "final_observations": final_observations}
            super().step_into(actions, rewards, terminations, truncations, **others)
            return
        seen = None if observations is None else self._numbers()
        final = None if final_observations is None else self._numbers()
        before = self._native.rules()
        super().step_into(
            actions, rewards, terminations, truncations, observations=seen, final_observations=final, **others
        )
        if observations is not None and seen is not None:
            rows = observations.reshape(self.num_envs, -1)
            rows[:, : seen.shape[1]], rows[:, seen.shape[1] :] = seen, self._shown[self._native.rules()]
        if final_observations is not None and final is not None:
            over = terminations | truncations
            rows = final_observations.reshape(self.num_envs, -1)
            rows[over] = np.concatenate([final[over], self._shown[before[over]]], axis=1)
