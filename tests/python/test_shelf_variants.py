"""What house rules of the card games, the hidden games and the games for one player change."""

from __future__ import annotations

from collections.abc import Iterator

import houserule as hr
import pytest
from rule_files import load


def positions(rules: hr.Game, games: int = 30) -> Iterator[tuple[hr.State, str, hr.State]]:
    """The decisions of random games: the state before, the action, and the state after."""
    for index in range(games):
        state = rules.start(1, index)
        while not state.is_over:
            before, name = state.clone(), state.action_name(state.random_action())
            state.apply(name)
            yield before, name, state


def place(square: str) -> tuple[int, int]:
    return ord(square[0]) - ord("a") + 1, int(square[1:])


def test_ships_keep_apart() -> None:
    for index in range(30):
        state = load("variants/battleship-apart").start(1, index)
        for _ in range(10):
            state.apply(state.random_action())
        for fleet in state.variables["hull"]:
            ships = [[place(square) for square in ship] for ship in fleet.values()]
            assert [len(ship) for ship in ships] == [5, 4, 3, 3, 2]
            for one in ships:
                for other in ships:
                    near = [max(abs(a - c), abs(b - d)) for a, b in one for c, d in other]
                    assert one is other or min(near) > 1


def test_salvos_have_a_shot_for_each_ship() -> None:
    in_a_row = 0
    for before, name, state in positions(load("variants/battleship-salvo")):
        if name.startswith("shoot"):
            shooter = before.current_player
            assert shooter is not None
            in_a_row += 1
            full = in_a_row == 5 - before.variables["losses"][shooter]
            assert full == (state.current_player != shooter) or state.is_over
            in_a_row = 0 if full or state.is_over else in_a_row


def test_cards_that_do_not_match_change_places() -> None:
    for before, name, state in positions(load("variants/memory-swap"), 10):
        old, new = before.variables["picture"], state.variables["picture"]
        first, second = before.variables["first"], name.split()[1]
        if name.startswith("match") and old[first] != old[second]:
            assert (new[first], new[second]) == (old[second], old[first])
            faces = {at: int(n) for n, sites in state.variables["face"].items() for at in sites}
            assert faces == {first: new[first], second: new[second]}
        else:
            assert new == old


def test_mines_are_counted_across_edges() -> None:
    for _, _, state in positions(load("variants/minesweeper-torus"), 10):
        mines = [place(square) for square in state.variables["mined"]]
        for n, sites in state.variables["clue"].items():
            for x, y in map(place, sites):
                near = [((x + dx - 1) % 9 + 1, (y + dy - 1) % 9 + 1) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
                assert sum(square in mines for square in near) == int(n)


def test_every_button_of_a_torus_switches_five_lights() -> None:
    for before, _, state in positions(load("variants/lights-out-torus"), 10):
        assert len(set(before.variables["light"]) ^ set(state.variables["light"])) == 5


def test_the_european_game_from_the_centre_cannot_leave_one_peg() -> None:
    """A jump changes the number of pegs of each of three diagonal colours by one, so two colours that are both even
    or both odd stay alike. With one peg left, one colour would differ from the others."""
    state = load("variants/peg-solitaire-european").start(1)
    assert len(state.legal_actions()) == 37
    state.apply("vacate d4")
    pegs = [place(square) for square in state.variables["peg"]]
    assert len({sum((x + y) % 3 == colour for x, y in pegs) % 2 for colour in range(3)}) == 1


def test_an_opponent_lays_the_tiles() -> None:
    for before, name, state in positions(load("variants/2048-opponent"), 5):
        old, new = before.variables["tile"], state.variables["tile"]
        assert before.current_player == (0 if name.startswith("slide") else 1)
        if not name.startswith("slide"):
            number, square = name.split()
            assert new == {**old, square: {"two": 2, "four": 4}[number]}
            assert old[square] == 0
    assert all(event.player is not None for event in state.history)


def test_queens_skip_and_twos_give_cards() -> None:
    for before, name, state in positions(load("variants/crazy-eights-skips", players=3)):
        if state.is_over or not name.startswith("play"):
            continue
        player = before.current_player
        assert player is not None
        more = [len(a) - len(b) for a, b in zip(state.variables["hand"], before.variables["hand"], strict=True)]
        after, third = (player + 1) % 3, (player + 2) % 3
        two = min(2, len(before.variables["stock"])) if name.endswith("two") else 0
        assert (more[player], more[after], more[third]) == (-1, two, 0)
        if not name.endswith("eight"):
            assert state.current_player == (third if name.endswith("queen") else after)


def test_all_spots_are_counted() -> None:
    rules = load("variants/hearts-spots")
    for index in range(100):
        state = rules.start(1, index)
        while not state.is_over:
            state.apply(state.random_action())
        assert sum(state.score) in (sum(range(2, 15)) + 25, 3 * 129)


def test_a_bet_of_two_with_thirteen_ranks() -> None:
    for before, _, state in positions(load("variants/kuhn-poker-thirteen"), 200):
        if state.is_over:
            (first,), (second,) = before.variables["hand"]
            won = 3 if state.outcome is not None and state.outcome.end == "called" else 1
            if state.variables["folded"] is None:
                assert state.score == ([won, -won] if int(first) > int(second) else [-won, won])
            assert sum(state.score) == 0


def test_a_suited_card_beats_a_higher_rank() -> None:
    order = ["jack", "queen", "king"]
    compared = 0
    for _, _, state in positions(load("variants/leduc-poker-suits"), 300):
        if state.is_over and state.variables["shown"]:
            rank, suit = state.variables["table_card"][0].split("-")
            hands = [hand[0].split("-") for hand in state.variables["hand"]]
            values = [(hand[0] == rank, hand[1] == suit, order.index(hand[0])) for hand in hands]
            # A pair is of the other suit, so the suit only counts without one.
            values = [(pair, suited and not pair, high if not pair else 0) for pair, suited, high in values]
            ahead = (values[0] > values[1]) - (values[0] < values[1])
            assert state.score == [ahead * state.variables["paid"][0], -ahead * state.variables["paid"][0]]
            compared += 1
    assert compared > 50


def test_any_hand_can_be_drawn_from() -> None:
    for before, _, _ in positions(load("variants/old-maid-choice", players=4), 10):
        others = [p for p, hand in enumerate(before.variables["hand"]) if hand and p != before.current_player]
        assert before.legal_names() == [f"draw player-{p + 1}" for p in others]


@pytest.mark.parametrize("players", [2, 4])
def test_hands_come_back_after_two_rounds(players: int) -> None:
    state = load("variants/orchard-to-and-fro", players=players).start(1)
    dealt = state.variables["hand"]
    for _ in range(2 * players):
        state.apply(state.random_action())
    for before, now in zip(dealt, state.variables["hand"], strict=True):
        assert sum(now.values()) == 5
        assert all(now[fruit] <= before[fruit] for fruit in before)


def test_a_game_of_go_fish_ends_with_an_empty_hand() -> None:
    for _, _, state in positions(load("variants/go-fish-out", players=3)):
        empty = any(sum(hand.values()) == 0 for hand in state.variables["hand"])
        assert state.is_over == empty
