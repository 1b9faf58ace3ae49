"""Loads rule files of this checkout by their path, whatever the package was built with."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import houserule as hr

ROOT = Path(__file__).resolve().parents[2]


def game(path: str, players: int | None = None, **params: Any) -> hr.Game:
    """A game in the folder of the rules: `cards/hearts`."""
    return hr.load(str(ROOT / "rules" / f"{path}.rules"), players=players, params=params)


def variant(name: str, path: str, players: int | None = None, **params: Any) -> hr.Game:
    """A variant in the folder of the variants, of a game in the folder of the rules."""
    text = (ROOT / "rules" / "variants" / f"{name}.rules").read_text()
    base = ROOT / "rules" / f"{path}.rules"
    text, bases = re.subn(rf' of "{base.stem}"', f' of "{base}"', text)
    assert bases == 1
    return hr.parse(text, name=name, players=players, params=params)
