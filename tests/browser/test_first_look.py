"""The first ten seconds: an empty folder, a game, and a number to change."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, expect
from workbench_page import Server, Workbench, workbench_in


def test_a_changed_number_is_seen_on_the_board_and_in_the_histogram(workbench: Callable[..., Workbench], folder: Path) -> None:
    desk = workbench()
    hint = desk.page.get_by_role("note")
    expect(hint).to_contain_text("Change a number")
    expect(desk.page.locator(".table .title")).to_have_text("My Di-Li-Do")
    assert "param size = 7" in desk.written()
    expect(desk.cells).to_have_count(7 * 7)
    # The number is selected, and the house rule is measured against its game by itself.
    desk.measured()
    bars = desk.page.locator(".histogram .bars.mine")
    before = bars.get_attribute("d")
    desk.page.keyboard.type("5")
    expect(desk.cells).to_have_count(5 * 5)
    expect(hint).to_have_count(0)
    expect(bars).not_to_have_attribute("d", str(before))
    desk.measured()
    assert list(folder.iterdir()) == []


def test_the_page_is_one_of_this_machine(workbench: Callable[..., Workbench]) -> None:
    desk = workbench()
    assert desk.page.url == desk.origin  # without the token
    assert desk.page.title() == "houserule workbench"
    assert desk.page.evaluate("performance.getEntriesByType('resource').map((entry) => new URL(entry.name).host)") != []


def test_who_has_begun_keeps_the_focus(serve: Callable[..., Server], browser: Browser) -> None:
    with workbench_in(browser, serve()) as desk:
        desk.page.goto(desk.server.address)
        desk.page.locator("h1").first.click()
        expect(desk.page.get_by_role("note")).to_contain_text("Change a number")
        desk.measured()
        expect(desk.text).not_to_be_focused()
        desk.page.keyboard.press("?")
        expect(desk.page.get_by_role("dialog", name="Keys")).to_be_visible()


def test_the_keys_are_listed(workbench: Callable[..., Workbench]) -> None:
    desk = workbench()
    expect(desk.text).to_be_focused()  # the number to change is selected
    desk.page.locator(".table .title").click()
    desk.page.keyboard.press("?")
    keys = desk.page.get_by_role("dialog", name="Keys")
    for words in ("save the text", "next pane", "rename in all files", "other dice"):
        expect(keys).to_contain_text(words)
    desk.page.keyboard.press("Escape")
    expect(keys).to_have_count(0)
    desk.page.get_by_role("button", name=re.compile("^Keys")).click()
    expect(keys).to_be_visible()
