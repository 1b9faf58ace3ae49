"""Random games of Isola (seven by seven) in plain Python, by the rules of tests/outside/isola.rules."""

import random

Site = tuple[int, int]  # column and row, from 1

WIDE, HIGH = 7, 7
STARTS = [((WIDE + 1) // 2, 1), ((WIDE + 1) // 2, HIGH)]
AROUND = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]


def list_steps(man: Site, empty: set[Site]) -> list[Site]:
    """Lists the empty squares around a man."""
    column, row = man
    return [(column + x, row + y) for x, y in AROUND if (column + x, row + y) in empty]


def play(rng: random.Random) -> dict[str, float]:
    """Plays a whole game."""
    men = list(STARTS)
    empty = {(column, row) for column in range(1, WIDE + 1) for row in range(1, HIGH + 1)} - set(men)
    player = 0
    steps = list_steps(men[player], empty)
    decisions = turns = 0
    while True:
        left, men[player] = men[player], rng.choice(steps)
        empty.remove(men[player])
        if left not in STARTS:
            empty.add(left)
        decisions += 1
        if empty:
            empty.remove(rng.choice(list(empty)))
            decisions += 1
        turns += 1
        steps = list_steps(men[1 - player], empty)
        if not steps:
            break
        player = 1 - player
    return {
        "decisions": decisions,
        "turns": turns,
        "winner_1": float(player == 0),
        "winner_2": float(player == 1),
    }
