"""Chess and its variants by their laws: what comes before a counted draw, and which positions are the same."""

from __future__ import annotations

from typing import Any

import houserule as hr
import pytest


def place(game: str, rows: str, params: dict[str, Any] | None = None, **values: object) -> hr.State:
    """Returns the position of a board as in FEN, without what FEN says after it."""
    wide = ["".join("." * int(sign) if sign.isdigit() else sign for sign in row) for row in rows.split("/")]
    lines = [f"{len(wide) - i} {' '.join(row)}" for i, row in enumerate(wide)]
    lines.append("  " + " ".join("abcdefghi"[: len(wide[0])]))
    return hr.load(game, **(params or {})).position("\n".join(lines + [f"{name} = {value}" for name, value in values.items()]))


def play(state: hr.State, moves: str) -> hr.State:
    """Plays moves such as `e2e4`."""
    for move in moves.split():
        assert not state.is_over, f"before {move}"
        state.apply(f"move {move[:2]} {move[2:]}")
    return state


@pytest.mark.parametrize(
    ("game", "rows", "mover", "move", "limit"),
    [
        ("chess", "7k/8/6K1/8/8/8/8/R7", "white", "move a1 a8", 100),
        ("chess-los-alamos", "5k/6/4K1/6/6/R5", "white", "move a1 a6", 100),
        ("chinese-chess", "4g4/R8/1R7/9/9/9/9/9/9/3G5", "red", "move b8 b10", 120),
        ("chinese-chess", "3g5/9/R8/9/9/9/9/9/9/4G4", "red", "move a8 a9", 120),
    ],
)
def test_a_mate_comes_before_the_count_of_quiet_moves(game: str, rows: str, mover: str, move: str, limit: int) -> None:
    for quiet in (limit - 2, limit - 1):
        state = place(game, rows, mover=mover, quiet=quiet)
        state.apply(move)
        assert state.outcome is not None and list(state.outcome.winners) == [0], quiet


def test_a_king_in_check_moves_once_more_before_the_draw() -> None:
    # The queen takes the rook, which would begin the count anew; but the limit was reached before.
    state = play(place("chess", "7k/8/6K1/3q4/8/8/8/R7", mover="white", quiet=99), "a1h1")
    assert not state.is_over
    state = play(state, "d5h1")
    assert state.outcome is not None and state.outcome.end == "quiet"
    state = play(place("chess", "k7/7q/8/8/8/8/8/1RK5", mover="white", quiet=99), "c1d1")
    assert state.outcome is not None and state.outcome.end == "quiet"


@pytest.mark.parametrize(
    ("rows", "mover", "castles", "moves"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "white", "a1, h1, a8, h8", "e2e4 e7e5 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8"),
        # The pawn that could take in passing is pinned on its file; or its king would be left in the check that the move opened.
        ("6k1/1p2p1rp/rP1pR3/2pP1pP1/p1P2P1P/R5K1/8/8", "black", "", "h7h5 e6h6 g7h7 h6e6 h7g7 e6h6 g7h7 h6e6 h7g7"),
        ("8/8/8/8/4p3/8/R2P3k/K7", "white", "", "d2d4 h2h3 a2a3 h3h2 a3a2 h2h1 a2a3 h1h2 a3a2"),
    ],
)
def test_positions_are_the_same_if_the_same_can_be_played(rows: str, mover: str, castles: str, moves: str) -> None:
    *before, last = moves.split()
    state = play(place("chess", rows, castles=f"{{{castles}}}", mover=mover), " ".join(before))
    assert not state.is_over
    state = play(state, last)
    assert state.outcome is not None and state.outcome.end == "repeated"


def test_a_capture_in_passing_that_is_allowed_makes_another_position() -> None:
    state = play(place("chess", "4k3/8/8/8/4p3/8/3P4/4K3", castles="{}", mover="white"), "d2d4")
    assert "move e4 d3" in state.legal_names()
    state = play(place("chess", "4k3/8/8/8/4p3/8/3P4/4K3", castles="{}", mover="white"), "d2d4 e8d8 e1d1 d8e8 d1e1 e8d8 e1d1 d8e8")
    # The position after the next move has been there twice before, but with the capture once.
    assert not play(state, "d1e1").is_over


def test_variants_compare_what_belongs_to_them() -> None:
    state = hr.load("chess-los-alamos").start(1)
    state = play(state, "b1c3 b6c4 a1b1 a6b6 b1a1 b6a6 a1b1 a6b6 b1a1 b6a6")
    assert state.outcome is not None and state.outcome.end == "repeated", "nobody castles"
    state = place("chess-three-checks", "k7/8/8/8/8/7p/4R2P/7K", castles="{}", mover="white")
    state = play(state, "e2e8 a8a7 e8e1 a7a8 e1e8 a8a7 e8e1 a7a8 e1e8")
    assert state.outcome is not None and state.outcome.end == "checked", "each check makes another position"


@pytest.mark.parametrize(
    ("game", "rows", "move", "wins"),
    [
        ("chess-three-checks", "4k3/8/8/8/8/7p/8/R3K3", "a1a8", True),
        ("chess-three-checks", "4k3/8/8/8/4N3/8/8/4K3", "e4d6", True),
        ("chess-three-checks", "4k3/8/8/8/4N3/8/8/4K3", "e4g5", False),
        ("chess-king-of-the-hill", "k7/8/8/8/8/3K4/7p/8", "d3d4", True),
        ("chess-king-of-the-hill", "k7/8/8/8/8/3K4/8/7n", "d3d4", True),
        ("chess-king-of-the-hill", "k7/8/8/8/8/3K4/8/8", "d3d4", True),
        ("chess-king-of-the-hill", "k7/8/8/8/8/8/8/7K", "h1g1", False),
    ],
)
@pytest.mark.parametrize("quiet", [0, 99])
def test_few_men_are_enough_for_the_end_of_a_variant(game: str, rows: str, move: str, wins: bool, quiet: int) -> None:
    checks = {"checks": "2 0"} if game == "chess-three-checks" else {}
    state = play(place(game, rows, mover="white", quiet=quiet, **checks), move)
    if wins:
        assert state.outcome is not None and list(state.outcome.winners) == [0]
    else:
        assert state.is_over == (quiet == 99), "only the count ends it"
