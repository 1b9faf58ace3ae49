"""Random games of the shelf beside the same games elsewhere: python benches/python/shelf.py HOUSERULE [--rounds N]

Needs `chess` (python-chess) and `pyspiel` (OpenSpiel). Both sides choose uniformly among the legal actions, in whole games on one
thread, in turns. python-chess plays in Python, with draws by the same rules; OpenSpiel plays with its own random players, in C++.
Figures are games a second of processor time: medians of the rounds, and the least and the greatest ratio of a round.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import time

import chess
import pyspiel

# Games of one round: ours, theirs.
GAMES = {
    "chess": (3000, 15),
    "english-draughts": (20000, 300),
    "amazons": (20000, 1000),
    "lines-of-action": (5000, 150),
    "havannah": (20000, 1000),
    "ultimate-tic-tac-toe": (50000, 2000),
    "backgammon": (5000, 500),
}
OPENSPIEL = {
    "english-draughts": "checkers",
    "amazons": "amazons",
    "lines-of-action": "lines_of_action",
    "havannah": "havannah(board_size=8)",
    "ultimate-tic-tac-toe": "ultimate_tic_tac_toe",
    "backgammon": "backgammon",
}


def python_chess(games: int) -> int:
    plies = 0
    for _ in range(games):
        board = chess.Board()
        while moves := list(board.legal_moves):
            if board.is_insufficient_material() or board.halfmove_clock >= 100 or board.is_repetition(3):
                break
            board.push(random.choice(moves))
            plies += 1
    return plies


def openspiel(name: str, games: int) -> int:
    game = pyspiel.load_game(name)
    decisions = 0
    for index in range(games):
        bots = [pyspiel.make_uniform_random_bot(player, index * 2 + player) for player in range(game.num_players())]
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, index)
        decisions += state.move_number()
    return decisions


def timed(work, games: int) -> tuple[float, float]:
    """Games a second of processor time, and decisions a game."""
    begun = time.process_time()
    decisions = work(games)
    return games / (time.process_time() - begun), decisions / games


def ours(command: str, name: str, games: int) -> tuple[float, float]:
    run = [command, "simulate", name, "-n", str(games), "--threads", "1", "--json"]
    report = json.loads(subprocess.run(run, capture_output=True, text=True, check=True).stdout)
    return games / report["cpu_seconds"], report["counts"]["decisions"]["mean"]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("command")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--games", nargs="*", default=list(GAMES))
    options = parser.parse_args()
    command = os.path.abspath(options.command)
    print("| game | houserule | decisions | beside | decisions | ratio |\n| --- | --- | --- | --- | --- | --- |")
    for name in options.games:
        own, other = GAMES[name]
        if name == "chess":
            work, beside = python_chess, f"python-chess {chess.__version__}"
        else:
            work, beside = (lambda games, named=OPENSPIEL[name]: openspiel(named, games)), "OpenSpiel"
        rounds = [(ours(command, name, own), timed(work, other)) for _ in range(options.rounds)]
        speeds = [statistics.median(one[side][0] for one in rounds) for side in (0, 1)]
        lengths = [statistics.mean(one[side][1] for one in rounds) for side in (0, 1)]
        ratios = [mine[0] / theirs[0] for mine, theirs in rounds]
        print(
            f"| {name} | {speeds[0]:,.0f} | {lengths[0]:.0f} | {beside}: {speeds[1]:,.0f} | {lengths[1]:.0f} "
            f"| {statistics.median(ratios):.1f} ({min(ratios):.1f} to {max(ratios):.1f}) |"
        )
        sys.stdout.flush()


main()
