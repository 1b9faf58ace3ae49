"""Games with hidden information: along random games the same as small engines written from their
description, and nobody sees what the rules hide."""

from __future__ import annotations

import re

import houserule as hr
import numpy as np
import pytest
from extent import tries
from rule_files import load


def squares(width: int, height: int) -> list[str]:
    return [f"{chr(ord('a') + x)}{y + 1}" for y in range(height) for x in range(width)]


def around(square: str, width: int, height: int) -> list[str]:
    x, y = ord(square[0]) - ord("a"), int(square[1:]) - 1
    return [
        f"{chr(ord('a') + a)}{b + 1}"
        for a in range(max(x - 1, 0), min(x + 2, width))
        for b in range(max(y - 1, 0), min(y + 2, height))
        if (a, b) != (x, y)
    ]


@pytest.mark.parametrize(("players", "pair_again"), [(2, True), (3, False)])
def test_memory_is_played_as_described(players: int, pair_again: bool) -> None:
    places = squares(4, 3)
    rules = load("hidden/memory", players, height=3, pair_again=pair_again)
    for index in range(tries(25, 100)):
        state = rules.start(1, index)
        pictures = state.variables["picture"]
        assert sorted(pictures.values()) == sorted([1, 2, 3, 4, 5, 6] * 2)
        table, pairs, player = set(places), [0] * players, 0
        while table:
            first = name = ""
            for verb in ("turn", "match"):
                assert state.current_player == player
                assert sorted(state.legal_names()) == sorted(f"{verb} {at}" for at in table - {first})
                name = state.action_name(state.random_action())
                state.apply(name)
                first, name = first or name.split()[1], name.split()[1]
            lie_open = {at: int(n) for n, sites in state.variables["face"].items() for at in sites}
            if pictures[first] == pictures[name]:
                table -= {first, name}
                pairs[player] += 1
                assert lie_open == {}
            else:
                assert lie_open == {first: pictures[first], name: pictures[name]}
            if pictures[first] != pictures[name] or not pair_again:
                player = (player + 1) % players
            assert state.score == pairs
        assert state.is_over


def test_memory_remembers_what_was_turned_up() -> None:
    state = load("hidden/memory").start(5)
    seen = {}
    for _ in range(8):
        action = state.random_action()
        at = state.action_name(action).split()[1]
        seen[at] = state.variables["picture"][at]
        state.apply(action)
    unseen = set()
    for seed in range(20):
        for player in (0, 1):
            world = state.determinize(player, seed=seed).variables["picture"]
            assert {at: world[at] for at in seen} == seen
            unseen.add(tuple(world.values()))
    assert len(unseen) > 1


@pytest.mark.parametrize("first_square", ["safe", "blank", "open"])
def test_minesweeper_is_played_as_described(first_square: str) -> None:
    width, height = 7, 6
    board = set(squares(width, height))
    rules = load("hidden/minesweeper", width=7, height=6, mines=6, first_square=first_square)
    for index in range(tries(40, 150)):
        state = rules.start(1, index)
        opened: dict[str, int] = {}
        mines: set[str] = set()
        while not state.is_over:
            assert sorted(state.legal_names()) == sorted(f"open {at}" for at in board - set(opened))
            name = state.action_name(state.random_action())
            state.apply(name)
            at = name.split()[1]
            mines = mines or set(state.variables["mined"])
            assert len(mines) == 6
            if not opened:
                free = {"safe": {at}, "blank": {at, *around(at, width, height)}, "open": set()}[first_square]
                assert not mines & free
            if at in mines:
                assert state.outcome is not None and state.outcome.end == "blown_up"
                break
            front = [at]
            while front:
                here = front.pop()
                if here not in opened:
                    opened[here] = sum(near in mines for near in around(here, width, height))
                    front += around(here, width, height) if opened[here] == 0 else []
            clues = {at: int(n) for n, sites in state.variables["clue"].items() for at in sites}
            assert clues == {at: n for at, n in opened.items() if n > 0}
            assert set(state.variables["cover"]) == board - set(opened)
            assert state.score == [len(opened)]
            assert state.is_over == (len(opened) == len(board) - 6)


