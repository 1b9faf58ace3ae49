"""The two functions by which environments are made without importing anything before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from houserule._source import Source

if TYPE_CHECKING:
    from houserule.gymnasium import Env, VectorEnv


def env(game: Source, **options: Any) -> Env:
    """A game as a Gymnasium environment.

    Takes what :class:`houserule.gymnasium.Env` takes. Needs the extra ``gym``.
    """
    from houserule.gymnasium import Env

    return Env(game, **options)


def vector_env(game: Source, num_envs: int = 1, **options: Any) -> VectorEnv:
    """Many environments of a game as a Gymnasium vector environment, stepped together in Rust.

    Takes what :class:`houserule.gymnasium.VectorEnv` takes. Needs the extra ``gym``.
    """
    from houserule.gymnasium import VectorEnv

    return VectorEnv(game, num_envs, **options)
