"""The dice games of the shelf, and the bidding game with cards, against models, exact values and OpenSpiel."""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache

import houserule as hr
import pyspiel
import pytest
from extent import tries
from open_spiel.python.games import liars_poker  # noqa: F401  registers it
from rule_files import load
from shelf_helpers import follow

SUMS = {n: Fraction(6 - abs(7 - n), 36) for n in range(2, 13)}
PIPS = {n: Fraction(1, 6) for n in range(1, 7)}


def dice(event: str) -> list[int]:
    return [int(word.split(":")[-1]) for word in event.split()[2:]]


# --- Craps --------------------------------------------------------------------------------------


def test_the_shooter_wins_244_times_in_495() -> None:
    again = sum(SUMS[n] ** 2 / (SUMS[n] + SUMS[7]) for n in (4, 5, 6, 8, 9, 10))
    won = SUMS[7] + SUMS[11] + again
    # The figures of every book on the game.
    assert won == Fraction(244, 495)
    against = 1 - won - SUMS[12] - won
    assert against == Fraction(-27, 1980)
    for agent, mean in ((lambda _: "pass", 2 * won - 1), (lambda _: "dont_pass", against), ("exact", against)):
        score = hr.simulate(load("dice/craps"), games=40_000, agents=agent, seed=2).report["score"][0]
        assert abs(score["mean"] - float(mean)) < 4 * score["se"]


def test_no_first_roll_loses_in_crapless_craps() -> None:
    won = SUMS[7] + sum(chance**2 / (chance + SUMS[7]) for total, chance in SUMS.items() if total != 7)
    score = hr.simulate(load("variants/craps-crapless"), games=40_000, seed=2).report["score"][0]
    assert abs(score["mean"] - float(2 * won - 1)) < 4 * score["se"]


# --- Shut the Box -------------------------------------------------------------------------------


def shuttable(left: tuple[int, ...], total: int) -> list[tuple[int, ...]]:
    sizes = range(1, len(left) + 1)
    return [found for size in sizes for found in itertools.combinations(left, size) if sum(found) == total]


def one_die(left: tuple[int, ...], rule: str) -> bool:
    return {"never": False, "high_shut": max(left) <= 6, "six_left": sum(left) <= 6}[rule]


@cache
def expected(left: tuple[int, ...], rule: str, score: Callable[[tuple[int, ...]], int]) -> Fraction:
    """The least score that can be expected with these numbers open."""
    if not left:
        return Fraction(score(left))

    def rolled(total: int) -> Fraction:
        after = (
            expected(tuple(n for n in left if n not in found), rule, score) for found in shuttable(left, total)
        )
        return min(after, default=Fraction(score(left)))

    both = sum((chance * rolled(total) for total, chance in SUMS.items()), Fraction(0))
    if not one_die(left, rule):
        return both
    return min(both, sum((chance * rolled(total) for total, chance in PIPS.items()), Fraction(0)))


@pytest.mark.one_of(3)
@pytest.mark.parametrize("rule", ["never", "high_shut", "six_left"])
def test_exact_agents_shut_the_box_as_well_as_can_be(rule: str) -> None:
    value = expected(tuple(range(1, 10)), rule, sum)
    found = hr.simulate(load("dice/shut-the-box", one_die=rule), games=tries(1_000, 3_000), agents="exact", seed=3)
    score = found.report["score"][0]
    assert abs(score["mean"] - float(value)) < 4 * score["se"]


def not_shut(left: tuple[int, ...]) -> int:
    return 1 if left else 0


def test_exact_agents_shut_the_box_as_often_as_can_be() -> None:
    value = expected(tuple(range(1, 10)), "high_shut", not_shut)
    # One box in ten.
    assert 0.0976 < float(1 - value) < 0.0977
    found = hr.simulate(load("variants/shut-the-box-or-nothing"), games=tries(1_000, 3_000), agents="exact", seed=3)
    score = found.report["score"][0]
    assert abs(score["mean"] - float(value)) < 4 * score["se"]


