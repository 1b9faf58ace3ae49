"""The race games of the shelf against models, exact values and OpenSpiel."""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter
from fractions import Fraction
from functools import cache

import houserule as hr
import numpy as np
import pyspiel
import pytest
from extent import tries
from rule_files import load
from shelf_helpers import follow, share_within

# --- Snakes and Ladders -------------------------------------------------------------------------

JUMPS = {
    **{1: 38, 4: 14, 9: 31, 21: 42, 28: 84, 36: 44, 51: 67, 71: 91, 80: 100},
    **{16: 6, 47: 26, 49: 11, 56: 53, 62: 19, 64: 60, 87: 24, 93: 73, 95: 75, 98: 78},
}


def square_after(square: int, roll: int, beyond: str) -> int:
    reached = square + roll
    if reached > 100:
        reached = {"stay": square, "bounce": 200 - reached, "finish": 100}[beyond]
    return JUMPS.get(reached, reached)


class Snakes:
    """A model of Snakes and Ladders, in which nobody decides."""

    def __init__(self) -> None:
        self.squares = [0, 0, 0]
        self.player = 0
        self.winners: list[int] | None = None

    def chance(self, event: str) -> None:
        here = self.squares[self.player] = square_after(self.squares[self.player], int(event.split()[-1]), "stay")
        if here == 100:
            self.winners = [self.player]
        self.player = (self.player + 1) % 3

    def legal(self) -> list[str]:
        return []

    def play(self, event: str) -> None:
        raise AssertionError(event)


def test_snakes_and_ladders_is_as_in_its_model() -> None:
    assert follow(load("race/snakes-and-ladders", players=3), Snakes, 300) == 0


class ChosenSnakes(Snakes):
    """The same with two dice, of which the player takes one."""

    def chance(self, event: str) -> None:
        self.dice = event.split()[-2:]

    def legal(self) -> list[str]:
        return [f"take {number}" for number in set(self.dice)]

    def play(self, event: str) -> None:
        super().chance(event)


def test_snakes_and_ladders_with_two_dice_leaves_the_choice() -> None:
    assert follow(load("variants/snakes-and-ladders-two-dice", players=3), ChosenSnakes, 100) > 5_000


@cache
def expected_rolls(beyond: str) -> Fraction:
    """Solves E = 1 + P E exactly, by elimination from the last square down."""
    squares = [square for square in range(100) if square not in JUMPS]
    rows: dict[int, tuple[dict[int, Fraction], Fraction]] = {}
    for square in squares:
        left = {square: Fraction(1)}
        for roll in range(1, 7):
            next_square = square_after(square, roll, beyond)
            if next_square != 100:
                left[next_square] = left.get(next_square, Fraction(0)) - Fraction(1, 6)
        rows[square] = left, Fraction(1)
    for pivot in reversed(squares):
        left, right = rows.pop(pivot)
        scale = left.pop(pivot)
        left, right = {column: value / scale for column, value in left.items()}, right / scale
        if pivot == 0:
            assert not left
            return right
        for row, (others, constant) in rows.items():
            if factor := others.pop(pivot, None):
                for column, value in left.items():
                    others[column] = others.get(column, Fraction(0)) - factor * value
                rows[row] = others, constant - factor * right
    raise AssertionError


def test_snakes_and_ladders_takes_as_long_as_in_print() -> None:
    # Althoen, King and Schilling (1993): 39.2 moves.
    assert round(float(expected_rolls("stay")), 1) == 39.2


@pytest.mark.parametrize("beyond", ["stay", "bounce", "finish"])
def test_snakes_and_ladders_takes_as_long_as_its_equations_say(beyond: str) -> None:
    game = load("race/snakes-and-ladders", beyond=beyond)
    rolls = hr.simulate(game, games=40_000, seed=3).report["counts"]["rolls"]
    assert abs(rolls["mean"] - float(expected_rolls(beyond))) < 4 * rolls["se"]


def test_the_first_of_two_wins_as_often_as_the_lengths_of_their_ways_say() -> None:
    there = {0: 1.0}
    arrives = []
    for _ in range(3_000):
        after: dict[int, float] = {}
        for square, chance in there.items():
            for roll in range(1, 7):
                reached = square_after(square, roll, "stay")
                after[reached] = after.get(reached, 0.0) + chance / 6
        arrives.append(after.pop(100, 0.0))
        there = after
    assert sum(there.values()) < 1e-9
    later = 1 - np.cumsum(arrives)
    first = float(np.dot(arrives, np.concatenate([[1.0], later[:-1]])))
    game = load("race/snakes-and-ladders", players=2)
    share_within(hr.simulate(game, games=40_000, seed=4).report, 0, first)


