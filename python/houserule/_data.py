"""Data classes of games and states: named tuples, and collections that print as formatted text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from houserule._errors import HiddenError


class Param(NamedTuple):
    """A param of a game."""

    name: str
    value: Any
    """An int, a str, a bool, or, for a table, a dict from int (or ``"6+"``) to int."""
    default: Any
    """The value if it isn't set."""
    kind: Literal["number", "choice", "bool", "table"]
    range: tuple[int, int] | None
    """The minimum and maximum of a number; None for other kinds."""
    words: tuple[Any, ...] | None
    """The possible values of a choice; None for other kinds."""
    fixed: bool
    """Whether a variant has made the param constant."""
    help: str

    @property
    def possible(self) -> str:
        """The possible values as text, such as ``"1..6"``."""
        if self.range is not None:
            return f"{self.range[0]}..{self.range[1]}"
        if self.words is not None:
            return " | ".join(map(str, self.words))
        return "True | False" if self.kind == "bool" else "table"


class Params(Mapping[str, Param]):
    """The params of a game by name, in the order of the rules."""

    def __init__(self, params: list[Param]) -> None:
        self._params = {param.name: param for param in params}

    def __getitem__(self, name: str) -> Param:
        return self._params[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._params)

    def __len__(self) -> int:
        return len(self._params)

    def to_dict(self) -> dict[str, Any]:
        """Returns the values by name, as ``params=`` takes them."""
        return {name: param.value for name, param in self._params.items()}

    def __repr__(self) -> str:
        rows = [(f"{p.name} = {p.value}", p.possible, p.help) for p in self._params.values()]
        return _table(rows)


class BySeat(Sequence[Any]):
    """The values of a variable by seat, as far as a player sees them. The length is the number of seats.

    Raises
    ------
    HiddenError
        From ``[seat]`` or an iteration, if the value of a seat is hidden.
    """

    def __init__(self, name: str, player: int, seen: dict[int, Any], seats: int) -> None:
        self._name = name
        self._player = player
        self._seen = seen
        self._seats = seats

    def __getitem__(self, seat: Any) -> Any:
        if isinstance(seat, slice):
            return [self[one] for one in range(*seat.indices(self._seats))]
        number = range(self._seats)[seat]
        if number not in self._seen:
            raise HiddenError(f"`{self._name}[{number}]`", self._player)
        return self._seen[number]

    def __len__(self) -> int:
        return self._seats

    def __repr__(self) -> str:
        shown = (repr(self._seen[seat]) if seat in self._seen else "<hidden>" for seat in range(self._seats))
        return f"[{', '.join(shown)}]"


class Variables(dict[str, Any]):
    """The variables that a player sees, by name.

    Raises
    ------
    HiddenError
        From ``[name]`` and ``.get(name)``, if the variable is hidden from the player.
    """

    def __init__(self, player: int, seen: dict[str, Any], hidden: Sequence[str]) -> None:
        super().__init__(seen)
        self._player = player
        self._hidden = frozenset(hidden)

    def __missing__(self, name: str) -> Any:
        if name in self._hidden:
            raise HiddenError(f"`{name}`", self._player)
        raise KeyError(name)

    def get(self, name: str, default: Any = None) -> Any:
        """Returns the value of a variable, or ``default`` if the game has no such variable.

        Raises
        ------
        HiddenError
            If the variable is hidden from the player.
        """
        return default if name not in self and name not in self._hidden else self[name]


class ObservationEntry(NamedTuple):
    """An entry of an observation: a named range of its numbers."""

    name: str
    offset: int
    """The index of its first number in the flat observation."""
    length: int
    """The count of its numbers."""
    shape: tuple[int, ...]
    """The shape of its array, outermost dimension first; the product is ``length``."""
    kind: Literal["one-hot", "bits", "number"]
    range: tuple[int, int] | None
    """The minimum and maximum of a number, which are scaled to 0 and 1; None for other kinds."""
    help: str


