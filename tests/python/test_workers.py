"""Runs divided among other processes have the results of one process, whatever happens to a worker."""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import houserule as hr
from extent import tries
from houserule import _shards, _workers
from test_added_results import figures, same
from worker_agents import MARK, broken, fragile, illegal, lowest

VARIANTS = Path(__file__).parents[2] / "rules" / "variants"


def processes() -> ProcessPoolExecutor:
    """Two processes, whose folder has none of the files."""
    return ProcessPoolExecutor(2, multiprocessing.get_context("spawn"), os.chdir, (os.sep,))


@pytest.fixture(scope="module")
def pool() -> Iterator[ProcessPoolExecutor]:
    with processes() as pool:
        yield pool


class Here:
    """Does jobs in this process, with an interface of its own, and keeps them."""

    def __init__(self) -> None:
        self.jobs: list[tuple[Callable[..., Any], tuple[Any, ...]]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Future[Any]:
        self.jobs.append((fn, args))
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args))
        except Exception as error:
            future.set_exception(error)
        return future


def report_of(found: Any) -> dict[str, Any]:
    """Returns the report of a comparison or a study without what doesn't follow from the games."""
    return {key: value for key, value in found.report.items() if key not in ("seconds", "threads")}


def page_of(report: hr.Report) -> str:
    """Returns a report as JSON without times: its own, and those of decisions."""
    page = {key: value for key, value in report.page.items() if key not in ("seconds", "threads")}
    for section in page["sections"]:
        for table in section["tables"]:
            if "ms a decision" in table["columns"]:
                at = table["columns"].index("ms a decision")
                table["rows"] = [[cell for column, cell in enumerate(row) if column != at] for row in table["rows"]]
    return json.dumps(page)


@pytest.mark.parametrize("agents", ["random", "greedy", lowest])
def test_a_run_with_rows_is_the_same(pool: ProcessPoolExecutor, agents: Any) -> None:
    def run(**options: Any) -> hr.Results:
        return hr.simulate("dicrono", 150, agents, seed=7, first=5, record=True, **options)

    found, whole = run(on=pool), run(threads=2)
    same(found, whole)
    assert json.dumps(figures(found)) == json.dumps(figures(whole))
    assert found.decisions.rows() == whole.decisions.rows()
    assert found.game(5) == whole.game(5) and found.record(154) == whole.record(154)
    for index in (4, 155):
        with pytest.raises(IndexError):
            found.game(index)


def test_a_run_of_many_shards_is_the_same(pool: ProcessPoolExecutor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_shards, "SECONDS", 0.001)
    monkeypatch.setattr(_shards, "SHORTEST", 0.001)
    monkeypatch.setattr(_shards, "PREPARED", 0)
    told: list[int] = []
    games = tries(10_000, 30_000)
    found = hr.simulate("dilido", games, on=pool, progress=told.append)
    same(found, hr.simulate("dilido", games))
    assert told == sorted(told) and told[-1] == games and len(told) > 5
    assert len(hr.simulate("dilido", 7, on=pool, first=games) + found) == games + 7


def test_matches_are_the_same(pool: ProcessPoolExecutor) -> None:
    found, whole = hr.simulate("dilido", 9, match=True, on=pool), hr.simulate("dilido", 9, match=True)
    same(found, whole)
    last = whole.games.rows()[-1]["index"]
    assert found.game(last) == whole.game(last)


