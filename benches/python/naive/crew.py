"""The Crew for three random players on the first mission: tests/outside/crew.rules as plain Python."""

import random

Card = tuple[str, int]  # suit and value

PLAYERS = 3
COLOURS = ["pink", "blue", "green", "yellow"]
PLAIN: list[Card] = [(colour, value) for colour in COLOURS for value in range(1, 10)]
ROCKETS: list[Card] = [("rocket", value) for value in range(1, 5)]


class Crew:
    """The hands, the task, and who may still communicate."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.decisions = 0
        self.turns = 0
        deck = PLAIN + ROCKETS
        rng.shuffle(deck)
        self.hands = [deck[player::PLAYERS] for player in range(PLAYERS)]
        self.commander = next(player for player in range(PLAYERS) if ROCKETS[-1] in self.hands[player])
        self.task = rng.choice(PLAIN)
        self.radio = [True] * PLAYERS

    def prepare(self) -> None:
        """Let the commander take the task, and everybody pass a card if the commander says so."""
        self.decisions += 1  # There is one task to take.
        self.decisions += 1
        signal = self.rng.choice([1, -1, 0])
        if signal == 0:
            return
        gifts = []
        for hand in self.hands:
            self.decisions += 1
            gifts.append(self.rng.choice([card for card in hand if card[0] != "rocket"]))
        for player, gift in enumerate(gifts):
            self.hands[player].remove(gift)
            self.hands[(player + signal) % PLAYERS].append(gift)

    def communicate(self, me: int) -> None:
        """Let the player show a card that is the highest, the only or the lowest of its colour."""
        actions: list[tuple[str, Card] | None] = [None]
        for colour in COLOURS:
            cards = [card for card in self.hands[me] if card[0] == colour]
            if len(cards) == 1:
                actions.append(("only", cards[0]))
            elif cards:
                actions.append(("highest", max(cards)))
                actions.append(("lowest", min(cards)))
        self.decisions += 1
        if self.rng.choice(actions) is not None:
            self.radio[me] = False

    def play_trick(self, leader: int) -> tuple[int, list[Card]]:
        """Play a trick. Return who takes it, and its cards."""
        order = [(leader + seat) % PLAYERS for seat in range(PLAYERS)]
        for player in order:
            if self.radio[player]:
                self.communicate(player)
        trick: list[Card] = []
        for player in order:
            hand = self.hands[player]
            following = [card for card in hand if trick and card[0] == trick[0][0]]
            self.decisions += 1
            self.turns += 1
            card = self.rng.choice(following or hand)
            hand.remove(card)
            trick.append(card)
        rockets = [card for card in trick if card[0] == "rocket"]
        winning = max(rockets or [card for card in trick if card[0] == trick[0][0]])
        return order[trick.index(winning)], trick


def play(rng: random.Random) -> dict[str, float]:
    """Play one game of random players; return how long it was and whether the mission was done."""
    crew = Crew(rng)
    crew.prepare()
    leader = crew.commander
    end = ""
    while not end:
        leader, trick = crew.play_trick(leader)
        if crew.task in trick:
            end = "done" if leader == crew.commander else "task_lost"
        elif not all(crew.hands):
            end = "no_cards"
    return {
        "decisions": crew.decisions,
        "turns": crew.turns,
        "winner_1": float(end == "done"),
        "done": float(end == "done"),
        "task_lost": float(end == "task_lost"),
        "no_cards": float(end == "no_cards"),
    }
