"""Games and states: what they say, play, take back, and keep."""

from __future__ import annotations

import contextlib
import copy
import multiprocessing
import os
import pickle
import random
import re
import subprocess
import sys
import threading
from pathlib import Path

import bundled
import houserule as hr
import numpy as np
import pytest
from bundled import NAMES

RACE = """
game "Race" {
  param goal: 1..9 = 3 "how far it is"
  players 2
  var at[player]: 0..9 = 0
  turn { choose { step { at[me] += 1 } rest { } } }
  end there when at[me] == goal: win me
}
"""
BROKEN = """
game "Overflow" {
  players 1
  var n: 0..2 = 0 "what is counted"
  turn { choose { more { n += 1 } wait { } } }
  end never when n > 5
}
"""


def happen(state: hr.State, rng: random.Random) -> None:
    """Applies an outcome of the pending chance event that depends on ``rng`` alone."""
    try:
        outcomes = state.chance_outcomes()
    except ValueError:
        # A roll with too many outcomes for a list: it takes the faces of its dice.
        for dice in range(20, 0, -1):
            with contextlib.suppress(ValueError):
                state.apply_outcome([rng.randint(1, 6) for _ in range(dice)])
                return
        raise
    state.apply_outcome(rng.choice(outcomes)[0])


def play(state: hr.State, decisions: int, rng: random.Random) -> None:
    for _ in range(decisions):
        if state.is_over:
            return
        if state.is_chance:
            happen(state, rng)
        else:
            state.apply(rng.choice(state.legal_actions()))


def told(state: hr.State) -> tuple[object, ...]:
    return str(state), state.history, state.variables, state.legal_actions(), state.decisions, state.rolls


@pytest.mark.one_of(4)
@pytest.mark.parametrize("name", NAMES)
def test_every_game_says_what_it_is(name: str) -> None:
    game = bundled.load(name)
    assert game.name == name
    assert (game.num_actions > 0) == (name in bundled.DECIDED)
    assert game.title and game.help and game.rules().startswith(game.title)
    assert game.player_range[0] <= game.players <= game.player_range[1]
    assert len(game.seat_names) == game.players
    assert len(game.action_names) == game.num_actions
    assert all(param.help for param in game.params.values())
    assert game.warnings == []
    assert "instructions" in game.program()
    for action in game.start(1).legal_actions():
        assert game.parse_action(game.action_name(action)) == action
    spec = game.observation_spec()
    assert [entry.offset for entry in spec[1:]] == [entry.offset + entry.length for entry in spec[:-1]]
    assert all(np.prod(entry.shape) == entry.length for entry in spec)
    bundle = game._repr_mimebundle_()
    assert game.title in bundle["text/plain"] and "<details>" in bundle["text/html"]


@pytest.mark.one_of(8)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("explicit", [False, True])
def test_every_state_can_be_kept_and_taken_back(name: str, explicit: bool) -> None:
    game = bundled.load(name)
    rng = random.Random(name)
    state = game.start(7, explicit_chance=explicit)
    play(state, 25, rng)
    kept = [pickle.loads(pickle.dumps(state)), copy.copy(state), copy.deepcopy(state), state.clone()]
    kept.append(hr.State.from_bytes(game, state.to_bytes()))
    for other in kept:
        assert other == state and hash(other) == hash(state) and told(other) == told(state)
    before = state.clone()
    if not state.is_over:
        actions = random.Random(3)
        play(state, 3, actions)
        after = told(state)
        # A game may end before all three are played.
        played = len(state.history) - len(before.history)
        state.undo(state.decisions - before.decisions) if not explicit else state.undo(played)
        assert told(state) == told(before)
        play(state, 3, random.Random(3))
        assert told(state) == after
    while True:
        try:
            state.undo()
        except ValueError as error:
            assert "nothing to undo" in str(error)
            break
    assert told(state) == told(game.start(7, explicit_chance=explicit))


