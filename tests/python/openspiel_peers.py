"""Plays games of the command in OpenSpiel, for the tests that compare the two.

Our side is what the command says: `simulate --record` plays the games, `replay --legal` tells what was
possible at each event. A `Peer` translates one game's notation; it knows no rules.

HOUSERULE names the command, OPENSPIEL_GAMES how many games (60 by default, 2,000 in `./test --all`).
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pyspiel
from extent import tries

ROOT = Path(__file__).resolve().parents[2]
HOUSERULE = os.environ.get("HOUSERULE", str(ROOT / "target" / "debug" / "houserule"))
GAMES = int(os.environ.get("OPENSPIEL_GAMES", tries("60", "2000")))
COUNTED = tries(10, 50)  # games in which the outcomes of chance are counted


class Peer:
    """A game of OpenSpiel and how its actions are written in ours.

    ours: the rule file, with variants; spiel: what `pyspiel.load_game` takes; settings: params of ours.
    """

    #: How many play, where that is not the fewest that ours allows.
    players: int | None = None
    #: One of how many games is compared, but at least two: those of some peers take long.
    part = 1
    #: Whether each chance event of ours is one of OpenSpiel's, with as many outcomes.
    same_chance = True

    def __init__(self, ours: str, spiel: str, *settings: str) -> None:
        self.ours = ours
        self.spiel = spiel
        self.settings = settings
        self.names: dict[tuple[int, int], str | None] = {}

    def known_name(self, state: pyspiel.State, action: int) -> str | None:
        """The name, made once for each player: it depends on nothing else."""
        key = (state.current_player(), action)
        if key not in self.names:
            self.names[key] = self.name(state, action)
        return self.names[key]

    def name(self, state: pyspiel.State, action: int) -> str | None:
        """How ours writes an action of OpenSpiel's; none for one that ours does by itself."""
        return state.action_to_string(action)

    def legal(self, state: pyspiel.State) -> list[int]:
        return state.legal_actions()

    def written(self, state: pyspiel.State) -> dict[str | None, tuple[int, ...]]:
        """The legal actions as ours writes them, each with what OpenSpiel makes of it: one action or several."""
        return {self.known_name(state, action): (action,) for action in self.legal(state)}

    def outcome(self, state: pyspiel.State, event: str) -> int:
        """The chance outcome of OpenSpiel's that an event of ours is."""
        raise NotImplementedError(event)

    def outcomes(self, state: pyspiel.State, event: str) -> list[int]:
        """The chance outcomes of OpenSpiel's that follow from an event of ours: one, unless chance differs."""
        return [self.outcome(state, event)]

    def known(self, game: dict) -> dict:
        """The part of one of our games that OpenSpiel plays as well."""
        return game

    def returns(self, game: dict) -> list[float]:
        """What OpenSpiel's game returns where one of ours came to this."""
        return game["returns"]

    def check_end(self, state: pyspiel.State, game: dict) -> None:
        """Compares the results of a game that is over here."""
        assert state.is_terminal(), f"over here, not there: game {game['line']}\n{state}"
        assert list(state.returns()) == self.returns(game), f"game {game['line']}\n{state}"

    def goes_on(self, state: pyspiel.State, game: dict, number: int) -> bool:
        """Whether one of our games goes on, with its event `number`, where OpenSpiel's is over."""
        return False

    def start(self) -> pyspiel.State:
        return pyspiel.load_game(self.spiel).new_initial_state()

    def games(self) -> int:
        """How many games are compared."""
        return max(GAMES // self.part, 2)


def records(peer: Peer, folder: Path) -> Iterator[dict]:
    """Random games of ours, with what was possible at each event."""
    file = folder / "games.jsonl"
    settings = [word for setting in peer.settings for word in ("--set", setting)]
    simulate = [HOUSERULE, "simulate", peer.ours, "--games", str(peer.games()), "--seed", "20", "--record", str(file)]
    if peer.players is not None:
        settings += ["--players", str(peer.players)]
    subprocess.run(simulate + settings, check=True, stdout=subprocess.DEVNULL, cwd=ROOT)
    yield from replayed(file)


def replayed(file: Path) -> Iterator[dict]:
    """Recorded games, with what was possible at each event."""
    replay = subprocess.Popen([HOUSERULE, "replay", "--legal", str(file)], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    with replay:
        assert replay.stdout is not None
        for line in replay.stdout:
            yield json.loads(line)
    assert replay.returncode == 0, f"replay ended with {replay.returncode}"


class Where:
    """The place of a difference, written out only when there is one."""

    def __init__(self, game: dict, number: int, state: pyspiel.State) -> None:
        self.game, self.number, self.state = game, number, state

    def __str__(self) -> str:
        event = self.game["events"][self.number - 1]["event"]
        return f"game {self.game['line']}, event {self.number}: {event}\n{self.state}"

    __repr__ = __str__


def follow(peer: Peer, game: dict) -> int:
    """Plays one game of ours in OpenSpiel; the number of decisions that were compared."""
    state = peer.start()
    decisions = 0

    def forced(draws: bool = True) -> None:
        """What ours does by itself: a pass that is the only action, a draw with a single outcome."""
        while not state.is_terminal() and (draws or not state.is_chance_node()):
            legal = state.legal_actions()
            if len(legal) != 1 or not state.is_chance_node() and peer.known_name(state, legal[0]) is not None:
                return
            state.apply_action(legal[0])

    for number, step in enumerate(game["events"], 1):
        where = Where(game, number, state)
        forced(draws="legal" in step)
        if "legal" not in step:
            assert state.is_chance_node(), ("chance here, a decision there", where)
            # Listing the rolls of five dice takes long there: they are counted in some games only.
            if peer.same_chance and game["line"] <= COUNTED:
                assert step["outcomes"] == len(state.chance_outcomes()), where
            for outcome in peer.outcomes(state, step["event"]):
                state.apply_action(outcome)
            continue
        if state.is_terminal() and peer.goes_on(state, game, number):
            return decisions
        assert not state.is_terminal(), ("over there, not here", where)
        assert state.current_player() == step["player"], where
        theirs = peer.written(state)
        assert sorted(theirs) == sorted(step["legal"]), where
        for action in theirs[step["event"]]:
            state.apply_action(action)
        decisions += 1
    forced()
    peer.check_end(state, game)
    return decisions


def square(column: int, row: int) -> str:
    """The name of a square, its column and row counted from 0, the lowest row first."""
    return f"{chr(ord('a') + column)}{row + 1}"


def action_called(state: pyspiel.State, name: str) -> int:
    """The legal action, or outcome of chance, that OpenSpiel writes like this."""
    return next(action for action in state.legal_actions() if state.action_to_string(action) == name)


def compare(peer: Peer, folder: Path) -> None:
    """All games of ours are games of OpenSpiel's."""
    counted = [follow(peer, peer.known(game)) for game in records(peer, folder)]
    assert len(counted) == peer.games()
    assert min(counted) > 0
