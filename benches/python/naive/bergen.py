"""Bergen for two random players: tests/outside/bergen.rules as plain Python."""

import random

Tile = tuple[int, int]  # the lower and the higher number

PLAYERS = 2
GOAL = 15
KEPT = 2
TILES: list[Tile] = [(low, high) for low in range(7) for high in range(low, 7)]


class Line:
    """The line of tiles: the numbers at its left and right end, and which of the end tiles are doubles."""

    def __init__(self, tile: Tile) -> None:
        self.numbers = list(tile)
        self.doubled = [tile[0] == tile[1]] * 2

    def list_plays(self, hand: list[Tile]) -> list[tuple[Tile, int]]:
        return [(tile, end) for tile in hand for end in range(2) if self.numbers[end] in tile]

    def join(self, tile: Tile, end: int) -> int:
        """Lay a tile at an end. Return the points for it."""
        self.numbers[end] = sum(tile) - self.numbers[end]
        self.doubled[end] = tile[0] == tile[1]
        if self.numbers[0] != self.numbers[1]:
            return 0
        return 3 if self.doubled[0] != self.doubled[1] else 2


def find_lightest(hands: list[list[Tile]]) -> list[int]:
    """Return the players with the fewest doubles, and of these those with the fewest pips."""
    weights = [(sum(low == high for low, high in hand), sum(map(sum, hand))) for hand in hands]
    return [player for player in range(PLAYERS) if weights[player] == min(weights)]


def play(rng: random.Random) -> dict[str, float]:
    """Play one game of random players; return how long it was and what they scored."""
    boneyard = TILES[:]
    rng.shuffle(boneyard)
    hands = [[boneyard.pop() for _ in range(6)] for _ in range(PLAYERS)]
    points = [0] * PLAYERS
    held = [tile for hand in hands for tile in hand]
    doubles = [tile for tile in held if tile[0] == tile[1]]
    first = min(doubles) if doubles else min(held, key=lambda tile: (sum(tile), tile))
    setter = next(player for player in range(PLAYERS) if first in hands[player])
    hands[setter].remove(first)
    if doubles:
        points[setter] += 2
    line = Line(first)

    decisions = turns = passes = 0
    me = setter
    end = ""
    while not end:
        me = (me + 1) % PLAYERS
        turns += 1
        plays = line.list_plays(hands[me])
        if not plays and len(boneyard) > KEPT:
            hands[me].append(boneyard.pop())
            plays = line.list_plays(hands[me])
        if plays:
            decisions += 1
            tile, side = rng.choice(plays)
            hands[me].remove(tile)
            points[me] += line.join(tile, side)
            passes = 0
        else:
            passes += 1
        if points[me] >= GOAL:
            end = "goal_reached"
        elif not hands[me]:
            points[me] += 1
            end = "out"
        elif passes == PLAYERS:
            lightest = find_lightest(hands)
            if len(lightest) == 1:
                points[lightest[0]] += 1
            end = "blocked"

    return {
        "decisions": decisions,
        "turns": turns,
        "score_1": points[0],
        "score_2": points[1],
        "winner_1": 0.5 if points[0] == points[1] else float(points[0] > points[1]),
        "winner_2": 0.5 if points[0] == points[1] else float(points[1] > points[0]),
        "draw": float(points[0] == points[1]),
        "goal_reached": float(end == "goal_reached"),
        "out": float(end == "out"),
        "blocked": float(end == "blocked"),
    }
