"""The editor: messages, their fixes, help, definitions, new names, params, layout, what a house rule changes."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import WebSocketRoute, expect
from workbench_page import COMMAND, PATIENCE, TORUS, Workbench

RACE = 'game "Race" {\n  players 1\n  var points[player]: 0..9 = 0\n  turn { points[me] += 1 }\n  end goal when points[me] == 9\n}\n'


def test_a_message_has_the_words_of_check_and_is_mended_by_its_fix(torus: Workbench, folder: Path) -> None:
    torus.measured()
    torus.replace("size", "sise")
    underlined = torus.page.locator(".cm-lintRange-error")
    expect(underlined).to_have_text("sise")
    torus.tab("Messages").click()
    shown = torus.page.get_by_role("list", name="Messages").locator("li")
    expect(shown).to_have_count(1)
    wrong = folder / "wrong.rules"
    wrong.write_text(torus.written())
    told = subprocess.run([COMMAND, "check", "--json", str(wrong)], capture_output=True, text=True).stdout
    [message] = json.loads(told)["files"][0]["diagnostics"]
    for part in ("severity", "code", "message", "help"):
        expect(shown).to_contain_text(message[part])
    # Results of the rules before are old, and rules with errors can't be measured.
    expect(torus.page.locator(".measure .badge")).to_have_text("Old")
    expect(torus.button("Measure again")).to_be_disabled()
    shown.get_by_role("button", name="Write `size`").click()
    expect(underlined).to_have_count(0)
    assert torus.written() == TORUS
    torus.measured()


def test_questions_are_about_what_is_written_while_a_check_is_on_its_way(torus: Workbench) -> None:
    held: list[str] = []

    def between(page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def told(message: str | bytes) -> None:
            if typing and json.loads(message)["tell"] == "messages":
                held.append(str(message))
            else:
                page.send(message)

        server.on_message(told)

    typing = False
    torus.page.route_web_socket(re.compile("."), between)
    torus.reload()
    torus.page.mouse.click(*torus.point_at("penalty_limit"))
    torus.page.keyboard.press("End")
    typing = True
    torus.page.keyboard.type("\nparam jok")
    torus.page.get_by_role("option", name="jokersparam").click()
    assert held
    assert "  param penalty_limit = 4\n  param jokers\n" in torus.written()


def test_completion_comes_though_a_newer_text_took_the_place_of_the_question(torus: Workbench) -> None:
    replaced: list[int] = []
    routes: list[WebSocketRoute] = []

    def between(page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def asked(message: str | bytes) -> None:
            ask = json.loads(message)
            if ask["ask"] == "complete" and not replaced:
                replaced.append(ask["id"])
            else:
                server.send(message)

        page.on_message(asked)
        routes.append(page)

    torus.page.route_web_socket(re.compile("."), between)
    torus.reload()
    torus.page.mouse.click(*torus.point_at("penalty_limit"))
    torus.page.keyboard.press("End")
    torus.page.keyboard.type("\nparam jo")
    expect(torus.page.locator(".cm-line", has_text="param jo")).to_be_visible()
    for _ in range(PATIENCE // 10):
        if not replaced:
            torus.page.wait_for_timeout(10)
    torus.page.keyboard.type("k")
    routes[-1].send(json.dumps({"tell": "done", "id": replaced[0], "cancelled": True}))
    torus.page.get_by_role("option", name="jokersparam").click()
    assert "  param penalty_limit = 4\n  param jokers\n" in torus.written()


def test_a_fix_is_reached_without_a_mouse(torus: Workbench) -> None:
    torus.replace("size", "sise")
    expect(torus.page.locator(".first-message")).to_contain_text("`sise`")
    torus.page.keyboard.press("F8")
    torus.page.keyboard.press("Control+.")
    expect(torus.button("Write `size`")).to_be_focused()
    torus.page.keyboard.press("Enter")
    expect(torus.status).to_have_text("No messages")
    assert torus.written() == TORUS


def test_a_fix_stays_while_the_text_is_checked_again(torus: Workbench) -> None:
    held: list[tuple[WebSocketRoute, str]] = []
    holds = False

    def between(page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def told(message: str | bytes) -> None:
            tell = json.loads(message)
            if holds and tell["tell"] == "messages" and not tell["fixing"]:
                held.append((page, str(message)))
            else:
                page.send(message)

        server.on_message(told)

    torus.page.route_web_socket(re.compile("."), between)
    torus.reload()
    torus.replace("size", "sise")
    torus.tab("Messages").click()
    fix = torus.button("Write `size`")
    expect(fix).to_be_visible()
    holds = True
    torus.append(" It is a torus.")
    for _ in range(PATIENCE // 10):
        if not held:
            torus.page.wait_for_timeout(10)
    # The new places of the fix aren't known yet. Pressed now, it waits for them.
    assert held
    expect(fix).to_be_visible()
    fix.click()
    assert "sise" in torus.written()
    holds = False
    for page, message in held:
        page.send(message)
    expect(torus.status).to_have_text("No messages")
    assert "grid(size, size" in torus.written()


def test_rules_with_errors_keep_the_board(torus: Workbench) -> None:
    before = torus.page.locator(".board svg").inner_html()
    torus.append("nonsense")
    expect(torus.status).to_have_text("No messages")  # it is a comment
    torus.replace("variant", "varian")
    expect(torus.status).to_contain_text("error")
    assert torus.page.locator(".board svg").inner_html() == before
    torus.page.keyboard.type("t")
    expect(torus.status).to_have_text("No messages")


def test_help_completion_definition_and_uses(torus: Workbench) -> None:
    torus.page.mouse.move(*torus.point_at("grid"))
    help = torus.page.locator(".cm-tooltip .help")
    expect(help).to_contain_text("grid(")
    # The type that the checker has inferred.
    torus.page.mouse.move(*torus.point_at("cell"))
    expect(help).to_contain_text("board cell: ")
    torus.page.mouse.click(*torus.point_at("penalty_limit"))
    torus.page.keyboard.press("Shift+F1")
    expect(help).to_contain_text("penalty points that end a game")
    torus.page.keyboard.press("Escape")
    expect(help).to_have_count(0)
    torus.page.keyboard.press("End")
    torus.page.keyboard.press("Enter")
    torus.page.keyboard.type("param jok")
    torus.page.get_by_role("option", name="jokersparam").click()
    torus.page.keyboard.type(" = 2")
    assert "  param penalty_limit = 4\n  param jokers = 2\n" in torus.written()
    expect(torus.status).to_have_text("No messages")
    # What stands in a bundled game is shown there.
    torus.page.keyboard.press("ArrowLeft")
    torus.page.mouse.click(*torus.point_at("size"))
    torus.page.keyboard.press("F12")
    expect(torus.page.locator(".open-tab.active")).to_contain_text("dilido")
    expect(torus.text).to_have_attribute("aria-readonly", "true")
    assert torus.page.evaluate("getSelection().toString()") == "size"
    torus.page.keyboard.press("Shift+F12")
    uses = torus.page.get_by_role("list", name="Uses of size")
    expect(uses.get_by_role("button", name="torus.rules")).to_have_count(2)


def test_a_name_is_changed_in_all_files(workbench: Callable[..., Workbench], folder: Path) -> None:
    (folder / "race.rules").write_text(RACE)
    (folder / "long.rules").write_text('variant "Long" of "race.rules" {\n  new end far when points[me] == 8\n}\n')
    desk = workbench("long.rules")
    desk.page.mouse.click(*desk.point_at("points"))
    desk.page.keyboard.press("F2")
    name = desk.page.get_by_label("New name")
    name.fill("me")
    name.press("Enter")
    expect(desk.page.get_by_role("alert")).to_contain_text("can't be a name")
    name.fill("steps")
    name.press("Enter")
    expect(desk.page.get_by_role("dialog")).to_have_count(0)
    assert "when steps[me] == 8" in desk.written()
    desk.file_tab("race.rules").get_by_role("button").first.click()
    expect(desk.text).to_contain_text("var steps[player]")
    assert desk.written() == RACE.replace("points", "steps")
    expect(desk.status).to_have_text("No messages")
    # Nothing is written before it is saved.
    assert (folder / "race.rules").read_text() == RACE


def rename_points(desk: Workbench) -> None:
    """Renames `points` to `steps`, in all files."""
    desk.page.mouse.click(*desk.point_at("points"))
    desk.page.keyboard.press("F2")
    name = desk.page.get_by_label("New name")
    name.fill("steps")
    name.press("Enter")
    expect(desk.page.get_by_role("dialog")).to_have_count(0)


def test_a_name_is_changed_in_a_file_that_is_not_open_and_the_file_keeps_its_line_ends(
    workbench: Callable[..., Workbench], folder: Path
) -> None:
    (folder / "race.rules").write_text(RACE)
    long = '/// One.\r\n/// Two.\r\nvariant "Long" of "race.rules" {\r\n  new end far when points[me] == 8\r\n}\r\n'
    (folder / "long.rules").write_bytes(long.encode())
    desk = workbench("race.rules")
    rename_points(desk)
    desk.file_tab("long.rules").get_by_role("button").first.click()
    expect(desk.text).to_contain_text("new end far when steps[me] == 8")
    desk.button("Save").click()
    expect(desk.page.locator(".notice").last).to_have_text("long.rules is saved.")
    assert (folder / "long.rules").read_bytes() == long.replace("points", "steps").encode()


def test_a_name_is_changed_in_the_unsaved_text_of_a_file_that_another_page_has_open(
    workbench: Callable[..., Workbench], folder: Path
) -> None:
    (folder / "race.rules").write_text(RACE)
    long = '/// One.\nvariant "Long" of "race.rules" {\n  new end far when points[me] == 8\n}\n'
    (folder / "long.rules").write_text(long)
    desk = workbench("race.rules")
    other = Workbench(desk.page.context, desk.server)
    other.open()
    other.button("Files").click()
    other.page.get_by_label("Search files").fill("long")
    other.page.keyboard.press("Enter")
    expect(other.text).to_contain_text("One.")
    other.append(" More of points.")
    expect(other.page.locator(".open-tab.active .dirty")).to_be_visible()
    desk.page.bring_to_front()
    rename_points(desk)
    desk.file_tab("long.rules").get_by_role("button").first.click()
    expect(desk.text).to_contain_text("More of points.")
    assert desk.written() == long.replace("One.", "One. More of POINTS.").replace("points", "steps").replace("POINTS", "points")
    desk.file_tab("race.rules").get_by_role("button").first.click()
    expect(desk.text).to_contain_text("Race")
    assert desk.written() == RACE.replace("points", "steps")
    assert other.complaints == []


def test_a_slider_changes_the_text_or_is_set_beside_it(torus: Workbench) -> None:
    field = torus.page.get_by_label("penalty_limit", exact=False).and_(torus.page.get_by_role("spinbutton"))
    field.fill("6")
    field.press("Enter")
    expect(torus.text).to_contain_text("penalty_limit = 6")
    slider = torus.page.get_by_role("slider", name="penalty_limit, 1 to 20")
    slider.focus()
    torus.page.keyboard.press("ArrowRight")
    expect(torus.text).to_contain_text("penalty_limit = 7")
    # A value is shown at once: no answer of the service comes between two microtasks.
    shown = slider.evaluate("""async slider => {
      slider.value = "9"
      slider.dispatchEvent(new Event("input", { bubbles: true }))
      for (let turn = 0; turn < 50; turn++) await undefined
      return document.getElementById("param-penalty_limit").value
    }""")
    assert shown == "9"
    expect(torus.text).to_contain_text("penalty_limit = 9")
    # The size stands in another file, which can't be written.
    slider = torus.page.get_by_role("slider", name="size, 3 to 12")
    slider.focus()
    torus.page.keyboard.press("ArrowLeft")
    expect(torus.cells).to_have_count(5 * 5)
    expect(torus.page.locator(".set-bar")).to_contain_text("1 set beside the text")
    torus.button("Write into the text").click()
    expect(torus.page.locator(".set-bar")).to_have_count(0)
    assert "  param size = 5\n" in torus.written()


def test_what_the_house_rule_changes_is_told_and_the_layout_is_mended(torus: Workbench) -> None:
    torus.tab("What it changes").click()
    changes = torus.page.locator(".changes")
    expect(changes).to_contain_text("penalty_limit")
    expect(changes.locator(".added")).not_to_have_count(0)
    torus.replace("penalty_limit", "penalty_limit  ")
    torus.page.keyboard.press("Control+Shift+F")
    expect(torus.text).to_contain_text("param penalty_limit = 4")
    torus.tab("Outline").click()
    outline = torus.page.get_by_role("navigation", name="Outline")
    outline.get_by_role("button", name="penalty_limit").click()
    expect(torus.text).to_be_focused()
    assert torus.page.evaluate("getSelection().toString()") == "penalty_limit"


def test_escape_lets_tab_leave_the_editor(torus: Workbench) -> None:
    torus.text.focus()
    torus.page.keyboard.press("Tab")
    expect(torus.text).to_be_focused()
    torus.page.keyboard.press("Control+z")
    torus.page.keyboard.press("Escape")
    torus.page.keyboard.press("Tab")
    expect(torus.text).not_to_be_focused()
    assert torus.written() == TORUS
