"""Worlds: states that agree with everything a player has observed."""

from __future__ import annotations

import pytest

import houserule as hr

HIGHER = """
game "Higher" {
  players guesser, keeper
  var number: 1..100 = 1 seen by none
  var low: 1..100 = 1
  var high: 1..100 = 100
  var found: bool = false
  setup { pick k in 1..100  number = k }
  turn {
    choose {
      guess k in 1..100 where k >= low and k <= high {
        if k == number { found = true } else if k < number { low = k + 1 } else { high = k - 1 }
      }
    }
    next guesser
  }
  end found when found: win guesser
  score { n: 1 when found }
}
"""


def asked(seed: int) -> hr.State:
    state = hr.parse(HIGHER).start(seed)
    while not state.is_over and state.decisions < 3:
        state.apply(state.random_action())
    return state


def test_worlds_agree_with_the_answers() -> None:
    for seed in range(10):
        state = asked(seed)
        if state.is_over:
            continue
        low, high = state.variables["low"], state.variables["high"]
        worlds = state.worlds(20, seed=1)
        assert len(worlds) == 20
        for world in [*worlds, state.determinize(0, seed=seed)]:
            assert low <= world.variables["number"] <= high
            assert world.information_state(0) == state.information_state(0)


def test_no_belief_is_more_than_certain() -> None:
    state = hr.load("dominoes").start(7)
    while not state.is_over:
        state.apply(state.random_action())
    chances = [chance for values in state.beliefs(0, seed=1)["values"].values() for chance in values.values()]
    assert max(chances) == 1 and min(chances) > 0


def test_beliefs_are_exact_where_all_worlds_are_known() -> None:
    state = asked(1)
    low, high = state.variables["low"], state.variables["high"]
    beliefs = state.beliefs(0)
    assert beliefs["exact"]
    assert beliefs["worlds"] == high - low + 1
    chances = beliefs["values"]["number"]
    assert {int(value) for value in chances} == set(range(low, high + 1))
    assert sum(chances.values()) == pytest.approx(1)


def test_worlds_of_a_seed_are_the_same() -> None:
    state = asked(2)
    drawn = [world.variables["number"] for world in state.worlds(10, seed=4)]
    assert drawn == [world.variables["number"] for world in state.worlds(10, seed=4)]
    with pytest.raises(ValueError, match="uniform"):
        state.worlds(1, opponents="clever")  # type: ignore[arg-type]


def test_worlds_of_memory_are_played_to_the_end() -> None:
    """The search exchanges two cards where no change of one card leads to what was seen."""
    for seed, decisions in ((37, 21), (53, 19)):
        state = hr.load("memory").start(seed)
        while state.decisions < decisions:
            state.apply(state.random_action())
        for world in state.worlds(3, seed=1):
            assert world.information_state(state.current_player) == state.information_state()
            while not world.is_over:
                world.apply(world.random_action())
            assert sum(world.score) == 8


@pytest.mark.parametrize("name", ["push-off", "points", "chess", "pig", "memory", "leduc-poker"])
def test_worlds_know_as_much_as_the_player(name: str) -> None:
    """A player can't tell a world from the state, not even by what happened before."""
    state = hr.load(name).start(3)
    while state.decisions < 6 and not state.is_over:
        state.apply(state.random_action())
    player = state.current_player
    if player is None:
        player = 0
    for world in [state.determinize(player, seed=1), *state.worlds(2, player, seed=1)]:
        assert world.information_state(player) == state.information_state(player)
        assert len(world.history) == len(state.history)
        # Its chance isn't that of a seed: the record has it in its events.
        record = world.record()
        assert record["seed"] is None and hr.replay([record])[0].problem is None
