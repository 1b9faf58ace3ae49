"""Board games that are the same as OpenSpiel's, compared as in test_openspiel.py.

These games are longer, so fewer of them are compared.
"""

from __future__ import annotations

import re
from pathlib import Path

import pyspiel
import pytest
from openspiel_peers import Peer, compare, square
from rule_files import path


class BoardPeer(Peer):
    #: -1 if who wins there loses ours.
    sign = 1

    def returns(self, game: dict) -> list[float]:
        return [self.sign * value for value in game["returns"]]


def place(at: pyspiel.chess.Square) -> str:
    return square(at.x, at.y)


class Swapped:
    """A state in which the second seat begins, with the seats the other way round."""

    def __init__(self, state: pyspiel.State) -> None:
        self.state = state

    def __getattr__(self, name: str) -> object:
        return getattr(self.state, name)

    def __str__(self) -> str:
        return str(self.state)

    def current_player(self) -> int:
        return 1 - self.state.current_player()

    def returns(self) -> list[float]:
        return self.state.returns()[::-1]


class Chess(BoardPeer):
    """There black is the first seat, and castling is written as the king's move."""

    part = 100
    row = "RNBQKBNR"

    def start(self) -> Swapped:
        return Swapped(super().start())

    def goes_on(self, state: pyspiel.State, game: dict, number: int) -> bool:
        """In check at the limit of quiet moves, ours asks for a way out: there may be none."""
        return number == len(game["events"]) and str(state).split()[4] == "100" and list(state.returns()) == game["returns"]

    def known_name(self, state: pyspiel.State, action: int) -> str:
        move = pyspiel.chess.action_to_move(action, state.board())
        start, end = place(move.from_square), place(move.to_square)
        if move.is_castling():
            rook = self.row.rindex("R") if end[0] == "g" else self.row.index("R")
            return f"castle {square(rook, move.from_square.y)}"
        if move.promotion_type == pyspiel.chess.PieceType.EMPTY:
            return f"move {start} {end}"
        return f"promote {start} {end} {move.promotion_type.name.lower()}"


class Hill(Swapped):
    """Chess in which a king in the middle wins."""

    def row(self, number: int) -> str:
        """The squares of a row, counted from the top and 0, with a dot for an empty one."""
        row = str(self.state).split()[0].split("/")[number]
        return re.sub(r"\d", lambda count: "." * int(count[0]), row)

    def winner(self) -> int | None:
        middle = self.row(3)[3:5] + self.row(4)[3:5]
        return 0 if "K" in middle else 1 if "k" in middle else None

    def is_terminal(self) -> bool:
        return self.winner() is not None or self.state.is_terminal()

    def returns(self) -> list[float]:
        return super().returns() if self.winner() is None else [(1, -1), (-1, 1)][self.winner()]


class Checks(Hill):
    """Chess in which the third check wins."""

    def __init__(self, state: pyspiel.State) -> None:
        super().__init__(state)
        self.checks = [0, 0]

    def apply_action(self, action: int) -> None:
        self.checks[self.current_player()] += self.state.action_to_string(action)[-1] in "+#"
        self.state.apply_action(action)

    def winner(self) -> int | None:
        return self.checks.index(3) if 3 in self.checks else None


class ChessTo(Chess):
    """Chess with another end."""

    def __init__(self, ours: str, state: type[Swapped]) -> None:
        super().__init__(path(ours), "chess")
        self.state = state

    def start(self) -> Swapped:
        return self.state(super().start().state)

    def goes_on(self, state: pyspiel.State, game: dict, number: int) -> bool:
        """A man or two are too few for a mate, but not for this end."""
        men = re.sub("[^A-Z]", "", str(state).split()[0].upper())
        return super().goes_on(state, game, number) or len(men) < 6 and list(state.returns()) == [0, 0]


class Draughts(BoardPeer):
    part = 20

    def name(self, state: pyspiel.State, action: int) -> str:
        word = state.action_to_string(action)
        return f"{'jump' if abs(int(word[3]) - int(word[1])) == 2 else 'step'} {word[:2]} {word[2:]}"


class DraughtsGiveaway(Draughts):
    sign = -1


class Stones(BoardPeer):
    """A board of six-sided cells."""

    part = 10

    def name(self, state: pyspiel.State, action: int) -> str:
        return f"place {state.action_to_string(action)}"


class StonesMisere(Stones):
    sign = -1


class Havannah(Stones):
    """There rows count from the top, and a swap is a stone on the first one."""

    def __init__(self, size: int, swap: bool = False) -> None:
        ours = "variants/havannah-swap" if swap else "connection/havannah"
        super().__init__(path(ours), f"havannah(board_size={size},swap={swap})", f"size={size}")
        self.size = size

    def known_name(self, state: pyspiel.State, action: int) -> str:
        if action in state.history():
            return "swap"
        word = state.action_to_string(action)
        return f"place {word[0]}{2 * self.size - int(word[1:])}"


