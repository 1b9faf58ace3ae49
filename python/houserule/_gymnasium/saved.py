"""Snapshots of environments as bytes."""

from __future__ import annotations

from typing import Any


class Saved:
    """Snapshots, copies and pickles of single and vector environments."""

    _native: Any
    _seeded: bool

    def _begin(self) -> None:
        """Creates the attributes that aren't pickled: `_native` and those derived from it."""
        raise NotImplementedError

    def snapshot(self) -> bytes:
        """Returns the complete state as bytes for :meth:`restore`, also in the middle of an episode."""
        return bytes([self._seeded]) + self._native.to_bytes()

    def restore(self, snapshot: bytes) -> None:
        """Restores a :meth:`snapshot` of the same number of environments with the same game and options.

        Raises
        ------
        ValueError
            If the game, the number of environments or the options differ.
        """
        self._native.go_on_from(snapshot[1:])
        self._seeded = bool(snapshot[0])

    def __getstate__(self) -> dict[str, Any]:
        made = ("_native", "_layout", "_final")
        kept = {name: value for name, value in self.__dict__.items() if name not in made}
        return {**kept, "_snapshot": self.snapshot()}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        snapshot = kept.pop("_snapshot")
        self.__dict__.update(kept)
        self._begin()
        self.restore(snapshot)
