"""Battle Line for two random players: tests/outside/battleline.rules as plain Python."""

import random
from itertools import combinations

Card = tuple[int, int]  # colour and rank

CARDS: list[Card] = [(colour, rank) for colour in range(6) for rank in range(1, 11)]
FLAGS = range(9)


def rate(cards: list[Card]) -> tuple[int, int]:
    """Return the strength of a formation of three cards: its kind, then the sum of its ranks."""
    ranks = [rank for _, rank in cards]
    one_colour = len({colour for colour, _ in cards}) == 1
    one_rank = len(set(ranks)) == 1
    in_a_row = len(set(ranks)) == 3 and max(ranks) == min(ranks) + 2
    if one_colour and in_a_row:
        kind = 5
    elif one_rank:
        kind = 4
    elif one_colour:
        kind = 3
    elif in_a_row:
        kind = 2
    else:
        kind = 1
    return kind, sum(ranks)


class Table:
    """The hands, the formations before the flags, and who has taken which flag."""

    def __init__(self, rng: random.Random) -> None:
        self.deck = CARDS[:]
        rng.shuffle(self.deck)
        self.hands = [[self.deck.pop() for _ in range(7)] for _ in range(2)]
        self.sides: list[list[list[Card]]] = [[[] for _ in FLAGS] for _ in range(2)]
        self.first: list[int | None] = [None for _ in FLAGS]
        self.taken: list[int | None] = [None for _ in FLAGS]

    def list_free_flags(self) -> list[int]:
        return [flag for flag in FLAGS if self.taken[flag] is None]

    def list_plays(self, me: int) -> list[tuple[Card, int]]:
        flags = [flag for flag in self.list_free_flags() if len(self.sides[me][flag]) < 3]
        return [(card, flag) for card in self.hands[me] for flag in flags]

    def lay(self, me: int, card: Card, flag: int) -> None:
        self.hands[me].remove(card)
        self.sides[me][flag].append(card)
        if len(self.sides[me][flag]) == 3 and self.first[flag] is None:
            self.first[flag] = me

    def can_claim(self, me: int, flag: int) -> bool:
        """Return whether the player's formation is better, or can't be beaten by any cards not laid yet."""
        mine, theirs = self.sides[me][flag], self.sides[1 - me][flag]
        if len(mine) < 3:
            return False
        strength = rate(mine)
        if len(theirs) == 3:
            rival = rate(theirs)
            return strength > rival or strength == rival and self.first[flag] == me
        laid = {card for side in self.sides for cards in side for card in cards}
        unseen = [card for card in CARDS if card not in laid]
        return all(strength >= rate(theirs + list(rest)) for rest in combinations(unseen, 3 - len(theirs)))

    def has_won(self, me: int) -> str | None:
        """Return the name of the end that the player has reached."""
        if self.taken.count(me) >= 5:
            return "five"
        if any(self.taken[flag] == self.taken[flag + 1] == self.taken[flag + 2] == me for flag in range(7)):
            return "breach"
        return None


def play(rng: random.Random) -> dict[str, float]:
    """Play one game of random players; return how long it was and who won."""
    table = Table(rng)
    decisions = turns = 0
    me = 0
    while True:
        turns += 1
        plays = table.list_plays(me)
        if plays:
            decisions += 1
            card, flag = rng.choice(plays)
            table.lay(me, card, flag)
        for _ in FLAGS:
            claims: list[int | None] = [flag for flag in table.list_free_flags() if table.can_claim(me, flag)]
            decisions += 1
            claim = rng.choice([*claims, None])
            if claim is None:
                break
            table.taken[claim] = me
        if table.deck:
            table.hands[me].append(table.deck.pop())
        end = table.has_won(me)
        if end:
            return {
                "decisions": decisions,
                "turns": turns,
                "winner_1": float(me == 0),
                "winner_2": float(me == 1),
                "five": float(end == "five"),
                "breach": float(end == "breach"),
            }
        me = 1 - me
