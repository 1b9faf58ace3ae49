"""Card games: random games are those of small engines written from the description, and their values are those
that others have published."""

from __future__ import annotations

import houserule as hr
import pytest
from extent import tries
from rule_files import load

RANKS = "ace two three four five six seven eight nine ten jack queen king".split()
VALUES = {rank: min(n, 10) for n, rank in enumerate(RANKS, 1)}


class Played:
    """A random game of ours: its draws, and its decisions with what was legal."""

    def __init__(self, rules: hr.Game, index: int) -> None:
        state = rules.start(1, index)
        self.legal: list[list[str]] = []
        while not state.is_over:
            self.legal.append(sorted(state.legal_names()))
            state.apply(state.random_action())
        self.state = state
        self.draws = [event.text.removeprefix("pick ") for event in state.history if event.player is None]
        self.names = [event.text for event in state.history if event.player is not None]
        self.next_draw, self.next_decision = iter(self.draws), iter(zip(self.legal, self.names, strict=True))

    def decide(self, *legal: str) -> str:
        """The next decision, among actions that the engine allows."""
        ours, name = next(self.next_decision)
        assert ours == sorted(legal)
        return name

    def check_end(self, end: str, score: list[int]) -> None:
        assert not list(self.next_draw) and not list(self.next_decision)
        assert self.state.outcome is not None and self.state.outcome.end == end
        assert self.state.score == score


def points(cards: list[str]) -> tuple[int, bool]:
    """What a hand counts in blackjack, and whether an ace of it counts 11."""
    hard = sum(VALUES[card] for card in cards)
    return (hard + 10, True) if "ace" in cards and hard <= 11 else (hard, False)


def blackjack(played: Played, soft_17: str, pays: int) -> tuple[str, int]:
    """How the game ends, and the half stakes."""
    draw = played.next_draw
    guest, dealer = [next(draw), next(draw)], [next(draw), next(draw)]
    if 21 in (points(guest)[0], points(dealer)[0]):
        return "blackjack", -2 if points(guest)[0] < 21 else 0 if points(dealer)[0] == 21 else pays
    name, stake = "hit", 2
    while name == "hit" and points(guest)[0] < 21:
        name = played.decide("hit", "stand", *["double"] * (len(guest) == 2))
        if name != "stand":
            guest.append(next(draw))
        if name == "double":
            stake = 4
    if points(guest)[0] > 21:
        return "bust", -stake
    while points(dealer)[0] < 17 or points(dealer) == (17, True) and soft_17 == "draws":
        dealer.append(next(draw))
    ahead = 1 if points(dealer)[0] > 21 else points(guest)[0] - points(dealer)[0]
    return "settled", stake * ((ahead > 0) - (ahead < 0))


@pytest.mark.parametrize("soft_17", ["stands", "draws"])
def test_blackjack_is_played_as_described(soft_17: str) -> None:
    rules = load("cards/blackjack", soft_17=soft_17, blackjack_pays=4 if soft_17 == "draws" else 3)
    for index in range(tries(300, 2000)):
        played = Played(rules, index)
        end, won = blackjack(played, soft_17, 4 if soft_17 == "draws" else 3)
        played.check_end(end, [won])


# What the best play is worth with an endless shoe and a dealer who stands on 17 and has no blackjack, for each
# card of the dealer from 2 to ace: M. Shackleford, Wizard of Odds, "Expected returns with infinite decks".
PUBLISHED = {
    ("ten", "six"): (-0.2928, -0.2523, -0.2111, -0.1672, -0.1537, -0.4148, -0.4584, -0.5093, -0.5398, -0.5171),
    ("ten", "seven"): (-0.1530, -0.1172, -0.0806, -0.0449, 0.0117, -0.1068, -0.3820, -0.4232, -0.4197, -0.4780),
    ("two", "nine"): (0.4706, 0.5178, 0.5660, 0.6147, 0.6674, 0.4629, 0.3507, 0.2278, 0.1797, 0.1430),
}


def after(state: hr.State, step: int | str) -> hr.State:
    child = state.clone()
    if state.is_chance:
        child.apply_outcome(step)
    else:
        child.apply(step)
    return child


def situation(state: hr.State) -> tuple:
    """All that matters when the shoe is endless, except the card that lies face down."""
    seen = state.variables
    hands = [[rank for rank, count in hand.items() for _ in range(count)] for hand in seen["hand"].values()]
    return (*map(points, hands), len(hands[0]) == 2, seen["stake"])


def settled(state: hr.State, known: dict[tuple, float]) -> float:
    """The half stakes that are won on average once the guest draws no more."""
    if state.is_over:
        return state.score[0]
    key = situation(state)
    if key not in known:
        known[key] = sum(p * settled(after(state, outcome), known) for outcome, p in state.chance_outcomes())
    return known[key]


def best(states: list[hr.State], known: dict[tuple, float]) -> float:
    """The half stakes that the best play brings in states that look the same to the guest."""
    first = states[0]
    if first.is_over or not any(first.variables["hole"].values()):
        return sum(settled(state, known) for state in states) / len(states)
    key = (*situation(first), first.is_chance, tuple(first.legal_actions()))
    if key not in known:
        if first.is_chance:
            outcomes = first.chance_outcomes()
            known[key] = sum(p * best([after(state, card) for state in states], known) for card, p in outcomes)
        else:
            known[key] = max(best([after(state, name) for state in states], known) for name in first.legal_names())
    return known[key]


