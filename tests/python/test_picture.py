"""Drawings as pixels."""

from __future__ import annotations

import bundled
import houserule as hr
import numpy as np
import pytest
from numpy.typing import NDArray


def rgb(state: hr.State, *size: int | None, **options: int | bool) -> NDArray[np.uint8]:
    return state.rgb(*size, **options)


# Nothing but letters changes from one of these to another.
TITLED = """
game "TITLE" {
  players 1
  turn { step go { choose go { on "go on" { } } } }
  end never when false
}
"""


def start(title: str) -> hr.State:
    return hr.parse(TITLED.replace("TITLE", title)).start()


@pytest.mark.one_of(8)
@pytest.mark.parametrize("name", bundled.NAMES)
def test_every_game_has_pictures(name: str) -> None:
    picture = rgb(bundled.load(name).start(1))
    assert picture.dtype == np.uint8
    assert picture.ndim == 3
    assert picture.shape[2] == 3
    # Paper, and much upon it.
    colours = picture.astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], np.uint32)
    assert len(np.unique(colours)) > 20


def test_sizes() -> None:
    state = hr.load("connect-four").start()
    height, width, _ = rgb(state).shape
    assert rgb(state, 2 * width).shape == (2 * height, 2 * width, 3)
    assert rgb(state, height=100).shape[0] == 100
    assert rgb(state, 300, 200).shape == (200, 300, 3)
    assert rgb(state, 1, 1).shape == (1, 1, 3)
    for wrong in (0, 8193):
        with pytest.raises(ValueError, match="8192"):
            rgb(state, wrong)


def test_a_fitted_drawing_is_all_there() -> None:
    state = hr.load("connect-four").start()
    wide = rgb(state, 800, 200)
    # White on both sides, and the drawing between them.
    assert (wide[:, :20] == 255).all()
    assert (wide[:, -20:] == 255).all()
    assert (wide[:, 300:500] < 200).any()


def test_letters_are_drawn_without_fonts() -> None:
    pictures = [rgb(start(title)) for title in ("Alpha", "Omega", "Ωμέγα", "漢字")]
    for place, picture in enumerate(pictures):
        for other in pictures[:place]:
            assert picture.shape != other.shape or not np.array_equal(picture, other)
    escaped = rgb(start("a < b & c > d"))
    assert not np.array_equal(escaped, rgb(start("a   b   c   d")))


def test_dark_is_dark() -> None:
    state = hr.load("dilido").start(2)
    assert rgb(state).mean() > 180
    assert rgb(state, dark=True).mean() < 80


def test_the_same_state_has_the_same_picture() -> None:
    game = hr.load("dicrono")
    assert np.array_equal(rgb(game.start(3)), rgb(game.start(3)))
