"""The hand-written environment of the benchmark plays Di-Li-Do too."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import houserule as hr
import numpy as np
from gym_helpers import any_legal
from gymnasium.utils.env_checker import check_env

sys.path.insert(0, str(Path(__file__).parents[2] / "benches" / "python"))

from by_hand import HandWritten


def test_it_passes_check_env() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", ".*spec.*")
        check_env(HandWritten())


def test_its_scores_and_lengths_are_those_of_the_rule_file() -> None:
    env, rng = HandWritten(), np.random.default_rng(5)
    scores, lengths = [], []
    for seed in range(600):
        _, info = env.reset(seed=seed)
        score, over = 0.0, False
        lengths.append(0)
        while not over:
            _, reward, over, _, info = env.step(any_legal(rng, info["action_mask"]))
            score += reward
            lengths[-1] += 1
        scores.append(score)
    games = hr.simulate("dilido", 4000, seed=3)
    for ours, theirs in ((scores, games.seats["score"]), (lengths, games.games["decisions"])):
        error = np.hypot(np.std(ours) / np.sqrt(len(ours)), np.std(theirs) / np.sqrt(len(theirs)))
        assert abs(np.mean(ours) - np.mean(theirs)) < 4 * error
