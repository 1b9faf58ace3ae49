"""Environments as bytes."""

from __future__ import annotations

from typing import Any


class Saved:
    """What one environment and many have in common: snapshots, copies and pickles."""

    _native: Any
    _seeded: bool

    def _begin(self) -> None:
        """Makes what is not kept: `_native` and what goes with it."""
        raise NotImplementedError

    def snapshot(self) -> bytes:
        """All as it stands, in mid-episode too, for :meth:`restore`."""
        return bytes([self._seeded]) + self._native.to_bytes()

    def restore(self, snapshot: bytes) -> None:
        """Goes on from a :meth:`snapshot` of as many environments of the same game and options.

        Raises
        ------
        ValueError
            It was another game, another number, or other options.
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