# --- Royal Game of Ur ---------------------------------------------------------------------------

ROSETTES = {4, 8, 14}
THROWS = [Fraction(1, 16), Fraction(4, 16), Fraction(6, 16), Fraction(4, 16), Fraction(1, 16)]
Race = tuple[tuple[int, ...], tuple[int, ...]]


def ur_squares(player: int) -> list[str]:
    own = "13"[player]
    return [f"{c}{own}" for c in "dcba"] + [f"{c}2" for c in "abcdefgh"] + [f"h{own}", f"g{own}"]


def ur_moves(race: Race, throw: int) -> dict[int, tuple[Race, bool]]:
    """The moves of the first of two players, whose counters are numbers of steps: 0 waits, 15 is home. By the
    counter that moves: what follows, and whether the same player goes on."""
    mine, theirs = race
    found = {}
    for steps in sorted(set(mine)) if throw else []:
        target = steps + throw
        shared = 5 <= target <= 12
        if target > 15 or (target < 15 and target in mine) or (target == 8 and target in theirs):
            continue
        after = sorted(mine)
        after[after.index(steps)] = target
        hit = [0 if shared and other == target else other for other in theirs]
        found[steps] = (tuple(sorted(after)), tuple(sorted(hit))), target in ROSETTES
    return found


class Ur:
    """A model of the Royal Game of Ur."""

    def __init__(self, counters: int = 7, captures_go_on: bool = False) -> None:
        self.captures_go_on = captures_go_on
        self.counters = [tuple([0] * counters)] * 2
        self.player, self.thrown = 0, 0
        self.winners: list[int] | None = None

    def race(self) -> Race:
        return self.counters[self.player], self.counters[1 - self.player]

    def name(self, steps: int) -> str:
        if steps == 0:
            return "enter"
        return f"{'leave' if steps + self.thrown == 15 else 'move'} {ur_squares(self.player)[steps - 1]}"

    def moves(self) -> dict[str, tuple[Race, bool]]:
        return {self.name(steps): move for steps, move in ur_moves(self.race(), self.thrown).items()}

    def chance(self, event: str) -> None:
        self.thrown = event.split().count("2")
        if not self.moves():
            self.player = 1 - self.player

    def legal(self) -> list[str]:
        return list(self.moves())

    def play(self, event: str) -> None:
        (mine, theirs), goes_on = self.moves()[event]
        goes_on = goes_on or self.captures_go_on and theirs != self.counters[1 - self.player]
        self.counters[self.player], self.counters[1 - self.player] = mine, theirs
        if all(steps == 15 for steps in mine):
            self.winners = [self.player]
        elif not goes_on:
            self.player = 1 - self.player


def test_ur_is_as_in_its_model() -> None:
    assert follow(load("race/royal-game-of-ur"), Ur, 100) > 10_000


def test_captures_throw_again_in_a_variant_of_ur() -> None:
    assert follow(load("variants/royal-game-of-ur-captures"), lambda: Ur(captures_go_on=True), 60) > 6_000


@cache
def ur_values(counters: int) -> dict[Race, float]:
    """The chance to win of the player to throw, by value iteration over all races."""
    hands = list(itertools.combinations_with_replacement(range(16), counters))
    hands = [hand for hand in hands if all(hand.count(n) <= 1 for n in range(1, 15))]
    races = {
        race: number
        for number, race in enumerate(
            (mine, theirs)
            for mine in hands
            for theirs in hands
            if not set(mine) & set(theirs) & set(range(5, 13)) and mine[0] < 15 and theirs[0] < 15
        )
    }
    # Successors are numbered twice: n if the same player goes on, and n + size if the other does.
    size = len(races)
    won = 2 * size
    table = np.full((5, counters, size), 2 * size + 1)
    for race, number in races.items():
        for throw in range(5):
            moves = list(ur_moves(race, throw).values())
            for slot, ((mine, theirs), goes_on) in enumerate(moves):
                if mine[0] == 15:
                    table[throw, slot, number] = won
                else:
                    table[throw, slot, number] = (
                        races[mine, theirs] if goes_on else size + races[theirs, mine]
                    )
            if not moves:
                table[throw, 0, number] = size + races[race[1], race[0]]
    values = np.full(size, 0.5)
    chances = np.array([float(chance) for chance in THROWS])
    while True:
        every = np.concatenate([values, 1 - values, [1.0, -1.0]])
        after = chances @ every[table].max(axis=1)
        if np.abs(after - values).max() < 1e-13:
            return dict(zip(races, after, strict=True))
        values = after


