"""What an agent gets where something is hidden: what its seat sees, and nothing else."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from functools import cache
from typing import Any

import houserule as hr
import numpy as np
import pytest
from extent import tries

#: Seat 0 decides before anything differs that it could see.
SECRETS = """game "Secrets" {
  players 2
  domain card = 1..8
  zone stock of card seen by none
  zone hand[player] of card seen by owner
  zone table of card seen by all
  board cell = grid(3, 3)
  piece mine[player] seen by owner
  piece mark
  dice die[player]: 1 of d6 seen by owner
  var secret[player]: 1..9 = 1 seen by owner
  var code: 1..4 = 1 seen by none
  var open[player]: 0..9 = 3
  setup {
    for c in {1, 2} { move {c} to hand[me] }
    for p in players - me {
      deal 2 from stock to hand[p]
      roll die[p]
      pick n in 1..9
      secret[p] = n
      pick c in cell
      put mine[p] at c
    }
    pick c in 1..4
    code = c
  }
  turn { choose { show c in hand[me] { move c to table }   pass } }
  end when turns[me] > 1
  score { table: count(table)   code: code when turns[me] > 1 }
}"""

#: What can be read of a view, by what it is called.
READS: dict[str, Callable[[hr.State], Any]] = {
    "__dir__": dir,
    "__repr__": repr,
    "__str__": str,
    "_repr_mimebundle_": lambda state: state._repr_mimebundle_(),
    "beliefs": lambda state: state.beliefs(samples=20, seed=1),
    "action_name": lambda state: state.action_name(0),
    "chance_outcomes": lambda state: state.chance_outcomes(),
    "current_player": lambda state: state.current_player,
    "decisions": lambda state: state.decisions,
    "explain": lambda state: state.explain(),
    "game": lambda state: state.game,
    "information_state": lambda state: state.information_state(),
    "is_chance": lambda state: state.is_chance,
    "is_legal": lambda state: [state.is_legal(action) for action in range(state.game.num_actions)],
    "is_over": lambda state: state.is_over,
    "legal_actions": lambda state: state.legal_actions(),
    "legal_mask": lambda state: state.legal_mask(),
    "legal_names": lambda state: state.legal_names(),
    "num_chance_outcomes": lambda state: state.num_chance_outcomes,
    "observation": lambda state: state.observation(),
    "outcome": lambda state: state.outcome,
    "pending_dice": lambda state: state.pending_dice,
    "pending_sides": lambda state: state.pending_sides,
    "returns": lambda state: state.returns,
    "rgb": lambda state: state.rgb(80, 80).tobytes(),
    "rolls": lambda state: state.rolls,
    "score": lambda state: state.score,
    "scores": lambda state: [state.scores(player) for player in range(2)],
    "svg": lambda state: state.svg(legal=True),
    "text": lambda state: state.text(),
    "turns": lambda state: state.turns,
    "variables": lambda state: state.variables,
    "worlds": lambda state: [world.position() for world in state.worlds(3, seed=1)],
}

#: What can't, and what is said to be hidden.
REFUSED: dict[str, tuple[Callable[[hr.State], Any], str]] = {
    "__copy__": (copy.copy, "the complete state"),
    "__deepcopy__": (copy.deepcopy, "the complete state"),
    "__eq__": (lambda state: state == state, "the complete state"),
    "__hash__": (hash, "the complete state"),
    "__ne__": (lambda state: state != state, "the complete state"),
    "_event_numbers": (lambda state: state._event_numbers(), "the history"),
    "__reduce__": (pickle.dumps, "the complete state"),
    "apply": (lambda state: state.apply("pass"), "the course of the game"),
    "apply_outcome": (lambda state: state.apply_outcome(0), "the course of the game"),
    "clone": (lambda state: state.clone(), "the complete state"),
    "history": (lambda state: state.history, "the history"),
    "index": (lambda state: state.index, "the seed, which determines everything hidden,"),
    "position": (lambda state: state.position(), "the complete state"),
    "random_outcome": (lambda state: state.random_outcome(), "the outcome"),
    "record": (lambda state: state.record(), "the history"),
    "seed": (lambda state: state.seed, "the seed, which determines everything hidden,"),
    "to_bytes": (lambda state: state.to_bytes(), "the complete state"),
    "undo": (lambda state: state.undo(), "the previous state"),
}

#: What is neither: draws of its own, and what no view has to do with.
OTHER = {"determinize", "random_action", "from_bytes", "outcome_name", "_stop"}

#: More that is refused, and the part of it that is hidden.
PARTS: list[tuple[Callable[[hr.State], Any], str]] = [
    (lambda state: state.observation(1), "the view of player 1"),
    (lambda state: state.information_state(1), "the view of player 1"),
    (lambda state: state.determinize(1), "the view of player 1"),
    (lambda state: state.text(1), "the view of player 1"),
    (lambda state: state.svg(player=1), "the view of player 1"),
    (lambda state: state.rgb(80, 80, player=1), "the view of player 1"),
    (lambda state: state.variables["stock"], "`stock`"),
    (lambda state: state.variables["code"], "`code`"),
    (lambda state: state.variables.get("code"), "`code`"),
    (lambda state: state.variables["hand"][1], "`hand[1]`"),
    (lambda state: state.variables["hand"][-1], "`hand[1]`"),
    (lambda state: state.variables["mine"][1], "`mine[1]`"),
    (lambda state: state.variables["secret"][:], "`secret[1]`"),
    (lambda state: list(state.variables["secret"]), "`secret[1]`"),
    (lambda state: 5 in state.variables["secret"], "`secret[1]`"),
]


parsed = cache(hr.parse)


def first_views(rules: str, ask: Callable[[hr.State], Any], games: int = tries(6, 12)) -> tuple[list[Any], hr.Results]:
    """What is asked of the view at the first decision of each game, which is of seat 0."""
    asked: list[Any] = []

    def agent(state: hr.State) -> int:
        if state.decisions == 0:
            asked.append(ask(state))
        return state.legal_actions()[0]

    found = hr.simulate(parsed(rules), games=games, agents=[agent, "random"], record=True)
    assert len(asked) == games
    return asked, found


def frozen(value: Any) -> Any:
    return value.tobytes() if isinstance(value, np.ndarray) else repr(value)


def test_everything_that_a_state_has_is_read_or_refused() -> None:
    names = {name for name in vars(hr.State) if name not in vars(object)} | {"__eq__", "__hash__", "__repr__", "__str__"}
    names -= {"__doc__", "__module__", "__ge__", "__gt__", "__le__", "__lt__"}
    assert names == (set(READS) - {"__dir__"}) | {name for name in REFUSED if name in names} | OTHER


@pytest.mark.parametrize("name", READS)
def test_what_is_read_is_the_same_whatever_is_hidden(name: str) -> None:
    asked, found = first_views(SECRETS, lambda state: frozen(READS[name](state)))
    assert len(set(asked)) == 1
    hidden = [found.game(index).variables for index in range(len(found))]
    assert len({str((one["code"], one["secret"][1], one["hand"][1], one["mine"][1])) for one in hidden}) == len(hidden)


@pytest.mark.parametrize(("ask", "what"), [*REFUSED.values(), *PARTS])
def test_what_is_hidden_raises(ask: Callable[[hr.State], Any], what: str) -> None:
    def asked(state: hr.State) -> str:
        with pytest.raises(hr.HiddenError) as raised:
            ask(state)
        assert raised.value.player == 0
        return str(raised.value)

    assert set(first_views(SECRETS, asked, games=2)[0]) == {
        f"{what} is hidden from player 0, and this state is the view of player 0: `information_state()` returns "
        "everything that the player knows, and `determinize()` a complete state that agrees with it"
    }


def test_a_view_has_what_its_seat_sees() -> None:
    def ask(state: hr.State) -> None:
        seen = state.variables
        assert set(seen) == {"hand", "table", "mine", "mark", "secret", "open"} and "code" not in seen
        assert seen["hand"][0] == [1, 2] and seen["secret"][0] == 1 and seen["mine"][0] == []
        assert seen["open"] == [3, 3] and seen["table"] == [] and seen["mark"] == [] == seen.get("mark")
        assert len(seen["hand"]) == 2 and repr(seen["hand"]) == "[[1, 2], <hidden>]"
        assert seen.get("nothing") is None
        with pytest.raises(KeyError):
            seen["nothing"]
        with pytest.raises(IndexError):
            seen["hand"][2]
        assert state.score == [0, 0] and state.scores(1) == {"table": 0, "code": 0}
        assert state.legal_names() == ["show 1", "show 2", "pass"]
        assert state.observation(0).tobytes() == state.observation().tobytes()
        assert "secret[player-2]" not in state.information_state()
        assert state.random_action() in state.legal_actions()

    first_views(SECRETS, ask, games=2)


def test_a_score_that_counts_what_is_hidden_is_hidden() -> None:
    counted = SECRETS.replace("code when turns[me] > 1", "secret[me]")

    def ask(state: hr.State) -> None:
        assert state.scores(0) == {"table": 0, "code": 1} and state.explain(0)
        for hidden in (lambda: state.score, lambda: state.scores(1), state.explain):
            with pytest.raises(hr.HiddenError, match="a part of the score of player 1 is hidden from player 0"):
                hidden()
        assert "?" in str(state)

    first_views(counted, ask, games=2)


def test_what_could_be_there_can_be_played_on() -> None:
    def ask(state: hr.State) -> str:
        whole = state.determinize(seed=3)
        assert whole.variables["hand"][0] == [1, 2] and len(whole.variables["hand"][1]) == 2
        assert whole.information_state(0) == state.information_state()
        assert whole == whole.clone() and whole.legal_actions() == state.legal_actions()
        start = whole.position()
        while not whole.is_over:
            whole.apply(whole.random_action())
        return start

    asked, found = first_views(SECRETS, ask)
    # The same from the same seed, whatever is there in truth.
    assert len(set(asked)) == 1
    assert len({str(found.game(index).variables["secret"]) for index in range(len(found))}) > 1


@pytest.mark.parametrize(
    "play",
    [
        lambda agent: hr.simulate("dominoes", 2, [agent, "random"]),
        lambda agent: hr.evaluate(agent, "dominoes", games=2),
        lambda agent: hr.ladder({"a": agent, "b": "random"}, "dominoes", games=2),
        lambda agent: hr.env("dominoes", seat=1, opponents=agent).reset(seed=1),
        lambda agent: hr.vector_env("dominoes", 2, seat=1, opponents=[agent, "random"]).reset(seed=1),
    ],
)
def test_callables_get_views_everywhere(play: Callable[[Any], Any]) -> None:
    hands: list[Any] = []

    def nosy(state: hr.State) -> int:
        hands.append(state.variables["hand"][state.current_player])
        return state.variables["hand"][1 - state.current_player]

    with pytest.raises(hr.HiddenError, match=r"`hand\[[01]\]` is hidden from player [01]"):
        play(nosy)
    assert hands and all(hands)


def test_where_nothing_is_hidden_agents_get_a_copy_with_dice_of_its_own() -> None:
    told: list[tuple[int, str]] = []

    def looks_ahead(state: hr.State) -> int:
        before = state.position()
        with pytest.raises(ValueError, match="nothing to undo"):
            state.undo()
        if state.decisions == 3:
            again = state.game.start(state.seed, state.index)
            told.append((len(state.history), state.information_state(0)))
            assert again.history != state.history[: len(again.history)]
        other = copy.copy(state)
        other.apply(other.random_action())
        assert pickle.loads(pickle.dumps(state)) == state and state.position() == before
        return state.legal_actions()[0]

    plain = hr.simulate("dicrono", games=5, agents=lambda state: state.legal_actions()[0], record=True)
    found = hr.simulate("dicrono", games=5, agents=looks_ahead, record=True)
    assert found.seats.to_numpy()["score"].tolist() == plain.seats.to_numpy()["score"].tolist()
    assert len(told) == 5 and all(length > 3 for length, _ in told)