def test_files_travel(pool: ProcessPoolExecutor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("dicrono-snake.rules", "dicrono-snake.rhai"):
        shutil.copy(VARIANTS / name, tmp_path / name.replace("dicrono-", "my-"))
    rules = Path("my-snake.rules")
    rules.write_text(rules.read_text().replace("dicrono-snake.rhai", "my-snake.rhai"))
    game = hr.load("dicrono + ./my-snake.rules", snake_points={3: 2, 5: 7, "6+": 9})
    Path("any.rhai").write_text("fn choose(g, actions) { g.pick(actions) }")
    Path("value.rhai").write_text("fn value(g, player) { g.score(player) }")
    agents: list[Any] = ["any.rhai", "greedy:value.rhai"]
    # A game without a script: with one, training is slow from its first game on.
    hr.learn("dicrono", 20).save("mine.player")
    for played, by in ((game, agents), ("dicrono", "mine.player"), ("dicrono", hr.Player(Path("mine.player").read_bytes(), "it"))):
        whole = hr.simulate(played, 3, by)
        found = hr.simulate(played, 3, by, on=pool)
        same(found, whole)
        assert found.game(2) == whole.game(2)
    # Nothing is read again.
    shorter = game.with_params(longest_snake=4)
    whole = hr.simulate(game, 3)
    for path in (rules, Path("my-snake.rhai")):
        path.unlink()
    same(hr.simulate(game, 3, on=pool), whole)
    for a, b, by in ((game, shorter, agents), ("dicrono", hr.load("dicrono", penalty_score=-2), "mine.player")):
        found, whole_of_both = (hr.compare(a, b, games=2, agents=by, on=on) for on in (pool, None))
        assert report_of(found) == report_of(whole_of_both)


def test_players_that_learn_are_trained_once(pool: ProcessPoolExecutor) -> None:
    here = Here()
    for on in (pool, here):
        same(hr.simulate("tic-tac-toe", 40, ["learned:150", "random"], on=on), hr.simulate("tic-tac-toe", 40, ["learned:150", "random"]))
    calls = [fn.__name__ for fn, _ in here.jobs]
    assert calls[0] == "do_part" and set(calls[1:]) == {"play"}


@pytest.mark.parametrize("b", ["dilido-torus", "dilido + blocked"])
def test_comparisons_are_the_same(pool: ProcessPoolExecutor, b: str) -> None:
    for options in ({"agents": ["random", "greedy"], "games": 600}, {"agents": ["greedy", "learned:100"], "games": 41}, {"agents": "greedy", "match": True, "games": 6}):
        found, whole = (hr.compare("dilido", b, seed=3, on=on, **options) for on in (pool, None))
        assert json.dumps(report_of(found)) == json.dumps(report_of(whole)) and found.note == whole.note
    assert str(found).rsplit("\n", 2)[0] == str(whole).rsplit("\n", 2)[0]


def test_the_parts_of_a_comparison() -> None:
    here = Here()
    hr.compare("dilido", hr.load("dilido", jokers=2), 30, ["learned:10"], on=here)
    parts = [args[4] for fn, args in here.jobs if fn is _shards.do_part]
    assert len(parts) == len(here.jobs) == len(set(parts))
    assert [part.startswith("player ") for part in parts[:4]] == [True] * 4, "two players of each game"
    assert all(part.startswith("learned:10, training ") for part in parts[4:]) and len(parts) >= 6
    # Pairs get the players of their training, and no others.
    assert all(len(args[5]) == 2 for _, args in here.jobs[4:])


def test_comparisons_with_aborted_games_are_the_same(pool: ProcessPoolExecutor) -> None:
    rules = """game "Risky" {{
  players 1
  dice pair: 2 of d6
  var n: 0..28 = 0
  turn {{ roll pair; n += pair[1] + pair[2] }}
  end when n >= {limit}
}}"""
    a, b = rules.format(limit=25), rules.format(limit=28)
    found, whole = (hr.compare(a, b, 200, "random", on=on) for on in (pool, None))
    assert report_of(found) == report_of(whole) and found.report["agents"][0]["aborted"] > 10
    with pytest.warns(RuntimeWarning, match="aborted") as told:
        one, other = (hr.simulate(a, 200, on=on) for on in (pool, None))
    assert str(told[0].message) == str(told[1].message) and figures(one) == figures(other)


def test_sweeps_are_the_same(pool: ProcessPoolExecutor) -> None:
    def swept(**options: Any) -> hr.Sweep:
        return hr.sweep("dilido", 60, ["random", "greedy"], jokers=[0, 2], variants=["dilido-torus"], **options)

    found, whole = swept(on=pool), swept()
    assert found.cells == whole.cells and len(found) == 8
    for one, other in zip(found, whole, strict=True):
        same(one, other)
    assert found.rows() == whole.rows()


@pytest.mark.parametrize("game", ["dilido", "pig"])
def test_what_rules_are_worth_is_the_same(pool: ProcessPoolExecutor, game: str) -> None:
    found, whole = (hr.worth(game, 30, quick=True, on=on) for on in (pool, None))
    assert json.dumps(report_of(found)) == json.dumps(report_of(whole)) and found.report["rules"]
    options = {"games": 10, "agents": ["learned:40"], "only": ["option joker" if game == "dilido" else "option roll"]}
    found, whole = (hr.worth(game, on=on, **options) for on in (pool, None))
    assert json.dumps(report_of(found)) == json.dumps(report_of(whole))


@pytest.mark.one_of(2)
@pytest.mark.parametrize(("game", "players"), [("dilido", 1), ("pig", 3)])
def test_quick_reports_are_the_same(pool: ProcessPoolExecutor, game: str, players: int) -> None:
    found, whole = (hr.report(hr.load(game, players=players), 50, "greedy", quick=True, on=on) for on in (pool, None))
    assert page_of(found) == page_of(whole)


@pytest.mark.one_of(3)
@pytest.mark.parametrize(("game", "players"), [("tic-tac-toe", 2), ("pig", 3), ("snakes-and-ladders", 2)])
def test_the_quick_player_is_the_same(pool: ProcessPoolExecutor, game: str, players: int) -> None:
    found, whole = (hr.report(hr.load(game, players=players), 50, quick=True, on=on) for on in (pool, None))
    assert page_of(found) == page_of(whole)


def test_one_worker_chooses_the_quick_player() -> None:
    here = Here()
    found = hr.report(tries("tic-tac-toe", "pig"), 50, quick=True, on=here)
    player = found.page["agents"][0]["agent"]
    assert player not in ("random", "greedy")
    parts = {args[4]: args[5] for _, args in here.jobs}
    assert len(parts) == len(here.jobs) and "quick player" in parts
    played = [given for part, given in parts.items() if part.startswith(f"{player}, training 0, ")]
    assert len(played) > 1 and all("quick player" in given for given in played)


def test_reports_with_players_that_learn_are_the_same(pool: ProcessPoolExecutor) -> None:
    # How good players are takes most of the time with three of them, whatever is asked for.
    for game, agent in (("tic-tac-toe", "learned:100"), *tries([], [(hr.load("pig", players=3), "learned:50")])):
        found, whole = (hr.report(game, 30, agent, on=on) for on in (pool, None))
        assert page_of(found) == page_of(whole)


def test_a_worker_that_is_killed_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MARK, str(tmp_path / "mark"))
    before = set(multiprocessing.active_children())
    with processes() as pool:
        found = hr.simulate("tic-tac-toe", 200, fragile, on=pool)
        assert pool._broken and (tmp_path / "mark").exists()  # type: ignore[attr-defined]
    assert found.games.rows() == [{**row, "agents": "fragile"} for row in hr.simulate("tic-tac-toe", 200, fragile).games.rows()]
    # Not `join`: the pool waits for its processes too, and of two threads that wait for one, only the first learns that
    # it ended.
    end = time.monotonic() + 60
    while not set(multiprocessing.active_children()) <= before and time.monotonic() < end:
        time.sleep(0.01)
    assert set(multiprocessing.active_children()) <= before, "the replacement ends with the call"


