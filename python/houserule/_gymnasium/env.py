"""The single environment."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from houserule._frames import Frames
from houserule._gymnasium.options import Options, env_options, made_with
from houserule._gymnasium.shared import SharedEnv
from houserule._native import EnvCore, State
from houserule._source import only_options
from houserule._starts import OPTIONS, next_position


_ONE = np.ones(1, bool)


class Env(SharedEnv, gymnasium.Env[Any, Any]):
    """A game as a Gymnasium environment.

    An action is the number of an action of the game. A step is one decision of the learner; chance events and the
    opponents' decisions happen within the step. An observation is what the learner sees, with its own seat first, as
    float32 from 0 to 1. ``info["action_mask"]`` is the mask of the legal actions (int8, for
    ``action_space.sample(mask=…)``); :meth:`action_masks` returns it as bool.

    After ``reset(seed=s)`` the episodes are the games 0, 1, 2 … of the run with seed *s*, as everywhere in houserule.
    If no seed is ever given, a random one is used.

    Parameters
    ----------
    game
        A bundled game's name (variants after ``+``), a path, rule text, a :class:`houserule.Game`, or rule sets
        (:func:`houserule.rules`). Of rule sets every episode plays one, and ``info["rules"]`` is its index.
    players
        The number of players; by default the minimum that the rules allow.
    seat
        The learner's seat, counted from 0, or ``"random"``, which draws a seat for every episode.
        ``info["seat"]`` is the learner's seat.
    opponents
        The agents of the other seats: ``"random"``, ``"greedy"``, ``"exact"`` (small games), ``"mcts:100"``, the path
        of a script (``"careful.rhai"``), or a function that takes a :class:`houserule.State` and returns the number
        or name of an action. A list has one of these for each seat; that of the learner's seat isn't used.
        A :func:`houserule.mixture` of these draws one in each episode; ``info["opponent"]`` is its name.
        ``"self"`` means self-play: the decisions of every seat are steps. ``info["current_player"]`` is then the seat
        that decides next (-1 if the episode is over), and the observation is that player's. The reward is that of the
        seat that took the step, and ``info["rewards"]`` (float64, shape (players,)) has the rewards of all seats.
    observation
        ``"flat"`` (a vector), ``"planes"`` (channels × rows × columns, for boards with rows and columns) or
        ``"dict"`` (an array for each entry, by name).
    dtype
        A name or a dtype of numpy, such as ``numpy.uint8``. ``"float32"``: from 0 to 1. ``"float16"``: the same, rounded to the nearest. ``"uint8"``: bits are 0 and 1, and
        a number is its value minus the minimum of its range. ``"bool"``: true or false, if every number has two values.
        ``"bits"``: eight numbers packed in a byte (uint8), which
        ``numpy.unpackbits(observation, axis=-1, count=n, bitorder="little")`` unpacks to the *n* numbers, in the order
        of ``"flat"`` or ``"planes"``. If an entry doesn't fit, the constructor raises a ``ValueError``.
    reward
        ``"score"``: the change of the player's score since its last step, so that the rewards of an episode sum to the
        final score, or to its negative if the lowest score is best. ``"outcome"``: the return, at the end. With n
        players, each of k winners gets (n/k − 1)/(n − 1), and each other player −1/(n − 1). ``"payoff"``: the ``payoff`` that
        the rules declare, at the end; the outcome if they declare none. ``"auto"``: payoff if the rules declare one, else
        score in one-player games, otherwise outcome. ``"margin"``: the change of the own score minus the best of the others, so
        that the rewards of an episode sum to the final margin; in one-player games the same as ``"score"``. Any other
        text is an expression of the rule language, a number for ``me``, such as ``"score + 15 * jokers_left"``. A
        step's reward is then the change of the expression, so that the rewards of an episode sum to its last value
        minus its value at the learner's first decision.
    potential
        An expression Φ of the rule language that shapes the rewards: a step from state *s* to *s′* adds
        γ·Φ(*s′*) − Φ(*s*). The potential of a terminated episode is 0, so the best strategies stay the best (Ng, Harada
        and Russell 1999).
    gamma
        The discount γ of the training, from 0 to 1. Needed with ``potential``.
    illegal_action
        The effect of an illegal action. ``"penalize"``: the episode is terminated with a reward of -1, and
        ``info["illegal_action"]`` is true. ``"raise"``: the step raises a ``ValueError``, and nothing changes.
        ``"ignore"``: nothing happens, and the reward is 0.
    skip_forced
        Take decisions with a single legal action automatically, within the step.
    match
        Make an episode a whole match, if the rules define matches.
    max_episode_steps
        The number of steps after which an episode is truncated, as Gymnasium's ``TimeLimit`` does; by default only the limit
        of decisions of the rules. An episode that ends in that step is not truncated.
    starts
        The positions in which episodes start: a list of states, positions as text, records of games (dicts), or pairs
        of a record and the number of its decisions after which to start. Each episode draws one of them uniformly at
        random from its seed, and has the dice of its seed. The points of a position aren't part of the rewards.
        :meth:`set_starts` changes the list.
    render_mode
        ``"ansi"`` (text), ``"rgb_array"`` (uint8, height × width × 3), ``"human"`` (a window), or None.
    render_width
        The width of pictures in pixels, from 1 to 8192; by default that of the drawing. The height follows from it.
    statistics
        When an episode is over, ``info["episode"]`` has the sum of its rewards ``"r"``, its number of steps ``"l"`` and
        its time in seconds ``"t"``, as Gymnasium's ``RecordEpisodeStatistics`` writes them.
    rule_choice
        How the rule set of an episode is chosen, if there are several. ``"uniform"`` and ``"weighted"`` draw it from the
        seed and the index of the episode; so does a list of weights, one for each rule set. Or a function of the seed,
        the index of the episode since that seed and the index of the environment, which returns the index of a rule set.
        If it raises, nothing changes.
    show_rules
        Append to each observation of rule sets which rules are played, as the entry ``"rules"``: see
        :attr:`rule_features`.
    params, **settings
        Params of the rules by name. A param with the name of an option must be given in ``params``.

    Raises
    ------
    RulesError
        If the rules are invalid.
    ValueError
        If there is no such game, param, seat or agent, an option is invalid, or the number of players isn't allowed.
    """

    metadata: dict[str, Any] = {"render_modes": Frames.MODES, "render_fps": Frames.FPS}

    @made_with(env_options)
    def __init__(self, options: Options) -> None:
        self._set_up(options)
        self.observation_space = self._layout.space()
        self.action_space = gymnasium.spaces.Discrete(self._native.sizes.num_actions)

    def _begin(self) -> None:
        self._begin_with(EnvCore(self.game, self.options.native()))
        self._plain = self._layout.entries is None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts an episode: the first one of a seed or, without a seed, the next one.

        With the option ``"start"``, the episode starts in that position, a start as in :meth:`set_starts`; with a
        record, ``"decisions"`` is the number of its decisions after which the episode starts. There is no other option.

        If Ctrl-C interrupts the reset, or an opponent raises an exception, the environment remains as it was before.

        Returns
        -------
        observation, info
            In new arrays.

        Raises
        ------
        TypeError, ValueError
            If there is another option, or the start isn't a position of the game with a decision to take.
        """
        only_options(options, *OPTIONS)
        start = next_position(self.game, options)
        super().reset(seed=seed)
        if seed is None and not self._seeded:
            seed = int(self.np_random.integers(0, 2**63))
        if start is not None:
            self._native.start_next_in(start)
        numbers, info = self._native.reset(seed)
        self._seeded = True
        if self._episodes is not None:
            self._episodes.begin(_ONE)
        if self.render_mode == "human":
            self.render()
        return self._layout.one(numbers), info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes the learner's decision and plays on to its next decision or to the end of the episode.

        If Ctrl-C interrupts the step, or an opponent raises an exception, the environment remains as it was before.

        Parameters
        ----------
        action
            The number of an action.

        Returns
        -------
        observation, reward, terminated, truncated, info
            The observation and the mask are new arrays. An episode is truncated if its game is aborted, by the limit of
            decisions or by an error in the rules; ``info["error"]`` is the reason. If the episode ended by the rules,
            ``info["end"]`` is the name of the end that decided it, as in ``state.outcome.end``; for a match, that of
            its last game. When the episode is over, the mask is all ones, so that masked logits are never empty.

        Raises
        ------
        RuntimeError
            If the episode is over or hasn't started.
        ValueError
            If the action isn't legal and ``illegal_action`` is ``"raise"``; the message lists the legal actions.
        """
        told = self._native.step(action)
        if self.render_mode == "human":
            self.render()
        if self._plain and self._episodes is None:
            return told
        numbers, reward, terminated, truncated, info = told
        if self._episodes is not None:
            ended = self._episodes.step(np.array([reward]), _ONE, np.array([terminated or truncated]))
            if ended:
                info["episode"] = {key: value[0].item() for key, value in ended["episode"].items()}
        return self._layout.one(numbers), reward, terminated, truncated, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns the mask of the legal actions: bool of shape (actions,). ``MaskablePPO`` calls this method."""
        return self._native.action_masks()

    def sample_action(self) -> int:
        """Draws a legal action uniformly at random, seeded by the episode's seed. Returns 0 if the episode is over."""
        return self._native.sample_action()

    def render(self) -> Any:
        """Renders the game in the render mode: text, a uint8 array of shape (height, width, 3), or None."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without a render_mode: set one when you make the environment")
        return self._frames.draw(self.state)

    def close(self) -> None:
        """Closes the window, if one is open."""
        self._frames.close()

    @property
    def state(self) -> State:
        """A copy of the current state. It may contain more than the learner observes.

        It has the seed and the index of its game, the number of decisions and the chance to come. Environments don't keep
        the events, nor the numbers of turns and rolls: reading those raises ValueError."""
        return self._native.state()