class WallRace(BoardPeer):
    """There rows count from the top, a wall is named after the cell above its middle, and the number of a step depends
    on where the runner stands."""

    part = 20

    def known_name(self, state: pyspiel.State, action: int) -> str:
        word = state.action_to_string(action)
        column, row, way = word[0], int(word[1]), word[2:]
        if way:
            return f"build {column}{9 - row} {'upright' if way == 'v' else 'lying'}"
        return f"go {column}{10 - row}"


class Bridges(BoardPeer):
    """There the second player may put the first peg on that of the other: a swap."""

    part = 10

    def __init__(self, ours: str, size: int) -> None:
        super().__init__(path(ours), f"twixt(board_size={size},ansi_color_output=False)", f"size={size}")
        self.swaps = "swap" in ours

    def written(self, state: pyspiel.State) -> dict[str | None, tuple[int, ...]]:
        names = {f"place {state.action_to_string(action)[1:]}": (action,) for action in state.legal_actions()}
        if state.move_number() == 1:
            first = f"place {state.action_to_string(0, state.history()[0])[1:]}"
            swap = names.pop(first, None)
            if self.swaps and swap:
                names["swap"] = swap
        return names

    def known_name(self, state: pyspiel.State, action: int) -> str:
        return state.action_to_string(action)


class ChineseChess(BoardPeer):
    """There places count from the top left, no position is a draw, and the 500th move ends the game."""

    part = 200

    def known(self, game: dict) -> dict:
        events = game["events"]
        return game if len(events) <= 500 else {**game, "events": events[:500], "returns": [0, 0]}

    def name(self, state: pyspiel.State, action: int) -> str:
        row, column, to_row, to_column = (int(number) for number in re.findall(r"\d+", state.action_to_string(action)))
        return f"move {square(column, 9 - row)} {square(to_column, 9 - to_row)}"


class RandomRow(Chess):
    """Chess with the row of the game that is followed."""

    def start(self) -> Swapped:
        lines = f"{self.row.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{self.row}"
        return Swapped(pyspiel.load_game(self.spiel).new_initial_state(f"{lines} w KQkq - 0 1"))

    def known(self, game: dict) -> dict:
        """Without the picks, which name the cells of both bishops, the queen and both knights."""
        row = [""] * 8
        for kind, pick in zip("BBQNN", game["events"]):
            row["abcdefgh".index(pick["event"].split()[1][0])] = kind
        for kind in "RKR":
            row[row.index("")] = kind
        self.row = "".join(row)
        return {**game, "events": game["events"][5:]}


class ChineseCheckers(BoardPeer):
    """There holes are numbered row by row from the top, and who can't move passes."""

    part = 200
    ROWS = (1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1)
    #: The column, in halves of a hole, of the first hole of each row.
    FIRST = (12, 11, 10, 9, 0, 1, 2, 3, 4, 3, 2, 1, 0, 9, 10, 11, 12)
    HOLES = [
        square((first + 2 * place - 4 + row) // 2, 16 - row)
        for row, (count, first) in enumerate(zip(ROWS, FIRST))
        for place in range(count)
    ]

    def __init__(self, players: int) -> None:
        super().__init__(path("race/chinese-checkers"), f"chinese_checkers(players={players})")
        self.players = players

    def known_name(self, state: pyspiel.State, action: int) -> str | None:
        word = state.action_to_string(action)
        if word == "Pass":
            return "stop" if "hopping" in str(state) else None
        start, end = (self.HOLES[int(number)] for number in re.split("->|=>", word))
        return f"{'hop' if '=' in word else 'step'} {start} {end}"

    def returns(self, game: dict) -> list[float]:
        """There the winner gains what all others lose."""
        return [value * (self.players - 1) for value in game["returns"]]


PEERS = [
    Chess(path("war/chess"), "chess"),
    ChessTo("variants/chess-king-of-the-hill", Hill),
    ChessTo("variants/chess-three-checks", Checks),
    RandomRow(path("variants/chess-random-row"), "chess(chess960=true)"),
    Draughts(path("war/english-draughts"), "checkers", "quiet_limit=40"),
    DraughtsGiveaway(path("variants/english-draughts-giveaway"), "checkers", "quiet_limit=40"),
    ChineseChess(path("war/chinese-chess"), "xiangqi", "quiet_limit=500", "repeats=10"),
    ChineseCheckers(2),
    ChineseCheckers(3),
    ChineseCheckers(4),
    ChineseCheckers(6),
    Havannah(4),
    Havannah(8),
    Havannah(5, swap=True),
    Stones(path("connection/y"), "y(board_size=5)", "size=5"),
    Stones(path("connection/y"), "y(board_size=11)"),
    StonesMisere(path("variants/y-misere"), "y(board_size=5)", "size=5"),
    WallRace(path("connection/wall-race"), "quoridor", "turn_limit=324"),
    Bridges("connection/bridges", 6),
    Bridges("connection/bridges", 12),
    Bridges("variants/bridges-swap", 8),
]


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: f"{Path(peer.ours).stem}-{peer.spiel}")
def test_board_games_are_those_of_openspiel(peer: Peer, tmp_path: Path) -> None:
    compare(peer, tmp_path)
