"""Rule files as PettingZoo environments: ``houserule.pettingzoo.env("dicrono")``.

Needs the extra ``pettingzoo``: ``pip install '.[pettingzoo]'`` in the project folder.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

import gymnasium
import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers

from houserule._frames import Frames
from houserule._seated import ILLEGAL, Seated
from houserule._source import Source, game_of, option_names, suggesting, told_options
from houserule._starts import OPTIONS

__all__ = ["env", "parallel_env", "raw_env"]

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
        ``"payoff"``: the `payoff` that the rules declare, at the end; the outcome if they declare none. ``"auto"``: payoff
        if the rules declare one, else score in one-player games, otherwise outcome.
    dtype
        The dtype of ``"observation"``: ``"float32"``, ``"uint8"`` or ``"bits"``, see
        :class:`houserule.gymnasium.Env`.
    max_cycles
        The number of decisions after which a game is truncated; by default the limit of the rules.
    render_width
        The width of pictures in pixels; by default that of the drawing.
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
        max_cycles: int | None = None,
        render_width: int | None = None,
        params: dict[str, Any] | None = None,
        **settings: Any,
    ) -> None:
        super().__init__()
        with suggesting(settings, option_names(type(self).__init__)):
            self.game = game_of(game, players, params, **settings)
        self._seated = Seated(self.game, reward, dtype, max_cycles)
        self.metadata = {**type(self).metadata, "name": self.game.name}
        self.render_mode = render_mode
        self._frames = Frames(render_mode, render_width)
        self.possible_agents = list(self._seated.agents)
        self.agents = []
        self.observation_spaces = self._seated.spaces("observation", np.int8)
        self.action_spaces = {agent: gymnasium.spaces.Discrete(self.game.num_actions) for agent in self.possible_agents}

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.game.name}: {self.game.players} players>"

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Returns the observation space of an agent, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Returns the action space of an agent, always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game.

        With a seed this is game 0 of that seed. Without a seed it is the next game of the current seed, or game 0
        of a random seed if none was given before.

        With the option ``"start"`` the game starts in another position: a :class:`houserule.State`, a position as text,
        or the record of a game as a dict; with ``"decisions"``, after that number of decisions of the record. Its dice are
        those of the seed as well. With ``reward="score"``, the points of the position aren't part of the rewards. Any
        other option causes only a warning, because PettingZoo's own tests pass one.

        Raises
        ------
        TypeError, ValueError
            If the start isn't a position of the game in which there is a decision to take.
        """
        told_options(options, *OPTIONS)
        self._state = self._seated.start(seed, options)
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


class parallel_env(ParallelEnv[str, Observation, int]):
    """A game as a parallel environment: in each step, every agent gives an action, and that of the agent who has to decide
    counts.

    The actions of the others are ignored, and may be left out: their mask is all 0. An agent who has to decide and gives
    an illegal action ends the game with a reward of -1. Games, options, rewards and seeds are those of :class:`raw_env`.

    Infos are numbers, of which other libraries make tensors. All agents have ``"current_player"``, the seat that decides
    next, -1 if the game is over; :attr:`current_agent` is its name. When a game ends by the rules they have ``"end"``, the
    index in :attr:`end_names` of the end that decided it. ``"illegal_action"`` is the action of an agent that wasn't legal.

    Parameters
    ----------
    game, **options
        As for :class:`raw_env`.
    """

    metadata: ClassVar[dict[str, Any]] = {**raw_env.metadata, "is_parallelizable": True}

    def __init__(self, game: Source, **options: Any) -> None:
        self._turns = raw_env(game, **options)
        self.game, self.render_mode = self._turns.game, self._turns.render_mode
        self.metadata = {**type(self).metadata, "name": self.game.name}
        self.possible_agents = list(self._turns.possible_agents)
        self.agents: list[str] = []
        self.observation_spaces, self.action_spaces = self._turns.observation_spaces, self._turns.action_spaces

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.game.name}: {self.game.players} players>"

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Returns the observation space of an agent, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Returns the action space of an agent, always the same object."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, Any]]:
        """Starts a game. Seeds and options are those of :meth:`raw_env.reset`."""
        self._turns.reset(seed, options)
        self.agents = list(self.possible_agents)
        return self._observed(), self._infos()

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Applies the action of the agent who has to decide. Returns the results of all agents.

        Raises
        ------
        ValueError
            If the game is over, or the agent who has to decide gives no action.
        """
        turns, agent = self._turns, self._turns.agent_selection
        action = Seated.action_of(agent if self.agents else None, actions)
        legal = turns._state.is_legal(action)
        if legal:
            turns.step(action)
            rewards = dict(turns.rewards)
            terminations, truncations = dict(turns.terminations), dict(turns.truncations)
        else:
            rewards = dict.fromkeys(self.agents, 0.0) | {agent: ILLEGAL}
            terminations, truncations = dict.fromkeys(self.agents, True), dict.fromkeys(self.agents, False)
        if any(terminations.values()) or any(truncations.values()):
            self.agents = []
        infos = self._infos()
        if not legal:
            infos[agent]["illegal_action"] = action
        return self._observed(), rewards, terminations, truncations, infos

    def _observed(self) -> dict[str, Observation]:
        seen = {agent: self._turns.observe(agent) for agent in self.possible_agents}
        if not self.agents:
            for one in seen.values():
                one["action_mask"][:] = 0
        return seen

    def _infos(self) -> dict[str, Any]:
        current = self.current_agent
        told = {"current_player": -1 if current is None else self.possible_agents.index(current)}
        outcome = self._turns._state.outcome
        if outcome is not None:
            told["end"] = self.end_names.index(outcome.end)
        return {agent: dict(told) for agent in self.possible_agents}

    @property
    def current_agent(self) -> str | None:
        """The name of the agent who decides next, None if the game is over."""
        return self._turns.agent_selection if self.agents else None

    @cached_property
    def end_names(self) -> list[str]:
        """The names of the ends that can decide a game, which the info ``"end"`` counts from 0."""
        return list(self._turns._seated.end_names())

    def render(self) -> str | NDArray[np.uint8] | None:
        """Renders the game in the render mode: text, a uint8 array of shape (height, width, 3), or None."""
        return self._turns.render()

    def close(self) -> None:
        """Closes the window, if one is open."""
        self._turns.close()
