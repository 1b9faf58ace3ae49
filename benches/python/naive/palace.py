"""Random games of Palace for two in plain Python, by the rules of tests/outside/palace.rules."""

import random
from collections import Counter
from typing import NamedTuple

PLAYERS = 2
DEALT = 3
SUITS = ("clubs", "diamonds", "hearts", "spades")


class Card(NamedTuple):
    rank: int
    suit: str


def beats(rank: int, pile: list[Card]) -> bool:
    """Tells whether a rank may be played on a pile: a two or a ten, or one as high as the top or higher."""
    return not pile or rank in (2, 10) or rank >= pile[-1].rank


def burns(pile: list[Card]) -> bool:
    """Tells whether the pile burns: a ten or four cards of a rank lie on top."""
    if not pile:
        return False
    return pile[-1].rank == 10 or len(pile) >= 4 and len({card.rank for card in pile[-4:]}) == 1


def find_low(hand: list[Card]) -> int:
    """Finds the lowest rank in a hand. Twos are high."""
    return min(15 if card.rank == 2 else card.rank for card in hand)


def list_plays(cards: list[Card], pile: list[Card]) -> list[tuple[int, int]]:
    """Lists the ranks that may be played, each with the numbers of cards."""
    plays = []
    for rank, held in Counter(card.rank for card in cards).items():
        if beats(rank, pile):
            for number in range(1, held + 1):
                plays.append((rank, number))
    return plays


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
    playing = list(range(PLAYERS))
    player = min(playing, key=lambda seat: find_low(hands[seat]))
    while len(playing) > 1:
        hand = hands[player]
        usable = hand or shown[player]
        plays = list_plays(usable, pile)
        decisions += 1
        if usable and not plays:
            hand += pile
            pile = []
            again = False
        else:
            if plays:
                rank, number = rng.choice(plays)
                for card in [card for card in usable if card.rank == rank][:number]:
                    usable.remove(card)
                    pile.append(card)
            else:
                card = blind[player].pop()
                beaten = beats(card.rank, pile)
                pile.append(card)
                if not beaten:
                    hand += pile
                    pile = []
            while len(hand) < 3 and stock:
                hand.append(stock.pop())
            if not hand and not shown[player] and not blind[player]:
                playing.remove(player)
            burnt = burns(pile)
            again = burnt and player in playing
            if burnt:
                pile = []
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
