"""Carcassonne for two random players: tests/outside/carcassonne.rules as plain Python."""

import random
from dataclasses import dataclass

Place = tuple[int, int]  # column and row of a tile on the table
Spot = tuple[int, int]  # column and row in detail: each tile is three by three spots

PLAYERS = 2
SIDE = 21
DETAIL = 3 * SIDE
WAYS = [(0, 1), (1, 0), (0, -1), (-1, 0)]  # north, east, south and west
AROUND = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]


@dataclass(frozen=True)
class Tile:
    """A kind of tile: the terrains to the north, east, south and west, then that in the middle."""

    sides: tuple[str, str, str, str]
    middle: str
    ways: int  # how many of the four quarter turns differ
    pennant: bool = False
    corner: bool = False


# How often each kind occurs.
KINDS = [
    (2, Tile(("field", "field", "road", "field"), "cloister", 4)),
    (4, Tile(("field", "field", "field", "field"), "cloister", 1)),
    (1, Tile(("city", "city", "city", "city"), "city", 1, pennant=True)),
    (4, Tile(("city", "road", "field", "road"), "road", 4)),
    (5, Tile(("city", "field", "field", "field"), "field", 4)),
    (2, Tile(("field", "city", "field", "city"), "city", 2, pennant=True)),
    (1, Tile(("field", "city", "field", "city"), "city", 2)),
    (3, Tile(("city", "field", "city", "field"), "field", 2)),
    (2, Tile(("city", "city", "field", "field"), "field", 4)),
    (3, Tile(("city", "road", "road", "field"), "road", 4)),
    (3, Tile(("city", "field", "road", "road"), "road", 4)),
    (3, Tile(("city", "road", "road", "road"), "village", 4)),
    (2, Tile(("city", "city", "field", "field"), "city", 4, pennant=True)),
    (3, Tile(("city", "city", "field", "field"), "city", 4)),
    (2, Tile(("city", "city", "road", "road"), "road", 4, pennant=True, corner=True)),
    (3, Tile(("city", "city", "road", "road"), "road", 4, corner=True)),
    (1, Tile(("city", "city", "field", "city"), "city", 4, pennant=True)),
    (3, Tile(("city", "city", "field", "city"), "city", 4)),
    (2, Tile(("city", "city", "road", "city"), "city", 4, pennant=True)),
    (1, Tile(("city", "city", "road", "city"), "city", 4)),
    (8, Tile(("road", "field", "road", "field"), "road", 2)),
    (9, Tile(("field", "field", "road", "road"), "road", 4)),
    (4, Tile(("field", "road", "road", "road"), "village", 4)),
    (1, Tile(("road", "road", "road", "road"), "village", 1)),
]
FIRST = KINDS[3][1]


def shift_place(place: Place, way: tuple[int, int]) -> Place:
    return (place[0] + way[0]) % SIDE, (place[1] + way[1]) % SIDE


def shift_spot(spot: Spot, way: tuple[int, int]) -> Spot:
    return (spot[0] + way[0]) % DETAIL, (spot[1] + way[1]) % DETAIL


def find_middle(place: Place) -> Spot:
    return 3 * place[0] + 1, 3 * place[1] + 1


def find_place(spot: Spot) -> Place:
    return spot[0] // 3, spot[1] // 3


def list_nine(place: Place) -> list[Spot]:
    """Return the spots of a tile, row by row."""
    return [(3 * place[0] + x, 3 * place[1] + y) for y in range(3) for x in range(3)]


def turn_sides(tile: Tile, quarters: int) -> list[str]:
    """Return the terrains to the north, east, south and west of a tile that is turned clockwise."""
    return [tile.sides[(way - quarters) % 4] for way in range(4)]


def flood(ground: dict[Spot, str], start: Spot) -> set[Spot]:
    """Return the spots of the same terrain that are connected with one of them."""
    terrain = ground[start]
    area = {start}
    waiting = [start]
    while waiting:
        spot = waiting.pop()
        for way in WAYS:
            beside = shift_spot(spot, way)
            if beside not in area and ground.get(beside) == terrain:
                area.add(beside)
                waiting.append(beside)
    return area


