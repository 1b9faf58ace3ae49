"""The functions `env` and `vector_env`, which import Gymnasium only when called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from houserule._gymnasium.options import env_options, takes, vector_env_options
from houserule._rules import RuleSets
from houserule._source import Source

if TYPE_CHECKING:
    from houserule.gymnasium import Env, EnvQueue, VectorEnv


@takes(env_options)
def env(*args: Any, **options: Any) -> Env:
    """Returns a game as a Gymnasium environment. Needs the extra ``gym``.

    Parameters
    ----------
    game
        A bundled game's name (variants after ``+``), a path, rule text, a :class:`houserule.Game`, or rule sets
        (:func:`houserule.rules`).
    players
        The number of players; by default the minimum that the rules allow.
    seat
        The learner's seat, counted from 0, or ``"random"``, which draws a seat for every episode.
    opponents
        The agents of the other seats: the name of an agent, the path of a script, a function that takes a
        :class:`houserule.State` and returns an action, a list of these with one for each seat, a
        :func:`houserule.mixture` of these, or ``"self"``.
    observation
        ``"flat"``, ``"planes"`` or ``"dict"``.
    dtype
        The dtype of observations: ``"float32"``, ``"float16"``, ``"uint8"``, ``"bool"``, or ``"bits"``, packed eight to a byte.
    reward
        ``"score"``, ``"outcome"``, ``"payoff"``, ``"margin"``, ``"auto"`` (payoff if the rules declare one, else score in one-player
        games, otherwise outcome), or an expression of the rule language such as ``"score + 15 * jokers_left"``, whose changes are the rewards.
    potential, gamma
        An expression of the rule language that shapes the rewards as a potential, and the discount of the training.
    illegal_action
        ``"penalize"``, ``"raise"`` or ``"ignore"``.
    skip_forced
        Take decisions with a single legal action automatically, within the step.
    match
        Make an episode a whole match, if the rules define matches.
    max_episode_steps
        The number of steps after which an episode is truncated.
    starts
        The positions in which episodes start, drawn uniformly at random: states, positions as text, or records.
    render_mode
        ``"ansi"``, ``"rgb_array"``, ``"human"``, or None.
    render_width
        The width of pictures in pixels; by default that of the drawing.
    statistics
        Write the statistics of an episode to ``info["episode"]`` when it is over.
    rule_choice
        How the rule set of an episode is chosen: ``"uniform"``, ``"weighted"``, weights, or a function.
    show_rules
        Append to each observation of rule sets which rules are played.
    params, **settings
        Params of the rules by name. A param with the name of an option must be given in ``params``.

    :class:`houserule.gymnasium.Env`, the class of the environment, describes the parameters in full.
    """
    from houserule.gymnasium import Env

    return Env(*args, **options)


@overload
def vector_env(
    game: Source | RuleSets, num_envs: int = 1, *, batch_size: None = None, **options: Any
) -> VectorEnv: ...
@overload
def vector_env(game: Source, num_envs: int = 1, *, batch_size: int, **options: Any) -> EnvQueue: ...
@takes(vector_env_options)
def vector_env(
    game: Source | RuleSets, num_envs: int = 1, *, batch_size: int | None = None, **options: Any
) -> VectorEnv | EnvQueue:
    """Returns a Gymnasium vector environment of a game, stepped in Rust. Needs the extra ``gym``.

    Parameters
    ----------
    game, players, seat, opponents, observation, dtype, reward, potential, gamma, illegal_action, skip_forced, match, max_episode_steps, starts, render_width, statistics, show_rules, params, **settings
        As for :func:`env`.
    num_envs
        The number of environments.
    batch_size
        Return a :class:`houserule.gymnasium.EnvQueue` instead, whose environments don't wait for each other: ``recv`` returns
        the first ``batch_size`` steps that are done. It has neither ``autoreset_mode`` nor render modes nor statistics.
    autoreset_mode
        When the next episode starts: ``"NextStep"``, ``"SameStep"`` or ``"Disabled"``.
    threads
        The number of threads. The default is one for every 256 environments, at most the number of processors.
    render_mode
        ``"ansi"``, ``"rgb_array"`` or None.
    rule_choice
        How the rule set of an episode is chosen: as for :func:`env`, or ``"slices"``.

    :class:`houserule.gymnasium.VectorEnv`, the class of the environment, describes the parameters in full.
    """
    from gymnasium.vector import AutoresetMode

    from houserule.gymnasium import EnvQueue, VectorEnv

    if batch_size is None:
        return VectorEnv(game, num_envs, **options)
    if isinstance(game, RuleSets):
        raise ValueError("environments of several rule sets wait for each other: leave out batch_size")
    # What stays of these changes nothing, so that it isn't refused.
    waiting = {name: options.pop(name) for name in _WAITING if name in options}
    mode = AutoresetMode(waiting.get("autoreset_mode", AutoresetMode.NEXT_STEP))
    if mode is not AutoresetMode.NEXT_STEP or waiting.get("render_mode") is not None or waiting.get("statistics"):
        raise ValueError("batch_size can't be combined with autoreset_mode, render_mode or statistics: leave them out")
    return EnvQueue(game, num_envs, batch_size=batch_size, **options)


_WAITING = ("autoreset_mode", "render_mode", "render_width", "statistics", "rule_choice", "show_rules")
"""The options of environments that wait for each other."""
