"""The vector environment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from houserule._frames import Frames
from houserule._gymnasium.options import Options, made_with, threads_for, vector_env_options
from houserule._gymnasium.shared import SharedEnv
from houserule._native import Search, State, VectorCore
from houserule._source import only_options
from houserule._starts import next_positions

Array = NDArray[Any]


class VectorEnv(SharedEnv, gymnasium.vector.VectorEnv[Any, NDArray[np.int64], Array]):
    """A Gymnasium vector environment of a game, stepped in Rust.

    Each environment behaves like :class:`houserule.gymnasium.Env`. With the same seeds and actions, all steps equal
    those of ``gymnasium.vector.SyncVectorEnv`` with such environments, for any number of threads. Two infos contain
    more. In self-play with same-step autoreset, ``infos["rewards"]`` has the rewards of the step also where the step
    ended an episode. After a reset with a mask, ``infos["action_mask"]`` has the mask of every environment.

    Parameters
    ----------
    game, players, seat, opponents, observation, dtype, reward, potential, gamma, illegal_action, skip_forced, match, max_episode_steps, starts, render_width, show_rules, params, **settings
        As for :class:`houserule.gymnasium.Env`. With rule sets, ``infos["rules"]`` (int64, (N,)) is the index of the rule
        set that each environment plays, and ``rules[index]`` its game.
    num_envs
        The number of environments, N.
    autoreset_mode
        When the next episode starts. ``"NextStep"``: in the next step, which ignores its action. ``"SameStep"``:
        immediately, with ``infos["final_obs"]`` and ``infos["final_info"]``. ``"Disabled"``: when the caller calls
        ``reset(options={"reset_mask": …})``. An ``AutoresetMode`` is accepted, too.
    threads
        The number of threads. The default is one for every 256 environments, at most the number of processors.
    render_mode
        ``"ansi"``, ``"rgb_array"`` or None. :meth:`render` returns a tuple with a frame for each environment.
    rule_choice
        How the rule set of an episode is chosen, if there are several: as for :class:`houserule.gymnasium.Env`, or
        ``"slices"``: the first environments always play the first rule set, and so on in equal slices. A function is
        called before a step, at most one episode ahead, also for episodes that are then begun with another seed. It
        stops the step if it raises; nothing has changed then.
    statistics
        Where an episode is over, ``infos["episode"]`` has the sums of the rewards ``"r"``, the numbers of steps ``"l"``
        and the times in seconds ``"t"``, as Gymnasium's ``RecordEpisodeStatistics`` writes them. :meth:`step_into`
        doesn't collect statistics.

    Raises
    ------
    RulesError, ValueError
        As for :class:`houserule.gymnasium.Env`.
    """

    metadata: dict[str, Any] = {
        "render_modes": ["ansi", "rgb_array"],
        "render_fps": Frames.FPS,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    @made_with(vector_env_options)
    def __init__(self, options: Options) -> None:
        num_envs, render_mode = options.num_envs, options.render_mode
        self.autoreset_mode = AutoresetMode(options.autoreset_mode)
        self.metadata = {**type(self).metadata, "autoreset_mode": self.autoreset_mode}
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode of many environments must be 'ansi', 'rgb_array' or None, not {render_mode!r}")
        self.num_envs = num_envs
        self.threads = threads_for(num_envs) if options.threads is None else options.threads
        self._set_up(options)
        self.single_observation_space = self._layout.space()
        self.single_action_space = gymnasium.spaces.Discrete(self._native.sizes.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}, {self.num_envs} of {self.options}>"

    def _begin(self) -> None:
        options = self.options.native(self.autoreset_mode.value)
        self._begin_with(VectorCore(self.game, self.num_envs, self.threads, options))
        # The last one, which index -1 selects, means that no end decided.
        self._ends = np.array([*self._native.end_names, None], dtype=object)
        self._final = self._numbers() if self.autoreset_mode is AutoresetMode.SAME_STEP else None

    @property
    def players(self) -> int:
        """The number of players, P."""
        return self._native.sizes.players

    @property
    def bytes_per_env(self) -> int:
        """The memory of one environment in bytes, without the arrays of a step."""
        return self._native.bytes_per_env

    @property
    def current_player(self) -> NDArray[np.int64]:
        """The seat that decides in the next step, for each environment: int64 of shape (N,). -1 where the episode is
        over."""
        current = np.empty(self.num_envs, np.int32)
        self._native.show(current_players=current)
        return current.astype(np.int64)

    @property
    def seats(self) -> NDArray[np.int64]:
        """The learner's seat in each environment; in self-play, the seat that took the last step. int64 of shape
        (N,)."""
        return self._native.seats()

    @property
    def rule_indices(self) -> NDArray[np.int64]:
        """The index in ``rules`` of the rule set that each environment plays: int64 of shape (N,); 0 without rule sets."""
        return self._native.rules()

    @property
    def opponents(self) -> NDArray[np.object_] | None:
        """The name of the opponents in each environment: an array of str of shape (N,). None if they aren't drawn from a
        mixture."""
        names = self._native.line_up_names
        return np.array(names, dtype=object)[self._native.line_ups()] if names else None

    def _numbers(self) -> NDArray[Any]:
        return np.empty((self.num_envs, *self._layout.shape), self._layout.dtype)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Starts new episodes.

        Parameters
        ----------
        seed
            The seed of environment 0; environment *i* gets ``seed + i``. Or a list with a seed or None for each
            environment. An environment without a seed starts the next episode of its current seed. If the
            environments have never been seeded, a missing seed is drawn at random.
        options
            ``{"reset_mask": mask}``, bool of shape (N,), resets only the environments where the mask is true.
            ``{"starts": starts}``: the positions in which these episodes start, one for all or a list with one or None
            for each environment. A start is as in :meth:`set_starts`. There is no other option.

        Returns
        -------
        observations, infos
            Those of all environments, in new arrays.

        Raises
        ------
        TypeError
            If the mask isn't an array of bool.
        ValueError
            If the number of seeds or starts or the shape of the mask is wrong, the mask is false everywhere, a start
            isn't a position of the game with a decision to take, or there is another option.
        """
        n = self.num_envs
        mask = _reset_mask(options, n)
        starts = next_positions(self.game, options, n)
        if starts is not None:
            self._native.start_next_in([start if mask is None or mask[env] else None for env, start in enumerate(starts)])
        seeds = self._seeds(seed)
        numbers, masks = self._numbers(), np.empty((n, self._native.sizes.num_actions), np.int8)
        self._native.reset(seeds, mask, observations=self._layout.native(numbers), masks=masks)
        self._seeded = True
        fresh = np.ones(n, bool) if mask is None else mask.copy()
        if self._episodes is not None:
            self._episodes.begin(fresh)
        return self._layout.many(numbers), self._infos(masks, fresh)

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None] | None:
        n = self.num_envs
        if seed is None:
            if self._seeded:
                return None
            return _drawn(n)
        if hasattr(seed, "__index__"):
            super().reset(seed=int(seed))
            return [int(seed) + i for i in range(n)]
        seeds = list(seed)
        if len(seeds) != n:
            raise ValueError(f"{len(seeds)} seeds for {n} environments: give one for all, or one for each")
        if not self._seeded:
            return [drawn if one is None else one for one, drawn in zip(seeds, _drawn(n))]
        return seeds

    def step(self, actions: Any) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Steps every environment.

        If Ctrl-C interrupts the step, or an opponent raises an exception, all environments remain as they were before.

        Parameters
        ----------
        actions
            The numbers of the actions, integers of shape (N,).

        Returns
        -------
        observations, rewards, terminations, truncations, infos
            New arrays. The rewards are float64 of shape (N,), terminations and truncations bool of shape (N,).
            ``infos["action_mask"]`` (int8, (N, actions)) is 1 for each legal action, and all 1 where the episode is
            over. In self-play, ``infos["current_player"]`` (int64, (N,)) is the seat that decides next, and
            ``infos["rewards"]`` (float64, (N, P)) has the rewards of every seat. Otherwise, in games of several
            players, ``infos["seat"]`` (int64, (N,)) is the learner's seat. Where an episode ended by the rules,
            ``infos["end"]`` is the name of the end that decided it; with ``"SameStep"`` it is in
            ``infos["final_info"]``.

        Raises
        ------
        RuntimeError
            If an episode is over or hasn't started, and autoreset is disabled. Nothing has changed then.
        TypeError
            If the actions aren't integers.
        ValueError
            If an action isn't legal and ``illegal_action`` is ``"raise"``. Nothing has changed then.
        """
        n, native = self.num_envs, self._native
        numbers, masks = self._numbers(), np.empty((n, native.sizes.num_actions), np.int8)
        rewards, terminated, truncated = np.empty(n), np.empty(n, bool), np.empty(n, bool)
        seat_rewards = np.empty((n, native.sizes.players)) if self.options.self_play else None
        # Read before the step, because a step that starts an episode overwrites them.
        over, seats, opponents = native.over(), native.seats(), self.opponents
        rules = None if self.rules is None else native.rules()
        native.step(
            _integers(actions),
            rewards,
            terminated,
            truncated,
            observations=self._layout.native(numbers),
            masks=masks,
            seat_rewards=seat_rewards,
            final_observations=None if self._final is None else self._layout.native(self._final),
        )
        infos = self._infos(masks, np.ones(n, bool))
        if self._episodes is not None:
            self._count(infos, rewards, over, terminated | truncated)
        if seat_rewards is not None:
            # Where the step only started an episode, there are no rewards.
            infos["rewards"], infos["_rewards"] = seat_rewards, ~over
        over = terminated | truncated
        if over.any():
            self._tell_ends(infos, over, seats, seat_rewards, opponents, rules)
        return self._layout.many(numbers), rewards, terminated, truncated, infos

    def _count(
        self, infos: dict[str, Any], rewards: Array, fresh: NDArray[np.bool_], over: NDArray[np.bool_]
    ) -> None:
        """Adds the statistics of the episodes that are over to the infos. `fresh` is true where the step only started
        an episode."""
        assert self._episodes is not None
        self._episodes.begin(fresh)
        infos |= self._episodes.step(rewards, ~fresh, over)
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            self._episodes.begin(over)

    def _infos(self, masks: NDArray[np.int8], shown: NDArray[np.bool_]) -> dict[str, Any]:
        infos: dict[str, Any] = {"action_mask": masks, "_action_mask": shown}
        if self.options.self_play:
            infos["current_player"], infos["_current_player"] = self.current_player, shown.copy()
        elif self._native.sizes.players > 1:
            infos["seat"], infos["_seat"] = self.seats, shown.copy()
        if (opponents := self.opponents) is not None:
            infos["opponent"], infos["_opponent"] = opponents, shown.copy()
        if self.rules is not None:
            infos["rules"], infos["_rules"] = self._native.rules(), shown.copy()
        return infos

    def _tell_ends(
        self,
        infos: dict[str, Any],
        over: NDArray[np.bool_],
        seats: NDArray[np.int64],
        seat_rewards: Array | None,
        opponents: NDArray[np.object_] | None,
        rules: NDArray[np.int64] | None,
    ) -> None:
        """Adds to the infos how episodes ended and, with same-step autoreset, the final observations and infos."""
        n = self.num_envs
        told = infos
        if self._final is not None:
            final_obs = np.full(n, None, dtype=object)
            for env in np.flatnonzero(over).tolist():
                final_obs[env] = self._layout.one(self._final[env].copy())
            told = {"action_mask": np.ones_like(infos["action_mask"]), "_action_mask": over.copy()}
            if seat_rewards is not None:
                told["current_player"], told["_current_player"] = np.where(over, -1, 0), over.copy()
                told["rewards"], told["_rewards"] = np.where(over[:, None], seat_rewards, 0.0), over.copy()
            elif self._native.sizes.players > 1:
                told["seat"], told["_seat"] = np.where(over, seats, 0), over.copy()
            if opponents is not None:
                told["opponent"], told["_opponent"] = np.where(over, opponents, np.array(None, dtype=object)), over.copy()
            if rules is not None:
                told["rules"], told["_rules"] = np.where(over, rules, 0), over.copy()
            infos["final_obs"], infos["_final_obs"] = final_obs, over.copy()
            infos["final_info"], infos["_final_info"] = told, over.copy()
        decided = self._native.decided(over)
        if (decided >= 0).any():
            told["end"], told["_end"] = self._ends[decided], decided >= 0
        for env, error in self._native.ends(over):
            key, value = ("illegal_action", True) if error is None else ("error", error)
            if key not in told:
                told[key] = np.zeros(n, bool) if error is None else np.full(n, None, dtype=object)
                told[f"_{key}"] = np.zeros(n, bool)
            told[key][env], told[f"_{key}"][env] = value, True

    def step_into(
        self,
        actions: NDArray[np.int64],
        rewards: NDArray[np.float64 | np.float32],
        terminations: NDArray[np.bool_],
        truncations: NDArray[np.bool_],
        *,
        observations: NDArray[np.float32 | np.float16 | np.uint8 | np.bool_] | None = None,
        action_masks: NDArray[np.int8 | np.bool_] | None = None,
        current_players: NDArray[np.int32] | None = None,
        seat_rewards: NDArray[np.float64 | np.float32] | None = None,
        final_observations: NDArray[np.float32 | np.float16 | np.uint8 | np.bool_] | None = None,
    ) -> None:
        """Steps every environment and writes the results into the caller's arrays, such as slices of a rollout buffer.

        Results without an array aren't written. Each array must be C-contiguous and have one of the given dtypes; nothing
        is copied or allocated, except for rewards of float32.

        Parameters
        ----------
        actions
            int64, (N,).
        rewards
            float64 or float32, (N,).
        terminations, truncations
            bool, (N,).
        observations, final_observations
            float32, or the ``dtype`` of the environments, where bits are uint8; (N, numbers), or any shape with the same
            number of elements. For ``observation="dict"``, the observations are flat. Final observations are written
            with same-step autoreset, in the rows where an episode is over; other rows remain unchanged.
        action_masks
            int8 or bool, (N, actions).
        current_players
            int32, (N,).
        seat_rewards
            float64 or float32, (N, P): the rewards of every seat in self-play.

        Raises
        ------
        TypeError
            If an array has another dtype.
        ValueError
            If an array has another size, is read-only or isn't contiguous, or an action isn't legal and ``illegal_action`` is
            ``"raise"``.
        """
        # Rewards are added up in float64. Truth values have the bytes of the numbers 0 and 1.
        own, seats = _wide(rewards), _wide(seat_rewards)
        masks: Any = action_masks
        if getattr(masks, "dtype", None) == np.bool_:
            masks = masks.view(np.int8)
        self._native.step(
            actions,
            own,
            terminations,
            truncations,
            observations=None if observations is None else self._layout.native(observations),
            masks=masks,
            current_players=current_players,
            seat_rewards=seats,
            final_observations=None if final_observations is None else self._layout.native(final_observations),
        )
        if own is not rewards:
            rewards[...] = own
        if seat_rewards is not None and seats is not seat_rewards:
            seat_rewards[...] = seats

    def sample_actions(self, out: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """Draws a legal action for every environment uniformly at random. Returns int64 of shape (N,).

        The action is 0 where the episode is over. The random stream is seeded by the environments' seeds or by
        :meth:`seed_samples`. With ``out`` (int64, (N,)), writes into that array and returns it.
        """
        actions = np.empty(self.num_envs, np.int64) if out is None else out
        self._native.sample_actions(actions)
        return actions

    def seed_samples(self, seed: int) -> None:
        """Seeds the random stream of :meth:`sample_actions`."""
        self._native.seed_samples(seed)

    def set_rule_weights(self, weights: Sequence[float]) -> None:
        """Replaces the weights with which rule sets are drawn, from each environment's next episode on.

        Parameters
        ----------
        weights
            A number from 0 on for each rule set; not all 0.

        Raises
        ------
        ValueError
            If the weights are invalid, or the rules aren't drawn with weights.
        """
        listed = [float(weight) for weight in weights]
        self._native.set_rule_weights(listed)
        self.options = replace(self.options, rule_choice=listed)

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns the masks of the legal actions: bool of shape (N, actions), all true where the episode is over."""
        masks = np.empty((self.num_envs, self._native.sizes.num_actions), np.int8)
        self._native.show(masks=masks)
        return masks.view(np.bool_)

    def observations(self) -> Any:
        """Returns the current observations, in new arrays."""
        numbers = self._numbers()
        self._native.show(observations=self._layout.native(numbers))
        return self._layout.many(numbers)

    def state(self, env: int) -> State:
        """Returns a copy of an environment's current state. It may contain more than the learner observes.

        It has the seed and the index of its game, the number of decisions and the chance to come. Environments don't keep
        the events, nor the numbers of turns and rolls: reading those raises ValueError."""
        return self._native.state(env)

    def search(
        self, search: Search, threads: int | None = None
    ) -> tuple[NDArray[np.float32], NDArray[np.float64], NDArray[np.int64]]:
        """Searches the current decisions of all environments together, as `Search.run` does.

        Parameters
        ----------
        search
            The search with its evaluator.
        threads
            The number of threads, which changes no result; by default that of the environments.

        Returns
        -------
        policies
            float32 of shape (N, actions): the share of the simulations of each action.
        values
            float64 of shape (N,): the mean value of the simulations for the player to move.
        actions
            int64 of shape (N,): the actions that the search chooses.

        Notes
        -----
        Where an episode is over, the policy, the value and the action are 0. The environments keep no history. If the
        game hides something, worlds agree with what lies open and with what the player knows of zones, and not with
        what the others did before.
        """
        open_envs = np.flatnonzero(~self._native.over())
        policies = np.zeros((self.num_envs, self._native.sizes.num_actions), np.float32)
        values, actions = np.zeros(self.num_envs), np.zeros(self.num_envs, np.int64)
        states = [self._native.state(int(env)) for env in open_envs]
        if states:
            threads = self._native.threads if threads is None else threads
            policies[open_envs], values[open_envs], actions[open_envs] = search.run(states, threads)
        return policies, values, actions

    def render(self) -> tuple[Any, ...] | None:
        """Renders each environment in the render mode. Returns a tuple of frames, or None without a render mode."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without a render_mode: set one when you make the environments")
            return None
        return tuple(self._frames.draw(self._native.state(env)) for env in range(self.num_envs))


def _drawn(n: int) -> list[int | None]:
    return [int(seed) for seed in np.random.default_rng().integers(0, 2**63, n)]


def _wide(rewards: Any) -> Any:
    """Returns rewards as the native module writes them: an array of float64 for one of float32, else the same array."""
    if getattr(rewards, "dtype", None) != np.float32 or not rewards.flags.writeable:
        return rewards
    return np.empty(rewards.shape)


def _integers(actions: Any) -> NDArray[np.int64]:
    array = np.asarray(actions)
    if array.dtype.kind not in "iu":
        raise TypeError(f"actions must be integers, not {array.dtype}")
    return np.ascontiguousarray(array, np.int64)


def _reset_mask(options: dict[str, Any] | None, n: int) -> NDArray[np.bool_] | None:
    """Returns the mask of a reset, in the form of Gymnasium 1.4, or None if there is none."""
    only_options(options, "reset_mask", "starts")
    if options is None or "reset_mask" not in options:
        return None
    mask = options["reset_mask"]
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
        raise TypeError(f"options['reset_mask'] must be a numpy array of bool, not {mask!r}")
    if mask.shape != (n,):
        raise ValueError(f"options['reset_mask'] must have shape ({n},), not {mask.shape}")
    if not mask.any():
        raise ValueError("options['reset_mask'] is false everywhere: select at least one environment to reset")
    return np.ascontiguousarray(mask)