class Box:
    """A model of Shut the Box for several players."""

    def __init__(self, players: int) -> None:
        self.players, self.player = players, 0
        self.open = tuple(range(1, 10))
        self.rolled: int | None = None
        self.results: list[int] = []
        self.winners: list[int] | None = None

    def chance(self, event: str) -> None:
        self.rolled = sum(n for n in dice(event)[: 2 if self.both else 1])
        if not shuttable(self.open, self.rolled):
            self.finish()

    def finish(self) -> None:
        self.results.append(sum(self.open))
        self.open, self.rolled = tuple(range(1, 10)), None
        self.player = (self.player + 1) % self.players
        if len(self.results) == self.players:
            self.winners = [seat for seat, left in enumerate(self.results) if left == min(self.results)]

    def legal(self) -> list[str]:
        if self.rolled is None:
            return ["both", "one"] if one_die(self.open, "high_shut") else ["both"]
        return ["shut " + " ".join(map(str, found)) for found in shuttable(self.open, self.rolled)]

    def play(self, event: str) -> None:
        word, *numbers = event.split()
        if word == "shut":
            self.open = tuple(n for n in self.open if str(n) not in numbers)
            self.rolled = None
            if not self.open:
                self.finish()
        else:
            self.both = word == "both"


@pytest.mark.parametrize("players", [1, 3])
def test_shut_the_box_is_as_in_its_model(players: int) -> None:
    assert follow(load("dice/shut-the-box", players=players), lambda: Box(players), 600) > 4_000


# --- Ten Thousand -------------------------------------------------------------------------------


def set_value(number: int, count: int) -> int:
    """What equal dice score."""
    if count < 3:
        return {1: 100, 5: 50}.get(number, 0) * count
    return (1000 if number == 1 else 100 * number) * 2 ** (count - 3)


class TenThousand:
    """A model of Ten Thousand for two."""

    def __init__(self, loss: int = 0) -> None:
        self.points, self.player, self.turns = [0, 0], 0, 0
        self.loss, self.lost = loss, [0, 0]
        self.winners: list[int] | None = None
        self.start()

    def start(self) -> None:
        self.pot, self.dice_left, self.lying = 0, 6, Counter[int]()
        self.took = False

    def chance(self, event: str) -> None:
        faces = dice(event)
        if self.dice_left == 0:
            self.dice_left = 6
        assert len(faces) == self.dice_left
        self.lying, self.took = Counter(faces), False
        if not self.legal():
            self.lost[self.player] += 1
            if self.loss and self.lost[self.player] % 3 == 0:
                self.points[self.player] = max(self.points[self.player] - self.loss, 0)
            self.finish()

    def finish(self) -> None:
        self.start()
        self.player = 1 - self.player
        self.turns += 1
        if self.turns % 2 == 0 and max(self.points) >= 10_000:
            self.winners = [seat for seat in (0, 1) if self.points[seat] == max(self.points)]

    def legal(self) -> list[str]:
        found = [
            f"take {number} {count}"
            for number in range(1, 7)
            for count in range(1, self.lying[number] + 1)
            if set_value(number, count)
        ]
        shape = sorted(count for count in self.lying.values() if count)
        if shape == [1] * 6:
            found.append("straight")
        if shape == [2] * 3:
            found.append("pairs")
        if self.took:
            found.append("roll")
            if self.points[self.player] or self.pot >= 500:
                found.append("stop")
        return found

    def play(self, event: str) -> None:
        word, *numbers = event.split()
        if word == "roll":
            return
        if word == "stop":
            self.points[self.player] += self.pot
            self.lost[self.player] = 0
            self.finish()
            return
        self.took = True
        if word == "take":
            number, count = map(int, numbers)
            self.pot += set_value(number, count)
            self.lying[number] -= count
        else:
            self.pot += 1500 if word == "straight" else 1000
            self.lying.clear()
        self.dice_left = self.lying.total()


def test_ten_thousand_is_as_in_its_model() -> None:
    assert follow(load("dice/ten-thousand", players=2), TenThousand, 60) > 10_000


def test_three_lost_turns_cost_points_in_a_variant_of_ten_thousand() -> None:
    assert follow(load("variants/ten-thousand-loss", players=2), lambda: TenThousand(loss=500), 30) > 5_000


@pytest.mark.parametrize(("number", "count"), list(itertools.product(range(1, 7), range(1, 7))))
def test_equal_dice_of_ten_thousand_have_their_value(number: int, count: int) -> None:
    """Also the rare ones, which few random games roll."""
    state = load("dice/ten-thousand").start(0, explicit_chance=True)
    rest = 1 if number != 1 else 5
    faces = [number] * count + [rest] * (6 - count)
    outcome = sum((face - 1) * 6**place for place, face in enumerate(reversed(faces)))
    assert state.outcome_name(outcome) == "roll pool " + " ".join(map(str, faces))
    state.apply_outcome(outcome)
    assert (f"take {number} {count}" in state.legal_names()) == (set_value(number, count) > 0)
    if set_value(number, count):
        state.apply(f"take {number} {count}")
        assert state.variables["pot"] == set_value(number, count)


