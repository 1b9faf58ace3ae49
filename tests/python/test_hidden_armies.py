"""Hidden armies: random games are those of a model, and nobody learns who stands where before a battle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import houserule as hr
import numpy as np
import pytest
from extent import tries
from rule_files import load
from shelf_helpers import Square, follow, name, squares_in

POWER = {"flag": 0, "spy": 1, "scout": 2, "miner": 3, "sergeant": 4, "captain": 5, "marshal": 6, "bomb": 7}
ARMY = {"flag": 1, "spy": 1, "scout": 2, "miner": 2, "sergeant": 2, "captain": 1, "marshal": 1, "bomb": 2}
CELLS = {(x, y) for x in range(1, 7) for y in range(1, 7)} - {(2, 3), (2, 4), (5, 3), (5, 4)}
HOME = ([(x, y) for y in (1, 2) for x in range(1, 7)], [(x, y) for y in (5, 6) for x in range(1, 7)])
SIDES = ("red", "blue")


def soldiers(seat: int) -> list[str]:
    return [f"{SIDES[seat]}-{rank}-{n}" for rank, many in ARMY.items() for n in range(1, many + 1)]


class Armies:
    def __init__(self, by_lot: bool = False, quiet_limit: int = 40, scouts_charge: bool = False) -> None:
        self.by_lot, self.quiet_limit, self.scouts_charge = by_lot, quiet_limit, scouts_charge or by_lot
        self.camp = [soldiers(seat) for seat in (0, 1)]
        self.at: dict[Square, tuple[int, str]] = {}
        self.turn = self.quiet = 0
        self.winners: list[int] | None = None

    @property
    def player(self) -> int:
        return self.turn if not any(self.camp) else 0 if self.camp[0] else 1

    def set_up(self, soldier: str) -> None:
        seat = self.player
        self.camp[seat].remove(soldier)
        free = next(square for square in HOME[seat] if square not in self.at)
        self.at[free] = seat, soldier.split("-")[1]

    def chance(self, event: str) -> None:
        assert self.by_lot
        self.set_up(event.removeprefix("pick "))
        if len(self.camp[self.player]) == 1:
            self.set_up(self.camp[self.player][0])

    def legal(self) -> list[str]:
        if any(self.camp):
            first = {soldier.split("-")[1]: soldier for soldier in reversed(self.camp[self.player])}
            return [f"place {soldier}" for soldier in first.values()]
        return self.moves(self.player)

    def moves(self, player: int) -> list[str]:
        found = []
        for square, (seat, rank) in self.at.items():
            if seat != player or rank in ("flag", "bomb"):
                continue
            for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                x, y = square[0] + dx, square[1] + dy
                steps = 1
                while (x, y) in CELLS and (x, y) not in self.at and (steps == 1 or rank == "scout"):
                    found.append(f"move {name(square)} {name((x, y))}")
                    x, y, steps = x + dx, y + dy, steps + 1
                near = steps == 1 or rank == "scout" and self.scouts_charge
                if near and self.at.get((x, y), (player,))[0] != player:
                    found.append(f"attack {name(square)} {name((x, y))}")
        return found

    def play(self, event: str) -> None:
        word, *names = event.split()
        if word == "place":
            self.set_up(names[0])
            return
        start, end = squares_in(event)
        seat, rank = self.at.pop(start)
        self.quiet = self.quiet + 1 if word == "move" else 0
        other = self.at.pop(end)[1] if word == "attack" else None
        if other is None or (rank, other) in (("spy", "marshal"), ("miner", "bomb")) or POWER[rank] > POWER[other]:
            self.at[end] = seat, rank
        elif POWER[rank] < POWER[other]:
            self.at[end] = 1 - seat, other
        self.turn = 1 - seat
        if other == "flag" or not self.moves(1 - seat):
            self.winners = [seat]
        elif self.quiet == self.quiet_limit:
            self.winners = [0, 1]


@pytest.mark.parametrize(("scouts_charge", "quiet_limit"), [(False, 40), (True, 200)])
def test_armies_fight_as_in_their_model(scouts_charge: bool, quiet_limit: int) -> None:
    rules = load("hidden/hidden-armies", scouts_charge=scouts_charge, quiet_limit=quiet_limit)
    compared = follow(rules, lambda: Armies(False, quiet_limit, scouts_charge), 150)
    assert compared > 150 * (24 + 40)


def test_armies_are_set_up_by_lot() -> None:
    rules = load("variants/hidden-armies-by-lot")
    assert follow(rules, lambda: Armies(by_lot=True), 100) > 2_000


def armies(state: hr.State, seat: int) -> dict[str, str]:
    """Who stands where in an army."""
    return {cell: who[0] for cell, who in state.variables["place"][seat].items() if who}


LETTERS = {
    "flag": "f",
    "spy": "s",
    "scout": "c",
    "miner": "m",
    "sergeant": "e",
    "captain": "a",
    "marshal": "r",
    "bomb": "b",
}


def shown(soldiers: Iterable[str], text: str) -> set[str]:
    """Those soldiers who can be told on a drawing of the board: by their army, kind and number."""
    parts = {soldier: soldier.split("-") for soldier in soldiers}
    return {soldier for soldier, (army, kind, number) in parts.items() if f"{2 * army[0]}{LETTERS[kind]}{number}" in text}


def test_nobody_is_known_before_a_battle() -> None:
    """Two armies that stand differently look the same to the other player until they fight."""
    seen = []
    for order in (soldiers(0), soldiers(0)[::-1]):
        state = load("hidden/hidden-armies").start(1)
        for soldier in [*ordered(order), *ordered(soldiers(1))]:
            state.apply(f"place {soldier}")
        seen.append((state.information_state(1), state.text(1), state.observation(1).tobytes()))
        assert not shown(soldiers(0), state.text(1))
        assert shown(soldiers(0), state.text(0)) == set(soldiers(0))
    assert seen[0] == seen[1]
    assert state.information_state(0) != seen[0][0]


def ordered(names: list[str]) -> list[str]:
    """The first of equal soldiers is set up first."""
    count: Counter[str] = Counter()
    found = []
    for soldier in names:
        kind = soldier[:-2]
        count[kind] += 1
        found.append(f"{kind}-{count[kind]}")
    return found


def test_a_player_knows_who_has_fought_and_nobody_else() -> None:
    """Survivors of battles and scouts that ran stay known wherever they go; the others could be anybody."""
    fought_on = moved_on = 0
    rules = load("hidden/hidden-armies")
    for index in range(tries(5, 20)):
        state = rules.start(7, index)
        known: list[set[str]] = [set(), set()]
        while not state.is_over:
            if len(state.history) >= 24 and len(state.history) % 10 == 0:
                for seat in (0, 1):
                    standing = {*armies(state, seat).values()}
                    assert shown(standing, state.text(1 - seat)) == known[seat] & standing
                    fought_on += len(known[seat] & standing)
            seat, action = state.current_player, state.action_name(state.random_action())
            assert seat is not None
            before = [armies(state, 0), armies(state, 1)]
            state.apply(action)
            word, *cells = action.split()
            if word == "attack":
                known[seat].add(before[seat][cells[0]])
                known[1 - seat].add(before[1 - seat][cells[1]])
            elif word == "move":
                (a, b), (x, y) = squares_in(action)
                if abs(a - x) + abs(b - y) > 1:
                    known[seat].add(before[seat][cells[0]])
                moved_on += before[seat][cells[0]] in known[seat]
    assert fought_on > tries(5, 20) and moved_on > tries(5, 20)


def test_other_worlds_look_the_same() -> None:
    different = 0
    for index in range(4):
        state = load("hidden/hidden-armies").start(3, index)
        for _ in range(24 + 5 * index):
            state.apply(state.random_action())
        for seat in (0, 1):
            other = state.determinize(seat, seed=index)
            assert other.information_state(seat) == state.information_state(seat)
            assert np.array_equal(other.observation(seat), state.observation(seat))
            assert armies(other, seat) == armies(state, seat)
            assert set(armies(other, 1 - seat)) == set(armies(state, 1 - seat))
            different += armies(other, 1 - seat) != armies(state, 1 - seat)
    assert different > 4
