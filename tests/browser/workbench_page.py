"""A server of the workbench and its page in a browser, with what tests do on it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, Request, expect

ROOT = Path(__file__).resolve().parents[2]
COMMAND = str(Path(os.environ.get("HOUSERULE", ROOT / "target" / "debug" / "houserule")).resolve())

# Milliseconds after which a test gives up. No test is meant to come near: a slow machine decides nothing.
PATIENCE = 60_000

# Two variants of Di-Li-Do that tests begin with.
TORUS = """/// The board continues across its edges.
variant "Di-Li-Do torus" of "dilido" {
  board cell = grid(size, size, wrap: true)
  param penalty_limit = 4
}
"""


def chromium() -> str:
    """The browser that CHROMIUM names, or Debian's Chromium: its shell without windows, which takes half the time, or else the whole."""
    names = [os.environ["CHROMIUM"]] if os.environ.get("CHROMIUM") else ["chromium-headless-shell", "chromium"]
    found = next(filter(None, map(shutil.which, names)), None)
    assert found, "no Chromium is installed: `tests/browser/install` installs it"
    return found


class Server:
    """`houserule workbench` in a folder."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.folder = folder
        command = [COMMAND, "workbench", *arguments, "--no-open"]
        self.process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, line + self.process.stdout.read()
        self.address = found[0]

    def end(self, how: signal.Signals = signal.SIGINT) -> None:
        if self.process.poll() is None:
            self.process.send_signal(how)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


class Workbench:
    """A page of a server. What the browser complains of, and each request to elsewhere, is kept."""

    def __init__(self, context: BrowserContext, server: Server) -> None:
        self.server = server
        self.page: Page = context.new_page()
        self.complaints: list[str] = []
        self.origin = server.address.partition("#")[0]
        self.page.on("console", self.said)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self.asked)
        self.page.on("websocket", lambda socket: self.goes_to(socket.url))

    def said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def asked(self, request: Request) -> None:
        self.goes_to(request.url)

    def goes_to(self, url: str) -> None:
        if not url.startswith((self.origin, self.origin.replace("http:", "ws:"), "data:", "about:")):
            self.complaints.append(f"a request to {url}")

    def open(self) -> None:
        """Opens the page, and waits until its board and the answer about its rules are there."""
        self.page.goto(self.server.address)
        self.ready()

    def reload(self) -> None:
        self.page.reload()
        self.ready()

    def ready(self) -> None:
        # On a narrow screen the table is there, but out of sight.
        expect(self.page.locator(".board svg, .hand-over")).to_be_attached()
        expect(self.status).to_have_text(re.compile("message|error|warning"))
        self.settle()

    # The parts of the page.

    @property
    def text(self) -> Locator:
        return self.page.locator(".cm-content")

    @property
    def status(self) -> Locator:
        """The button that says how many messages there are."""
        return self.page.locator(".status-line button")

    @property
    def time(self) -> Locator:
        """The decision shown and the last one, such as `2/5`."""
        return self.page.get_by_label("Decision", exact=True)

    @property
    def heading(self) -> Locator:
        return self.page.locator(".heading")

    @property
    def can(self) -> Locator:
        """The places that can be clicked next."""
        return self.page.locator(".board .can")

    @property
    def lines(self) -> Locator:
        return self.page.get_by_role("navigation", name="Lines of the game").get_by_role("button")

    @property
    def cells(self) -> Locator:
        return self.page.locator('.board [data-thing^="cell:"]')

    def place(self, name: str) -> Locator:
        """A place of the board by its name, such as `b2`."""
        return self.page.locator(".board").get_by_role("button", name=name, exact=True)

    @property
    def focused(self) -> Locator:
        """The place of the board that has the focus."""
        return self.page.locator(".board :focus")

    def button(self, name: str, *, exact: bool = True) -> Locator:
        return self.page.get_by_role("button", name=name, exact=exact)

    def tab(self, name: str) -> Locator:
        return self.page.get_by_role("tab", name=name)

    def file_tab(self, name: str) -> Locator:
        return self.page.locator(".open-tab", has_text=name)

    # What is done on it.

    def written(self) -> str:
        """The text of the editor, of which all lines must be in sight."""
        text: str = self.page.evaluate(
            """() => [...document.querySelectorAll(".cm-line")].map((line) => {
                 const copy = line.cloneNode(true);
                 copy.querySelectorAll(".hint").forEach((hint) => hint.remove());
                 return copy.textContent;
               }).join("\\n")"""
        )
        return text

    def point_at(self, words: str) -> tuple[float, float]:
        """The middle of some words of the editor. Words without a colour have no element of their own."""
        at = self.page.evaluate(
            """(words) => {
                 const walk = document.createTreeWalker(document.querySelector(".cm-content"), NodeFilter.SHOW_TEXT);
                 for (let node; (node = walk.nextNode()); ) {
                   const at = node.data.indexOf(words);
                   if (at < 0) continue;
                   const range = document.createRange();
                   range.setStart(node, at);
                   range.setEnd(node, at + words.length);
                   const box = range.getBoundingClientRect();
                   return [box.x + box.width / 2, box.y + box.height / 2];
                 }
               }""",
            words,
        )
        assert at, f"{words!r} is not in sight"
        return at[0], at[1]

    def replace(self, word: str, new: str) -> None:
        """Writes another word for a word in the editor, as a user does."""
        self.page.mouse.dblclick(*self.point_at(word))
        self.page.keyboard.type(new)

    def append(self, words: str) -> None:
        """Writes at the end of the first line."""
        self.text.focus()
        self.page.keyboard.press("Control+Home")
        self.page.keyboard.press("End")
        self.page.keyboard.type(words)

    def settle(self) -> None:
        """Waits until the table is answered, and agents and dice have had their turns."""
        expect(self.page.locator('[data-pane="table"]')).to_have_attribute("aria-busy", "false")

    def click(self, what: Locator) -> None:
        """Clicks on the table, and waits for what comes of it."""
        what.click()
        self.settle()

    def press(self, *keys: str) -> None:
        """Presses keys at the table, and waits after each for what comes of it."""
        for key in keys:
            self.page.keyboard.press(key)
            self.settle()

    def at(self) -> str:
        return self.time.inner_text()

    def log(self) -> list[str]:
        self.tab("Log").click()
        return self.page.locator(".log li").all_inner_texts()

    def play(self, game: str) -> None:
        """Opens a bundled game and begins it."""
        self.button("Files").click()
        self.page.get_by_label("Search files").fill(game)
        self.page.keyboard.press("Enter")
        expect(self.page.get_by_role("dialog")).to_have_count(0)
        self.click(self.page.locator(".table .bar").get_by_role("button", name=re.compile("^Play ")))
        expect(self.time).to_have_text(re.compile("^0/0"))

    def measured(self) -> None:
        """Waits until a measurement of the rules as they are has ended."""
        expect(self.page.locator(".quantities.final")).to_be_visible()
        expect(self.page.locator(".measure .badge")).to_have_count(0)

    def shown(self) -> tuple[str, list[str]]:
        """The drawing, without what can be done on it, and the log."""
        drawing: str = self.page.evaluate(
            """() => {
                 const copy = document.querySelector(".board svg").cloneNode(true);
                 copy.querySelectorAll("[data-thing], .mark").forEach((shape) => shape.remove());
                 return copy.innerHTML;
               }"""
        )
        return drawing, self.log()


@contextmanager
def workbench_in(browser: Browser, server: Server, **options: Any) -> Iterator[Workbench]:
    """A page of its own. At the end the browser must have had nothing to complain of."""
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **options})
    context.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE)
    try:
        desk = Workbench(context, server)
        yield desk
        assert desk.complaints == []
    finally:
        context.close()
