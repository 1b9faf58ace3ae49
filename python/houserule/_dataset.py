"""Data sets of episodes, for learning from recorded games (offline reinforcement learning, imitation)."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from houserule import _native
from houserule._agents import Agents, Count, at_least_one, by_seat
from houserule._errors import RulesError
from houserule._progress import part_of
from houserule._progress import progress as progress_of
from houserule._results import simulate
from houserule._source import Source, game_of, returns_of, score_sign

CHUNK = 1000
"""The number of games that are in memory at a time."""

_FILES = (".parquet", ".arrow")


@dataclass(frozen=True)
class Episode:
    """The decisions of one seat in one game. T is their number, A the number of actions."""

    index: int
    """The index of the game in its run."""
    seat: int
    observations: NDArray[Any]
    """What the seat saw at each decision, and at the end of the game: (T + 1, numbers)."""
    masks: NDArray[np.int8]
    """The masks of the legal actions, and ones at the end: (T + 1, A)."""
    actions: NDArray[np.int64]
    """(T,)"""
    rewards: NDArray[np.float64]
    """(T,)"""

    @property
    def terminations(self) -> NDArray[np.bool_]:
        """True for the last decision: (T,)."""
        return np.arange(len(self.actions)) == len(self.actions) - 1


def dataset(
    game: Source,
    to: str | os.PathLike[str],
    *,
    agents: Agents = "random",
    games: Count = 1_000,
    seed: int = 1,
    dtype: Literal["float32", "float16", "uint8", "bool", "bits"] = "float32",
    reward: Literal["auto", "score", "outcome", "payoff"] = "auto",
    data_format: Literal["hdf5", "arrow", "parquet"] = "hdf5",
    threads: int | None = None,
    progress: bool = False,
    players: int | None = None,
    params: dict[str, Any] | None = None,
    **settings: Any,
) -> Path:
    """Plays games and writes their episodes as a data set. Returns the path of the data set.

    An episode is what one seat saw, did and got in one game, so that a game of two players makes two episodes.
    Observations, masks and rewards are those of :class:`houserule.gymnasium.Env` in that seat. Only games that came to
    an end are written: no episode is truncated.

    Parameters
    ----------
    game
        A game, a name, a path or rule text.
    to
        The path of a file that ends in ``.parquet`` or ``.arrow``, or the name of a Minari data set such as
        ``"dilido/greedy-v0"``. Minari stores it in its own folder (``MINARI_DATASETS_PATH``), and
        ``minari.load_dataset`` loads it.
    agents, games, seed, threads, progress
        As for `simulate`.
    dtype
        The dtype of observations: ``"float32"``, ``"uint8"`` or ``"bits"``, see :class:`houserule.gymnasium.Env`.
    reward
        ``"score"``, ``"outcome"``, ``"payoff"`` or ``"auto"``, as for :class:`houserule.gymnasium.Env`.
    data_format
        The format of Minari's storage. HDF5 is a single file; with the others, each episode is a folder.
    players, params, **settings
        The number of players, and params of the rules by name.

    Raises
    ------
    FileExistsError
        If there is already a file or a data set of this name.
    ImportError
        If pyarrow or Minari isn't installed: ``pip install '.[data]'`` in the project folder.
    ValueError
        If an option is invalid, the game has no decisions, no game came to an end, or the name isn't one of a Minari
        data set.

    Notes
    -----
    A file has a row for each decision, in the order of play of each seat, with the columns ``episode``, ``index``,
    ``seat``, ``step``, ``observation``, ``action_mask``, ``action``, ``reward``, ``terminated`` and ``truncated``.
    Observations and masks are lists of fixed size. The final observation isn't in the file. The key ``houserule`` of
    the schema's metadata is JSON with the rules, their hash, the params, the agents, the seed, the number of games and
    the version of houserule. A Minari data set has the same keys in its metadata, the masks in ``infos``, and
    ``seed``, ``index`` and ``seat`` in the metadata of each episode: ``game.start(seed, index)`` starts its game.
    """
    loaded = game_of(game, players, params, **settings)
    if reward not in ("auto", "outcome", "payoff", "score"):
        raise ValueError(f"reward must be 'auto', 'outcome', 'payoff' or 'score', not {reward!r}")
    if loaded.num_actions == 0:
        raise ValueError(f"{loaded.title} leaves nothing to decide: a data set needs a game with actions")
    if reward == "auto":
        pays = _native.facts(loaded)["payoff"] is not None
        reward = "payoff" if pays else "score" if loaded.players == 1 else "outcome"
    count = at_least_one(games)
    about = {
        "game": loaded.name,
        "rules": loaded.source,
        "rules_sha256": loaded.rules_sha256,
        "params": loaded.params.to_dict(),
        "players": loaded.players,
        "agents": [name for name, _ in by_seat(agents, loaded.players)],
        "games": count,
        "seed": seed,
        "reward": reward,
        "observation_dtype": dtype,
        "houserule_version": _native.__version__,
    }
    with progress_of(progress, count) as show:

        def chunks() -> Iterator[list[Episode]]:
            for first in range(0, count, CHUNK):
                many = min(CHUNK, count - first)
                part = part_of(show, first) or False
                found = simulate(loaded, many, agents, seed, threads, record=True, progress=part, first=first)
                if episodes := list(_episodes(loaded, found, seed, dtype, reward)):
                    yield episodes

        if str(os.fspath(to)).endswith(_FILES):
            return _to_file(Path(to), chunks(), about)
        return _to_minari(os.fspath(to), chunks(), about, loaded, dtype, data_format)


def _episodes(game: _native.Game, found: Any, seed: int, dtype: Any, reward: str) -> Iterator[Episode]:
    """Yields the episodes of the finished games of a run."""
    _, codes, _, words = found.decisions._native.column("action")
    numbers = np.array([game.parse_action(word) for word in words], np.int64)[codes]
    of_game = found.decisions["index"]
    bounds = {index: slice(*np.searchsorted(of_game, [index, index + 1])) for index in found.games["index"].tolist()}
    for index, part in bounds.items():
        yield from _of_game(game, game.start(seed, index), index, numbers[part].tolist(), dtype, reward)


def _of_game(
    game: _native.Game, state: _native.State, index: int, actions: list[int], dtype: Any, reward: str
) -> Iterator[Episode]:
    """Yields the episodes of the seats in one game, which is played on from its start."""
    taken: list[list[tuple[Any, Any, int, int]]] = [[] for _ in range(game.players)]
    for action in actions:
        seat = state.current_player
        assert seat is not None
        taken[seat].append((state.observation(seat, dtype=dtype), state.legal_mask(), action, state.score[seat]))
        state.apply(action)
    scores, returns, sign = state.score, returns_of(state, reward), score_sign(game)
    for seat, steps in enumerate(taken):
        if not steps:
            continue
        seen, masks, chosen, before = zip(*steps, strict=True)
        if reward == "score":
            # Points that a player has at the start are part of the reward of the first step.
            rewards = sign * np.diff([0, *before[1:], scores[seat]]).astype(np.float64)
        else:
            rewards = np.zeros(len(steps))
            rewards[-1] = returns[seat]
        yield Episode(
            index,
            seat,
            np.stack([*seen, state.observation(seat, dtype=dtype)]),
            np.stack([*masks, np.ones_like(masks[0])]).astype(np.int8),
            np.array(chosen, np.int64),
            rewards,
        )


def _first(chunks: Iterator[list[Episode]]) -> list[Episode]:
    for chunk in chunks:
        return chunk
    raise ValueError("no game came to an end, so there are no episodes to write")


def _to_file(path: Path, chunks: Iterator[list[Episode]], about: dict[str, Any]) -> Path:
    """Writes a row for each decision."""
    try:
        import pyarrow as pa
        import pyarrow.parquet
    except ImportError as error:
        raise ImportError("data sets need pyarrow: pip install '.[data]'") from error
    if path.exists():
        raise FileExistsError(f"{path} already exists: delete it, or give another name")
    first, episode = _first(chunks), 0

    def lists(rows: NDArray[Any]) -> Any:
        return pa.FixedSizeListArray.from_arrays(pa.array(rows.reshape(-1)), rows.shape[1])

    def batch(episodes: list[Episode]) -> Any:
        def column(of: Callable[[Episode], Any]) -> NDArray[Any]:
            return np.concatenate([of(one) for one in episodes])

        each = np.array([len(one.actions) for one in episodes])
        rows = {
            "episode": np.repeat(np.arange(episode, episode + len(episodes)), each),
            "index": np.repeat([one.index for one in episodes], each),
            "seat": np.repeat([one.seat for one in episodes], each),
            "step": column(lambda one: np.arange(len(one.actions))),
            "observation": lists(column(lambda one: one.observations[:-1])),
            "action_mask": lists(column(lambda one: one.masks[:-1])),
            "action": column(lambda one: one.actions),
            "reward": column(lambda one: one.rewards),
            "terminated": column(lambda one: one.terminations),
            "truncated": np.zeros(each.sum(), bool),
        }
        return pa.record_batch(list(map(pa.array, rows.values())), names=list(rows))

    schema = batch(first[:1]).schema.with_metadata({"houserule": json.dumps(about)})
    if path.suffix == ".parquet":
        writer = pyarrow.parquet.ParquetWriter(path, schema, compression="zstd")
    else:
        writer = pa.ipc.new_file(path, schema, options=pa.ipc.IpcWriteOptions(compression="zstd"))
    with writer:
        for chunk in _with(first, chunks):
            writer.write_batch(batch(chunk).replace_schema_metadata(schema.metadata))
            episode += len(chunk)
    return path


def _with(first: list[Episode], rest: Iterator[list[Episode]]) -> Iterator[list[Episode]]:
    yield first
    yield from rest


def _to_minari(
    name: str, chunks: Iterator[list[Episode]], about: dict[str, Any], game: _native.Game, dtype: Any, data_format: str
) -> Path:
    """Writes a data set with Minari."""
    try:
        import minari
        from minari.data_collector.episode_buffer import EpisodeBuffer
    except ImportError as error:
        raise ImportError("data sets need Minari: pip install '.[data]'") from error
    from houserule.gymnasium import Env

    try:
        minari.dataset.minari_dataset.parse_dataset_id(name)
    except (ValueError, TypeError) as error:
        raise ValueError(
            f"{name!r} is neither a file that ends in {' or '.join(_FILES)}, nor the name of a Minari data set,"
            " such as 'dilido/greedy-v0'"
        ) from error
    if name in minari.list_local_datasets():
        raise FileExistsError(f"there is already a data set {name!r}: delete it with minari.delete_dataset, or give another name")
    env = Env(game, dtype=dtype, reward=about["reward"])

    def buffers(episodes: list[Episode]) -> list[Any]:
        return [
            EpisodeBuffer(
                seed=about["seed"],
                observations=one.observations,
                actions=one.actions,
                rewards=one.rewards,
                terminations=one.terminations,
                truncations=np.zeros(len(one.actions), bool),
                infos={"action_mask": one.masks},
            )
            for one in episodes
        ]

    first = _first(chunks)
    with warnings.catch_warnings():
        # Minari recommends metadata about authors.
        warnings.simplefilter("ignore", UserWarning)
        made = minari.create_dataset_from_buffers(
            dataset_id=name,
            buffer=buffers(first),
            env=_spec(game, dtype, about["reward"]),
            observation_space=env.observation_space,
            action_space=env.action_space,
            algorithm_name=", ".join(dict.fromkeys(about["agents"])),
            description=f"{about['games']} games of {game.title}, {about['reward']} as reward",
            data_format=data_format,
            jpeg_encoding=False,
        )
    which = [{"index": one.index, "seat": one.seat} for one in first]
    for chunk in chunks:
        made.storage.update_episodes(buffers(chunk))
        which += [{"index": one.index, "seat": one.seat} for one in chunk]
    made.storage.update_episode_metadata(which)
    made.storage.update_metadata(about)
    return Path(made.storage.data_path).parent


def _spec(game: _native.Game, dtype: str, reward: str) -> Any:
    """Returns the spec with which ``recover_environment`` makes an environment of the game again. None if the rules need
    a script, which their text doesn't contain."""
    from gymnasium.envs.registration import EnvSpec

    given = {param.name: param.value for param in game.params.values() if param.value != param.default}
    try:
        _native.parse(game.source, players=game.players, params=given)
    except (RulesError, ValueError):
        return None
    options = {"rules": game.source, "players": game.players, "params": given, "dtype": dtype, "reward": reward}
    return EnvSpec("houserule/File-v0", entry_point="houserule.gymnasium:env_from_file", kwargs=options)
