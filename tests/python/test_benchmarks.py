"""Benchmarks of house rules: the recipes give the indices, what is held out is held out, and scores are what they say."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import houserule as hr
import houserule.benchmarks as benchmarks
import numpy as np
import pytest
from extent import tries
from houserule.benchmarks import make
from houserule.benchmarks._recipe import FOLDER, SPLITS

NAMES = benchmarks.names()
#: It takes seconds to draw the rule sets of a benchmark. In `./test` all tests have those of the same two.
TRIED = tries(["dilido", "kalah"], NAMES)
TESTS = ("test_values", "test_combinations", "test_variants")


def legal(observations: Any, masks: np.ndarray) -> np.ndarray:
    """A policy: the first legal action."""
    return masks.argmax(1)


def random_policy(seed: int) -> benchmarks.Policy:
    random = np.random.default_rng(seed)
    return lambda observations, masks: (masks * random.random(masks.shape)).argmax(1)


def test_there_are_six_benchmarks_of_at_least_ten_thousand_rule_sets() -> None:
    assert len(NAMES) >= 6
    for name in NAMES:
        bench = benchmarks.load(name)
        assert sum(bench.splits.values()) >= 10_000, name
        assert sum(bench.splits.values()) + sum(bench.left_out.values()) == len(bench._letters)
        assert min(bench.splits.values()) >= 400 and tuple(bench.splits) == SPLITS
    assert sum(path.stat().st_size for path in FOLDER.rglob("*") if path.suffix in (".json", ".rules")) < 300_000


@pytest.mark.parametrize("name", TRIED)
def test_splits_are_disjoint_hashed_and_hold_out_what_they_say(name: str) -> None:
    bench = benchmarks.load(name)
    assert len(bench.recipe.drawn) == len(bench._letters)
    seen: set[str] = set()
    for split, count in bench.splits.items():
        named = bench.names(split)
        assert len(named) == len(set(named)) == count and not seen.intersection(named)
        assert hashlib.sha256("\n".join(named).encode()).hexdigest() == bench.hashes[split]
        seen.update(named)
    recipe = bench.recipe
    trained: set[tuple[str, str]] = set()
    together: set[tuple[Any, Any]] = set()
    for one in bench.rule_sets("train") + bench.rule_sets("validation"):
        items = one.items()
        trained |= items
        together |= {pair for pair in recipe.held_pairs if set(pair) <= items}
    assert recipe.held_values and recipe.held_variants and recipe.held_pairs
    assert not recipe.held_values & trained, "no training set has a held-out value"
    assert not {("variant", variant) for variant in recipe.held_variants} & trained
    assert not together, "no training set has a held-out combination"
    assert {item for pair in recipe.held_pairs for item in pair} <= trained, "but each part of it is trained"
    for split, what in zip(TESTS, ("values", "combinations", "variants"), strict=True):
        assert all(recipe.novelty(one) == {what} for one in bench.rule_sets(split))


@pytest.mark.parametrize("name", TRIED)
def test_a_sample_of_the_index_is_what_the_recipe_gives(name: str) -> None:
    bench = benchmarks.load(name)
    count = tries(30, 60)
    assert make.letters(bench, count) == bench._letters[:count]


@pytest.mark.parametrize("name", TRIED)
def test_all_splits_have_one_layout(name: str) -> None:
    bench, count = benchmarks.load(name), tries(10, 40)
    envs = [bench.env(split, 4, count) for split in SPLITS] + [bench.env("standard", 4)]
    for env in envs:
        assert env.single_observation_space == envs[0].single_observation_space
        assert env.action_names == envs[0].action_names and env.rule_features == bench.features
        observations, infos = env.reset(seed=1)
        assert infos["rules"].min() >= len(bench.rules("standard", anchors=True)) - 1, "anchors aren't played"
        assert env.single_observation_space.contains(observations[0])
        assert not env.single_observation_space.contains(observations[0][:-1])
    hidden = bench.env("test_variants", 4, count, show_rules=False)
    shown = envs[SPLITS.index("test_variants")]
    assert np.array_equal(hidden.reset(seed=1)[0], shown.reset(seed=1)[0][:, : -len(bench.features)])


@pytest.mark.parametrize("mode", ["SameStep", "NextStep"])
def test_observations_show_the_rules_of_the_episode(mode: str) -> None:
    bench = benchmarks.load("dilido")
    env, into, entries = (bench.env("train", 20, 15, autoreset_mode=mode, observation=of) for of in ("flat", "flat", "dict"))
    rows = {game: bench.recipe.shown(one) for game, one in zip(bench.rules("train", 15), bench.rule_sets("train", 15))}
    observations, infos = env.reset(seed=3)
    into.reset(seed=3)
    entries.reset(seed=3)
    rewards, ended, cut = np.empty(20), np.empty(20, bool), np.empty(20, bool)
    buffer, final = np.empty_like(observations), np.zeros_like(observations)
    finals = 0
    for _ in range(60):
        shown = np.array([rows[env.rules[index]] for index in infos["rules"]], np.float32)
        assert np.array_equal(observations[:, -len(bench.features) :], shown)
        before = [env.rules[index] for index in infos["rules"]]
        actions = env.sample_actions()
        observations, expected, terminated, _, infos = env.step(actions)
        assert np.array_equal(entries.step(actions)[0]["rules"], observations[:, -len(bench.features) :])
        into.step_into(actions, rewards, ended, cut, observations=buffer, final_observations=final)
        assert np.array_equal(buffer, observations) and np.array_equal(rewards, expected)
        assert np.array_equal(env.observations(), observations)
        for at in np.flatnonzero(terminated) if mode == "SameStep" else ():
            assert np.array_equal(infos["final_obs"][at], final[at])
            assert np.array_equal(final[at][-len(bench.features) :], np.array(rows[before[at]], np.float32))
            finals += 1
    assert finals > 10 or mode == "NextStep"


def test_random_scores_nothing_and_the_learned_reference_one() -> None:
    bench = benchmarks.load("dilido")
    nothing = bench.score(random_policy(1), "test_values", games=200)
    assert nothing.low < 0 < nothing.high and nothing.high - nothing.low < 0.2
    assert nothing.games == 200 * len(nothing.rows) and nothing.aborted == 0
    learned = bench.score(bench.recipe.learned, "test_values", sets=3, games=200)
    # The same trained players, in other games: four standard errors of the difference of both.
    rows = bench.references("test_values")[:3]
    below = sum(row["learned"] - row["random"] for row in rows)
    own = [(row["high"] - row["low"]) / 2 / 1.972 for row in learned.rows]
    error = sum(row["learned_se"] ** 2 + one**2 for row, one in zip(rows, own)) ** 0.5 / below
    assert abs(learned.mean - 1) < 4 * error < 0.5
    greedy = bench.score("greedy", "test_values", games=100)
    difference, low, high = greedy.minus(nothing)
    assert difference == pytest.approx(greedy.mean - nothing.mean) and low < difference < high
    mean = benchmarks.Score.mean_of([greedy, nothing])
    assert mean.mean == pytest.approx((greedy.mean + nothing.mean) / 2)
    assert greedy.table.columns == ["name", "mean", "low", "high", "random", "greedy", "learned"]
    with pytest.raises(ValueError, match="other rule sets"):
        greedy.minus(learned)


@pytest.mark.parametrize("name", TRIED)
def test_a_sample_of_the_references_is_what_the_players_score(name: str) -> None:
    bench = benchmarks.load(name)
    recipe, row = bench.recipe, bench.references("validation")[0]
    mean, low, high, games = benchmarks.judged(bench.rules("validation", 1)[0], "random", recipe.opponent, recipe.games, recipe.seed, 1)
    assert games == recipe.games and row["random"] == round(mean, 3) and row["name"] == bench.names("validation", 1)[0]
    assert row["random_se"] == pytest.approx((high - low) / 2 / 1.97, rel=0.01)


def test_scores_of_two_players_are_against_a_named_opponent() -> None:
    bench = benchmarks.load("kalah")
    assert bench.opponent == "greedy"
    score = bench.score(random_policy(2), "test_variants", games=100)
    assert score.opponent == "greedy" and score.low < 0 < score.high
    own = bench.score("greedy", "standard", games=200)
    assert own.rows[0]["mean"] == 0 and 0 < own.mean < 1, "greedy against itself, between random and learned players"
    assert all(row["greedy"] == 0 for row in bench.references("validation"))


def test_an_interval_of_a_known_case() -> None:
    from houserule.benchmarks._score import ratio

    assert ratio([1.0, 2.0, 3.0], [2.0, 4.0, 6.0]) == pytest.approx((0.5, 0.5, 0.5))
    value, low, high = ratio([0.0, 1.0, 2.0, 3.0], [1.0] * 4)
    # Student's interval of a mean: t = 3.182 with 3 degrees of freedom, deviation 1.291.
    assert (value, low, high) == pytest.approx((1.5, 1.5 - 3.182 * 1.291 / 2, 1.5 + 3.182 * 1.291 / 2), abs=1e-3)


def test_errors_name_what_is_wrong() -> None:
    with pytest.raises(ValueError, match="there is no benchmark 'nothing'; there are .*dilido"):
        benchmarks.load("nothing")
    bench = benchmarks.load("dilido")
    with pytest.raises(ValueError, match="there is no split 'test'; there are train, validation"):
        bench.rules("test")
    with pytest.raises(ValueError, match="has 1 to"):
        bench.rules("validation", 100_000)
    with pytest.raises(ValueError, match="no references for the split 'train'"):
        bench.score("greedy", "train")
    with pytest.raises(ValueError, match="has references for"):
        bench.score("greedy", sets=1000)
    with pytest.raises(ValueError, match=r"shape \(10,\); it returned \(3,\)"):
        bench.score(lambda seen, masks: np.zeros(3, int), sets=1, games=10)
    with pytest.raises(TypeError, match="must return integers.*float64"):
        bench.score(lambda seen, masks: np.zeros(len(masks)), sets=1, games=10)
    with pytest.raises(ValueError, match="action 10000 of position 0 isn't legal"):
        bench.score(lambda seen, masks: np.full(len(masks), 10_000), sets=1, games=10)
    with pytest.raises(ValueError, match="can't be shown in planes"):
        bench.env("train", 2, 5, observation="planes")
    with pytest.raises(ValueError, match="fractions, which don't fit dtype='uint8'"):
        bench.env("train", 2, 5, dtype="uint8")
    assert bench.env("train", 2, 5, dtype="uint8", show_rules=False).reset(seed=1)[0].dtype == np.uint8


def test_the_same_seed_gives_the_same_score() -> None:
    bench = benchmarks.load("dilido")
    one, other = (bench.score(legal, "validation", sets=3, games=20, threads=threads) for threads in (1, 2))
    assert one.rows == other.rows
    assert bench.score(legal, "validation", sets=3, games=20, seed=5).rows != one.rows


def test_the_page_has_the_tables_of_the_indices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(make, "names", lambda: TRIED)
    page = (Path(__file__).parents[2] / "docs" / "benchmarks.md").read_text("utf-8")
    missing = [line for line in make.tables() if line not in page.splitlines()]
    assert not missing, "write them again: python -m houserule.benchmarks.make"


def test_benchmarks_are_imported_when_they_are_used() -> None:
    code = "import sys, houserule as hr; assert 'houserule.benchmarks' not in sys.modules; hr.benchmarks.names()"
    subprocess.run([sys.executable, "-c", code], check=True)
    assert hr.benchmarks is benchmarks


def test_a_mean_of_trainings_has_their_spread_in_its_interval() -> None:
    bench = benchmarks.load("dilido")
    one, two = (bench.score(policy, "test_values", games=5) for policy in ("random", "greedy"))
    alone, both = benchmarks.Score.mean_of([one, one]), benchmarks.Score.mean_of([one, two])
    assert alone.trainings == (one.mean, one.mean) and (alone.low, alone.high) == (one.low, one.high)
    # The spread of two is their distance over 2 and t = 12.706; the other part is that of the rule sets.
    spread = 12.706 * abs(one.mean - two.mean) / 2
    assert spread < both.high - both.mean < spread * 1.1
    assert abs((both.high - both.mean) - (both.mean - both.low)) < 1e-12
    apart, near = both.minus(alone), two.minus(one)
    assert apart[2] - apart[1] > near[2] - near[1]