@pytest.mark.one_of(4)
@pytest.mark.parametrize("name", NAMES)
def test_what_a_state_shows(name: str) -> None:
    game = bundled.load(name)
    state = game.start(5)
    play(state, 6, random.Random(1))
    mask = state.legal_mask()
    assert mask.dtype == np.bool_ and mask.shape == (game.num_actions,)
    assert np.flatnonzero(mask).tolist() == state.legal_actions()
    assert state.legal_names() == [game.action_name(action) for action in state.legal_actions()]
    spec = game.observation_spec()
    for player in range(game.players):
        flat = state.observation(player)
        assert flat.dtype == np.float32 and flat.shape == (spec[-1].offset + spec[-1].length,)
        assert 0 <= flat.min() and flat.max() <= 1
        parts = state.observation(player, form="dict")
        assert list(parts) == [entry.name for entry in spec]
        assert all(parts[entry.name].shape == entry.shape for entry in spec)
        assert np.array_equal(np.concatenate([part.ravel() for part in parts.values()]), flat)
    items = [state.scores(player) for player in range(game.players)]
    assert [sum(item.values()) for item in items] == state.score
    explanation = state.explain()
    assert [seat.score for seat in explanation] == state.score and game.seat_names[0] in str(explanation)
    assert [event.text for event in state.history] == state.record()["events"]
    bundle = state._repr_mimebundle_()
    assert bundle["text/plain"] == str(state) and bundle["image/svg+xml"].startswith("<svg")
    if not state.is_over:
        assert game.position(state.position()).variables == state.variables


def test_explanations_name_elements_as_the_board_shows_them() -> None:
    state = hr.load("crazy-eights").start(4)
    seat = state.explain(0)[0]
    parts = [part.name for item in seat.items for part in item.rest]
    # As data they have the names of the rules.
    assert parts and all(re.fullmatch("(clubs|diamonds|hearts|spades)-[a-z]+", part) for part in parts)
    lines = [line.strip() for line in seat.text.splitlines()[1:]]
    assert len(lines) == len(parts) and all(re.match("[♣♦♥♠][2-9TJQKA]: ", line) for line in lines)


def test_names_and_texts_are_actions() -> None:
    state = hr.load("tic-tac-toe").start()
    state.apply("Place  A1")
    state.apply(np.int64(state.legal_actions()[-1]))
    assert [event.text for event in state.history] == ["place a1", "place c3"]
    assert [event.player for event in state.history] == [0, 1]
    assert state.current_player == 0 and not state.is_over and state.outcome is None
    for square in ("b1", "b2", "c1"):
        state.apply(f"place {square}")
    assert state.is_over and state.current_player is None and state.legal_actions() == []
    assert state.outcome == hr.Outcome(state.outcome.end, (0,), False) and state.returns == [1.0, -1.0]


@pytest.mark.parametrize(
    ("action", "error", "says"),
    [
        ("place a9", ValueError, "no action is called `place a9`"),
        ("place a1", ValueError, "`place a1` (action 0) is not legal here. Legal: 1 `place b1`"),
        (0, ValueError, "is not legal here"),
        (-1, ValueError, "from 0 to 8, not -1. Legal: 1 `place b1`"),
        (9, ValueError, "from 0 to 8, not 9"),
        (2**70, ValueError, "from 0 to 8"),
        pytest.param(10**6000, ValueError, "thousands of digits", id="long"),
        (1.0, TypeError, "a number or a name, not float"),
        (True, TypeError, "not bool"),
        (None, TypeError, "not NoneType"),
    ],
)
def test_wrong_actions_say_what_is_right(action: object, error: type[Exception], says: str) -> None:
    state = hr.load("tic-tac-toe").start()
    state.apply("place a1")
    with pytest.raises(error) as raised:
        state.apply(action)  # type: ignore[arg-type]
    assert says in str(raised.value)
    assert state.decisions == 1


def test_long_lists_are_cut_and_what_was_meant_is_named() -> None:
    state = hr.load("go").start()
    with pytest.raises(ValueError, match=r"did you mean `play c3`\?.*and 62 more \(82 in all\)"):
        state.apply("plya c3")


