"""The same games as OpenSpiel's: along random games of ours, its games have the same legal actions
at every decision and the same result at the end.

Our side is what the command says: `simulate --record` plays the games, `replay --legal` tells what was
possible at each event. A `Peer` translates one game's notation; it knows no rules. Where a rule
differs on purpose, a variant file follows OpenSpiel and is what is compared here.

HOUSERULE names the command, OPENSPIEL_GAMES how many games (2,000 by default).
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pyspiel
import pytest
from open_spiel.python.games import block_dominoes  # noqa: F401  registers it

ROOT = Path(__file__).resolve().parents[2]
HOUSERULE = os.environ.get("HOUSERULE", str(ROOT / "target" / "debug" / "houserule"))
GAMES = int(os.environ.get("OPENSPIEL_GAMES", "2000"))
COUNTED = 50  # games in which the outcomes of chance are counted
BOX_ROWS = 3  # of the field that Dots and Boxes is compared on


class Peer:
    """A game of OpenSpiel and how its actions are written in ours.

    ours: the rule file, with variants; spiel: what `pyspiel.load_game` takes; settings: params of ours.
    """

    #: How many play, where that is not the fewest that ours allows.
    players: int | None = None

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

    def outcome(self, state: pyspiel.State, event: str) -> int:
        """The chance outcome of OpenSpiel's that an event of ours is."""
        raise NotImplementedError(event)

    def returns(self, game: dict) -> list[float]:
        """What OpenSpiel's game returns where one of ours came to this."""
        return game["returns"]

    def start(self) -> pyspiel.State:
        return pyspiel.load_game(self.spiel).new_initial_state()


class Placing(Peer):
    """Actions that name a site alone."""

    def name(self, state: pyspiel.State, action: int) -> str | None:
        return f"place {state.action_to_string(action)}"


class Reversi(Placing):
    """Ours passes by itself."""

    def name(self, state: pyspiel.State, action: int) -> str | None:
        return None if state.action_to_string(action) == "pass" else super().name(state, action)


class Breakthrough(Peer):
    """There the first player comes from the top."""

    STEPS = {-1: "left", 0: "straight", 1: "right"}

    def name(self, state: pyspiel.State, action: int) -> str:
        word = state.action_to_string(action)
        step = self.STEPS[ord(word[2]) - ord(word[0])]
        return f"{step} {word[0]}{9 - int(word[1])}"


class Pig(Peer):
    def outcome(self, state: pyspiel.State, event: str) -> int:
        return int(event.split()[-1]) - 1


class ConnectFour(Peer):
    def name(self, state: pyspiel.State, action: int) -> str:
        return f"drop {action + 1}"


class DotsAndBoxes(Peer):
    """There lines are named by their row from the top and their column."""

    def name(self, state: pyspiel.State, action: int) -> str:
        way, row, column = re.findall(r"\((.),(\d+),(\d+)\)", state.action_to_string(action))[0]
        below, left = BOX_ROWS - int(row), int(column)
        letter = chr(ord("a") + left)
        if way == "h":
            return f"draw {letter}{below}-north" if below > 0 else f"draw {letter}1-south"
        return f"draw {chr(ord(letter) - 1)}{below}-east" if left > 0 else f"draw a{below}-west"


class Yacht(Peer):
    """Dice count from 0 there, and the first is the least digit of a roll."""

    players = 2
    BOXES = (
        "aces twos threes fours fives sixes choice four_of_a_kind full_house small_straight large_straight yacht"
    ).split()

    def name(self, state: pyspiel.State, action: int) -> str:
        if action >= 32:
            return f"fill {self.BOXES[action - 32]}"
        dice = [str(die + 1) for die in range(5) if action >> die & 1]
        return f"reroll {' '.join(dice) or 'none'}"

    def outcome(self, state: pyspiel.State, event: str) -> int:
        faces = [int(word.split(":")[-1]) for word in event.split()[2:]]
        return sum((face - 1) * 6**place for place, face in enumerate(faces))