# --- Four Rows ----------------------------------------------------------------------------------

COLOURS = ["red", "yellow", "green", "blue"]


class FourRows:
    """A model of Four Rows. A row is a list of numbers, falling ones counted as 14 - n; a lock counts as 13."""

    def __init__(self, players: int, falling: tuple[str, ...] = ("green", "blue")) -> None:
        self.falling = falling
        self.rows = [{colour: [1] for colour in COLOURS} for _ in range(players)]
        self.misses = [0] * players
        self.closed: set[str] = set()
        self.roller = 0
        self.winners: list[int] | None = None
        self.start()

    def start(self) -> None:
        self.white: list[int] = []
        self.coloured: dict[str, int] = {}
        self.wishes: dict[int, str | None] = {}
        self.waiting = [(self.roller + seat) % len(self.rows) for seat in range(len(self.rows))]

    @property
    def player(self) -> int:
        return self.waiting[0] if self.waiting else self.roller

    def chance(self, event: str) -> None:
        if not self.white:
            self.white = dice(event)
        else:
            colour = next(colour for colour in COLOURS if colour not in self.closed | set(self.coloured))
            self.coloured[colour] = dice(event)[0]

    def rank(self, colour: str, number: int) -> int:
        return 14 - number if colour in self.falling else number

    def fits(self, player: int, colour: str, number: int) -> bool:
        row, rank = self.rows[player][colour], self.rank(colour, number)
        return colour not in self.closed and rank > row[-1] and (rank < 12 or len(row) > 5)

    def mark(self, player: int, colour: str, number: int) -> bool:
        row, rank = self.rows[player][colour], self.rank(colour, number)
        row.append(rank)
        if rank == 12:
            row.append(13)
        return rank == 12

    def legal(self) -> list[str]:
        if self.waiting:
            marks = [c for c in COLOURS if self.fits(self.player, c, sum(self.white))]
            return [*(f"mark {colour}" for colour in marks), "pass"]
        adds = [
            f"add {colour} {which}"
            for colour, pips in self.coloured.items()
            for which, white in enumerate(self.white, 1)
            if self.fits(self.roller, colour, white + pips)
        ]
        return [*adds, "pass" if self.wishes[self.roller] else "miss"]

    def play(self, event: str) -> None:
        word, *rest = event.split()
        if self.waiting:
            self.wishes[self.waiting.pop(0)] = rest[0] if word == "mark" else None
            if not self.waiting:
                wishes = [(seat, colour) for seat, colour in self.wishes.items() if colour]
                self.closed |= {colour for seat, colour in wishes if self.mark(seat, colour, sum(self.white))}
            return
        if word == "add":
            colour, which = rest
            if self.mark(self.roller, colour, self.white[int(which) - 1] + self.coloured[colour]):
                self.closed.add(colour)
        if word == "miss":
            self.misses[self.roller] += 1
        if len(self.closed) >= 2 or 4 in self.misses:
            scores = self.scores()
            self.winners = [seat for seat, score in enumerate(scores) if score == max(scores)]
        self.roller = (self.roller + 1) % len(self.rows)
        self.start()

    def scores(self) -> list[int]:
        points = [0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78]
        return [
            sum(points[len(row) - 1] for row in rows.values()) - 5 * misses
            for rows, misses in zip(self.rows, self.misses, strict=True)
        ]


def careful(names: list[str]) -> str:
    """Marks more often than not, so that rows are closed."""
    rng = random.Random(str(names))
    marks = [name for name in names if name not in ("pass", "miss")]
    return rng.choice(marks or names)


@pytest.mark.parametrize("players", [1, 2, 4])
def test_four_rows_are_as_in_their_model(players: int) -> None:
    game = load("dice/four-rows", players=players)
    assert follow(game, lambda: FourRows(players), 100) > 1_500
    assert follow(game, lambda: FourRows(players), 200, careful) > 3_000


def test_all_rows_rise_in_a_variant_of_four_rows() -> None:
    assert follow(load("variants/four-rows-upwards", players=3), lambda: FourRows(3, falling=()), 200) > 3_000


