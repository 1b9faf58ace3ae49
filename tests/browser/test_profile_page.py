"""Where the time goes: bars beside the lines, lists that jump, results that become old."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect
from workbench_page import Workbench

Opened = Callable[..., Workbench]

# The sum in line 7 is what takes the time.
SUMS = """game "Sums" {
  players 2
  domain card = 1..40
  zone deck of card
  zone hand[player] of card
  var points[player]: 0..9999 = 0
  define strength(p) = sum c in hand[p]: max d in hand[p]: (c * d) % 17
  setup { deal 8 from deck to hand }
  turn {
    step play "Take back a card that is not too strong." {
      choose {
        back c in hand[me] where strength(me) > 0 and strength(me) + c > 3 { move c to deck }
      }
      if strength(me) > 0 { points[me] += strength(me) % 7 }
    }
  }
  end empty when any p in player: hand[p] is nothing
  score { points: points[me] }
}
"""
DEAREST = "define strength"


@pytest.fixture
def sums(folder: Path, workbench: Opened) -> Workbench:
    (folder / "sums.rules").write_text(SUMS)
    return workbench("sums.rules")


def panel(desk: Workbench) -> Locator:
    return desk.page.locator(".profile")


def status(desk: Workbench) -> Locator:
    return panel(desk).get_by_role("status")


def bars(desk: Workbench) -> Locator:
    return desk.page.locator(".share-bar")


def profile(desk: Workbench) -> None:
    """Profiles the rules, and waits for the result."""
    desk.tab("Profile").click()
    desk.page.locator(".profile .button").first.click()
    expect(status(desk)).to_contain_text("between random players")


def shares(desk: Workbench) -> dict[str, float]:
    """The share that stands beside each line, by the line's text."""
    beside: dict[str, str] = desk.page.evaluate(
        """() => {
             const lines = [...document.querySelectorAll(".cm-line")].map((line) => [line.getBoundingClientRect(), line.textContent.trim()]);
             return Object.fromEntries([...document.querySelectorAll(".share-bar")].map((bar) => {
               const box = bar.getBoundingClientRect();
               const middle = box.y + Math.min(box.height, 14) / 2;
               const [, text] = lines.find(([line]) => line.y <= middle && middle < line.bottom);
               return [text, bar.querySelector("span").textContent];
             }));
           }"""
    )
    return {text: float(share.removesuffix(" %").removeprefix("<")) for text, share in beside.items()}


def test_each_line_has_its_share_beside_it(sums: Workbench) -> None:
    expect(bars(sums)).to_have_count(0)
    sums.tab("Profile").click()
    expect(status(sums)).to_contain_text("Where does the time go?")
    profile(sums)
    beside = shares(sums)
    dearest = max(beside, key=lambda text: beside[text])
    assert dearest.startswith(DEAREST) and beside[dearest] > 20, beside
    assert 90 < sum(beside.values()) < 110, beside
    tip = bars(sums).filter(has_text=f"{beside[dearest]:.0f} %").first.get_attribute("title")
    assert tip and "times a decision" in tip and "compute again" in tip and "max d in hand[p]" in tip, tip
    # The widest bar is that of the greatest share.
    widths = sums.page.evaluate("[...document.querySelectorAll('.share-bar i')].map((bar) => bar.getBoundingClientRect().width)")
    assert max(widths) > 40 and min(widths) < 20, widths
    sums.button("Hide").click()
    expect(bars(sums)).to_have_count(0)
    expect(sums.button("Profile")).to_be_visible()


def test_parts_and_lines_are_listed_and_lead_to_their_places(sums: Workbench) -> None:
    profile(sums)
    parts = panel(sums).get_by_role("table", name="Parts, with all that they use")
    row = parts.get_by_role("row").filter(has_text="strength")
    expect(row.get_by_role("rowheader")).to_have_text("define strength")
    expect(row.get_by_role("cell")).to_have_text([re.compile(r"^\d+\.\d %$")] * 2 + [re.compile(r"^[\d.]+$"), re.compile("%$")])
    row.get_by_role("button", name="define strength").click()
    expect(sums.text).to_be_focused()
    assert sums.page.evaluate("getSelection().toString()") == "strength"
    # What the line at the cursor costs, and the expressions on it.
    here = panel(sums).get_by_role("region", name="Line at the cursor")
    expect(here).to_contain_text("Line 7")
    expect(here).to_contain_text("times a decision")
    here.get_by_role("button", name="max d in hand[p]: (c * d) % 17", exact=True).click()
    assert sums.page.evaluate("getSelection().toString()") == "max d in hand[p]: (c * d) % 17"
    lines = panel(sums).get_by_role("table", name="Lines, without what they use from others")
    first = lines.get_by_role("row").nth(1)
    expect(first).to_contain_text(DEAREST)
    # Which line is the last of the list depends on measured times.
    last = lines.get_by_role("button").last
    number = last.inner_text()
    last.click()
    expect(sums.page.locator(".status-line .number")).to_have_text(re.compile(f"^{number}:"))
    # A bar leads to the line and opens the panel.
    sums.tab("Messages").click()
    bars(sums).nth(0).click()
    expect(sums.tab("Profile")).to_have_attribute("aria-selected", "true")
    expect(here).to_be_visible()


