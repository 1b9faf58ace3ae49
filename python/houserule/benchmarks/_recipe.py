"""Recipes: how the rule sets of a benchmark are drawn, and what is held out."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

from houserule._native import Game

FOLDER = Path(__file__).parent
SPLITS = ("train", "validation", "test_values", "test_combinations", "test_variants")
"""The splits, in the order in which their candidates are drawn."""
_HELD_OUT = {"test_values": "values", "test_combinations": "combinations", "test_variants": "variants"}
_VARIANT = "variant"
_Item = tuple[int, int]
_Numbers = tuple[tuple[int, ...], tuple[int, ...]]
"""The indices of the variants of a rule set, and of the value of each param; -1 for a param that doesn't apply."""


@dataclass(frozen=True)
class RuleSet:
    """A rule set of a benchmark: a stack of variants and the values of params.

    Attributes
    ----------
    variants
        The names of the variants, in the order of the stack.
    params
        The params and their values. Params that aren't named have the defaults of the stack.
    """

    variants: tuple[str, ...]
    params: tuple[tuple[str, Any], ...]

    @cached_property
    def name(self) -> str:
        """The name, such as ``"dilido + torus size=6 jokers=2"`` without the game."""
        values = (f"{param}={_text(value)}" for param, value in self.params)
        return " ".join([*(f"+ {variant}" for variant in self.variants), *values])

    def items(self) -> set[tuple[str, str]]:
        """Returns the pairs of a param and its value as text, and of ``"variant"`` and a variant's name."""
        return {(param, _text(value)) for param, value in self.params} | {(_VARIANT, name) for name in self.variants}