def test_a_worker_that_is_always_killed_is_an_error() -> None:
    with processes() as pool, pytest.raises(RuntimeError, match=r"tic-tac-toe, games \d+ to \d+ .*: the worker was lost 4 times"):
        hr.simulate("tic-tac-toe", 200, broken, on=pool)


def test_errors_of_rules_and_agents_are_not_tried_again(pool: ProcessPoolExecutor) -> None:
    with pytest.raises(ValueError, match="the agent returned -1, which is not a legal action"):
        hr.simulate("tic-tac-toe", 200, illegal, on=pool)
    here = Here()
    with pytest.raises(ValueError, match="not a legal action"):
        hr.simulate("tic-tac-toe", 200, illegal, on=here)
    assert len(here.jobs) <= _workers.AHEAD * _workers._count(here)
    for wrong in ({"agents": "gredy"}, {"agents": "none.rhai"}, {"threads": 0}):
        with pytest.raises((ValueError, FileNotFoundError)) as local:
            hr.simulate("tic-tac-toe", 5, **wrong)
        with pytest.raises(type(local.value)) as remote:
            hr.simulate("tic-tac-toe", 5, on=pool, **wrong)
        assert str(remote.value) == str(local.value)
    with pytest.raises(ValueError, match="callables"):
        hr.compare("dilido", "dilido-torus", 5, lowest, on=pool)
    with pytest.raises(ValueError, match="there is no such|no rule|did you mean"):
        hr.worth("dilido", 5, quick=True, only="jokr", on=pool)
    with pytest.raises(ValueError, match=r"the agent `<lambda>` can't be sent to another process"):
        hr.simulate("tic-tac-toe", 5, lambda state: 0, on=pool)


