"""Games with piles of cards: Klondike beside an engine written from its description, War beside a simulator."""

from __future__ import annotations

import random
from statistics import mean, stdev
from typing import Any

import houserule as hr
import pytest
from extent import tries
from rule_files import load

SUITS = ["clubs", "diamonds", "hearts", "spades"]
PACK = [f"{rank}-{suit}" for rank in range(1, 14) for suit in SUITS]


def parted(card: str) -> tuple[int, str]:
    rank, suit = card.split("-")
    return int(rank), suit


class Klondike:
    """Columns are lists whose last card is in front; the stock's and the waste's last card is the next.

    Cards of the stock are not known before they are turned up.
    """

    def __init__(self, drawn: int, redeals: int, patience: int, take_back: bool = False) -> None:
        self.drawn, self.redeals, self.patience, self.take_back = drawn, redeals, patience, take_back
        self.stock: list[str | None] = [None] * 52
        self.waste: list[str] = []
        self.down: list[list[str]] = [[] for _ in range(7)]
        self.up: list[list[str]] = [[] for _ in range(7)]
        self.built: dict[str, list[str]] = {suit: [] for suit in SUITS}
        self.idle = self.most = 0
        self.unseen = set(PACK)
        # The piles that get the next cards of the stock.
        self.waiting: list[list[str]] = []
        for number in range(7):
            self.waiting += [self.down[number]] * number + [self.up[number]]

    def settle(self) -> None:
        """Moves cards that no chance decides."""
        while self.waiting and self.stock and (self.stock[-1] is not None or len(self.unseen) == 1):
            self.turn_up(self.stock[-1] or next(iter(self.unseen)))
        if not self.stock:
            self.waiting = []

    def turn_up(self, card: str) -> None:
        assert self.stock.pop() in (None, card)
        self.unseen.discard(card)
        self.waiting.pop(0).append(card)
        self.settle()

    def chance(self, event: str) -> None:
        word, card = event.split()
        assert word == "pick" and card in self.unseen and self.waiting
        self.turn_up(card)

    def taken(self, column: int) -> set[str]:
        if not self.up[column]:
            return {f"13-{suit}" for suit in SUITS}
        rank, suit = parted(self.up[column][-1])
        others = ["clubs", "spades"] if suit in ("diamonds", "hearts") else ["diamonds", "hearts"]
        return {f"{rank - 1}-{other}" for other in others}

    def legal(self) -> list[str]:
        ends = [pile[-1] for pile in [self.waste, *self.up] if pile]
        found = [f"build {card}" for card in ends if parted(card)[0] == len(self.built[parted(card)[1]]) + 1]
        loose = [card for pile in self.up for card in pile] + self.waste[-1:]
        last = [pile[-1] for pile in self.built.values() if pile and self.take_back]
        for column in range(7):
            taken = self.taken(column)
            found += [f"lay {column + 1} {card}" for card in loose if card in taken]
            found += [f"take_back {column + 1} {card}" for card in last if card in taken]
        if self.stock:
            found.append("deal")
        elif self.waste and self.redeals > 0:
            found.append("redeal")
        return found

    @property
    def end(self) -> str | None:
        if all(len(pile) == 13 for pile in self.built.values()):
            return "solved"
        if self.idle >= self.patience:
            return "no_progress"
        return None if self.legal() else "stuck"

    def play(self, event: str) -> None:
        word, *names = event.split()
        if word == "deal":
            self.waiting = [self.waste] * self.drawn
            self.idle = 0
        elif word == "redeal":
            self.redeals -= 1
            self.stock, self.waste = list(reversed(self.waste)), []
        else:
            card = names[-1]
            piles = [self.waste, *self.up, *self.built.values()]
            source = next(pile for pile in piles if card in pile)
            at = source.index(card)
            target = self.built[parted(card)[1]] if word == "build" else self.up[int(names[0]) - 1]
            moved, source[at:] = source[at:], []
            target += moved
            self.idle = 0 if source is self.waste and word == "lay" else self.idle + 1
            if (built := sum(map(len, self.built.values()))) > self.most:
                self.most, self.idle = built, 0
            for down, up in zip(self.down, self.up, strict=True):
                if down and not up:
                    up.append(down.pop())
                    self.idle = 0
        self.settle()

    def is_shown(self, values: dict[str, Any]) -> bool:
        """The visible piles are those of a state, which begin with their top."""
        up = {str(number + 1): pile[::-1] for number, pile in enumerate(self.up)}
        built = {suit: pile[::-1] for suit, pile in self.built.items()}
        sizes = [len(values["down"][str(number + 1)]) for number in range(7)]
        seen = values["waste"] == self.waste[::-1] and values["up"] == up and values["built"] == built
        return seen and sizes == [len(pile) for pile in self.down]


