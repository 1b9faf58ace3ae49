"""Mexico: random games are those of a model, and with one life each the best play is worth what a calculation by
hand says."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import houserule as hr
import pytest
from rule_files import load
from shelf_helpers import follow, share_within


def rank(a: int, b: int) -> int:
    """The place of a roll from 0, the 31, to 20, the Mexico."""
    high, low = max(a, b), min(a, b)
    mixed = [(3, 1), (3, 2), *((h, l) for h in (4, 5, 6) for l in range(1, h))]
    order = [*mixed, *((n, n) for n in range(1, 7)), (2, 1)]
    return order.index((high, low))


ROLLS = [rank(a, b) for a, b in product(range(1, 7), repeat=2)]
CHANCE = {place: Fraction(ROLLS.count(place), 36) for place in range(21)}


class Mexico:
    def __init__(self, players: int, lives: int = 3, cost: int = 2, second_life: bool = False) -> None:
        self.lives = [lives] * players
        self.cost, self.second_life = cost, second_life
        self.saved: set[int] = set()
        self.starter = 0
        self.winners: list[int] | None = None
        self.begin()

    def begin(self) -> None:
        seats = [*range(self.starter, len(self.lives)), *range(self.starter)]
        self.queue = [seat for seat in seats if self.lives[seat] > 0]
        self.results: dict[int, int] = {}
        self.rolls, self.allowed = 0, 3

    @property
    def player(self) -> int:
        return self.queue[0]

    def chance(self, event: str) -> None:
        first, second = (int(word.split(":")[-1]) for word in event.split()[-2:])
        self.results[self.player] = rank(first, second)
        self.rolls += 1
        if self.rolls == self.allowed:
            self.stop()

    def legal(self) -> list[str]:
        return ["again", "stop"]

    def play(self, event: str) -> None:
        if event == "stop":
            self.stop()

    def stop(self) -> None:
        seat = self.queue.pop(0)
        if seat == self.starter:
            self.allowed = self.rolls
        self.rolls = 0
        if not self.queue:
            self.settle()

    def settle(self) -> None:
        least = min(self.results.values())
        losers = [seat for seat, result in self.results.items() if result == least]
        if len(losers) < len(self.results):
            price = self.cost if 20 in self.results.values() else 1
            for seat in losers:
                self.lives[seat] = max(self.lives[seat] - price, 0)
            self.starter = losers[0]
            while self.lives[self.starter] == 0:
                self.starter = (self.starter + 1) % len(self.lives)
        for seat, left in enumerate(self.lives):
            if left == 0 and self.second_life and seat not in self.saved:
                self.saved.add(seat)
                self.lives[seat] = 1
        self.begin()
        if len(self.queue) == 1:
            self.winners = self.queue


@pytest.mark.parametrize(("players", "lives", "cost"), [(2, 1, 1), (3, 3, 2), (5, 2, 1), (6, 3, 2)])
def test_mexico_is_played_as_in_its_model(players: int, lives: int, cost: int) -> None:
    rules = load("dice/mexico", players, lives_each=lives, mexico_costs=cost)
    assert follow(rules, lambda: Mexico(players, lives, cost), 500) > 500


@pytest.mark.parametrize("players", [2, 4])
def test_lost_players_come_back_once(players: int) -> None:
    rules = load("variants/mexico-second-life", players)
    assert follow(rules, lambda: Mexico(players, second_life=True), 500) > 5_000


def test_rounds_are_repeated_as_often_as_results_are_equal() -> None:
    """With a single roll and life, two players roll until they differ: 6 · 1² + 15 · 2² of 36² pairs are equal."""
    turns = 2 / (1 - Fraction(6 + 15 * 4, 36**2))
    report = hr.simulate(load("dice/mexico", 2, lives_each=1, most_rolls=1), 20_000, seed=3).report
    found = report["counts"]["turns"]
    assert abs(found["mean"] - float(turns)) < 4 * found["se"]


def reply(target: int, rolls: int, tied: Fraction) -> Fraction:
    """The chance of the second player to beat a result with that many rolls, if a tie is worth `tied`."""
    if rolls == 0:
        return Fraction(0)
    onward = reply(target, rolls - 1, tied)
    settled = {place: Fraction(int(place > target)) if place != target else tied for place in range(21)}
    return sum((CHANCE[place] * max(settled[place], onward) for place in range(21)), Fraction(0))


def opening(tied: Fraction) -> Fraction:
    """The chance of the first player to win under best play, if a tie is worth `tied` to them."""
    onward = Fraction(0)
    for used in (3, 2, 1):
        kept = {place: 1 - reply(place, used, 1 - tied) for place in range(21)}
        onward = sum((CHANCE[place] * max(kept[place], onward) for place in range(21)), Fraction(0))
    return onward


def test_exact_agents_win_as_often_as_can_be() -> None:
    value = Fraction(1, 2)
    for _ in range(30):  # After a tie, the same player begins again.
        value = Fraction(opening(value)).limit_denominator(10**12)
    assert abs(float(opening(value) - value)) < 1e-9
    found = hr.simulate(load("dice/mexico", 2, lives_each=1), 20_000, agents="exact", seed=2)
    share_within(found.report, 0, float(value))
