"""Crazyhouse for two random players: tests/outside/crazyhouse.rules as plain Python."""

import random
from collections import Counter

Square = tuple[int, int]  # column and row, from 0
Man = tuple[int, str]  # player and kind
Board = dict[Square, Man]
Action = tuple[str, Square, Square, str]  # option, from, to, and the kind that is dropped or promoted to

SQUARES: list[Square] = [(column, row) for row in range(8) for column in range(8)]
FIRST_ROW = ["rook", "knight", "bishop", "queen", "king", "bishop", "knight", "rook"]
KINDS = ["pawn", "knight", "bishop", "rook", "queen"]
PROMOTIONS = KINDS[1:]
AHEAD = [1, -1]
HOME = [0, 7]
STRAIGHT = [(0, 1), (1, 0), (0, -1), (-1, 0)]
OBLIQUE = [(1, 1), (1, -1), (-1, -1), (-1, 1)]
LEAPS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
SLIDES = {"rook": STRAIGHT, "bishop": OBLIQUE, "queen": STRAIGHT + OBLIQUE}
STEPS = {"knight": LEAPS, "king": STRAIGHT + OBLIQUE}
QUIET_LIMIT = 100
REPEATS = 3


def is_on_board(square: Square) -> bool:
    return 0 <= square[0] < 8 and 0 <= square[1] < 8


def is_attacked(board: Board, square: Square, by: int) -> bool:
    """Return whether a man of the player could take on the square."""
    column, row = square
    for side in (-1, 1):
        if board.get((column + side, row - AHEAD[by])) == (by, "pawn"):
            return True
    for kind, steps in STEPS.items():
        for x, y in steps:
            if board.get((column + x, row + y)) == (by, kind):
                return True
    for ways, kinds in ((STRAIGHT, ("rook", "queen")), (OBLIQUE, ("bishop", "queen"))):
        for x, y in ways:
            seen = (column + x, row + y)
            while is_on_board(seen) and seen not in board:
                seen = (seen[0] + x, seen[1] + y)
            if seen in board:
                player, kind = board[seen]
                if player == by and kind in kinds:
                    return True
    return False


def is_in_check(board: Board, player: int) -> bool:
    king = next(square for square, man in board.items() if man == (player, "king"))
    return is_attacked(board, king, 1 - player)