@pytest.mark.parametrize("counters", [1, pytest.param(2, marks=pytest.mark.long)])
def test_exact_agents_play_ur_as_well_as_value_iteration(counters: int) -> None:
    values = ur_values(counters)

    def worth(move: tuple[Race, bool]) -> float:
        (mine, theirs), goes_on = move
        if mine[0] == 15:
            return 1.0
        return values[mine, theirs] if goes_on else 1 - values[theirs, mine]

    game = load("race/royal-game-of-ur", counters=counters)
    found = hr.simulate(game, games=tries(1_000, 4_000), agents="exact", seed=6, record=True)
    share_within(found.report, 0, values[(0,) * counters, (0,) * counters])
    for number in range(tries(50, 200)):
        model = Ur(counters)
        for event in found.record(number)["events"]:
            if event.startswith("roll"):
                model.chance(event)
                continue
            moves = model.moves()
            assert worth(moves[event]) == pytest.approx(max(map(worth, moves.values())), abs=1e-9)
            model.play(event)


# --- Ludo ---------------------------------------------------------------------------------------


class Ludo:
    """A model of Ludo. Counters are numbers of steps: -1 waits, 56 is home."""

    def __init__(self, players: int, safe: bool = False) -> None:
        self.safe = safe
        self.places = [[-1] * 4 for _ in range(players)]
        self.starts = [0, 26] if players == 2 else [0, 13, 26, 39][:players]
        self.player, self.roll, self.sixes = 0, 0, 0
        self.winners: list[int] | None = None

    def target(self, steps: int) -> int | None:
        if steps == -1:
            target = 0 if self.roll == 6 else None
        else:
            target = steps + self.roll
        if target is None or target > 56 or (target < 56 and target in self.places[self.player]):
            return None
        if self.safe and target <= 50 and target % 13 in (0, 8) and self.others(target):
            return None
        return target

    def others(self, target: int) -> list[tuple[int, int]]:
        """Counters of other players on a square, as seats and steps."""
        found = []
        for other, places in enumerate(self.places):
            square = (self.starts[self.player] + target - self.starts[other]) % 52
            if other != self.player and square <= 50 and square in places:
                found.append((other, square))
        return found

    def name(self, steps: int) -> str:
        start = self.starts[self.player]
        if steps == -1:
            return "enter"
        if steps <= 50:
            return f"move {(start + steps) % 52 + 1}"
        return f"climb {'abcde'[steps - 51]}{start // 13 + 1}"

    def moves(self) -> dict[str, int]:
        mine = {steps for steps in self.places[self.player] if steps < 56}
        return {self.name(steps): steps for steps in mine if self.target(steps) is not None}

    def pass_on(self) -> None:
        if self.roll != 6 or self.sixes == 3:
            self.player = (self.player + 1) % len(self.places)
            self.sixes = 0

    def chance(self, event: str) -> None:
        self.roll = int(event.split()[-1])
        self.sixes += self.roll == 6
        if self.sixes == 3 or not self.moves():
            self.pass_on()

    def legal(self) -> list[str]:
        return list(self.moves())

    def play(self, event: str) -> None:
        steps = self.moves()[event]
        target = self.target(steps)
        assert target is not None
        mine = self.places[self.player]
        mine[mine.index(steps)] = target
        for other, square in self.others(target) if target <= 50 else []:
            places = self.places[other]
            places[places.index(square)] = -1
        if mine == [56] * 4:
            self.winners = [self.player]
        else:
            self.pass_on()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ludo_is_as_in_its_model(players: int) -> None:
    assert follow(load("race/ludo", players=players), lambda: Ludo(players), 50) > 5_000


def test_safe_squares_of_a_variant_of_ludo_are_left_to_who_stands_there() -> None:
    assert follow(load("variants/ludo-safe-squares", players=4), lambda: Ludo(4, safe=True), 30) > 5_000