def test_rows_of_four_rows_are_closed_by_those_who_mark_little_by_little() -> None:
    """Marks of the least loss: enough games then end with closed rows, also some that two close together."""
    ends, locks = Counter[str](), Counter[int]()
    game = load("dice/four-rows", players=2)
    for seed in range(tries(30, 150)):
        state, model, told = game.start(seed), FourRows(2), 0
        while not state.is_over:
            history = state.history
            for event in history[told:]:
                if event.player is None:
                    model.chance(event.text)
            told = len(history) + 1
            names = sorted(state.legal_names())
            assert sorted(model.legal()) == names

            def loss(name: str, model: FourRows = model) -> int:
                word, *rest = name.split()
                if word in ("pass", "miss"):
                    return 3
                number = sum(model.white) if word == "mark" else model.white[int(rest[1]) - 1] + model.coloured[rest[0]]
                return model.rank(rest[0], number) - model.rows[model.player][rest[0]][-1]

            name = min(names, key=loss)
            model.play(name)
            state.apply(name)
        assert state.score == model.scores()
        assert state.outcome is not None
        ends[str(state.outcome.end)] += 1
        locks[sum(row[-1] == 13 for rows in model.rows for row in rows.values())] += 1
    assert ends["rows"] > tries(4, 20)
    assert max(locks) > 2


# --- Liar's Dice --------------------------------------------------------------------------------


def test_liars_dice_is_that_of_openspiel() -> None:
    """A single die each: who is doubted in the wrong, or doubts in the wrong, loses the game there."""
    game = load("dice/liars-dice", players=2, dice_each=1, wild="sixes")
    spiel = pyspiel.load_game("liars_dice")

    class Peer:
        def __init__(self) -> None:
            self.state = spiel.new_initial_state()

        def names(self) -> dict[str, int]:
            found = {}
            for action in self.state.legal_actions():
                text = self.state.action_to_string(action)
                found["doubt" if text == "Liar" else f"bid {text.replace('-', ' ')}"] = action
            return found

        @property
        def player(self) -> int:
            return self.state.current_player()

        @property
        def winners(self) -> list[int] | None:
            if not self.state.is_terminal():
                return None
            return [self.state.returns().index(1.0)]

        def chance(self, event: str) -> None:
            self.state.apply_action(dice(event)[0] - 1)

        def legal(self) -> list[str]:
            return list(self.names())

        def play(self, event: str) -> None:
            self.state.apply_action(self.names()[event])

    assert follow(game, Peer, 1_000) > 3_000


class LiarsDice:
    """A model of Liar's Dice with all its rounds."""

    def __init__(self, players: int, wild: int, by_difference: bool = False) -> None:
        self.by_difference = by_difference
        self.left, self.wild, self.player = [5] * players, wild, 0
        self.winners: list[int] | None = None
        self.start()

    def start(self) -> None:
        self.cups: dict[int, list[int]] = {}
        self.bid = (0, 0)

    def chance(self, event: str) -> None:
        seat = next(seat for seat, left in enumerate(self.left) if left and seat not in self.cups)
        self.cups[seat] = dice(event)
        assert len(self.cups[seat]) == self.left[seat]

    def legal(self) -> list[str]:
        bids = itertools.product(range(1, sum(self.left) + 1), range(1, 7))
        return [*(f"bid {n} {f}" for n, f in bids if (n, f) > self.bid), *(["doubt"] if self.bid[0] else [])]

    def next_seat(self, seat: int) -> int:
        return next(
            other
            for step in range(1, len(self.left) + 1)
            for other in [(seat + step) % len(self.left)]
            if self.left[other]
        )

    def play(self, event: str) -> None:
        word, *numbers = event.split()
        if word == "bid":
            self.bid, self.bidder = (int(numbers[0]), int(numbers[1])), self.player
            self.player = self.next_seat(self.player)
            return
        number, face = self.bid
        there = sum(die in (face, self.wild) for cup in self.cups.values() for die in cup)
        loser = self.player if there >= number else self.bidder
        lost = max(abs(there - number), 1) if self.by_difference else 1
        self.left[loser] -= min(lost, self.left[loser])
        self.player = loser if self.left[loser] else self.next_seat(loser)
        if sum(map(bool, self.left)) == 1:
            self.winners = [self.player]
        self.start()


def timid(names: list[str]) -> str:
    """Bids little more, or doubts: rounds then end in doubts that are right as well as wrong."""
    bids = sorted((name for name in names if name != "doubt"), key=lambda name: [int(n) for n in name.split()[1:]])
    rng = random.Random(str(names) + "timid")
    return "doubt" if "doubt" in names and rng.random() < 0.3 or not bids else rng.choice(bids[:8])