@pytest.mark.parametrize(
    ("wrong", "error", "says"),
    [
        (lambda: hr.load("dildo"), ValueError, "did you mean `dilido`?"),
        (lambda: hr.load(3), TypeError, "a string or a path, not int"),
        (lambda: hr.load("dilido", penalty_limt=3), ValueError, "penalty_limit"),
        (lambda: hr.load("dilido", penalty_limit=99), ValueError, "1..20"),
        (lambda: hr.load("dilido", penalty_limit=2**70), ValueError, "1..20"),
        (lambda: hr.load("dilido", penalty_limit=2.5), TypeError, "not float"),
        (lambda: hr.load("dilido", reading="orderd"), ValueError, "ordered"),
        (lambda: hr.load("dilido", players=3), ValueError, "1"),
        (lambda: hr.load("dilido", players=-1), ValueError, "number of players"),
        (lambda: hr.load("dilido", players="two"), TypeError, "number of players"),
        (lambda: hr.load("dilido").with_players(9), ValueError, "1"),
        (lambda: hr.load("dilido").with_params(nothing=1), ValueError, "nothing"),
        (lambda: hr.load("dilido").start(-1), ValueError, "seed"),
        (lambda: hr.load("dilido").start(2**64), ValueError, "seed"),
        (lambda: hr.load("dilido").start("x"), TypeError, "seed"),
        (lambda: hr.load("dilido").start(1).observation(1), ValueError, "player"),
        (lambda: hr.load("dilido").start(1).observation(form="flt"), ValueError, "planes"),
        (lambda: hr.load("dilido").start(1).apply_outcome(0), ValueError, "`apply`"),
        (lambda: hr.load("dilido").start(1, explicit_chance=True).apply(0), ValueError, "`apply_outcome`"),
        (lambda: hr.load("dilido").start(1, explicit_chance=True).apply_outcome(36), ValueError, "from 0 to 35"),
        (lambda: hr.load("dilido").start(1, explicit_chance=True).apply_outcome("roll pair 1 9"), ValueError, "Possible"),
        (lambda: hr.load("dilido").position("nonsense = 3"), ValueError, "line 1"),
        (lambda: hr.load("dilido").action_name(1000), ValueError, "from 0 to"),
        (lambda: hr.load("dilido").parse_action("plce a1"), ValueError, "did you mean `place a1`?"),
        (lambda: hr.stack("dilido", "hex"), ValueError, "not a variant"),
    ],
)
def test_wrong_requests_say_what_is_right(wrong: object, error: type[Exception], says: str) -> None:
    with pytest.raises(error) as raised:
        wrong()  # type: ignore[operator]
    assert type(raised.value) is error and says in str(raised.value)


def test_wrong_rules_say_what_the_command_says(tmp_path: Path) -> None:
    file = tmp_path / "wrong.rules"
    file.write_text(RACE.replace("== goal", "== gaol").replace("at[me] += 1", "ta[me] += 1"))
    with pytest.raises(hr.RulesError) as raised:
        hr.load(str(file))
    check = subprocess.run([sys.executable, "-m", "houserule", "check", str(file)], capture_output=True, text=True)
    assert check.returncode == 1
    assert str(raised.value).strip() == check.stderr.strip()
    codes = [diagnostic.code for diagnostic in raised.value.diagnostics]
    assert len(codes) == 2 and raised.value.diagnostics[0].place.file == str(file)
    again = pickle.loads(pickle.dumps(raised.value))
    assert str(again) == str(raised.value) and again.diagnostics == raised.value.diagnostics


def test_rules_that_go_wrong_in_play_show_where_and_when() -> None:
    game = hr.parse(BROKEN, name="broken")
    state = game.start(1)
    state.apply("more")
    state.apply("more")
    with pytest.raises(hr.GameError) as raised:
        state.apply("more")
    error = raised.value
    assert "`n` would become 3" in str(error) and "broken:5" in str(error) and "after 3 decisions" in str(error)
    assert error.diagnostic.code == "out-of-range" and error.diagnostic.place.line == 5
    assert state.decisions == 2 and state.variables["n"] == 2
    state.apply("wait")
    assert len(error.state.history) == 3
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.state.history == error.state.history
    for stopped in (error.state, again.state, error.state.clone()):
        for act in (lambda: stopped.apply("more"), stopped.random_action, lambda: stopped.apply_outcome(0)):
            with pytest.raises(ValueError, match="an error of the rules has stopped this game.*takes no action"):
                act()
    error.state.undo()
    assert error.state.decisions == 2 and error.state.variables["n"] == 2
    error.state.apply("wait")


