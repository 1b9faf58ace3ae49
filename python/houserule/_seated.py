"""Games whose seats are named agents: the common part of the environments for PettingZoo and RLlib."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

import gymnasium
import numpy as np
from numpy.typing import NDArray

from houserule._gymnasium.options import env_options
from houserule._gymnasium.spaces import Layout
from houserule._native import EnvCore, Game, State, VectorCore, facts
from houserule._source import returns_of, score_sign
from houserule._starts import started

if TYPE_CHECKING:
    from houserule._gymnasium.options import DType

ILLEGAL = -1.0
"""The reward for an illegal action."""


class Seated:
    """The successive games of an environment, and the observations and rewards of its agents ``player_0``,
    ``player_1`` and so on.

    Parameters
    ----------
    game
        The game.
    reward
        ``"score"``, ``"outcome"``, ``"payoff"``, ``"margin"`` or ``"auto"``: payoff if the rules declare one, else score in
        one-player games, otherwise outcome.
    dtype
        The dtype of observations: ``"float32"``, ``"float16"``, ``"uint8"``, ``"bool"`` or ``"bits"``.
    limit
        The number of decisions after which a game is truncated; by default, and at most, the limit of the rules.

    Raises
    ------
    ValueError
        If there is no such reward or dtype, an entry doesn't fit the dtype, or the game has no actions.
    """

    def __init__(self, game: Game, reward: str, dtype: str = "float32", limit: int | None = None) -> None:
        if reward not in ("auto", "outcome", "payoff", "score", "margin"):
            raise ValueError(f"reward must be 'auto', 'outcome', 'payoff', 'score' or 'margin', not {reward!r}")
        if game.num_actions == 0:
            raise ValueError(f"{game.title} leaves nothing to decide: an agent needs a game with actions")
        self.game = game
        core = EnvCore(game, {"dtype": dtype})
        self._dtype = cast("DType", dtype)
        self._layout = Layout(game, env_options(game, dtype=self._dtype, reward=reward), core)
        pays = facts(game)["payoff"] is not None
        self.scored = reward in ("score", "margin") or (reward == "auto" and game.players == 1 and not pays)
        self._reward = reward
        self._margin = reward == "margin" and game.players > 1
        self.agents = [f"player_{seat}" for seat in range(game.players)]
        if limit is not None and limit < 1:
            raise ValueError(f"max_cycles must be at least 1, not {limit}")
        self._limit: int = min(facts(game)["limit"], limit or sys.maxsize)
        self._run: tuple[int, int] | None = None
        self._scores: list[int] = []

    @staticmethod
    def action_of(agent: str | None, actions: Mapping[str, int]) -> int:
        """Returns the action of the agent who has to decide, or raises a ``ValueError`` if it gave none. None means that
        the game is over."""
        action = None if agent is None else actions.get(agent)
        if action is None:
            whose = "the game is over: reset it" if agent is None else f"{agent} has to decide"
            raise ValueError(f"{whose}; actions were given for: {', '.join(actions) or 'nobody'}")
        return int(action)

    def spaces(self, observation: str, mask: type) -> dict[str, gymnasium.spaces.Dict]:
        """Returns the observation space of each agent: a dict of the observation, under the given name, and the
        ``action_mask``, of type ``mask`` and shape (actions,)."""

        def space() -> gymnasium.spaces.Dict:
            seen = self._layout.space()
            legal = gymnasium.spaces.Box(0, 1, (self.game.num_actions,), mask)
            return gymnasium.spaces.Dict({observation: seen, "action_mask": legal})

        return {agent: space() for agent in self.agents}

    def end_names(self) -> list[str]:
        """Returns the names of the ends that can decide a game."""
        return VectorCore(self.game, 1, 1, {}).end_names

    def seen(self, state: State, player: int) -> NDArray[Any]:
        """Returns a player's observation of a state, in a new array."""
        return state.observation(player, dtype=self._dtype)

    def start(self, seed: int | None, options: dict[str, Any] | None = None) -> State:
        """Returns the start of game 0 of a seed. Without a seed, of the next game of the current seed. The options are those
        of :func:`houserule._starts.started`.

        If no seed was given before, the current seed is drawn at random.
        """
        if seed is not None:
            self._run = (seed, 0)
        elif self._run is None:
            self._run = (int.from_bytes(os.urandom(8), "little"), 0)
        else:
            self._run = (self._run[0], self._run[1] + 1)
        state = started(self.game, *self._run, options)
        # A player gets the points of the start of a game with its first step, but not those of another position.
        self._scores = self._worth(state) if "start" in (options or {}) else [0] * self.game.players
        return state

    def is_broken_off(self, state: State) -> bool:
        """Returns True if the game isn't over, but has reached the limit of decisions."""
        return not state.is_over and state.decisions >= self._limit

    def rewards(self, state: State) -> dict[str, float]:
        """Returns the reward of each agent: the improvement of its score since the last call, or, if rewards aren't
        scores, its return."""
        if not self.scored:
            return dict(zip(self.agents, returns_of(state, self._reward), strict=True))
        before, self._scores = self._scores, self._worth(state)
        gains = (float(now - then) for now, then in zip(self._scores, before, strict=True))
        return dict(zip(self.agents, gains, strict=True))

    def _worth(self, state: State) -> list[int]:
        """Returns each player's score or, with margins as rewards, its margin over the best of the others. More is
        better."""
        sign = score_sign(self.game)
        scores = [sign * score for score in state.score]
        if not self._margin:
            return scores
        return [own - max(scores[:seat] + scores[seat + 1 :]) for seat, own in enumerate(scores)]
