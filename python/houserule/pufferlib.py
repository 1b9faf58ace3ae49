"""Rule files for PufferLib 3: ``pufferlib.vector.make(houserule.pufferlib.PufferEnv, env_args=["dilido", 1024])``.

Needs the extra ``puffer``: ``pip install '.[puffer]'`` in the project folder. Gymnasium's vector environments aren't
used, so the old Gymnasium that PufferLib 3.0.0 asks for works too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
import pufferlib
from numpy.typing import NDArray

from houserule._frames import Frames
from houserule._gymnasium.options import DType, IllegalAction, Opponents, Options, Reward, Seat, Starts
from houserule._gymnasium.spaces import Layout
from houserule._native import State, VectorCore
from houserule._source import Source

if TYPE_CHECKING:
    from houserule._rules import RuleChoice, RuleSets

__all__ = ["PufferEnv"]


class PufferEnv(pufferlib.PufferEnv):  # type: ignore[misc]
    """Many environments of a game as one native environment of PufferLib, stepped in Rust.

    Each environment is an agent of PufferLib. A step writes the observations, terminals and truncations directly into
    PufferLib's buffers. The next episode starts in the step that ends one, as in PufferLib's own environments.

    PufferLib has no masks of legal actions: its buffer ``masks`` marks agents, and all are active. With
    ``append_mask=True``, which is the default, the last numbers of an observation are the mask, one for each action, so
    that a policy can exclude illegal actions. ``action_masks`` (int8, (N, actions)) has it in any case.

    Parameters
    ----------
    game, num_envs, players, seat, opponents, dtype, reward, potential, gamma, illegal_action, skip_forced, match, max_episode_steps, starts
        As for :class:`houserule.gymnasium.VectorEnv`.
    append_mask
        Append the mask of the legal actions to each observation. Not possible with ``dtype="bits"``.
    render_mode, render_width, rule_choice, show_rules, params, **settings
        As for :class:`houserule.gymnasium.VectorEnv`. ``opponents="self"`` isn't allowed, because PufferLib learns the
        decisions of one player.
    threads
        The number of threads. The default is 1, because PufferLib runs workers of its own.
    log_interval
        Number of steps between two infos. An info has ``episode_return``, ``episode_length`` and ``score`` (the mean
        return again, the name that PufferLib's sweeps use), all as means over the episodes since the last one, and
        their number ``n``.
    buf, seed
        Set by PufferLib.

    Raises
    ------
    RulesError
        If the rules are invalid.
    ValueError
        If there is no such game, param, seat or agent, or an option is invalid.
    """

    def __init__(
        self,
        game: Source | RuleSets,
        num_envs: int = 1,
        *,
        append_mask: bool = True,
        players: int | None = None,
        seat: Seat = "random",
        opponents: Opponents = "random",
        dtype: DType = "float32",
        reward: Reward = "auto",
        potential: str | None = None,
        gamma: float | None = None,
        illegal_action: IllegalAction = "penalize",
        skip_forced: bool = False,
        match: bool = False,
        max_episode_steps: int | None = None,
        starts: Starts | None = None,
        threads: int = 1,
        log_interval: int = 128,
        render_mode: str | None = None,
        render_width: int | None = None,
        rule_choice: RuleChoice = "uniform",
        show_rules: bool = True,
        params: dict[str, Any] | None = None,
        buf: dict[str, NDArray[Any]] | None = None,
        seed: int = 0,
        **settings: Any,
    ) -> None:
        self.options = Options.given(locals())
        self.game, self.rules = self.options.game, self.options.rule_sets
        if self.options.self_play:
            raise ValueError("opponents can't be 'self': PufferLib learns the decisions of one player; name agents for the other seats")
        if append_mask and dtype == "bits":
            raise ValueError("append_mask can't be combined with dtype 'bits': use dtype 'uint8', or append_mask=False")
        self._native = VectorCore(self.game, num_envs, threads, self.options.native("SameStep"))
        if self.options.starts:
            self._native.set_starts(self.options.starts)
        layout = Layout(self.game, self.options, self._native)
        seen = layout.space()
        actions = self._native.sizes.num_actions
        self.single_observation_space = _with_mask(seen, actions) if append_mask else seen
        self.single_action_space = gymnasium.spaces.Discrete(actions)
        self.num_agents = num_envs
        self.render_mode = render_mode
        self._frames = Frames(render_mode, render_width)
        super().__init__(buf)
        self.action_masks = np.empty((num_envs, actions), np.int8)
        # PufferLib's arrays are written directly, unless its type or shape differs from that of the native module.
        self._seen = np.empty((num_envs, *seen.shape), seen.dtype) if append_mask else self.observations
        self._cells = layout.native(self._seen)
        self._rewards, self._actions = np.empty(num_envs), np.empty(num_envs, np.int64)
        self._append_mask, self._log_interval = append_mask, log_interval
        self._seed = seed
        self._forget_episodes()

    def _forget_episodes(self) -> None:
        self._sums, self._lengths = np.zeros(self.num_agents), np.zeros(self.num_agents, np.int64)
        self._steps = 0
        self._ended = np.zeros(3)

    def reset(self, seed: int | None = None) -> tuple[NDArray[Any], list[dict[str, float]]]:
        """Starts new episodes. Environment *i* of worker seed *s* has seed *s · N + i*, so that workers differ.

        Returns
        -------
        observations, infos
            PufferLib's buffer, and an empty list.
        """
        first = (self._seed if seed is None else seed) * self.num_agents
        self._native.reset([first + i for i in range(self.num_agents)], observations=self._cells, masks=self.action_masks)
        self._forget_episodes()
        self.rewards[:], self.terminals[:], self.truncations[:], self.masks[:] = 0, False, False, True
        self._show_mask()
        return self.observations, []

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], list[dict[str, float]]]:
        """Steps every environment. Returns PufferLib's buffers and the infos.

        Raises
        ------
        ValueError
            If an action isn't legal and ``illegal_action`` is ``"raise"``.
        """
        self._actions[:] = actions
        self._native.step(
            self._actions,
            self._rewards,
            self.terminals,
            self.truncations,
            observations=self._cells,
            masks=self.action_masks,
        )
        self.rewards[:] = self._rewards
        self._show_mask()
        return self.observations, self.rewards, self.terminals, self.truncations, self._infos()

    def _show_mask(self) -> None:
        if self._append_mask:
            count = self._seen.shape[1]
            self.observations[:, :count] = self._seen
            self.observations[:, count:] = self.action_masks

    def _infos(self) -> list[dict[str, float]]:
        self._sums += self._rewards
        self._lengths += 1
        over = self.terminals | self.truncations
        if over.any():
            self._ended += over.sum(), self._sums[over].sum(), self._lengths[over].sum()
            self._sums[over] = 0
            self._lengths[over] = 0
        self._steps += 1
        if self._steps % self._log_interval or not self._ended[0]:
            return []
        n, total, steps = self._ended.tolist()
        self._ended[:] = 0
        return [{"score": total / n, "episode_return": total / n, "episode_length": steps / n, "n": n}]

    def state(self, env: int) -> State:
        """Returns a copy of an environment's current state."""
        return self._native.state(env)

    def render(self) -> Any:
        """Renders the first environment: text, a uint8 array of shape (height, width, 3), or None."""
        return self._frames.draw(self.state(0))

    def close(self) -> None:
        """Closes the window, if one is open."""
        self._frames.close()


def _with_mask(seen: gymnasium.spaces.Box, actions: int) -> gymnasium.spaces.Box:
    """Returns the space of an observation that is followed by the mask of the legal actions."""
    ones = np.ones(actions, seen.dtype)
    return gymnasium.spaces.Box(np.concatenate([seen.low, 0 * ones]), np.concatenate([seen.high, ones]), dtype=seen.dtype.type)
