"""Files and drafts: what is saved, what others write, and what a reload or the end of the server leaves."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Error, expect
from workbench_page import PATIENCE, TORUS, Server, Workbench, chromium, workbench_in

CHANGED = TORUS.replace("continues", "goes on")


def unsaved(desk: Workbench, words: str = " Mine.") -> None:
    desk.append(words)
    expect(desk.page.locator(".open-tab.active .dirty")).to_be_visible()


def test_save_writes_the_file_and_nothing_else_does(torus: Workbench, folder: Path) -> None:
    file = folder / "torus.rules"
    unsaved(torus)
    assert file.read_text() == TORUS
    torus.page.keyboard.press("Control+s")
    expect(torus.page.locator(".notice")).to_have_text("torus.rules is saved.")
    expect(torus.page.locator(".dirty")).to_have_count(0)
    assert file.read_text() == TORUS.replace("edges.", "edges. Mine.", 1)
    expect(torus.button("Save")).to_be_disabled()
    assert [path.name for path in folder.iterdir()] == ["torus.rules"]


def test_a_new_house_rule_is_saved_under_a_name(workbench: Callable[..., Workbench], folder: Path) -> None:
    desk = workbench("breakthrough")
    expect(desk.text).to_have_attribute("aria-readonly", "true")
    desk.button("Make a house rule of it").click()
    expect(desk.text).to_have_attribute("aria-readonly", "false")
    desk.page.keyboard.press("Control+s")
    dialog = desk.page.get_by_role("dialog", name="Save as a new file")
    dialog.get_by_label("Name of the file").fill("mine")
    desk.page.keyboard.press("Enter")
    expect(desk.page.locator(".dirty")).to_have_count(0)
    assert 'variant "My Breakthrough" of "breakthrough"' in (folder / "mine.rules").read_text()
    expect(desk.file_tab("mine.rules")).to_be_visible()


def test_a_text_without_changes_follows_its_file(torus: Workbench, folder: Path) -> None:
    (folder / "torus.rules").write_text(CHANGED)
    expect(torus.text).to_contain_text("goes on")
    expect(torus.page.locator(".dirty, .conflict")).to_have_count(0)
    # Undo brings the old text back.
    torus.text.focus()
    torus.page.keyboard.press("Control+z")
    expect(torus.text).to_contain_text("continues")
    # The other files of the folder are those that are there.
    (folder / "more.rules").write_text(TORUS.replace("torus", "more"))
    torus.button("Files").click()
    expect(torus.button("Di-Li-Do more", exact=False).first).to_be_visible()


def conflict(desk: Workbench, folder: Path) -> None:
    unsaved(desk)
    (folder / "torus.rules").write_text(CHANGED)
    expect(desk.page.get_by_role("alert").filter(has_text="changed on disk")).to_be_visible()


def test_a_text_with_changes_asks_and_mine_is_kept(torus: Workbench, folder: Path) -> None:
    conflict(torus, folder)
    torus.button("Show both").click()
    diff = torus.page.locator(".conflict .diff")
    expect(diff.locator(".removed")).to_contain_text("goes on")
    expect(diff.locator(".added")).to_contain_text("Mine.")
    # Nothing is written while it isn't answered.
    torus.page.keyboard.press("Control+s")
    expect(torus.page.locator(".notice.error")).to_contain_text("Choose above the text")
    assert (folder / "torus.rules").read_text() == CHANGED
    torus.button("Keep mine").click()
    torus.button("Save").click()
    expect(torus.page.locator(".dirty")).to_have_count(0)
    assert "Mine." in (folder / "torus.rules").read_text()


def test_a_text_with_changes_asks_and_the_files_is_taken(torus: Workbench, folder: Path) -> None:
    conflict(torus, folder)
    torus.button("Take the file's").click()
    expect(torus.page.locator(".conflict, .dirty")).to_have_count(0)
    assert torus.written() == CHANGED
    torus.text.focus()
    torus.page.keyboard.press("Control+z")
    expect(torus.text).to_contain_text("Mine.")


def test_a_file_that_is_gone_keeps_its_text(torus: Workbench, folder: Path) -> None:
    unsaved(torus)
    (folder / "torus.rules").unlink()
    expect(torus.page.get_by_role("alert").filter(has_text="is gone")).to_be_visible()
    torus.button("Keep mine").click()
    torus.page.keyboard.press("Control+s")
    dialog = torus.page.get_by_role("dialog", name="Save as a new file")
    dialog.get_by_role("button", name="Save").click()
    expect(torus.page.locator(".dirty")).to_have_count(0)
    assert "Mine." in (folder / "torus.rules").read_text()


def test_a_reload_keeps_the_unsaved_text_and_the_game(torus: Workbench, folder: Path) -> None:
    torus.page.locator(".table .title").click()
    torus.press(*"ggg")
    unsaved(torus)
    played, end = torus.shown(), torus.at()
    torus.reload()
    expect(torus.text).to_contain_text("Mine.")
    expect(torus.page.locator(".open-tab.active .dirty")).to_be_visible()
    expect(torus.time).to_have_text(end)
    assert torus.shown() == played
    assert (folder / "torus.rules").read_text() == TORUS


def test_a_killed_server_is_started_again(torus: Workbench, folder: Path, serve: Callable[..., Server]) -> None:
    torus.page.locator(".table .title").click()
    torus.press(*"ggg")
    unsaved(torus)
    played, end = torus.shown(), torus.at()
    torus.server.end(signal.SIGKILL)
    expect(torus.page.locator(".connection")).to_contain_text("The connection is lost")
    # Writing goes on.
    torus.append(" Alone.")
    server = serve()
    assert server.address.partition("#")[0] == torus.origin
    # The new one doesn't know the page before its address is opened.
    expect(torus.page.locator(".connection")).to_contain_text("not known to the server")
    torus.server = server
    torus.page.goto(server.address)
    expect(torus.page.locator(".connection")).to_be_empty()
    torus.ready()
    expect(torus.text).to_contain_text("Mine. Alone.")
    expect(torus.time).to_have_text(end)
    assert torus.shown() == played
    torus.page.keyboard.press("Control+s")
    expect(torus.page.locator(".dirty")).to_have_count(0)
    assert "Mine. Alone." in (folder / "torus.rules").read_text()
    # What the browser says of the time without a server.
    lost = [words for words in torus.complaints if re.search("WebSocket connection to .* failed", words)]
    assert lost == torus.complaints
    torus.complaints.clear()


def test_a_killed_browser_is_started_again(
    tmp_path: Path, folder: Path, serve: Callable[..., Server], browser: Browser
) -> None:
    (folder / "torus.rules").write_text(TORUS)
    server, kept = serve(), tmp_path / "kept"
    program = browser.browser_type

    def start() -> tuple[BrowserContext, Workbench]:
        context = program.launch_persistent_context(kept, executable_path=chromium())
        context.set_default_timeout(PATIENCE)
        desk = Workbench(context, server)
        desk.open()
        return context, desk

    context, desk = start()
    unsaved(desk)
    # What is written to disk is what survives: the browser does so by itself, within seconds.
    desk.page.wait_for_timeout(5_000)
    os.kill(first_process(kept), signal.SIGKILL)
    with suppress(Error):
        context.close()
    # The lock that a killed browser leaves names a process that is gone.
    context, desk = start()
    try:
        expect(desk.text).to_contain_text("Mine.")
        expect(desk.page.locator(".open-tab.active .dirty")).to_be_visible()
        assert (folder / "torus.rules").read_text() == TORUS
    finally:
        context.close()


def first_process(kept: Path) -> int:
    """The process that started all others of a browser with a folder of its own."""
    found = {int(one.name): one for one in Path("/proc").glob("[0-9]*") if is_browser_of(one, kept)}
    # A child has the words of its parent until it runs its own program.
    [process] = [number for number, one in found.items() if parent(one) not in found]
    return process


def is_browser_of(process: Path, kept: Path) -> bool:
    """Whether a process has the words that a browser with a folder of its own was started with."""
    try:
        words = (process / "cmdline").read_text().split("\0")
    except OSError:
        return False
    return f"--user-data-dir={kept}" in words and not any(word.startswith("--type=") for word in words)


def parent(process: Path) -> int | None:
    """The process that started another; nothing where that is gone."""
    try:
        status = (process / "status").read_text()
    except OSError:
        return None
    return int(status.split("PPid:")[1].split()[0])


def test_two_pages_of_a_file(torus: Workbench, folder: Path, browser: Browser) -> None:
    other = Workbench(torus.page.context, torus.server)
    other.open()
    unsaved(torus, " One.")
    expect(other.page.locator(".notice")).to_contain_text("Another page is changing torus.rules too")
    assert other.written() == TORUS
    torus.page.keyboard.press("Control+s")
    # The other page has no changes, so it follows.
    expect(other.text).to_contain_text("One.")
    unsaved(other, " Two.")
    unsaved(torus, " Three.")
    other.page.keyboard.press("Control+s")
    expect(other.page.locator(".dirty")).to_have_count(0)
    expect(torus.page.get_by_role("alert").filter(has_text="changed on disk")).to_be_visible()
    # Each page has its own table.
    torus.page.locator(".table .title").click()
    torus.press("g", "g")
    expect(other.time).to_have_text("0/0")
    assert other.complaints == []


def test_an_address_without_the_token_is_refused(torus: Workbench, browser: Browser) -> None:
    with workbench_in(browser, torus.server) as stranger:
        stranger.page.goto(stranger.origin)
        expect(stranger.page.locator(".connection")).to_contain_text("not known to the server")
        expect(stranger.page.locator(".board svg")).to_have_count(0)


def test_a_search_finds_the_game_of_that_name(workbench: Callable[..., Workbench]) -> None:
    desk = workbench("tic-tac-toe")
    for wanted, path in (("go", "go"), ("y", "y"), ("Peg Sol", "peg-solitaire")):
        desk.button("Files").click()
        field = desk.page.get_by_label("Search files")
        # What was searched for the last time is forgotten.
        expect(field).to_have_value("")
        box = desk.page.get_by_role("dialog").bounding_box()
        field.fill(wanted)
        expect(desk.page.locator(".entered .quiet").first).to_have_text(f"bundled/{path}")
        # The dialog stays where it is, and the field in sight.
        assert desk.page.get_by_role("dialog").bounding_box() == box
        desk.page.locator(".file").last.scroll_into_view_if_needed()
        expect(field).to_be_in_viewport(ratio=1)
        field.press("Enter")
        expect(desk.page.get_by_role("dialog")).to_have_count(0)
        expect(desk.page.locator(".open-tab.active")).to_contain_text(path)
