"""Makes the index of a benchmark from its recipe: ``python -m houserule.benchmarks.make dilido``.

The index says which candidates of the recipe are valid, which games fix the layout, and how the reference players score.
The same version of the package writes the same index.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import math
import sys
import time
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from houserule._environments import vector_env
from houserule._errors import RulesError
from houserule._native import Game, student
from houserule._results import simulate
from houserule._rules import RuleSets
from houserule.benchmarks import LEFT_OUT, SCORED, STANDARD, Benchmark, judged, load, names
from houserule.benchmarks._recipe import FOLDER, SPLITS, Recipe, thawed

GAMES = 20
"""The number of random games that judge a candidate."""
LOOKED_AT = 2
"""The number of these games in which decisions are counted."""
CHUNK = 400
"""The number of rule sets that are compared with the layout at once."""


def letter_of(game: Game, limit: int, seed: int, known: set[str]) -> str:
    """Returns the letter of a candidate in the index: ``"."`` if it is valid, or a key of `LEFT_OUT`.

    Parameters
    ----------
    game
        The game of the candidate.
    limit
        The maximum number of decisions of a random game.
    seed
        The seed of the random games.
    known
        The hashes of earlier candidates, to which that of a valid candidate is added. Two candidates with the same
        compiled program and the same results of the random games have the same hash.
    """
    report = simulate(game, GAMES, "random", seed, 1).report
    if report["aborted"]:
        return "a"
    if report["counts"]["decisions"]["max"] > limit:
        return "l"
    if game.players == 1:
        differ = len(report["score"][0]["histogram"]) > 1
    else:
        differ = report["draws"] < GAMES and max(report["wins"]) < GAMES
    if not differ:
        return "s"
    choices = 0
    for index in range(LOOKED_AT):
        state = game.start(seed, index)
        while not state.is_over:
            choices += len(state.legal_actions()) > 1
            state.apply(state.random_action())
    if choices < LOOKED_AT:
        return "n"
    seen = [report[what] for what in ("score", "wins", "draws", "counts", "ends")]
    digest = hashlib.sha256((game.program() + json.dumps(seen, sort_keys=True)).encode()).hexdigest()
    if digest in known:
        return "d"
    known.add(digest)
    return "."


def letters(bench: Benchmark, count: int | None = None, show: bool = False) -> str:
    """Returns the letters of the first candidates of a recipe, by default of all."""
    known: set[str] = set()
    found = []
    for number, (_, rule_set) in enumerate(bench.recipe.drawn[:count]):
        try:
            game = bench._stack(rule_set.variants).with_params(thawed(rule_set.params))
        except (RulesError, ValueError):
            found.append("i")
            continue
        found.append(letter_of(game, bench.recipe.limit, bench.recipe.seed, known))
        if show and number % 1000 == 0:
            print(number, {letter: found.count(letter) for letter in (".", *LEFT_OUT)}, file=sys.stderr, flush=True)
    return "".join(found)


def _layout(games: Sequence[Game]) -> tuple[Any, ...]:
    env = vector_env(RuleSets(games), 1, show_rules=False, observation="dict", threads=1)
    spaces = {name: box.shape for name, box in env.single_observation_space.spaces.items()}  # type: ignore[attr-defined]
    return spaces, env.action_names


def anchors(bench: Benchmark) -> list[int]:
    """Returns the numbers of the candidates that fix the layout: without one of them a later rule set would have
    observations or actions that the layout lacks."""
    valid = [number for number, letter in enumerate(bench._letters) if letter == "."]
    found: list[int] = []
    for at in range(0, len(valid), CHUNK):
        chunk = valid[at : at + CHUNK]
        games = bench._games([bench.recipe.drawn[number][1] for number in chunk], 1)
        while True:
            # In the same order as in `Benchmark.rules`.
            bench._index["anchors"] = found
            known = bench._games(bench._anchors, 1)
            layout = _layout(known)
            if _layout([*known, *games]) == layout:
                break
            low, high = 0, len(games)  # the first that extends the layout is below high
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (low, middle) if _layout([*known, *games[:middle]]) != layout else (middle, high)
            found.append(chunk[low])
    return found


def references(bench: Benchmark, show: bool = False) -> dict[str, list[list[float]]]:
    """Returns the scores of the reference players: of each rule set the mean and the standard error of random, greedy and
    learned players."""
    recipe, found = bench.recipe, {}
    for split in (STANDARD, *SCORED):
        rows = []
        for game in bench.rules(split, None if split == STANDARD else recipe.scored):
            row: list[float] = []
            for agent in ("random", "greedy", recipe.learned):
                if agent == recipe.opponent:  # in all seats and on the same dice the mean is 0
                    row += [0.0, 0.0]
                    continue
                mean, low, high, played = judged(game, agent, recipe.opponent, recipe.games, recipe.seed, 1)
                error = (high - low) / 2 / (student(played // game.players) or math.nan)
                row += [round(mean, 3), round(error, 4)]
            rows.append(row)
        found[split] = rows
        if show:
            print(split, rows[:2], file=sys.stderr, flush=True)
    return found


def make(name: str, show: bool = False) -> dict[str, Any]:
    """Returns the index of a benchmark."""
    recipe = Recipe(name)
    empty = {"splits": {}, "candidates": _packed(""), "anchors": [], "references": {}}
    judged_letters = letters(Benchmark(recipe, empty), show=show)
    index: dict[str, Any] = empty | {"candidates": _packed(judged_letters)}
    bench = Benchmark(recipe, index)
    for split in SPLITS:
        named = "\n".join(bench.names(split))
        digest = hashlib.sha256(named.encode()).hexdigest()
        index["splits"][split] = {"count": len(bench.rule_sets(split)), "sha256": digest}
    index["anchors"] = anchors(bench)
    if show:
        print(index["splits"], bench.left_out, len(index["anchors"]), "anchors", file=sys.stderr, flush=True)
    index["references"] = references(bench, show)
    return index


def tables() -> list[str]:
    """Returns the tables of ``docs/benchmarks.md``, as lines of Markdown."""
    benches = [load(name) for name in names()]
    lines = [
        f"| benchmark | players | {' | '.join(f'`{split}`' for split in SPLITS)} | valid | {' | '.join(LEFT_OUT.values())} |",
        "| --- | --- |" + " --- |" * (len(SPLITS) + 1 + len(LEFT_OUT)),
    ]
    for bench in benches:
        numbers = [*bench.splits.values(), sum(bench.splits.values()), *bench.left_out.values()]
        cells = [f"`{bench.name}`", str(bench.recipe.players), *(f"{number:,}" for number in numbers)]
        lines.append(f"| {' | '.join(cells)} |")
    lines += ["", "| benchmark | held-out values | held-out combinations | held-out variants |", "| --- | --- | --- | --- |"]
    for bench in benches:
        recipe = bench.recipe
        values = ", ".join(f"{param} {value}" for param, value in sorted(recipe.held_values))
        pairs = "; ".join(" and ".join(f"{what} {value}" for what, value in pair) for pair in recipe.held_pairs)
        lines.append(f"| `{bench.name}` | {values} | {pairs} | {', '.join(sorted(recipe.held_variants))} |")
    lines += [
        "",
        "| benchmark | opponent | learned | games | split | rule sets | random | greedy | learned | score of greedy |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for bench in benches:
        for split in (STANDARD, *SCORED):
            rows = bench.references(split)
            means = {agent: sum(row[agent] for row in rows) / len(rows) for agent in ("random", "greedy", "learned")}
            score = (means["greedy"] - means["random"]) / (means["learned"] - means["random"])
            cells = [f"`{bench.name}`", f"`{bench.opponent}`" if bench.opponent else "none", f"`{bench.recipe.learned}`"]
            cells += [f"{bench.recipe.games:,}", f"`{split}`", str(len(rows)), *map(_rounded, means.values())]
            lines.append(f"| {' | '.join([*cells, _rounded(score)])} |")
    return lines


def _rounded(value: float) -> str:
    return f"{round(value, 2) + 0.0:.2f}".replace("-", "−")


def _packed(text: str) -> str:
    return base64.b64encode(zlib.compress(text.encode("ascii"), 9)).decode("ascii")


def main() -> None:
    """Writes the indices of the benchmarks that the command names."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", help="names of benchmarks; without one, print the tables of the documentation")
    parser.add_argument("--folder", type=Path, default=FOLDER / "data", help="where to write")
    args = parser.parse_args()
    if not args.names:
        print("\n".join(tables()))
    for name in args.names:
        begun = time.process_time()
        index = make(name, show=True)
        (args.folder / f"{name}.index.json").write_text(json.dumps(index, separators=(",", ":")) + "\n", "utf-8")
        print(f"{name}: {time.process_time() - begun:.0f} s of CPU time")


if __name__ == "__main__":
    main()
