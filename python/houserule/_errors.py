"""What wrong rules raise, and reading what is hidden."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from houserule._native import State


class Place(NamedTuple):
    """A part of a rule file. Lines and columns count from 1; the end is the first column after it."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    label: str


class Diagnostic(NamedTuple):
    """One message about a rule file, as the ``houserule`` command draws it."""

    severity: Literal["error", "warning"]
    code: str
    """The kind of mistake, ``"unknown-name"`` say; stable."""
    message: str
    place: Place
    also: list[Place]
    """Other places that explain it."""
    notes: list[str]
    help: str | None
    """How to mend it."""


class RulesError(ValueError):
    """A rule file is wrong. Its text is what ``houserule check`` prints."""

    diagnostics: list[Diagnostic]
    """The messages as data."""

    def __init__(self, text: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(text, list(diagnostics))
        self.diagnostics = list(diagnostics)

    def __str__(self) -> str:
        return str(self.args[0])


class GameError(RuntimeError):
    """The rules went wrong as a game was played. Its text shows the rule and the state."""

    diagnostic: Diagnostic
    """What went wrong and where in the rules."""
    state: State
    """The state in which it did. It can be looked at and taken back, and takes no action."""

    def __init__(self, text: str, diagnostic: Diagnostic, state: State) -> None:
        super().__init__(text, diagnostic, state)
        self.diagnostic = diagnostic
        self.state = state
        state._stop()

    def __str__(self) -> str:
        return str(self.args[0])


class NoWorldError(ValueError):
    """No world was found that agrees with everything a player has observed."""

    event: int
    """The first event that no candidate explained: from 1 among those of which the player could tell something."""

    def __init__(self, text: str, event: int) -> None:
        super().__init__(text, event)
        self.event = event

    def __str__(self) -> str:
        return str(self.args[0])


class HiddenError(LookupError):
    """What was asked of a view is hidden from the player whose view it is."""

    player: int
    """Whose view it is: the seat, from 0."""

    def __init__(self, what: str, player: int) -> None:
        super().__init__(what, player)
        self.player = player

    def __str__(self) -> str:
        what, player = self.args
        return (
            f"{what} is hidden from player {player}, and this state is what that player sees: "
            "`information_state()` tells all that the player knows, "
            "and `determinize()` gives a whole state that could be this one"
        )
