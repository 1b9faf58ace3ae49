"""Lasca beside a model whose columns are lists, along random games and in counts of all sequences of decisions."""

from __future__ import annotations

from copy import deepcopy

import pytest
from extent import tries
from rule_files import load
from shelf_helpers import Square, follow, name, perft

DEPTHS = range(1, tries(9, 10))
CELLS = {(x, y) for x in range(1, 8) for y in range(1, 8) if (x + y) % 2 == 0}


class Lasca:
    """A man is his seat and whether he is an officer. A column is a list of men, from the top down."""

    def __init__(self, jump_back: bool = False, quiet_limit: int = 60, giveaway: bool = False) -> None:
        self.jump_back, self.quiet_limit, self.giveaway = jump_back, quiet_limit, giveaway
        self.at = {(x, y): [(int(y > 4), False)] for x, y in CELLS if y != 4}
        self.player = self.quiet = 0
        self.path: list[Square] = []
        self.winners: list[int] | None = None

    def chance(self, event: str) -> None:
        raise AssertionError(event)

    def neighbours(self, square: Square) -> list[tuple[Square, Square]]:
        """The cells a column can step to, each with the cell beyond."""
        seat, is_officer = self.at[square][0]
        ways = (1, -1) if is_officer else (1 - 2 * seat,)
        x, y = square
        return [((x + dx, y + dy), (x + 2 * dx, y + 2 * dy)) for dy in ways for dx in (1, -1)]

    def jumps(self, square: Square) -> list[tuple[Square, Square]]:
        """The cells that the column jumps over and to."""
        seat = self.at[square][0][0]
        return [
            (over, beyond)
            for over, beyond in self.neighbours(square)
            if over in self.at and self.at[over][0][0] != seat and beyond in CELLS and beyond not in self.at
        ]

    def actions(self) -> list[tuple[str, Square, Square]]:
        if self.path:
            return self.further()
        own = [square for square, men in self.at.items() if men[0][0] == self.player]
        if found := [("jump", a, b) for a in own for _, b in self.jumps(a)]:
            return found
        return [("step", a, b) for a in own for b, _ in self.neighbours(a) if b in CELLS and b not in self.at]

    def further(self) -> list[tuple[str, Square, Square]]:
        before, here = self.path[-2:]
        return [("jump", here, b) for _, b in self.jumps(here) if self.jump_back or b != before]

    def legal(self) -> list[str]:
        return [f"{word} {name(a)} {name(b)}" for word, a, b in self.actions()]

    def play(self, event: str) -> None:
        word, a, b = next(action for action, said in zip(self.actions(), self.legal(), strict=True) if said == event)
        taken = next((over for over, beyond in self.jumps(a) if beyond == b), None) if word == "jump" else None
        men = self.at.pop(a)
        self.at[b] = men
        self.quiet = self.quiet + 1 if word == "step" and men[0][1] else 0
        if taken is not None:
            men.append(self.at[taken].pop(0))
            if not self.at[taken]:
                del self.at[taken]
            self.path = [*(self.path or [a]), b]
        crowned = not men[0][1] and b[1] == (7, 1)[self.player]
        if crowned:
            men[0] = (self.player, True)
        if taken is None or crowned or not self.further():
            self.end_turn()

    def end_turn(self) -> None:
        mover, self.path = self.player, []
        self.player = 1 - mover
        if not self.actions():
            self.winners = [1 - mover if self.giveaway else mover]
        elif self.quiet == self.quiet_limit:
            self.winners = [0, 1]


@pytest.mark.parametrize(("jump_back", "quiet_limit"), [(False, 60), (True, 60), (False, 10)])
def test_lasca_is_played_as_in_its_model(jump_back: bool, quiet_limit: int) -> None:
    rules = load("war/lasca", jump_back=jump_back, quiet_limit=quiet_limit)
    assert follow(rules, lambda: Lasca(jump_back, quiet_limit), 150) > 5_000


def test_who_cannot_move_wins_in_giveaway() -> None:
    rules = load("variants/lasca-giveaway")
    assert follow(rules, lambda: Lasca(giveaway=True), 100) > 3_000


def test_the_columns_are_those_of_the_model() -> None:
    rules = load("war/lasca")
    for index in range(tries(12, 60)):
        state, other = rules.start(2, index), Lasca()
        while not state.is_over:
            shown, officers = state.variables["column_at"], state.variables["officers"]
            for square in CELLS:
                men = [(("white", "black").index(man.split("-")[0]), man in officers) for man in shown[name(square)]]
                assert men == other.at.get(square, []), state.text()
            action = state.action_name(state.random_action())
            state.apply(action)
            other.play(action)


def counted(engine: Lasca, depth: int) -> int:
    actions = [] if engine.winners else engine.legal()
    if depth == 1:
        return len(actions)
    count = 0
    for action in actions:
        after = deepcopy(engine)
        after.play(action)
        count += counted(after, depth - 1)
    return count


def test_sequences_of_decisions_are_as_many_as_the_model_counts() -> None:
    rules = load("war/lasca")
    assert [perft(rules.start(), depth) for depth in DEPTHS] == [counted(Lasca(), depth) for depth in DEPTHS]
