"""Random games of dark chess in plain Python, by the rules of tests/outside/dark-chess.rules.

After each move both players look again, as the rules say, though random players need not.
"""

import random
from collections import Counter

Site = tuple[int, int]  # column and row, from 1
Man = tuple[int, str]  # player and kind
Move = tuple[Site, Site, str]  # from, to, and the man's kind after the move

WHITE, BLACK = 0, 1
AHEAD = {WHITE: 1, BLACK: -1}
HOME = {WHITE: 1, BLACK: 8}
QUIET_LIMIT = 100
CELLS = {(column, row) for column in range(1, 9) for row in range(1, 9)}
STRAIGHT = [(0, 1), (1, 0), (0, -1), (-1, 0)]
OBLIQUE = [(1, 1), (1, -1), (-1, -1), (-1, 1)]
LEAPS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
GLIDES = {"rook": STRAIGHT, "bishop": OBLIQUE, "queen": STRAIGHT + OBLIQUE}
BACK_ROW = ["rook", "knight", "bishop", "queen", "king", "bishop", "knight", "rook"]
PROMOTIONS = ["knight", "bishop", "rook", "queen"]
ENDS = ("king", "stalemate", "quiet", "repeated")


class Position:
    """The men on the board, the rights of castling and en passant, and what each player sees."""

    def __init__(self) -> None:
        self.men: dict[Site, Man] = {}
        for player in (WHITE, BLACK):
            for column, kind in enumerate(BACK_ROW, 1):
                self.men[column, HOME[player]] = (player, kind)
                self.men[column, HOME[player] + AHEAD[player]] = (player, "pawn")
        self.castles = {(column, row) for column in (1, 8) for row in (1, 8)}
        self.passed: Site | None = None
        self.quiet = 0
        self.seen: list[dict[Site, Man]] = [{}, {}]
        self.fog: list[set[Site]] = [set(), set()]
        self.look()

    def look(self) -> None:
        """Shows each player the own men, the cells that they attack or can go to, and who stands there."""
        for player in (WHITE, BLACK):
            sight = set()
            for site, (owner, kind) in self.men.items():
                if owner == player:
                    sight.add(site)
                    sight.update(self.list_attacks(site))
                    if kind == "pawn":
                        sight.update(self.list_pawn_steps(site))
            self.seen[player] = {site: man for site, man in self.men.items() if site in sight}
            self.fog[player] = CELLS - sight

    def list_attacks(self, site: Site) -> list[Site]:
        """Lists the cells that a man attacks, whoever stands there."""
        player, kind = self.men[site]
        column, row = site
        if kind == "pawn":
            offsets = [(-1, AHEAD[player]), (1, AHEAD[player])]
        elif kind == "knight":
            offsets = LEAPS
        elif kind == "king":
            offsets = STRAIGHT + OBLIQUE
        else:
            attacks = []
            for x, y in GLIDES[kind]:
                cell = (column + x, row + y)
                while cell in CELLS:
                    attacks.append(cell)
                    if cell in self.men:
                        break
                    cell = (cell[0] + x, cell[1] + y)
            return attacks
        return [(column + x, row + y) for x, y in offsets if (column + x, row + y) in CELLS]

    def list_pawn_steps(self, site: Site) -> list[Site]:
        """Lists the free cells to which a pawn can step: one ahead, or two from its first row."""
        player, _ = self.men[site]
        column, row = site
        one, two = (column, row + AHEAD[player]), (column, row + 2 * AHEAD[player])
        if one in self.men:
            return []
        if row == HOME[player] + AHEAD[player] and two not in self.men:
            return [one, two]
        return [one]

    def list_castlings(self, player: int) -> list[Site]:
        """Lists the cells to which a king can castle."""
        row = HOME[player]
        castlings = []
        if (1, row) in self.castles and not any((column, row) in self.men for column in (2, 3, 4)):
            castlings.append((3, row))
        if (8, row) in self.castles and not any((column, row) in self.men for column in (6, 7)):
            castlings.append((7, row))
        return castlings

    def list_goals(self, site: Site) -> list[Site]:
        """Lists the cells to which a man can go."""
        player, kind = self.men[site]
        attacks = self.list_attacks(site)
        if kind == "pawn":
            takes = [cell for cell in attacks if cell == self.passed or cell in self.men]
            goals = self.list_pawn_steps(site) + takes
        elif kind == "king":
            goals = attacks + self.list_castlings(player)
        else:
            goals = attacks
        return [goal for goal in goals if goal not in self.men or self.men[goal][0] != player]

    def list_moves(self, player: int) -> list[Move]:
        """Lists the moves of a player, into check as well."""
        moves = []
        for site, (owner, kind) in self.men.items():
            if owner == player:
                for goal in self.list_goals(site):
                    if kind == "pawn" and goal[1] == HOME[1 - player]:
                        moves += [(site, goal, promotion) for promotion in PROMOTIONS]
                    else:
                        moves.append((site, goal, kind))
        return moves

    def move(self, player: int, start: Site, goal: Site, becomes: str) -> bool:
        """Moves a man. Returns `True` if the other's king was taken."""
        _, kind = self.men.pop(start)
        taken = self.men.pop(goal, None)
        self.quiet = 0 if kind == "pawn" or taken is not None else self.quiet + 1
        if kind == "king":
            row = HOME[player]
            if abs(goal[0] - start[0]) == 2:
                rook, beside = ((8, row), (6, row)) if goal[0] == 7 else ((1, row), (4, row))
                self.men[beside] = self.men.pop(rook)
            self.castles -= {(1, row), (8, row)}
        if kind == "pawn" and goal == self.passed:
            del self.men[goal[0], start[1]]
        self.castles -= {start, goal}
        self.men[goal] = (player, becomes)
        self.passed = None
        if kind == "pawn" and abs(goal[1] - start[1]) == 2:
            self.passed = (start[0], start[1] + AHEAD[player])
        return taken == (1 - player, "king")


def play(rng: random.Random) -> dict[str, float]:
    """Plays a whole game."""
    position = Position()
    player = WHITE
    moves = position.list_moves(player)
    occurred: Counter[object] = Counter()
    turns = 0
    while True:
        key = (frozenset(position.men.items()), frozenset(position.castles), position.passed, player)
        if occurred[key] == 2:
            end = "repeated"
            break
        occurred[key] += 1
        king_taken = position.move(player, *rng.choice(moves))
        position.look()
        turns += 1
        if king_taken:
            end = "king"
            break
        moves = position.list_moves(1 - player)
        if not moves:
            end = "stalemate"
            break
        if position.quiet == QUIET_LIMIT:
            end = "quiet"
            break
        player = 1 - player
    result: dict[str, float] = {"decisions": turns, "turns": turns}
    for seat in (WHITE, BLACK):
        result[f"winner_{seat + 1}"] = float(seat == player) if end == "king" else 0.5
    result |= {f"end_{name}": float(name == end) for name in ENDS}
    return result