def test_stacks() -> None:
    named = hr.load("dilido + torus + 8x8")
    assert hr.stack("dilido", "torus", "8x8") == named
    assert hr.stack(hr.load("dilido + torus"), "8x8") == named
    assert hr.stack(hr.load("dilido", penalty_limit=5), "torus").params["penalty_limit"].value == 5
    harder = 'variant "Harder" of "dilido" { param penalty_limit = 1 }'
    game = hr.stack("dilido", "torus", harder)
    assert game.title == "Di-Li-Do torus + Harder" and game.params["penalty_limit"].value == 1
    race = hr.stack(hr.parse(RACE), 'variant "Long" of "Race" { param goal = 5 }')
    assert race.params["goal"].value == 5
    assert [entry.part for entry in hr.load("dilido").diff(hr.load("dilido", penalty_limit=5))] == ["param penalty_limit"]
    assert "no difference" in repr(named.diff(named))


def test_params() -> None:
    game = hr.load("dilido", penalty_limit=5, line_points={4: 9})
    limit = game.params["penalty_limit"]
    assert (limit.value, limit.default, limit.range, limit.kind) == (5, 3, (1, 20), "number")
    assert game.params["line_points"].value[4] == 9 and game.params["reading"].words == ("either", "ordered")
    assert hr.load("dilido", params=game.params.to_dict()) == game
    assert game.with_params(penalty_limit=3, line_points={4: 3}) == hr.load("dilido")
    assert game != hr.load("dilido") and len({game, hr.load("dilido"), hr.load("dilido")}) == 2
    assert "penalty_limit=5" in repr(game) and "penalty_limit = 5" in repr(game.params)


def test_unseeded_games_differ_and_say_their_seed() -> None:
    game = hr.load("dilido")
    states = [game.start() for _ in range(8)]
    assert len({state.seed for state in states}) == 8
    again = game.start(states[0].seed)
    for state in (states[0], again):
        play(state, 30, random.Random(1))
    assert told(states[0]) == told(again)


