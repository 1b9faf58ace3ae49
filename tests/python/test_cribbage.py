"""Cribbage: hands are worth what a count of all hands says, whose result is published. Random games are compared
with OpenSpiel's in test_openspiel_cards.py."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import houserule as hr
import numpy as np
from extent import some_of, tries
from rule_files import load

SUITS = ("clubs", "diamonds", "hearts", "spades")
RANKS = "ace two three four five six seven eight nine ten jack queen king".split()
PACK = [f"{rank}-{suit}" for rank in RANKS for suit in SUITS]
Numbers = np.ndarray
# The hands of each value from 0 to 29, of four cards and a turned one: Wikipedia, "Cribbage statistics".
PUBLISHED = [
    *(1009008, 99792, 2813796, 505008, 2855676, 697508, 1800268, 751324, 1137236, 361224, 388740, 51680, 317340),
    *(19656, 90100, 9168, 58248, 11196, 2708, 0, 8068, 2496, 444, 356, 3680, 0, 0, 0, 76, 4),
]  # fmt: skip


def worth(cards: Numbers, is_crib: bool = False) -> Numbers:
    """The values of hands, whose last card is the turned one. A card is 4 times its rank from 0, plus its suit."""
    ranks, suits = cards // 4, cards % 4
    pips = np.minimum(ranks + 1, 10)
    points = np.zeros(len(cards), dtype=int)
    for size in range(2, 6):
        for some in itertools.combinations(range(5), size):
            points += 2 * (pips[:, some].sum(axis=1) == 15)
            ordered = np.sort(ranks[:, some], axis=1)
            points += 2 * (ordered[:, 0] == ordered[:, -1]) * (size == 2)
            at = np.flatnonzero(is_run(ordered))
            points[at] += size * ~longer_run(ranks[at], ordered[at])
    same = (suits[:, :4] == suits[:, :1]).all(axis=1)
    with_turned = same & (suits[:, 4] == suits[:, 0])
    points += 5 * with_turned if is_crib else 4 * same + with_turned
    return points + ((ranks[:, :4] == 10) & (suits[:, :4] == suits[:, 4:])).sum(axis=1)


def is_run(ordered: Numbers) -> Numbers:
    return (np.diff(ordered, axis=1) == 1).all(axis=1) & (ordered.shape[1] >= 3)


def longer_run(ranks: Numbers, ordered: Numbers) -> Numbers:
    """Does a card of the hand go on before or after these?"""
    return ((ranks == ordered[:, :1] - 1) | (ranks == ordered[:, -1:] + 1)).any(axis=1)


def without_names_of_suits(hands: Numbers) -> tuple[Numbers, Numbers]:
    """Of hands that are alike but for the names of all suits except the first: one, and how many they are."""
    numbers = np.array([52**3, 52**2, 52, 1])
    images = []
    for order in itertools.permutations((1, 2, 3)):
        suits = np.array([0, *order], dtype=np.int8)
        images.append(np.sort(hands // 4 * 4 + suits[hands % 4], axis=1) @ numbers)
    alike = np.sort(np.array(images), axis=0)
    first = hands @ numbers == alike[0]
    return hands[first], (1 + (np.diff(alike, axis=0) != 0).sum(axis=0))[first]


def test_all_hands_are_counted_as_published() -> None:
    hands, many = without_names_of_suits(np.array(list(itertools.combinations(range(52), 4)), dtype=np.int8))
    assert many.sum() == 270_725
    counted = np.zeros(30, dtype=int)
    for turned in range(0, 52, 4):  # The suits are alike.
        there = (hands != turned).all(axis=1)
        cards = np.column_stack([hands[there], np.full(there.sum(), turned, dtype=np.int8)])
        counted += 4 * np.bincount(worth(cards), many[there], 30).astype(int)
    assert counted.tolist() == PUBLISHED
    assert round(sum(n * count for n, count in enumerate(PUBLISHED)) / sum(PUBLISHED), 4) == 4.7692


def test_hands_and_cribs_are_worth_what_the_count_says() -> None:
    """All choices of five ranks, and many hands with flushes and jacks."""
    source = load("cards/cribbage").source
    assert source.count("points: points[me] }") == 1
    counted = "points: if me == dealer then worth(crib) else worth(shown[me]) }"
    counting = hr.parse(source.replace("points: points[me] }", counted))
    rng, hands = random.Random(2), []
    for ranks in itertools.combinations_with_replacement(range(13), 5):
        if max(Counter(ranks).values()) < 5:
            cards = [4 * rank + ranks[:n].count(rank) for n, rank in enumerate(ranks)]
            hands.append(rng.sample(cards, 5))
    for suit in range(4):
        hands += [[4 * rank + suit for rank in rng.sample(range(13), 5)] for _ in range(100)]
        others = [card for card in range(52) if card % 4 != suit]
        hands += [[*hand[:4], rng.choice(others)] for hand in hands[-100:]]
    hands += [rng.sample(range(52), 5) for _ in range(1000)]
    hands = some_of("hands and cribs", 4, hands)
    for hand, as_hand, as_crib in zip(hands, worth(np.array(hands)), worth(np.array(hands), True), strict=True):
        cards = [PACK[card] for card in hand]
        four, turned = ", ".join(cards[:4]), cards[4]
        two = ", ".join([card for card in PACK if card not in cards][:2])
        lines = f"cut = {{{turned}}}\nhand = {{{two}}} {{}}\ndealer = player-1\nchoice = crib"
        shown = counting.position(f"shown = {{}} {{{four}}}\n{lines}")
        crib = counting.position(f"crib = {{{four}}}\n{lines}")
        assert (shown.score[1], crib.score[0]) == (as_hand, as_crib), cards


def test_a_perfect_hand() -> None:
    """Three fives and a jack, and the five of the jack's suit is turned up."""
    assert worth(np.array([[16, 17, 18, 43, 19]])).tolist() == [29]


def test_who_is_driven_past_the_goal_loses() -> None:
    rules = load("variants/cribbage-losers")
    for index in range(tries(30, 100)):
        state = rules.start(3, index)
        while not state.is_over:
            state.apply(state.random_action())
        assert state.outcome is not None
        (winner,) = state.outcome.winners
        assert state.score[winner] < 61 <= state.score[1 - winner]
