"""Random games of Kings in the Corner for two in plain Python, by the rules of tests/outside/kings.rules."""

import random
from typing import NamedTuple

PLAYERS = 2
DEALT = 7
KING = 13
SUITS = ("clubs", "diamonds", "hearts", "spades")
RED = ("diamonds", "hearts")
SIDES = ("north", "east", "south", "west")
CORNERS = ("northeast", "southeast", "southwest", "northwest")
SPOTS = SIDES + CORNERS
ENDS = ("out", "blocked")


class Card(NamedTuple):
    rank: int
    suit: str


class Lay(NamedTuple):
    card: Card
    spot: str


class Carry(NamedTuple):
    start: str
    goal: str


class Stop(NamedTuple):
    pass


Action = Lay | Carry | Stop
Piles = dict[str, list[Card]]


def fits(card: Card, pile: list[Card]) -> bool:
    """Tells whether a card is one lower than the top of a pile, and of the other colour."""
    if not pile:
        return False
    top = pile[-1]
    return card.rank + 1 == top.rank and (card.suit in RED) != (top.suit in RED)


def list_actions(hand: list[Card], piles: Piles) -> list[Action]:
    """Lists what a player may do who has cards."""
    actions: list[Action] = [Stop()]
    for card in hand:
        for spot in SPOTS:
            opens = not piles[spot] and (spot in SIDES or card.rank == KING)
            if opens or fits(card, piles[spot]):
                actions.append(Lay(card, spot))
    for start in SIDES:
        if piles[start]:
            bottom = piles[start][0]
            for goal in SPOTS:
                crowns = bottom.rank == KING and goal in CORNERS and not piles[goal]
                if start != goal and (crowns or fits(bottom, piles[goal])):
                    actions.append(Carry(start, goal))
    return actions


def score_hand(hand: list[Card]) -> int:
    """Counts ten points for a king and one for any other card."""
    return sum(10 if card.rank == KING else 1 for card in hand)


def play(rng: random.Random) -> dict[str, float]:
    """Plays a whole game. The least score wins."""
    stock = [Card(rank, suit) for rank in range(1, KING + 1) for suit in SUITS]
    rng.shuffle(stock)
    hands = [[stock.pop() for _ in range(DEALT)] for _ in range(PLAYERS)]
    piles: Piles = {spot: [] for spot in SPOTS}
    for spot in SIDES:
        piles[spot].append(stock.pop())
    decisions = turns = idle = player = 0
    while True:
        hand = hands[player]
        if stock:
            hand.append(stock.pop())
            idle = 0
        else:
            idle += 1
        while hand:
            action = rng.choice(list_actions(hand, piles))
            decisions += 1
            if isinstance(action, Stop):
                break
            if isinstance(action, Lay):
                hand.remove(action.card)
                piles[action.spot].append(action.card)
            else:
                piles[action.goal] += piles[action.start]
                piles[action.start] = []
            idle = 0
        turns += 1
        if not hand:
            end = "out"
            break
        if idle == PLAYERS:
            end = "blocked"
            break
        player = (player + 1) % PLAYERS
    scores = [score_hand(hand) for hand in hands]
    best = min(scores)
    result: dict[str, float] = {"decisions": decisions, "turns": turns}
    for seat, score in enumerate(scores):
        result[f"score_{seat + 1}"] = score
        result[f"winner_{seat + 1}"] = float(score == best) / scores.count(best)
    result |= {f"end_{name}": float(name == end) for name in ENDS}
    return result
