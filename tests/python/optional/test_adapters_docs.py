"""What the page on adapters shows works."""

from __future__ import annotations

import re
from pathlib import Path

import houserule as hr
import pytest

PAGE = Path(__file__).parents[3] / "docs" / "adapters.md"
SNIPPETS = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.M | re.S)


@pytest.mark.parametrize("snippet", SNIPPETS, ids=[f"snippet {number}" for number in range(1, len(SNIPPETS) + 1)])
def test_snippets_run(snippet: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))
    (tmp_path / "mine.rules").write_text(hr.load("tic-tac-toe").source)
    exec(compile(snippet, str(PAGE), "exec"), {})  # noqa: S102


def test_each_library_has_a_snippet() -> None:
    assert len(SNIPPETS) >= 12
