"""Where the time of a game's rules goes."""

import json
from pathlib import Path

import houserule as hr
import pytest

COUNTED = ("evaluations", "instructions", "repeated")


def test_parts_and_lines_are_tables():
    found = hr.load("dilido").profile(games=20)
    assert found.report["games"] == 20 and json.loads(json.dumps(found.report)) == found.report
    place = next(row for row in found.parts if row["name"] == "place")
    assert (place["kind"], place["file"]) == ("step", "dilido")
    assert 0 <= place["own_share"] <= place["share"] <= 1
    assert sum(found.lines["share"]) == pytest.approx(1)
    named = next(row for row in found.expressions if row["text"] == "named & empty")
    lines = hr.load("dilido").source.splitlines()
    assert lines[named["line"] - 1][named["column"] - 1 :].startswith("named & empty")
    assert "step place" in str(found) and repr(found).startswith("<Profile of Di-Li-Do: 20 games, ")
    assert "<table" in found._repr_mimebundle_()["text/html"]


def test_counts_depend_on_the_seed_alone():
    game = hr.load("dilido", size=5)
    one, same, other = (game.profile(games=30, seed=seed).report["decision"] for seed in (1, 1, 2))
    assert [one[key] for key in COUNTED] == [same[key] for key in COUNTED]
    assert one["instructions"] != other["instructions"]
    assert one["instructions"] != hr.load("dilido").profile(games=30).report["decision"]["instructions"]


def test_rules_without_a_file_have_a_profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "less.rules").write_text('variant "Less" of "dilido" {\n  param penalty_limit = 2\n}\n')
    monkeypatch.chdir(tmp_path)
    game = hr.load("less.rules")
    (tmp_path / "less.rules").unlink()
    assert game.profile(games=5).report["title"] == "Less"


def test_the_time_is_limited():
    found = hr.load("points").profile(seconds=1e-6)
    assert found.report["out_of_time"] and found.report["games"] == 0
    assert "before the first game ended" in str(found)


def test_bad_requests_say_what_there_is():
    game = hr.load("dilido")
    with pytest.raises(ValueError, match="games must be a number from 1"):
        game.profile(games=0)
    with pytest.raises(ValueError, match="more than 0"):
        game.profile(seconds=0)
    with pytest.raises(TypeError, match="seed"):
        game.profile(seed="x")
