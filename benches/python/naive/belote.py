"""Belote for four random players: tests/outside/belote.rules as plain Python."""

import random

Card = tuple[int, int]  # suit and rank; the ranks go from 7 to 14, with 11 for a jack

SUITS = range(4)
RANKS = range(7, 15)
TRUMP_POINTS = {7: 0, 8: 0, 9: 14, 10: 10, 11: 20, 12: 3, 13: 4, 14: 11}
PLAIN_POINTS = {7: 0, 8: 0, 9: 0, 10: 10, 11: 2, 12: 3, 13: 4, 14: 11}
TRUMP_ORDER = [7, 8, 12, 13, 10, 14, 9, 11]
PLAIN_ORDER = [7, 8, 9, 11, 12, 13, 10, 14]
SEQUENCE_POINTS = {3: 20, 4: 50, 5: 100, 6: 100, 7: 100, 8: 100}
FOUR_POINTS = {9: 150, 10: 100, 11: 200, 12: 100, 13: 100, 14: 100}
FOUR_ORDER = [12, 13, 10, 14, 9, 11]
LAST_TRICK = 10
ALL_TRICKS = 100


def list_runs(cards: list[Card]) -> list[tuple[int, int, int]]:
    """Return the sequences of three or more cards: length, highest rank and suit."""
    runs = []
    for suit in SUITS:
        length = 0
        for rank in range(7, 16):
            if (suit, rank) in cards:
                length += 1
            else:
                if length >= 3:
                    runs.append((length, rank - 1, suit))
                length = 0
    return runs


class Hand:
    """One deal: the cards, who has taken with which trumps, and the tricks."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.decisions = 0
        self.turns = 0
        self.dealer = 3
        self.taker = 0
        self.trumps = 0
        self.hands: list[list[Card]] = []
        self.trick: dict[int, Card] = {}
        self.led = 0
        self.taken: list[list[Card]] = [[], []]
        self.last = 0
        self.declared = [0, 0]
        self.belote = [0, 0]

    def list_seats(self) -> list[int]:
        """Return the players in order from the one after the dealer."""
        return [(self.dealer + seat) % 4 for seat in range(1, 5)]

    def deal(self) -> None:
        """Deal and bid until somebody takes, then deal the rest."""
        while True:
            deck = [(suit, rank) for suit in SUITS for rank in RANKS]
            self.rng.shuffle(deck)
            self.hands = [[deck.pop() for _ in range(5)] for _ in range(4)]
            turned = deck.pop()
            if self.find_taker(turned):
                break
            self.dealer = (self.dealer + 1) % 4
        self.hands[self.taker].append(turned)
        for player in range(4):
            for _ in range(2 if player == self.taker else 3):
                self.hands[player].append(deck.pop())

    def find_taker(self, turned: Card) -> bool:
        """Let the players bid. Return whether one of them has taken."""
        others = [suit for suit in SUITS if suit != turned[0]]
        for suits in ([turned[0]], others):
            for player in self.list_seats():
                self.decisions += 1
                suit = self.rng.choice([*suits, None])
                if suit is not None:
                    self.taker = player
                    self.trumps = suit
                    return True
        return False

    def list_trumps(self, cards: list[Card]) -> list[Card]:
        return [card for card in cards if card[0] == self.trumps]

    def find_winner(self) -> int:
        """Return the player whose card wins the trick so far."""

        def rate(player: int) -> tuple[int, int]:
            suit, rank = self.trick[player]
            if suit == self.trumps:
                return 2, TRUMP_ORDER.index(rank)
            return int(suit == self.led), PLAIN_ORDER.index(rank)

        return max(self.trick, key=rate)

    def list_cards(self, me: int) -> list[Card]:
        """Return the cards that the player may play."""
        hand = self.hands[me]
        if not self.trick:
            return hand
        trumps = self.list_trumps(hand)
        on_table = [TRUMP_ORDER.index(rank) for _, rank in self.list_trumps(list(self.trick.values()))]
        higher = [card for card in trumps if all(TRUMP_ORDER.index(card[1]) > order for order in on_table)]
        if self.led == self.trumps and trumps:
            return higher or trumps
        following = [card for card in hand if card[0] == self.led]
        if following:
            return following
        if trumps and self.find_winner() % 2 != me % 2:
            return higher or trumps
        return hand

    def play_card(self, me: int) -> None:
        self.turns += 1
        self.decisions += 1
        hand = self.hands[me]
        card = self.rng.choice(self.list_cards(me))
        royals = [(self.trumps, 12), (self.trumps, 13)]
        if card in royals and all(royal in hand for royal in royals):
            self.belote[me % 2] = 20
        if not self.trick:
            self.led = card[0]
        hand.remove(card)
        self.trick[me] = card

    def declare(self) -> None:
        """Score the fours of a kind and sequences of the side that has the best of them."""
        points = [0, 0]
        best_key = (0, (0, 0, False))
        side = 0
        for player in self.list_seats():
            cards = [*self.hands[player], self.trick[player]]
            fours = [rank for rank in FOUR_ORDER if all((suit, rank) in cards for suit in SUITS)]
            runs = list_runs([card for card in cards if card[1] not in fours])
            points[player % 2] += sum(FOUR_POINTS[rank] for rank in fours)
            points[player % 2] += sum(SEQUENCE_POINTS[length] for length, _, _ in runs)
            best_four = max((FOUR_ORDER.index(rank) + 1 for rank in fours), default=0)
            best_run = max(
                ((min(length, 5), highest, suit == self.trumps) for length, highest, suit in runs),
                default=(0, 0, False),
            )
            if (best_four, best_run) > best_key:
                best_key = (best_four, best_run)
                side = player % 2
        self.declared[side] = points[side]

    def play_tricks(self) -> None:
        leader = (self.dealer + 1) % 4
        for number in range(8):
            self.trick = {}
            for seat in range(4):
                self.play_card((leader + seat) % 4)
            if number == 0:
                self.declare()
            leader = self.find_winner()
            self.taken[leader % 2] += self.trick.values()
            self.last = leader % 2

    def count_tricks(self, side: int) -> int:
        points = sum(
            TRUMP_POINTS[rank] if suit == self.trumps else PLAIN_POINTS[rank]
            for suit, rank in self.taken[side]
        )
        if len(self.taken[side]) == 32:
            return points + ALL_TRICKS
        return points + (LAST_TRICK if self.last == side else 0)

    def count_points(self) -> list[int]:
        """Return what each side scores."""
        tricks = [self.count_tricks(side) for side in range(2)]
        made = [tricks[side] + self.declared[side] + self.belote[side] for side in range(2)]
        side = self.taker % 2
        other = 1 - side
        points = [0, 0]
        if made[side] > made[other]:
            points = made
        elif made[side] == made[other]:
            points[other] = made[other]
        else:
            points[side] = self.belote[side]
            points[other] = made[other] + tricks[side] + self.declared[side]
        return points


def play(rng: random.Random) -> dict[str, float]:
    """Play one game of random players; return how long it was and what each side scored."""
    hand = Hand(rng)
    hand.deal()
    hand.play_tricks()
    points = hand.count_points()
    return {
        "decisions": hand.decisions,
        "turns": hand.turns,
        "score_1": points[0],
        "score_2": points[1],
        "winner_1": 0.5 if points[0] == points[1] else float(points[0] > points[1]),
        "winner_2": 0.5 if points[0] == points[1] else float(points[1] > points[0]),
        "draw": float(points[0] == points[1]),
    }
