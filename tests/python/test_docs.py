"""What the Python guide shows works."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

GUIDE = Path(__file__).parents[2] / "docs" / "python.md"
SNIPPETS = re.findall(r"^```python\n(.*?)^```", GUIDE.read_text(), re.M | re.S)


@pytest.mark.parametrize("number", range(len(SNIPPETS)))
def test_snippets_run(number: int) -> None:
    exec(compile(SNIPPETS[number], f"{GUIDE.name}, snippet {number + 1}", "exec"), {})  # noqa: S102


def test_there_are_snippets() -> None:
    assert len(SNIPPETS) >= 4
