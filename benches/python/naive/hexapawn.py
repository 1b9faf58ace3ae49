"""Random games of hexapawn in plain Python, by the rules of tests/outside/hexapawn.rules."""

import random

Site = tuple[int, int]  # column and row, from 1
Move = tuple[Site, Site]

WHITE, BLACK = 0, 1
FORTH = {WHITE: 1, BLACK: -1}
GOAL = {WHITE: 3, BLACK: 1}
ENDS = ("across", "taken", "stuck")


def list_moves(pawns: dict[Site, int], player: int) -> list[Move]:
    """Lists the steps ahead and the takes aslant of a player.

    No pawn stands on its far row, since that ends the game.
    """
    moves = []
    for site, owner in pawns.items():
        if owner == player:
            column, row = site[0], site[1] + FORTH[player]
            if (column, row) not in pawns:
                moves.append((site, (column, row)))
            for beside in (column - 1, column + 1):
                if pawns.get((beside, row)) == 1 - player:
                    moves.append((site, (beside, row)))
    return moves


def play(rng: random.Random) -> dict[str, float]:
    """Plays a whole game."""
    pawns = {(column, 1): WHITE for column in (1, 2, 3)} | {(column, 3): BLACK for column in (1, 2, 3)}
    player = WHITE
    moves = list_moves(pawns, player)
    turns = 0
    while True:
        start, goal = rng.choice(moves)
        pawns[goal] = pawns.pop(start)
        turns += 1
        if goal[1] == GOAL[player]:
            end = "across"
            break
        if 1 - player not in pawns.values():
            end = "taken"
            break
        moves = list_moves(pawns, 1 - player)
        if not moves:
            end = "stuck"
            break
        player = 1 - player
    result: dict[str, float] = {"decisions": turns, "turns": turns}
    result |= {f"winner_{seat + 1}": float(seat == player) for seat in (WHITE, BLACK)}
    result |= {f"end_{name}": float(name == end) for name in ENDS}
    return result
