"""Who can use the page: names and roles, light and dark, a narrow screen, fingers, no mouse."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from workbench_page import TORUS, Workbench

Opened = Callable[..., Workbench]

# Whatever can be focused or pressed and has no name, and names that are there twice in one group.
NAMELESS = """() => [...document.querySelectorAll("button, input, select, [tabindex], [role=button]")].filter((one) => {
  if (!one.checkVisibility()) return false;
  const words = one.getAttribute("aria-label") || one.title || one.querySelector("title")?.textContent ||
    one.textContent.trim() || one.labels?.[0]?.textContent.trim();
  return !words;
}).map((one) => one.outerHTML.slice(0, 200))"""


@pytest.mark.one_of(2)
@pytest.mark.parametrize("game", ["dilido", "chess", "crazy-eights", "hex", "kalah"])
def test_all_that_can_be_pressed_has_a_name(workbench: Opened, game: str) -> None:
    desk = workbench(game)
    if desk.page.get_by_role("group", name="Hand-over").count():
        desk.click(desk.page.get_by_role("group", name="Hand-over").get_by_role("button"))
    names = desk.page.evaluate("[...document.querySelectorAll('.board [data-thing]')].map((one) => one.querySelector('title')?.textContent)")
    assert all(names) and len(set(names)) == len(names) > 3
    assert desk.page.evaluate(NAMELESS) == []
    expect(desk.page.locator(".board .can").first).to_have_role("button")
    for tab in ("Messages", "Outline", "Log", "Report", "Profile"):
        desk.tab(tab).click()
    assert desk.page.evaluate(NAMELESS) == []


def barriers(desk: Workbench) -> list[str]:
    """What axe-core finds that keeps people from using the page, once colours that change have done so."""
    desk.page.evaluate("Promise.allSettled(document.getAnimations().map((one) => one.finished))")
    found = Axe().run(desk.page).response["violations"]
    return [f"{one['id']}: {node['html']}\n{node['failureSummary']}" for one in found for node in one["nodes"]]


@pytest.mark.one_of(2)
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_axe_finds_no_barriers(workbench: Opened, folder: Path, colours: str) -> None:
    (folder / "torus.rules").write_text(TORUS)
    desk = workbench(color_scheme=colours)
    desk.measured()
    assert barriers(desk) == []
    for tab in ("What it changes", "Outline", "Log", "Report", "Profile"):
        desk.tab(tab).click()
        assert barriers(desk) == []
    desk.button("Profile").click()
    expect(desk.page.locator(".costs").first).to_be_visible()
    assert barriers(desk) == []
    desk.click(desk.can.first)
    desk.replace("size", "sise")
    desk.tab("Messages").click()
    expect(desk.button("Write `size`")).to_be_visible()
    assert barriers(desk) == []
    for dialog in ("Files", "Keys", "New game"):
        desk.button(dialog).click()
        expect(desk.page.get_by_role("dialog")).to_be_visible()
        assert barriers(desk) == []
        desk.page.keyboard.press("Escape")


@pytest.mark.one_of(2)
@pytest.mark.parametrize("game", ["chess", "crazy-eights", "backgammon", "klondike"])
def test_axe_finds_no_barriers_in_a_game(workbench: Opened, game: str) -> None:
    desk = workbench(game)
    assert barriers(desk) == []
    if desk.page.locator(".hand-over").count():
        desk.click(desk.page.locator(".hand-over button"))
        assert barriers(desk) == []


def test_parts_of_the_page_have_roles(torus: Workbench) -> None:
    for name in ("Rules", "Table", "Measure"):
        expect(torus.page.get_by_role("region", name=name, exact=True)).to_be_visible()
    expect(torus.page.get_by_role("group", name="Board")).to_be_visible()
    expect(torus.text).to_have_accessible_name("Text of torus.rules")
    expect(torus.heading).to_have_role("status")
    expect(torus.page.get_by_role("slider", name="Decision shown")).to_be_visible()
    # Arrow keys choose a tab.
    torus.tab("Params").focus()
    torus.page.keyboard.press("ArrowRight")
    expect(torus.tab("Messages")).to_be_focused()
    expect(torus.tab("Messages")).to_have_attribute("aria-selected", "true")


def lightness(desk: Workbench, where: str) -> float:
    """How light a background is, from 0 to 1."""
    script = """(where) => {
      const canvas = document.createElement("canvas").getContext("2d");
      canvas.fillStyle = getComputedStyle(document.querySelector(where)).backgroundColor;
      canvas.fillRect(0, 0, 1, 1);
      return canvas.getImageData(0, 0, 1, 1).data.slice(0, 3).reduce((sum, part) => sum + part, 0) / 765;
    }"""
    share: float = desk.page.evaluate(script, where)
    return share


def test_light_and_dark(workbench: Opened) -> None:
    desk = workbench("dilido", color_scheme="dark")
    assert lightness(desk, "body") < 0.3
    desk.page.emulate_media(color_scheme="light")
    assert lightness(desk, "body") > 0.8
    # The setting of the page wins, and a reload keeps it.
    desk.page.get_by_role("button", name="Colours: as the system").click()
    desk.page.get_by_role("button", name="Colours: light").click()
    expect(desk.page.get_by_role("button", name="Colours: dark")).to_be_visible()
    assert lightness(desk, "body") < 0.3
    desk.reload()
    assert lightness(desk, "body") < 0.3


def test_a_narrow_screen_has_tabs(workbench: Opened) -> None:
    desk = workbench("dilido", viewport={"width": 380, "height": 780}, has_touch=True)
    panes = desk.page.get_by_role("navigation", name="Panes")
    for name in ("Table", "Measure", "Rules"):
        panes.get_by_role("button", name=name).tap()
        expect(desk.page.get_by_role("region", name=name, exact=True)).to_be_visible()
        expect(desk.page.locator("[data-pane]:visible")).to_have_count(1)
        assert desk.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    panes.get_by_role("button", name="Table").tap()
    desk.can.first.tap()
    desk.settle()
    expect(desk.time).not_to_have_text("0/0")
    for name in ("Undo", "A decision back", "Other dice"):
        expect(desk.page.get_by_role("button", name=name, exact=True)).to_be_in_viewport(ratio=1)
