"""Card games are those of OpenSpiel."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pyspiel
import pytest
from openspiel_peers import HOUSERULE, ROOT, Peer, action_called, compare, replayed

SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
RANKS = dict(zip("23456789TJQKA", "two three four five six seven eight nine ten jack queen king ace".split()))
LETTERS = {word: letter for letter, word in (SUITS | RANKS).items()}


class Dealing(Peer):
    """Our hands are dealt one after the other, theirs card by card: they wait until all are dealt."""

    part = 5
    same_chance = False

    def start(self) -> pyspiel.State:
        self.waiting: list[str] | None = []
        return super().start()


class CrazyEights(Dealing):
    """The game ends there with one pass more. What is left in the hands is counted here, as OpenSpiel counts a
    card by its number in the pack."""

    PIPS = {"T": 10, "J": 10, "Q": 10, "K": 10, "A": 1, "8": 50}

    def __init__(self, players: int) -> None:
        self.players = players
        self.each = 7 if players == 2 else 5
        spiel = f"crazy_eights(players={players},max_turns=10000)"
        super().__init__("rules/cards/crazy-eights.rules", spiel, f"hand_size={self.each}")

    def name(self, state: pyspiel.State, action: int) -> str:
        verb, *words = state.action_to_string(action).split()
        if verb == "Play":
            return f"play {SUITS[words[0][0]]}-{RANKS[words[0][1]]}"
        return f"name {SUITS[words[1]]}" if verb == "Nominate" else verb.lower()

    def outcomes(self, state: pyspiel.State, event: str) -> list[int]:
        words = event.removeprefix("pick ").split("-")
        if self.waiting is None:
            return [self.deal(state, words)]
        self.waiting.append(words)
        if len(self.waiting) < self.players * self.each + 2:
            return []
        dealer, *cards, first = self.waiting
        self.waiting = None
        seat = int(dealer[1]) - 1
        order = [(seat + 1 + n) % self.players for n in range(self.players)]
        dealt = [cards[player * self.each + n] for n in range(self.each) for player in order]
        state.apply_action(action_called(state, f"Decide Player {seat} to be the dealer"))
        for card in dealt:
            state.apply_action(self.deal(state, card))
        return [self.deal(state, first)]

    def deal(self, state: pyspiel.State, words: list[str]) -> int:
        suit, rank = words
        return action_called(state, f"Deal {LETTERS[suit]}{LETTERS[rank]}")

    def check_end(self, state: pyspiel.State, game: dict) -> None:
        if not state.is_terminal():
            state.apply_action(action_called(state, "Pass"))
        assert state.is_terminal()
        rows = [row for row in str(state).splitlines() if row.startswith("Suit")]
        hands = ["".join(row.split("Suit")[1 + player][3:] for row in rows) for player in range(self.players)]
        left = [sum(self.PIPS.get(rank, 0) or int(rank) for rank in hand if rank != " ") for hand in hands]
        assert left == game["score"], state


class Hearts(Dealing):
    """There chance says to whom cards are passed, the cards are dealt in turn, and points are taken from 26."""

    WAYS = ("off", "left", "across", "right")
    DEALT = 1 + 52  # events there: the way, and the cards
    PASSED = DEALT + 4 * 3

    def __init__(self, passing: str, *settings: str, spiel: str = "") -> None:
        self.way = self.WAYS.index(passing)
        options = f"pass_cards={passing != 'off'}{spiel}"
        super().__init__("rules/cards/hearts.rules", f"hearts({options})", f"passing={passing}", *settings)

    def known_name(self, state: pyspiel.State, action: int) -> str:
        rank, suit = state.action_to_string(action)
        verb = "pass" if self.way > 0 and state.move_number() < self.PASSED else "play"
        return f"{verb} {SUITS[suit]}-{RANKS[rank]}"

    def outcomes(self, state: pyspiel.State, event: str) -> list[int]:
        self.waiting.append(event.removeprefix("pick "))
        if len(self.waiting) == 51:  # The last card is no chance event here.
            all_cards = {f"{suit}-{rank}" for suit in SUITS.values() for rank in RANKS.values()}
            self.waiting += all_cards - set(self.waiting)
            state.apply_action(self.way)
            for n in range(52):
                suit, rank = self.waiting[n % 4 * 13 + n // 4].split("-")
                state.apply_action(action_called(state, LETTERS[rank] + LETTERS[suit]))
        return []

    def returns(self, game: dict) -> list[float]:
        return [26 - points for points in game["score"]]


class GoFish(Peer):
    """There ranks are letters. A book in the deal, which another card replaces there, takes more than three."""

    part = 5
    RANKS = tuple(RANKS.values())

    def __init__(self, players: int) -> None:
        self.players = players
        super().__init__("rules/cards/go-fish.rules", f"go_fish(players={players},initial_cards=3)", "hand_size=3")

    def name(self, state: pyspiel.State, action: int) -> str:
        target, rank = state.action_to_string(action)
        return f"ask player-{int(target) + 1} {self.RANKS[ord(rank) - ord('a')]}"

    def outcome(self, state: pyspiel.State, event: str) -> int:
        return self.RANKS.index(event.split()[-1])

    def check_end(self, state: pyspiel.State, game: dict) -> None:
        assert state.is_terminal()
        books = [int(line.split(":")[1]) for line in str(state).splitlines() if ":" in line]
        assert books == game["score"]


class KuhnPoker(Peer):
    """There a check and a fold are a pass, a call is a bet."""

    def name(self, state: pyspiel.State, action: int) -> str:
        raise NotImplementedError

    def known_name(self, state: pyspiel.State, action: int) -> str:
        behind = str(state).endswith("b")
        return {"Pass": ("check", "fold"), "Bet": ("bet", "call")}[state.action_to_string(action)][behind]

    def outcome(self, state: pyspiel.State, event: str) -> int:
        return int(event.split()[-1]) - 1

    def returns(self, game: dict) -> list[float]:
        return game["score"]


class LeducPoker(Peer):
    CARDS = tuple(f"{rank}-{suit}" for rank in ("jack", "queen", "king") for suit in ("hearts", "spades"))

    def name(self, state: pyspiel.State, action: int) -> str:
        return state.action_to_string(action).lower()

    def outcome(self, state: pyspiel.State, event: str) -> int:
        return self.CARDS.index(event.split()[-1])

    def returns(self, game: dict) -> list[float]:
        return game["score"]


class Cribbage(Peer):
    """There a player who can't play passes. Ours may be over before the hands are counted, or in the middle of that."""

    part = 40

    def __init__(self, goal: int) -> None:
        super().__init__("rules/cards/cribbage.rules", "cribbage", f"goal={goal}")
        self.goal = goal

    def name(self, state: pyspiel.State, action: int) -> str | None:
        word, *cards = state.action_to_string(action).split()
        if word == "Pass":
            return None
        cards.sort(key=lambda card: ("A23456789TJQK".index(card[0]), card[1]))
        return " ".join([{1: "play", 2: "crib"}[len(cards)], *(f"{RANKS[rank]}-{SUITS[suit]}" for rank, suit in cards)])

    def outcome(self, state: pyspiel.State, event: str) -> int:
        rank, suit = event.removeprefix("pick ").split("-")
        return action_called(state, f"Deal {LETTERS[rank]}{LETTERS[suit]}")

    def check_end(self, state: pyspiel.State, game: dict) -> None:
        line = next(line for line in str(state).splitlines() if line.startswith("Scores"))
        theirs, ours = [int(word) for word in line.split()[1:]], game["score"]
        plays = sum(step["event"].startswith("play") for step in game["events"])
        if plays % 8 > 0 or game["events"][-1]["event"].startswith("pick"):
            assert theirs == ours, state
        assert all(more >= points for more, points in zip(theirs, ours, strict=True)), state
        assert sum(points >= self.goal for points in ours) == 1


