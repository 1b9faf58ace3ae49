"""The snippets of docs/results.md run, one after the other."""

from __future__ import annotations

import re
from pathlib import Path

from extent import tries

PAGE = Path(__file__).parents[2] / "docs" / "results.md"


def test_the_snippets_run(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text()
    # A precision of one point takes tens of thousands of games.
    assert text.count('precision={"score": 1}') == 1
    text = text.replace('precision={"score": 1}', tries('precision={"score": 4}', 'precision={"score": 1}'))
    snippets = re.findall(r"```python\n(.*?)```", text, flags=re.S)
    assert len(snippets) >= 8
    names: dict[str, object] = {}
    for snippet in snippets:
        exec(compile(snippet, str(PAGE), "exec"), names)
    assert "2,000 games" in capsys.readouterr().out
