"""Rule files as Gymnasium environments: ``houserule.gymnasium.Env("dilido")``.

Needs the extra ``gym``: ``pip install '.[gym]'`` in the project folder.
"""

from __future__ import annotations

from typing import Any

from houserule._gymnasium.env import Env
from houserule._gymnasium.queue import EnvQueue
from houserule._gymnasium.register import env_id, register_all
from houserule._gymnasium.vector import VectorEnv
from houserule._source import Source

__all__ = ["Env", "EnvQueue", "VectorEnv", "env_from_file", "env_id", "vector_env_from_file"]


def env_from_file(rules: Source, **options: Any) -> Env:
    """Returns an :class:`Env` of a path, a text or a game, for ``gymnasium.make("houserule/File-v0", rules=…)``."""
    return Env(rules, **options)


def vector_env_from_file(rules: Source, num_envs: int = 1, **options: Any) -> VectorEnv:
    """Returns a :class:`VectorEnv`, for ``gymnasium.make_vec("houserule/File-v0", num_envs=N, rules=…)``."""
    return VectorEnv(rules, num_envs, **options)


register_all()