class Table:
    """The tiles that were laid, their spots, and the followers on them."""

    def __init__(self, rng: random.Random) -> None:
        self.tiles: dict[Place, Tile] = {}
        self.ground: dict[Spot, str] = {}
        self.free: set[Place] = set()
        self.points = [0] * PLAYERS
        self.left = [7] * PLAYERS
        self.men: dict[Spot, int] = {}
        self.bag = [tile for count, tile in KINDS for _ in range(count)]
        self.bag.remove(FIRST)
        rng.shuffle(self.bag)
        self.lay(FIRST, (SIDE // 2, SIDE // 2), 0)

    def lay(self, tile: Tile, place: Place, quarters: int) -> None:
        for spot in list_nine(place):
            self.ground[spot] = "field"
        middle = find_middle(place)
        self.ground[middle] = tile.middle
        for way, terrain in zip(WAYS, turn_sides(tile, quarters)):
            self.ground[shift_spot(middle, way)] = terrain
        if tile.corner:
            brink = shift_spot(middle, WAYS[quarters])
            self.ground[shift_spot(brink, WAYS[(quarters + 1) % 4])] = "city"
        self.tiles[place] = tile
        self.free.discard(place)
        for way in WAYS:
            beside = shift_place(place, way)
            if beside not in self.tiles:
                self.free.add(beside)

    def fits(self, tile: Tile, place: Place, quarters: int) -> bool:
        """Return whether all sides of the tile continue those beside it."""
        middle = find_middle(place)
        for way, terrain in zip(WAYS, turn_sides(tile, quarters)):
            beyond = shift_spot(shift_spot(middle, way), way)
            if self.ground.get(beyond, terrain) != terrain:
                return False
        return True

    def list_places(self, tile: Tile) -> list[tuple[Place, int]]:
        return [
            (place, quarters)
            for place in self.free
            for quarters in range(tile.ways)
            if self.fits(tile, place, quarters)
        ]

    def list_areas(self, spots: list[Spot], terrain: str) -> list[set[Spot]]:
        """Return the different areas of a terrain to which some spots belong."""
        areas: list[set[Spot]] = []
        for spot in spots:
            if self.ground[spot] == terrain and not any(spot in area for area in areas):
                areas.append(flood(self.ground, spot))
        return areas

    def list_follower_spots(self, place: Place) -> list[Spot]:
        """Return one spot of each part of a tile where a follower may stand."""
        spots = []
        nine = {spot: self.ground[spot] for spot in list_nine(place)}
        seen: set[Spot] = set()
        for spot, terrain in nine.items():
            if terrain == "cloister":
                spots.append(spot)
            elif terrain in ("city", "road") and spot not in seen:
                seen |= flood(nine, spot)
                if not any(man in self.men for man in flood(self.ground, spot)):
                    spots.append(spot)
        return spots

    def is_open(self, area: set[Spot]) -> bool:
        return any(shift_spot(spot, way) not in self.ground for spot in area for way in WAYS)

    def settle(self, area: set[Spot], value: int) -> None:
        """Give the points to who has the most followers in an area, and send all of them home."""
        counts = [0] * PLAYERS
        for spot in area:
            if spot in self.men:
                player = self.men.pop(spot)
                counts[player] += 1
                self.left[player] += 1
        for player in range(PLAYERS):
            if counts[player] > 0 and counts[player] == max(counts):
                self.points[player] += value

    def count_worth(self, area: set[Spot], terrain: str) -> int:
        """Return a point for each tile of an area, and for each pennant in a city."""
        places = {find_place(spot) for spot in area}
        if terrain == "road":
            return len(places)
        return len(places) + sum(self.tiles[place].pennant for place in places)

    def count_around(self, place: Place) -> int:
        return sum(shift_place(place, way) in self.tiles for way in AROUND)

    def score_finished(self, here: Place) -> None:
        """Settle what the new tile has finished."""
        for terrain in ("city", "road"):
            for area in self.list_areas(list_nine(here), terrain):
                if not self.is_open(area):
                    worth = self.count_worth(area, terrain)
                    self.settle(area, 2 * worth if terrain == "city" else worth)
        for place in [here] + [shift_place(here, way) for way in AROUND]:
            tile = self.tiles.get(place)
            if tile and tile.middle == "cloister" and self.count_around(place) == 8:
                self.settle({find_middle(place)}, 9)

    def score_rest(self) -> None:
        """Settle what isn't finished at the end."""
        for terrain in ("city", "road"):
            for area in self.list_areas(list(self.men), terrain):
                self.settle(area, self.count_worth(area, terrain))
        for spot in list(self.men):
            self.settle({spot}, 1 + self.count_around(find_place(spot)))


def play(rng: random.Random) -> dict[str, float]:
    """Play one game of random players; return how long it was and what they scored."""
    table = Table(rng)
    decisions = turns = 0
    me = 0
    while table.bag:
        turns += 1
        places: list[tuple[Place, int]] = []
        while table.bag and not places:
            tile = table.bag.pop()
            places = table.list_places(tile)
        if places:
            decisions += 1
            here, quarters = rng.choice(places)
            table.lay(tile, here, quarters)
            spots: list[Spot | None] = [None]
            if table.left[me] > 0:
                spots += table.list_follower_spots(here)
            decisions += 1
            spot = rng.choice(spots)
            if spot is not None:
                table.men[spot] = me
                table.left[me] -= 1
            table.score_finished(here)
        me = 1 - me
    table.score_rest()
    points = table.points
    return {
        "decisions": decisions,
        "turns": turns,
        "score_1": points[0],
        "score_2": points[1],
        "winner_1": 0.5 if points[0] == points[1] else float(points[0] > points[1]),
        "winner_2": 0.5 if points[0] == points[1] else float(points[1] > points[0]),
        "draw": float(points[0] == points[1]),
    }
