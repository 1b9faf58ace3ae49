"""The functions `env` and `vector_env`, which import Gymnasium only when called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from houserule._source import Source

if TYPE_CHECKING:
    from gymnasium.vector import AutoresetMode

    from houserule._gymnasium.options import DType, IllegalAction, Observation, Opponents, Reward, Seat, Starts
    from houserule._rules import RuleChoice, RuleSets
    from houserule.gymnasium import Env, EnvQueue, VectorEnv


def env(
    game: Source | RuleSets,
    *,
    players: int | None = None,
    seat: Seat = "random",
    opponents: Opponents = "random",
    observation: Observation = "flat",
    dtype: DType = "float32",
    reward: Reward = "auto",
    potential: str | None = None,
    gamma: float | None = None,
    illegal_action: IllegalAction = "penalize",
    skip_forced: bool = False,
    match: bool = False,
    starts: Starts | None = None,
    render_mode: str | None = None,
    render_width: int | None = None,
    statistics: bool = False,
    rule_choice: RuleChoice = "uniform",
    show_rules: bool = True,
    params: dict[str, Any] | None = None,
    **settings: Any,
) -> Env:
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

    return Env(
        game,
        players=players,
        seat=seat,
        opponents=opponents,
        observation=observation,
        dtype=dtype,
        reward=reward,
        potential=potential,
        gamma=gamma,
        illegal_action=illegal_action,
        skip_forced=skip_forced,
        match=match,
        starts=starts,
        render_mode=render_mode,
        render_width=render_width,
        statistics=statistics,
        rule_choice=rule_choice,
        show_rules=show_rules,
        params=params,
        **settings,
    )


@overload
def vector_env(
    game: Source | RuleSets, num_envs: int = 1, *, batch_size: None = None, **options: Any
) -> VectorEnv: ...
@overload
def vector_env(game: Source, num_envs: int = 1, *, batch_size: int, **options: Any) -> EnvQueue: ...
def vector_env(
    game: Source | RuleSets,
    num_envs: int = 1,
    *,
    players: int | None = None,
    seat: Seat = "random",
    opponents: Opponents = "random",
    observation: Observation = "flat",
    dtype: DType = "float32",
    reward: Reward = "auto",
    potential: str | None = None,
    gamma: float | None = None,
    illegal_action: IllegalAction = "penalize",
    skip_forced: bool = False,
    match: bool = False,
    starts: Starts | None = None,
    batch_size: int | None = None,
    autoreset_mode: str | AutoresetMode = "NextStep",
    threads: int | None = None,
    render_mode: str | None = None,
    render_width: int | None = None,
    statistics: bool = False,
    rule_choice: RuleChoice = "uniform",
    show_rules: bool = True,
    params: dict[str, Any] | None = None,
    **settings: Any,
) -> VectorEnv | EnvQueue:
    """Returns a Gymnasium vector environment of a game, stepped in Rust. Needs the extra ``gym``.

    Parameters
    ----------
    game, players, seat, opponents, observation, dtype, reward, potential, gamma, illegal_action, skip_forced, match, starts, render_width, statistics, show_rules, params, **settings
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

    from houserule._rules import RuleSets
    from houserule.gymnasium import EnvQueue, VectorEnv

    if batch_size is not None:
        if isinstance(game, RuleSets):
            raise ValueError("environments of several rule sets wait for each other: leave out batch_size")
        if AutoresetMode(autoreset_mode) is not AutoresetMode.NEXT_STEP or render_mode is not None or statistics:
            raise ValueError("batch_size can't be combined with autoreset_mode, render_mode or statistics: leave them out")
        return EnvQueue(
            game,
            num_envs,
            batch_size=batch_size,
            players=players,
            seat=seat,
            opponents=opponents,
            observation=observation,
            dtype=dtype,
            reward=reward,
            potential=potential,
            gamma=gamma,
            illegal_action=illegal_action,
            skip_forced=skip_forced,
            match=match,
            starts=starts,
            threads=threads,
            params=params,
            **settings,
        )
    return VectorEnv(
        game,
        num_envs,
        players=players,
        seat=seat,
        opponents=opponents,
        observation=observation,
        dtype=dtype,
        reward=reward,
        potential=potential,
        gamma=gamma,
        illegal_action=illegal_action,
        skip_forced=skip_forced,
        match=match,
        starts=starts,
        autoreset_mode=autoreset_mode,
        threads=threads,
        render_mode=render_mode,
        render_width=render_width,
        statistics=statistics,
        rule_choice=rule_choice,
        show_rules=show_rules,
        params=params,
        **settings,
    )
