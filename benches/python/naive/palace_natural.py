"""Random games of Palace for two in plain Python, by the rules of tests/outside/palace-natural.rules.

Cards that are played together lie in an unknown order. The pile then has no known top until another card
lies on it.
"""

import random
from typing import NamedTuple

PLAYERS = 2
DEALT = 3
SUITS = ("clubs", "diamonds", "hearts", "spades")


class Card(NamedTuple):
    rank: int
    suit: str


def fits(card: Card, pile: list[Card], top: Card | None) -> bool:
    """Tells whether a card may be played: a two or a ten, or one as high as the known top or higher."""
    return not pile or card.rank in (2, 10) or (top is not None and card.rank >= top.rank)


def burns(pile: list[Card], top: Card | None) -> bool:
    """Tells whether the pile burns: a ten is its known top, or four cards of a rank lie on top."""
    if top is not None and top.rank == 10:
        return True
    return len(pile) >= 4 and len({card.rank for card in pile[-4:]}) == 1


def find_low(hand: list[Card]) -> int:
    """Finds the lowest rank in a hand. Twos are high."""
    return min(15 if card.rank == 2 else card.rank for card in hand)


def choose_alike(rng: random.Random, cards: list[Card], first: Card) -> tuple[list[Card], int]:
    """Chooses more cards of the rank until the player is done or has four. Returns all, and the decisions."""
    chosen = [first]
    decisions = 0
    while len(chosen) < 4:
        more = [card for card in cards if card.rank == first.rank and card.suit > chosen[-1].suit]
        card = rng.choice([*more, None])
        decisions += 1
        if card is None:
            break
        chosen.append(card)
    return chosen, decisions


def play(rng: random.Random) -> dict[str, float]:
    """Plays a whole game. Who plays again after a burnt pile is still in the same turn."""
    stock = [Card(rank, suit) for rank in range(2, 15) for suit in SUITS]
    rng.shuffle(stock)
    blind = [[stock.pop() for _ in range(DEALT)] for _ in range(PLAYERS)]
    shown: list[list[Card]] = []
    hands: list[list[Card]] = []
    decisions = turns = 0
    for _ in range(PLAYERS):
        dealt = [stock.pop() for _ in range(2 * DEALT)]
        shown.append(rng.sample(dealt, DEALT))
        hands.append([card for card in dealt if card not in shown[-1]])
        decisions += 1
    pile: list[Card] = []
    top: Card | None = None
    playing = list(range(PLAYERS))
    player = min(playing, key=lambda seat: find_low(hands[seat]))
    while len(playing) > 1:
        hand = hands[player]
        usable = hand or shown[player]
        fitting = [card for card in usable if fits(card, pile, top)]
        decisions += 1
        if usable and not fitting:
            hand += pile
            pile, top = [], None
            again = False
        else:
            if fitting:
                chosen, steps = choose_alike(rng, usable, rng.choice(fitting))
                decisions += steps
                for card in chosen:
                    usable.remove(card)
                pile += chosen
                top = chosen[0] if len(chosen) == 1 else None
            else:
                card = blind[player].pop()
                beaten = top is None or fits(card, pile, top)
                pile.append(card)
                top = card
                if not beaten:
                    hand += pile
                    pile, top = [], None
            while len(hand) < 3 and stock:
                hand.append(stock.pop())
            if not hand and not shown[player] and not blind[player]:
                playing.remove(player)
            burnt = burns(pile, top)
            again = burnt and player in playing
            if burnt:
                pile, top = [], None
        if not again:
            turns += 1
            player = (player + 1) % PLAYERS
            while player not in playing:
                player = (player + 1) % PLAYERS
    loser = playing[0]
    result: dict[str, float] = {"decisions": decisions, "turns": turns}
    for seat in range(PLAYERS):
        result[f"winner_{seat + 1}"] = float(seat != loser) / (PLAYERS - 1)
    return result
