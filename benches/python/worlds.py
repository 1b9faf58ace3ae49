"""Worlds of hidden games: how many a second, whether any contradicts what the seat has seen, and how well searches guess by them.

    python benches/python/worlds.py [--worlds 1000] [--positions 10] [--games 100] [GAME ...]

Wants a release build of the package (``maturin develop --release``). Seconds are of the processor, for all worlds of a position together with all that
has to be found out first. A world is impossible if the seat's information state is another one in it.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

import houserule as hr

RULES = Path(__file__).parent / "rules"
GAMES = ["dominoes", "dominoes-block", "dominoes-both-ends", "dominoes-fives", "dominoes-line", "dominoes-train"]
GUESSED = {"number": ["flat:2000", "ismcts:1000"], "code": ["flat:2000"]}


def positions(game: hr.Game, count: int) -> list[hr.State]:
    """Positions of random games, after ever more decisions."""
    found: list[hr.State] = []
    for index in range(4 * count):
        state = game.start(seed=3, index=index)
        for _ in range(1 + index % 20):
            if not state.is_over:
                state.apply(state.random_action())
        if not state.is_over and len(found) < count:
            found.append(state)
    return found


def drawn(game: hr.Game, worlds: int, count: int) -> None:
    rates, wrong, all_worlds = [], 0, 0
    for state in positions(game, count):
        seat = state.current_player
        start = time.process_time()
        found = state.worlds(worlds, seat, seed=1)
        rates.append(worlds / (time.process_time() - start))
        seen = state.information_state(seat)
        wrong += sum(world.information_state(seat) != seen for world in found)
        all_worlds += len(found)
    name = Path(game.name).stem
    print(f"| {name} | {game.players} | {all_worlds} | {wrong} | {min(rates):,.0f} | {statistics.median(rates):,.0f} |", flush=True)


def guessed(name: str, agent: str, games: int) -> None:
    found = hr.simulate(RULES / f"{name}.rules", games, agent, seed=1)
    taken = [float(decisions) for decisions in found.games["decisions"]]
    half = 1.96 * statistics.stdev(taken) / len(taken) ** 0.5
    print(f"| {name} | `{agent}` | {statistics.mean(taken):.2f} ± {half:.2f} guesses | {len(taken)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="GAME", default=[*GAMES, *GUESSED])
    parser.add_argument("--worlds", type=int, default=1_000)
    parser.add_argument("--positions", type=int, default=10)
    parser.add_argument("--games", type=int, default=100)
    args = parser.parse_args()
    print("| game | players | worlds | impossible | least a second | median |\n| --- | --- | --- | --- | --- | --- |")
    for name in args.names:
        own = RULES / f"{name}.rules"
        for players in [2, 4] if name == "dominoes" else [None]:
            drawn(hr.load(own if own.exists() else name, players=players), args.worlds, args.positions)
    print("\n| game | agent | result | games |\n| --- | --- | --- | --- |")
    for name in args.names:
        for agent in GUESSED.get(name, []):
            guessed(name, agent, args.games)


if __name__ == "__main__":
    main()
