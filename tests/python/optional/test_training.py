"""The training scripts run, learn and print their results."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPTS = Path(__file__).parents[3] / "examples" / "train"
RUNS = {
    "ppo": ["dilido", "--updates", "4", "--games", "128", "--tests", "500"],
    "dqn": ["dilido", "--steps", "60", "--games", "64", "--tests", "500"],
    "alphazero": [
        *("connect-four", "--rounds", "4", "--games", "32", "--steps", "24", "--simulations", "8", "--width", "32"),
        *("--batch", "128", "--batches", "4", "--tests", "40", "--against", "random"),
    ],
    "league": ["connect-four", "--updates", "4", "--keep", "2", "--games", "128", "--tests", "200", "--against", "random"],
    "rules": ["dilido", "--updates", "1", "--games", "64", "--count", "20", "--tests", "20", "--seeds", "1"],
}


def run(name: str, *arguments: str) -> list[dict[str, Any]]:
    command = [sys.executable, str(SCRIPTS / f"{name}.py"), *arguments]
    found = subprocess.run(command, capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    return [json.loads(line) for line in found.stdout.splitlines()]


@pytest.mark.parametrize("name", RUNS)
def test_a_script_runs_and_a_seed_gives_the_same_again(name: str) -> None:
    def results() -> list[dict[str, Any]]:
        kept = ("seconds", "cpu_seconds")
        return [{key: value for key, value in line.items() if key not in kept} for line in run(name, *RUNS[name])]

    told = results()
    last = told[-1]
    assert last["low"] < last["difference" if name == "rules" else "mean"] < last["high"]
    assert len(told) > 3 and told == results()


def test_each_script_is_one_short_file() -> None:
    assert {path.stem for path in SCRIPTS.glob("*.py")} == set(RUNS)
    for path in SCRIPTS.glob("*.py"):
        assert len(path.read_text().splitlines()) < 250


def test_ppo_learns() -> None:
    """Random players of tic-tac-toe have a mean return of 0. After a few updates it is far above that."""
    told = run("ppo", "tic-tac-toe", "--updates", "20", "--games", "256", "--tests", "1000", "--scale", "1", "--rate", "0.003")
    assert told[-1]["low"] > 0.5
