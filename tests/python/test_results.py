"""Simulations and their tables."""

from __future__ import annotations

import io
import json
import math
import os
import random
import subprocess
import sys

import bundled
import houserule as hr
import numpy as np
import pytest
from bundled import BASES, NAMES
from extent import tries


def command(*args: str) -> dict:
    done = subprocess.run(
        [sys.executable, "-m", "houserule", *args], capture_output=True, text=True, check=True, timeout=300
    )
    return json.loads(done.stdout)


TIMES = ("seconds", "cpu_seconds", "games_per_second", "decisions_per_second", "threads")


def without_times(report: dict) -> dict:
    return {key: value for key, value in report.items() if key not in TIMES}


@pytest.mark.parametrize("agents", ["random", "greedy", "random,greedy"])
@pytest.mark.parametrize("match", [False, True])
def test_the_report_is_that_of_the_command(agents, match):
    game = "dicrono" if "," in agents else "dilido"
    args = ["simulate", game, "--games", "60", "--seed", "4", "--agents", agents, "--json"]
    there = command(*args, *(["--match"] if match else []))
    here = hr.simulate(game, games=60, agents=agents, seed=4, match=match, threads=2).report
    assert without_times(here) == without_times(there)


def test_the_comparison_is_that_of_the_command():
    args = ["compare", "dilido", "dilido+dilido-torus", "--games", "200", "--seed", "3", "--quick", "--json"]
    there = command(*args)
    here = hr.compare("dilido", "dilido+dilido-torus", games=200, seed=3, quick=True)
    assert without_times(here.report) == without_times(there)
    table = here.quantities.rows()
    flat = [(agent["agent"], q) for agent in there["agents"] for q in agent["quantities"]]
    assert len(table) == len(flat)
    for row, (agent, q) in zip(table, flat, strict=True):
        assert (row["agent"], row["label"]) == (agent, q["label"])
        assert (row["a"], row["b"], row["difference"]) == (q["a"]["mean"], q["b"]["mean"], q["difference"])
        assert (row["low"], row["p_corrected"], row["differs"]) == (q["low"], q["p_corrected"], q["differs"])
    assert here.differs and len(here.sentences) == sum(q["differs"] for _, q in flat)
    bundle = here._repr_mimebundle_()
    assert "<svg" in bundle["text/html"] and "Random players" in bundle["text/plain"]


def test_columns_and_their_types():
    found = hr.simulate("dilido", games=50, record=True)
    params = "size penalty_limit jokers reading adjacency line_points games best".split()
    games = "game variant".split() + params + "seed index agents turns rolls decisions end winner".split()
    assert found.games.columns == games
    seats = "index seat name starter agent score returns win_share lines penalties jokers_left".split()
    assert found.seats.columns[: len(seats)] == seats
    runs = [f"lines_{kind}_{length}" for kind in ("across", "down", "diagonal") for length in (3, 4, 5, 6)]
    assert found.seats.columns[len(seats) :] == runs
    assert found.decisions.columns == "index ply turn seat step option action n_legal score_before".split()
    kinds = {name: column.dtype.kind for name, column in found.games.to_numpy().items()}
    assert (kinds["game"], kinds["seed"], kinds["index"], kinds["winner"]) == ("O", "u", "i", "f")
    kinds = {name: column.dtype.kind for name, column in found.seats.to_numpy().items()}
    assert (kinds["starter"], kinds["score"], kinds["returns"], kinds["name"]) == ("b", "i", "f", "O")
    assert set(found.games["game"]) == {"dilido"} and set(found.games["variant"]) == {None}
    assert set(found.games["end"]) == {"penalties"}
    assert set(found.games["line_points"]) == {"[3: 1, 4: 3, 5: 10, 6+: 40]"}


def test_matches_add_columns():
    found = hr.simulate("dicrono", games=8, match=True, seed=2)
    at = found.games.columns.index("index")
    assert found.games.columns[at : at + 3] == ["index", "match", "game_in_match"]
    assert found.seats.columns[:4] == ["index", "match", "game_in_match", "seat"]
    assert sorted(set(found.games["match"])) == list(range(8))
    for match in range(8):
        ours = found.games["game_in_match"][found.games["match"] == match]
        assert list(ours) == list(range(len(ours)))
    assert found.report["match"]["games"]["mean"] == len(found.games) / 8
    # Marks stay with whoever has them; who starts changes.
    starters = found.seats["starter"].reshape(-1, 2)
    assert (starters.sum(axis=1) == 1).all() and 0 < starters[:, 0].mean() < 1


