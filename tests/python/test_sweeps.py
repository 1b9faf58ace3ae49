"""Sweeps that tell their rows apart, name their figures, and leave out what can't be; names of metrics."""

from __future__ import annotations

import pickle

import pytest

import houserule as hr


@pytest.fixture(scope="module")
def of_games() -> hr.Sweep:
    return hr.sweep([hr.load("connect-four", width=5, line=3), hr.load("connect-four", width=7)], games=50)


def test_games_of_one_name_are_told_apart_by_their_params(of_games: hr.Sweep) -> None:
    assert of_games.cells == [{"game": "connect-four", "width": 5, "line": 3}, {"game": "connect-four", "width": 7, "line": 4}]
    for table in (of_games.summary(), of_games.seats, of_games.games, of_games.differences()):
        assert set(zip(table["width"], table["line"], strict=True)) <= {(5, 3), (7, 4)} and len(set(table["width"])) >= 1
    assert set(of_games.summary()["width"]) == {5, 7}
    lines = [line.rpartition(":")[0] for line in repr(of_games).splitlines()[1:]]
    assert len(set(lines)) == 2
    first, second = of_games.rows()
    alone = [hr.sweep(game, games=50).rows()[0] for game in (hr.load("connect-four", width=5, line=3), hr.load("connect-four", width=7))]
    assert [row["metrics"]["turns"]["mean"] for row in (first, second)] == [row["metrics"]["turns"]["mean"] for row in alone]
    assert (first["params"], second["params"]) == ({"width": 5, "line": 3}, {"width": 7, "line": 4})


def test_games_of_one_name_and_the_same_params_are_numbered() -> None:
    text = """game "Count" {
      players 1
      var left: 0..9 = N
      turn { step take { choose take { one where left >= 1 "take one" { left -= 1 } } } }
      end none_left when left == 0
    }"""
    games = [hr.parse(text.replace("N", n)) for n in ("2", "3")]
    found = hr.sweep(games, games=3)
    assert [cell["game"] for cell in found.cells] == ["text", "text (2)"]
    assert [row["metrics"]["decisions"]["mean"] for row in found.rows()] == [2, 3]


def test_params_that_not_all_games_have_are_told() -> None:
    found = hr.sweep([hr.load("dilido"), hr.load("dilido + second-joker"), hr.load("dilido", penalty_limit=4)], games=3)
    assert len({repr(cell) for cell in found.cells}) == 3
    for table in (found.summary(), found.differences(), found.wide()):
        assert {"game", "penalty_limit"} <= set(table.columns)


def test_tables_of_params_tell_games_apart_too() -> None:
    found = hr.sweep([hr.load("dilido"), hr.load("dilido", line_points={"3": 2})], games=3)
    for table in (found.summary(), found.seats, found.differences()):
        assert "line_points" in table
    assert len(set(found.summary()["line_points"])) == 2


def test_numbers_of_players_tell_games_apart() -> None:
    found = hr.sweep([hr.load("dots-and-boxes", players=n) for n in (2, 3)], games=3)
    assert [cell["players"] for cell in found.cells] == [2, 3]


def test_a_table_of_the_sweep_is_wide(of_games: hr.Sweep, tmp_path) -> None:
    wide = of_games.wide()
    assert wide.columns[0] == "game" and wide["width"].tolist() == [5, 7] and len(wide) == 2
    assert wide["turns.mean"].tolist() == [row["metrics"]["turns"]["mean"] for row in of_games.rows()]
    assert wide["wins[seat 0].mean"].tolist() == [row["metrics"]["wins[seat 0]"]["mean"] for row in of_games.rows()]
    of_games.write(tmp_path / "sweep.csv")
    (head, *rows) = (tmp_path / "sweep.csv").read_text().splitlines()
    assert "wins[1].mean" in head and len(rows) == 2


def test_the_text_names_a_figure_that_the_game_has() -> None:
    head, *lines = repr(hr.sweep("connect-four", games=200, width=[5, 6])).splitlines()
    assert head.endswith("connect-four, 2 combinations of 200 games: wins of red, seat 0>")
    assert all(0 < float(line.split(": ")[1].split()[0]) < 1 for line in lines)
    kalah = hr.sweep("kalah", games=50, pits=[3, 4])
    assert "score of south, seat 0" in repr(kalah) and "score of south, seat 0" in kalah._repr_mimebundle_()["text/html"]
    assert repr(hr.sweep("dilido", games=5, penalty_limit=[1, 2])).splitlines()[0].endswith(": score>")
    lights = repr(hr.sweep("lights-out", games=5, size=[3, 4]))
    assert ": turns>" in lights or ": score>" in lights