def test_an_interface_of_ones_own() -> None:
    here, count = Here(), tries(2000, 5000)
    same(hr.simulate("dilido", count, on=here), hr.simulate("dilido", count))
    shards = sorted((args[1].first, args[1].games) for fn, args in here.jobs if fn is _shards.play)
    assert shards[0][0] == 0 and all(first + games == after for (first, games), (after, _) in zip(shards, shards[1:]))
    assert sum(shards[-1]) == count
    with ThreadPoolExecutor(3) as threads:
        same(hr.simulate("dilido", count // 4, "greedy", on=threads), hr.simulate("dilido", count // 4, "greedy"))


class Without:
    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Any:
        return None


@pytest.mark.parametrize(("on", "message"), [(3, "takes no jobs"), (Without(), "must return a concurrent.futures.Future")])
def test_what_takes_no_jobs(on: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        hr.simulate("dilido", 5, on=on)


def test_workers_have_the_same_version() -> None:
    with pytest.raises(RuntimeError, match=r"a worker has houserule .*, and the jobs come from 0\.0\.0"):
        _workers.same_version("0.0.0")


def test_an_interruption_cancels_what_has_not_begun() -> None:
    def interrupt(done: int) -> None:
        raise KeyboardInterrupt

    waiting: list[Future[Any]] = []

    class Slow(Here):
        def submit(self, fn: Callable[..., Any], /, *args: Any) -> Future[Any]:
            if not self.jobs:
                return super().submit(fn, *args)
            waiting.append(Future())
            return waiting[-1]

    with pytest.raises(KeyboardInterrupt):
        hr.simulate("dilido", 100_000, on=Slow(), progress=interrupt)
    assert waiting and all(future.cancelled() for future in waiting)


def test_few_jobs_are_sent_ahead() -> None:
    most, under_way, lock = 0, 0, threading.Lock()

    class Counted(ThreadPoolExecutor):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
            nonlocal most, under_way
            with lock:
                under_way += 1
                most = max(most, under_way)

            def job() -> Any:
                nonlocal under_way
                try:
                    return fn(*args)
                finally:
                    with lock:
                        under_way -= 1

            return super().submit(job)

    with Counted(2) as threads:
        hr.sweep("dilido", tries(5, 50), jokers=[0, 1, 2], penalty_limit=range(1, tries(5, 8)), on=threads)
    assert 2 <= most <= 2 * _workers.AHEAD
