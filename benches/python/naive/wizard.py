"""Random games of Wizard for three in plain Python, by the rules of tests/outside/wizard.rules."""

import random
from typing import NamedTuple

PLAYERS = 3
SUITS = ("red", "yellow", "green", "blue")


class Card(NamedTuple):
    suit: str | None  # None for wizards and jesters
    number: int
    special: str | None = None


PACK = [Card(suit, rank) for suit in SUITS for rank in range(1, 14)]
PACK += [Card(None, number, special) for special in ("wizard", "jester") for number in range(1, 5)]
ROUNDS = len(PACK) // PLAYERS


def beats(card: Card, best: Card, trumps: str | None) -> bool:
    """Tells whether a card takes the trick from the best card so far."""
    if best.special == "wizard":
        return False
    if card.special == "wizard":
        return True
    if card.special == "jester":
        return False
    if best.special == "jester":
        return True
    if card.suit == best.suit:
        return card.number > best.number
    return card.suit == trumps


def list_legal(hand: list[Card], led: str | None) -> list[Card]:
    """Lists the cards that may be played: the suit that was led, if the hand has it, and the specials."""
    if led is not None and any(card.suit == led for card in hand):
        return [card for card in hand if card.suit == led or card.special is not None]
    return hand


def play_trick(rng: random.Random, hands: list[list[Card]], leader: int, trumps: str | None) -> int:
    """Plays a trick and returns the player who takes it."""
    led: str | None = None
    free_trick = False
    winner = leader
    best: Card | None = None
    for turn in range(PLAYERS):
        player = (leader + turn) % PLAYERS
        card = rng.choice(list_legal(hands[player], led))
        hands[player].remove(card)
        if led is None and not free_trick:
            if card.special == "wizard":
                free_trick = True
            else:
                led = card.suit
        if best is None or beats(card, best, trumps):
            best = card
            winner = player
    return winner


def play(rng: random.Random) -> dict[str, float]:
    """Plays a whole game. Its rounds have no turns, so none are counted."""
    points = [0] * PLAYERS
    decisions = 0
    dealer = 0
    for cards in range(1, ROUNDS + 1):
        pack = list(PACK)
        rng.shuffle(pack)
        hands = [[pack.pop() for _ in range(cards)] for _ in range(PLAYERS)]
        trumps: str | None = None
        if pack:
            turned_up = pack.pop()
            trumps = turned_up.suit
            if turned_up.special == "wizard":
                trumps = rng.choice(SUITS)
                decisions += 1
        bids = [rng.randint(0, cards) for _ in range(PLAYERS)]
        decisions += PLAYERS
        tricks = [0] * PLAYERS
        leader = (dealer + 1) % PLAYERS
        for _ in range(cards):
            leader = play_trick(rng, hands, leader, trumps)
            tricks[leader] += 1
            decisions += PLAYERS
        for player in range(PLAYERS):
            if bids[player] == tricks[player]:
                points[player] += 20 + 10 * tricks[player]
            else:
                points[player] -= 10 * abs(bids[player] - tricks[player])
        dealer = (dealer + 1) % PLAYERS
    best = max(points)
    result: dict[str, float] = {"decisions": decisions, "turns": 0}
    for player in range(PLAYERS):
        result[f"score_{player + 1}"] = points[player]
        result[f"winner_{player + 1}"] = float(points[player] == best) / points.count(best)
    return result
