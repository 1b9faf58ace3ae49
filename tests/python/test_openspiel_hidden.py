"""Games with hidden information, and games for one player, are those of OpenSpiel."""

from __future__ import annotations

import re
from pathlib import Path

import pyspiel
import pytest
from openspiel_peers import Peer, action_called, compare


class Battleship(Peer):
    part = 20

    def name(self, state: pyspiel.State, action: int) -> str:
        words = state.action_to_string(action)
        row, column = (int(number) for number in re.findall(r"\((\d+), (\d+)\)", words)[0])
        square = f"{'abcdefgh'[column]}{row + 1}"
        if "shoot" in words:
            return f"shoot {square}"
        return f"place {square} {'across' if 'horizontally' in words else 'down'}"

    def returns(self, game: dict) -> list[float]:
        first, second = game["score"]
        return [first - second, second - first]


class PhantomTicTacToe(Peer):
    def name(self, state: pyspiel.State, action: int) -> str:
        row, column = divmod(action, 3)
        return f"place {'abc'[column]}{3 - row}"


class TwentyFortyEight(Peer):
    """There the square and the number of a new tile are one event."""

    part = 10
    same_chance = False

    def __init__(self, ours: str, spiel: str, *settings: str) -> None:
        super().__init__(ours, spiel, *settings)
        self.square = ""

    def name(self, state: pyspiel.State, action: int) -> str:
        return f"slide {state.action_to_string(action).lower()}"

    def legal(self, state: pyspiel.State) -> list[int]:
        """All slides that change the board. OpenSpiel's own list lacks those that only merge with a tile made in
        the slide before: it forgets too late that this tile was merged."""
        return [action for action in range(4) if str(state.child(action)) != str(state)]

    def outcomes(self, state: pyspiel.State, event: str) -> list[int]:
        if event.startswith("pick"):
            self.square = event.split()[-1]
            return []
        number = 4 if event == "roll lot 1" else 2
        if len(state.legal_actions()) == 2:  # A single square is free: ours picks none.
            return [state.legal_actions()[number // 2 - 1]]
        column, row = "abcd".index(self.square[0]) + 1, self.square[1]
        return [action_called(state, f"{number} added to row {row}, column {column}")]

    def returns(self, game: dict) -> list[float]:
        return game["score"]


PEERS = [
    Battleship(
        "rules/hidden/battleship.rules",
        "battleship(board_width=8,board_height=8,ship_sizes=[5;4;3;3;2],ship_values=[1;1;1;1;1],num_shots=50,"
        "allow_repeated_shots=False)",
        "shots=50",
    ),
    PhantomTicTacToe("rules/hidden/phantom-tic-tac-toe.rules", "phantom_ttt"),
    PhantomTicTacToe("rules/hidden/phantom-tic-tac-toe.rules", "phantom_ttt(gameversion=abrupt)", "retry=false"),
    TwentyFortyEight("rules/solo/2048.rules", "2048"),
    TwentyFortyEight("rules/solo/2048.rules", "2048(max_tile=64)", "goal=64"),
]


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: f"{peer.ours}-{peer.spiel}")
def test_games_are_those_of_openspiel(peer: Peer, tmp_path: Path) -> None:
    compare(peer, tmp_path)
