"""Rule files as PettingZoo environments: ``houserule.pettingzoo.env("dicrono")``.

Needs the extra ``pettingzoo``: ``pip install '.[pettingzoo]'`` in the folder of the project.
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
    """A game with the wrappers that PettingZoo's own environments have.

    An illegal action costs 1 and ends the game; one that is no action number raises, and so does a step before
    the first ``reset``. Takes what :class:`raw_env` takes.
    """
    wrapped: AECEnv[str, Observation, int | None] = raw_env(game, **options)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=ILLEGAL)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv[str, Observation, "int | None"]):
    """A game as an agent environment cycle, without wrappers.

    The agents are ``player_0``, ``player_1`` and so on, by their seats. One step is one decision, of whoever
    has to decide: the same agent may be asked several times in a row. Chance is drawn within the step.

    An observation is a dict of ``"observation"``, float32 from 0 to 1 (or see ``dtype``), what that agent sees from its own
    side, and ``"action_mask"``, int8, which actions are legal: none while another agent decides.

    Parameters
    ----------
    game
        A bundled game's name, a path, rule text, or a :class:`houserule.Game`.
    players
        How many play; the fewest that the rules allow unless given.
    render_mode
        ``"ansi"`` (text), ``"rgb_array"`` (uint8, height × width × 3), ``"human"`` (a window), or None.
    reward
        ``"outcome"``: at the end what each has from the game, of n players (n/k − 1)/(n − 1) for each of k
        winners and −1/(n − 1) for the others; ``"score"``: with every step what the scores change by, so that
        an agent's rewards add up to its final score; ``"auto"``: score for one player, else outcome.
    dtype
        Of ``"observation"``: ``"float32"``, ``"uint8"`` or ``"bits"``, as :class:`houserule.gymnasium.Env` describes them.
    params, **settings
        Params of the rules by name.

    Raises
    ------
    RulesError
        The rules are wrong.
    ValueError
        There is no such game, param, number of players, render mode, reward or dtype. From ``step``: the action is not
        legal; the message names those that are.
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
        """What the agent's observations are; always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The agent's actions: their numbers; always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game.

        With a seed it is game 0 of that seed; each reset without one goes on to the next game. Before any seed
        is given, one is drawn. There are no options: one is warned of, not refused, because PettingZoo's own
        tests give one.
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
        """Takes an action of the agent whose turn it is; None for one that is done."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} has to decide: None is for agents that are done")
        self._state.apply(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._settle()
        self._accumulate_rewards()
        self._show()

    def _settle(self) -> None:
        """Says who is next, whether the game is over, and what it brought."""
        state = self._state
        over = state.is_over
        if over:
            self.terminations = dict.fromkeys(self.agents, True)
            self.infos = {agent: {"end": state.outcome.end} for agent in self.agents}
        elif self._seated.is_broken_off(state):
            self.truncations = dict.fromkeys(self.agents, True)
        player = state.current_player
        self.agent_selection = self.possible_agents[player or 0]
        # Who has points from the start gets them with the first step.
        if over or state.decisions > 0:
            self.rewards = self._seated.rewards(state)

    def observe(self, agent: str) -> Observation:
        """What an agent sees, in arrays of their own."""
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
        """The game as the render mode says: text, uint8 of shape (height, width, 3), or None."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without a render_mode: give one to the environment")
        return self._frames.draw(self._state)

    def close(self) -> None:
        """Closes the window, if there is one."""
        self._frames.close()
