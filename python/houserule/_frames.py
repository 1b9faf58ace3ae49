"""Render modes of environments: text, pixels or a window."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from houserule._native import State


LARGEST = 8192
"""The maximum width of a picture in pixels."""


class Frames:
    """Draws the states of one game in a render mode.

    All pictures of a game have the same size, so that they can be frames of a video.

    Parameters
    ----------
    mode
        ``"ansi"``, ``"rgb_array"``, ``"human"`` or None.
    width
        The width of the pictures in pixels, from 1 to 8192; by default that of the drawings.
    """

    MODES: ClassVar[list[str]] = ["ansi", "rgb_array", "human"]
    FPS: ClassVar[int] = 4

    def __init__(self, mode: str | None, width: int | None = None) -> None:
        if mode is not None and mode not in self.MODES:
            raise ValueError(f"render_mode must be one of {', '.join(map(repr, self.MODES))} or None, not {mode!r}")
        if width is not None and not 1 <= width <= LARGEST:
            raise ValueError(f"render_width must be from 1 to {LARGEST} pixels, not {width}")
        self.mode = mode
        self._width = width
        self._size: tuple[int, int] | None = None
        self._window: Any = None
        self._clock: Any = None

    def draw(self, state: State) -> str | NDArray[np.uint8] | None:
        """Returns the state as text, or as a uint8 array of shape (height, width, 3).

        Returns None in mode ``"human"``, after it has updated the window, and without a mode.
        """
        if self.mode is None:
            return None
        if self.mode == "ansi":
            return str(state)
        if self._size is None:
            self._size = _size(state, self._width)
        picture = state.rgb(*self._size)
        if self.mode == "rgb_array":
            return picture
        self._show(picture)
        return None

    def _show(self, picture: NDArray[np.uint8]) -> None:
        try:
            pygame = importlib.import_module("pygame")
        except ImportError as error:
            raise ImportError("render_mode='human' needs pygame: pip install pygame") from error
        if self._window is None:
            pygame.display.init()
            pygame.display.set_caption("houserule")
            self._window = pygame.display.set_mode((picture.shape[1], picture.shape[0]))
            self._clock = pygame.time.Clock()
        pygame.event.pump()
        pygame.surfarray.blit_array(self._window, picture.swapaxes(0, 1))
        pygame.display.flip()
        self._clock.tick(self.FPS)

    def close(self) -> None:
        """Closes the window, if one is open."""
        if self._window is not None:
            importlib.import_module("pygame").display.quit()
            self._window = self._clock = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_window": None, "_clock": None}


def _size(state: State, width: int | None) -> tuple[int, int]:
    """Returns the width and height, in pixels, that fit the drawings of a state and of later states. Without a width, the
    drawings keep theirs.

    Later drawings also show the last move.
    """
    states = [state, state.clone()]
    if not state.is_over:
        states[1].apply(state.legal_actions()[0])
    heights, widths, _ = zip(*(state.rgb().shape for state in states))
    if width is None:
        return max(widths), max(heights)
    return width, max(1, round(width * max(heights) / max(widths)))