PEERS = [
    *(CrazyEights(players) for players in range(2, 6)),
    *(Hearts(passing) for passing in Hearts.WAYS),
    Hearts("left", "gentle_start=false", "queen_breaks=false", spiel=",no_pts_on_first_trick=False,qs_breaks_hearts=False"),
    Hearts("off", "jack_points=-10", spiel=",jd_bonus=True"),
    *(GoFish(players) for players in (2, 3, 5)),
    *(Cribbage(goal) for goal in (31, 121)),
    KuhnPoker("rules/cards/kuhn-poker.rules", "kuhn_poker"),
    LeducPoker("rules/cards/leduc-poker.rules", "leduc_poker"),
]


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: f"{peer.ours}-{peer.spiel}")
def test_games_are_those_of_openspiel(peer: Peer, tmp_path: Path) -> None:
    compare(peer, tmp_path)


def test_cards_are_passed_left_right_across_and_not_at_all(tmp_path: Path) -> None:
    """What comes to whom from game to game of a match, which OpenSpiel leaves to chance."""
    file = tmp_path / "match.jsonl"
    simulate = [HOUSERULE, "simulate", "rules/cards/hearts.rules", "--match", "-n", "1", "--record", str(file)]
    subprocess.run(simulate, check=True, stdout=subprocess.DEVNULL, cwd=ROOT)
    games = list(replayed(file))
    assert len(games) > 4
    for number, played in enumerate(games):
        decisions = [step for step in played["events"] if "legal" in step]
        takers = {step["event"][5:]: step["player"] for step in decisions if step["event"].startswith("play ")}
        passes = [(step["player"], step["event"][5:]) for step in decisions if step["event"].startswith("pass ")]
        assert len(passes) == (0 if number % 4 == 3 else 12)
        assert {(takers[card] - giver) % 4 for giver, card in passes} <= {(1, 3, 2, 0)[number % 4]}
