"""Scores of policies on the rule sets of a benchmark."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houserule import _native
from houserule._tables import Table

Policy = Callable[[Any, NDArray[np.int8]], Any]
"""A function from the observations and the masks of a batch of positions to an action for each: integers of shape
(N,)."""


@dataclass(frozen=True)
class Score:
    """The score of a policy on rule sets, with its 95 % confidence interval.

    The score is 0 for random players and 1 for the learned reference players. It is the sum over the rule sets of what the
    policy has more than random players, divided by the same sum for the learned players. The interval treats the rule sets
    as the sample, so it covers other rule sets drawn by the same recipe. With a single rule set, the games are the sample instead.

    Attributes
    ----------
    benchmark, split, policy
        The names of the benchmark, the split and the policy.
    opponent
        The agent of the other seat, or None in games for one player.
    mean, low, high
        The score and the ends of its interval.
    games, aborted
        The number of finished games, and of games that were aborted and don't count.
    rows
        A dict for each rule set: ``name``; ``mean``, ``low`` and ``high``, the policy's score or return in the game with
        its interval; ``random``, ``greedy`` and ``learned``, the same of the reference players.
    trainings
        The score of each training, of a mean of several; else empty.
    """

    benchmark: str
    split: str
    policy: str
    opponent: str | None
    mean: float
    low: float
    high: float
    games: int
    aborted: int
    rows: list[dict[str, Any]] = field(repr=False)
    trainings: tuple[float, ...] = ()

    @property
    def table(self) -> Table:
        """The rows as a table."""
        return Table.of_rows("name mean low high random greedy learned".split(), self.rows)

    def minus(self, other: Score) -> tuple[float, float, float]:
        """Returns how much better this score is than another on the same rule sets: the difference and the ends of its
        95 % confidence interval, from the differences on each rule set. If both are means of trainings, the interval
        also has the spread of the trainings.

        Raises
        ------
        ValueError
            If the other score is one of other rule sets.
        """
        if [row["name"] for row in self.rows] != [row["name"] for row in other.rows]:
            raise ValueError("these scores are of other rule sets: only scores on the same rule sets have a difference")
        difference = ratio(
            [row["mean"] - other_row["mean"] for row, other_row in zip(self.rows, other.rows)],
            [row["learned"] - row["random"] for row in self.rows],
        )
        return widened(difference, self.trainings, other.trainings)

    @staticmethod
    def mean_of(scores: Sequence[Score]) -> Score:
        """Returns the mean of scores on the same rule sets, such as those of several trainings.

        Each rule set counts once, with the mean over the scores; ``low`` and ``high`` of its row are NaN. The interval has
        the spread of the scores, too, so it covers other trainings in the same way.

        Raises
        ------
        ValueError
            If there are no scores, or they are of other rule sets.
        """
        if not scores:
            raise ValueError("there are no scores: give at least one")
        first = scores[0]
        if any([row["name"] for row in one.rows] != [row["name"] for row in first.rows] for one in scores):
            raise ValueError("these scores are of other rule sets: only scores on the same rule sets have a mean")
        rows = [
            {**same_set[0], "mean": float(np.mean([row["mean"] for row in same_set])), "low": math.nan, "high": math.nan}
            for same_set in zip(*(one.rows for one in scores))
        ]
        games, aborted = sum(one.games for one in scores), sum(one.aborted for one in scores)
        mean = score_of_rows(first.benchmark, first.split, first.policy, first.opponent, rows, games, aborted)
        trainings = tuple(one.mean for one in scores)
        _, low, high = widened(ratio_of_rows(rows), trainings)
        return replace(mean, low=low, high=high, trainings=trainings)


def widened(interval: tuple[float, float, float], *groups: tuple[float, ...]) -> tuple[float, float, float]:
    """Widens the interval of a value by the spread of trainings. Each group has the scores of the trainings of one policy.

    The spread of the trainings and that of the rule sets are independent, so their variances add up. Student's t has the
    degrees of freedom of the smallest group. If the interval is unknown because there is a single rule set, it becomes that
    of the trainings alone.
    """
    groups = tuple(group for group in groups if len(group) > 1)
    if not groups:
        return interval
    value, low, high = interval
    errors = _native.student(min(len(group) for group in groups)) or math.nan
    spread = errors * math.sqrt(sum(float(np.var(group, ddof=1)) / len(group) for group in groups))
    down, up = (0.0 if math.isnan(end) else end for end in (value - low, high - value))
    return value, value - math.hypot(down, spread), value + math.hypot(up, spread)


def score_of_rows(
    benchmark: str, split: str, policy: str, opponent: str | None, rows: list[dict[str, Any]], games: int, aborted: int
) -> Score:
    """Returns the score of a policy from its rows."""
    mean, low, high = ratio_of_rows(rows)
    if len(rows) == 1:
        row = rows[0]
        low, high = ((row[end] - row["random"]) / (row["learned"] - row["random"]) for end in ("low", "high"))
    return Score(benchmark, split, policy, opponent, mean, low, high, games, aborted, rows)


def ratio_of_rows(rows: list[dict[str, Any]]) -> tuple[float, float, float]:
    """Returns the score of rows and the ends of its interval over the rule sets."""
    return ratio([row["mean"] - row["random"] for row in rows], [row["learned"] - row["random"] for row in rows])


def ratio(above: list[float], below: list[float]) -> tuple[float, float, float]:
    """Returns the ratio of two sums and the ends of its 95 % confidence interval, by the delta method and Student's t."""
    over, under = np.asarray(above, float), np.asarray(below, float)
    value = float(over.sum() / under.sum())
    errors = _native.student(len(over))
    if errors is None:
        return value, math.nan, math.nan
    spread = float((over - value * under).std(ddof=1))
    half = errors * spread / (math.sqrt(len(over)) * abs(float(under.mean())))
    return value, value - half, value + half


