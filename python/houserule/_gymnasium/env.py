"""One environment."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from houserule._frames import Frames
from houserule._gymnasium.options import DType, IllegalAction, Observation, Opponents, Options, Reward, Seat
from houserule._gymnasium.saved import Saved
from houserule._gymnasium.spaces import Layout
from houserule._native import EnvCore, State
from houserule._source import Source, game_of, only_options


class Env(Saved, gymnasium.Env[Any, Any]):
    """A game as a Gymnasium environment.

    An action is the number of an action of the game. A step is one decision of the learner: chance and the
    opponents' decisions happen within it. An observation is what the learner sees from its own side, own seat
    first, as float32 from 0 to 1. Which actions are legal is in ``info["action_mask"]`` (int8, as
    ``action_space.sample(mask=…)`` takes it) and in :meth:`action_masks`.

    After ``reset(seed=s)`` the episodes are the games 0, 1, 2 … of the run with seed *s*, the same as
    everywhere in houserule. Before any seed is given, one is drawn.

    Parameters
    ----------
    game
        A bundled game's name (variants after ``+``), a path, rule text, or a :class:`houserule.Game`.
    players
        How many play; the fewest that the rules allow unless given.
    seat
        The learner's seat, from 0, or ``"random"``: another one every episode. ``info["seat"]`` says which.
    opponents
        Who plays the other seats: ``"random"``, ``"greedy"``, ``"exact"`` (small games), ``"mcts:100"``, a script by its path (``"careful.rhai"``), a function from a
        :class:`houserule.State` to an action's number or name, or a list of these with one for each seat (that
        of the learner's own seat sits out). ``"self"``: the decision of every seat is a step;
        ``info["current_player"]`` says whose the next one is (-1 once the episode is over), the observation is
        that player's, the reward that of who took the step, and ``info["rewards"]`` (float64, one for each
        seat) has those of all.
    observation
        ``"flat"`` (a vector), ``"planes"`` (channels × rows × columns, for boards that have rows and columns) or
        ``"dict"`` (an array for each entry, by name).
    dtype
        ``"float32"`` (from 0 to 1); ``"uint8"``: bits are 0 and 1, a number is its value minus the least of its range;
        or ``"bits"``, eight in a byte (uint8): ``numpy.unpackbits(observation, axis=-1, count=n, bitorder="little")`` gives the
        *n* numbers back, in the order of ``"flat"`` or ``"planes"``. A game with an entry that does not fit is refused.
    reward
        ``"score"``: what one's score has changed by since one's last step, so that an episode's rewards add up
        to the final score (to its opposite, where the least is good). ``"outcome"``: at the end, of n players
        (n/k − 1)/(n − 1) for each of k winners and −1/(n − 1) for the others. ``"auto"``: score for games of one player, else outcome.
    illegal_action
        ``"penalize"``: it ends the episode with a reward of -1, and ``info["illegal_action"]`` is true;
        ``"raise"``: it raises ValueError and nothing has changed; ``"ignore"``: nothing happens, reward 0.
    skip_forced
        Decisions with a single legal action are taken without asking.
    match
        An episode is a whole match, for rules that speak of matches.
    render_mode
        ``"ansi"`` (text), ``"rgb_array"`` (uint8, height × width × 3), ``"human"`` (a window), or None.
    params, **settings
        Params of the rules by name. Only names that no option has can be given without ``params``.

    Raises
    ------
    RulesError
        The rules are wrong.
    ValueError
        There is no such game, param, number of players, seat, agent or option.
    """

    metadata: dict[str, Any] = {"render_modes": Frames.MODES, "render_fps": Frames.FPS}

    def __init__(
        self,
        game: Source,
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
        render_mode: str | None = None,
        params: dict[str, Any] | None = None,
        **settings: Any,
    ) -> None:
        self.game = game_of(game, players, params, **settings)
        self.render_mode = render_mode
        self.options = Options(seat, opponents, observation, dtype, reward, illegal_action, skip_forced, match)
        self._frames = Frames(render_mode)
        self._seeded = False
        self._begin()
        self.observation_space = self._layout.space()
        self.action_space = gymnasium.spaces.Discrete(self._native.num_actions)

    def _begin(self) -> None:
        self._native = EnvCore(self.game, self.options.native())
        self._layout = Layout(self.game, self.options, self._native)
        self._plain = self._layout.entries is None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins an episode: the first one of a seed, or without a seed the next one.

        Interrupted by Ctrl-C, or by an exception of an opponent, it leaves the environment as it was.

        Returns
        -------
        observation, info
            In arrays of their own.

        Raises
        ------
        ValueError
            Options are given: there are none.
        """
        only_options(options)
        super().reset(seed=seed)
        if seed is None and not self._seeded:
            seed = int(self.np_random.integers(0, 2**63))
        numbers, info = self._native.reset(seed)
        self._seeded = True
        if self.render_mode == "human":
            self.render()
        return self._layout.one(numbers), info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes a decision. Interrupted by Ctrl-C, or by an exception of an opponent, it leaves the environment as
        it was before the step.

        Parameters
        ----------
        action
            An action's number.

        Returns
        -------
        observation, reward, terminated, truncated, info
            The observation and the mask are arrays of their own. An episode is truncated when the rules' limit
            of decisions is reached or the rules fail; ``info["error"]`` says why. Of one that is over by the rules,
            ``info["end"]`` is the name of the end that decided, as in ``state.outcome.end``; of a match, that of its
            last game. Once the episode is over the mask
            is all ones, so that what is masked by it is never empty.

        Raises
        ------
        RuntimeError
            The episode is over or has not begun.
        ValueError
            The action is not legal, and illegal actions are to raise; the legal ones are named.
        """
        told = self._native.step(action)
        if self.render_mode == "human":
            self.render()
        if self._plain:
            return told
        numbers, reward, terminated, truncated, info = told
        return self._layout.one(numbers), reward, terminated, truncated, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal: bool, shape (actions,). MaskablePPO looks for it."""
        return self._native.action_masks()

    def sample_action(self) -> int:
        """A legal action, all with the same chance, drawn from the episode's seed; 0 once the episode is over."""
        return self._native.sample_action()

    def render(self) -> Any:
        """The game as the render mode says: text, uint8 of shape (height, width, 3), or None."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without a render_mode: give one to the environment")
        return self._frames.draw(self.state)

    def close(self) -> None:
        """Closes the window, if there is one."""
        self._frames.close()

    @property
    def state(self) -> State:
        """The game as it stands, as a state of its own. It may tell more than the learner sees."""
        return self._native.state()