def test_an_edit_makes_a_profile_old_and_its_bars_stay_beside_their_lines(sums: Workbench) -> None:
    profile(sums)
    before = shares(sums)
    sums.page.mouse.click(*sums.point_at("domain"))
    sums.page.keyboard.press("Home")
    sums.page.keyboard.type("// Cards.\n")
    expect(panel(sums).locator(".badge")).to_have_text("Old")
    expect(sums.page.locator(".old-bars")).to_have_count(1)
    assert shares(sums) == before
    expect(panel(sums).get_by_role("region", name="Line at the cursor")).to_have_count(0)
    expect(sums.status).to_have_text("No messages")
    profile(sums)
    expect(panel(sums).locator(".badge")).to_have_count(0)
    expect(sums.page.locator(".old-bars")).to_have_count(0)
    assert any(text.startswith(DEAREST) for text in shares(sums))
    # Its text is the one that was profiled, so what stands beside it is of the line after the new one.
    panel(sums).get_by_role("button", name="define strength").click()
    expect(panel(sums).get_by_role("region", name="Line at the cursor")).to_contain_text("Line 8")


def test_a_profile_is_stopped_by_its_button_and_by_an_edit(workbench: Opened, folder: Path) -> None:
    (folder / "long.rules").write_text('variant "Long" of "chess" {\n}\n')
    desk = workbench("long.rules")
    # Few games, at the latest when chess is measured again: 5,000 take seconds.
    desk.page.locator(".measure").get_by_role("combobox", name="Games").select_option("500")
    desk.measured()
    desk.tab("Profile").click()
    desk.button("Profile").click()
    expect(panel(desk).get_by_role("progressbar", name="Progress of the profile")).to_be_visible()
    panel(desk).get_by_role("button", name="Stop").click()
    expect(status(desk)).to_have_text("Stopped.")
    expect(bars(desk)).to_have_count(0)
    desk.button("Profile").click()
    expect(panel(desk).get_by_role("button", name="Stop")).to_be_visible()
    desk.append(" // More.")
    expect(status(desk)).to_have_text("Stopped, because the rules have changed.")
    # What the first one would have told never comes.
    desk.measured()
    expect(bars(desk)).to_have_count(0)
    expect(panel(desk).get_by_role("table")).to_have_count(0)


def test_rules_that_a_variant_stands_on_have_bars_too(torus: Workbench) -> None:
    torus.measured()
    profile(torus)
    expect(panel(torus)).to_contain_text("Parts, with all that they use")
    panel(torus).get_by_role("table", name=re.compile("Parts")).get_by_role("button", name="step place").click()
    expect(torus.page.locator(".open-tab.active")).to_contain_text("dilido")
    assert torus.page.evaluate("getSelection().toString()") == "place"
    # To open the other file changes nothing.
    assert max(shares(torus).values()) > 10
    expect(torus.page.locator(".old-bars")).to_have_count(0)
    expect(status(torus)).to_have_text("This profile is of torus.rules.")


def test_what_can_t_be_profiled_or_tells_little_is_said(workbench: Opened, folder: Path) -> None:
    rolls = """game "Rolls" {
  players 1
  dice die: 1 of d6
  var times: 0..3 = 0
  turn { roll die times += 1 }
  end enough when times == 3
}
"""
    (folder / "rolls.rules").write_text(rolls)
    desk = workbench("rolls.rules")
    profile(desk)
    expect(panel(desk).locator(".wrong")).to_have_text(
        "Nobody decided anything: times and instructions are those of all games together."
    )
    desk.button("Hide").click()
    desk.replace("enough", "enough whenever")
    expect(desk.status).to_contain_text("error")
    expect(status(desk)).to_have_text("The rules have errors. Mend them, then see where their time goes.")
    expect(desk.button("Profile")).to_be_disabled()


def test_a_profile_needs_no_mouse(sums: Workbench) -> None:
    sums.tab("Params").focus()
    for _ in range(4):
        sums.page.keyboard.press("ArrowRight")
    expect(sums.tab("Profile")).to_be_focused()
    sums.page.keyboard.press("Tab")
    expect(sums.button("Profile")).to_be_focused()
    sums.page.keyboard.press("Enter")
    expect(status(sums)).to_contain_text("between random players")
    expect(sums.button("Profile again")).to_be_focused()
    # The cursor leads through the costs of the lines.
    sums.text.focus()
    sums.page.keyboard.press("Control+Home")
    for _ in range(6):
        sums.page.keyboard.press("ArrowDown")
    expect(panel(sums).get_by_role("region", name="Line at the cursor")).to_contain_text("Line 7")
