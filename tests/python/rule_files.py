"""Loads rule files of this checkout by their path, whatever the package was built with."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import houserule as hr

RULES = Path(__file__).resolve().parents[2] / "rules"


def path(name: str) -> str:
    """The path of a rule file, for the command."""
    return str(RULES / f"{name}.rules")


def load(name: str, players: int | None = None, **params: Any) -> hr.Game:
    """A game in the folder of the rules, `cards/hearts`, or a variant of one, `variants/hearts-spots`."""
    text = Path(path(name)).read_text()
    base = re.search(r'^variant ".*" of "(.*)"', text, re.M)
    if base is None:
        return hr.load(path(name), players=players, params=params)
    [origin] = RULES.glob(f"*/{base[1]}.rules")
    text = text.replace(f' of "{base[1]}"', f' of "{origin}"')
    return hr.parse(text, name=Path(name).name, players=players, params=params)
