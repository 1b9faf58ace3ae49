"""Games on boards of six-sided cells are played along by second engines, as in test_second_engines.py."""

from __future__ import annotations

import pytest
from rule_files import load
from shelf_helpers import DRAW, Duel, Square, follow, name, onward, squares_in

STEPS = {
    "east": (1, 0),
    "northeast": (0, 1),
    "northwest": (-1, 1),
    "west": (-1, 0),
    "southwest": (0, -1),
    "southeast": (1, -1),
}


class PushOff(Duel):
    """Stones are a seat on a cell. Actions are what ours writes."""

    BOARD = {(x, y) for x in range(1, 10) for y in range(1, 10) if 6 <= x + y <= 14}
    START = ({(x, y) for x, y in BOARD if y < 3} | {(5, 3), (6, 3), (7, 3)}, {(x, y) for x, y in BOARD if y > 7})
    START[1].update({(3, 7), (4, 7), (5, 7)})

    def __init__(self, start: tuple[set[Square], set[Square]], goal: int, quiet_limit: int) -> None:
        self.at = {cell: seat for seat, cells in enumerate(start) for cell in cells}
        self.goal, self.quiet_limit = goal, quiet_limit
        self.off = [0, 0]
        self.quiet = 0

    def pushed(self, cell: Square, step: str) -> tuple[int, int] | None:
        """How many stones of both players a push from the cell moves; None if it isn't allowed."""
        row = [self.at.get(onward(cell, STEPS[step], count)) for count in range(6)]
        own = next(count for count in (1, 2, 3, 4) if count == 4 or row[count] != self.player)
        foes = next(count for count in (0, 1, 2) if count == 2 or row[own + count] != 1 - self.player) if own < 4 else 0
        if own == 4 or own <= foes or row[own + foes] is not None:
            return None
        return None if foes == 0 and onward(cell, STEPS[step], own) not in self.BOARD else (own, foes)

    def legal(self) -> list[str]:
        found = []
        for cell in [cell for cell, seat in self.at.items() if seat == self.player]:
            found += [f"push {name(cell)} {step}" for step in STEPS if self.pushed(cell, step)]
            for along in list(STEPS)[:3]:
                for count in (2, 3):
                    line = [onward(cell, STEPS[along], place) for place in range(count)]
                    if any(self.at.get(place) != self.player for place in line):
                        continue
                    for step in STEPS:
                        goals = [onward(place, STEPS[step]) for place in line]
                        if all(goal in self.BOARD and goal not in self.at for goal in goals):
                            found.append(f"slip {name(cell)} {along} {count} {step}")
        return found

    def play(self, action: str) -> None:
        word, _, *rest = action.split()
        [cell] = squares_in(action)
        along, step = rest[0], rest[-1]
        count = int(rest[1]) if word == "slip" else sum(self.pushed(cell, step) or ())
        line = [onward(cell, STEPS[along], at) for at in range(count)]
        stones = [self.at.pop(at) for at in line]
        after = {onward(at, STEPS[step]): seat for at, seat in zip(line, stones)}
        lost = sum(at not in self.BOARD for at in after)
        self.at |= {at: seat for at, seat in after.items() if at in self.BOARD}
        self.off[self.player] += lost
        self.quiet = 0 if lost else self.quiet + 1
        if self.off[self.player] == self.goal:
            self.winner = self.player
        elif self.quiet == self.quiet_limit:
            self.winner = DRAW
        self.player = 1 - self.player


def flowers(*centers: Square) -> set[Square]:
    return {onward(center, STEPS[step]) for center in centers for step in STEPS} | set(centers)


GAMES = [
    ("war/push-off", PushOff.START, 6, 200),
    ("war/push-off", PushOff.START, 1, 2000),
    ("variants/push-off-flowers", (flowers((5, 8), (5, 2)), flowers((2, 8), (8, 2))), 2, 500),
]


@pytest.mark.parametrize(("rules", "start", "goal", "quiet_limit"), GAMES)
def test_push_off(rules: str, start: tuple[set[Square], set[Square]], goal: int, quiet_limit: int) -> None:
    models: list[PushOff] = []

    def model() -> PushOff:
        models.append(PushOff(start, goal, quiet_limit))
        return models[-1]

    assert follow(load(rules, goal=goal, quiet_limit=quiet_limit), model, 10) > 1_000
    # Random players seldom push stones off: with low goals some of them do.
    assert goal == 6 or any(model.winner != DRAW for model in models)