def followed(rules: hr.Game, engine: dict[str, Any], games: int) -> list[str]:
    """Plays games with an engine beside them, and returns how they ended."""
    rng, ends = random.Random(1), []
    for seed in range(games):
        state, other, told = rules.start(seed), Klondike(**engine), 0
        while True:
            # All that has happened takes long to list: only where cards are to be turned up.
            if other.waiting or state.is_over:
                history = state.history
                for event in history[told:]:
                    if event.player is None:
                        other.chance(event.text)
                told = len(history)
            assert other.is_shown(state.variables), (seed, told)
            if state.is_over:
                break
            names = sorted(state.legal_names())
            assert sorted(other.legal()) == names, (seed, told)
            # Cards that can be played to their suit mostly are, or few games would be solved.
            builds = [name for name in names if name.startswith("build")]
            name = rng.choice(builds if builds and rng.random() < 0.8 else names)
            other.play(name)
            state.apply(name)
            told += 1
        assert state.outcome is not None and state.outcome.end == other.end, seed
        assert state.score == [sum(map(len, other.built.values()))]
        ends.append(state.outcome.end)
    return ends


@pytest.mark.parametrize(("drawn", "redeals", "patience"), [(1, 2, 30), (3, 20, 20), (2, 0, 10)])
def test_klondike_is_played_as_described(drawn: int, redeals: int, patience: int) -> None:
    params = {"drawn": drawn, "redeals": redeals, "patience": patience}
    ends = followed(load("solo/klondike", **params), params, tries(10, 40))
    assert {"solved", "no_progress"} <= set(ends) or drawn > 1


def test_built_cards_come_back() -> None:
    params = {"drawn": 1, "redeals": 2, "patience": 30}
    followed(load("variants/klondike-take-back", **params), {**params, "take_back": True}, tries(5, 20))


def test_nobody_knows_the_order_of_the_stock() -> None:
    state = load("solo/klondike").start(3)
    assert [len(part) for part in state.variables["stock"]] == [24], "all of it is one shuffled part"
    while "deal" in state.legal_names():
        state.apply("deal")
    waste = state.variables["waste"]
    state.apply("redeal")
    assert state.variables["stock"] == waste[::-1], "turned over, in a known order"
    events = len(state.history)
    state.apply("deal")
    assert len(state.history) == events + 1 and state.variables["waste"] == waste[-1:]


def dealt(rng: random.Random) -> list[list[int]]:
    """Two piles of ranks, which begin with the top."""
    pack = [rank for rank in range(2, 15) for _ in range(4)]
    rng.shuffle(pack)
    return [pack[:26], pack[26:]]


def battles(piles: list[list[int]], buried: int, rng: random.Random | None = None, great: int = 14) -> int:
    """The length of a game of War. With `rng`, won cards are shuffled."""
    number = 0

    def beats(a: int, b: int) -> bool:
        return great < 14 and a == 2 and b == 14 or a > b and not (great < 14 and a == 14 and b == 2)

    while number < 3000:
        number += 1
        shown: list[list[int]] = [[pile.pop(0)] for pile in piles]
        aside: list[int] = []
        while shown[0][-1] == shown[1][-1] and all(piles):
            for pile, own in zip(piles, shown, strict=True):
                for _ in range(min(buried, len(pile) - 1)):
                    aside.append(pile.pop(0))
                own.append(pile.pop(0))
        a, b = shown[0][-1], shown[1][-1]
        if a == b and not any(piles):
            return number
        winner = (0 if piles[0] else 1) if a == b else 0 if beats(a, b) else 1
        # Later cards lie on earlier ones, and so come first.
        won = shown[winner][::-1] + shown[1 - winner][::-1] + aside[::-1]
        if rng is not None:
            rng.shuffle(won)
        piles[winner] += won
        if not all(piles):
            return number
    return number


@pytest.mark.parametrize(
    ("name", "params", "simulated"),
    [
        ("cards/battle", {}, {"buried": 1}),
        ("cards/battle", {"buried": 3}, {"buried": 3}),
        ("variants/battle-small-beats-great", {}, {"buried": 1, "great": 13}),
    ],
)
def test_war_takes_as_long_as_in_a_simulator(name: str, params: Any, simulated: Any) -> None:
    found = hr.simulate(load(name, **params), games=tries(300, 1_500), seed=2).report["counts"]["turns"]
    rng = random.Random(3)
    lengths = [battles(dealt(rng), rng=rng, **simulated) for _ in range(tries(100, 1_500))]
    error = (found["se"] ** 2 + stdev(lengths) ** 2 / len(lengths)) ** 0.5
    assert abs(found["mean"] - mean(lengths)) < 4 * error, (found["mean"], mean(lengths), error)


def test_war_in_order_is_decided_by_the_deal() -> None:
    """Without shuffling only the deal is chance, so the simulator plays the same games."""
    rules, pack = load("cards/battle", gathered="in_order", longest=1000), range(2, 15)
    for seed in range(tries(10, 30)):
        state = rules.start(seed)
        cards = [event.text.split()[1] for event in state.history]
        cards += {f"{rank}-{suit}" for rank in pack for suit in SUITS}.difference(cards)
        ranks = [parted(card)[0] for card in cards]
        while not state.is_over:
            state.apply(state.legal_actions()[0])
        assert len(state.history) == 51 + state.variables["battles"]
        # The last card that was dealt lies on top.
        assert min(battles([ranks[25::-1], ranks[:25:-1]], 1), 1000) == state.variables["battles"]
