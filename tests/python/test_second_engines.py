"""Games that OpenSpiel lacks are played along by second engines, written here from the rules' prose. They go from
square to square, share nothing with the rule files, and have the same legal actions at every decision of random
games, the same player to move and the same result. Small boards are solved, and compared with values from the literature.
"""

from __future__ import annotations

from collections import Counter

import houserule as hr
import pytest
from rule_files import load
from shelf_helpers import DRAW, Duel, Square, follow, name, onward, perft, squares_in

GAMES = 300
STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))


class Brandubh(Duel):
    """The pieces are a letter on a square: a(ttacker), d(efender), k(ing)."""

    SIZE = 7
    THRONE = (4, 4)
    CORNERS = ((1, 1), (1, 7), (7, 1), (7, 7))

    def __init__(self, throne_is_open: bool = True, armed: bool = True, edge: bool = False) -> None:
        self.throne_is_open, self.armed, self.edge = throne_is_open, armed, edge
        self.at = {self.THRONE: "k"}
        for step in STEPS:
            place = onward(self.THRONE, step)
            self.at[place] = "d"
            for _ in range(2):
                place = onward(place, step)
                self.at[place] = "a"
        self.seen = Counter([self.key()])

    def key(self) -> tuple[int, frozenset[tuple[Square, str]]]:
        return self.player, frozenset(self.at.items())

    def on_board(self, square: Square) -> bool:
        return all(1 <= number <= self.SIZE for number in square)

    def reserved(self, square: Square) -> bool:
        return square == self.THRONE or (square in self.CORNERS and not self.edge)

    def moves(self, player: int) -> list[tuple[Square, Square]]:
        found = []
        for start, piece in self.at.items():
            if piece not in ("a", "dk")[player]:
                continue
            for step in STEPS:
                square = onward(start, step)
                while self.on_board(square) and square not in self.at:
                    if piece == "k" or not self.reserved(square):
                        found.append((start, square))
                    if square == self.THRONE and piece != "k" and not self.throne_is_open:
                        break
                    square = onward(square, step)
        return found

    def legal(self) -> list[str]:
        return [f"move {name(start)} {name(end)}" for start, end in self.moves(self.player)]

    def hostile(self, square: Square) -> bool:
        """Is a piece taken against this square, by the player to move?"""
        if square not in self.at:
            return self.on_board(square) and self.reserved(square)
        return self.at[square] in ("a", "dk" if self.armed else "d")[self.player]

    def play(self, action: str) -> None:
        start, end = squares_in(action)
        self.at[end] = self.at.pop(start)
        taken = []
        for step in STEPS if self.armed or self.at[end] != "k" else ():
            beside = onward(end, step)
            piece = self.at.get(beside, "")
            if not piece or piece not in ("dk", "a")[self.player]:
                continue
            sides = [onward(beside, way) for way in STEPS]
            if piece == "k" and (beside == self.THRONE or self.THRONE in sides):
                shut = all(side == self.THRONE or self.at.get(side) == "a" for side in sides)
            else:
                shut = self.hostile(onward(beside, step))
            if shut:
                taken.append(beside)
        for square in taken:
            del self.at[square]
        self.finish()

    def finish(self) -> None:
        king = next((square for square, piece in self.at.items() if piece == "k"), None)
        goal = king is not None and (king in self.CORNERS or (self.edge and (1 in king or self.SIZE in king)))
        mover, self.player = self.player, 1 - self.player
        self.seen[self.key()] += 1
        if king is None:
            self.winner = 0
        elif goal:
            self.winner = 1
        elif not self.moves(self.player):
            self.winner = mover
        elif self.seen[self.key()] == 3:
            self.winner = DRAW