class Kalah(Peer):
    """There the pits are numbered the way around, from 1, and north's from 8."""

    def name(self, state: pyspiel.State, action: int) -> str:
        return f"sow {'abcdef'[action - 1]}1" if action < 7 else f"sow {'fedcba'[action - 8]}2"


class Go(Peer):
    def name(self, state: pyspiel.State, action: int) -> str:
        row, column = divmod(action, 9)
        return "pass" if row == 9 else f"play {chr(ord('a') + column)}{row + 1}"


class BlockDominoes(Peer):
    """There the pips of a round are the returns."""

    def name(self, state: pyspiel.State, action: int) -> str:
        low, high, end = re.findall(r"tile:\((\d)\.0, (\d)\.0\) pip:(\w+)", state.action_to_string(action))[0]
        return f"open {low}-{high}" if end == "None" else f"play {low}-{high} {end[0]}"

    def outcome(self, state: pyspiel.State, event: str) -> int:
        low, high = (int(pips) for pips in event.split()[-1].split("-"))
        tiles = [(a, b) for a in range(7) for b in range(a, 7)]
        return tiles.index((low, high))

    def returns(self, game: dict) -> list[float]:
        first, second = game["score"]
        return [first - second, second - first]


PEERS = [
    ConnectFour("connect-four", "connect_four"),
    Pig("pig", "pig"),
    Go("go-openspiel", "go(board_size=9)"),
    Placing("hex", "hex"),
    Reversi("reversi", "othello"),
    Breakthrough("breakthrough", "breakthrough"),
    DotsAndBoxes("dots-and-boxes", f"dots_and_boxes(num_rows={BOX_ROWS},num_cols=4)", "width=4", f"height={BOX_ROWS}"),
    Yacht("yacht", "yacht"),
    Kalah("kalah", "mancala"),
    BlockDominoes("dominoes-block", "python_block_dominoes"),
]


def records(peer: Peer, folder: Path) -> Iterator[dict]:
    """Random games of ours, with what was possible at each event."""
    file = folder / "games.jsonl"
    settings = [word for setting in peer.settings for word in ("--set", setting)]
    simulate = [HOUSERULE, "simulate", peer.ours, "--games", str(GAMES), "--seed", "20", "--record", str(file)]
    if peer.players is not None:
        settings += ["--players", str(peer.players)]
    subprocess.run(simulate + settings, check=True, stdout=subprocess.DEVNULL)
    replay = subprocess.Popen([HOUSERULE, "replay", "--legal", str(file)], stdout=subprocess.PIPE, text=True)
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

    def forced() -> None:
        """What ours does by itself: a pass that is the only action."""
        while not state.is_terminal() and not state.is_chance_node():
            legal = state.legal_actions()
            if len(legal) != 1 or peer.known_name(state, legal[0]) is not None:
                return
            state.apply_action(legal[0])

    for number, step in enumerate(game["events"], 1):
        where = Where(game, number, state)
        if "legal" not in step:
            assert state.is_chance_node(), ("chance here, a decision there", where)
            # Listing the rolls of five dice takes long there: they are counted in some games only.
            if game["line"] <= COUNTED:
                assert step["outcomes"] == len(state.chance_outcomes()), where
            state.apply_action(peer.outcome(state, step["event"]))
            continue
        forced()
        assert not state.is_terminal(), ("over there, not here", where)
        assert state.current_player() == step["player"], where
        theirs = {peer.known_name(state, action): action for action in state.legal_actions()}
        assert sorted(theirs) == sorted(step["legal"]), where
        state.apply_action(theirs[step["event"]])
        decisions += 1
    forced()
    assert state.is_terminal(), f"over here, not there: game {game['line']}\n{state}"
    assert list(state.returns()) == peer.returns(game), f"game {game['line']}\n{state}"
    return decisions


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: f"{peer.ours}-{peer.spiel}")
def test_games_are_those_of_openspiel(peer: Peer, tmp_path: Path) -> None:
    counted = [follow(peer, game) for game in records(peer, tmp_path)]
    assert len(counted) == GAMES
    assert min(counted) > 0
