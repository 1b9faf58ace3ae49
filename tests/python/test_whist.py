"""Whist: random games are those of a model, partners win together, and all know the card that was turned up."""

from __future__ import annotations

import houserule as hr
from rule_files import load
from shelf_helpers import follow

SUITS = ("clubs", "diamonds", "hearts", "spades")
RANKS = tuple("two three four five six seven eight nine ten jack queen king ace".split())
SIGNS = {"clubs": "♣", "diamonds": "♦", "hearts": "♥", "spades": "♠"}
LETTERS = tuple("2 3 4 5 6 7 8 9 10 J Q K A".split())
"""Ranks as pictures show them."""
PACK = {f"{suit}-{rank}" for suit in SUITS for rank in RANKS}


def parted(card: str) -> tuple[str, int]:
    suit, rank = card.split("-")
    return suit, RANKS.index(rank)


def taker(trick: list[tuple[str, int]], trumps: str | None) -> int:
    """The seat whose card takes the trick."""
    best, winner = trick[0]
    for card, seat in trick[1:]:
        (suit, rank), (best_suit, best_rank) = parted(card), parted(best)
        if suit == best_suit and rank > best_rank or suit == trumps != best_suit:
            best, winner = card, seat
    return winner


class Whist:
    """North deals the cards one hand after the other; the last card is West's, and names the trumps."""

    def __init__(self, trumps: str | None = None) -> None:
        self.trumps = trumps
        self.waiting = [seat for seat in range(4) for _ in range(12 if trumps is None else 13)]
        self.waiting += [0, 1, 2, 3] if trumps is None else []
        self.hands: list[set[str]] = [set() for _ in range(4)]
        self.left = set(PACK)
        self.player = 0
        self.trick: list[tuple[str, int]] = []
        self.tricks = [0, 0]
        self.points = [0] * 4
        self.winners: list[int] | None = None
        self.drive = trumps is not None

    def chance(self, event: str) -> None:
        self.get(event.removeprefix("pick "))
        if len(self.left) == 1:
            (last,) = self.left
            self.get(last)
            self.trumps = self.trumps or parted(last)[0]

    def get(self, card: str) -> None:
        self.left.remove(card)
        self.hands[self.waiting.pop(0)].add(card)

    def legal(self) -> list[str]:
        hand = self.hands[self.player]
        led = parted(self.trick[0][0])[0] if self.trick else None
        return [f"play {card}" for card in [card for card in hand if parted(card)[0] == led] or hand]

    def play(self, event: str) -> None:
        card = event.removeprefix("play ")
        self.hands[self.player].remove(card)
        self.trick.append((card, self.player))
        self.player = (self.player + 1) % 4
        if len(self.trick) < 4:
            return
        self.player, self.trick = taker(self.trick, self.trumps), []
        self.tricks[self.player % 2] += 1
        if sum(self.tricks) == 13:
            sides = self.tricks if self.drive else [max(tricks - 6, 0) for tricks in self.tricks]
            self.points = [sides[seat % 2] for seat in range(4)]
            self.winners = [seat for seat in range(4) if sides[seat % 2] == max(sides)]


def test_whist_is_played_as_in_its_model() -> None:
    assert follow(load("cards/whist"), Whist, 200) == 200 * 52


def test_a_whist_drive_begins_with_hearts() -> None:
    assert follow(load("variants/whist-drive"), lambda: Whist("hearts"), 100) == 100 * 52


def test_trumps_change_in_a_whist_drive() -> None:
    games = hr.simulate(load("variants/whist-drive"), 1, match=True, record=True).decisions
    plays = [(name.removeprefix("play "), seat) for name, seat in zip(games["action"], games["seat"], strict=True)]
    assert len(plays) == 24 * 52
    for first in range(0, len(plays), 4):
        if (first + 4) % 52 > 0:
            trumps = ("hearts", "clubs", "diamonds", "spades")[first // 52 % 4]
            assert taker(plays[first : first + 4], trumps) == plays[first + 4][1]


def test_partners_win_together() -> None:
    for index in range(50):
        state = load("cards/whist").start(1, index)
        while not state.is_over:
            state.apply(state.random_action())
        assert state.outcome is not None and state.outcome.winners in ((0, 2), (1, 3))
        assert sum(state.returns) == 0
        assert sorted(state.score)[:2] == [0, 0] and sorted(state.score)[2:] == [max(state.score)] * 2


def test_all_know_the_card_that_was_turned_up() -> None:
    """West's last card, until it is played; nothing else of another hand is known."""
    for index in range(3):
        state = load("cards/whist").start(4, index)
        dealt = [event.text.removeprefix("pick ") for event in state.history]
        (turned,) = PACK - set(dealt)
        assert state.variables["trumps"] == parted(turned)[0]
        for viewer in range(3):
            west = next(line for line in state.text(viewer).splitlines() if line[2:].startswith("West"))
            suit, rank = parted(turned)
            assert west.split("known ")[1:] == [SIGNS[suit] + LETTERS[rank]]
            assert all(turned in state.determinize(viewer, seed=n).variables["hand"][3] for n in range(2))
