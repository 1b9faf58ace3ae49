"""Benchmarks of house rules: thousands of rule sets of a game, in splits with held-out rules, and reference scores.

Needs the extra ``gym``: ``pip install '.[gym]'`` in the project folder.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, cast

import numpy as np

from houserule._agents import name_of
from houserule._evaluate import evaluate, mean_and_interval
from houserule._native import Game, Player, Search, load_all, stack
from houserule._rules import RuleSets, _threads
from houserule.benchmarks import _score
from houserule.benchmarks._env import RuleSetEnv
from houserule.benchmarks._recipe import FOLDER, SPLITS, Recipe, RuleSet, thawed
from houserule.benchmarks._score import Policy, Score

__all__ = ["Benchmark", "Policy", "RuleSetEnv", "Score", "load", "names"]

STANDARD = "standard"
"""The name of the split that has only the standard rules."""

SCORED = SPLITS[1:]
"""The splits with reference scores, beside the standard rules."""

LEFT_OUT = {
    "i": "invalid",
    "a": "aborted",
    "l": "too long",
    "s": "same outcome",
    "n": "no choices",
    "d": "duplicate",
}
"""Why a candidate is left out, by its letter in the index."""

FIRST_SEED = 3_000_000_000
"""The first seed of the games that score a policy."""


def names() -> list[str]:
    """Returns the names of the benchmarks.

    Examples
    --------
    >>> import houserule.benchmarks
    >>> "dilido" in houserule.benchmarks.names()
    True
    """
    found = (path.name.removesuffix(".json") for path in (FOLDER / "data").glob("*.json"))
    return sorted(name for name in found if not name.endswith(".index"))


@lru_cache(maxsize=None)
def load(name: str) -> Benchmark:
    """Returns a benchmark by its name.

    Raises
    ------
    ValueError
        If there is no such benchmark.

    Examples
    --------
    >>> import houserule.benchmarks
    >>> bench = houserule.benchmarks.load("dilido")
    >>> len(bench.rules("test_values", 3))
    3
    """
    if name not in names():
        raise ValueError(f"there is no benchmark {name!r}; there are {', '.join(names())}")
    recipe = Recipe(name)
    return Benchmark(recipe, json.loads((FOLDER / "data" / f"{name}.index.json").read_text("utf-8")))


class Benchmark:
    """The rule sets of a game in splits, environments that play them, and reference scores. :func:`load` returns it.

    Attributes
    ----------
    name
        The name, which is that of the game.
    splits : dict
        The number of rule sets of each split: ``"train"``, ``"validation"``, ``"test_values"``, ``"test_combinations"``,
        ``"test_variants"``.
    hashes : dict
        For each split, the SHA-256 of the names of its rule sets in order, a line each.
    left_out : dict
        The number of candidates that were left out, by reason: ``"invalid"``, ``"aborted"``, ``"too long"``,
        ``"same outcome"``, ``"no choices"``, ``"duplicate"``.
    opponent
        The agent of the other seat in scores, or None in games for one player.
    """

    def __init__(self, recipe: Recipe, index: dict[str, Any]) -> None:
        self.recipe = recipe
        self.name = recipe.name
        self.opponent = recipe.opponent
        self._index = index
        self.splits: dict[str, int] = {split: of["count"] for split, of in index["splits"].items()}
        self.hashes: dict[str, str] = {split: of["sha256"] for split, of in index["splits"].items()}
        letters = zlib.decompress(base64.b64decode(index["candidates"])).decode("ascii")
        self.left_out: dict[str, int] = {reason: letters.count(letter) for letter, reason in LEFT_OUT.items()}
        self._letters = letters
        self._sets: dict[str, list[RuleSet]] | None = None
        self._stacks: dict[tuple[str, ...], Game] = {}

    def __repr__(self) -> str:
        sizes = ", ".join(f"{count:,} {split}" for split, count in self.splits.items())
        return f"<Benchmark {self.name}: {sizes}>"

    @property
    def features(self) -> list[str]:
        """The names of the numbers that show the rules."""
        return self.recipe.features

    def rule_sets(self, split: str, count: int | None = None) -> list[RuleSet]:
        """Returns the first rule sets of a split: their variants and params, without loading the games.

        A split is in random order, so its first rule sets are a sample of it.

        Parameters
        ----------
        split
            A split, or ``"standard"`` for the game with its defaults.
        count
            The number of rule sets; by default all.

        Raises
        ------
        ValueError
            If there is no such split, or it has fewer rule sets.
        """
        if split == STANDARD:
            listed = [self.recipe.standard(self._stack(()))]
        else:
            if self._sets is None:
                self._sets = {name: [] for name in SPLITS}
                for letter, (of, rule_set) in zip(self._letters, self.recipe.drawn, strict=True):
                    if letter == ".":
                        self._sets[of].append(rule_set)
            if split not in self._sets:
                raise ValueError(f"there is no split {split!r}; there are {', '.join((*SPLITS, STANDARD))}")
            listed = self._sets[split]
        if count is None:
            return list(listed)
        if not 1 <= count <= len(listed):
            raise ValueError(f"count={count}: the split {split!r} of {self.name} has 1 to {len(listed):,} rule sets")
        return listed[:count]

    def names(self, split: str, count: int | None = None) -> list[str]:
        """Returns the names of the first rule sets of a split, such as ``"dilido + torus size=6 jokers=2"``."""
        return [f"{self.recipe.game} {one.name}".strip() for one in self.rule_sets(split, count)]

    def rules(
        self, split: str, count: int | None = None, *, anchors: bool = False, threads: int | None = None
    ) -> RuleSets:
        """Loads the first rule sets of a split.

        Parameters
        ----------
        split, count
            As for :meth:`rule_sets`.
        anchors
            Whether the games that fix the layout of the benchmark come first, with weight 0. With them and
            ``show_rules=False``, the observations and actions of all splits have one layout. :meth:`env` does this.
        threads
            The number of threads; by default one for each processor.
        """
        chosen = [*(self._anchors if anchors else []), *self.rule_sets(split, count)]
        first = len(self._anchors) if anchors else 0
        return RuleSets(self._games(chosen, threads), [0.0] * first + [1.0] * (len(chosen) - first))

    def env(
        self, split: str, num_envs: int, count: int | None = None, *, show_rules: bool = True, **options: Any
    ) -> RuleSetEnv:
        """Returns a vector environment in which each episode draws one of the first rule sets of a split.

        The observation and action spaces are the same for all splits.

        Parameters
        ----------
        split, count
            As for :meth:`rule_sets`.
        num_envs
            The number of environments.
        show_rules
            Whether observations end in the numbers that show the rules, :attr:`features`.
        **options
            Options of :func:`houserule.vector_env`. In games of two players the default of
            ``opponents`` is the opponent of the benchmark.
        """
        if self.opponent is not None:
            options.setdefault("opponents", self.opponent)
        options.setdefault("rule_choice", "weighted")
        sets = self.rules(split, count, anchors=True)
        numbers = None
        if show_rules:
            chosen = [*self._anchors, *self.rule_sets(split, count)]
            numbers = np.array([self.recipe.shown(one) for one in chosen], np.float32)
        return RuleSetEnv(sets, num_envs, numbers, self.features, **options)

    def references(self, split: str) -> list[dict[str, Any]]:
        """Returns the reference scores of a split, a dict for each scored rule set.

        Keys: ``name``; ``random``, ``greedy`` and ``learned``, the mean score of these players, or in games of two players
        their mean return against the opponent of the benchmark; and ``random_se``, ``greedy_se`` and ``learned_se``, the
        standard errors.
        """
        named = self.names(split, None if split == STANDARD else len(self._references(split)))
        return [dict(zip(_COLUMNS, (name, *row))) for name, row in zip(named, self._references(split))]

    def score(
        self,
        policy: Policy | str | Player | Search,
        split: str = "test_values",
        *,
        sets: int | None = None,
        games: int = 200,
        show_rules: bool = True,
        seed: int = FIRST_SEED,
        threads: int | None = None,
        **options: Any,
    ) -> Score:
        """Scores a policy on rule sets of a split: 0 is the score of random players, 1 that of the learned references.

        Parameters
        ----------
        policy
            A function from observations and masks to the actions of a batch, or an agent by its name, such as
            ``"greedy"``.
        split
            The split, or ``"standard"``.
        sets
            The number of rule sets, the first of the split; by default all that have references.
        games
            The number of games of each rule set.
        show_rules
            Whether the observations of a function show the rules.
        seed
            The seed of the first game.
        threads
            The number of threads.
        **options
            Options of :meth:`env`, such as ``observation="dict"``.

        Raises
        ------
        TypeError, ValueError
            If the policy returns anything else than a legal action for each position, or an argument is invalid.

        Examples
        --------
        >>> import houserule.benchmarks
        >>> bench = houserule.benchmarks.load("dilido")
        >>> score = bench.score("greedy", "test_values", sets=4, games=50)
        >>> score.low < score.mean < score.high
        True
        """
        references = self.references(split)
        count = len(references) if sets is None else sets
        if not 1 <= count <= len(references):
            raise ValueError(f"sets={sets}: the split {split!r} of {self.name} has references for {len(references)}")
        if games < 2:
            raise ValueError(f"games={games} is too small: give at least 2")
        if callable(policy) and not isinstance(policy, Search):
            returns, aborted = self._played(policy, split, count, games, show_rules, seed, threads, options)
            found = [mean_and_interval(np.asarray(one)) for one in returns]
            played = sum(map(len, returns))
        else:
            found, played, aborted = self._evaluated(policy, split, count, games, seed, threads)
        rows = [
            {"name": row["name"], "mean": mean, "low": low, "high": high}
            | {column: row[column] for column in ("random", "greedy", "learned")}
            for row, (mean, low, high) in zip(references, found)
        ]
        return _score.score_of_rows(self.name, split, name_of(cast(Any, policy)), self.opponent, rows, played, aborted)

    def _played(
        self,
        policy: Policy,
        split: str,
        sets: int,
        games: int,
        show_rules: bool,
        seed: int,
        threads: int | None,
        options: dict[str, Any],
    ) -> tuple[list[list[float]], int]:
        """Plays a policy in every seat, in equal shares."""
        first, seats = len(self._anchors), range(self.recipe.players)
        share = -(-games // len(seats))
        returns: list[list[float]] = [[] for _ in range(sets)]
        aborted = 0
        for seat in seats:
            # Environment i has seed + i, and plays rule set i // share.
            choice = lambda own_seed, episode, env: first + env // share
            fixed = {"skip_forced": True, "threads": threads, **options, "rule_choice": choice, "seat": seat}
            env = self.env(split, sets * share, None if split == STANDARD else sets, show_rules=show_rules, **fixed)
            found, cut = _score.play(env, policy, sets, share, seed + seat * sets * share)
            aborted += cut
            for one, more in zip(returns, found):
                one += more
        return returns, aborted

    def _evaluated(
        self, agent: Any, split: str, sets: int, games: int, seed: int, threads: int | None
    ) -> tuple[list[tuple[float, float, float]], int, int]:
        found, played = [], 0
        for game in self.rules(split, None if split == STANDARD else sets):
            row = judged(game, agent, self.opponent, games, seed, threads)
            found.append(row[:3])
            played += row[3]
        return found, played, sets * games - min(played, sets * games)

    @property
    def _anchors(self) -> list[RuleSet]:
        return [*self.rule_sets(STANDARD), *(self.recipe.drawn[number][1] for number in self._index["anchors"])]

    def _references(self, split: str) -> list[list[float]]:
        references: dict[str, list[list[float]]] = self._index["references"]
        if split not in references:
            raise ValueError(f"there are no references for the split {split!r}; there are for {', '.join(references)}")
        return references[split]

    def _games(self, sets: Sequence[RuleSet], threads: int | None = None) -> list[Game]:
        requests: list[Any] = [(self._stack(one.variants), None, None, thawed(one.params)) for one in sets]
        return load_all(requests, _threads(threads))

    def _stack(self, variants: tuple[str, ...]) -> Game:
        if variants not in self._stacks:
            sources = [self.recipe.source(name) for name in variants]
            self._stacks[variants] = stack(self.recipe.game, *sources, players=self.recipe.players)
        return self._stacks[variants]


_COLUMNS = ("name", "random", "random_se", "greedy", "greedy_se", "learned", "learned_se")


def judged(
    game: Game, agent: Any, opponent: str | None, games: int, seed: int, threads: int | None
) -> tuple[float, float, float, int]:
    """Returns an agent's mean score or return in a game, the ends of its interval, and the number of games."""
    row = evaluate(agent, game, [] if opponent is None else [opponent], games, seed, threads).rows[0]
    if opponent is None:
        sign = 1 if game.score_direction == "most" else -1
        low, high = sorted((sign * row["score_low"], sign * row["score_high"]))
        return sign * row["score"], low, high, row["games"]
    return row["returns"], row["returns_low"], row["returns_high"], row["games"]
