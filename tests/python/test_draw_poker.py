"""Five-card draw: all 7,462 different hands are ranked and counted as everywhere, and random games are those of a
model."""

from __future__ import annotations

import itertools
from collections import Counter
from math import comb

import houserule as hr
import pytest
from rule_files import load
from shelf_helpers import follow

SUITS = ("clubs", "diamonds", "hearts", "spades")
RANKS = "two three four five six seven eight nine ten jack queen king ace".split()
PACK = {f"{rank}-{suit}" for rank in RANKS for suit in SUITS}
KINDS = ("high card", "pair", "two pairs", "three", "straight", "flush", "full house", "four", "straight flush")
# Of 2,598,960 hands; those of every book on poker, as in R. A. Epstein, The Theory of Gambling and Statistical Logic.
HANDS = dict(zip(KINDS, (1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40), strict=True))

SHAPES = {(1, 1, 1, 1, 1): 0, (2, 1, 1, 1): 1, (2, 2, 1): 2, (3, 1, 1): 3, (3, 2): 6, (4, 1): 7}
WHEEL = (12, 3, 2, 1, 0)


def value(ranks: list[int], is_flush: bool, low_straight: bool = True) -> tuple[int, tuple[int, ...]]:
    """What a hand is worth: the kind, and the ranks by which equal kinds are compared."""
    counts = Counter(ranks)
    order = tuple(sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True))
    kind = SHAPES[tuple(counts[rank] for rank in order)]
    if kind > 0:
        return kind, order
    is_low = low_straight and order == WHEEL
    if is_low or order[0] - order[4] == 4:
        return 8 if is_flush else 4, (3,) if is_low else order
    return 5 if is_flush else 0, order


def different_hands() -> list[tuple[tuple[int, tuple[int, ...]], int, list[str]]]:
    """Each value with the number of its hands, and one of them."""
    found = []
    for ranks in itertools.combinations_with_replacement(range(13), 5):
        counts = Counter(ranks)
        if max(counts.values()) > 4:
            continue
        suits = [SUITS[ranks[:n].count(rank)] for n, rank in enumerate(ranks)]
        number = 1
        for held in counts.values():
            number *= comb(4, held)
        if len(counts) == 5:
            number -= 4
            found.append((value([*ranks], True), 4, [f"{RANKS[rank]}-hearts" for rank in ranks]))
            suits[0] = "spades"
        hand = [f"{RANKS[rank]}-{suit}" for rank, suit in zip(ranks, suits, strict=True)]
        found.append((value([*ranks], False), number, hand))
    return sorted(found)


