"""What the tests of the Gymnasium environments share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]

OWN = """
game "Greed" {
  param most: 10..200 = 60                   "pips from which one has to stop"
  players 1
  dice die: 1 of d6
  var kept: 0..206 = 0                        "pips so far"
  var stopped: 0..1 = 0                      "no more throws"
  turn {
    step throw {
      choose throw {
        throw where kept < most "throw the die: its pips are added, but a six takes all" {
          roll die
          if die[1] == 6 { kept = 0; stopped = 1 } else { kept += die[1] }
        }
        stop "keep what there is" { stopped = 1 }
      }
    }
  }
  end stopped when stopped == 1
  score { pips: kept }
}
"""


def same(a: Any, b: Any) -> bool:
    """Are two observations, or infos, the same, to the dtype?"""
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and a.dtype == object:
        return a.shape == b.shape and all(same(x, y) for x, y in zip(a, b))
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and a.dtype == b.dtype and a.shape == b.shape and bool((a == b).all())
    return type(a) is type(b) and a == b


def any_legal(rng: np.random.Generator, mask: np.ndarray) -> int:
    """A legal action; 0 if there is none."""
    legal = np.flatnonzero(mask)
    return int(rng.choice(legal)) if len(legal) else 0


def advance(env: Any, steps: int) -> list[Any]:
    """What steps of a single environment tell. It stands here, for a new process that takes them imports no tests."""
    told = []
    for _ in range(steps):
        told.append(env.step(env.sample_action()))
        if told[-1][2] or told[-1][3]:
            told.append(env.reset())
    return told
