"""The naive simulators of the benches play the games that the engine plays: as many decisions on average."""

from __future__ import annotations

import importlib
import math
import random
import statistics
from pathlib import Path

import houserule as hr
import pytest
from extent import tries

ROOT = Path(__file__).parents[2]
RULES = sorted((ROOT / "tests" / "outside").glob("*.rules"))
# Games of the simulator in `./test --all`, where they take long; the engine plays ten times as many.
FEW = {"crazyhouse": 15, "carcassonne": 60, "dark-chess": 60, "palace-natural": 60, "battleline-tactics": 60}


@pytest.mark.parametrize("rules", RULES, ids=lambda path: path.stem)
def test_the_simulator_plays_the_same_game(rules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benches" / "python"))
    simulator = importlib.import_module("naive." + rules.stem.replace("-", "_"))
    games = FEW.get(rules.stem, 200)
    rng, games = random.Random(7), tries(max(games // 6, 12), games)
    decisions = [simulator.play(rng)["decisions"] for _ in range(games)]
    ours = hr.simulate(str(rules), 10 * games, seed=8).report["counts"]["decisions"]
    error = math.hypot(statistics.stdev(decisions) / math.sqrt(games), ours["se"])
    assert error > 0 and abs(statistics.mean(decisions) - ours["mean"]) < 4 * error


def test_every_file_has_a_simulator() -> None:
    modules = {path.stem for path in (ROOT / "benches" / "python" / "naive").glob("*.py")}
    assert modules == {path.stem.replace("-", "_") for path in RULES} and len(RULES) == 16
