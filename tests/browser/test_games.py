"""Bundled games of all kinds are clicked through at random: grids, hexagons, graphs, hands, dice, stacks, hidden choices."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest
from extent import tries
from playwright.sync_api import expect
from workbench_page import Workbench

GAMES = ["hex", "nine-mens-morris", "backgammon", "go-fish", "liars-dice", "battleship", "klondike", "lasca", "dominoes", "points", "chess", "yacht"]
CLICKS = tries(8, 15)
# What covers the table between two persons, or waits to be covered.
COVER = ".hand-over button, .first-differs button"


@pytest.mark.one_of(2)
@pytest.mark.parametrize("game", GAMES)
def test_random_clicks(workbench: Callable[..., Workbench], game: str) -> None:
    desk = workbench(game)
    chosen = random.Random(game)
    for clicked in range(CLICKS):
        if not (ways := clicks(desk)):
            # Only the end of a game leaves nothing to click.
            expect(desk.heading).to_contain_text(re.compile("over|It ended by"))
            assert clicked > 0
            break
        way = chosen.choice(ways)
        desk.click(desk.page.locator(way[0]).nth(way[1]))
    expect(desk.page.locator(".notice.error")).to_have_count(0)
    while covers := desk.page.locator(COVER).all():
        desk.click(covers[0])
    assert desk.at() != "0/0"


def clicks(desk: Workbench) -> list[tuple[str, int]]:
    """What can be clicked to go on: a selector and which of those that it finds."""
    if count := desk.page.locator(COVER).count():
        return [(COVER, at) for at in range(count)]
    on_board = ".board .can:not(.picked)"
    named = ".choices .moves button, .choices .option:not([aria-pressed=true])"
    return [(selector, at) for selector in (on_board, named) for at in range(desk.page.locator(selector).count())]
