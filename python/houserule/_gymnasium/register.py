"""Makes the bundled games known to Gymnasium, as soon as both it and this package are imported.

Importing Gymnasium takes longer than importing this package, so it is not imported here. If it has been imported
already, the games are registered at once; else a finder waits for its import, registers them then, and is gone.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, cast

from houserule._native import games

if TYPE_CHECKING:
    # At run time these would take longer than the rest of this package.
    from collections.abc import Sequence
    from importlib.abc import Loader
    from importlib.machinery import ModuleSpec
    from types import ModuleType

NAMESPACE = "houserule"
VERSION = 0
ENTRY = "houserule.gymnasium:Env"
VECTOR_ENTRY = "houserule.gymnasium:VectorEnv"


def env_id(game: str) -> str:
    """The id of a bundled game: ``houserule/Dilido8x8-v0`` of ``dilido-8x8``."""
    camel = "".join(word[:1].upper() + word[1:] for word in game.split("-"))
    return f"{NAMESPACE}/{camel}-v{VERSION}"


def register_all() -> None:
    """Registers every bundled game and variant, and ``houserule/File-v0`` for rule files; those that are
    registered stay."""
    from gymnasium.envs.registration import register, registry

    for game in games().names:
        if env_id(game) not in registry:
            register(env_id(game), entry_point=ENTRY, vector_entry_point=VECTOR_ENTRY, kwargs={"game": game})
    if env_id("file") not in registry:
        register(
            env_id("file"),
            entry_point="houserule.gymnasium:env_from_file",
            vector_entry_point="houserule.gymnasium:vector_env_from_file",
        )


def register_with_gymnasium() -> None:
    """Registers the games now or when Gymnasium is imported."""
    if "gymnasium" in sys.modules:
        register_all()
    else:
        sys.meta_path.insert(0, _Waiting())


class _Waiting:
    """Finds Gymnasium where the other finders do, and has it loaded by :class:`_Loader`."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != "gymnasium":
            return None
        others = (finder for finder in sys.meta_path if finder is not self)
        found = (finder.find_spec(fullname, path, target) for finder in others)
        spec = next((spec for spec in found if spec is not None), None)
        if spec is not None and spec.loader is not None:
            spec.loader = cast("Loader", _Loader(spec.loader, self))
        return spec


class _Loader:
    """Loads Gymnasium as its own loader does, and registers the games after it."""

    def __init__(self, loader: Loader, waiting: _Waiting) -> None:
        self.loader = loader
        self.waiting = waiting

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        # From here on nothing of this is seen.
        if self.waiting in sys.meta_path:
            sys.meta_path.remove(self.waiting)
        module.__loader__ = self.loader
        if module.__spec__ is not None:
            module.__spec__.loader = self.loader
        self.loader.exec_module(module)
        register_all()
