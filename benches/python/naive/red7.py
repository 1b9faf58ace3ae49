"""Random games of Red7 for two in plain Python: one round, by the rules of tests/outside/red7.rules."""

import random
from typing import NamedTuple

PLAYERS = 2
DEALT = 7
COLOURS = ("violet", "indigo", "blue", "green", "yellow", "orange", "red")
POWER = {colour: power for power, colour in enumerate(COLOURS, 1)}


class Card(NamedTuple):
    number: int
    colour: str


class Action(NamedTuple):
    played: Card | None  # to the palette
    dropped: Card | None  # to the canvas


Strength = tuple[int, int]


def value_card(card: Card) -> int:
    """Computes the rank of a card among all: the number counts, and of equals the colour."""
    return 10 * card.number + POWER[card.colour]


def measure(cards: list[Card]) -> Strength:
    """Counts cards and finds the value of the highest."""
    return len(cards), max((value_card(card) for card in cards), default=0)


def find_longest_run(palette: list[Card]) -> list[Card]:
    """Finds the highest cards of the longest run of numbers; of equal runs, of the highest."""
    runs: list[list[Card]] = [[]]
    for number in range(1, 8):
        alike = [card for card in palette if card.number == number]
        if alike:
            runs[-1].append(max(alike, key=value_card))
        else:
            runs.append([])
    return max(runs, key=measure)


def find_meeting(palette: list[Card], rule: str) -> list[Card]:
    """Finds the cards of a palette that meet the rule of a colour."""
    if rule == "red":
        return [max(palette, key=value_card)]
    if rule == "orange":
        numbers = [[card for card in palette if card.number == number] for number in range(1, 8)]
        return max(numbers, key=measure)
    if rule == "yellow":
        colours = [[card for card in palette if card.colour == colour] for colour in COLOURS]
        return max(colours, key=measure)
    if rule == "green":
        return [card for card in palette if card.number % 2 == 0]
    if rule == "blue":
        colours = [[card for card in palette if card.colour == colour] for colour in COLOURS]
        return [max(cards, key=value_card) for cards in colours if cards]
    if rule == "indigo":
        return find_longest_run(palette)
    return [card for card in palette if card.number < 4]


def find_strength(palette: list[Card], rule: str) -> Strength:
    """Measures the cards that meet a rule."""
    return measure(find_meeting(palette, rule))


def list_actions(hand: list[Card], palette: list[Card], others: list[list[Card]], rule: str) -> list[Action]:
    """Lists the actions after which the player is winning."""
    actions = []
    rival = max(find_strength(other, rule) for other in others)
    for card in hand:
        if find_strength(palette + [card], rule) > rival:
            actions.append(Action(card, None))
    for dropped in hand:
        rival = max(find_strength(other, dropped.colour) for other in others)
        if find_strength(palette, dropped.colour) > rival:
            actions.append(Action(None, dropped))
        for card in hand:
            if card != dropped and find_strength(palette + [card], dropped.colour) > rival:
                actions.append(Action(card, dropped))
    return actions


def play(rng: random.Random) -> dict[str, float]:
    """Plays a whole game."""
    deck = [Card(number, colour) for number in range(1, 8) for colour in COLOURS]
    rng.shuffle(deck)
    hands = [[deck.pop() for _ in range(DEALT)] for _ in range(PLAYERS)]
    palettes = [[deck.pop()] for _ in range(PLAYERS)]
    rule = "red"
    playing = list(range(PLAYERS))
    ahead = max(playing, key=lambda seat: value_card(palettes[seat][0]))
    player = (ahead + 1) % PLAYERS
    decisions = turns = 0
    while len(playing) > 1:
        hand, palette = hands[player], palettes[player]
        actions = list_actions(hand, palette, [palettes[seat] for seat in playing if seat != player], rule)
        if actions:
            action = rng.choice(actions)
            decisions += 1
            if action.played is not None:
                hand.remove(action.played)
                palette.append(action.played)
            if action.dropped is not None:
                hand.remove(action.dropped)
                rule = action.dropped.colour
                if action.dropped.number > len(palette) and deck:
                    hand.append(deck.pop())
        else:
            playing.remove(player)
        turns += 1
        player = (player + 1) % PLAYERS
        while player not in playing:
            player = (player + 1) % PLAYERS
    winner = playing[0]
    result: dict[str, float] = {"decisions": decisions, "turns": turns}
    points = sum(card.number for card in find_meeting(palettes[winner], rule))
    for seat in range(PLAYERS):
        result[f"score_{seat + 1}"] = points if seat == winner else 0
        result[f"winner_{seat + 1}"] = float(seat == winner)
    return result