class Game:
    """The board, the men in hand, and what has to be remembered of earlier moves."""

    def __init__(self) -> None:
        self.board: Board = {}
        for player in range(2):
            for column, kind in enumerate(FIRST_ROW):
                self.board[column, HOME[player]] = (player, kind)
                self.board[column, HOME[player] + AHEAD[player]] = (player, "pawn")
        self.hands = [dict.fromkeys(KINDS, 0) for _ in range(2)]
        self.castles = {(0, 0), (7, 0), (0, 7), (7, 7)}
        self.passed: Square | None = None
        self.promoted: set[Square] = set()
        self.quiet = 0
        self.positions: Counter[object] = Counter()

    def list_goals(self, me: int, start: Square) -> list[Square]:
        """Return where the man on a square can go, whatever becomes of the king."""
        board = self.board
        kind = board[start][1]
        column, row = start
        goals = []
        if kind == "pawn":
            ahead = (column, row + AHEAD[me])
            if ahead not in board:
                goals.append(ahead)
                far = (column, row + 2 * AHEAD[me])
                if row == HOME[me] + AHEAD[me] and far not in board:
                    goals.append(far)
            for side in (-1, 1):
                goal = (column + side, row + AHEAD[me])
                if goal in board and board[goal][0] != me or goal == self.passed:
                    goals.append(goal)
        elif kind in STEPS:
            for x, y in STEPS[kind]:
                goal = (column + x, row + y)
                if is_on_board(goal) and (goal not in board or board[goal][0] != me):
                    goals.append(goal)
        else:
            for x, y in SLIDES[kind]:
                goal = (column + x, row + y)
                while is_on_board(goal) and goal not in board:
                    goals.append(goal)
                    goal = (goal[0] + x, goal[1] + y)
                if goal in board and board[goal][0] != me:
                    goals.append(goal)
        return goals

    def is_safe(self, me: int, start: Square, goal: Square) -> bool:
        """Return whether the player's king isn't attacked after a move."""
        board = self.board.copy()
        if goal == self.passed and board[start][1] == "pawn":
            del board[goal[0], start[1]]
        board[goal] = board.pop(start)
        return not is_in_check(board, me)

    def list_castlings(self, me: int) -> list[Action]:
        """Return the castlings as moves of a rook to where the king will stand."""
        board = self.board
        row = HOME[me]
        actions: list[Action] = []
        for rook in self.castles:
            if board.get(rook) != (me, "rook"):
                continue
            if rook[0] == 7:
                between, king_path, goal = [5, 6], [4, 5, 6], (6, row)
            else:
                between, king_path, goal = [1, 2, 3], [4, 3, 2], (2, row)
            if any((column, row) in board for column in between):
                continue
            if any(is_attacked(board, (column, row), 1 - me) for column in king_path):
                continue
            actions.append(("castle", rook, goal, "king"))
        return actions

    def list_drops(self, me: int) -> list[Action]:
        """Return the drops. Only a king in check makes a difference: a drop opens no line."""
        in_check = is_in_check(self.board, me)
        actions: list[Action] = []
        for square in SQUARES:
            if square in self.board:
                continue
            if in_check and is_in_check(self.board | {square: (me, "pawn")}, me):
                continue
            for kind in KINDS:
                if self.hands[me][kind] > 0 and (kind != "pawn" or square[1] not in HOME):
                    actions.append(("drop", square, square, kind))
        return actions

    def list_actions(self, me: int) -> list[Action]:
        actions: list[Action] = []
        for start, (player, kind) in self.board.items():
            if player != me:
                continue
            for goal in self.list_goals(me, start):
                if not self.is_safe(me, start, goal):
                    continue
                if kind == "pawn" and goal[1] == HOME[1 - me]:
                    actions += [("promote", start, goal, new_kind) for new_kind in PROMOTIONS]
                else:
                    actions.append(("move", start, goal, kind))
        return actions + self.list_castlings(me) + self.list_drops(me)

    def capture(self, me: int, square: Square) -> None:
        """Put the man on a square into the player's hand, a promoted one as a pawn."""
        kind = self.board.pop(square)[1]
        self.hands[me]["pawn" if square in self.promoted else kind] += 1

    def move(self, me: int, start: Square, goal: Square) -> None:
        kind = self.board[start][1]
        if kind == "pawn" and goal == self.passed:
            self.capture(me, (goal[0], start[1]))
        self.quiet = 0 if kind == "pawn" or goal in self.board else self.quiet + 1
        if goal in self.board:
            self.capture(me, goal)
        self.castles -= {start, goal}
        if kind == "king":
            self.castles = {rook for rook in self.castles if rook[1] != HOME[me]}
        self.passed = None
        self.promoted.discard(goal)
        if start in self.promoted:
            self.promoted.remove(start)
            self.promoted.add(goal)
        self.board[goal] = self.board.pop(start)
        if kind == "pawn" and abs(goal[1] - start[1]) == 2:
            self.note_passed(me, goal)

    def note_passed(self, me: int, goal: Square) -> None:
        """Remember the square that a pawn has passed over, if a pawn of the other may take it there."""
        column, row = goal
        middle = (column, row - AHEAD[me])
        for start in ((column - 1, row), (column + 1, row)):
            if self.board.get(start) == (1 - me, "pawn"):
                board = self.board.copy()
                del board[goal]
                board[middle] = board.pop(start)
                if not is_in_check(board, 1 - me):
                    self.passed = middle

    def apply(self, me: int, action: Action) -> None:
        option, start, goal, kind = action
        if option == "move":
            self.move(me, start, goal)
        elif option == "promote":
            self.move(me, start, goal)
            self.board[goal] = (me, kind)
            self.promoted.add(goal)
        elif option == "castle":
            row = HOME[me]
            del self.board[start], self.board[4, row]
            self.board[goal] = (me, "king")
            self.board[5 if goal[0] == 6 else 3, row] = (me, "rook")
            self.castles = {rook for rook in self.castles if rook[1] != row}
            self.passed = None
            self.quiet += 1
        else:
            self.board[goal] = (me, kind)
            self.hands[me][kind] -= 1
            self.quiet = 0
            self.passed = None

    def count_position(self, mover: int) -> int:
        """Note the position. Return how often it has occurred."""
        position = (
            frozenset(self.board.items()),
            tuple(tuple(hand.values()) for hand in self.hands),
            frozenset(self.promoted),
            frozenset(self.castles),
            self.passed,
            mover,
        )
        self.positions[position] += 1
        return self.positions[position]

    def find_draw(self, me: int) -> str | None:
        """Return the name of a draw after the player's move."""
        repeated = self.count_position(1 - me) >= REPEATS
        if self.quiet > QUIET_LIMIT or self.quiet == QUIET_LIMIT and not is_in_check(self.board, 1 - me):
            return "quiet"
        return "repeated" if repeated else None


def play(rng: random.Random) -> dict[str, float]:
    """Play one game of random players; return how long it was and who won."""
    game = Game()
    game.count_position(0)
    decisions = turns = 0
    me = 0
    end = None
    while end is None:
        turns += 1
        actions = game.list_actions(me)
        if actions:
            decisions += 1
            game.apply(me, rng.choice(actions))
            end = game.find_draw(me)
            me = 1 - me
        else:
            end = "checkmate" if is_in_check(game.board, me) else "stalemate"
    drawn = end != "checkmate"
    return {
        "decisions": decisions,
        "turns": turns,
        "winner_1": 0.5 if drawn else float(me == 1),
        "winner_2": 0.5 if drawn else float(me == 0),
        "draw": float(drawn),
        "checkmate": float(end == "checkmate"),
        "stalemate": float(end == "stalemate"),
        "quiet": float(end == "quiet"),
        "repeated": float(end == "repeated"),
    }