# --- Backgammon ---------------------------------------------------------------------------------

Half = tuple[int, int]  # a point and the one that is reached, 25 for the bar and 0 for off


def their_halves(text: str) -> tuple[Half, ...]:
    """What OpenSpiel calls `24/23*/20 6/5(2)` as single moves, in a fixed order."""
    halves = []
    for word in text.split(" - ")[-1].split():
        word, times = re.fullmatch(r"([^(]*)(?:\((\d)\))?", word).groups()  # type: ignore[union-attr]
        stops = [{"Bar": 25, "Off": 0}.get(stop) for stop in word.replace("*", "").split("/")]
        numbers = word.replace("*", "").split("/")
        way = [int(number) if stop is None else stop for stop, number in zip(stops, numbers, strict=True)]
        halves += list(itertools.pairwise(way)) * int(times or 1)
    return tuple(sorted(halves))


def our_half(name: str) -> Half:
    _, point, number = name.split()
    return int(point), max(int(point) - int(number), 0)


def our_pairs(state: hr.State, player: int, rolls: int) -> dict[tuple[Half, ...], list[str]]:
    """All ways to play up to two numbers of this turn."""
    found: dict[tuple[Half, ...], list[str]] = {}

    def extend(state: hr.State, names: list[str]) -> None:
        if len(names) == 2 or state.is_over or state.current_player != player or state.rolls != rolls:
            found.setdefault(tuple(sorted(map(our_half, names))), names)
            return
        for name in state.legal_names():
            child = state.clone()
            child.apply(name)
            extend(child, [*names, name])

    extend(state, [])
    return found


def their_outcome(state: pyspiel.State, dice: list[int], opening: bool) -> int:
    for action, _ in state.chance_outcomes():
        text = state.action_to_string(action)
        if sorted(dice) == sorted(map(int, re.findall(r"roll: (\d)(\d)", text)[0])):
            if not opening or ("X starts" in text) == (dice[0] > dice[1]):
                return int(action)
    raise AssertionError(dice)


@pytest.mark.parametrize("name", ["race/backgammon", "variants/backgammon-hyper"])
def test_backgammon_is_that_of_openspiel(name: str) -> None:
    """Of each decision there, all pairs of moves; the winner, and what the win counts."""
    game = load(name)
    hyper = name == "variants/backgammon-hyper"
    spiel = pyspiel.load_game(
        "backgammon", {"scoring_type": "full_scoring", "max_player_turns": 100_000, "hyper_backgammon": hyper}
    )
    rng = random.Random(7)
    compared, wins = 0, Counter[float]()
    for seed in range(0, 150 if hyper else 40, tries(4, 1)):
        ours, theirs, told, rolled = game.start(seed), spiel.new_initial_state(), 0, 0
        while not theirs.is_terminal():
            if theirs.is_chance_node():
                history = ours.history
                told = next(place for place in range(told, len(history)) if history[place].player is None) + 1
                roll, rolled = history[told - 1], rolled + 1
                theirs.apply_action(their_outcome(theirs, [int(n) for n in roll.text.split()[2:]], told == 1))
                continue
            actions = {
                their_halves(text.replace("Pass", "")): action
                for action in theirs.legal_actions()
                for text in [theirs.action_to_string(action)]
            }
            # Ours has no decision where nothing can be moved, and rolls for the other player at once.
            pairs = our_pairs(ours, theirs.current_player(), rolled) if ours.rolls == rolled else {(): []}
            if ours.current_player != theirs.current_player():
                pairs = {(): []}
            assert set(pairs) == set(actions), (seed, str(theirs))
            halves = rng.choice(sorted(pairs))
            for name in pairs[halves]:
                ours.apply(name)
            theirs.apply_action(actions[halves])
            compared += 1
        assert ours.is_over
        score = ours.score
        off = re.findall(r"Scores, X: (\d+), O: (\d+)", str(theirs))[0]
        assert ours.variables["off"] == [int(men) for men in off]
        # With three men OpenSpiel returns 0 and 0, whoever has borne them off.
        if not hyper:
            assert theirs.returns() == [score[0] - score[1], score[1] - score[0]]
        wins[max(score)] += 1
    assert compared > tries(500, 2_000)
    assert set(wins) == {1, 2, 3}
