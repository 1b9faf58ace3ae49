"""How strong the agents that look ahead are, as the tables of docs/agents.md: shares of wins and time per move.

    python benches/python/agents.py [--games 400] [--openspiel] [GAME ...]

Wants a release build of the package (``maturin develop --release``); ``--openspiel``, which plays OpenSpiel's MCTS instead, wants open_spiel. A win that
two share counts one half; intervals are of 95 %, over sets in which everybody sits in every seat on the same dice.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable

import houserule as hr
from houserule import _native

GAMES = ["tic-tac-toe", "connect-four", "dicrono", "dominoes", "dice-wide-shut"]
TRIALS = [100, 1_000, 10_000]
MOST_SECONDS = 240
"""Of one row: what takes longer is played less often."""


def kinds(game: hr.Game) -> list[str]:
    """The agents that differ in a game: a tree of what the seat sees does where something is hidden."""
    hidden = _native.facts(game)["hidden"]
    return ["flat", "mcts", "ismcts"] if hidden else ["flat", "mcts"]


def seconds_a_move(game: hr.Game, agent: str, games: int) -> float:
    """Processor time of one decision of an agent against random players."""
    agents = [agent] + ["random"] * (game.players - 1)
    start = time.process_time()
    found = hr.simulate(game, games, agents, seed=1, threads=1, record=True)
    taken = time.process_time() - start
    own = found.decisions
    decided = ((own["seat"] == 0) & (own["n_legal"] > 1)).sum()
    return taken / max(int(decided), 1)


def row(game: hr.Game, agent: str, against: str, games: int) -> str:
    cost = seconds_a_move(game, agent, 4)
    moves = hr.simulate(game, 20, "random", seed=2).games["decisions"].mean() / game.players
    affordable = int(MOST_SECONDS / (cost * moves))
    games = max(min(games, affordable // game.players * game.players), 20)
    found = hr.evaluate(agent, game, against=[against], games=games, seed=3).rows[0]
    low, high = found["win_low"], found["win_high"]
    share = f"{found['win_rate']:.3f} ({low:.3f}–{high:.3f})"
    return f"| {game.name} | `{agent}` | `{against}` | {found['games']} | {share} | {1e3 * cost:.2f} ms |"


def their_mcts(name: str, trials: int, exploration: float) -> Callable[[hr.State], int]:
    """OpenSpiel's MCTS with random rollouts and solver, as an agent in a game whose actions have its numbers."""
    import pyspiel

    game = pyspiel.load_game(name)
    seeds = random.Random(5)

    def choose(state: hr.State) -> int:
        theirs = game.new_initial_state()
        for event in state.history:
            theirs.apply_action(int(event.action))
        seed = seeds.randrange(1 << 30)
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        return int(pyspiel.MCTSBot(game, evaluator, exploration, trials, 1000, True, seed, False).step(theirs))

    return choose


def against_openspiel(games: int) -> None:
    print("| game | trials of both | their exploration | games | share of wins |\n| --- | --- | --- | --- | --- |")
    for ours, theirs in [("tic-tac-toe", "tic_tac_toe"), ("connect-four", "connect_four")]:
        for trials in [100, 1_000]:
            for exploration in [1.0, 1.4, 2.0]:
                other = their_mcts(theirs, trials, exploration)
                found = hr.evaluate(f"mcts:{trials}", ours, against=[other], games=games, seed=4, threads=1).rows[0]
                share = f"{found['win_rate']:.3f} ({found['win_low']:.3f}–{found['win_high']:.3f})"
                print(f"| {ours} | {trials} | {exploration} | {found['games']} | {share} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=GAMES, metavar="GAME")
    parser.add_argument("--games", type=int, default=400, dest="count")
    parser.add_argument("--openspiel", action="store_true")
    args = parser.parse_args()
    if args.openspiel:
        against_openspiel(args.count)
        return
    print("| game | agent | against | games | share of wins | time per move |\n| --- | --- | --- | --- | --- | --- |")
    for name in args.games:
        game = hr.load(name)
        for kind in kinds(game):
            for trials in TRIALS:
                for against in ["random", "greedy"]:
                    print(row(game, f"{kind}:{trials}", against, args.count), flush=True)
            for less, more in zip(TRIALS, TRIALS[1:], strict=False):
                print(row(game, f"{kind}:{more}", f"{kind}:{less}", args.count), flush=True)


if __name__ == "__main__":
    main()
