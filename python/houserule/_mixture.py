"""Mixtures of opponents, from which every episode of an environment draws."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from houserule._agents import is_agent, name_of


class Mixture(NamedTuple):
    """Opponents with weights, see :func:`mixture`."""

    entries: tuple[tuple[str, Any, float], ...]
    """The name, the opponents and the weight of each entry."""


def mixture(opponents: Mapping[Any, float] | Iterable[tuple[Any, float]]) -> Mixture:
    """Returns a mixture of opponents: every episode of an environment plays against one of them.

    An episode draws its opponents from its seed, so it has the same ones again with the same seed.
    ``info["opponent"]`` is their name.

    Parameters
    ----------
    opponents
        The weight of each entry, as a dict or as pairs. An entry is the name of an agent, the path of a script or of a
        trained player, a :class:`houserule.Player`, a callable, or in pairs a list with one of these for each seat. An
        entry is drawn with the probability of its weight divided by the sum of all weights.

    Raises
    ------
    TypeError
        If an entry isn't an agent, or a weight isn't a number.
    ValueError
        If there are no entries, or a weight is negative or not finite, or all are 0.

    Examples
    --------
    >>> import houserule as hr
    >>> envs = hr.vector_env("connect-four", 64, opponents=hr.mixture({"random": 1, "greedy": 3}))
    """
    pairs = opponents.items() if isinstance(opponents, Mapping) else opponents
    entries = tuple((_name(one), one, _weight(weight)) for one, weight in pairs)
    if not any(weight > 0.0 for _, _, weight in entries):
        raise ValueError("a mixture needs an opponent with a weight above 0")
    return Mixture(entries)


def _name(opponents: Any) -> str:
    if is_agent(opponents):
        return name_of(opponents)
    if isinstance(opponents, (list, tuple)):
        return ", ".join(_name(one) for one in opponents)
    raise TypeError(f"an opponent must be a name, a player or a callable, or a list of these, not {opponents!r}")


def _weight(weight: Any) -> float:
    if isinstance(weight, bool) or not isinstance(weight, (int, float)) and not hasattr(weight, "__float__"):
        raise TypeError(f"the weight of an opponent must be a number, not {weight!r}")
    number = float(weight)
    if not 0.0 <= number < float("inf"):
        raise ValueError(f"the weight of an opponent must be a number from 0 on, not {weight!r}")
    return number
