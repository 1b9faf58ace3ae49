"""How soon an answer is there: python benches/python/answers.py HOUSERULE [GAME …] [--command report|compare] [--long] [--outside] [--strength]

Runs `report --quick` of each game, or `compare --quick` of a variant with its base and of a game with one param changed, and tells the seconds by the clock, the CPU seconds,
when the first figures were there, the player whose figures they are, and how that player does against random ones. `--long`
leaves out `--quick`. `--outside` takes the files of tests/outside. `--strength` plays 200 games of the report's quick player on each side, random players on the others, and tells
its share of the wins and the equal share. Nothing else should run meanwhile; the caches are those of a new user.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import tempfile
import time
from pathlib import Path

OUTSIDE = Path(__file__).parents[2] / "tests" / "outside"


def run(command: list[str], folder: str, limit: float) -> dict[str, object]:
    """Runs a command that prints JSON. Returns its times and what it printed."""
    env = dict(os.environ, HOME=folder, XDG_CACHE_HOME=folder, XDG_DATA_HOME=folder, NO_COLOR="1")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.monotonic()
    child = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stderr is not None
    os.set_blocking(child.stderr.fileno(), False)
    first = None
    out = tempfile.TemporaryFile()
    import threading

    def copy() -> None:
        assert child.stdout is not None
        out.write(child.stdout.read())

    reader = threading.Thread(target=copy)
    reader.start()
    while child.poll() is None and time.monotonic() - begun < limit:
        if first is None and child.stderr.read(1):
            first = time.monotonic() - begun
        time.sleep(0.01)
    if child.poll() is None:
        child.kill()
    child.wait()
    wall = time.monotonic() - begun
    reader.join()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    out.seek(0)
    text = out.read().decode()
    return {"wall": wall, "cpu": cpu, "first": first, "code": child.returncode, "json": text}


def told(found: dict[str, object], command: str) -> str:
    """Returns what the answer says of its players."""
    try:
        document = json.loads(str(found["json"]))
    except json.JSONDecodeError:
        return f"NO ANSWER (exit {found['code']})"
    if command == "compare":
        return ", ".join(f"{agent['agent']} {agent['games']}" for agent in document["agents"])
    page = document["pages"][0]
    players = ", ".join(f"{agent['agent']} {agent['games']}" for agent in page["agents"])
    against = [figure for figure in page["sections"][0]["figures"] if figure["metric"] == "against_random"]
    tried = "; ".join(
        f"{figure['agent']} {figure['value']:.2f} ({figure['low'] or 0:.2f}..{figure['high'] or 0:.2f})" for figure in against
    )
    return f"{players} | {tried}"


def sides(games: list[dict[str, object]]) -> list[list[int]]:
    """Returns the seats of each side: partners win the same of some single games."""
    won: list[tuple[float, ...]] = list(zip(*(game["wins"] for game in games)))  # type: ignore[call-overload]
    found: dict[object, list[int]] = {}
    for seat, wins in enumerate(won):
        found.setdefault(wins if games[0]["teams"] else seat, []).append(seat)
    return list(found.values())


def strength(command: str, name: str, found: dict[str, object], folder: str) -> str:
    """Plays 200 games of the quick player of a report on each side. Returns its share of the wins, and that against one random side alone.

    Against several, the second is the share that gives the first if the odds against each are the same (Bradley and Terry).
    """
    page = json.loads(str(found["json"]))["pages"][0]
    agent, players = page["agents"][0]["agent"], page["players"]
    if players < 2 or agent == "random":
        return "no player"

    def play(seats: list[int], games: int = 200, first: int = 0) -> dict[str, object]:
        agents = ",".join(agent if seat in seats else "random" for seat in range(players))
        words = [command, "simulate", name, "--agents", agents, "-n", str(games), "--first", str(first), "--json", "--quiet"]
        return json.loads(str(run(words, folder, 300.0)["json"]))

    wins, of_sides = 0.0, sides([play([], 1, first) for first in range(20)])
    for side in of_sides:
        counted = play(side)
        won = counted["wins"]
        assert isinstance(won, list)
        wins += won[side[0]] / max(counted["games"], 1)
    share, others = wins / len(of_sides), len(of_sides) - 1
    alone = share / (share + (1 - share) / others)
    return f"{agent} wins {share:.3f} of {1 / len(of_sides):.2f}, {alone:.3f} of each opponent"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("houserule")
    parser.add_argument("games", nargs="*")
    parser.add_argument("--command", default="report", choices=["report", "compare"])
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--outside", action="store_true")
    parser.add_argument("--strength", action="store_true")
    args = parser.parse_args()
    listed = json.loads(subprocess.run([args.houserule, "list", "--json"], capture_output=True, text=True).stdout)["games"]
    names = args.games or [game["name"] for game in listed]
    if args.outside:
        names = [str(path) for path in sorted(OUTSIDE.glob("*.rules"))]
    limit = 300.0 if args.long else 40.0
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            words = [args.houserule, args.command, name, "--json", *([] if args.long else ["--quick"])]
            found = run(words, folder, limit)
            first = found["first"]
            shown = f"{first:5.1f}" if isinstance(first, float) else "    -"
            print(f"{Path(name).stem:28} {found['wall']:6.1f} s {found['cpu']:6.1f} s cpu, first {shown}  {told(found, args.command)}", flush=True)
            if args.strength:
                print(f"    {strength(args.houserule, name, found, folder)}", flush=True)


if __name__ == "__main__":
    main()
