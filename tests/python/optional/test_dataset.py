"""Data sets of episodes: what Minari, pyarrow and polars read is what an environment tells."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import houserule as hr
import minari
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))
    return tmp_path


GAMES: list[tuple[str, dict[str, Any]]] = [
    ("dilido", {"penalty_limit": 2}),
    ("dilido+dilido-torus", {"dtype": "uint8"}),
    ("connect-four", {"agents": ["greedy", "mcts:10"], "dtype": "bits"}),
    ("pig", {"players": 3, "reward": "score", "goal": 20}),
]


@pytest.mark.parametrize("data_format", ["hdf5", "arrow", "parquet"])
@pytest.mark.parametrize(("game", "options"), GAMES)
def test_minari_loads_it(game: str, options: dict[str, Any], data_format: Any) -> None:
    path = hr.dataset(game, "houserule/mine-v0", games=12, seed=5, data_format=data_format, **options)
    assert (path / "data" / "metadata.json").exists()
    data = minari.load_dataset("houserule/mine-v0")
    about = data.storage.metadata
    plain = {name: value for name, value in options.items() if name not in ("agents", "dtype", "reward")}
    loaded = hr.load(game, **plain)
    assert about["rules"] == loaded.source and about["rules_sha256"] == loaded.rules_sha256
    assert about["agents"] == options.get("agents", ["random"] * loaded.players) and about["seed"] == 5
    assert about["players"] == loaded.players and about["houserule_version"] == hr.__version__
    env = data.recover_environment()
    assert env.observation_space == data.observation_space and env.action_space == data.action_space
    assert env.unwrapped.game.program() == loaded.program()

    found = hr.simulate(loaded, 12, options.get("agents", "random"), seed=5)
    scores, returns = (dict(zip(zip(found.seats["index"], found.seats["seat"]), found.seats[key])) for key in ("score", "returns"))
    of_score = loaded.players == 1 or options.get("reward") == "score"
    decisions = hr.simulate(loaded, 12, options.get("agents", "random"), seed=5, record=True).decisions
    assert data.total_episodes == len(set(zip(decisions["index"], decisions["seat"])))
    for episode, which in zip(data.iterate_episodes(), data.storage.get_episode_metadata(range(data.total_episodes)), strict=True):
        own = (int(which["index"]), int(which["seat"]))
        assert which["seed"] == 5
        assert episode.rewards.sum() == (scores if of_score else returns)[own]
        assert not episode.truncations.any()
        assert episode.terminations.tolist() == [False] * (len(episode) - 1) + [True]
        masks = episode.infos["action_mask"]
        assert len(masks) == len(episode) + 1 == len(episode.observations)
        assert masks[np.arange(len(episode)), episode.actions].all() and masks[-1].all()
        assert data.observation_space.contains(episode.observations[0].astype(data.observation_space.dtype))


def rows(path: Path) -> tuple[pl.DataFrame, dict[str, Any]]:
    table = pq.read_table(path) if path.suffix == ".parquet" else pa.ipc.open_file(path).read_all()
    return pl.from_arrow(table), json.loads(table.schema.metadata[b"houserule"])


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
@pytest.mark.parametrize("reward", ["score", "outcome"])
def test_rows_are_the_steps_of_an_environment(folder: Path, suffix: str, reward: Any) -> None:
    path = hr.dataset("dilido", folder / f"mine{suffix}", games=1, seed=9, reward=reward)
    table, about = rows(path)
    assert about["rules_sha256"] == hr.load("dilido").rules_sha256 and about["agents"] == ["random"]
    env = hr.env("dilido", reward=reward)
    seen, info = env.reset(seed=9)
    for row in table.iter_rows(named=True):
        assert (seen == row["observation"]).all() and (info["action_mask"] == row["action_mask"]).all()
        seen, gained, ended, cut, info = env.step(row["action"])
        assert (gained, ended, cut) == (row["reward"], row["terminated"], row["truncated"])
    assert ended


def test_games_of_several_chunks_are_those_of_one_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, _ = rows(hr.dataset("tic-tac-toe", folder / "one.parquet", games=50))
    monkeypatch.setattr("houserule._dataset.CHUNK", 20)
    many, _ = rows(hr.dataset("tic-tac-toe", folder / "many.parquet", games=50))
    assert one.equals(many) and one["episode"].n_unique() == 100
    hr.dataset("tic-tac-toe", "tic/random-v0", games=50)
    assert minari.load_dataset("tic/random-v0").total_episodes == 100


HEAD_START = """
game "Head start" {
  players 2
  var points[player]: 0..20 = 5              "points left"
  turn { step go { choose go { one "lose one" { points[me] -= 1 } two "lose two" { points[me] -= 2 } } } }
  end out when any p in players: points[p] <= 1
  score { points: points[me] }
  winner least(score)
}
"""


def test_points_from_the_start_and_least_scores(folder: Path) -> None:
    """The first reward has the points of the start, and the least score is best."""
    table, _ = rows(hr.dataset(HEAD_START, folder / "mine.arrow", games=20, reward="score"))
    found = hr.simulate(HEAD_START, 20).seats
    sums = table.group_by("index", "seat").agg(pl.col("reward").sum())
    scores = {(row["index"], row["seat"]): -row["score"] for row in found.rows()}
    assert {(row["index"], row["seat"]): row["reward"] for row in sums.iter_rows(named=True)} == scores
    env = hr.env(HEAD_START, reward="score", opponents="self")
    env.reset(seed=1)
    gained: dict[int, list[float]] = {0: [0.0], 1: [0.0]}
    begun = {0: False, 1: False}
    for action in hr.simulate(HEAD_START, 1, record=True).decisions["action"]:
        mover = env.state.current_player
        if begun[mover]:
            gained[mover].append(0.0)
        begun[mover] = True
        rewards = env.step(env.game.parse_action(action))[-1]["rewards"]
        for seat in (0, 1):
            gained[seat][-1] += rewards[seat]
    first = table.filter(pl.col("index") == 0)
    assert {seat: first.filter(pl.col("seat") == seat)["reward"].to_list() for seat in (0, 1)} == gained


def test_callables(folder: Path) -> None:
    def first(state: hr.State) -> int:
        return state.legal_actions()[0]

    table, about = rows(hr.dataset("tic-tac-toe", folder / "mine.parquet", games=2, agents=[first, "greedy"]))
    assert about["agents"] == ["first", "greedy"]
    own = table.filter(pl.col("seat") == 0)
    assert all(row["action"] == int(np.flatnonzero(row["action_mask"])[0]) for row in own.iter_rows(named=True))


def test_what_is_wrong_is_said(folder: Path) -> None:
    with pytest.raises(ValueError, match="Minari data set"):
        hr.dataset("dilido", "no name", games=1)
    with pytest.raises(ValueError, match="nothing to decide"):
        hr.dataset("tic-tac-die", "tic/die-v0", games=1)
    with pytest.raises(ValueError, match="reward must be"):
        hr.dataset("dilido", "di/li-v0", games=1, reward="much")  # type: ignore[arg-type]
    for to in (folder / "mine.arrow", "di/li-v0"):
        hr.dataset("dilido", to, games=1)
        with pytest.raises(FileExistsError, match="already"):
            hr.dataset("dilido", to, games=1)
