"""The language server as an editor talks to it: a process, with messages over its streams."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMMAND = os.environ.get("HOUSERULE", str(ROOT / "target" / "debug" / "houserule"))
Json = dict[str, Any]


class Editor:
    """A client of one server."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self.folder = folder
        self.last_id = 0
        self.messages: list[Json] = []
        environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
        pipe = subprocess.PIPE
        self.server = subprocess.Popen([COMMAND, "lsp"], stdin=pipe, stdout=pipe, stderr=pipe, env=environment)

    def raw(self, data: bytes) -> None:
        assert self.server.stdin is not None
        self.server.stdin.write(data)
        self.server.stdin.flush()

    def send(self, message: Json) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def read(self) -> Json:
        assert self.server.stdout is not None
        length = 0
        while (line := self.server.stdout.readline()) != b"\r\n":
            assert line, "the server has ended"
            name, _, value = line.decode().partition(": ")
            if name == "Content-Length":
                length = int(value)
        message: Json = json.loads(self.server.stdout.read(length))
        assert message["jsonrpc"] == "2.0"
        return message

    def answer(self, method: str, params: Any = None) -> Json:
        """Sends a request and returns the whole answer."""
        self.last_id += 1
        self.send({"id": self.last_id, "method": method, "params": params})
        while (message := self.read()).get("id") != self.last_id or "method" in message:
            self.messages.append(message)
        return message

    def ask(self, method: str, params: Any = None) -> Any:
        """Sends a request and returns its result."""
        message = self.answer(method, params)
        assert "error" not in message, message
        return message["result"]

    def tell(self, method: str, params: Any = None) -> None:
        self.send({"method": method, "params": params})

    def initialize(self, encodings: tuple[str, ...] = ("utf-8", "utf-16"), **workspace: Any) -> Json:
        capabilities = {"general": {"positionEncodings": list(encodings)}, "workspace": workspace}
        folders = [{"uri": uri(self.folder), "name": "rules"}]
        params = {"processId": None, "rootUri": None, "capabilities": capabilities, "workspaceFolders": folders}
        result: Json = self.ask("initialize", params)
        self.tell("initialized", {})
        return result

    def open(self, path: Path, text: str) -> list[Json]:
        document = {"uri": uri(path), "languageId": "houserule", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})
        return self.diagnostics(path)

    def change(self, path: Path, text: str, version: int) -> list[Json]:
        document = {"uri": uri(path), "version": version}
        self.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})
        return self.diagnostics(path)

    def diagnostics(self, path: Path) -> list[Json]:
        """Waits for the messages of a document."""
        while True:
            message = self.read()
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri(path):
                diagnostics: list[Json] = message["params"]["diagnostics"]
                return diagnostics
            self.messages.append(message)

    def quit(self) -> int:
        assert self.answer("shutdown")["result"] is None
        self.tell("exit")
        return self.server.wait(timeout=60)


def uri(path: Path) -> str:
    return "file://" + quote(str(path))


def place(text: str, words: str, encoding: str = "utf-8") -> Json:
    """The position of the first occurrence of some words."""
    before = text[: text.index(words)]
    line = before.rpartition("\n")[2]
    return {"line": before.count("\n"), "character": length(line, encoding)}


def length(text: str, encoding: str) -> int:
    return len(text.encode(encoding)) // (2 if encoding == "utf-16-le" else 1)


def position(path: Path, at: Json) -> Json:
    return {"textDocument": {"uri": uri(path)}, "position": at}


def edited(text: str, edits: list[Json], encoding: str = "utf-8") -> str:
    lines = text.splitlines(keepends=True)

    def offset(at: Json) -> int:
        line = lines[at["line"]] if at["line"] < len(lines) else ""
        units = line.encode(encoding)[: at["character"] * (2 if encoding == "utf-16-le" else 1)]
        return sum(map(len, lines[: at["line"]])) + len(units.decode(encoding))

    for edit in sorted(edits, key=lambda edit: -offset(edit["range"]["start"])):
        start, end = offset(edit["range"]["start"]), offset(edit["range"]["end"])
        text = text[:start] + edit["newText"] + text[end:]
    return text


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[Editor]:
    folder = tmp_path / "rules of é"
    folder.mkdir()
    editor = Editor(folder, tmp_path / "cache")
    yield editor
    editor.server.kill()
    editor.server.wait()
    for stream in (editor.server.stdin, editor.server.stdout, editor.server.stderr):
        assert stream is not None
        stream.close()