class Recipe:
    """The recipe of a benchmark: a game, values of params, variants, and what is held out.

    Parameters
    ----------
    name
        The name of the benchmark, which is that of its game.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.text = (FOLDER / "data" / f"{name}.json").read_text("utf-8")
        given = json.loads(self.text)
        self.game: str = given["game"]
        self.players: int = given["players"]
        self.seed: int = given["seed"]
        self.stack: int = given["stack"]
        self.limit: int = given["limit"]
        self.candidates: dict[str, int] = given["candidates"]
        self.scored: int = given["scored"]
        self.games: int = given["games"]
        self.opponent: str | None = given["opponent"]
        self.learned: str = given["learned"]
        self.params: dict[str, dict[str, Any]] = given["params"]
        self.variants: dict[str, str] = given["variants"]
        self._variant_names = list(self.variants)
        self._known_stacks: dict[tuple[int, ...], tuple[list[int], bool]] = {}
        self.apart: list[list[str]] = given.get("apart", [])
        held_out = given["held_out"]
        self.held_values = {(param, _text(value)) for param, values in held_out["values"].items() for value in values}
        self.held_variants = set(held_out["variants"])
        self.held_pairs = [
            ((one[0], _text(one[1])), (other[0], _text(other[1]))) for one, other in held_out["combinations"]
        ]

    def source(self, variant: str) -> str:
        """Returns the bundled name of a variant, or its text if it belongs to the benchmark."""
        given = self.variants[variant]
        return (FOLDER / "variants" / given).read_text("utf-8") if given.endswith(".rules") else given

    def novelty(self, rule_set: RuleSet) -> set[str]:
        """Returns what a rule set has that is held out: ``"values"``, ``"combinations"``, ``"variants"``."""
        items = rule_set.items()
        found = {
            "values": bool(items & self.held_values),
            "variants": bool(self.held_variants.intersection(rule_set.variants)),
            "combinations": any(one in items and other in items for one, other in self.held_pairs),
        }
        return {what for what, is_there in found.items() if is_there}

    @cached_property
    def drawn(self) -> list[tuple[str, RuleSet]]:
        """The candidates: for each its split and its rule set. No rule set is drawn twice."""
        seen: set[_Numbers] = set()
        drawn: list[tuple[str, RuleSet]] = []
        for split in SPLITS:
            wanted = {_HELD_OUT[split]} if split in _HELD_OUT else set()
            # Python promises the same numbers of `random` for the same seed in every version.
            random = Random(f"{self.name}/{self.seed}/{split}").random
            tries, most = 0, 100 * (self.candidates[split] + 100)
            left = self.candidates[split]
            rejected: set[_Numbers] = set()
            while left:
                tries += 1
                if tries > most:
                    raise ValueError(f"the recipe of {self.name} has too few rule sets for the split {split!r}")
                numbers = self._draw(random)
                if numbers in seen or self._stack_of(numbers[0])[1]:
                    continue
                seen.add(numbers)
                if self._held_in(*numbers) == wanted:
                    drawn.append((split, self._rule_set(*numbers)))
                    left -= 1
                else:
                    rejected.add(numbers)
            seen -= rejected  # another split may draw them
        return drawn

    def _stack_of(self, chosen: tuple[int, ...]) -> tuple[list[int], bool]:
        """Returns how many values each param has, 0 for one that doesn't apply to a stack, and True if the stack has two
        variants that change the same thing. A stack is drawn many times."""
        known = self._known_stacks.get(chosen)
        if known is None:
            names = {self._variant_names[at] for at in chosen}
            counts = [len(given["values"]) if _applies(given, names) else 0 for given in self.params.values()]
            known = self._known_stacks[chosen] = counts, any(names.issuperset(pair) for pair in self.apart)
        return known

    def _draw(self, random: Callable[[], float]) -> _Numbers:
        """Draws a rule set, as the indices of its variants and of the values of the params that apply: uniformly the
        height of the stack, which variants it has, and each value."""
        left = list(range(len(self.variants)))
        height = int(random() * (self.stack + 1))
        chosen = tuple(sorted([left.pop(int(random() * len(left))) for _ in range(height)]))
        counts, _ = self._stack_of(chosen)
        return chosen, tuple([int(random() * count) if count else -1 for count in counts])

    @cached_property
    def _held_numbers(self) -> tuple[set[_Item], set[int], list[tuple[_Item, _Item]]]:
        """What is held out, as indices: values, variants, pairs of these. In pairs, the param of a variant is -1."""
        items = {(_VARIANT, name): (-1, at) for at, name in enumerate(self._variant_names)}
        for number, (param, given) in enumerate(self.params.items()):
            items |= {(param, _text(value)): (number, at) for at, value in enumerate(given["values"])}
        return (
            {items[item] for item in self.held_values},
            {items[_VARIANT, name][1] for name in self.held_variants},
            [(items[one], items[other]) for one, other in self.held_pairs],
        )

    def _held_in(self, chosen: tuple[int, ...], numbers: tuple[int, ...]) -> set[str]:
        """Returns the same as `novelty`, from indices."""
        values, variants, pairs = self._held_numbers
        found = set()
        if not values.isdisjoint(enumerate(numbers)):
            found.add("values")
        if not variants.isdisjoint(chosen):
            found.add("variants")
        for (one, value), (other, its) in pairs:
            if (numbers[one] == value if one >= 0 else value in chosen) and (numbers[other] == its if other >= 0 else its in chosen):
                found.add("combinations")
        return found

    def _rule_set(self, chosen: tuple[int, ...], numbers: tuple[int, ...]) -> RuleSet:
        params = (
            (param, _frozen(given["values"][at]))
            for (param, given), at in zip(self.params.items(), numbers, strict=True)
            if at >= 0
        )
        return RuleSet(tuple(self._variant_names[at] for at in chosen), tuple(params))

    @cached_property
    def features(self) -> list[str]:
        """The names of the numbers that show the rules: of a param, an entry of a table or a variant. Held-out
        variants have none, because no training could learn what it means."""
        names = []
        for param, given in self.params.items():
            if self.held_variants.intersection(given.get("with", ())):
                continue
            keys = _keys(given["values"])
            names += [f"{param}[{key}]" for key in keys] if keys else [param]
        return names + [f"+ {name}" for name in self.variants if name not in self.held_variants]

    def standard(self, game: Game) -> RuleSet:
        """Returns the standard rules: no variant, and the game's own values of the params."""
        values = []
        for param, given in self.params.items():
            if _applies(given, set()):
                value = game.params[param].value
                values.append((param, tuple((str(key), points) for key, points in value.items()) if isinstance(value, Mapping) else value))
        return RuleSet((), tuple(values))

    def shown(self, rule_set: RuleSet) -> list[float]:
        """Returns the numbers that show a rule set, from 0 to 1: params scaled to their range in the recipe."""
        params = dict(rule_set.params)
        numbers: list[float] = []
        for param, given in self.params.items():
            if self.held_variants.intersection(given.get("with", ())):
                continue
            values = [_frozen(value) for value in given["values"]]
            keys = _keys(given["values"])
            if keys:
                table = dict(params.get(param, ()))
                for key in keys:
                    numbers.append(_scaled(table.get(key, 0), [dict(value).get(key, 0) for value in values]))
            elif param not in params:
                numbers.append(0.0)
            elif all(isinstance(value, (int, float)) for value in values):
                numbers.append(_scaled(params[param], values))
            else:
                numbers.append(values.index(params[param]) / max(1, len(values) - 1))
        return numbers + [float(name in rule_set.variants) for name in self.variants if name not in self.held_variants]


def thawed(params: tuple[tuple[str, Any], ...]) -> dict[str, Any]:
    """Returns params as `houserule.load` takes them."""
    return {name: dict(value) if isinstance(value, tuple) else value for name, value in params}


def _frozen(value: Any) -> Any:
    return tuple(value.items()) if isinstance(value, dict) else value


def _keys(values: list[Any]) -> list[str]:
    """Returns the keys of the tables among the values of a param."""
    return list(dict.fromkeys(key for value in values if isinstance(value, dict) for key in value))


def _scaled(value: float, values: list[Any]) -> float:
    """Returns a value from 0 to 1 in the range of others. The standard rules may be outside: they get the nearest."""
    low, high = min(values), max(values)
    return (min(max(value, low), high) - low) / (high - low) if high > low else 0.0


def _applies(given: Mapping[str, Any], chosen: set[str]) -> bool:
    needed = given.get("with")
    return (needed is None or bool(chosen.intersection(needed))) and not chosen.intersection(given.get("without", ()))


def _text(value: Any) -> str:
    if isinstance(value, dict):
        value = tuple(value.items())
    if isinstance(value, tuple):
        return "[" + ",".join(f"{key}:{points}" for key, points in value) + "]"
    return str(value).lower() if isinstance(value, bool) else str(value)
