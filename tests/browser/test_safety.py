"""Other pages in the same browser: what they try against the workbench of this machine fails."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright, expect
from workbench_page import PATIENCE, Workbench, chromium

# Tries everything that a page of another site can do with an address, and keeps what came of it.
HOSTILE = """<!doctype html><title>Hostile</title><script>
const at = "ADDRESS", tried = {};
const tell = (name) => (what) => (tried[name] = String(what));
const hears = (url, first) => new Promise((done) => {
  const socket = new WebSocket(url);
  socket.onopen = () => first && socket.send(first);
  socket.onmessage = (event) => done("heard " + event.data);
  socket.onclose = socket.onerror = () => done("closed");
});
const loads = (element, source) => new Promise((done) => {
  element.onload = () => done("loaded");
  element.onerror = () => done("refused");
  Object.assign(element, source);
  document.head.append(element);
});
Promise.all([
  fetch(at).then((answer) => answer.text()).catch(() => "refused").then(tell("fetch")),
  fetch(at, { method: "POST", body: "{}" }).then((answer) => answer.text()).catch(() => "refused").then(tell("post")),
  fetch(at + "page.js", { mode: "no-cors" }).then((answer) => answer.type).catch(() => "refused").then(tell("opaque")),
  loads(document.createElement("script"), { src: at + "page.js" }).then(tell("script")),
  loads(document.createElement("link"), { rel: "stylesheet", href: at + "page.css" }).then(tell("style")),
  hears(at.replace("http", "ws") + "ws").then(tell("socket")),
  hears(at.replace("http", "ws") + "ws", '{"ask":"hello","token":"TOKEN"}').then(tell("socket with the token")),
]).then(() => { window.tried = tried; });
</script><iframe src="ADDRESS#TOKEN"></iframe>"""


class Site(HTTPServer):
    """A site on another port of this machine."""

    page = ""


class Answer(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, Site)
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(self.server.page.encode())

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def site() -> Iterator[Site]:
    with Site(("127.0.0.1", 0), Answer) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        yield site
        site.shutdown()


def test_a_hostile_page_gets_nothing(torus: Workbench, folder: Path, browser: Browser, site: Site) -> None:
    address, _, token = torus.server.address.partition("#")
    site.page = HOSTILE.replace("ADDRESS", address).replace("TOKEN", token)
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"http://127.0.0.1:{site.server_port}/")
    page.wait_for_function("window.tried")
    # Even a page that knows the token has no socket.
    assert page.evaluate("window.tried") == {
        "fetch": "refused",
        "post": "refused",
        "opaque": "refused",
        "script": "refused",
        "style": "refused",
        "socket": "closed",
        "socket with the token": "closed",
    }
    [frame] = [frame for frame in page.frames if frame.parent_frame]
    assert frame.locator(".panes").count() == 0
    page.close()
    # The workbench itself goes on.
    torus.replace("4", "7")
    expect(torus.status).to_have_text("No messages")
    assert [path.name for path in folder.iterdir()] == ["torus.rules"]


def test_a_name_that_leads_to_this_machine_is_refused(torus: Workbench, playwright: Playwright) -> None:
    port = torus.origin.rsplit(":", 1)[1].rstrip("/")
    rules = "--host-resolver-rules=MAP workbench.example 127.0.0.1"
    rebound = playwright.chromium.launch(executable_path=chromium(), args=[rules])
    try:
        page = rebound.new_page()
        answers: list[int] = []
        page.on("response", lambda answer: answers.append(answer.status))
        page.goto(f"http://workbench.example:{port}/")
        assert answers == [403]
        # Nothing of the workbench, but how to reach it.
        assert "answers only at" in page.inner_text("body") and page.locator(".cm-editor").count() == 0
    finally:
        rebound.close()