def test_every_hand_is_ranked_and_counted() -> None:
    source = load("cards/five-card-draw").source
    assert "chips: won[me] - paid[me]" in source
    ranking = hr.parse(source.replace("chips: won[me] - paid[me]", "chips: strength(me)"))
    hands = different_hands()
    assert len(hands) == 7462
    strengths = [ranking.position(f"hand = {{{', '.join(hand)}}} {{}}").score[0] for _, _, hand in hands]
    assert strengths == sorted(set(strengths))
    counted: Counter[str] = Counter()
    for strength, (_, number, _) in zip(strengths, hands, strict=True):
        counted[KINDS[strength // 8192**3]] += number
    assert counted == HANDS


class DrawPoker:
    """A game in progress: `waiting` are the seats that are dealt the next cards, `queue` those that have to speak."""

    def __init__(
        self, players: int, exchanged: int = 3, lowball: bool = False, openers: tuple[int, int] = (0, 0)
    ) -> None:
        self.seats = range(players)
        self.exchanged, self.lowball, self.openers = exchanged, lowball, openers
        self.hands: list[set[str]] = [set() for _ in self.seats]
        self.waiting = [seat for seat in self.seats for _ in range(5)]
        self.paid = [1] * players
        self.points = [0] * players
        self.playing = set(self.seats)
        self.phases = iter(("bet", "exchange", "bet"))
        self.bets = iter((2, 4))
        self.winners: list[int] | None = None
        self.next_phase()

    @property
    def player(self) -> int:
        return self.queue[0]

    def next_phase(self) -> None:
        self.phase = next(self.phases, "show")
        self.queue = sorted(self.playing)
        self.laid, self.raised = 0, 0
        if self.phase == "bet":
            self.bet = next(self.bets)
        elif self.phase == "show":
            self.settle()

    def chance(self, event: str) -> None:
        card = event.removeprefix("pick ")
        assert card in PACK and not any(card in hand for hand in self.hands)
        self.hands[self.waiting.pop(0)].add(card)

    def legal(self) -> list[str]:
        assert not self.waiting
        hand = self.hands[self.player]
        if self.phase == "exchange":
            return ["draw", *(f"lay {card}" for card in hand if self.laid < self.exchanged)]
        kind, ranks = self.worth(self.player)
        opened = max(self.paid) > 1 or (kind, ranks[0]) >= self.openers
        raising = ["raise"] * (self.raised < 3 and opened)
        return [*raising, "call", "fold"] if self.paid[self.player] < max(self.paid) else [*raising, "check"]

    def play(self, event: str) -> None:
        word, seat = event.split()[0], self.player
        if word == "lay":
            self.hands[seat].remove(event.split()[1])
            self.laid += 1
            return
        self.queue.pop(0)
        if word == "draw":
            self.waiting = [seat] * self.laid
            self.laid = 0
        elif word == "fold":
            self.playing.remove(seat)
        elif word in ("call", "raise"):
            self.paid[seat] = max(self.paid)
        if word == "raise":
            self.paid[seat] += self.bet
            self.raised += 1
            self.queue = [n for n in (*self.seats[seat + 1 :], *self.seats[:seat]) if n in self.playing]
        if len(self.playing) == 1:
            self.settle()
        elif not self.queue:
            self.next_phase()

    def worth(self, seat: int) -> tuple[int, tuple[int, ...]]:
        cards = [card.split("-") for card in self.hands[seat]]
        is_flush = len({suit for _, suit in cards}) == 1
        return value([RANKS.index(rank) for rank, _ in cards], is_flush, not self.lowball)

    def settle(self) -> None:
        best = sorted(self.playing)
        if len(best) > 1:
            most = (min if self.lowball else max)(map(self.worth, best))
            best = [seat for seat in best if self.worth(seat) == most]
        share, odd = divmod(sum(self.paid), len(best))
        self.points = [share * (seat in best) + odd * (seat == best[0]) - self.paid[seat] for seat in self.seats]
        self.winners = [seat for seat in self.seats if self.points[seat] == max(self.points)]


@pytest.mark.parametrize(("players", "exchanged"), [(2, 3), (3, 5), (5, 2)])
def test_five_card_draw_is_played_as_in_its_model(players: int, exchanged: int) -> None:
    rules = load("cards/five-card-draw", players, exchanged=exchanged)
    assert follow(rules, lambda: DrawPoker(players, exchanged), 400) > 2_000


def test_the_lowest_hand_wins_in_lowball() -> None:
    rules = load("variants/five-card-draw-lowball", 2)
    assert follow(rules, lambda: DrawPoker(2, lowball=True), 1_000) > 5_000


def test_the_first_bet_needs_a_pair_of_jacks() -> None:
    rules = load("variants/five-card-draw-jackpots", 3)
    openers = (1, RANKS.index("jack"))
    assert follow(rules, lambda: DrawPoker(3, openers=openers), 300) > 2_000


def test_payoffs_are_the_chips() -> None:
    state = load("cards/five-card-draw", 3).start(1)
    for name in ("raise", "call", "raise", "fold", "call", "draw", "draw", "raise", "fold"):
        state.apply(name)
    assert state.outcome is not None and state.outcome.end == "folded"
    assert list(state.returns) == [-3, 8, -5]


def test_the_first_of_equal_hands_gets_the_odd_chip() -> None:
    hands = [", ".join(f"{rank}-{suit}" for rank in RANKS[3::2]) for suit in ("clubs", "hearts")]
    state = load("cards/five-card-draw", 3).position(f"hand = {{{hands[0]}}} {{{hands[1]}}} {{}}")
    for name in ("raise", "call", "fold", "draw", "draw", "check", "check"):
        state.apply(name)
    assert state.score == [1, 0, -1]
