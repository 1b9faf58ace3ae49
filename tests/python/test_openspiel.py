"""The same games as OpenSpiel's: along random games of ours, its games have the same legal actions
at every decision and the same result at the end.

Where a rule differs on purpose, a variant file follows OpenSpiel and is what is compared here.
"""

from __future__ import annotations

import re
from pathlib import Path

import pyspiel
import pytest
from open_spiel.python.games import block_dominoes  # noqa: F401  registers it
from openspiel_peers import Peer, compare

BOX_ROWS = 3  # of the field that Dots and Boxes is compared on


class Placing(Peer):
    """Actions that name a site alone."""

    def name(self, state: pyspiel.State, action: int) -> str | None:
        return f"place {state.action_to_string(action)}"


class Reversi(Placing):
    """Ours passes by itself."""

    def name(self, state: pyspiel.State, action: int) -> str | None:
        return None if state.action_to_string(action) == "pass" else super().name(state, action)


class Breakthrough(Peer):
    """There the first player comes from the top."""

    STEPS = {-1: "left", 0: "straight", 1: "right"}

    def name(self, state: pyspiel.State, action: int) -> str:
        word = state.action_to_string(action)
        step = self.STEPS[ord(word[2]) - ord(word[0])]
        return f"{step} {word[0]}{9 - int(word[1])}"


class Pig(Peer):
    def outcome(self, state: pyspiel.State, event: str) -> int:
        return int(event.split()[-1]) - 1


class ConnectFour(Peer):
    def name(self, state: pyspiel.State, action: int) -> str:
        return f"drop {action + 1}"


class DotsAndBoxes(Peer):
    """There lines are named by their row from the top and their column."""

    def name(self, state: pyspiel.State, action: int) -> str:
        way, row, column = re.findall(r"\((.),(\d+),(\d+)\)", state.action_to_string(action))[0]
        below, left = BOX_ROWS - int(row), int(column)
        letter = chr(ord("a") + left)
        if way == "h":
            return f"draw {letter}{below}-north" if below > 0 else f"draw {letter}1-south"
        return f"draw {chr(ord(letter) - 1)}{below}-east" if left > 0 else f"draw a{below}-west"


class Yacht(Peer):
    """Dice count from 0 there, and the first is the least digit of a roll."""

    players = 2
    BOXES = (
        "aces twos threes fours fives sixes choice four_of_a_kind full_house small_straight large_straight yacht"
    ).split()

    def name(self, state: pyspiel.State, action: int) -> str:
        if action >= 32:
            return f"fill {self.BOXES[action - 32]}"
        dice = [str(die + 1) for die in range(5) if action >> die & 1]
        return f"reroll {' '.join(dice) or 'none'}"

    def outcome(self, state: pyspiel.State, event: str) -> int:
        faces = [int(word.split(":")[-1]) for word in event.split()[2:]]
        return sum((face - 1) * 6**place for place, face in enumerate(faces))


class Kalah(Peer):
    """There the pits are numbered the way around, from 1, and north's from 8."""

    def name(self, state: pyspiel.State, action: int) -> str:
        return f"sow {'abcdef'[action - 1]}1" if action < 7 else f"sow {'fedcba'[action - 8]}2"


class Go(Peer):
    def name(self, state: pyspiel.State, action: int) -> str:
        row, column = divmod(action, 9)
        return "pass" if row == 9 else f"play {chr(ord('a') + column)}{row + 1}"


class BlockDominoes(Peer):
    """There the pips of a round are the returns."""

    def name(self, state: pyspiel.State, action: int) -> str:
        low, high, end = re.findall(r"tile:\((\d)\.0, (\d)\.0\) pip:(\w+)", state.action_to_string(action))[0]
        return f"open {low}-{high}" if end == "None" else f"play {low}-{high} {end[0]}"

    def outcome(self, state: pyspiel.State, event: str) -> int:
        low, high = (int(pips) for pips in event.split()[-1].split("-"))
        tiles = [(a, b) for a in range(7) for b in range(a, 7)]
        return tiles.index((low, high))

    def returns(self, game: dict) -> list[float]:
        first, second = game["score"]
        return [first - second, second - first]


PEERS = [
    ConnectFour("connect-four", "connect_four"),
    Pig("pig", "pig"),
    Go("go-openspiel", "go(board_size=9)"),
    Placing("hex", "hex"),
    Reversi("reversi", "othello"),
    Breakthrough("breakthrough", "breakthrough"),
    DotsAndBoxes("dots-and-boxes", f"dots_and_boxes(num_rows={BOX_ROWS},num_cols=4)", "width=4", f"height={BOX_ROWS}"),
    Yacht("yacht", "yacht"),
    Kalah("kalah", "mancala"),
    BlockDominoes("dominoes-block", "python_block_dominoes"),
]


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: f"{peer.ours}-{peer.spiel}")
def test_games_are_those_of_openspiel(peer: Peer, tmp_path: Path) -> None:
    compare(peer, tmp_path)