BASE = """game "Race" {
  players 2
  param goal: 5..50 = 20                     "points that win"
  dice pair: 2 of d6
  var points[player]: 0..60 = 0
  turn {
    let before = points[me]
    roll pair
    points[me] = before + sum(pair)
  }
  end race when points[me] >= goal: win me
}
"""
VARIANT = """variant "Long race" of "race.rules" {
  param goal = 40
  new end far when points[me] > 55: draw
}
"""


def test_an_editing_session(editor: Editor) -> None:
    base, variant = editor.folder / "race.rules", editor.folder / "long.rules"
    base.write_text(BASE)
    result = editor.initialize()
    assert result["serverInfo"]["name"] == "houserule"
    assert result["capabilities"]["positionEncoding"] == "utf-8"
    # A message appears, with what is meant.
    wrong = VARIANT.replace("points", "pionts")
    [told] = editor.open(variant, wrong)
    assert (told["code"], told["severity"], told["source"]) == ("unknown-name", 1, "houserule")
    assert told["message"].splitlines()[-1] == "help: did you mean `points`?"
    assert told["range"]["start"] == place(wrong, "pionts")
    # The quick fix mends it.
    request = {"textDocument": {"uri": uri(variant)}, "range": told["range"], "context": {"diagnostics": [told]}}
    [action] = editor.ask("textDocument/codeAction", request)
    assert (action["title"], action["kind"], action["diagnostics"]) == ("Write `points`", "quickfix", [told])
    fixed = edited(wrong, action["edit"]["changes"][uri(variant)])
    assert fixed == VARIANT
    assert editor.change(variant, fixed, 2) == []
    # The game is not open: its file counts.
    hover = editor.ask("textDocument/hover", position(variant, place(VARIANT, "points")))
    assert "var points: [player] 0..60  // race.rules" in hover["contents"]["value"]
    [found] = editor.ask("textDocument/definition", position(variant, place(VARIANT, "points")))
    assert (found["uri"], found["range"]["start"]) == (uri(base), place(BASE, "points["))
    [found] = editor.ask("textDocument/definition", position(variant, place(VARIANT, "race.rules")))
    assert found["uri"] == uri(base)
    # The variant is found from the game, and both are renamed.
    assert editor.open(base, BASE) == []
    asked = {**position(base, place(BASE, "points[")), "context": {"includeDeclaration": True}}
    assert len(editor.ask("textDocument/references", asked)) == 5
    ready = editor.ask("textDocument/prepareRename", position(base, place(BASE, "points[")))
    assert ready["start"] == place(BASE, "points[")
    refused = editor.answer("textDocument/rename", {**position(base, place(BASE, "points[")), "newName": "pair"})
    assert refused["error"]["message"].startswith("`points` can't be called `pair`: ")
    changes = editor.ask("textDocument/rename", {**position(base, place(BASE, "points[")), "newName": "steps"})
    texts = {uri(base): BASE, uri(variant): VARIANT}
    for address, edits in changes["changes"].items():
        assert edited(texts.pop(address), edits) == (BASE if address == uri(base) else VARIANT).replace("points[", "steps[")
    assert texts == {}
    # Completion, outline, tokens, hints, folds.
    typed = BASE.replace("roll pair", "roll pa")
    assert editor.change(base, typed, 2) != []
    items = editor.ask("textDocument/completion", position(base, place(typed, "\n    points[me] =")))
    pair = next(item for item in items if item["label"] == "pair")
    assert (pair["detail"], edited(typed, [pair["textEdit"]])) == ("dice: 2 of d6", BASE)
    assert editor.change(base, BASE, 3) == []
    document = {"textDocument": {"uri": uri(base)}}
    [game] = editor.ask("textDocument/documentSymbol", document)
    names = [child["name"] for child in game["children"]]
    assert (game["name"], names) == ("Race", ["players", "goal", "pair", "points", "turn", "race"])
    data = editor.ask("textDocument/semanticTokens/full", document)["data"]
    assert len(data) % 5 == 0 and len(data) > 200
    legend = result["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"]
    assert legend[data[3]] == "keyword" and data[:3] == [0, 0, 4]
    [hint] = editor.ask("textDocument/inlayHint", {**document, "range": {"start": place(BASE, "game"), "end": place(BASE, "end")}})
    assert hint["label"] == ": int"
    folds = editor.ask("textDocument/foldingRange", document)
    assert [fold["startLine"] for fold in folds] == [0, 5]
    # Layout.
    ragged = BASE.replace("  roll pair", "roll   pair")
    editor.change(base, ragged, 4)
    options = {"tabSize": 2, "insertSpaces": True}
    edits = editor.ask("textDocument/formatting", {**document, "options": options})
    assert edited(ragged, edits) == BASE
    # A closed document has no messages.
    editor.change(base, BASE.replace("sum(", "sun("), 5)
    editor.tell("textDocument/didClose", document)
    assert editor.diagnostics(base) == []
    assert editor.quit() == 0