# A variant is counted as its game is, and a function of Python is asked as in any game; it takes long.
@pytest.mark.one_of(8)
@pytest.mark.parametrize(("name", "mixed"), [*((name, False) for name in NAMES), *((name, True) for name in BASES)])
def test_the_tables_add_up_to_the_report(name, mixed):
    game = bundled.load(name)
    rng = random.Random(5)
    who = [lambda state: rng.choice(state.legal_actions()), *["random"] * (game.players - 1)] if mixed else "random"
    found = hr.simulate(game, games=2 if mixed or name.startswith("go") else 12, agents=who, seed=5)
    report = found.report
    games, seats = found.games.to_numpy(), found.seats.to_numpy()
    n, players = report["games"], game.players
    assert len(games["index"]) == n and len(seats["index"]) == n * players
    for count in report["counts"]:
        assert math.isclose(games[count].mean(), report["counts"][count]["mean"])
        assert games[count].max() == report["counts"][count]["max"]
    for seat in range(players):
        own = seats["seat"] == seat
        assert math.isclose(seats["score"][own].mean(), report["score"][seat]["mean"])
        for item, means in report["items"].items():
            column = item if item in seats and f"item_{item}" not in seats else f"item_{item}"
            assert math.isclose(seats[column][own].mean(), means[seat]["mean"], abs_tol=1e-12)
        if players > 1:
            assert math.isclose(seats["win_share"].reshape(n, players)[:, seat].sum(), report["wins"][seat], abs_tol=1e-9)
    ends, counts = np.unique(games["end"].astype(str), return_counts=True)
    there = {name: n for name, n in report["ends"].items() if n}
    assert dict(zip(ends.tolist(), counts.tolist(), strict=True)) == there
    assert math.isclose(np.abs(seats["returns"].reshape(n, players).sum(axis=1)).max(), 0, abs_tol=1e-9)


@pytest.mark.one_of(8)
@pytest.mark.parametrize("name", NAMES)
def test_a_game_opened_again_agrees_with_its_row(name):
    game = bundled.load(name)
    few = tries(2, 2 if name.startswith("go") else 4)
    found = hr.simulate(game, games=few, seed=11, record=True)
    lazy = hr.simulate(game, games=few, seed=11)
    assert lazy.seats.to_numpy().keys() == found.seats.to_numpy().keys()
    for column, values in lazy.seats.to_numpy().items():
        np.testing.assert_array_equal(values, found.seats[column], err_msg=column)
    rows, seats = found.games.rows(), found.seats.rows()
    actions = set(game.action_names)
    for row in rows:
        index = row["index"]
        state = found.game(index)
        # A set of players is listed like a value for each player.
        sets = [line.split(" = ")[0] for line in state.position().splitlines() if " = {" in line]
        assert state.is_over and str(state) == str(lazy.game(index))
        record = found.record(index)
        assert record == lazy.record(index)
        mine = [seat for seat in seats if seat["index"] == index]
        assert [seat["score"] for seat in mine] == record["score"]
        assert [seat["returns"] for seat in mine] == pytest.approx(record["returns"])
        assert state.returns == record["returns"]
        rolls = [event for event in record["events"] if event.startswith(("roll ", "pick ")) and event not in actions]
        assert len(record["events"]) - len(rolls) == row["decisions"]
        for variable, value in record["variables"].items():
            # A variable named like another column.
            column = f"var_{variable}" if f"var_{variable}" in found.seats.columns else variable
            if column not in found.seats.columns:
                continue
            if variable in sets:
                continue
            if isinstance(value, list) and all(isinstance(one, (int, bool)) for one in value) and len(value) == game.players:
                assert [seat[column] for seat in mine] == value
            elif isinstance(value, (int, bool, str)) or value is None:
                assert all(seat[column] == value for seat in mine), variable
        taken = [row["action"] for row in found.decisions.rows() if row["index"] == index]
        assert taken == [event for event in record["events"] if event not in rolls]


def test_a_game_of_a_match_opened_again():
    found = hr.simulate("dicrono", games=3, match=True, seed=6, agents=["greedy", "random"])
    seats = found.seats.rows()
    for row in found.games.rows()[::3]:
        record = found.record(row["index"])
        assert record["score"] == [seat["score"] for seat in seats if seat["index"] == row["index"]]
    with pytest.raises(IndexError, match="no game"):
        found.game(10**9)


