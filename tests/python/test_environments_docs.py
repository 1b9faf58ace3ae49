"""docs/environments.md says what environments are, and its snippets run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import houserule as hr
import pytest
from extent import some_of
from houserule import environments

PAGE = Path(__file__).parents[2] / "docs" / "environments.md"

MEANS = re.compile(r"^\| (random|greedy) \| .*\|$", re.M)


def without_means(text: str) -> str:
    return MEANS.sub(r"| \1 |", text)


def test_the_page_is_what_the_games_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environments, "means", lambda name, agent: "")
    page = PAGE.read_text()
    tried = set(some_of("the page", 4, hr.games().names))
    section, row = environments.section, environments.row

    def section_of(name: str) -> Iterator[str]:
        if name in tried:
            return section(name)
        title = f"## `{environments.env_id(name)}`\n"
        return iter((title + re.split(r"^#+ ", page.split(title)[1], maxsplit=1, flags=re.M)[0]).splitlines())

    def row_of(name: str, of: str) -> str:
        return row(name, of) if name in tried else re.findall(rf"^\| `{environments.env_id(name)}` .*$", page, flags=re.M)[0]

    monkeypatch.setattr(environments, "section", section_of)
    monkeypatch.setattr(environments, "row", row_of)
    written = "\n".join(environments.page()) + "\n"
    assert without_means(written) == without_means(page), (
        "write it again: python -m houserule.environments > docs/environments.md"
    )


@pytest.mark.parametrize("name", ["dilido", "tic-tac-toe", "connect-four", "pig"])
@pytest.mark.parametrize("agent", ["random", "greedy"])
def test_its_means_are_what_comes_out(name: str, agent: str) -> None:
    section = PAGE.read_text().split(f"## `{environments.env_id(name)}`")[1].split("\n## ")[0]
    assert f"| {agent} | {environments.means(name, agent)} |" in section


def test_every_game_has_its_section() -> None:
    titles = re.findall(r"^## `(.*)`$", PAGE.read_text(), flags=re.M)
    assert titles == [environments.env_id(entry.name) for entry in hr.games() if entry.of is None]


def test_every_variant_has_its_row() -> None:
    table = PAGE.read_text().split("\n# The variants\n")[1]
    rows = re.findall(r"^\| `houserule/(.*?)` \| (.*?) \| `(.*?)` \| (.*?) \| (.*?) \|$", table, flags=re.M)
    variants = [entry for entry in hr.games() if entry.of is not None]
    assert [f"houserule/{row[0]}" for row in rows] == [environments.env_id(entry.name) for entry in variants]
    for (_, title, of, actions, observation), entry in some_of("rows", 4, list(zip(rows, variants, strict=True))):
        env = hr.env(entry.name)
        assert (title, of) == (env.game.title, entry.of)
        assert (actions, observation) == (f"`{env.action_space}`", f"`{env.observation_space}`")


def test_the_snippets_run(monkeypatch: pytest.MonkeyPatch) -> None:
    snippets = re.findall(r"```python\n(.*?)```", PAGE.read_text(), flags=re.S)
    assert len(snippets) >= 2
    for snippet in snippets:
        names: dict[str, object] = {"hr": hr}
        exec(compile(snippet, str(PAGE), "exec"), names)
