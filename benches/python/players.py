"""How strong players that learned are, as the table of docs/agents.md: each is trained on one thread for the seconds of processor time that stand there.

    python benches/python/players.py [--part 0.1] [GAME ...]

Wants a release build of the package (``maturin develop --release``). ``--part`` is the part of the games that is played. A win that two share counts
one half; of one player the mean score; intervals are of 95 %, over sets in which everybody sits in every seat on the same dice. One training is one
player: the spread of trainings is not in the intervals.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import houserule as hr


class Row(NamedTuple):
    """What is trained, and against whom it plays in how many games."""

    game: str
    seconds: int
    against: dict[str, int]
    players: int | None = None
    params: dict[str, int] = {}
    led: str | None = None
    """A search led by the player, which plays as well."""


ROWS = [
    Row("dilido", 15, {"alone": 20_000}),
    Row("dilido", 60, {"alone": 20_000}),
    Row("dilido-8x8", 15, {"alone": 5_000, "mcts:1000": 200}),
    Row("dilido-torus", 15, {"alone": 5_000, "mcts:1000": 200}),
    Row("dilido", 15, {"alone": 5_000, "mcts:1000": 200}, params={"adjacency": 4}),
    Row("pig", 60, {"exact": 10_000}),
    Row("connect-four", 60, {"mcts:100": 2_000, "mcts:1000": 400}, led="mcts:50"),
    Row("dots-and-boxes", 30, {"mcts:100": 400, "greedy": 1_000}),
    Row("reversi", 30, {"mcts:100": 1_000, "greedy": 2_000}),
    Row("dice-wide-shut", 60, {"greedy": 1_000, "mcts:100": 800, "mcts:1000": 100}, players=2),
    Row("dice-wide-shut", 60, {"greedy": 800, "mcts:100": 200, "mcts:1000": 40}, players=4),
    Row("dominoes", 30, {"greedy": 400, "ismcts:1000": 200}, players=2, led="ismcts:50"),
    Row("yacht", 60, {"alone": 2_000, "mcts:1000": 200}),
    Row("dicrono", 60, {"greedy": 4_000, "mcts:100": 2_000}),
    Row("kalah", 60, {"greedy": 2_000, "mcts:100": 1_000}),
    Row("breakthrough", 60, {"greedy": 1_000, "mcts:100": 400}),
    Row("hex", 60, {"greedy": 1_000, "mcts:100": 1_000}, params={"size": 7}),
    Row("nine-mens-morris", 60, {"greedy": 1_000, "mcts:100": 100}),
    Row("go", 60, {"greedy": 200, "mcts:100": 100}, params={"size": 9}),
    Row("points-small", 60, {"greedy": 100, "mcts:100": 40}, params={"width": 20, "height": 20}),
]


def tell(row: Row, part: float, folder: Path) -> None:
    game = hr.load(row.game, players=row.players, **row.params)
    trained = hr.learn(game, seconds=row.seconds, threads=1)
    agents: dict[str, hr.Player | str] = {"learned": trained.player}
    if row.led is not None:
        file = str(folder / f"{row.game}.player")
        trained.save(file)
        agents[f"{row.led}:learned"] = f"{row.led}:{file}"
    what = " ".join([row.game, *(f"{name}={value}" for name, value in row.params.items())])
    for name, agent in agents.items():
        for other, games in row.against.items():
            games = max(int(games * part), 2 * game.players)
            if game.players == 1:
                player = agent if other == "alone" else other
                found = hr.evaluate(player, game, games=games, seed=5, threads=1).rows[0]
                value, half = found["score"], found["score_high"] - found["score"]
                told = f"{name if other == 'alone' else other}: {value:.2f} ± {half:.2f} points"
            else:
                found = hr.evaluate(agent, game, against=[other], games=games, seed=5, threads=1).rows[0]
                share, half = found["win_rate"], (found["win_high"] - found["win_low"]) / 2
                told = f"{name} against {other}: {share:.3f} ± {half:.3f} of wins"
            print(f"| {what} | {game.players} | {row.seconds} s | {told} | {found['games']} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--part", type=float, default=1.0)
    args = parser.parse_args()
    print("| game | players | trained | result | games |\n| --- | --- | --- | --- | --- |")
    for row in ROWS:
        if not args.games or row.game in args.games:
            with TemporaryDirectory() as folder:
                tell(row, args.part, Path(folder))


if __name__ == "__main__":
    main()