def test_games_that_are_not_of_the_run():
    found = hr.simulate("dilido", games=10, first=5)
    assert found.games["index"].tolist() == list(range(5, 15))
    for index in (-1, 4, 15):
        with pytest.raises(IndexError, match=f"no game {index}"):
            found.game(index)


def test_lines_by_length_and_direction_make_the_score():
    worth = {3: 1, 4: 3, 5: 10, 6: 40}
    for agents in ("random", "greedy"):
        seats = hr.simulate("dilido", games=300, agents=agents, seed=8).seats
        total = np.zeros(len(seats), dtype=int)
        for name in seats.columns:
            if name.startswith("lines_"):
                _, kind, length = name.split("_")
                assert kind in ("across", "down", "diagonal")
                total += worth[int(length)] * seats[name]
        assert (total == seats["score"]).all() and total.max() > 20


@pytest.mark.parametrize(("name", "agents"), [("dilido", "random"), ("dicrono", "greedy"), ("pig", "random")])
def test_the_same_for_any_number_of_threads(name, agents):
    one, three = (hr.simulate(name, games=200, agents=agents, seed=1, threads=n, record=True) for n in (1, 3))
    assert without_times(one.report) == without_times(three.report)
    for table in ("games", "seats", "decisions"):
        a, b = (getattr(found, table).to_numpy() for found in (one, three))
        assert a.keys() == b.keys()
        for column in a:
            np.testing.assert_array_equal(a[column], b[column])


def test_decisions():
    found = hr.simulate("dilido", games=30, record=True, seed=3)
    rows = found.decisions.rows()
    games = found.games.rows()
    assert len(rows) == sum(game["decisions"] for game in games)
    for row in rows:
        assert row["action"].split()[0] == row["option"] and row["n_legal"] >= 1
    assert {row["step"] for row in rows} == {"place", "joker"}
    taken = {option: sum(row["option"] == option for row in rows) for option in found.report["options"]}
    assert taken == found.report["options"]
    first = [row for row in rows if row["index"] == 0]
    assert [row["ply"] for row in first] == list(range(len(first)))
    assert first[0]["score_before"] == 0 and first[-1]["turn"] < games[0]["turns"]
    with pytest.raises(ValueError, match="record=True"):
        _ = hr.simulate("dilido", games=3).decisions


def test_tables_go_everywhere():
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    found = hr.simulate("connect-four", games=40, record=True)
    for table in (found.games, found.seats, found.decisions, found.summary()):
        frame, other, plain = table.to_polars(), table.to_pandas(), table.to_numpy()
        assert frame.columns == list(other.columns) == list(plain) == table.columns
        assert len(frame) == len(other) == len(table)
        for name in table.columns:
            values = [row[name] for row in table.rows()]
            nan = [None if isinstance(v, float) and v != v else v for v in values]
            theirs = frame[name].to_list()
            assert [None if isinstance(v, float) and v != v else v for v in theirs] == nan
            assert [None if pandas.isna(v) else v for v in other[name].tolist()] == nan
    assert frame.schema["mean"] == polars.Float64
    try:
        import pyarrow
    except ImportError:
        return
    arrow = pyarrow.table(found.games)
    assert arrow.column_names == found.games.columns
    assert arrow["winner"].to_pylist() == [row["winner"] for row in found.games.rows()]


def test_the_summary_has_the_reports_numbers():
    found = hr.simulate("dicrono", games=400)
    rows = found.summary().rows()
    report = found.report
    scores = [row for row in rows if row["quantity"] == "score"]
    for row, score in zip(scores, report["score"], strict=True):
        assert (row["mean"], row["sd"], row["least"], row["most"]) == tuple(score[k] for k in ("mean", "sd", "min", "max"))
        # Student's 0.975 quantile of 399 degrees of freedom is 1.96593.
        assert row["high"] - row["mean"] == pytest.approx(1.96593 * score["se"], rel=1e-4)
    wins = [row["mean"] for row in rows if row["quantity"] == "win"]
    assert wins == pytest.approx([win / 400 for win in report["wins"]])
    otherwise = {row["name"]: row["mean"] for row in rows if row["quantity"] == "otherwise"}
    assert otherwise == pytest.approx({name: n / 400 for name, n in report["otherwise"].items()}) and otherwise["place"] > 1
    for row in rows:
        # How often rules were used has no interval.
        if row["quantity"] not in ("option", "otherwise"):
            assert row["low"] <= row["mean"] <= row["high"]


