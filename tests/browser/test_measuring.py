"""Measurements and reports: to their end, stopped, followed, marked as old."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Locator, expect
from workbench_page import Workbench


def games(desk: Workbench) -> Locator:
    return desk.page.locator(".measure").get_by_role("combobox", name="Games")


RACE = """game "Race" {
  players 1
  var points[player]: 0..14 = 0
  dice step: 1 of d6
  turn {
    roll step
    points[me] += sum(step)
  }
  end goal when points[me] >= 8
  score { steps: points[me] }
}
"""


def test_a_comparison_ends_with_its_sentences(torus: Workbench) -> None:
    torus.measured()
    sentences = torus.page.locator(".sentences")
    expect(sentences).to_contain_text("points higher")
    expect(torus.page.locator(".run-status")).to_contain_text("5,000 games of each are played. Players: random.")
    row = torus.page.get_by_role("row", name="score")
    expect(row).to_contain_text("±")
    expect(torus.page.get_by_role("img", name=re.compile("Di-Li-Do torus: .* on average"))).to_be_visible()
    # Another seed gives other figures, and the first seed the same ones again.
    first = row.inner_text()
    torus.page.get_by_role("spinbutton", name="Seed").fill("7")
    torus.page.keyboard.press("Enter")
    torus.measured()
    second = row.inner_text()
    torus.page.get_by_role("spinbutton", name="Seed").fill("1")
    torus.page.keyboard.press("Enter")
    torus.measured()
    assert row.inner_text() == first != second


def test_the_page_ends_with_its_panes(torus: Workbench) -> None:
    torus.measured()
    torus.page.get_by_role("row", name="score").hover()
    torus.page.mouse.wheel(0, 4000)
    torus.page.evaluate("document.documentElement.scrollTop = 4000")
    assert torus.page.evaluate("document.documentElement.scrollTop") == 0


def test_no_verdict_before_the_end_and_what_is_stopped_has_none(torus: Workbench) -> None:
    torus.measured()
    # Every state that the pane goes through is looked at.
    torus.page.evaluate(
        """() => {
             window.verdicts = [];
             const pane = document.querySelector('[data-pane="measure"]');
             new MutationObserver(() => {
               const status = pane.querySelector(".run-status").textContent;
               if (!status.includes("No verdict before the end")) return;
               window.verdicts.push(pane.querySelectorAll(".sentences, .differs, .final").length);
             }).observe(pane, { subtree: true, childList: true, characterData: true, attributes: true });
           }"""
    )
    games(torus).select_option("100,000")
    torus.button("Measure").click()
    status = torus.page.locator(".run-status")
    expect(status).to_contain_text("No verdict before the end")
    torus.button("Stop").click()
    expect(status).to_contain_text("Stopped after")
    expect(torus.page.locator(".sentences")).to_have_count(0)
    verdicts = torus.page.evaluate("window.verdicts")
    assert verdicts and set(verdicts) == {0}
    # The next one isn't held up by it.
    games(torus).select_option("500")
    torus.page.keyboard.press("Control+Enter")
    torus.measured()
    expect(status).to_contain_text("500 games of each are played")


def test_an_edit_makes_results_old_and_is_followed_if_wanted(torus: Workbench) -> None:
    torus.measured()
    follow = torus.page.get_by_role("checkbox", name="Follow")
    follow.uncheck()
    mine = torus.page.locator(".histogram .bars.mine")
    before = mine.get_attribute("d")
    torus.replace("4", "7")
    expect(torus.page.locator(".measure .badge")).to_have_text("Old")
    expect(torus.page.locator(".run-status")).to_contain_text("before your last change")
    assert mine.get_attribute("d") == before
    torus.button("Measure again").click()
    torus.measured()
    expect(mine).not_to_have_attribute("d", str(before))
    # The text as it was has the results that it had.
    follow.check()
    torus.replace("7", "4")
    expect(mine).to_have_attribute("d", str(before))
    torus.measured()


def test_rules_are_measured_against_others_and_by_other_players(torus: Workbench) -> None:
    torus.measured()
    games(torus).select_option("500")
    torus.page.get_by_label("Agents that play").fill("greedy")
    torus.page.keyboard.press("Enter")
    torus.measured()
    expect(torus.page.locator(".run-status")).to_contain_text("Players: greedy")
    torus.page.get_by_label("Against").select_option(label="nothing")
    torus.page.keyboard.press("Control+Enter")
    expect(torus.page.locator(".histogram .bars")).to_have_count(1)
    torus.measured()


def test_players_that_learn_are_trained_within_the_run(torus: Workbench) -> None:
    torus.measured()
    games(torus).select_option("500")
    # All that the status says is kept.
    torus.page.evaluate(
        """() => {
             window.said = [];
             const pane = document.querySelector('[data-pane="measure"]');
             new MutationObserver(() => window.said.push(pane.querySelector(".run-status")?.textContent))
               .observe(pane, { subtree: true, childList: true, characterData: true });
           }"""
    )
    torus.page.get_by_label("Agents that play").fill("learned:31,random")
    torus.page.keyboard.press("Enter")
    torus.measured()
    expect(torus.page.locator(".run-status")).to_contain_text("Players: random, learned:31")
    said = torus.page.evaluate("window.said")
    assert any(words and "Players learn each of the rules" in words for words in said)
    for name in ("random", "learned:31"):
        expect(torus.page.get_by_role("rowheader", name=name, exact=True)).to_be_visible()
        expect(torus.page.locator(".sentences")).to_contain_text(f"{name}: ")


def test_rules_outside_of_the_folder_are_compared_with_too(folder: Path, workbench: Callable[..., Workbench]) -> None:
    (folder.parent / "base.rules").write_text('variant "Outside" of "dilido" { param penalty_limit = 4 }\n')
    (folder / "mine.rules").write_text('variant "Mine" of "../base.rules" { param size = 6 }\n')
    desk = workbench()
    desk.measured()
    expect(desk.page.get_by_label("Against").locator("option:checked")).to_have_text("what it changes")
    expect(desk.page.get_by_role("img", name=re.compile("Outside: .* on average"))).to_be_visible()


def test_a_report_is_stopped_and_written(torus: Workbench) -> None:
    torus.measured()
    torus.tab("Report").click()
    torus.button("Write the report").click()
    torus.button("Stop").click()
    expect(torus.page.locator(".report .run-status")).to_have_text("Stopped.")
    # Another page can be made while it is; an edit makes it old.
    expect(torus.button("Write the report")).to_be_visible()


def test_a_report_is_shown_and_becomes_old(workbench: Callable[..., Workbench], folder: Path) -> None:
    (folder / "race.rules").write_text(RACE)
    desk = workbench("race.rules")
    desk.tab("Report").click()
    desk.button("Write the report").click()
    page = desk.page.frame_locator(".report iframe")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Race")
    badge = desk.page.locator(".report .badge")
    expect(badge).to_have_count(0)
    with desk.page.expect_popup() as alone:
        desk.page.get_by_role("link", name="Open it alone").click()
    expect(alone.value.get_by_role("heading", level=1)).to_contain_text("Race")
    desk.replace("8", "7")
    expect(badge).to_have_text("Old")
    desk.button("Write it again").click()
    expect(badge).to_have_count(0)
    expect(desk.button("Write it again")).to_be_visible()


def test_a_report_has_the_colours_of_the_page(workbench: Callable[..., Workbench], folder: Path) -> None:
    (folder / "race.rules").write_text(RACE)
    desk = workbench("race.rules", color_scheme="light")
    desk.tab("Report").click()
    desk.button("Write the report").click()
    body = desk.page.frame_locator(".report iframe").locator("body")
    expect(body).to_have_css("background-color", "rgb(253, 252, 249)")
    desk.page.get_by_role("button", name="Colours: as the system").click()
    desk.page.get_by_role("button", name="Colours: light").click()
    expect(body).to_have_css("background-color", "rgb(27, 29, 32)")
    expect(desk.page.get_by_role("link", name="Open it alone")).to_have_attribute("href", re.compile("theme=dark$"))