class Difference(NamedTuple):
    """A part of the rules that differs between two games."""

    part: str
    """The part, such as ``"param size"``, ``"end line"`` or ``"option joker"``."""
    old: str | None
    new: str | None
    text: str
    """The difference in words."""

    def __str__(self) -> str:
        return self.text


class Diff(tuple[Difference, ...]):
    """The differences between two games."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "\n".join(map(str, self)) or "no difference in play"


class GameEntry(NamedTuple):
    """A bundled game or variant."""

    name: str
    title: str
    help: str
    of: str | None
    """The game that a variant changes; None for a game."""
    family: str
    """The folder of the game in ``rules``, or ``"house"`` for the house's own games."""


class Games(tuple[GameEntry, ...]):
    """The bundled games and variants, as a tuple of entries. ``in`` also accepts a name."""

    __slots__ = ()

    @property
    def names(self) -> list[str]:
        """The names of the games and variants."""
        return [entry.name for entry in self]

    def __contains__(self, game: object) -> bool:
        """Returns True if there is such a game or variant, given as a name or an entry."""
        return super().__contains__(game) or game in self.names

    def __repr__(self) -> str:
        return _table([(entry.name, entry.of or "", entry.help) for entry in self])

    def _repr_html_(self) -> str:
        from houserule._display import table

        return table(("game", "of", "what it is"), [(e.name, e.of or "", e.help) for e in self])


class Event(NamedTuple):
    """A decision or a chance event."""

    text: str
    """The event as text: ``"place c5"``, ``"roll pair 3 5"``."""
    player: int | None
    """The seat that decided, counted from 0; None for a chance event."""
    action: int | None
    """The number of the action; None for a chance event."""

    def __str__(self) -> str:
        return self.text


class Outcome(NamedTuple):
    """How a game ended."""

    end: str
    """The name of the end that decided the game: an end rule, or an ``end game`` in an option or a step."""
    winners: tuple[int, ...]
    """The seats that share the win. All or none where all players win or lose together."""
    is_draw: bool
    """Whether all players share the win. Always False for one player, and where all players win or lose together."""


class CountedRun(NamedTuple):
    """A run of pieces on a line that scored points."""

    line: str
    sites: tuple[str, ...]
    pieces: str
    points: int


class ScorePart(NamedTuple):
    """Points that don't come from a run: those of an element of a sum, or of a part of the rules, as written there."""

    name: str
    points: int


class ScoreItem(NamedTuple):
    """An item of a score with its parts. The points of `runs` and `rest` sum to `points`."""

    name: str
    points: int
    help: str
    runs: tuple[CountedRun, ...]
    rest: tuple[ScorePart, ...]


class SeatScore(NamedTuple):
    """The score of a seat with its items."""

    player: int
    name: str
    score: int
    items: tuple[ScoreItem, ...]
    text: str
    """The score in words, with a line for each item and run."""


class Explanation(tuple[SeatScore, ...]):
    """An explanation of scores, seat by seat. It prints as text."""

    __slots__ = ()

    def __str__(self) -> str:
        told = []
        for seat in self:
            unit = "point" if abs(seat.score) == 1 else "points"
            told.append(f"{seat.name}: {seat.score} {unit}\n{seat.text}")
        return "\n".join(told).rstrip()

    __repr__ = __str__


def _table(rows: Sequence[tuple[str, ...]], width: int = 100) -> str:
    """Formats rows as lines. The last column is wrapped within its own width."""
    if not rows:
        return ""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    room = max(width - sum(widths) - 2 * len(widths), 20)
    lines = []
    for row in rows:
        head = "".join(cell.ljust(size + 2) for cell, size in zip(row, widths, strict=False))
        text = ""
        for word in row[-1].split():
            if text and len(text) + 1 + len(word) > room:
                lines.append((head + text).rstrip())
                head, text = " " * len(head), ""
            text = f"{text} {word}" if text else word
        lines.append((head + text).rstrip())
    return "\n".join(lines)
