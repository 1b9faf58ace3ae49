"""What games and states say about themselves, as plain data: named tuples, and lists that print as a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from houserule._errors import HiddenError


class Param(NamedTuple):
    """A param of a game."""

    name: str
    value: Any
    """An int, a word, a bool, or a dict from int (or ``"6+"``) to int."""
    default: Any
    """What it is unless set."""
    kind: Literal["number", "choice", "bool", "table"]
    range: tuple[int, int] | None
    """Of a number: the least and the greatest."""
    words: tuple[Any, ...] | None
    """Of a choice: what there is."""
    fixed: bool
    """A variant has made it constant."""
    help: str

    @property
    def possible(self) -> str:
        """What it may be, in words."""
        if self.range is not None:
            return f"{self.range[0]}..{self.range[1]}"
        if self.words is not None:
            return " | ".join(map(str, self.words))
        return "True | False" if self.kind == "bool" else "table"


class Params(Mapping[str, Param]):
    """The params of a game, by name and in the order of the rules."""

    def __init__(self, params: list[Param]) -> None:
        self._params = {param.name: param for param in params}

    def __getitem__(self, name: str) -> Param:
        return self._params[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._params)

    def __len__(self) -> int:
        return len(self._params)

    def to_dict(self) -> dict[str, Any]:
        """The values alone, by name: what ``params=`` takes."""
        return {name: param.value for name, param in self._params.items()}

    def __repr__(self) -> str:
        rows = [(f"{p.name} = {p.value}", p.possible, p.help) for p in self._params.values()]
        return _table(rows)


class BySeat(Sequence[Any]):
    """What each seat has of a variable, as far as a player sees it: as long as there are seats.

    Raises
    ------
    HiddenError
        From ``[seat]``, and on the way through all of them, where it is hidden.
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
        From ``[name]`` and ``.get(name)``, if it is one that the player does not see.
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
        """The value of a name, or the default where the game has no such variable."""
        return default if name not in self and name not in self._hidden else self[name]


class ObservationEntry(NamedTuple):
    """A part of an observation."""

    name: str
    offset: int
    """Where its numbers begin."""
    length: int
    """How many."""
    shape: tuple[int, ...]
    """The same as sizes, outermost first."""
    kind: Literal["one-hot", "bits", "number"]
    range: tuple[int, int] | None
    """Of a number: what 0 and 1 stand for."""
    help: str


class Difference(NamedTuple):
    """A part of the rules that is not the same in two games."""

    part: str
    """``"param size"``, ``"end line"``, ``"option joker"``."""
    old: str | None
    new: str | None
    text: str
    """The difference in words."""

    def __str__(self) -> str:
        return self.text


class Diff(tuple[Difference, ...]):
    """All that differs between two games."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "\n".join(map(str, self)) or "no difference in play"


class GameEntry(NamedTuple):
    """A bundled game or variant."""

    name: str
    title: str
    help: str
    of: str | None
    """What it changes, if it is a variant."""


class Games(tuple[GameEntry, ...]):
    """The bundled games and variants; each is found by its name or its place, too."""

    __slots__ = ()

    @property
    def names(self) -> list[str]:
        """The names alone."""
        return [entry.name for entry in self]

    def __contains__(self, game: object) -> bool:
        """Is there such a game or variant: a name, or an entry?"""
        return super().__contains__(game) or game in self.names

    def __repr__(self) -> str:
        return _table([(entry.name, entry.of or "", entry.help) for entry in self])

    def _repr_html_(self) -> str:
        from houserule._display import table

        return table(("game", "of", "what it is"), [(e.name, e.of or "", e.help) for e in self])


class Event(NamedTuple):
    """A decision or a chance event."""

    text: str
    """As players see it: ``"place c5"``, ``"roll pair 3 5"``."""
    player: int | None
    """Who decided, from 0; None for chance."""
    action: int | None
    """The number of the action; None for chance."""

    def __str__(self) -> str:
        return self.text


class Outcome(NamedTuple):
    """How a game ended."""

    end: str
    """The name of the end that decided: an end rule, or an ``end game`` that a choice or a step came to."""
    winners: tuple[int, ...]
    """The seats that share the win."""
    is_draw: bool
    """All share it."""


class CountedRun(NamedTuple):
    """A run on a line that gave points."""

    line: str
    sites: tuple[str, ...]
    pieces: str
    points: int


class ScorePart(NamedTuple):
    """Points of a score that no run gave: an element of a sum, or a part of the rules as it is written."""

    name: str
    points: int


class ScoreItem(NamedTuple):
    """What one item of a score counted. The points of `runs` and `rest` add up to `points`."""

    name: str
    points: int
    help: str
    runs: tuple[CountedRun, ...]
    rest: tuple[ScorePart, ...]


class SeatScore(NamedTuple):
    """What the score of a seat counted."""

    player: int
    name: str
    score: int
    items: tuple[ScoreItem, ...]
    text: str
    """The same in words, a line for each item and run."""


class Explanation(tuple[SeatScore, ...]):
    """What scores counted, seat by seat; prints as text."""

    __slots__ = ()

    def __str__(self) -> str:
        told = []
        for seat in self:
            unit = "point" if abs(seat.score) == 1 else "points"
            told.append(f"{seat.name}: {seat.score} {unit}\n{seat.text}")
        return "\n".join(told).rstrip()

    __repr__ = __str__


def _table(rows: Sequence[tuple[str, ...]], width: int = 100) -> str:
    """Rows as lines: what is left of the last column is wrapped under it."""
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
