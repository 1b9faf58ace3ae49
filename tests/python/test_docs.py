"""What the Python guide and the pages on agents and benchmarks show works."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
SNIPPETS = [
    (f"{page}, snippet {number}", snippet)
    for page in ("python.md", "agents.md", "benchmarks.md")
    for number, snippet in enumerate(re.findall(r"^```python\n(.*?)^```", (DOCS / page).read_text(), re.M | re.S), 1)
]


@pytest.mark.parametrize(("name", "snippet"), SNIPPETS, ids=[name for name, _ in SNIPPETS])
def test_snippets_run(name: str, snippet: str) -> None:
    exec(compile(snippet, name, "exec"), {})  # noqa: S102


def test_there_are_snippets() -> None:
    assert len(SNIPPETS) >= 6
