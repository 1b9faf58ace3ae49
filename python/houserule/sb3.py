"""Rule files for Stable-Baselines3: ``MaskablePPO("MlpPolicy", houserule.sb3.VecEnv("dilido", 256))``.

Needs the extra ``sb3``: ``pip install '.[sb3]'`` in the project folder.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecEnv as BaseVecEnv

from houserule._rules import RuleSets
from houserule._source import Source
from houserule.gymnasium import VectorEnv

__all__ = ["VecEnv"]


class VecEnv(BaseVecEnv):
    """A vectorized environment of a game for Stable-Baselines3, stepped in Rust.

    ``MaskablePPO`` uses ``action_masks``. When an episode ends, its info has ``"episode"``, as ``Monitor`` writes it,
    so that no ``Monitor`` is needed, and ``evaluate_policy`` asks for none. If the game ended by the rules, the info also has ``"end"``, the name of the end
    that decided the game. With rule sets it has ``"rules"``, the index of the one that was played, and with a mixture of
    opponents ``"opponent"``.

    Parameters
    ----------
    game
        A bundled game's name, a path, rule text, a :class:`houserule.Game`, or the rule sets of
        :func:`houserule.rules`.
    num_envs
        The number of environments, N.
    **options
        The options of :class:`houserule.gymnasium.VectorEnv`, with two exceptions. The autoreset mode is fixed to that
        of Stable-Baselines3. ``opponents="self"`` isn't allowed, because Stable-Baselines3 learns the decisions of a
        single player.

    Raises
    ------
    RulesError
        If the rules are invalid.
    ValueError
        If there is no such game or param, or an option is invalid.
    """

    def __init__(self, game: Source | RuleSets, num_envs: int = 1, **options: Any) -> None:
        self.envs = VectorEnv(game, num_envs, **options, autoreset_mode=AutoresetMode.SAME_STEP)
        if self.envs.options.self_play:
            raise ValueError("opponents can't be 'self': SB3 learns the decisions of one player; name agents for the other seats")
        super().__init__(num_envs, self.envs.single_observation_space, self.envs.single_action_space)
        self._actions: NDArray[np.int64] | None = None
        self._forget_episodes()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}, {self.num_envs} of {self.envs.options}>"

    def _forget_episodes(self) -> None:
        self._sums = np.zeros(self.num_envs)
        self._lengths = np.zeros(self.num_envs, np.int64)
        self._began = time.time()

    def reset(self) -> Any:
        """Starts new episodes, with the seeds of :meth:`seed` if any were set. Returns the observations."""
        seeds = None if all(seed is None for seed in self._seeds) else self._seeds
        observations, infos = self.envs.reset(seed=seeds)
        self._reset_seeds()
        self._reset_options()
        self._forget_episodes()
        self.reset_infos = [{"action_mask": mask} for mask in infos["action_mask"]]
        return observations

    def step_async(self, actions: np.ndarray) -> None:
        """Stores the actions of the next step."""
        self._actions = np.asarray(actions)

    def step_wait(self) -> tuple[Any, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Steps all environments with the stored actions. Returns observations, rewards, dones and infos.

        Rewards are float32 of shape (N,), dones bool of shape (N,).

        Raises
        ------
        RuntimeError
            If ``step_async`` wasn't called before.
        """
        if self._actions is None:
            raise RuntimeError("there are no actions to apply: call step_async before step_wait")
        actions, self._actions = self._actions, None
        observations, rewards, terminated, truncated, told = self.envs.step(actions)
        self._sums += rewards
        self._lengths += 1
        over = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for env in np.flatnonzero(over).tolist():
            final = told["final_info"]
            infos[env] = {
                "terminal_observation": told["final_obs"][env],
                "TimeLimit.truncated": bool(truncated[env] and not terminated[env]),
                "episode": {
                    "r": float(self._sums[env]),
                    "l": int(self._lengths[env]),
                    "t": round(time.time() - self._began, 6),
                },
                **{key: final[key][env] for key in ("seat", "rules", "opponent", "end", "illegal_action", "error") if _has(final, key, env)},
            }
        self._sums[over] = 0.0
        self._lengths[over] = 0
        return observations, rewards.astype(np.float32), over, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns the masks of the legal actions: bool of shape (N, actions)."""
        return self.envs.action_masks()

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """Calls a method of each environment (``"action_masks"``, ``"render"`` or ``"state"``). Returns the results.

        Raises
        ------
        AttributeError
            If it is another method.
        """
        chosen = self._get_indices(indices)
        if method_name == "action_masks":
            masks = self.action_masks()
            return [masks[env] for env in chosen]
        if method_name == "render":
            frames = self.envs.render() or [None] * self.num_envs
            return [frames[env] for env in chosen]
        if method_name == "state":
            return [self.envs.state(env) for env in chosen]
        raise AttributeError(f"environments have no method `{method_name}`: they have `action_masks`, `render` and `state`")

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Returns an attribute once for each environment. All environments share its value."""
        value = getattr(self.envs, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Sets an attribute, which all environments share.

        Raises
        ------
        ValueError
            If ``indices`` doesn't contain all environments.
        """
        if len(list(self._get_indices(indices))) != self.num_envs:
            raise ValueError("all environments share their attributes: set them without `indices`")
        setattr(self.envs, attr_name, value)

    def env_is_wrapped(self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: Any = None) -> list[bool]:
        """Returns for each environment whether it does what a wrapper does: True for ``Monitor``, as episodes are measured, and
        False for other wrappers."""
        measures = issubclass(wrapper_class, Monitor)
        return [measures for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[np.ndarray | None]:
        """Returns a picture of each environment: uint8 of shape (height, width, 3), or None in other render modes."""
        if self.render_mode != "rgb_array":
            return [None] * self.num_envs
        return list(self.envs.render() or [])

    def close(self) -> None:
        """Closes the environments."""
        self.envs.close()


def _has(infos: dict[str, Any], key: str, env: int) -> bool:
    return key in infos and bool(infos[f"_{key}"][env])
