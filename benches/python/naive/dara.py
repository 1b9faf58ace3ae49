"""Dara for two random players: tests/outside/dara.rules as plain Python."""

import random

Cell = tuple[int, int]  # column and row

CELLS: list[Cell] = [(column, row) for column in range(6) for row in range(5)]
MEN = 12


def measure_line(men: set[Cell], cell: Cell) -> int:
    """Return the length of the longest line in a row or column that a man on the cell makes with others."""
    column, row = cell
    longest = 0
    for x, y in ((1, 0), (0, 1)):
        length = 1
        for sign in (1, -1):
            distance = 1
            while (column + sign * x * distance, row + sign * y * distance) in men:
                length += 1
                distance += 1
        longest = max(longest, length)
    return longest


def list_beside(cell: Cell) -> list[Cell]:
    column, row = cell
    beside = [(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)]
    return [(x, y) for x, y in beside if 0 <= x < 6 and 0 <= y < 5]


def list_prey(men: set[Cell]) -> list[Cell]:
    """Return the men that can be taken: those in no line of three, or all."""
    single = [cell for cell in men if measure_line(men, cell) < 3]
    return single or list(men)


def list_placings(mine: set[Cell], theirs: set[Cell]) -> list[Cell]:
    free = [cell for cell in CELLS if cell not in mine and cell not in theirs]
    return [cell for cell in free if measure_line(mine, cell) < 3]


def list_moves(mine: set[Cell], theirs: set[Cell]) -> list[tuple[Cell, Cell]]:
    moves = []
    for start in mine:
        others = mine - {start}
        for goal in list_beside(start):
            if goal not in mine and goal not in theirs and measure_line(others, goal) <= 3:
                moves.append((start, goal))
    return moves


def play(rng: random.Random) -> dict[str, float]:
    """Play one game of random players; return how long it was and who won."""
    men: list[set[Cell]] = [set(), set()]
    waiting = [MEN, MEN]
    decisions = turns = 0
    me = 0
    while True:
        other = 1 - me
        mine, theirs = men[me], men[other]
        turns += 1
        if waiting[me] > 0:
            placings = list_placings(mine, theirs)
            if placings:
                decisions += 1
                mine.add(rng.choice(placings))
                waiting[me] -= 1
            else:
                waiting[me] = 0
        else:
            moves = list_moves(mine, theirs)
            if not moves:
                winner, end = other, "stuck"
                break
            decisions += 1
            start, goal = rng.choice(moves)
            mine.remove(start)
            mine.add(goal)
            if measure_line(mine, goal) >= 3 and theirs:
                decisions += 1
                theirs.remove(rng.choice(list_prey(theirs)))
        if waiting[other] == 0 and len(theirs) < 3:
            winner, end = me, "few"
            break
        me = other
    return {
        "decisions": decisions,
        "turns": turns,
        "winner_1": float(winner == 0),
        "winner_2": float(winner == 1),
        "few": float(end == "few"),
        "stuck": float(end == "stuck"),
    }
