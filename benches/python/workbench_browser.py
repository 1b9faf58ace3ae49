"""Times of the workbench in a browser: `HOUSERULE=target/release/houserule python benches/python/workbench_browser.py`.

Needs Playwright and Chromium, as tests/browser does. A time goes from a key's press to the frame in which its effect is
painted. Each figure is the median of several rounds, with the slowest after it. `EDITS` edits follow (1,800 by default,
one every two seconds of an hour), with the memory of the page and of the server before, halfway and after.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests" / "browser"))
from workbench_page import TORUS, Server, Workbench, chromium, workbench_in  # noqa: E402

EDITS = int(os.environ.get("EDITS", "1800"))
ROUNDS = 15

# Waits for an effect of the next key: from its press to the end of the frame that paints the effect.
WATCH = """() => {
  const there = () => EFFECT;
  window.took = new Promise((resolve) => {
    addEventListener("keydown", (event) => {
      const began = event.timeStamp;
      const look = () => {
        if (!there()) return;
        observer.disconnect();
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)));
      };
      const observer = new MutationObserver(look);
      observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    }, { once: true, capture: true });
  });
}"""


def key(desk: Workbench, name: str, effect: str) -> float:
    """The milliseconds from a key to its effect."""
    desk.page.evaluate(WATCH.replace("EFFECT", effect))
    desk.page.keyboard.press(name)
    took: float = desk.page.evaluate("window.took")
    return took


def show(what: str, times: list[float], most: float) -> None:
    print(f"{what}: {statistics.median(times):.0f} ms, at most {max(times):.0f} ms (wanted {most:.0f} ms)", flush=True)


def first_paint(desk: Workbench, began: float) -> float:
    desk.page.goto(desk.server.address)
    script = "performance.timeOrigin + performance.getEntriesByName('first-contentful-paint')[0].startTime"
    desk.ready()
    painted: float = desk.page.evaluate(script)
    return painted - began * 1e3


def messages(desk: Workbench) -> None:
    desk.page.mouse.click(*desk.point_at("board"))
    desk.page.keyboard.press("End")
    times = []
    for _ in range(ROUNDS):
        times.append(key(desk, "%", "document.querySelector('.cm-lintRange-error')"))
        desk.page.keyboard.press("Backspace")
        expect(desk.page.locator(".cm-lintRange-error")).to_have_count(0)
        desk.settle()
    show("a key to an underlined message, chess", times, 50)


def boards(desk: Workbench) -> None:
    # A param of the game: another size draws another board.
    desk.page.mouse.dblclick(*desk.point_at("7"))
    times, drawn = [], desk.cells.count()
    for number in range(ROUNDS):
        size = "56"[number % 2]
        if number:
            desk.page.keyboard.press("Shift+ArrowLeft")
        effect = f"document.querySelectorAll('.board [data-thing^=\"cell:\"]').length == {int(size) ** 2}"
        times.append(key(desk, size, effect))
    assert desk.cells.count() != drawn
    show("a key to a redrawn board, Di-Li-Do", times, 150)


def moves(desk: Workbench) -> None:
    """Typed moves of Klondike, whose cards are drawn anew."""
    field, times = desk.page.get_by_label("Type a move"), []
    for number in range(ROUNDS):
        field.fill("deal")
        desk.page.evaluate("window.drawn = document.querySelector('.board').innerHTML")
        effect = "(document.querySelector('.board')?.innerHTML ?? window.drawn) != window.drawn"
        times.append(key(desk, "Enter", effect))
        expect(desk.time).to_have_text(f"{number + 1}/{number + 1}")
    show("a move to the redrawn cards, Klondike", times, 60)


def bars(desk: Workbench) -> None:
    times = []
    for number in range(ROUNDS):
        desk.measured()
        desk.page.keyboard.press("Shift+ArrowLeft")
        desk.page.evaluate("window.before = document.querySelector('.bars.mine').getAttribute('d')")
        effect = "(document.querySelector('.bars.mine')?.getAttribute('d') ?? window.before) != window.before"
        times.append(key(desk, "78"[number % 2], effect))
    show("a key to the first new bars, Di-Li-Do", times, 500)


def memory(desk: Workbench) -> tuple[float, float]:
    """MB of the page, after its rubbish is collected, and of the server."""
    session = desk.page.context.new_cdp_session(desk.page)
    session.send("HeapProfiler.collectGarbage")
    heap = session.send("Runtime.getHeapUsage")["usedSize"]
    session.detach()
    status = Path(f"/proc/{desk.server.process.pid}/status").read_text()
    resident = int(status.split("VmRSS:")[1].split()[0])
    return heap / 1e6, resident / 1e3


def an_hour(desk: Workbench) -> None:
    for done in range(EDITS + 1):
        if done in (EDITS // 10, EDITS // 2, EDITS):
            desk.measured()
            page, server = memory(desk)
            print(f"after {done} edits: the page has {page:.1f} MB, the server {server:.0f} MB", flush=True)
        desk.page.keyboard.press("Shift+ArrowLeft")
        desk.page.keyboard.press(str(5 + done % 4))
        desk.settle()
        if done % 20 == 0:
            desk.measured()


def main() -> None:
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        browser = playwright.chromium.launch(executable_path=chromium())
        chess = next((ROOT / "rules").rglob("chess.rules")).read_text()
        (folder / "chess.rules").write_text(chess)
        (folder / "size.rules").write_text(TORUS.replace("penalty_limit = 4", "size = 7"))
        began = time.time()
        server = Server(folder, "chess.rules")
        with workbench_in(browser, server) as desk:
            show("start to first paint", [first_paint(desk, began)], 1000)
            messages(desk)
        server.end()
        server = Server(folder, "klondike")
        with workbench_in(browser, server) as desk:
            desk.open()
            moves(desk)
        server.end()
        server = Server(folder, "size.rules")
        with workbench_in(browser, server) as desk:
            desk.open()
            desk.measured()
            boards(desk)
            bars(desk)
            an_hour(desk)
        server.end()
        browser.close()


if __name__ == "__main__":
    main()
