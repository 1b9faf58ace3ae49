"""Registers the bundled games with Gymnasium as soon as both Gymnasium and this package are imported.

Importing Gymnasium takes longer than importing this package, so this module doesn't import it. If Gymnasium is
already imported, the games are registered immediately. Otherwise an import hook registers them after the import of
Gymnasium, and removes itself.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, cast

from houserule._native import games

if TYPE_CHECKING:
    # At run time, importing these would take longer than importing the rest of this package.
    from collections.abc import Sequence
    from importlib.abc import Loader
    from importlib.machinery import ModuleSpec
    from types import ModuleType

NAMESPACE = "houserule"
VERSION = 0
ENTRY = "houserule.gymnasium:Env"
VECTOR_ENTRY = "houserule.gymnasium:VectorEnv"


def env_id(game: str) -> str:
    """Returns the Gymnasium id of a bundled game: ``houserule/Dilido8x8-v0`` for ``dilido-8x8``."""
    camel = "".join(word[:1].upper() + word[1:] for word in game.split("-"))
    return f"{NAMESPACE}/{camel}-v{VERSION}"


def register_all() -> None:
    """Registers every bundled game and variant, and ``houserule/File-v0`` for rule files. Ids that are already
    registered are kept."""
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
    """Registers the games now if Gymnasium is imported, otherwise when it is."""
    if "gymnasium" in sys.modules:
        register_all()
    else:
        sys.meta_path.insert(0, _Waiting())


class _Waiting:
    """A finder that finds Gymnasium with the other finders, and wraps its loader in :class:`_Loader`."""

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
    """A loader that loads Gymnasium with the original loader, and then registers the games."""

    def __init__(self, loader: Loader, waiting: _Waiting) -> None:
        self.loader = loader
        self.waiting = waiting

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        # Remove the finder and restore the original loader, so that no trace of the hook remains.
        if self.waiting in sys.meta_path:
            sys.meta_path.remove(self.waiting)
        module.__loader__ = self.loader
        if module.__spec__ is not None:
            module.__spec__.loader = self.loader
        self.loader.exec_module(module)
        register_all()
