"""Payoffs of the rules in results, environments and OpenSpiel."""

from __future__ import annotations

import houserule as hr
import numpy as np
from houserule import openspiel, pettingzoo

WAGER = """game "Wager" {
  players X, O
  var stake: 1..8 = 1
  var folded: player? = none
  turn { choose { raise where stake < 8 { stake += stake } fold { folded = me } } }
  end folded when folded == mover: lose mover
  score { none_at_all: 0 }
  payoff zero sum if folded == me then -stake else stake "the stake"
}"""

PLAIN = WAGER.replace('payoff zero sum if folded == me then -stake else stake "the stake"', "")


def played(rules: str) -> hr.State:
    state = hr.parse(rules).start(1)
    for action in ("raise", "raise", "fold"):
        assert state.returns == [0, 0]
        state.apply(action)
    return state


def test_returns_are_payoffs() -> None:
    assert played(WAGER).returns == [-4, 4]
    assert played(PLAIN).returns == [-1, 1]


def test_tables_have_payoffs_and_shares_of_the_win() -> None:
    seats = hr.simulate(hr.parse(WAGER), 200, seed=3).seats
    assert np.array_equal(seats["returns"], seats["payoff"])
    won = seats["win_share"] == 1
    assert np.array_equal(seats["returns"] > 0, won) and won.sum() == 200
    seats = hr.simulate(hr.parse(PLAIN), 200, seed=3).seats
    assert np.array_equal(seats["returns"], 2 * seats["win_share"] - 1)


def test_evaluation_tells_payoffs_from_wins() -> None:
    both = {}
    for rules in (WAGER, PLAIN):
        row = hr.evaluate(lambda _: "fold", hr.parse(rules), games=200, seed=2).rows[0]
        both[rules] = row["returns"], row["win_rate"], row["draw_rate"]
    assert both[WAGER][1:] == both[PLAIN][1:]
    assert both[WAGER][0] != both[PLAIN][0]


def test_rewards_are_payoffs_or_wins() -> None:
    for reward, sums in (("auto", [-4, 4]), ("payoff", [-4, 4]), ("outcome", [-1, 1]), ("score", [0, 0])):
        env = pettingzoo.raw_env(hr.parse(WAGER), reward=reward)
        env.reset(seed=1)
        for action in (0, 0, 1):
            env.step(action)
        assert [env.rewards[agent] for agent in env.possible_agents] == sums, reward
        single = hr.env(hr.parse(WAGER), opponents="self", reward=reward)
        single.reset(seed=1)
        steps = [single.step(action) for action in (0, 0, 1)]
        assert steps[-1][4]["rewards"].tolist() == sums, reward
    env = pettingzoo.raw_env(hr.parse(PLAIN), reward="payoff")
    env.reset(seed=1)
    for action in (0, 0, 1):
        env.step(action)
    assert list(env.rewards.values()) == [-1, 1]


def test_utilities_are_payoffs() -> None:
    told = {}
    for utility in ("auto", "payoff", "outcome"):
        game = openspiel.game(hr.parse(WAGER), utility=utility)
        state = game.new_initial_state()
        for action in (0, 0, 1):
            state.apply_action(action)
        told[utility] = state.returns(), game.min_utility(), game.max_utility(), game.utility_sum()
    assert told["auto"] == told["payoff"] == ([-4, 4], -8, 8, 0)
    assert told["outcome"] == ([-1, 1], -1, 1, 0)
    general = openspiel.game(hr.parse(WAGER.replace("zero sum ", "")))
    assert general.utility_sum() is None and general.get_type().utility.name == "GENERAL_SUM"
