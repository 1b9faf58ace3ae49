"""Which way a score is good: rewards and ladders go by it. And how ends and large rolls are told."""

from __future__ import annotations

import pytest

import houserule as hr

FEWEST = """
/// Take many points or few: the fewest are best.
game "Fewest alone" {
  players 1
  var points: 0..9 = 0
  turn { choose { many { points = 5 } few { points = 1 } }  end game as taken }
  score { points: points }
  winner DIRECTION(score)
}
"""

CUP = """
game "Cup" {
  players 1
  dice cup: 13 of d6
  turn { roll cup  choose { go { } } }
  end over when turns[me] == 1
  score { n: sum(cup) }
}
"""


@pytest.mark.parametrize(("direction", "sign"), [("most", 1), ("least", -1)])
def test_rewards_are_greater_for_the_better_score(direction: str, sign: int) -> None:
    game = hr.parse(FEWEST.replace("DIRECTION", direction))
    assert game.score_direction == direction
    for name, points in (("many", 5), ("few", 1)):
        env = hr.env(game)
        env.reset(seed=1)
        assert env.step(game.parse_action(name))[1] == sign * points


def test_the_better_score_wins_on_a_ladder() -> None:
    game = hr.parse(FEWEST.replace("DIRECTION", "least"))
    few = game.parse_action("few")
    found = hr.ladder({"few": lambda state: few, "random": "random"}, game, games=40)
    assert found.rows[0]["agent"] == "few"


def test_every_end_has_a_name() -> None:
    state = hr.parse(FEWEST.replace("DIRECTION", "least")).start(1)
    state.apply("few")
    assert state.outcome is not None
    assert state.outcome.end == "taken"


def test_a_large_roll_is_one_event() -> None:
    state = hr.parse(CUP).start(1, explicit_chance=True)
    assert (state.num_chance_outcomes, state.pending_dice) == (6**13, (13, 6))
    with pytest.raises(ValueError, match="too many for a list"):
        state.chance_outcomes()
    drawn = state.random_outcome()
    assert drawn is not None
    assert 0 <= drawn < 6**13
    with pytest.raises(ValueError, match="13 dice with faces from 1 to 6"):
        state.apply_outcome([7] * 13)
    state.apply_outcome([6] * 13)
    assert (state.score, state.rolls) == ([78], 1)
    assert state.pending_dice is None
