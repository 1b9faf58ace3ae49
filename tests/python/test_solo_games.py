"""Games for one player: along random games the same as small engines written from their description, and
what is known of them."""

from __future__ import annotations

import houserule as hr
import numpy as np
import pytest
from extent import tries
from rule_files import load

# Peg solitaire: a position is a number with a bit for each hole that has a peg.
HOLES = [(x, y) for y in range(1, 8) for x in range(1, 8) if 3 <= x <= 5 or 3 <= y <= 5]
WAYS = {"up": (0, 1), "right": (1, 0), "down": (0, -1), "left": (-1, 0)}
JUMPS = {
    f"jump {way} {'abcdefg'[x - 1]}{y}": tuple(1 << HOLES.index((x + n * dx, y + n * dy)) for n in range(3))
    for x, y in HOLES
    for way, (dx, dy) in WAYS.items()
    if (x + 2 * dx, y + 2 * dy) in HOLES
}
CENTRE = 1 << HOLES.index((4, 4))
FULL = (1 << len(HOLES)) - 1
TURNED = [HOLES.index((8 - y, x)) for x, y in HOLES]
MIRRORED = [HOLES.index((8 - x, y)) for x, y in HOLES]


def jumps(pegs: int) -> dict[str, int]:
    """What can be played, and the pegs after it."""
    return {name: pegs ^ (a | b | c) for name, (a, b, c) in JUMPS.items() if pegs & a and pegs & b and not pegs & c}


def moved(pegs: int, holes: list[int]) -> int:
    return sum(1 << to for number, to in enumerate(holes) if pegs >> number & 1)


def least(pegs: int) -> int:
    """The same for all turns and mirror images of a position."""
    images = []
    for image in (pegs, moved(pegs, MIRRORED)):
        for _ in range(4):
            images.append(image)
            image = moved(image, TURNED)
    return min(images)


def pegs_of(state: hr.State) -> int:
    return sum(1 << HOLES.index(("abcdefg".index(at[0]) + 1, int(at[1:]))) for at in state.variables["peg"])


def test_pegs_jump_as_described() -> None:
    solitaire = load("solo/peg-solitaire")
    for index in range(tries(60, 300)):
        state, pegs = solitaire.start(1, index), FULL - CENTRE
        while not state.is_over:
            assert pegs_of(state) == pegs
            after = jumps(pegs)
            assert sorted(state.legal_names()) == sorted(after)
            name = state.action_name(state.random_action())
            pegs = after[name]
            state.apply(name)
        assert state.score == [pegs.bit_count()]
        assert pegs.bit_count() == 1 or not jumps(pegs)
        assert state.outcome is not None and state.outcome.end == ("single" if pegs.bit_count() == 1 else "stuck")


def test_as_many_positions_are_reached_as_bell_counted() -> None:
    """George Bell's counts of positions after n jumps, images counted once: OEIS A112737."""
    level = {least(FULL - CENTRE): load("solo/peg-solitaire").start(1)}
    counts = [len(level)]
    for _ in range(tries(6, 7)):
        following: dict[int, hr.State] = {}
        for state in level.values():
            for action in state.legal_actions():
                child = state.clone()
                child.apply(action)
                following.setdefault(least(pegs_of(child)), child)
        level = following
        counts.append(len(level))
    assert counts == [1, 1, 2, 8, 39, 171, 719, 2757][: len(counts)]


def solution(pegs: int, lost: set[int], path: list[str]) -> bool:
    """Finds jumps that leave one peg in the centre."""
    if pegs == CENTRE:
        return True
    key = least(pegs)
    if key in lost:
        return False
    lost.add(key)
    for name, after in jumps(pegs).items():
        path.append(name)
        if solution(after, lost, path):
            return True
        path.pop()
    return False


def test_the_central_game_can_be_won() -> None:
    path: list[str] = []
    assert solution(FULL - CENTRE, set(), path)
    assert len(path) == 31
    state = load("solo/peg-solitaire").start(1)
    for name in path:
        state.apply(name)
    assert state.outcome is not None and state.outcome.end == "central"
    assert state.score == [1]


def test_any_hole_can_be_the_first() -> None:
    state = load("solo/peg-solitaire", vacant="any_hole").start(1)
    assert len(state.legal_names()) == 33
    state.apply("vacate c1")
    assert sorted(state.legal_names()) == sorted(jumps(FULL - (1 << HOLES.index((3, 1)))))


# Lights out: a pattern is a number with a bit for each button.
def lit(state: hr.State) -> int:
    return sum(1 << 5 * (int(at[1:]) - 1) + "abcde".index(at[0]) for at in state.variables["light"])


def fields() -> list[int]:
    """What each button switches."""
    state = load("solo/lights-out").start(1)
    found = []
    for action in range(25):
        pressed = state.clone()
        pressed.apply(f"press {'abcde'[action % 5]}{action // 5 + 1}")
        found.append(lit(state) ^ lit(pressed))
    return found


def test_a_button_switches_those_beside_it() -> None:
    for n, field in enumerate(fields()):
        x, y = n % 5, n // 5
        assert field == sum(1 << 5 * b + a for a in range(5) for b in range(5) if abs(a - x) + abs(b - y) <= 1)


def quiet_sets(switches: list[int]) -> list[int]:
    """A basis of the sets of buttons that switch nothing, each with a highest button of its own."""
    rows: dict[int, tuple[int, int]] = {}
    quiet: list[int] = []
    for n, field in enumerate(switches):
        pressed = 1 << n
        while field and field.bit_length() in rows:
            other, others = rows[field.bit_length()]
            field, pressed = field ^ other, pressed ^ others
        if field:
            rows[field.bit_length()] = (field, pressed)
        else:
            quiet.append(pressed)
    return quiet


def test_lights_out_is_as_anderson_and_feil_found() -> None:
    """A quarter of all patterns can be put out, and four sets of buttons switch nothing (M. Anderson, T. Feil,
    Mathematics Magazine 71, 1998). 7350 patterns need fifteen presses, and none needs more (J. Scherphuis)."""
    first, second = quiet_sets(fields())
    # Each pattern is switched by four sets of buttons, one of which is without the highest buttons of the two.
    sets: np.ndarray = np.arange(1 << 23, dtype=np.uint32)
    for bit in sorted(number.bit_length() - 1 for number in (first, second)):
        sets = sets >> bit << bit + 1 | sets & np.uint32((1 << bit) - 1)
    assert first.bit_length() != second.bit_length()
    fewest = np.min([np.bitwise_count(sets ^ np.uint32(q)) for q in (0, first, second, first ^ second)], axis=0)
    assert fewest.max() == 15
    assert np.count_nonzero(fewest == 15) == 7350


def test_lights_out_starts_with_buttons_pressed_and_ends_in_the_dark() -> None:
    switches, game = fields(), load("solo/lights-out", mixed=1)
    for index in range(40):
        state = game.start(3, index)
        button = switches.index(lit(state))
        state.apply(f"press {'abcde'[(button + 1) % 5]}1")
        assert state.score == [0] and not state.is_over
        state.apply(f"press {'abcde'[(button + 1) % 5]}1")
        state.apply(f"press {'abcde'[button % 5]}{button // 5 + 1}")
        assert state.outcome is not None and state.outcome.end == "dark"
        assert state.score == [1 + 25 - 3]


@pytest.mark.parametrize("mixed", [2, 25])
def test_lights_out_never_starts_in_the_dark(mixed: int) -> None:
    game = load("solo/lights-out", mixed=mixed)
    assert all(lit(game.start(1, index)) for index in range(100))
