"""What the tests in a browser share: one browser for all, and for each test a folder, a server and a page of its own."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright
from workbench_page import TORUS, Server, Workbench, chromium, workbench_in


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    browser = playwright.chromium.launch(executable_path=chromium())
    yield browser
    browser.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "rules of é"
    folder.mkdir()
    return folder


@pytest.fixture
def serve(folder: Path) -> Iterator[Callable[..., Server]]:
    """Starts servers in the folder."""
    servers: list[Server] = []

    def start(*arguments: str) -> Server:
        servers.append(Server(folder, *arguments))
        return servers[-1]

    yield start
    for server in servers:
        server.end(signal.SIGKILL)


@pytest.fixture
def workbench(folder: Path, serve: Callable[..., Server], browser: Browser) -> Iterator[Callable[..., Workbench]]:
    """Opens pages: of a bundled game or file if one is named, and otherwise of the folder."""
    with ExitStack() as pages:

        def start(*arguments: str, server: Server | None = None, **options: Any) -> Workbench:
            desk = pages.enter_context(workbench_in(browser, server or serve(*arguments), **options))
            desk.open()
            return desk

        yield start


@pytest.fixture
def torus(folder: Path, workbench: Callable[..., Workbench]) -> Workbench:
    """The workbench with a variant of Di-Li-Do."""
    (folder / "torus.rules").write_text(TORUS)
    return workbench()
