"""Players that learn."""

import pickle

import houserule as hr
import pytest
from extent import tries


@pytest.fixture(scope="module")
def training():
    return hr.learn("tic-tac-toe", games=1500, name="mine", threads=2)


def test_what_training_comes_to(training):
    curve = training.curve.rows()
    assert {row["opponent"] for row in curve} == {"greedy", "mcts:100"}
    assert [row["games"] for row in curve] == sorted(row["games"] for row in curve)
    assert training.report["games"] == 1500 and training.report["aim"] == "outcome"
    against = {row["opponent"]: row for row in training.strength}
    assert against["greedy"]["low"] > 0.6 and against["greedy"]["better_low"] > 0.1
    assert training.report["gain"] is None and not training.is_rising, "one checkpoint says nothing of rising"
    html = training._repr_mimebundle_()["text/html"]
    assert "1,500 games of training" in html and "mcts:100" in html
    assert "1,500 games" in repr(training)


def test_a_player_is_an_agent(training, tmp_path):
    game = hr.load("tic-tac-toe")
    found = hr.evaluate(training.player, game, against=["random"], games=200, seed=5)
    assert found.rows[0]["policy"] == "mine" and found.win_rate > 0.7
    path = training.save(tmp_path / "mine.player")
    again = hr.evaluate(str(path), game, against=["random"], games=200, seed=5)
    assert again.win_rate == found.win_rate
    copy = pickle.loads(pickle.dumps(training.player))
    assert copy.name == "mine" and copy.to_bytes() == training.player.to_bytes()
    first = [hr.env(game, opponents=of, seat=1).reset(seed=3)[0] for of in (training.player, str(path), "random")]
    assert str(first[0]) == str(first[1]), "an environment has the same opponent by its path"
    seats = hr.simulate(game, games=20, agents=[training.player, "random"])
    assert seats.report["agents"] == ["mine", "random"]


def test_the_same_seed_gives_the_same_player():
    def weights(threads):
        file = hr.learn(hr.load("pig", goal=20), games=tries(60, 200), seed=4, threads=threads).player.to_bytes()
        return file[file.index(b"\n") :]

    assert weights(1) == weights(2)


def test_what_can_not_be(tmp_path):
    with pytest.raises(ValueError, match="not both"):
        hr.learn("pig", games=10, seconds=1)
    with pytest.raises(ValueError, match="more than 0"):
        hr.learn("pig", seconds=0)
    with pytest.raises(FileNotFoundError):
        hr.simulate("pig", games=1, agents="nowhere.player")
    with pytest.raises(ValueError, match="no player, or a damaged one"):
        hr.Player(b"nothing")
    training = hr.learn(hr.load("pig", goal=20), games=20, threads=1)
    with pytest.raises(ValueError, match="must end in .player"):
        training.save(tmp_path / "pig.txt")
    with pytest.raises(ValueError, match="has learned with 2 players, and here 1 plays"):
        hr.simulate("dilido", games=1, agents=training.player)


def test_other_rules_are_warned_of():
    training = hr.learn("dilido", games=40, threads=1)
    with pytest.warns(UserWarning, match="other rules or params"):
        hr.simulate(hr.load("dilido", adjacency=4), games=2, agents=training.player)


def test_learned_players_judge_a_rule():
    found = hr.compare(hr.load("pig", goal=20), hr.load("pig+pig-two-dice", goal=20), games=40, agents=["greedy", "learned:60"], threads=2)
    assert [agent["trainings"] for agent in found.report["agents"]] == [None, 2]
    assert isinstance(found.report["depends"], list)
    assert "2 trainings for each game" in str(found)
