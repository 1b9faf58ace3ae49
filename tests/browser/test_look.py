"""How the table looks and fits: the form of the drawing, the room for it, marks, cards that are picked, things that are drawn by a pointer."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect
from workbench_page import Workbench

Opened = Callable[..., Workbench]

SIZES = {"desk": (1280, 800), "laptop": (1024, 768), "tablet": (820, 1180), "phone": (390, 844)}


def opened(workbench: Opened, game: str, size: str, **options: object) -> Workbench:
    """A game at a screen size, with the table in front, and uncovered."""
    width, height = SIZES[size]
    desk = workbench(game, viewport={"width": width, "height": height}, **options)
    if width < 900:
        desk.page.get_by_role("navigation", name="Panes").get_by_role("button", name="Table").click()
    covers = desk.page.get_by_role("group", name="Hand-over").get_by_role("button")
    if covers.count():
        desk.click(covers)
    return desk


def test_the_drawing_follows_the_width_of_the_pane(workbench: Opened) -> None:
    narrow, wide = re.compile("^0 0 5\\d\\d "), re.compile("^0 0 (9|1\\d)\\d\\d ")
    desk = opened(workbench, "whist", "phone")
    drawing = desk.page.locator(".board > svg")
    expect(drawing).to_have_attribute("viewBox", narrow)
    desk.page.set_viewport_size({"width": 1280, "height": 800})
    expect(drawing).to_have_attribute("viewBox", wide)
    desk.page.set_viewport_size({"width": 390, "height": 844})
    expect(drawing).to_have_attribute("viewBox", narrow)
    desk.settle()
    # The next place, and a new game, have the form as well.
    for _ in range(2):
        if desk.can.count():
            desk.click(desk.can.first)
        expect(desk.page.get_by_role("group", name="Hand-over")).to_be_visible()
        desk.click(desk.page.get_by_role("group", name="Hand-over").get_by_role("button"))
        expect(drawing).to_have_attribute("viewBox", narrow)
        desk.button("New game").click()
        desk.click(desk.page.get_by_role("dialog").get_by_role("button", name="Begin"))


@pytest.mark.one_of(3)
@pytest.mark.parametrize("game", ["klondike", "whist", "chess", "points", "backgammon", "yacht"])
def test_nothing_scrolls_where_there_is_room(workbench: Opened, game: str) -> None:
    for size in ("desk", "laptop", "tablet"):
        desk = opened(workbench, game, size)
        assert scrolled(desk) == [], size
        board = desk.page.locator(".board > svg")
        expect(board).to_be_in_viewport(ratio=1)
        for one in desk.page.locator(".table .choices button, .table .timeline button:visible").all():
            expect(one).to_be_in_viewport(ratio=1)
        desk.page.context.close()


def scrolled(desk: Workbench) -> list[str]:
    """The parts of the table that would have to be scrolled, but for the lists of the score and the log."""
    found: list[str] = desk.page.evaluate(
        """() => [document.documentElement, ...document.querySelectorAll('.pane.table, .play, .spread, .board-side, .board, .table-side, .choices, .seats')]
          .filter((one) => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1)
          .map((one) => `${one.className}: ${one.scrollWidth} x ${one.scrollHeight} in ${one.clientWidth} x ${one.clientHeight}`)"""
    )
    return found


def test_the_table_has_the_page_for_itself(workbench: Opened) -> None:
    desk = opened(workbench, "klondike", "desk")
    width = "document.querySelector('.board').clientWidth"
    before = desk.page.evaluate(width)
    desk.button("The table alone").click()
    assert desk.page.evaluate(width) > 1.5 * before
    expect(desk.page.get_by_role("region", name="Rules", exact=True)).to_be_hidden()
    desk.page.locator(".table .title").click()
    desk.press("f")
    expect(desk.page.get_by_role("region", name="Rules", exact=True)).to_be_visible()
    # What leads to another pane shows it.
    desk.press("f")
    desk.page.keyboard.press("F6")
    expect(desk.page.get_by_role("region", name="Measure", exact=True)).to_be_visible()


def test_keys_begin_at_the_hand(workbench: Opened) -> None:
    desk = opened(workbench, "whist", "desk")
    things = desk.page.locator(".board [data-thing]")
    expect(things.first).to_have_attribute("data-thing", thing_of_a_card(desk))
    desk.text.focus()
    desk.press("F6")
    expect(desk.focused).to_have_attribute("data-thing", thing_of_a_card(desk))
    # What is picked first by L is the next card beside it.
    before = desk.focused.get_attribute("data-thing")
    desk.press("l")
    assert desk.focused.get_attribute("data-thing") != before
    assert str(desk.focused.get_attribute("data-thing")).startswith("card:")


def thing_of_a_card(desk: Workbench) -> str:
    return str(desk.page.locator(".board .card [data-thing]").first.get_attribute("data-thing"))


def lifted(card: Locator) -> float:
    """How far a card is lifted, in units of the drawing."""
    up: float = card.evaluate("(one) => -new DOMMatrix(getComputedStyle(one.parentElement).transform).f")
    return up


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_a_picked_card_lies_higher(workbench: Opened, motion: str) -> None:
    desk = opened(workbench, "cribbage", "desk", reduced_motion=motion)
    card = desk.page.locator(".board .card .can").first
    duration = card.evaluate("(one) => getComputedStyle(one.parentElement).transitionDuration")
    assert (duration == "0s") == (motion == "reduce")
    card.focus()
    desk.press("Enter")
    picked = desk.page.locator(".board .card .picked")
    expect(picked).to_have_count(1)
    desk.page.evaluate("Promise.allSettled(document.getAnimations().map((one) => one.finished))")
    assert lifted(picked) == 12
    desk.press("Escape")
    expect(picked).to_have_count(0)


def test_marks_do_not_hide_a_large_board(workbench: Opened) -> None:
    desk = opened(workbench, "points", "desk")
    desk.page.locator(".table .title").click()
    while desk.can.count() < 1000:
        desk.press("g")
    expect(desk.page.locator(".board .mark, .board [data-marked]")).to_have_count(0)
    # Of the places that were there before, the page keeps all but that one.
    desk.page.evaluate("() => { window.kept = [...document.querySelectorAll('.board [data-thing]')] }")
    desk.click(desk.can.nth(500))
    kept = desk.page.evaluate("window.kept.filter((one) => one.isConnected).length")
    assert desk.page.evaluate("window.kept.length") - 8 <= kept
    # Where few places can be chosen, each has a mark.
    desk = opened(workbench, "tic-tac-toe", "desk")
    expect(desk.page.locator(".board .mark")).to_have_count(9)
    desk.click(desk.can.first)
    expect(desk.page.locator(".board .mark")).to_have_count(8)


def middle(shape: Locator) -> tuple[float, float]:
    box = shape.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(desk: Workbench, shape: Locator, to: tuple[float, float]) -> None:
    desk.page.mouse.move(*middle(shape))
    desk.page.mouse.down()
    desk.page.mouse.move(*to, steps=5)
    desk.page.mouse.up()
    desk.settle()


def test_pieces_and_cards_are_drawn_from_place_to_place(workbench: Opened) -> None:
    desk = opened(workbench, "english-draughts", "desk")
    # Onto a place that can't be chosen, it goes back.
    piece = desk.can.first
    drag(desk, piece, middle(desk.cells.last))
    expect(desk.page.locator(".board .picked")).to_have_count(0)
    expect(desk.time).to_have_text("0/0")
    piece.click()
    onto = middle(desk.can.first)
    desk.page.keyboard.press("Escape")
    drag(desk, piece, onto)
    expect(desk.time).to_have_text("1/1")
    # A card that says the whole move is laid on the table.
    desk = opened(workbench, "whist", "desk")
    drag(desk, desk.can.first, middle(desk.page.locator(".board")))
    expect(desk.page.get_by_role("group", name="Hand-over")).to_be_visible()


def test_a_click_still_works_after_a_drag(workbench: Opened) -> None:
    desk = opened(workbench, "tic-tac-toe", "desk")
    x, y = middle(desk.place("a1"))
    drag(desk, desk.place("a1"), (x + 9, y))
    expect(desk.time).to_have_text("0/0")
    desk.click(desk.place("a1"))
    expect(desk.time).to_have_text("1/1")


def test_a_move_is_painted_once(workbench: Opened) -> None:
    desk = opened(workbench, "klondike", "desk")
    desk.page.locator(".table .title").click()
    desk.page.evaluate("() => { window.animated = 0; addEventListener('transitionrun', () => window.animated++) }")
    desk.press("g", "g", "g")
    # Each frame of a transition would paint the page again.
    assert desk.page.evaluate("window.animated") == 0