@pytest.mark.parametrize(("players", "wild"), [(2, "ones"), (3, "none"), (5, "sixes")])
def test_liars_dice_is_as_in_its_model(players: int, wild: str) -> None:
    game = load("dice/liars-dice", players=players, wild=wild)
    number = {"none": 0, "ones": 1, "sixes": 6}[wild]
    assert follow(game, lambda: LiarsDice(players, number), 40, timid) > 1_000


def test_the_difference_is_lost_in_a_variant_of_liars_dice() -> None:
    game = load("variants/liars-dice-difference", players=4)
    assert follow(game, lambda: LiarsDice(4, 1, by_difference=True), 100, timid) > 1_000


# --- Liar's Poker -------------------------------------------------------------------------------


def low_bid(names: list[str], rng: random.Random) -> str:
    """Challenges, or one of the lowest bids, so that some bids are right."""
    bids = sorted((name for name in names if name != "challenge"), key=lambda name: [int(n) for n in name.split()[1:]])
    return "challenge" if "challenge" in names and rng.random() < 0.5 or not bids else rng.choice(bids[:6])


@pytest.mark.parametrize(("hand_length", "numbers"), [(2, 5), (3, 4), (5, 9)])
def test_liars_poker_is_that_of_openspiel(hand_length: int, numbers: int) -> None:
    """Hands are drawn from a pack here and digit by digit there, so the chances differ and the bidding doesn't.
    OpenSpiel's game is always for two, whatever its param says."""
    spiel = pyspiel.load_game("python_liars_poker", {"hand_length": hand_length, "num_digits": numbers})
    game = load("cards/liars-poker", players=2, hand_length=hand_length, numbers=numbers)
    rng = random.Random(9)
    compared, results = 0, Counter[bool]()
    for seed in range(tries(60, 150)):
        ours, theirs = game.start(seed), spiel.new_initial_state()
        hands = [[int(card) for card in Counter(hand).elements()] for hand in ours.variables["hand"]]
        while theirs.is_chance_node():
            theirs.apply_action(hands[theirs._current_player].pop())
        while not theirs.is_terminal():
            actions = {}
            for action in theirs.legal_actions():
                text = theirs.action_to_string(action)
                name = "challenge" if text == "Challenge" else "bid " + " ".join(re.findall(r"\d+", text))
                actions[name] = action
            assert ours.current_player == theirs.current_player()
            names = sorted(ours.legal_names())
            assert sorted(actions) == names
            name = low_bid(names, rng)
            ours.apply(name)
            theirs.apply_action(actions[name])
            compared += 1
        assert ours.is_over
        assert ours.score == list(theirs.returns())
        results[ours.score[0] > 0] += 1
    assert compared > tries(200, 500)
    assert min(results[True], results[False]) > tries(4, 10)


@pytest.mark.parametrize("name", ["cards/liars-poker", "variants/liars-poker-wild-ones"])
@pytest.mark.parametrize(("players", "hand_length", "second_bid"), [(3, 4, True), (4, 2, False), (5, 3, True)])
def test_liars_poker_of_many_is_counted_once_all_others_challenge(
    name: str, players: int, hand_length: int, second_bid: bool
) -> None:
    wild = "1" if name == "variants/liars-poker-wild-ones" else ""
    game = load(name, players=players, hand_length=hand_length, numbers=5, second_bid=second_bid)
    rng = random.Random(4)
    again = 0
    for seed in range(tries(50, 200)):
        state = game.start(seed)
        hands = sum((Counter(hand) for hand in state.variables["hand"]), Counter[str]())
        assert hands.total() == players * hand_length
        bid, bidder, against, raised, seat = (0, 0), -1, 0, False, 0
        while True:
            bids = [f"bid {n} {k}" for n in range(1, players * hand_length + 1) for k in range(1, 6) if (n, k) > bid]
            if seat == bidder and against < players - 1:
                bids = []
            legal = [*bids, *(["challenge"] if bidder >= 0 else [])]
            assert (state.current_player, sorted(state.legal_names())) == (seat, sorted(legal))
            action = low_bid(legal, rng)
            state.apply(action)
            if action == "challenge":
                against += 1
            else:
                raised, again = seat == bidder, again + (seat == bidder)
                n, k = action.split()[1:]
                bid, bidder, against = (int(n), int(k)), seat, 0
            if against == players or against == players - 1 and (raised or not second_bid):
                break
            seat = (seat + 1) % players
        there = sum(hands[card] for card in {str(bid[1]), wild})
        stake = 1 if there >= bid[0] else -1
        assert state.score == [stake * (players - 1) if seat == bidder else -stake for seat in range(players)]
    assert (again > tries(5, 20)) == second_bid