def test_players_who_win_together_have_one_rate(tmp_path):
    rules = tmp_path / "rescue.rules"
    rules.write_text("""game "Rescue" {
      players 2
      team crew = players
      dice die: 1 of d6
      turn { choose { left { roll die } right { roll die } } }
      end saved when die == 6: win me
      end late of round when round == 3: lose me
    }""")
    found = hr.simulate(str(rules), games=200)
    (success,) = (row["mean"] for row in found.summary().rows() if row["quantity"] == "success")
    assert success == pytest.approx(found.report["success"]["share"]) and 0 < success < 1
    html = found._repr_mimebundle_()["text/html"]
    assert html.count("wins of ") == 1 and "wins of the team crew" in html


def test_what_a_team_wins_is_shown_once(tmp_path):
    rules = tmp_path / "pairs.rules"
    rules.write_text("""game "Pairs" {
      players north, east, south, west, alone
      param wanted: 5..6 = 6
      team north_south = {north, south}
      team east_west = {east, west}
      dice die: 1 of d6
      turn { choose { left { roll die } right { roll die } } }
      end six when die == wanted: win me
    }""")
    found = hr.simulate(str(rules), games=200)
    rows = found._repr_mimebundle_()["text/html"].split("<tr>")
    shown = [row.split("</th>")[0].rsplit(">", 1)[-1] for row in rows if ">wins" in row]
    assert sorted(shown) == ["wins alone", "wins of the team east west", "wins of the team north south"]
    # The table has the shares of all seats.
    assert sum(row["quantity"] == "win" for row in found.summary().rows()) == 5
    swept = hr.sweep(str(rules), games=50, wanted=[5, 6])
    assert "wins of the team north south" in swept._repr_mimebundle_()["text/html"]


def test_results_draw_themselves():
    for name in ("dilido", "dicrono", "tic-tac-toe"):
        found = hr.simulate(name, games=100)
        bundle = found._repr_mimebundle_()
        assert bundle["text/html"].count("<svg") == (2 if name == "dicrono" else 1)
        assert "currentColor" in bundle["text/html"] and bundle["text/plain"] == str(found)
    assert "100 games" in str(found)


def test_a_plot():
    pytest.importorskip("altair")
    chart = hr.simulate("dilido", games=200).plot()
    assert chart.to_dict()["spec"]["mark"]["type"] == "bar"


def test_a_python_agent_plays_as_the_native_one():
    def first(state):
        return state.legal_actions()[0]

    number = hr.simulate("dicrono", games=20, agents=[first, "greedy"], seed=4)
    text = hr.simulate("dicrono", games=20, agents=[lambda state: state.action_names()[0], "greedy"], seed=4) if hasattr(
        hr.State, "action_names"
    ) else number
    assert without_times(number.report)["score"] == without_times(text.report)["score"]
    assert set(number.seats["agent"]) == {"first", "greedy"}
    assert str(number.game(3)) == str(number.game(3)) and number.game(3).is_over


def test_a_python_agent_harms_nothing_and_sees_no_dice():
    seen = []

    def meddler(state):
        legal = state.legal_actions()
        state.apply(legal[-1])
        seen.append(str(state))
        while not state.is_over:
            state.apply(state.legal_actions()[0])
        return legal[0]

    def plain(state):
        return state.legal_actions()[0]

    a = hr.simulate("dilido", games=10, agents=meddler, seed=2)
    b = hr.simulate("dilido", games=10, agents=plain, seed=2)
    for column in ("score", "penalties"):
        assert a.seats[column].tolist() == b.seats[column].tolist()
    # What it tried rolled other dice than the game then did.
    rolls = [event for event in a.record(0)["events"] if event.startswith("roll")]
    tried: list[list[str]] = []

    def peek(state):
        legal = state.legal_actions()
        copy = state
        copy.apply(legal[0])
        tried.append(str(copy).splitlines())
        return legal[0]

    hr.simulate("dilido", games=1, agents=peek, seed=2)
    twice = list(tried)
    tried.clear()
    hr.simulate("dilido", games=1, agents=peek, seed=2)
    assert twice == tried and len(rolls) > 5


