"""Times of the workbench's server, as its page sees them: `python benches/python/workbench.py HOUSERULE`.

Needs nothing but Python. Each figure is the median of several rounds, with the slowest after it.
"""

import base64
import json
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

RULES = Path(__file__).parents[2] / "rules"


class Page:
    """A page: a websocket that has said its token."""

    def __init__(self, port: int, token: str) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
            f"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode()
        )
        self.stream = self.socket.makefile("rb")
        while self.stream.readline() != b"\r\n":
            pass
        self.say({"ask": "hello", "token": token})
        self.welcome = self.hear("welcome")

    def say(self, ask: dict) -> None:
        text = json.dumps(ask).encode()
        size = len(text)
        length = bytes([0x80 | size]) if size < 126 else bytes([0x80 | 127]) + size.to_bytes(8, "big")
        self.socket.sendall(b"\x81" + length + bytes(4) + text)

    def hear(self, kind: str, **fields: object) -> dict:
        while True:
            head = self.stream.read(2)
            size = head[1]
            if size >= 126:
                size = int.from_bytes(self.stream.read(2 if size == 126 else 8), "big")
            bytes_ = self.stream.read(size)
            if head[0] & 0xF != 1:
                continue
            tell = json.loads(bytes_)
            if tell["tell"] == "wrong":
                raise SystemExit(f"wrong: {tell['message']}")
            if tell["tell"] == kind and all(tell.get(name) == value for name, value in fields.items()):
                return tell


def edits(text: str) -> list[str]:
    """The text with a letter more, as someone types it, and sound again."""
    at = text.index("{") + 1
    return [text[:at] + " x" + text[at:], text]


def main() -> None:
    program = sys.argv[1]
    largest = max(RULES.rglob("*.rules"), key=lambda path: path.stat().st_size)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "mine.rules").write_text(largest.read_text())
        (Path(folder) / "torus.rules").write_text('variant "T" of "dilido" {\n  param penalty_limit = 5\n}\n')
        began = time.perf_counter()
        command = [program, "workbench", folder, "--no-open"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            port, token = re.findall(r":(\d+)/#(\w+)", server.stdout.readline())[0]
            show("start to address", [time.perf_counter() - began])
            with socket.create_connection(("127.0.0.1", int(port))) as plain:
                plain.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
                assert plain.recv(9) == b"HTTP/1.1 "
            show("start to the first bytes of the page", [time.perf_counter() - began])
            page = Page(int(port), token)
            show("start to welcome", [time.perf_counter() - began])
            measure(page, largest)
            fair(lambda: Page(int(port), token), largest.read_text())
            server.terminate()


def measure(page: Page, largest: Path) -> None:
    text, version = largest.read_text(), 0
    times: list[float] = []
    for _ in range(20):
        for edited in edits(text):
            version += 1
            began = time.perf_counter()
            page.say({"ask": "text", "path": "mine.rules", "version": version, "text": edited})
            page.hear("messages", path="mine.rules", version=version)
            times.append(time.perf_counter() - began)
    show(f"text to messages, {largest.stem} ({len(text) / 1e3:.0f} kB)", times)
    for name in [largest.stem, "dilido", "go", "chess"]:
        path = next(RULES.rglob(f"{name}.rules"))
        text, times = path.read_text(), []
        page.say({"ask": "table", "id": 1, "path": f"bundled/{name}", "seed": 1, "seats": []})
        page.hear("position", id=1)
        page.say({"ask": "text", "path": "mine.rules", "version": version + 1, "text": text})
        page.say({"ask": "table", "id": 2, "path": "mine.rules", "seed": 1, "seats": []})
        page.hear("position", id=2)
        for number in range(10):
            version += 2
            began = time.perf_counter()
            # Another game title makes other rules of it.
            changed = re.sub(r'game "([^"]*)"', f'game "\\1 {number}"', text, count=1)
            page.say({"ask": "text", "path": "mine.rules", "version": version, "text": changed})
            page.hear("position", id=None)
            times.append(time.perf_counter() - began)
        show(f"edit to position, {name}", times)
    times = []
    for number in range(5):
        began = time.perf_counter()
        page.say({"ask": "measure", "id": 100 + number, "path": "torus.rules", "agents": ["random"], "seed": 1})
        page.hear("samples", id=100 + number)
        times.append(time.perf_counter() - began)
    show("measure to first samples, dilido and a variant", times)
    page.say({"ask": "cancel", "id": 104})


def fair(new: object, text: str) -> None:
    """Twenty pages that all type at the same time."""
    pages = [new() for _ in range(20)]  # type: ignore[operator]
    times: list[list[float]] = [[] for _ in pages]

    def type_(page: Page, own: list[float]) -> None:
        for version in range(10):
            began = time.perf_counter()
            page.say({"ask": "text", "path": "mine.rules", "version": version, "text": text})
            page.hear("messages", version=version)
            own.append(time.perf_counter() - began)

    threads = [threading.Thread(target=type_, args=one) for one in zip(pages, times, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    show("text to messages, 20 pages at once", [time for own in times for time in own])
    means = [statistics.mean(own) for own in times]
    print(f"  slowest page on average {max(means) * 1e3:.1f} ms, fastest {min(means) * 1e3:.1f} ms")


def show(what: str, times: list[float]) -> None:
    most = f", at most {max(times) * 1e3:.1f} ms" if len(times) > 1 else ""
    print(f"{what}: {statistics.median(times) * 1e3:.1f} ms{most}", flush=True)


if __name__ == "__main__":
    main()
