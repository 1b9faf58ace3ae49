"""Exceptions: invalid rules, errors at run time, and access to hidden information."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from houserule._native import State


class Place(NamedTuple):
    """A range of a rule file. Lines and columns count from 1; ``end_column`` is the first column after the range."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    label: str


class Diagnostic(NamedTuple):
    """A message about a rule file, as the ``houserule`` command prints it."""

    severity: Literal["error", "warning"]
    code: str
    """The kind of message, such as ``"unknown-name"``. Codes are stable; ``houserule explain-error`` explains them."""
    message: str
    place: Place
    also: list[Place]
    """Other places that explain the message."""
    notes: list[str]
    help: str | None
    """A suggested fix, or None."""


class RulesError(ValueError):
    """Raised if rules are invalid. The text of the exception is what ``houserule check`` prints."""

    diagnostics: list[Diagnostic]
    """The messages as data."""

    def __init__(self, text: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(text, list(diagnostics))
        self.diagnostics = list(diagnostics)

    def __str__(self) -> str:
        return str(self.args[0])


class GameError(RuntimeError):
    """Raised if an error in the rules occurs during a game. The text of the exception shows the rule and the state."""

    diagnostic: Diagnostic
    """The error, with its place in the rules."""
    state: State
    """The state in which the error occurred. It can be inspected and undone, but accepts no action."""

    def __init__(self, text: str, diagnostic: Diagnostic, state: State) -> None:
        super().__init__(text, diagnostic, state)
        self.diagnostic = diagnostic
        self.state = state
        state._stop()

    def __str__(self) -> str:
        return str(self.args[0])


class NoWorldError(ValueError):
    """Raised if no world was found that agrees with everything that a player has observed."""

    event: int
    """The first event that no candidate could explain, counted from 1 among the events of which the player could tell
    something. It is 0 if no first draw was possible."""

    def __init__(self, text: str, event: int) -> None:
        super().__init__(text, event)
        self.event = event

    def __str__(self) -> str:
        return str(self.args[0])


class HiddenError(LookupError):
    """Raised on access to information that is hidden from the player whose view is read."""

    player: int
    """The seat whose view is read, counted from 0."""

    def __init__(self, what: str, player: int) -> None:
        super().__init__(what, player)
        self.player = player

    def __str__(self) -> str:
        what, player = self.args
        return (
            f"{what} is hidden from player {player}, and this state is the view of player {player}: "
            "`information_state()` returns everything that the player knows, "
            "and `determinize()` a complete state that agrees with it"
        )
