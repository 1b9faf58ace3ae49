"""International draughts and its kin are played along by a second engine; and turns of several jumps."""

from __future__ import annotations

from collections import Counter

import pytest
from rule_files import load
from shelf_helpers import DRAW, Duel, Square, follow, name, onward, squares_in

DIAGONALS = ((1, 1), (1, -1), (-1, -1), (-1, 1))
Jump = tuple[Square, Square]  # who is taken, and where the jump ends


class Draughts(Duel):
    """A man is a seat, and whether it is a king, on a square. Who was jumped over stays until the turn is over."""

    def __init__(self, size: int, ranks: int, majority: bool, passing: bool, quiet_limit: int) -> None:
        self.size, self.majority, self.passing, self.quiet_limit = size, majority, passing, quiet_limit
        self.at: dict[Square, tuple[int, bool]] = {}
        for x in range(1, size + 1):
            for y in range(1, size + 1):
                if (x + y) % 2 == 0 and not ranks < y <= size - ranks:
                    self.at[x, y] = (int(y > ranks), False)
        self.jumper: Square | None = None
        self.taken: frozenset[Square] = frozenset()
        self.quiet = 0
        self.seen = Counter([self.key()])

    def key(self) -> tuple[int, frozenset[tuple[Square, tuple[int, bool]]]]:
        return self.player, frozenset(self.at.items())

    def free(self, square: Square, start: Square) -> bool:
        """Is the square empty for a man who has left his own?"""
        return all(1 <= number <= self.size for number in square) and (square not in self.at or square == start)

    def last(self, square: Square) -> bool:
        return square[1] == (self.size if self.player == 0 else 1)

    def jumps(self, start: Square, square: Square, king: bool, taken: frozenset[Square]) -> list[Jump]:
        found = []
        for way in DIAGONALS:
            over = onward(square, way)
            while king and self.free(over, start):
                over = onward(over, way)
            if over == start or over in taken or self.at.get(over, (self.player,))[0] == self.player:
                continue
            end = onward(over, way)
            while self.free(end, start):
                found.append((over, end))
                if not king:
                    break
                end = onward(end, way)
        return found

    def most(self, start: Square, square: Square, king: bool, taken: frozenset[Square]) -> int:
        jumps = self.jumps(start, square, king, taken)
        return max((1 + self.rest(start, jump, king, taken) for jump in jumps), default=0)

    def rest(self, start: Square, jump: Jump, king: bool, taken: frozenset[Square]) -> int:
        """The most that can be taken after a jump."""
        over, end = jump
        return self.most(start, end, king or (self.passing and self.last(end)), taken | {over})

    def men(self, player: int) -> list[tuple[Square, bool]]:
        return [(square, king) for square, (seat, king) in self.at.items() if seat == player]

    def steps(self, player: int) -> list[str]:
        found = []
        for start, king in self.men(player):
            for way in DIAGONALS:
                square = onward(start, way)
                while (king or way[1] == 1 - 2 * player) and self.free(square, start):
                    found.append(f"step {name(start)} {name(square)}")
                    if not king:
                        break
                    square = onward(square, way)
        return found

    def legal(self) -> list[str]:
        men = [man for man in self.men(self.player) if self.jumper in (None, man[0])]
        rest = {
            (start, jump[1]): self.rest(start, jump, king, self.taken)
            for start, king in men
            for jump in self.jumps(start, start, king, self.taken)
        }
        if not rest:
            return self.steps(self.player)
        most = max(rest.values())
        return [f"jump {name(a)} {name(b)}" for (a, b), count in rest.items() if count == most or not self.majority]

    def play(self, action: str) -> None:
        start, end = squares_in(action)
        is_jump = action.startswith("jump")
        seat, king = self.at[start]
        over = next((over for over, to in self.jumps(start, start, king, self.taken) if to == end), None)
        del self.at[start]
        self.at[end] = (seat, king or (self.last(end) and (self.passing or not is_jump)))
        self.quiet = self.quiet + 1 if king and not is_jump else 0
        if is_jump and over:
            self.taken |= {over}
            if self.jumps(end, end, self.at[end][1], self.taken):
                self.jumper = end
                return
        for square in self.taken:
            del self.at[square]
        self.at[end] = (seat, self.at[end][1] or self.last(end))
        self.taken, self.jumper = frozenset(), None
        self.player = 1 - self.player
        self.seen[self.key()] += 1
        if not self.legal():
            self.winner = 1 - self.player
        elif self.quiet == self.quiet_limit or self.seen[self.key()] == 3:
            self.winner = DRAW


RULES = [
    ("war/international-draughts", 10, 4, True, False),
    ("variants/international-draughts-brazilian", 8, 3, True, False),
    ("variants/international-draughts-russian", 8, 3, False, True),
]


@pytest.mark.parametrize(("rules", "size", "ranks", "majority", "passing"), RULES)
def test_draughts(rules: str, size: int, ranks: int, majority: bool, passing: bool) -> None:
    game = load(rules, quiet_limit=20)
    assert follow(game, lambda: Draughts(size, ranks, majority, passing, quiet_limit=20), 150) > 150


def test_a_man_goes_on_as_a_king_where_the_longest_way_wins() -> None:
    game = load("war/international-draughts", size=6, ranks=2, passing=True, quiet_limit=20)
    assert follow(game, lambda: Draughts(6, 2, majority=True, passing=True, quiet_limit=20), 400) > 400


# In the middle of the jumps nobody else can move, but after the last one somebody can.
ENGLISH = """
6 . . . . . .
5 . . . . . .
4 . . . . . .
3 . . . . B .
2 . w . W . .
1 W . . . . .
  a b c d e f
mover = black
"""
INTERNATIONAL = """
6 . . . . . .
5 . . . . . .
4 . . . . . .
3 W . b . . .
2 . b . b . .
1 w . . . w .
  a b c d e f
mover = white
"""


@pytest.mark.parametrize(
    ("rules", "board", "jumps"),
    [
        ("war/english-draughts", ENGLISH, ["jump e3 c1", "jump c1 a3"]),
        ("variants/english-draughts-giveaway", ENGLISH, ["jump e3 c1", "jump c1 a3"]),
        ("variants/english-draughts-free", ENGLISH, ["jump e3 c1", "jump c1 a3"]),
        ("war/international-draughts", INTERNATIONAL, ["jump a3 c1", "jump c1 e3"]),
    ],
)
def test_nobody_is_stuck_before_the_last_jump(rules: str, board: str, jumps: list[str]) -> None:
    state = load(rules, size=6, ranks=2).position(board)
    for jump in jumps:
        assert not state.is_over
        jumper = state.current_player
        state.apply(jump)
    assert not state.is_over
    assert state.current_player != jumper


def test_who_leaves_off_jumping_can_win() -> None:
    """The king could go on from c1, but the men of the other are already shut in."""
    state = load("variants/english-draughts-free", size=6, ranks=2).position(ENGLISH)
    for action in ("jump e3 c1", "stop"):
        assert not state.is_over
        state.apply(action)
    assert state.is_over
    assert list(state.returns) == [1, -1]
