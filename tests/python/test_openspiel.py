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
from openspiel_peers import Peer, compare, square
from rule_files import path

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


class Amazons(Peer):
    """There rows count from the top, and a number stands for a square in all three steps of a turn."""

    STEPS = {"From": "pick", "To": "move", "Shoot": "shoot"}

    def __init__(self, size: int, part: int) -> None:
        super().__init__(path("war/amazons"), f"amazons(board_size={size})", f"size={size}")
        self.size, self.part = size, part

    def known_name(self, state: pyspiel.State, action: int) -> str:
        word, row, column = re.findall(r"(\w+):? \((\d+), (\d+)\)", state.action_to_string(action))[0]
        return f"{self.STEPS[word]} {square(int(column) - 1, self.size - int(row))}"


class LinesOfAction(Peer):
    part = 4

    def name(self, state: pyspiel.State, action: int) -> str:
        return f"move {' '.join(re.split('[-x]', state.action_to_string(action)))}"


class Clobber(Peer):
    def name(self, state: pyspiel.State, action: int) -> str:
        word = state.action_to_string(action)
        return f"take {word[:2]} {word[2:]}"


class UltimateTicTacToe(Peer):
    """There a free choice of the block is an action of its own. Blocks and squares count from the top left."""

    def written(self, state: pyspiel.State) -> dict[str | None, tuple[int, ...]]:
        first = state.legal_actions()
        word = state.action_to_string(first[0])
        blocks = {block: (state.child(block).legal_actions(), (block,)) for block in first}
        if not word.startswith("Choose"):
            blocks = {int(word.split()[2].rstrip(":")): (first, ())}
        return {
            f"place {square(block % 3 * 3 + at % 3, 8 - block // 3 * 3 - at // 3)}": (*before, at)
            for block, (squares, before) in blocks.items()
            for at in squares
        }


class TwoSteps:
    """A state of OpenSpiel's Pentago in which the marble is placed first and a quarter is turned after it."""

    TURNS = 8

    def __init__(self, state: pyspiel.State) -> None:
        self.state = state
        self.hole: int | None = None

    def __getattr__(self, name: str) -> object:
        return getattr(self.state, name)

    def legal_actions(self) -> list[int]:
        """Holes are numbers below 0, from -1 on."""
        if self.hole is not None:
            return list(range(self.TURNS))
        return sorted({-1 - action // self.TURNS for action in self.state.legal_actions()})

    def apply_action(self, action: int) -> None:
        if self.hole is None:
            self.hole = -1 - action
        else:
            self.state.apply_action(self.hole * self.TURNS + action)
            self.hole = None


class Twist(Peer):
    """There a turn is one action, and rows count from the top."""

    QUARTERS = ("upper_left", "upper_right", "lower_right", "lower_left")

    def start(self) -> pyspiel.State:
        return TwoSteps(super().start())

    def name(self, state: pyspiel.State, action: int) -> str:
        if action < 0:
            row, column = divmod(-1 - action, 6)
            return f"place {square(column, 5 - row)}"
        return f"twist {self.QUARTERS[action // 2]} {('anticlockwise', 'clockwise')[action % 2]}"


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
    Amazons(6, part=4),
    Amazons(10, part=10),
    LinesOfAction(path("war/lines-of-action"), "lines_of_action", "repeats=2"),
    Clobber(path("territory/clobber"), "clobber"),
    UltimateTicTacToe(path("territory/ultimate-tic-tac-toe"), "ultimate_tic_tac_toe"),
    Twist("five-with-a-twist-late", "pentago"),
]


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: f"{Path(peer.ours).stem}-{peer.spiel}")
def test_games_are_those_of_openspiel(peer: Peer, tmp_path: Path) -> None:
    compare(peer, tmp_path)