def test_wrong_answers_say_where():
    for answer in (999_999, "fly away", None, True, 1.5, -1):
        with pytest.raises(ValueError, match=r"game 0, seat 0: the agent returned .*; legal: \d+ `"):
            hr.simulate("tic-tac-toe", games=3, agents=lambda state, answer=answer: answer)
    with pytest.raises(ZeroDivisionError) as error:
        hr.simulate("tic-tac-toe", games=3, agents=["random", lambda state: 1 // 0])
    if sys.version_info >= (3, 11):
        assert error.value.__notes__ == ["in game 0, seat 1"]


def test_wrong_requests():
    with pytest.raises(ValueError, match="did you mean `greedy`"):
        hr.simulate("dilido", agents="gredy")
    with pytest.raises(ValueError, match="2 agents for 1 players"):
        hr.simulate("dilido", agents=["random", "random"])
    with pytest.raises(TypeError, match="is not an agent"):
        hr.simulate("dilido", agents=[3])
    with pytest.raises(ValueError, match="games=0"):
        hr.simulate("dilido", games=0)
    with pytest.raises(ValueError, match="threads=0"):
        hr.simulate("dilido", threads=0)
    with pytest.raises(ValueError, match="nothing of matches"):
        hr.simulate("tic-tac-toe", match=True)


def test_progress(capsys):
    heard = []
    hr.simulate("dilido", games=5000, progress=heard.append)
    assert heard[-1] == 5000 and heard == sorted(heard)
    hr.simulate("dilido", games=50, agents=lambda state: state.legal_actions()[0], progress=True)
    assert "50" in capsys.readouterr().err


ABORTS = """
game "Trap" {
  players 1
  var n: 0..3 = 0
  dice die: 1 of d6
  turn {
    step roll { roll die }
    step add { choose { add { if die[1] == 6 { n += 4 } }  stop { end game } } }
  }
  score { n: n }
}
"""


def test_aborted_games_are_told():
    game = hr.parse(ABORTS)
    with pytest.warns(RuntimeWarning, match=r"aborted and count in no figure; the first is game \d+"):
        found = hr.simulate(game, games=200)
    report = found.report
    assert report["aborted"] > 0 and len(found.games) == report["games"] == 200 - report["aborted"]
    missing = sorted(set(range(200)) - set(found.games["index"].tolist()))
    assert len(missing) == report["aborted"]
    assert not found.game(missing[0]).is_over


INTERRUPTED = """
import signal, sys, threading, time, os
import houserule as hr
signal.signal(signal.SIGINT, signal.default_int_handler)  # who runs this in the background ignores Ctrl-C
begun = time.monotonic()
try:
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    {call}
except KeyboardInterrupt:
    print(time.monotonic() - begun)
    sys.exit(7)
"""


@pytest.mark.parametrize(
    "call",
    [
        'hr.simulate("dilido", games=10**12)',
        'hr.simulate("gomoku", games=10**9, agents="greedy", threads=2)',
        'hr.simulate("dilido", games=10**9, agents=lambda s: s.legal_actions()[0])',
        'hr.compare("gomoku", "gomoku+gomoku-exactly-five", games=10**9, agents="greedy")',
        'hr.sweep("dilido", games=10**9, penalty_limit=range(1, 6))',
        'hr.ladder(["random", "greedy"], "gomoku", games=10**8)',
        'hr.simulate("dicrono", games=10**9, match=True)',
    ],
)
def test_ctrl_c_stops_long_calls(call):
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED.format(call=call)], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 7, done.stderr


@pytest.mark.parametrize("name", ["lights-out", "peg-solitaire", "minesweeper", "klondike", "pig", "tic-tac-toe"])
def test_the_winner_is_told_alike(name):
    """A player alone wins unless the rules say otherwise."""
    found = hr.simulate(name, games=20)
    shares = {(row["index"], row["seat"]): row["win_share"] for row in found.seats.rows()}
    for row in found.games.rows():
        winners = found.game(row["index"]).outcome.winners
        assert row["winner"] == (winners[0] if len(winners) == 1 else None)
        assert winners == tuple(seat for (index, seat), share in shares.items() if index == row["index"] and share > 0)


def test_a_quick_comparison_is_by_players_who_have_learned_and_says_so_first() -> None:
    both = hr.compare("dilido", "dilido+dilido-torus", games=200, quick=True)
    random, best = both.report["agents"]
    assert random["agent"] == "random" and best["agent"] == both.report["contest"]["agent"]
    assert both.verdict.startswith(f"Between {best['agent']} players, who score ")
    assert str(both).index("In short") < str(both).index("Random players")
