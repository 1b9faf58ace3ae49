"""Environments that send and receive."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from houserule._gymnasium.options import Options, env_queue_options, made_with, processors
from houserule._gymnasium.spaces import Layout
from houserule._native import QueueCore, State

Array = NDArray[Any]


class EnvQueue:
    """Environments of a game that don't wait for each other, as those of EnvPool.

    :meth:`send` gives actions to environments, and :meth:`recv` returns the first ``batch_size`` steps that are done,
    whatever the slowest opponent does. Threads step one environment each. Each environment plays the same episodes as
    that of the same number in :class:`VectorEnv`. An episode that is over is followed by the next one at the next step,
    which ignores its action and gives a reward of 0.

    Parameters
    ----------
    game, players, seat, opponents, observation, dtype, reward, potential, gamma, illegal_action, skip_forced, match, max_episode_steps, starts, params, **settings
        As for :class:`Env`.
    num_envs
        The number of environments, N.
    batch_size
        The number of steps that :meth:`recv` returns, B, at most N; by default N.
    threads
        The number of threads; by default the number of processors.

    Raises
    ------
    RulesError
        If the rules are invalid.
    ValueError
        If there is no such game, param, seat or agent, an option is invalid, or the batch is larger than the number of
        environments.

    Examples
    --------
    >>> import houserule as hr
    >>> envs = hr.vector_env("connect-four", 64, opponents="mcts:100", batch_size=16)
    >>> envs.async_reset(seed=7)
    >>> observations, rewards, terminations, truncations, infos = envs.recv()
    >>> envs.send(envs.sample_actions(infos["env_id"]), infos["env_id"])
    """

    @made_with(env_queue_options)
    def __init__(self, options: Options) -> None:
        num_envs = options.num_envs
        self.options = options
        self.game = options.game
        self.num_envs = num_envs
        self.batch_size = num_envs if options.batch_size is None else options.batch_size
        if not 1 <= self.batch_size <= num_envs:
            raise ValueError(f"batch_size must be from 1 to the number of environments, {num_envs}, not {self.batch_size}")
        self.threads = processors() if options.threads is None else options.threads
        self._native = QueueCore(self.game, num_envs, self.threads, options.native("NextStep"), options.starts)
        self._layout = Layout(self.game, options, self._native)
        self.single_observation_space = self._layout.space()
        self.single_action_space = gymnasium.spaces.Discrete(self._native.sizes.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.batch_size)
        self.action_space = batch_space(self.single_action_space, self.batch_size)

    @property
    def players(self) -> int:
        """The number of players, P."""
        return self._native.sizes.players

    def __repr__(self) -> str:
        return f"<{type(self).__name__}, {self.num_envs} of {self.options}>"

    def async_reset(self, seed: int | None = None) -> None:
        """Begins new episodes in all environments; :meth:`recv` returns them. Steps that weren't received are lost.

        Parameters
        ----------
        seed
            The seed of environment 0; environment *i* gets ``seed + i``. Without it, each environment begins the next
            episode of its seed, at first *i*.
        """
        self._native.reset([None if seed is None else seed + env for env in range(self.num_envs)])

    def send(self, actions: Any, env_ids: Any) -> None:
        """Gives actions to environments, and returns without waiting for them.

        Parameters
        ----------
        actions, env_ids
            The numbers of the actions and of the environments, integers of the same shape (n,).

        Raises
        ------
        TypeError
            If these aren't integers.
        ValueError
            If there is no such environment, or one of them has an action already: its step must be received first. No
            environment has got its action then.
        """
        self._native.send(_integers(actions, "actions"), _integers(env_ids, "env_ids"))

    def recv(self) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Waits for the first ``batch_size`` environments whose steps are done, and returns them in that order.

        If Ctrl-C interrupts the wait, nothing is lost: the next call returns the steps. If an opponent raises an
        exception, or an action isn't legal and ``illegal_action`` is ``"raise"``, this method raises it. That environment
        is then as before its action and waits for another one; the other steps come with the next call.

        Returns
        -------
        observations, rewards, terminations, truncations, infos
            New arrays of B rows. ``infos["env_id"]`` (int64, (B,)) are the numbers of the environments. The other infos
            are those of :meth:`VectorEnv.step`, and ``infos["began"]`` (bool, (B,)) is true where an episode began in place
            of a step.

        Raises
        ------
        ValueError
            If fewer than ``batch_size`` environments have actions, so that the wait would never end.
        """
        b, native = self.batch_size, self._native
        numbers, masks = np.empty((b, *self._layout.shape), self._layout.dtype), np.empty((b, native.sizes.num_actions), np.int8)
        rewards, terminated, truncated, began = np.empty(b), np.empty(b, bool), np.empty(b, bool), np.empty(b, bool)
        seats, current = np.empty(b, np.int64), np.empty(b, np.int64)
        seat_rewards = np.empty((b, native.sizes.players)) if self.options.self_play else None
        said = native.recv(
            rewards, terminated, truncated, began, seats, current,
            observations=self._layout.native(numbers), masks=masks, seat_rewards=seat_rewards,
        )
        ids, ends, opponents, errors, illegal = zip(*said, strict=True)
        infos: dict[str, Any] = {"env_id": np.array(ids, np.int64), "action_mask": masks, "began": began}
        if seat_rewards is not None:
            infos["current_player"], infos["rewards"] = current, seat_rewards
        elif native.sizes.players > 1:
            infos["seat"] = seats
        if any(opponent is not None for opponent in opponents):
            infos["opponent"] = np.array(opponents, dtype=object)
        over = terminated | truncated
        _tell(infos, "end", over & [end is not None for end in ends], ends)
        _tell(infos, "illegal_action", over & illegal, illegal)
        _tell(infos, "error", over & [error is not None for error in errors], errors)
        return self._layout.many(numbers), rewards, terminated, truncated, infos

    def step(
        self, actions: Any, env_ids: Any
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Sends actions, and receives: the steps are those of the first environments that are done, not of these."""
        self.send(actions, env_ids)
        return self.recv()

    def sample_actions(self, env_ids: Any) -> NDArray[np.int64]:
        """Draws a legal action uniformly at random for environments that have been received. Returns int64 of the same shape
        (n,). The action is 0 where the episode is over."""
        ids = _integers(env_ids, "env_ids")
        actions = np.empty(len(ids), np.int64)
        self._native.sample_actions(ids, actions)
        return actions

    def state(self, env: int) -> State:
        """Returns a copy of an environment's state, once its step is done. It may contain more than the learner observes,
        and it has no history: see :attr:`gymnasium.Env.state`."""
        return self._native.state(env)

    def close(self) -> None:
        """Ends the threads. The environments can't be used afterwards."""
        self._native.close()

    def __enter__(self) -> EnvQueue:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _tell(infos: dict[str, Any], key: str, where: NDArray[np.bool_], values: Any) -> None:
    if where.any():
        told = np.zeros(len(where), bool) if key == "illegal_action" else np.full(len(where), None, dtype=object)
        for row in np.flatnonzero(where).tolist():
            told[row] = values[row]
        infos[key], infos[f"_{key}"] = told, where


def _integers(numbers: Any, what: str) -> NDArray[np.int64]:
    array = np.asarray(numbers)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{what} must be integers, not {array.dtype}")
    return np.ascontiguousarray(array, np.int64)