def play(env: Any, policy: Policy, sets: int, games: int, seed: int) -> tuple[list[list[float]], int]:
    """Plays the first episode of every environment with a policy.

    Returns
    -------
    returns
        The sums of rewards of the finished episodes, a list for each rule set.
    aborted
        The number of episodes that were aborted.
    """
    seen, infos = env.reset(seed=seed)
    sums, going = np.zeros(env.num_envs), np.ones(env.num_envs, bool)
    cut = np.zeros(env.num_envs, bool)
    while going.any():
        actions = checked(policy(seen, infos["action_mask"]), infos["action_mask"], going)
        seen, rewards, terminated, truncated, infos = env.step(actions)
        sums[going] += rewards[going]
        cut |= going & truncated
        going &= ~(terminated | truncated)
    returns = [sums[at * games : (at + 1) * games][~cut[at * games : (at + 1) * games]].tolist() for at in range(sets)]
    return returns, int(cut.sum())


def checked(actions: Any, masks: NDArray[np.int8], going: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Returns the actions of a policy as int64.

    Raises
    ------
    TypeError
        If they aren't integers.
    ValueError
        If their shape is wrong, or one of them isn't legal.
    """
    array = np.asarray(actions)
    n, count = masks.shape
    if array.dtype.kind not in "iu":
        raise TypeError(f"a policy must return integers, the numbers of actions; it returned {array.dtype}")
    if array.shape != (n,):
        raise ValueError(f"a policy must return an action for each of {n} positions, shape ({n},); it returned {array.shape}")
    array = array.astype(np.int64)
    inside = (array >= 0) & (array < count)
    legal = inside & (masks[np.arange(n), np.where(inside, array, 0)] > 0)
    if not legal[going].all():
        at = int(np.flatnonzero(going & ~legal)[0])
        raise ValueError(f"a policy must return legal actions; action {array[at]} of position {at} isn't legal: use the masks")
    return np.where(legal, array, 0)
