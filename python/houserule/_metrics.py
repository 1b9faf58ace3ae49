"""Names of metrics. In Python the seat in a name counts from 0: ``wins[seat 0]``. The form of the command, ``wins[1]``, whose
seat counts from 1, is understood wherever a metric is named."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any


def python_name(name: str) -> str:
    """Returns the name of a metric in Python, given that of the command: ``wins[seat 0]`` for ``wins[1]``."""
    return re.sub(r"\[(\d+)\]$", lambda seat: f"[seat {int(seat[1]) - 1}]", name)


def command_name(text: str) -> str:
    """Returns the name of a metric as the command writes it, or a text with such a name: ``wins[1]`` for ``wins[seat 0]``.

    Raises
    ------
    ValueError
        If a seat that counts from 1 is 0.
    """
    if zero := re.search(r"([\w.\- ]+)\[\s*0+\s*\]", text):
        metric = zero[1].strip()
        raise ValueError(
            f"there is no metric `{metric}[0]`: in `{metric}[1]` seats count from 1, as on the command line; write "
            f"`{metric}[seat 0]` for seat 0"
        )
    return re.sub(r"\[\s*seat\s+(\d+)\s*\]", lambda seat: f"[{int(seat[1]) + 1}]", text)


def precision_list(precision: Mapping[str, float] | None) -> list[tuple[str, float]]:
    """Returns precisions by metric as a list, with the names that the native module knows."""
    return [(command_name(metric), half_width) for metric, half_width in (precision or {}).items()]


class Measured(dict[str, Any]):
    """The metrics of a combination by name. The names of the command find them too."""

    def __init__(self, metrics: Iterable[tuple[str, Any]]) -> None:
        super().__init__((python_name(name), value) for name, value in metrics)

    def __missing__(self, name: str) -> Any:
        other = python_name(name)
        if other == name or other not in self:
            raise KeyError(name)
        return self[other]

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or isinstance(name, str) and super().__contains__(python_name(name))

    def get(self, name: str, default: Any = None) -> Any:
        """Returns the metric with a name, or a default."""
        return self[name] if name in self else default