def test_positions_count_utf_16_unless_the_editor_offers_utf_8(editor: Editor) -> None:
    text = 'game "Spiel" {\n  players 1\n  var n: 0..9 = 0 "♣ 🎲 é" turn { n = n + 1 } // 🎲\n  end all when n == 5\n}\n'
    path = editor.folder / "ü.rules"
    assert editor.initialize(("utf-16",))["capabilities"]["positionEncoding"] == "utf-16"
    assert editor.open(path, text) == []
    use = place(text, "n + 1", "utf-16-le")
    asked = {**position(path, use), "newName": "number"}
    edits = editor.ask("textDocument/rename", asked)["changes"][uri(path)]
    assert edited(text, edits, "utf-16-le") == text.replace("var n:", "var number:").replace("n = n +", "number = number +").replace("n == 5", "number == 5")
    assert use in [edit["range"]["start"] for edit in edits]


def test_what_is_bundled_is_opened_as_a_copy_and_not_renamed(editor: Editor) -> None:
    path = editor.folder / "mine.rules"
    text = 'variant "Mine" of "dilido" {\n  param jokers = 2\n}\n'
    editor.initialize()
    assert editor.open(path, text) == []
    [found] = editor.ask("textDocument/definition", position(path, place(text, "dilido")))
    copy = Path(found["uri"].removeprefix("file://"))
    assert copy.read_text() == (ROOT / "rules" / "dilido.rules").read_text()
    error = editor.answer("textDocument/rename", {**position(path, place(text, "jokers")), "newName": "wild_ones"})["error"]
    assert "bundled with the program" in error["message"]
    # The copy is the bundled game, in which everything works but renaming.
    assert editor.open(copy, copy.read_text()) == []
    hover = editor.ask("textDocument/hover", position(copy, place(copy.read_text(), "anchor")))
    assert "var anchor: cell?" in hover["contents"]["value"]


def test_a_bundled_file_that_can_not_be_copied_has_no_place(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    editor = Editor(tmp_path, tmp_path / "file" / "cache")
    path, text = tmp_path / "mine.rules", 'variant "Mine" of "dilido" {\n  param jokers = 2\n}\n'
    editor.initialize()
    assert editor.open(path, text) == []
    assert not editor.ask("textDocument/definition", position(path, place(text, "dilido")))
    assert editor.ask("textDocument/definition", position(path, place(text, "jokers"))) is None
    assert "param jokers" in editor.ask("textDocument/hover", position(path, place(text, "jokers")))["contents"]["value"]
    assert editor.quit() == 0


def test_files_of_a_folder_that_is_added_are_renamed_too(editor: Editor, tmp_path: Path) -> None:
    added = tmp_path / "added"
    added.mkdir()
    base, variant = editor.folder / "race.rules", added / "long.rules"
    base.write_text(BASE)
    variant.write_text(VARIANT.replace("race.rules", f"../{editor.folder.name}/race.rules"))
    folders = editor.initialize()["capabilities"]["workspace"]["workspaceFolders"]
    assert folders == {"supported": True, "changeNotifications": True}
    editor.open(base, BASE)
    asked = {**position(base, place(BASE, "points[player]")), "newName": "steps"}
    assert set(editor.ask("textDocument/rename", asked)["changes"]) == {uri(base)}
    folder = {"uri": uri(added), "name": "added"}
    editor.tell("workspace/didChangeWorkspaceFolders", {"event": {"added": [folder], "removed": []}})
    assert set(editor.ask("textDocument/rename", asked)["changes"]) == {uri(base), uri(variant)}
    editor.tell("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": [folder]}})


