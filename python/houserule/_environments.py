"""The two functions by which environments are made without importing anything before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from houserule._source import Source

if TYPE_CHECKING:
    from gymnasium.vector import AutoresetMode

    from houserule._gymnasium.options import DType, IllegalAction, Observation, Opponents, Reward, Seat
    from houserule.gymnasium import Env, VectorEnv


def env(
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
) -> Env:
    """A game as a Gymnasium environment. Needs the extra ``gym``.

    Parameters
    ----------
    game
        A bundled game's name (variants after ``+``), a path, rule text, or a :class:`houserule.Game`.
    players
        How many play; the fewest that the rules allow unless given.
    seat
        The learner's seat, from 0, or ``"random"``: another one every episode.
    opponents
        Who plays the other seats: an agent by name, a script by its path, a function from a
        :class:`houserule.State` to an action, a list of these with one for each seat, or ``"self"``.
    observation
        ``"flat"``, ``"planes"`` or ``"dict"``.
    dtype
        Of observations: ``"float32"``, ``"uint8"``, or ``"bits"``, eight in a byte.
    reward
        ``"score"``, ``"outcome"`` or ``"auto"``: score for games of one player, else outcome.
    illegal_action
        ``"penalize"``, ``"raise"`` or ``"ignore"``.
    skip_forced
        Decisions with a single legal action are taken without asking.
    match
        An episode is a whole match, for rules that speak of matches.
    render_mode
        ``"ansi"``, ``"rgb_array"``, ``"human"``, or None.
    params, **settings
        Params of the rules by name. Only names that no option has can be given without ``params``.

    Each is described at :class:`houserule.gymnasium.Env`, which this makes.
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
        illegal_action=illegal_action,
        skip_forced=skip_forced,
        match=match,
        render_mode=render_mode,
        params=params,
        **settings,
    )


def vector_env(
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
    autoreset_mode: str | AutoresetMode = "NextStep",
    threads: int | None = None,
    render_mode: str | None = None,
    params: dict[str, Any] | None = None,
    **settings: Any,
) -> VectorEnv:
    """Many environments of a game as a Gymnasium vector environment, stepped together in Rust. Needs the extra
    ``gym``.

    Parameters
    ----------
    game, players, seat, opponents, observation, dtype, reward, illegal_action, skip_forced, match, params, **settings
        As for :func:`env`.
    num_envs
        How many.
    autoreset_mode
        When the next episode begins: ``"NextStep"``, ``"SameStep"`` or ``"Disabled"``.
    threads
        How many threads step; unless given, one for each 256 environments as far as there are processors.
    render_mode
        ``"ansi"``, ``"rgb_array"`` or None.

    Each is described at :class:`houserule.gymnasium.VectorEnv`, which this makes.
    """
    from houserule.gymnasium import VectorEnv

    return VectorEnv(
        game,
        num_envs,
        players=players,
        seat=seat,
        opponents=opponents,
        observation=observation,
        dtype=dtype,
        reward=reward,
        illegal_action=illegal_action,
        skip_forced=skip_forced,
        match=match,
        autoreset_mode=autoreset_mode,
        threads=threads,
        render_mode=render_mode,
        params=params,
        **settings,
    )
