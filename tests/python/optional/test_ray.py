"""Runs divided among the workers of a Ray cluster have the results of one process."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import houserule as hr
import pytest

ray = pytest.importorskip("ray")


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    """A cluster with several workers, on which the tests of this file play."""
    ray.init(num_cpus=3, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


def without_times(report: dict[str, Any]) -> str:
    times = {"threads", "seconds", "cpu_seconds", "games_per_second", "decisions_per_second"}
    return json.dumps({key: value for key, value in report.items() if key not in times})


def same(found: hr.Results, whole: hr.Results) -> None:
    assert without_times(found.report) == without_times(whole.report)
    assert found.summary().rows() == whole.summary().rows()
    assert found.games.rows() == whole.games.rows() and found.seats.rows() == whole.seats.rows()


@pytest.mark.parametrize("agents", ["random", "greedy"])
def test_a_run_is_the_same(agents: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(**options: Any) -> hr.Results:
        return hr.simulate("dilido + torus", 3000, agents, seed=7, first=5, record=agents == "greedy", **options)

    same(run(on="ray"), run())


def test_a_worker_that_is_killed_is_replaced(tmp_path: Path) -> None:
    mark, driver = tmp_path / "mark", os.getpid()

    def fragile(state: hr.State) -> int:
        try:
            mark.touch(exist_ok=False)
        except FileExistsError:
            return state.legal_actions()[0]
        if os.getpid() != driver:
            os.kill(os.getpid(), signal.SIGKILL)
        return state.legal_actions()[0]

    found = hr.simulate("tic-tac-toe", 400, fragile, on="ray")
    assert mark.exists()
    same(found, hr.simulate("tic-tac-toe", 400, fragile))


def test_a_worker_that_is_always_killed_is_an_error() -> None:
    driver = os.getpid()

    def broken(state: hr.State) -> int:
        if os.getpid() != driver:
            os.kill(os.getpid(), signal.SIGKILL)
        return state.legal_actions()[0]

    with pytest.raises(RuntimeError, match="the worker was lost 4 times"):
        hr.simulate("tic-tac-toe", 400, broken, on="ray")


def test_errors_keep_their_type_and_message() -> None:
    with pytest.raises(ValueError) as caught:
        hr.simulate("tic-tac-toe", 400, lambda state: -1, on="ray")
    assert type(caught.value) is ValueError
    assert "the agent returned -1, which is not a legal action" in str(caught.value).splitlines()[0]


def test_other_work_is_the_same() -> None:
    sweeps = [hr.sweep("dilido", 50, jokers=[0, 1], on=on) for on in ("ray", None)]
    assert sweeps[0].games.rows() == sweeps[1].games.rows()
    work = (
        lambda on: hr.compare("dilido", "dilido-torus", 300, ["random", "learned:50"], on=on),
        lambda on: hr.worth("pig", 20, quick=True, on=on),
    )
    for run in work:
        assert without_times(run("ray").report) == without_times(run(None).report)
    pages = [hr.report("dilido", quick=True, on=on) for on in ("ray", None)]
    assert without_times(pages[0].page) == without_times(pages[1].page)


def test_a_cluster_by_its_address() -> None:
    address = ray.get_runtime_context().gcs_address
    ray.shutdown()
    with pytest.raises(ConnectionError):
        hr.simulate("dilido", 10, on="auto")
    assert not ray.is_initialized() and address
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    same(hr.simulate("dilido", 1500, on=ray.get_runtime_context().gcs_address), hr.simulate("dilido", 1500))