def test_files_that_change_on_disk_are_read_again(editor: Editor) -> None:
    base, variant = editor.folder / "race.rules", editor.folder / "long.rules"
    base.write_text(BASE)
    editor.initialize(didChangeWatchedFiles={"dynamicRegistration": True})
    request = editor.read()
    assert request["method"] == "client/registerCapability"
    editor.send({"id": request["id"], "result": None})
    assert editor.open(variant, VARIANT) == []
    base.write_text(BASE.replace("points", "steps"))
    changes = [{"uri": uri(base), "type": 2}]
    editor.tell("workspace/didChangeWatchedFiles", {"changes": changes})
    assert [told["code"] for told in editor.diagnostics(variant)] == ["unknown-name"]


def test_a_script_shows_its_errors(editor: Editor) -> None:
    rules = BASE.replace("roll pair", "step roll { roll pair }").rstrip("}\n") + '\n  script "race.rhai"\n}\n'
    (editor.folder / "race.rules").write_text(rules)
    script = editor.folder / "race.rhai"
    editor.initialize()
    [told] = editor.open(script, "fn before_roll(g) {\n  let x = ;\n}\n")
    assert (told["severity"], told["range"]["start"]["line"]) == (1, 1)
    assert editor.change(script, "fn before_roll(g) {}\n", 2) == []


def test_only_the_last_of_several_versions_is_checked(editor: Editor) -> None:
    path = editor.folder / "race.rules"
    editor.initialize()
    editor.open(path, BASE)
    document = {"uri": uri(path)}
    for version in range(2, 40):
        change = [{"text": BASE.replace("roll pair", "roll pair" if version == 39 else "rol pair")}]
        editor.tell("textDocument/didChange", {"textDocument": {**document, "version": version}, "contentChanges": change})
    told = [editor.read()["params"]]
    while told[-1]["version"] != 39:
        told.append(editor.read()["params"])
    assert told[-1]["diagnostics"] == []
    # An older version that comes late is ignored.
    change = [{"text": "game"}]
    editor.tell("textDocument/didChange", {"textDocument": {**document, "version": 12}, "contentChanges": change})
    assert editor.change(path, BASE, 40) == []


def test_nothing_that_is_sent_ends_the_server(editor: Editor) -> None:
    path = editor.folder / "race.rules"
    assert editor.answer("textDocument/hover", {})["error"]["code"] == -32002
    editor.initialize()
    assert editor.answer("initialize", {})["error"]["code"] == -32600
    assert editor.answer("workspace/nonesuch", {})["error"]["code"] == -32601
    assert editor.answer("textDocument/hover", {"textDocument": 3})["error"]["code"] == -32602
    for garbage in (b"Content-Length: 7\r\n\r\n{\"id\": ", b"Content-Length: 2\r\n\r\n\xff\xfe", b"nonsense\r\n", b"Content-Length: x\r\n"):
        editor.raw(garbage)
        answer = editor.read()
        assert (answer["id"], answer["error"]["code"]) == (None, -32700)
    editor.tell("$/setTrace", {"value": "off"})
    editor.tell("textDocument/didChange", {"textDocument": {}})
    editor.tell("textDocument/didChange", {"textDocument": {"uri": uri(path), "version": 3}, "contentChanges": [{"text": "x"}]})
    editor.tell("textDocument/didClose", {"textDocument": {"uri": uri(path)}})
    editor.tell("$/cancelRequest", {"id": 99})
    far = {"line": 4_000_000_000, "character": 4_000_000_000}
    assert editor.ask("textDocument/hover", position(path, far)) is None
    editor.open(path, BASE)
    for method in ("hover", "definition", "completion", "documentHighlight"):
        editor.ask(f"textDocument/{method}", position(path, far))
    editor.open(Path("/nowhere/at all.rules"), 'variant "x" of "../../../missing.rules" {}')
    assert editor.answer("textDocument/rename", {**position(path, far), "newName": "x"})["error"]["code"] == -32803
    assert editor.answer("shutdown")["result"] is None
    assert editor.answer("textDocument/hover", position(path, far))["error"]["code"] == -32600
    editor.tell("exit")
    assert editor.server.wait(timeout=60) == 0


def test_the_end_of_the_input_ends_the_server(editor: Editor) -> None:
    editor.initialize()
    assert editor.server.stdin is not None
    editor.server.stdin.close()
    assert editor.server.wait(timeout=60) == 1