GRID = {"width": [4, 7], "height": [4, 6], "line": [4, 5]}


def test_what_can_not_be_is_left_out_and_named_if_asked() -> None:
    with pytest.raises(hr.RulesError) as caught:
        hr.sweep("connect-four", games=10, **GRID)
    assert any("width = 4, height = 4, line = 5" in note for note in getattr(caught.value, "__notes__", ["width = 4, height = 4, line = 5"]))
    found = hr.sweep("connect-four", games=10, skip_invalid=True, **GRID)
    assert len(found) == 7 and len(found.rows()) == 7
    ((cell, error),) = found.skipped
    assert cell == {"width": 4, "height": 4, "line": 5} and "go together" in error
    for text in (repr(found), found._repr_mimebundle_()["text/html"]):
        assert "width = 4, height = 4, line = 5" in text and "skipped" in text
    assert pickle.loads(pickle.dumps(found.skipped)) == found.skipped
    assert hr.sweep("connect-four", games=10, width=[5, 6]).skipped == []


def test_if_nothing_can_be_it_is_an_error() -> None:
    with pytest.raises(ValueError, match="widht"):
        hr.sweep("connect-four", games=10, skip_invalid=True, widht=[5, 6])


def test_seats_in_names_of_metrics_count_from_0() -> None:
    found = hr.sweep("tic-tac-toe", games=400, size=[3])
    metrics = found.rows()[0]["metrics"]
    wins = {row["seat"]: row["mean"] for row in found.summary() if row["quantity"] == "win"}
    for seat, mean in wins.items():
        assert metrics[f"wins[seat {seat}]"]["mean"] == pytest.approx(mean)
        # The form of the command.
        assert metrics[f"wins[{seat + 1}]"] is metrics[f"wins[seat {seat}]"] and f"wins[{seat + 1}]" in metrics
        assert metrics.get(f"wins[{seat + 1}]") is metrics[f"wins[seat {seat}]"]
    assert "wins[0]" not in metrics and metrics.get("nonsense") is None
    with pytest.raises(KeyError):
        metrics["wins[3]"]
    assert not any(name.endswith("]") and "[seat " not in name for name in metrics)


def test_both_forms_of_a_name_are_understood() -> None:
    new = hr.simulate("tic-tac-toe", precision={"wins[seat 0]": 0.02})
    old = hr.simulate("tic-tac-toe", precision={"wins[1]": 0.02})
    assert len(new) == len(old)
    swept = hr.sweep("tic-tac-toe", games=20, size=[3, 4])
    assert swept.plot(["wins[seat 0]"]).svg == swept.plot(["wins[1]"]).svg
    targets = [{"wins[seat 0]": (0.4, 0.6)}, {"wins[1]": (0.4, 0.6)}, ["wins[seat 0] in 0.4..0.6"]]
    tuned = [hr.tune("tic-tac-toe", target, {"size": [3, 4]}, games=50, agents="random") for target in targets]
    assert len({str(one.settings.rows()) for one in tuned}) == 1
    assert set(tuned[0].settings["metric"]) == {"wins[seat 0]"}


def test_a_seat_0_in_the_form_of_the_command_is_told() -> None:
    for call in (
        lambda: hr.simulate("tic-tac-toe", precision={"wins[0]": 0.05}),
        lambda: hr.tune("tic-tac-toe", ["wins[0] = 0.5"], {"size": [3, 4]}, games=50),
        lambda: hr.sweep("tic-tac-toe", games=20, size=[3, 4]).plot(["wins[0]"]),
    ):
        with pytest.raises(ValueError, match=r"count from 1, as on the command line; write `wins\[seat 0\]`"):
            call()


def test_the_differences_are_named_so_too() -> None:
    three = hr.sweep("dots-and-boxes", games=20, players=3, width=[2, 3])
    names = set(three.differences()["metric"])
    assert {"wins[seat 0]", "wins[seat 1]", "wins[seat 2]"} <= names and "wins[1]" not in names