@pytest.mark.one_of(3)
@pytest.mark.parametrize("hand", PUBLISHED)
def test_blackjack_is_worth_what_was_published(hand: tuple[str, str]) -> None:
    start = load("variants/blackjack-endless").start(explicit_chance=True)
    values = []
    for up in [*RANKS[1:10], "ace"]:
        states = []
        for hole in RANKS:
            state = start
            for card in (*hand, up, hole):
                state = after(state, f"pick {card}")
            if not state.is_over:
                states.append(state)
        values.append(best(states, {}) / 2)
    assert values == pytest.approx(PUBLISHED[hand], abs=6e-5)


def drawn(played: Played, cards: set[str]) -> str:
    """A card by chance; a single one is no event."""
    card = next(iter(cards)) if len(cards) == 1 else next(played.next_draw)
    assert card in cards
    return card


def without_pairs(hand: set[str]) -> set[str]:
    """A card of each rank that a hand has an odd number of."""
    by_rank: dict[str, list[str]] = {}
    for card in hand:
        by_rank.setdefault(card.split("-")[0], []).append(card)
    suits = ["clubs", "diamonds", "hearts", "spades"]
    odd = [cards for cards in by_rank.values() if len(cards) % 2 == 1]
    return {max(cards, key=lambda card: suits.index(card.split("-")[1])) for cards in odd}


@pytest.mark.parametrize("players", [2, 3, 7])
def test_old_maid_is_played_as_described(players: int) -> None:
    rules = load("cards/old-maid", players)
    for index in range(tries(60, 300)):
        played = Played(rules, index)
        deck = {f"{rank}-{suit}" for rank in RANKS for suit in ("clubs", "diamonds", "hearts", "spades")}
        deck.remove("queen-clubs")
        hands: list[set[str]] = [set() for _ in range(players)]
        for turn in range(51):
            card = drawn(played, deck)
            deck.remove(card)
            hands[turn % players].add(card)
        hands = [without_pairs(hand) for hand in hands]
        player = 0
        while sum(map(bool, hands)) > 1:
            if hands[player]:
                other = next(p % players for p in range(player + 1, player + players) if hands[p % players])
                card = drawn(played, hands[other])
                hands[other].remove(card)
                hands[player] = without_pairs(hands[player] | {card})
            player = (player + 1) % players
        assert not list(played.next_draw)
        assert played.state.outcome is not None and played.state.outcome.end == "maid"
        assert played.state.outcome.winners == tuple(p for p in range(players) if not hands[p])
        assert hands[next(p for p in range(players) if hands[p])] <= {"queen-diamonds", "queen-hearts", "queen-spades"}


FRUIT = {"apple": 12, "cherry": 14, "pear": 12, "plum": 12, "quince": 6}


def fruit_points(trays: list[dict[str, int]], player: int) -> int:
    tray = trays[player]
    most = tray["apple"] > 0 and tray["apple"] == max(other["apple"] for other in trays)
    cherries = sum(range(tray["cherry"] + 1))
    quinces = tray["quince"] * sum(map(bool, tray.values()))
    return 5 * most + cherries + tray["pear"] // 2 * 5 + tray["plum"] // 3 * 10 + quinces


@pytest.mark.parametrize("players", [2, 5])
def test_orchard_is_played_as_described(players: int) -> None:
    rules = load("cards/orchard", players, hand_size=6)
    for index in range(tries(80, 300)):
        played = Played(rules, index)
        hands = [[next(played.next_draw) for _ in range(6)] for _ in range(players)]
        trays = [dict.fromkeys(FRUIT, 0) for _ in range(players)]
        for _ in range(6):
            kept = [played.decide(*{f"keep {fruit}" for fruit in hand}).split()[1] for hand in hands]
            for hand, tray, fruit in zip(hands, trays, kept, strict=True):
                hand.remove(fruit)
                tray[fruit] += 1
            hands = hands[-1:] + hands[:-1]
        played.check_end("picked", [fruit_points(trays, player) for player in range(players)])


def test_choices_in_the_orchard_are_made_at_the_same_time() -> None:
    known = set()
    for fruit in ("apple", "plum"):
        state = load("cards/orchard").start(3)
        state.apply(f"keep {fruit}")
        known.add((state.information_state(1), state.observation(1).tobytes(), state.text(1)))
    assert len(known) == 1


def test_shooting_the_moon_costs_the_others() -> None:
    """A last trick by hand: north has all cards that cost points, but for the ace of hearts."""
    suits = ("clubs", "diamonds", "hearts", "spades")
    pack = [f"{suit}-{rank}" for suit in suits for rank in (*RANKS[1:], "ace")]
    last = ["hearts-ace", "clubs-two", "clubs-three", "clubs-four"]
    costly = [card for card in pack if card.startswith("hearts") or card == "spades-queen"]
    taken = [card for card in pack if card not in last]
    for cards, score in (([taken, []], [0, 26, 26, 26]), ([costly[:3], taken], [4, 22, 0, 0])):
        north = [card for card in cards[0] if card not in last]
        east = [card for card in cards[1] if card not in last + north]
        lines = [
            "deck = {}",
            "hand = " + " ".join(f"{{{card}}}" for card in last),
            f"taken = {{{', '.join(north)}}} {{{', '.join(east)}}} {{}} {{}}",
            "broken = true",
            "mover = north",
            "choice = play",
        ]
        state = load("cards/hearts").position("\n".join(lines), 1)
        for card in last:
            state.apply(f"play {card}")
        assert state.is_over
        assert state.score == score