@pytest.mark.parametrize("passers", ["anybody", "king"])
@pytest.mark.parametrize("armed", [True, False])
def test_brandubh(passers: str, armed: bool) -> None:
    game = load("war/brandubh", passers=passers, armed=armed)
    assert follow(game, lambda: Brandubh(passers == "anybody", armed), GAMES // 3) > GAMES // 3


def test_brandubh_with_an_open_edge() -> None:
    game = load("variants/brandubh-edge")
    assert follow(game, lambda: Brandubh(edge=True), GAMES // 3) > GAMES // 3


BETWEEN_THREE = """
7 . . . . . . .
6 . . . a . . .
5 . . a . a . .
4 . . . K . . .
3 . . . . . . .
2 . . . . . . d
1 . . a . . . .
  a b c d e f g
legend: a = man[attacker], d = man[defender], K = king
mover = defender
"""


def test_a_king_may_step_between_attackers() -> None:
    """The fourth side is the empty throne, but it takes a move beside him to take the king."""
    state = load("war/brandubh").position(BETWEEN_THREE)
    for move in ("move d4 d5", "move c1 c2", "move g2 g3"):
        state.apply(move)
        assert not state.is_over
    for move in ("move d6 d7", "move g3 g2", "move d7 d6"):
        assert not state.is_over
        state.apply(move)
    assert list(state.returns) == [1, -1]


def test_brandubh_is_drawn_when_all_stand_alike_for_the_third_time() -> None:
    state = load("war/brandubh").start()
    for move in 2 * ("move d7 c7", "move d5 c5", "move c7 d7", "move c5 d5"):
        assert not state.is_over
        state.apply(move)
    assert state.is_over
    assert list(state.returns) == [0, 0]


class FoxAndGeese(Duel):
    """Points whose column and row have an even sum have diagonal lines too."""

    POINTS = {(x, y) for x in range(1, 8) for y in range(1, 8) if x in (3, 4, 5) or y in (3, 4, 5)}
    QUIET = 100

    def __init__(self, extra: list[Square], diagonals: bool = True) -> None:
        self.geese = {(x, y) for x, y in self.POINTS if y <= 3} | set(extra)
        self.fox = (4, 5)
        self.diagonals = diagonals
        self.jumping = False
        self.quiet = 0

    def steps(self, point: Square) -> tuple[Square, ...]:
        corners = ((1, 1), (1, -1), (-1, 1), (-1, -1)) if self.diagonals and sum(point) % 2 == 0 else ()
        return STEPS + corners

    def free(self, point: Square) -> bool:
        return point in self.POINTS and point not in self.geese and point != self.fox

    def walks(self) -> list[tuple[Square, Square]]:
        starts = [self.fox] if self.player == 1 else self.geese
        return [(a, onward(a, step)) for a in starts for step in self.steps(a) if self.free(onward(a, step))]

    def jumps(self) -> dict[Square, Square]:
        """Where the fox can jump, and the goose that it takes by that."""
        over = ((onward(self.fox, step), step) for step in self.steps(self.fox))
        return {onward(m, step): m for m, step in over if m in self.geese and self.free(onward(m, step))}

    def legal(self) -> list[str]:
        jumps = [f"leap {name(self.fox)} {name(b)}" for b in self.jumps()] if self.player == 1 else []
        if self.jumping:
            return [*jumps, "stop"]
        return jumps + [f"go {name(a)} {name(b)}" for a, b in self.walks()]

    def play(self, action: str) -> None:
        word, squares = action.split()[0], squares_in(action)
        if word == "leap":
            self.geese.remove(self.jumps()[squares[1]])
        if self.player == 1 and squares:
            self.fox = squares[1]
        elif squares:
            self.geese ^= set(squares)
        if word != "stop":
            self.quiet = 0 if word == "leap" else self.quiet + 1
        self.jumping = word == "leap" and bool(self.jumps())
        if not self.jumping:
            self.player = 1 - self.player
        fox_is_free = any(self.free(onward(self.fox, step)) for step in self.steps(self.fox)) or self.jumps()
        if len(self.geese) < 6:
            self.winner = 1
        elif not fox_is_free:
            self.winner = 0
        elif self.quiet == self.QUIET:
            self.winner = DRAW


@pytest.mark.parametrize(("flock", "extra"), [(13, []), (15, [(1, 4), (7, 4)]), (17, [(1, 4), (7, 4), (1, 5), (7, 5)])])
def test_fox_and_geese(flock: int, extra: list[Square]) -> None:
    game = load("war/fox-and-geese", flock=flock)
    assert follow(game, lambda: FoxAndGeese(extra), GAMES // 3) > GAMES // 3


def test_fox_and_geese_on_straight_lines() -> None:
    game = load("variants/fox-and-geese-straight")
    assert follow(game, lambda: FoxAndGeese([(1, 4), (7, 4)], diagonals=False), GAMES // 3) > GAMES // 3


class Konane(Duel):
    def __init__(self, size: int, any_opening: bool = False) -> None:
        self.size, self.any_opening = size, any_opening
        self.at = {(x, y): (x + y) % 2 for x in range(1, size + 1) for y in range(1, size + 1)}
        self.gaps: list[Square] = []

    def jumps(self) -> dict[tuple[Square, Square], list[Square]]:
        """The jumps of the player to move, each with the stones that it takes."""
        found = {}
        for start, owner in self.at.items():
            for step in STEPS if owner == self.player else ():
                taken: list[Square] = []
                over = onward(start, step)
                end = onward(over, step)
                while self.at.get(over) == 1 - owner and end not in self.at and self.inside(end):
                    taken = [*taken, over]
                    found[start, end] = taken
                    over = onward(end, step)
                    end = onward(over, step)
        return found

    def inside(self, square: Square) -> bool:
        return all(1 <= number <= self.size for number in square)

    def removable(self) -> list[Square]:
        own = [square for square, owner in self.at.items() if owner == self.player]
        if self.gaps:
            return [square for square in own if self.gaps[0] in [onward(square, step) for step in STEPS]]
        corner, middle = {1, self.size}, {self.size // 2, self.size // 2 + 1}
        return [square for square in own if self.any_opening or set(square) <= corner or set(square) <= middle]

    def legal(self) -> list[str]:
        if len(self.gaps) < 2:
            return [f"remove {name(square)}" for square in self.removable()]
        return [f"jump {name(a)} {name(b)}" for a, b in self.jumps()]

    def play(self, action: str) -> None:
        places = squares_in(action)
        if len(places) == 1:
            self.gaps += places
            del self.at[places[0]]
        else:
            start, end = places
            for square in self.jumps()[start, end]:
                del self.at[square]
            self.at[end] = self.at.pop(start)
        self.player = 1 - self.player
        if len(self.gaps) == 2 and not self.jumps():
            self.winner = 1 - self.player


@pytest.mark.parametrize("size", [4, 8, 10])
def test_konane(size: int) -> None:
    game = load("war/konane", size=size)
    assert follow(game, lambda: Konane(size), GAMES // 3) > GAMES // 3


def test_konane_with_any_opening() -> None:
    game = load("variants/konane-any-opening", size=6)
    assert follow(game, lambda: Konane(6, any_opening=True), GAMES // 3) > GAMES // 3


class Dominoes(Duel):
    """Domineering, and Cram, where both lay either way."""

    WAYS = ((0, 1), (1, 0))  # upright, flat

    def __init__(self, width: int, height: int, cram: bool = False) -> None:
        self.free = frozenset((x, y) for x in range(1, width + 1) for y in range(1, height + 1))
        self.cram = cram

    def places(self, way: int) -> list[Square]:
        return [square for square in self.free if onward(square, self.WAYS[way]) in self.free]

    def ways(self) -> tuple[int, ...]:
        return (0, 1) if self.cram else (self.player,)

    def legal(self) -> list[str]:
        words = ("lay", "across") if self.cram else ("lay", "lay")
        return [f"{words[way]} {name(square)}" for way in self.ways() for square in self.places(way)]

    def play(self, action: str) -> None:
        way = int(action.startswith("across")) if self.cram else self.player
        [square] = squares_in(action)
        self.free -= {square, onward(square, self.WAYS[way])}
        self.player = 1 - self.player
        if not any(self.places(way) for way in self.ways()):
            self.winner = 1 - self.player


def test_domineering() -> None:
    for width, height in ((8, 8), (5, 3), (2, 6)):
        game = load("territory/domineering", width=width, height=height)
        assert follow(game, lambda: Dominoes(width, height), GAMES) > GAMES


def test_cram() -> None:
    game = load("variants/domineering-cram", width=6, height=5)
    assert follow(game, lambda: Dominoes(6, 5, cram=True), GAMES) > GAMES


class BlackPath(Duel):
    """A tile joins the sides of its square in pairs. The path enters at a side, which is the step back out of it."""

    UP, RIGHT, DOWN, LEFT = STEPS
    JOINED = {
        "crossing": ((LEFT, RIGHT), (UP, DOWN)),
        "rising": ((LEFT, UP), (RIGHT, DOWN)),
        "falling": ((LEFT, DOWN), (RIGHT, UP)),
    }

    def __init__(self, width: int, height: int, crooked: bool = False) -> None:
        self.free = {(x, y) for x in range(1, width + 1) for y in range(1, height + 1)}
        self.kinds = [kind for kind in self.JOINED if not (crooked and kind == "crossing")]
        self.tiles: dict[Square, str] = {}
        self.square, self.entered = (1, height), self.LEFT

    def legal(self) -> list[str]:
        return self.kinds

    def play(self, action: str) -> None:
        self.free.remove(self.square)
        self.tiles[self.square] = action
        while self.square in self.tiles:
            pairs = self.JOINED[self.tiles[self.square]]
            joined = {**dict(pairs), **{b: a for a, b in pairs}}
            left_by = joined[self.entered]
            self.square = onward(self.square, left_by)
            self.entered = (-left_by[0], -left_by[1])
        self.player = 1 - self.player
        if self.square not in self.free:
            self.winner = self.player


def test_black_path() -> None:
    for width, height in ((8, 8), (3, 5)):
        game = load("territory/black-path", width=width, height=height)
        assert follow(game, lambda: BlackPath(width, height), GAMES) > GAMES


def test_crooked_black_path() -> None:
    game = load("variants/black-path-crooked")
    assert follow(game, lambda: BlackPath(8, 8, crooked=True), GAMES) > GAMES


class CannibalClobber(Duel):
    def __init__(self) -> None:
        self.at = {(x, y): (x + y) % 2 for x in range(1, 7) for y in range(1, 6)}

    def legal(self) -> list[str]:
        return [
            f"take {name(square)} {name(onward(square, step))}"
            for square, owner in self.at.items()
            for step in STEPS
            if owner == self.player and onward(square, step) in self.at
        ]

    def play(self, action: str) -> None:
        start, end = squares_in(action)
        self.at[end] = self.at.pop(start)
        self.player = 1 - self.player
        if not self.legal():
            self.winner = 1 - self.player


def test_cannibal_clobber() -> None:
    game = load("variants/clobber-cannibal")
    assert follow(game, CannibalClobber, GAMES) > GAMES


class MostBlocks(Duel):
    """Ultimate Tic-tac-toe in which the most blocks win. A block, and a square in it, is a column and a row from 0."""

    LINES = [[(i, n) for i in range(3)] for n in range(3)] + [[(n, i) for i in range(3)] for n in range(3)]
    LINES += [[(i, i) for i in range(3)], [(i, 2 - i) for i in range(3)]]

    def __init__(self) -> None:
        places = [(x, y) for x in range(3) for y in range(3)]
        self.marks: dict[Square, dict[Square, int | None]] = {block: dict.fromkeys(places) for block in places}
        self.won: dict[Square, int | None] = dict.fromkeys(places)
        self.sent: Square | None = None

    def line(self, marks: dict[Square, int | None]) -> bool:
        return any(all(marks[place] == self.player for place in line) for line in self.LINES)

    def open(self, block: Square) -> bool:
        return self.won[block] is None and None in self.marks[block].values()

    def legal(self) -> list[str]:
        blocks = [self.sent] if self.sent else [block for block in self.marks if self.open(block)]
        return [
            f"place {name((block[0] * 3 + place[0] + 1, block[1] * 3 + place[1] + 1))}"
            for block in blocks
            for place, mark in self.marks[block].items()
            if mark is None
        ]

    def play(self, action: str) -> None:
        [(column, row)] = squares_in(action)
        (left, x), (below, y) = divmod(column - 1, 3), divmod(row - 1, 3)
        self.marks[left, below][x, y] = self.player
        if self.line(self.marks[left, below]):
            self.won[left, below] = self.player
        self.sent = (x, y) if self.open((x, y)) else None
        if self.line(self.won):
            self.winner = self.player
        elif not any(self.open(block) for block in self.won):
            first, second = (list(self.won.values()).count(seat) for seat in (0, 1))
            self.winner = DRAW if first == second else int(first < second)
        self.player = 1 - self.player


def test_ultimate_tic_tac_toe_for_most_blocks() -> None:
    game = load("variants/ultimate-tic-tac-toe-most-blocks")
    assert follow(game, MostBlocks, GAMES) > GAMES


class CountedAmazons(Duel):
    """Amazons on six by six squares, with the land counted once the players are apart."""

    SIZE = 6
    QUEEN = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0))

    def __init__(self) -> None:
        self.free = {(x, y) for x in range(1, 7) for y in range(1, 7)}
        self.amazons = [{(1, 2), (2, 1), (5, 1), (6, 2)}, {(1, 5), (2, 6), (5, 6), (6, 5)}]
        self.free -= self.amazons[0] | self.amazons[1]
        self.archer: Square | None = None
        self.moved = False

    def sight(self, square: Square) -> list[Square]:
        found = []
        for step in self.QUEEN:
            seen = onward(square, step)
            while seen in self.free:
                found.append(seen)
                seen = onward(seen, step)
        return found

    def legal(self) -> list[str]:
        if self.archer:
            return [f"{'shoot' if self.moved else 'move'} {name(square)}" for square in self.sight(self.archer)]
        return [f"pick {name(square)}" for square in self.amazons[self.player] if self.sight(square)]

    def land(self, player: int) -> set[Square]:
        """Free squares that the player's amazons can get to, over any number of moves."""
        found: set[Square] = set()
        rim = self.amazons[player]
        while rim:
            rim = {onward(square, step) for square in rim for step in self.QUEEN} & self.free - found
            found |= rim
        return found

    def play(self, action: str) -> None:
        [chosen] = squares_in(action)
        if self.archer is None:
            self.archer, self.moved = chosen, False
            return
        if not self.moved:
            self.amazons[self.player] ^= {self.archer, chosen}
            self.free ^= {self.archer, chosen}
            self.archer, self.moved = chosen, True
            return
        self.free.remove(chosen)
        self.archer = None
        self.player = 1 - self.player
        mine, theirs = self.land(1 - self.player), self.land(self.player)
        if not theirs:
            self.winner = 1 - self.player
        elif not mine & theirs:
            more = len(theirs) > len(mine)
            self.winner = DRAW if len(mine) == len(theirs) else (self.player if more else 1 - self.player)


def test_counted_amazons() -> None:
    game = load("variants/amazons-counted", size=6)
    assert follow(game, CountedAmazons, GAMES) > GAMES


def test_amazons_begins_with_2176_moves_and_4307152_pairs_of_moves() -> None:
    """A move is three decisions. The counts are those of the Amazons in the benchmark of Regular Games, a game description language."""
    start = load("war/amazons").start()
    assert perft(start, 3) == 2_176
    assert perft(start, 6) == 4_307_152


def first_wins(game: hr.Game) -> bool:
    """Does the player who begins win, if both play as well as can be?"""
    return list(hr.simulate(game, 1, agents="exact").games["winner"]) == [0]


@pytest.mark.parametrize(
    ("width", "height", "first"),
    [(2, 2, True), (3, 3, True), (4, 4, True), (4, 2, False), pytest.param(5, 5, False, marks=pytest.mark.long)],
)
def test_who_wins_domineering(width: int, height: int, first: bool) -> None:
    """D. Breuker, J. Uiterwijk and J. van den Herik, "Solving 8 x 8 Domineering", Theoretical Computer Science 230 (2000).
    In two rows of four the player who lays dominoes flat always wins."""
    assert first_wins(load("territory/domineering", width=width, height=height)) == first


@pytest.mark.parametrize(("width", "height"), [(2, 2), (2, 4), (4, 4), (2, 3), (4, 3), (5, 2)])
def test_who_wins_cram(width: int, height: int) -> None:
    """The second player copies moves through the middle of a board of even sides; with one odd side, the first
    player takes the two squares in the middle and does the same. M. Gardner, Scientific American 230 (2), 1974."""
    game = load("variants/domineering-cram", width=width, height=height)
    assert first_wins(game) == (width % 2 + height % 2 == 1)


@pytest.mark.parametrize("width", range(1, 5))
@pytest.mark.parametrize("height", range(1, 4))
def test_who_wins_black_path(width: int, height: int) -> None:
    """The first player wins on a board of an even number of squares, which dominoes cover, else the second, with dominoes on all
    squares but the first. E. Berlekamp, J. Conway and R. Guy, Winning Ways (1982)."""
    game = load("territory/black-path", width=width, height=height)
    assert first_wins(game) == (width * height % 2 == 0)


def test_a_line_wins_before_the_twist_or_only_after_it() -> None:
    """White fills a1 to e1, black the far corners, and the quarter that is turned is empty."""
    plays = []
    for white, black in zip(("a1", "b1", "c1", "d1", "e1"), ("a6", "b6", "a5", "b5", "c5"), strict=True):
        for hole in (white, black):
            plays += [f"place {hole}", "twist upper_right clockwise"]
    early, late = load("territory/five-with-a-twist").start(), load("variants/five-with-a-twist-late").start()
    for play in plays[:16]:
        early.apply(play)
        late.apply(play)
    for state in (early, late):
        assert not state.is_over
        state.apply("place e1")
    assert early.is_over
    assert list(early.returns) == [1, -1]
    assert not late.is_over
    broken = late.clone()
    broken.apply("twist lower_right clockwise")  # e1 goes to d2, and d1 to d3
    assert not broken.is_over
    late.apply("twist upper_right clockwise")
    assert list(late.returns) == [1, -1]


CAPTURE_JOINS_ALL = """
5 . . . . w
4 . . . w .
3 b . . . .
2 b . . . .
1 w b . b .
  a b c d e
legend: b = man[black], w = man[white]
mover = black
"""


@pytest.mark.parametrize(("both", "returns"), [("mover", [1, -1]), ("nobody", [0, 0])])
def test_a_move_that_connects_the_men_of_both_players(both: str, returns: list[int]) -> None:
    """Three men are on the lowest row, so d1 goes three squares, over a friend, and takes a1."""
    state = load("war/lines-of-action", size=5, both=both).position(CAPTURE_JOINS_ALL)
    state.apply("move d1 a1")
    assert list(state.returns) == returns
    assert state.is_over


def test_scrambled_men_alternate_around_the_edge() -> None:
    rows = load("variants/lines-of-action-scrambled").start().text().splitlines()[:8]
    board = [row.split()[1:9] for row in rows]
    ring = board[0] + [row[7] for row in board[1:]] + board[7][-2::-1] + [row[0] for row in board[-2:0:-1]]
    assert "".join(ring) == ".wbwbwb.wbwbwb.wbwbwb.wbwbwb"
    assert all(set(row[1:7]) == {"."} for row in board[1:7])
