"""Many environments at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from houserule._frames import Frames
from houserule._gymnasium.options import DType, IllegalAction, Observation, Opponents, Options, Reward, Seat, threads_for
from houserule._gymnasium.saved import Saved
from houserule._gymnasium.spaces import Layout
from houserule._native import State, VectorCore
from houserule._source import Source, game_of, only_options

Array = NDArray[Any]


class VectorEnv(Saved, gymnasium.vector.VectorEnv[Any, NDArray[np.int64], Array]):
    """Many environments of a game as a Gymnasium vector environment, stepped together in Rust.

    Each environment is as :class:`houserule.gymnasium.Env` is, and with the same seeds and actions all give the
    same steps as those would under ``gymnasium.vector.SyncVectorEnv``, whatever the number of threads. Two things
    are richer than there: in same-step mode ``infos["rewards"]`` of self-play has the rewards of the step, also
    where it ended an episode; and after a reset with a mask ``infos["action_mask"]`` is that of every
    environment.

    Parameters
    ----------
    game, players, seat, opponents, observation, reward, illegal_action, skip_forced, match, params, **settings
        As for :class:`houserule.gymnasium.Env`.
    num_envs
        How many: N.
    autoreset_mode
        When the next episode begins: ``"NextStep"`` (at the step after, which ignores its action),
        ``"SameStep"`` (at once, with ``infos["final_obs"]`` and ``infos["final_info"]``) or ``"Disabled"``
        (by ``reset(options={"reset_mask": …})``); or an ``AutoresetMode``.
    threads
        How many threads step; unless given, one for each 256 environments as far as there are processors.
    render_mode
        ``"ansi"``, ``"rgb_array"`` or None: :meth:`render` gives a tuple with a frame for each environment.

    Raises
    ------
    RulesError
        The rules are wrong.
    ValueError
        There is no such game, param, number of players, seat, agent or option.
    """

    metadata: dict[str, Any] = {
        "render_modes": ["ansi", "rgb_array"],
        "render_fps": Frames.FPS,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        game: Source,
        num_envs: int = 1,
        *,
        players: int | None = None,
        seat: Seat = "random",
        opponents: Opponents = "random",
        observation: Observation = "flat",
        dtype: DType = "float32",
        reward: Reward = "auto",
        illegal_action: IllegalAction = "penalize",
        skip_forced: bool = False,
        match: bool = False,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        threads: int | None = None,
        render_mode: str | None = None,
        params: dict[str, Any] | None = None,
        **settings: Any,
    ) -> None:
        self.game = game_of(game, players, params, **settings)
        self.options = Options(seat, opponents, observation, dtype, reward, illegal_action, skip_forced, match)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**type(self).metadata, "autoreset_mode": self.autoreset_mode}
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode is {render_mode!r}: many environments have 'ansi', 'rgb_array' and None")
        self.render_mode = render_mode
        self._frames = Frames(render_mode)
        self.num_envs = num_envs
        self.threads = threads_for(num_envs) if threads is None else threads
        self._seeded = False
        self._begin()
        self.single_observation_space = self._layout.space()
        self.single_action_space = gymnasium.spaces.Discrete(self._native.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def _begin(self) -> None:
        self._native = VectorCore(
            self.game, self.num_envs, self.threads, self.options.native(self.autoreset_mode.value)
        )
        self._layout = Layout(self.game, self.options, self._native)
        # The last one stands for no end.
        self._ends = np.array([*self._native.end_names, None], dtype=object)
        self._final = self._numbers() if self.autoreset_mode is AutoresetMode.SAME_STEP else None

    @property
    def players(self) -> int:
        """How many play: P."""
        return self._native.players

    @property
    def bytes_per_env(self) -> int:
        """Memory that one environment takes, in bytes, beside the arrays of a step."""
        return self._native.bytes_per_env

    @property
    def current_player(self) -> NDArray[np.int64]:
        """Whose decision the next step is, by environment; -1 where the episode is over."""
        current = np.empty(self.num_envs, np.int32)
        self._native.show(current_players=current)
        return current.astype(np.int64)

    @property
    def seats(self) -> NDArray[np.int64]:
        """The learner's seat in each environment; in self-play that of who took the last step."""
        return self._native.seats()

    def _numbers(self) -> NDArray[Any]:
        return np.empty((self.num_envs, *self._layout.shape), self._layout.dtype)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begins new episodes.

        Parameters
        ----------
        seed
            Of environment 0; environment *i* has ``seed + i``. Or a list with one for each environment. Where
            there is none, the next episode of the seed it has begins; before any seed is given, one is drawn.
        options
            ``{"reset_mask": mask}``, bool of shape (N,): only these. There is no other option.

        Returns
        -------
        observations, infos
            Of all environments, in arrays of their own.
        """
        n = self.num_envs
        mask = _reset_mask(options, n)
        seeds = self._seeds(seed)
        numbers, masks = self._numbers(), np.empty((n, self._native.num_actions), np.int8)
        self._native.reset(seeds, mask, observations=numbers, masks=masks)
        self._seeded = True
        return self._layout.many(numbers), self._infos(masks, np.ones(n, bool) if mask is None else mask.copy())

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
            raise ValueError(f"there are {len(seeds)} seeds for {n} environments: give one number, or one for each")
        if not self._seeded:
            return [drawn if one is None else one for one, drawn in zip(seeds, _drawn(n))]
        return seeds

    def step(self, actions: Any) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Takes a step in every environment. Interrupted by Ctrl-C, or by an exception of an opponent, it leaves all
        environments as they were before the step.

        Parameters
        ----------
        actions
            Action numbers, integers of shape (N,).

        Returns
        -------
        observations, rewards, terminations, truncations, infos
            In arrays of their own; rewards float64, of shape (N,). ``infos["action_mask"]`` (int8, (N, actions))
            has which actions are legal now; where the episode is over, all. In self-play ``infos["current_player"]`` (int64, (N,)) has whose
            decision is next and ``infos["rewards"]`` (float64, (N, P)) the rewards of every seat; else
            ``infos["seat"]`` the learner's, where several play. Where an episode is over by the rules, ``"end"`` has the
            name of the end that decided it (with ``"SameStep"`` in ``infos["final_info"]``).

        Raises
        ------
        RuntimeError
            An episode is over or has not begun, and they are reset by hand. Nothing has changed.
        ValueError
            An action is not legal, and illegal actions are to raise. Nothing has changed.
        """
        n, native = self.num_envs, self._native
        numbers, masks = self._numbers(), np.empty((n, native.num_actions), np.int8)
        rewards, terminated, truncated = np.empty(n), np.empty(n, bool), np.empty(n, bool)
        seat_rewards = np.empty((n, native.players)) if self.options.self_play else None
        # What a step that begins an episode forgets.
        over, seats = native.over(), native.seats()
        native.step(
            _integers(actions),
            rewards,
            terminated,
            truncated,
            observations=numbers,
            masks=masks,
            seat_rewards=seat_rewards,
            final_observations=self._final,
        )
        infos = self._infos(masks, np.ones(n, bool))
        if seat_rewards is not None:
            # Where a step only began an episode nobody was rewarded.
            infos["rewards"], infos["_rewards"] = seat_rewards, ~over
        over = terminated | truncated
        if over.any():
            self._tell_ends(infos, over, seats, seat_rewards)
        return self._layout.many(numbers), rewards, terminated, truncated, infos

    def _infos(self, masks: NDArray[np.int8], shown: NDArray[np.bool_]) -> dict[str, Any]:
        infos: dict[str, Any] = {"action_mask": masks, "_action_mask": shown}
        if self.options.self_play:
            infos["current_player"], infos["_current_player"] = self.current_player, shown.copy()
        elif self._native.players > 1:
            infos["seat"], infos["_seat"] = self.seats, shown.copy()
        return infos

    def _tell_ends(
        self, infos: dict[str, Any], over: NDArray[np.bool_], seats: NDArray[np.int64], seat_rewards: Array | None
    ) -> None:
        """Adds how episodes ended; in same-step mode also what they were at the end."""
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
            elif self._native.players > 1:
                told["seat"], told["_seat"] = np.where(over, seats, 0), over.copy()
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
        rewards: NDArray[np.float64],
        terminations: NDArray[np.bool_],
        truncations: NDArray[np.bool_],
        *,
        observations: NDArray[np.float32 | np.uint8] | None = None,
        action_masks: NDArray[np.int8] | None = None,
        current_players: NDArray[np.int32] | None = None,
        seat_rewards: NDArray[np.float64] | None = None,
        final_observations: NDArray[np.float32 | np.uint8] | None = None,
    ) -> None:
        """Takes a step in every environment and writes what comes of it into arrays that the caller has: parts
        of a rollout buffer, say. Nothing is made and nothing copied; what is not given is not written.

        Each array has to be C-contiguous and of exactly its dtype.

        Parameters
        ----------
        actions
            int64, (N,).
        rewards
            float64, (N,).
        terminations, truncations
            bool, (N,).
        observations, final_observations
            float32, or uint8 where the ``dtype`` of the environments says so; (N, numbers) or any shape of as many numbers: as they are, or for ``"dict"`` flat. The final
            ones are written in same-step mode, where an episode is over; other rows stay as they are.
        action_masks
            int8, (N, actions).
        current_players
            int32, (N,).
        seat_rewards
            float64, (N, P): in self-play the rewards of every seat.

        Raises
        ------
        TypeError
            An array has another dtype.
        ValueError
            An array has another size or is not contiguous, or an action is not legal where that is to raise.
        """
        self._native.step(
            actions,
            rewards,
            terminations,
            truncations,
            observations=observations,
            masks=action_masks,
            current_players=current_players,
            seat_rewards=seat_rewards,
            final_observations=final_observations,
        )

    def sample_actions(self, out: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """Draws a legal action for every environment, all with the same chance; 0 where the episode is over.

        What is drawn follows from the environments' seeds (or from :meth:`seed_samples`). With ``out`` (int64,
        (N,)) nothing is made.
        """
        actions = np.empty(self.num_envs, np.int64) if out is None else out
        self._native.sample_actions(actions)
        return actions

    def seed_samples(self, seed: int) -> None:
        """Makes what :meth:`sample_actions` draws follow from this seed."""
        self._native.seed_samples(seed)

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now: bool, (N, actions); where the episode is over, all."""
        masks = np.empty((self.num_envs, self._native.num_actions), np.int8)
        self._native.show(masks=masks)
        return masks.view(np.bool_)

    def observations(self) -> Any:
        """What there is to see now, in arrays of their own."""
        numbers = self._numbers()
        self._native.show(observations=numbers)
        return self._layout.many(numbers)

    def state(self, env: int) -> State:
        """The game of an environment as it stands, as a state of its own. It may tell more than the learner
        sees."""
        return self._native.state(env)

    def render(self) -> tuple[Any, ...] | None:
        """A frame for each environment, as the render mode says."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without a render_mode: give one to the environments")
            return None
        return tuple(self._frames.draw(self._native.state(env)) for env in range(self.num_envs))


def _drawn(n: int) -> list[int | None]:
    return [int(seed) for seed in np.random.default_rng().integers(0, 2**63, n)]


def _integers(actions: Any) -> NDArray[np.int64]:
    array = np.asarray(actions)
    if array.dtype.kind not in "iu":
        raise TypeError(f"actions are {array.dtype}: they are whole numbers")
    return np.ascontiguousarray(array, np.int64)


def _reset_mask(options: dict[str, Any] | None, n: int) -> NDArray[np.bool_] | None:
    """The mask of a reset, as Gymnasium 1.4 takes it."""
    only_options(options, "reset_mask")
    if options is None or "reset_mask" not in options:
        return None
    mask = options["reset_mask"]
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
        raise TypeError(f"options['reset_mask'] is {mask!r}: it is a numpy array of bool")
    if mask.shape != (n,):
        raise ValueError(f"options['reset_mask'] has shape {mask.shape}: it is ({n},)")
    if not mask.any():
        raise ValueError("options['reset_mask'] is false everywhere: name at least one environment to reset")
    return np.ascontiguousarray(mask)
