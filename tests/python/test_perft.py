"""How many sequences of moves lead on from positions of chess and its kin, beside counts from the literature."""

from __future__ import annotations

import houserule as hr
import pytest
from extent import tries
from rule_files import load
from shelf_helpers import perft


def turns(state: hr.State, depth: int) -> int:
    """The number of sequences of that many turns. Of ways through a turn that lead to the same position, one counts."""
    if depth == 0 or state.is_over:
        return int(depth == 0)
    after: dict[str, hr.State] = {}
    open_turns = [state]
    while open_turns:
        within = open_turns.pop()
        for action in within.legal_actions():
            then = within.clone()
            then.apply(action)
            if then.is_over or then.current_player != state.current_player:
                after[then.position()] = then
            else:
                open_turns.append(then)
    return len(after) if depth == 1 else sum(turns(then, depth - 1) for then in after.values())


def shallow(counts: list[int]) -> list[int]:
    """In `./test` without the greatest depth, which takes longer than all others together."""
    return tries(counts[:-1], counts)


def from_fen(fen: str) -> str:
    """A position of chess in the notation of drawings."""
    board, mover, castling, *_ = fen.split()
    rows = ["".join("." * int(sign) if sign.isdigit() else sign for sign in row) for row in board.split("/")]
    lines = [f"{8 - number} {' '.join(row)}" for number, row in enumerate(rows)]
    rooks = [{"K": "h1", "Q": "a1", "k": "h8", "q": "a8"}[sign] for sign in castling if sign != "-"]
    player = "white" if mover == "w" else "black"
    return "\n".join([*lines, "  a b c d e f g h", f"castles = {{{', '.join(rooks)}}}", f"mover = {player}"])


# Chess Programming Wiki, "Perft Results".
CHESS = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq", [20, 400, 8902, 197281]),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq", [48, 2039, 97862]),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w -", [14, 191, 2812, 43238]),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq", [6, 264, 9467]),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ", [44, 1486, 62379]),
]


@pytest.mark.parametrize(("fen", "counts"), CHESS)
def test_chess(fen: str, counts: list[int]) -> None:
    state, counts = load("war/chess").position(from_fen(fen)), shallow(counts)
    assert [perft(state, depth) for depth in range(1, len(counts) + 1)] == counts


# Tests of Fairy-Stockfish ("tests/perft.sh"); that of Chinese chess from the Chess Programming Wiki.
OTHERS = [
    ("variants/chess-los-alamos", 5, 191846),
    ("war/chinese-chess", 3, 79666),
    ("war/minishogi", 5, 533203),
]


@pytest.mark.one_of(3)
@pytest.mark.parametrize(("name", "depth", "count"), OTHERS)
def test_kin_of_chess(name: str, depth: int, count: int) -> None:
    assert perft(load(name).start(), depth) == count


def test_english_draughts() -> None:
    """A. Bik, "perft for 8x8 checkers", Computer Chess Club (2009)."""
    start, counts = load("war/english-draughts").start(), shallow([7, 49, 302, 1469, 7361, 36768])
    assert [turns(start, depth) for depth in range(1, len(counts) + 1)] == counts


# R. Halbersma, "Perft for all recognized draughts variants", World Draughts Forum (2010): the first position, that of
# Woldouby, and one in which a king can take 14.
DRAUGHTS = [
    (f"W{','.join(map(str, range(31, 51)))}", f"B{','.join(map(str, range(1, 21)))}", "white", [9, 81, 658, 4265]),
    ("W25,27,28,30,32,33,34,35,37,38", "B12,13,14,16,18,19,21,23,24,26", "white", [6, 12, 30, 73, 215, 590]),
    ("W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46", "BK17,K24", "black", [14, 55, 1168]),
]


def from_numbers(white: str, black: str, mover: str) -> str:
    """A position of draughts, whose dark cells are numbered from the top left, in the notation of drawings."""
    cells = [["."] * 10 for _ in range(10)]
    for army in (white, black):
        man = army[0].lower()
        for word in army[1:].split(","):
            row, place = divmod(int(word.lstrip("K")) - 1, 5)
            cells[row][2 * place + 1 - row % 2] = man.upper() if word[0] == "K" else man
    lines = [f"{10 - number} {' '.join(row)}" for number, row in enumerate(cells)]
    return "\n".join([*lines, "  a b c d e f g h i j", f"mover = {mover}"])


@pytest.mark.parametrize(("white", "black", "mover", "counts"), DRAUGHTS, ids=["start", "Woldouby", "kings"])
def test_international_draughts(white: str, black: str, mover: str, counts: list[int]) -> None:
    game = load("war/international-draughts")
    start, counts = game.position(from_numbers(white, black, mover)), shallow(counts)
    assert [turns(start, depth) for depth in range(1, len(counts) + 1)] == counts


SMALL = [("brazilian", [7, 49, 302, 1469, 7473]), ("russian", [7, 49, 302, 1469, 7482])]


@pytest.mark.parametrize(("variant", "counts"), SMALL)
def test_draughts_on_small_boards(variant: str, counts: list[int]) -> None:
    start, counts = load(f"variants/international-draughts-{variant}").start(), shallow(counts)
    assert [turns(start, depth) for depth in range(1, len(counts) + 1)] == counts


def test_a_dropped_pawn_does_not_checkmate_in_minishogi() -> None:
    """Rules without that clause let the pawn be dropped, and then tell whether the other has a move."""
    game = load("war/minishogi")
    assert " and mates(c)" in game.source
    free = hr.parse(game.source.replace(" and mates(c)", " and false"))
    mates = 0
    for index in range(tries(12, 60)):
        state = free.start(seed=3, index=index)
        while not state.is_over:
            allowed = set(state.legal_names())
            for action in [name for name in allowed if name.startswith("drop pawn")]:
                after = state.clone()
                after.apply(action)
                if after.is_over and after.outcome.end == "checkmate":
                    mates += 1
                    allowed.remove(action)
            assert set(game.position(state.position()).legal_names()) == allowed, state.text()
            state.apply(state.random_action())
    assert mates > 0
