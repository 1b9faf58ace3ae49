"""Lockstep with models: a game of the shelf and a second program of the same rules, written apart from it, see
the same chance and make the same decisions. At each decision the player to move and the legal actions are
compared, at the end the winners, and the points if the model counts them. Also what tests of boards share."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import houserule as hr
from extent import tries

DRAW = -1

Square = tuple[int, int]  # column and row, from 1


def name(square: Square) -> str:
    return f"{'abcdefghijklmnop'[square[0] - 1]}{square[1]}"


def squares_in(action: str) -> list[Square]:
    """The squares that an action names."""
    found = re.findall(r"\b([a-p])(\d+)\b", action)
    return [(ord(column) - ord("a") + 1, int(row)) for column, row in found]


def onward(square: Square, step: Square, count: int = 1) -> Square:
    return square[0] + count * step[0], square[1] + count * step[1]


class Model(Protocol):
    """A second program of a game. Events are written as in records."""

    @property
    def player(self) -> int: ...
    @property
    def winners(self) -> list[int] | None: ...
    def chance(self, event: str) -> None: ...
    def legal(self) -> list[str]: ...
    def play(self, event: str) -> None: ...


class Duel:
    """A model of a game for two without chance. winner: None while it lasts, DRAW, or a seat."""

    player = 0
    winner: int | None = None

    @property
    def winners(self) -> list[int] | None:
        return None if self.winner is None else [0, 1] if self.winner == DRAW else [self.winner]

    def chance(self, event: str) -> None:
        raise AssertionError(f"no chance here: {event}")


def follow(
    game: hr.Game, model: Callable[[], Model], games: int, choose: Callable[[list[str]], str] | None = None
) -> int:
    """Plays games with a model beside them; the number of decisions in them, in `./test` by that in one of ten."""
    rng = random.Random(5)
    compared = 0
    seeds = range(0, games, tries(10, 1))
    for seed in seeds:
        state, other, told = game.start(seed), model(), 0
        while True:
            # All that has happened takes long to list: without chance only at the end.
            if state.is_over or not isinstance(other, Duel):
                history = state.history
                for event in history[told:]:
                    if event.player is None:
                        assert other.winners is None, (seed, event)
                        other.chance(event.text)
                assert not isinstance(other, Duel) or len(history) == told, (seed, told)
                told = len(history)
            if state.is_over:
                break
            assert other.winners is None, (seed, told, state.history[-3:])
            assert other.player == state.current_player, (seed, told, state.history[-3:])
            names = sorted(state.legal_names())
            assert sorted(other.legal()) == names, (seed, told, state.history[-3:])
            name = (choose or rng.choice)(names)
            other.play(name)
            state.apply(name)
            told += 1
            compared += 1
        assert state.outcome is not None
        assert other.winners == list(state.outcome.winners), (seed, state.outcome)
        assert getattr(other, "points", state.score) == state.score, (seed, state.outcome)
    return compared * seeds.step


def share_within(found: Mapping[str, Any], seat: int, value: float) -> None:
    """The share of wins lies within 4 standard errors of a probability."""
    games = found["games"]
    error = (value * (1 - value) / games) ** 0.5
    assert abs(found["wins"][seat] / games - value) < 4 * error, (found["wins"], value)


def perft(state: hr.State, depth: int) -> int:
    """The number of sequences of that many decisions."""
    actions = [] if state.is_over else state.legal_actions()
    if depth == 1:
        return len(actions)
    count = 0
    for action in actions:
        after = state.clone()
        after.apply(action)
        count += perft(after, depth - 1)
    return count
