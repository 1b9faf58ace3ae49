"""Computer players that are scripts: wherever agents are named, a path that ends in ``.rhai`` is one."""

from __future__ import annotations

from pathlib import Path

import pytest

import houserule as hr

CORNERS = str(Path(__file__).parents[2] / "examples" / "agents" / "corners.rhai")
ANY = "fn choose(g, actions) { g.pick(actions) }"


def written(folder: Path, text: str, name: str = "agent.rhai") -> str:
    path = folder / name
    path.write_text(text)
    return str(path)


def test_the_example_beats_random_players() -> None:
    found = hr.evaluate(CORNERS, "reversi", "random", games=60, seed=3)
    assert found.rows[0]["win_rate"] > 0.75, found


def test_a_value_makes_greedy_stronger() -> None:
    found = hr.evaluate(f"greedy:{CORNERS}", "reversi", "greedy", games=60, seed=3)
    assert found.rows[0]["win_rate"] > 0.6, found


def test_the_same_on_any_thread(tmp_path: Path) -> None:
    agent = written(tmp_path, ANY)
    runs = [hr.simulate("dominoes", 60, agent, seed=5, threads=threads) for threads in (1, 3)]
    tables = [list(run.games["decisions"]) for run in runs]
    assert tables[0] == tables[1]
    assert list(hr.simulate("dominoes", 60, agent, seed=6).games["decisions"]) != tables[0]


def test_tables_name_the_path(tmp_path: Path) -> None:
    agent = written(tmp_path, ANY)
    found = hr.simulate("tic-tac-toe", 4, [agent, "random"], seed=1)
    assert agent in str(found)


def test_what_is_hidden_is_refused(tmp_path: Path) -> None:
    agent = written(tmp_path, "fn choose(g, actions) {\n  g.hand[g.other];\n  actions[0]\n}")
    with pytest.warns(RuntimeWarning, match="5 games were aborted") as caught:
        found = hr.simulate("dominoes", 5, agent, seed=1)
    assert found.report["aborted"] == 5
    said = f"{agent}:2, `choose`: your seat can't see `hand`; "
    assert said + '`g.count("hand", INDEX)` says how many lie there' in str(caught[0].message)


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("fn choose(g, actions) { actions[0]", "script-syntax", 1),
        ("fn choose(g) { 1 }", "script-parameters", 1),
        ("fn other(g) { 1 }", "unknown-hook", 1),
        ("fn choose(g, actions) {\n  g.mark_;\n  actions[0]\n}", "script-word", 2),
        ("fn choose(g, actions) {\n  g.clear(g.cells);\n  actions[0]\n}", "script-changes", 2),
    ],
)
def test_what_is_wrong_is_told_as_of_rules(tmp_path: Path, text: str, code: str, line: int) -> None:
    agent = written(tmp_path, text)
    with pytest.raises(hr.RulesError) as caught:
        hr.simulate("tic-tac-toe", 1, agent)
    (told,) = caught.value.diagnostics
    assert (told.code, told.place.file, told.place.line) == (code, agent, line)


def test_there_is_no_such_file() -> None:
    for name in ("none.rhai", "greedy:none.rhai"):
        with pytest.raises(FileNotFoundError) as caught:
            hr.simulate("tic-tac-toe", 1, name)
        assert caught.value.filename == "none.rhai"
    with pytest.raises(FileNotFoundError):
        hr.env("tic-tac-toe", opponents="none.rhai")


def test_opponents_of_environments(tmp_path: Path) -> None:
    agent = written(tmp_path, "fn choose(g, actions) { actions[0] }")
    first = hr.env("tic-tac-toe", opponents=agent, seat=0)
    _, info = first.reset(seed=1)
    before = info["action_mask"]
    _, _, _, _, info = first.step(4)
    # The learner's square is taken, and the first of the others.
    assert [at for at in range(9) if before[at] and not info["action_mask"][at]] == [0, 4]
    with pytest.raises(hr.RulesError):
        hr.env("tic-tac-toe", opponents=written(tmp_path, "fn choose(g, a) { g.x }", "wrong.rhai"))
