"""Rule files as RLlib environments: ``config.environment(houserule.rllib.MultiAgentEnv, env_config={"game": "dicrono"})``.

Needs the extra ``ray``: ``pip install '.[ray]'`` in the project folder.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray
from ray.rllib.env.multi_agent_env import MultiAgentEnv as RayMultiAgentEnv

from houserule._frames import Frames
from houserule._seated import ILLEGAL, Seated
from houserule._source import game_of, only_options
from houserule._starts import OPTIONS

__all__ = ["MultiAgentEnv"]


class MultiAgentEnv(RayMultiAgentEnv):
    """A game as a multi-agent environment of RLlib.

    The agents are ``player_0``, ``player_1`` and so on, by seat. Only the agent who has to decide gets an observation;
    in the last step, all agents get one. An observation is a dict of ``"observations"``, float32 from 0 to 1, and
    ``"action_mask"``, float32 of shape (actions,) with 1 for each legal action, as RLlib's
    ``ActionMaskingTorchRLModule`` takes it. Chance events happen within the step. An illegal action ends the game with
    a reward of -1, and the agent's info has ``illegal_action``. When a game ends by the rules, the infos of all agents
    have ``end``, the name of the end that decided it.

    Parameters
    ----------
    config
        ``game`` (required): a bundled game's name, a path, rule text or a game. ``players``: the number of players.
        ``params``: a dict. ``reward``: ``"auto"``, ``"outcome"``, ``"payoff"`` or ``"score"``, see
        :class:`houserule.pettingzoo.raw_env`. ``render_mode``: ``"ansi"``, ``"rgb_array"`` or ``"human"``.

    Raises
    ------
    ValueError
        If ``game`` is missing, or ``config`` has another key or an invalid value.
    """

    metadata = {"render_modes": Frames.MODES, "render_fps": Frames.FPS}  # noqa: RUF012

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        unknown = set(config) - {"game", "players", "params", "reward", "render_mode"}
        if "game" not in config or unknown:
            wrong = f"has no {', '.join(map(repr, sorted(unknown)))}" if unknown else "needs 'game'"
            raise ValueError(f"env_config {wrong}: its keys are 'game', 'players', 'params', 'reward' and 'render_mode'")
        self.game = game_of(config["game"], config.get("players"), config.get("params"))
        self._seated = Seated(self.game, config.get("reward", "auto"))
        self.render_mode = config.get("render_mode")
        self._frames = Frames(self.render_mode)
        self.possible_agents = list(self._seated.agents)
        self.agents = list(self.possible_agents)
        self.observation_spaces = self._seated.spaces("observations", np.float32)
        self.action_spaces = {agent: gymnasium.spaces.Discrete(self.game.num_actions) for agent in self.possible_agents}

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.game.name}: {self.game.players} players>"

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Starts a game. Seeds and options work as in :meth:`houserule.pettingzoo.raw_env.reset`; another option is an error."""
        only_options(options, *OPTIONS)
        super().reset(seed=seed, options=options)
        self._state = self._seated.start(seed, options)
        return self._observed(self._state.current_player), {}

    def step(
        self, action_dict: dict[str, int]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Applies the action of the agent who has to decide; the errors are those of
        :meth:`houserule.pettingzoo.parallel_env.step`. The rewards are those of all agents."""
        state, agents = self._state, self.possible_agents
        player = state.current_player
        agent = agents[player or 0]
        action = Seated.action_of(None if player is None else agent, action_dict)
        if not state.is_legal(action):
            return self._ended(dict.fromkeys(agents, 0.0) | {agent: ILLEGAL}, {agent: {"illegal_action": action}})
        state.apply(action)
        rewards = self._seated.rewards(state)
        if state.is_over:
            return self._ended(rewards, {agent: {"end": state.outcome.end} for agent in agents})
        if self._seated.is_broken_off(state):
            return self._ended(rewards, {}, broken_off=True)
        going = {"__all__": False}
        return self._observed(state.current_player), rewards, going, dict(going), {}

    def _ended(
        self, rewards: dict[str, float], infos: dict[str, Any], broken_off: bool = False
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Returns the results of the last step, with the final observations of all agents."""
        observations: dict[str, Any] = {}
        for seat in range(self.game.players):
            observations |= self._observed(seat, done=True)
        done = dict.fromkeys([*self.possible_agents, "__all__"], not broken_off)
        return observations, rewards, done, {agent: broken_off for agent in done}, infos

    def _observed(self, player: int | None, done: bool = False) -> dict[str, dict[str, NDArray[np.float32]]]:
        state = self._state
        if player is None:
            return {}
        mask = np.zeros(self.game.num_actions, np.float32) if done else state.legal_mask().astype(np.float32)
        return {self.possible_agents[player]: {"observations": state.observation(player), "action_mask": mask}}

    def render(self) -> Any:
        """Renders the game in the render mode: text, a uint8 array of shape (height, width, 3), or None."""
        return self._frames.draw(self._state)

    def close(self) -> None:
        """Closes the window, if one is open."""
        self._frames.close()