def test_minesweeper_on_four_squares_is_won_by_a_third() -> None:
    """One mine and a safe first square: two more of three squares are opened without it."""
    small = load("hidden/minesweeper", width=2, height=2, mines=1)
    games = 20_000
    cleared = sum(end == "cleared" for end in hr.simulate(small, games, seed=2).games["end"])
    assert abs(cleared / games - 1 / 3) < 4 * np.sqrt(2 / 9 / games)


def test_sunk_ships_are_shown() -> None:
    state = load("hidden/battleship").start(1)
    for ship in range(5):
        for _ in range(2):
            state.apply(f"place a{ship + 1} across")
    for shot in ("a5", "b1", "c8"):
        state.apply(f"shoot {shot}")
        state.apply(f"shoot {shot}")
    assert state.variables["sunk"] == [[], []]
    state.apply("shoot b5")
    seen = state.variables
    assert (seen["sunk"][1], seen["hit"][1], seen["miss"][1]) == (["a5", "b5"], ["b1"], ["c8"])
    assert (seen["sunk"][0], seen["hit"][0], seen["miss"][0]) == ([], ["b1", "a5"], ["c8"])
    assert state.score == [1, 0]


HIDING = [
    ("hidden/battleship", None, {}),
    ("hidden/phantom-tic-tac-toe", None, {}),
    ("hidden/hidden-armies", None, {}),
    ("hidden/memory", 3, {}),
    ("hidden/minesweeper", None, {}),
    ("cards/blackjack", None, {}),
    ("cards/crazy-eights", 3, {}),
    ("cards/cribbage", None, {}),
    ("cards/five-card-draw", 3, {}),
    ("cards/go-fish", 3, {}),
    ("cards/hearts", None, {"passing": "off"}),
    ("cards/hearts", None, {"passing": "left"}),
    ("cards/kuhn-poker", None, {}),
    ("cards/leduc-poker", None, {}),
    ("cards/whist", None, {}),
]


@pytest.mark.parametrize(("path", "players", "params"), HIDING, ids=str)
def test_what_is_hidden_does_not_show(path: str, players: int | None, params: dict[str, object]) -> None:
    """Other worlds that agree with what a player saw look the same to that player."""
    hidden = load(path, players, **params)
    different = 0
    for index in tries([0, 3], [*range(5)]):
        state = hidden.start(3, index)
        for _ in range(index):
            if not state.is_over:
                state.apply(state.random_action())
        for player in range(hidden.players if not state.is_over else 0):
            other = state.determinize(player, seed=index)
            assert other.information_state(player) == state.information_state(player)
            assert other.text(player) == state.text(player)
            assert np.array_equal(other.observation(player), state.observation(player))
            different += other.position() != state.position()
    assert different > 0


SUITS = {"clubs": "♣", "diamonds": "♦", "hearts": "♥", "spades": "♠"}
RANKS = dict(zip("two three four five six seven eight nine ten jack queen king ace".split(), "23456789TJQKA"))


def shown_as(card: str) -> str:
    suit, rank = card.split("-")
    return SUITS[suit] + RANKS[rank]


def test_cards_of_others_are_not_named() -> None:
    for rules in (load("cards/crazy-eights"), load("cards/hearts", passing="off")):
        for index in range(tries(4, 10)):
            state = rules.start(4, index)
            for _ in range(20):
                hands = state.variables["hand"]
                for viewer in range(len(hands)):
                    own = state.text(viewer).partition("\nhand ")[2]
                    suits = re.findall("([♣♦♥♠])([^♣♦♥♠]*)", own.replace("+", ""))
                    held = {suit + rank for suit, ranks in suits for rank in ranks.split()}
                    for player, hand in enumerate(hands):
                        assert all((shown_as(card) in held) == (player == viewer) for card in hand)
                state.apply(state.random_action())