def test_random_actions_are_those_of_the_command(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    command = [sys.executable, "-m", "houserule", "simulate", "dilido", "--games", "20", "--seed", "9", "--record"]
    subprocess.run([*command, str(file)], check=True, stdout=subprocess.DEVNULL)
    import json

    for line in file.read_text().splitlines():
        record = json.loads(line)
        state = hr.load("dilido").start(9, record["index"])
        while not state.is_over:
            state.apply(state.random_action())
        # The state does not know who played.
        assert record.pop("agents") == ["random"]
        assert state.record() == record
        half = state.decisions // 2
        state.undo(half)
        for _ in range(half):
            state.apply(state.random_action())
        assert state.record() == record


def test_hostile_bytes_are_refused() -> None:
    game = hr.load("dicrono")
    state = game.start(3)
    play(state, 12, random.Random(2))
    data = state.to_bytes()
    rng = random.Random(4)
    tries = [data[:cut] for cut in range(len(data))] + [rng.randbytes(rng.randrange(400)) for _ in range(300)]
    for _ in range(300):
        changed = bytearray(data)
        changed[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        tries.append(bytes(changed))
    for bad in tries:
        with pytest.raises(ValueError, match="saved"):
            hr.State.from_bytes(game, bad)
    with pytest.raises(ValueError, match="other rules"):
        hr.State.from_bytes(hr.load("dilido"), data)


def _in_another_process(game: hr.Game, state: hr.State, folder: str) -> tuple[str, str, int]:
    import os

    os.chdir(folder)
    state.undo()
    return state.game.title, str(state), hash(game.with_params(goal=5).params["goal"].value)


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_games_go_to_workers_without_their_files(method: str, tmp_path: Path) -> None:
    (tmp_path / "race.rules").write_text(RACE)
    (tmp_path / "long.rules").write_text('variant "Long" of "race.rules" { new param limit: 1..3 = 2 "unused" }')
    game = hr.load(tmp_path / "long.rules")
    state = game.start(1)
    state.apply("step")
    before = state.clone()
    before.undo()
    for file in tmp_path.glob("*.rules"):
        file.unlink()
    with multiprocessing.get_context(method).Pool(1) as pool:
        title, text, goal = pool.apply(_in_another_process, (game, state, "/"))
    assert (title, text, goal) == ("Long", str(before), hash(5))


def test_states_of_one_pickle_share_their_game() -> None:
    game = hr.load("dilido")
    states = [game.start(seed) for seed in range(50)]
    assert len(pickle.dumps(states)) < 50 * len(pickle.dumps(game))
    assert pickle.loads(pickle.dumps(states)) == states


def test_states_of_one_game_in_many_threads() -> None:
    game = hr.load("connect-four")
    results: list[list[str]] = [[] for _ in range(4)]

    def run(into: list[str]) -> None:
        for seed in range(20):
            state = game.start(seed)
            while not state.is_over:
                state.apply(state.random_action())
            into.append(str(state))

    threads = [threading.Thread(target=run, args=(into,)) for into in results]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results[0] == results[1] == results[2] == results[3] and len(results[0]) == 20


def test_chance_in_ones_own_hands() -> None:
    state = hr.load("dilido").start(1, explicit_chance=True)
    assert state.is_chance and state.current_player is None and state.legal_actions() == []
    outcomes = state.chance_outcomes()
    assert len(outcomes) == 36 and sum(p for _, p in outcomes) == pytest.approx(1)
    assert state.outcome_name(outcomes[0][0]) == "roll pair 1 1"
    state.apply_outcome("roll pair 3 5")
    assert sorted(state.legal_names()) == ["place c5", "place e3"]
    state.undo()
    assert state.is_chance


def test_importing_needs_nothing_heavy() -> None:
    code = "import sys, houserule; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    for heavy in ("numpy", "gymnasium", "pettingzoo", "pyspiel", "polars", "altair", "jax", "torch", "dataclasses"):
        assert heavy not in loaded, heavy


def test_games_are_a_list_with_names() -> None:
    games = hr.games()
    assert games[0].name in games.names and len(games) == len(NAMES)
    variant = next(entry for entry in games if entry.name == "dilido-torus")
    assert variant.of == "dilido" and "dilido-torus" in repr(games)
    assert variant.family == "house"
    assert {entry.name: entry.family for entry in games}["ludo-safe-squares"] == "race"
    assert "<table>" in games._repr_html_()


def test_a_machine_that_is_none_is_refused_when_a_game_is_loaded() -> None:
    code = "import houserule as hr\nhr.load('tic-tac-toe')"
    environment = {**os.environ, "HOUSERULE_MACHINE": "compiled"}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert run.returncode != 0
    assert "ValueError: HOUSERULE_MACHINE is `compiled`; it may be `interpret` or `compile`" in run.stderr


def test_a_record_begins_with_the_game() -> None:
    game = hr.load("pig")
    state = game.start(7)
    for _ in range(4):
        state.apply(state.random_action())
    assert hr.replay([state.record()])[0].problem is None
    begun = game.position(state.position(), seed=3)
    saved = pickle.loads(pickle.dumps(begun))
    for other in (begun, saved):
        other.apply(other.random_action())
        assert len(other.history) > 0
        with pytest.raises(ValueError, match=r"begun from a position: `position\(\)` writes"):
            other.record()


def test_players_who_win_together_have_no_draws() -> None:
    game = hr.parse("""
        game "Crew" {
          players 2
          team crew = players
          turn { choose { save { end game as saved: win me } burn { end game as burnt: lose me } } }
        }
    """)
    assert game.sides == [0, 0]
    for action, end, winners, words in (("save", "saved", (0, 1), "all win together"), ("burn", "burnt", (), "all lose")):
        state = game.start(1)
        state.apply(action)
        assert state.outcome == (end, winners, False)
        assert f"The game is over: {words}." in str(state)
