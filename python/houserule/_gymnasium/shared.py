"""What single and vector environments have in common: other opponents and starts, and snapshots as bytes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from houserule._frames import Frames
from houserule._gymnasium.options import Opponents, Options, Starts, mixed, opponents_given
from houserule._gymnasium.spaces import Layout
from houserule._gymnasium.statistics import EpisodeStatistics
from houserule._native import Game
from houserule._starts import positions_of


class SharedEnv:
    """Opponents, starts and names, and snapshots, copies and pickles, of single and vector environments."""

    game: Game
    options: Options
    _native: Any
    _layout: Layout
    _seeded: bool

    def _set_up(self, options: Options) -> None:
        """Creates the attributes of every environment, and begins."""
        self.options = options
        self.game, self.rules = options.game, options.rule_sets
        self.render_mode = options.render_mode
        self._frames = Frames(options.render_mode, options.render_width)
        self._episodes = EpisodeStatistics(options.num_envs) if options.statistics else None
        self._seeded = False
        self._begin()

    def _begin(self) -> None:
        """Creates the attributes that aren't pickled: `_native` and those derived from it."""
        raise NotImplementedError

    def _begin_with(self, native: Any) -> None:
        self._native = native
        if self.options.starts:
            native.set_starts(self.options.starts)
        self._layout = Layout(self.game, self.options, native)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.options}>"

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

    def set_opponents(self, opponents: Opponents) -> None:
        """Changes the opponents of later episodes, as the parameter ``opponents``. Episodes in progress go on against
        theirs. Afterwards the info ``"opponent"`` names the opponents.

        Raises
        ------
        TypeError, ValueError
            If an opponent is no agent of this game, or the environments are in self-play. Nothing has changed then.
        """
        options = replace(self.options, opponents=mixed(opponents))
        self._native.set_opponents(opponents_given(options.opponents))
        self.options = options

    def set_starts(self, starts: Starts | None) -> None:
        """Sets the positions in which later episodes start, as the parameter ``starts``. None is the start of the game.

        Episodes in progress go on.

        Raises
        ------
        TypeError, ValueError
            If a start isn't a position of the game with a decision to take. Nothing has changed then.
        """
        positions = positions_of(self.game, starts)
        self._native.set_starts(positions)
        self.options = replace(self.options, starts=positions)

    @property
    def action_names(self) -> list[str]:
        """The names of the actions, by number. Rule sets share them: what a rule set lacks is never legal there."""
        return list(self._layout.actions)

    @property
    def rule_features(self) -> list[str]:
        """The names of the numbers in the entry ``"rules"``: a param, scaled to its range in the rule sets; a variant, or
        an entry that not all rule sets have, 1 where it is there. Empty if there is one rule set or nothing is shown."""
        return list(self._layout.features or [])
