"""Rule files as PettingZoo environments: ``houserule.pettingzoo.env("dicrono")``.

Needs the extra ``pettingzoo``: ``pip install '.[pettingzoo]'`` in the project folder.
"""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium
import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from houserule._frames import Frames
from houserule._seated import ILLEGAL, Seated
from houserule._source import Source, game_of, told_options

__all__ = ["env", "raw_env"]

Observation = dict[str, NDArray[Any]]


def env(game: Source, **options: Any) -> AECEnv[str, Observation, int | None]:
    """Returns a game as an environment with the wrappers of PettingZoo's own environments.

    An illegal action ends the game with a reward of -1. A number outside the action space raises, and so does a
    step before the first ``reset``. The options are those of :class:`raw_env`.
    """
    wrapped: AECEnv[str, Observation, int | None] = raw_env(game, **options)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=ILLEGAL)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv[str, Observation, "int | None"]):
    """A game as an agent environment cycle (AEC), without wrappers.

    The agents are ``player_0``, ``player_1`` and so on, by seat. One step is one decision of the agent who has to
    decide, so the same agent may have several steps in a row. Chance events happen within the step.

    An observation is a dict with two arrays. ``"observation"`` is what the agent sees, from its own side: float32
    from 0 to 1, unless ``dtype`` says otherwise. ``"action_mask"``, int8 of shape (actions,), is 1 for each legal
    action, and all 0 while another agent has to decide.

    Parameters
    ----------
    game
        A bundled game's name, a path, rule text, or a :class:`houserule.Game`.
    players
        The number of players; by default the minimum that the rules allow.
    render_mode
        ``"ansi"`` (text), ``"rgb_array"`` (uint8, height × width × 3), ``"human"`` (a window), or None.
    reward
        ``"outcome"``: the return at the end of the game. With n players, each of k winners gets
        (n/k − 1)/(n − 1), and each other player −1/(n − 1). ``"score"``: the change of the score in each step, so
        that an agent's rewards sum to its final score, or to its negative if the lowest score is best.
        ``"auto"``: score in one-player games, otherwise outcome.
    dtype
        The dtype of ``"observation"``: ``"float32"``, ``"uint8"`` or ``"bits"``, see
        :class:`houserule.gymnasium.Env`.
    params, **settings
        Params of the rules by name.

    Raises
    ------
    RulesError
        If the rules are invalid.
    ValueError
        If there is no such game, param, render mode, reward or dtype, or the number of players isn't allowed.
        From ``step``, if the action isn't legal; the message lists the legal actions.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "houserule",
        "render_modes": Frames.MODES,
        "render_fps": Frames.FPS,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        game: Source,
        *,
        players: int | None = None,
        render_mode: str | None = None,
        reward: str = "auto",
        dtype: str = "float32",
        params: dict[str, Any] | None = None,
        **settings: Any,
    ) -> None:
        super().__init__()
        self.game = game_of(game, players, params, **settings)
        self._seated = Seated(self.game, reward, dtype)
        self.metadata = {**type(self).metadata, "name": self.game.name}
        self.render_mode = render_mode
        self._frames = Frames(render_mode)
        self.possible_agents = list(self._seated.agents)
        self.agents = []
        self.observation_spaces = self._seated.spaces("observation", np.int8)
        self.action_spaces = {agent: gymnasium.spaces.Discrete(self.game.num_actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Returns the observation space of an agent, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Returns the action space of an agent, always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game.

        With a seed this is game 0 of that seed. Without a seed it is the next game of the current seed, or game 0
        of a random seed if none was given before. There are no options. A given option causes only a warning,
        because PettingZoo's own tests pass one.
        """
        told_options(options)
        self._state = self._seated.start(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._settle()
        self._show()

    def step(self, action: int | None) -> None:
        """Applies an action of the selected agent. For an agent that is terminated or truncated, it must be None.

        Raises
        ------
        ValueError
            If the action isn't legal, or is None although the agent has to decide.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} has to decide: None is only for agents that are terminated or truncated")
        self._state.apply(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._settle()
        self._accumulate_rewards()
        self._show()

    def _settle(self) -> None:
        """Updates the selected agent, the terminations, truncations and infos, and the rewards."""
        state = self._state
        over = state.is_over
        if over:
            self.terminations = dict.fromkeys(self.agents, True)
            self.infos = {agent: {"end": state.outcome.end} for agent in self.agents}
        elif self._seated.is_broken_off(state):
            self.truncations = dict.fromkeys(self.agents, True)
        player = state.current_player
        self.agent_selection = self.possible_agents[player or 0]
        # Points that a player has at the start are part of the reward of the first step.
        if over or state.decisions > 0:
            self.rewards = self._seated.rewards(state)

    def observe(self, agent: str) -> Observation:
        """Returns an agent's observation and action mask, in new arrays."""
        state = self._state
        player = self.possible_agents.index(agent)
        if player == state.current_player and not self._seated.is_broken_off(state):
            mask = state.legal_mask().view(np.int8)
        else:
            mask = np.zeros(self.game.num_actions, np.int8)
        return {"observation": self._seated.seen(state, player), "action_mask": mask}

    def _show(self) -> None:
        if self.render_mode == "human":
            self._frames.draw(self._state)

    def render(self) -> str | NDArray[np.uint8] | None:
        """Renders the game in the render mode: text, a uint8 array of shape (height, width, 3), or None."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without a render_mode: set one when you make the environment")
        return self._frames.draw(self._state)

    def close(self) -> None:
        """Closes the window, if one is open."""
        self._frames.close()
