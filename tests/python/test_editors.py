"""The grammar of the editors has the words of the language, and tells each word of the bundled rules by its place."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from extent import some_of
from textmate import Grammar

ROOT = Path(__file__).resolve().parents[2]
VSCODE = ROOT / "editors" / "vscode"
GRAMMAR = Grammar(VSCODE / "syntaxes" / "rules.tmLanguage.json")
FILES = sorted(str(path.relative_to(ROOT)) for path in [*(ROOT / "rules").rglob("*.rules"), *(ROOT / "tests").glob("*.rules")])
KEYWORD = ("keyword.", "storage.", "constant.language.", "constant.other.match.")


def vocabulary(name: str) -> str:
    return (ROOT / "src" / "language" / "vocabulary" / f"{name}.rs").read_text()


@cache
def keywords() -> dict[str, set[str]]:
    """The keywords with their roles."""
    rows = re.findall(r'^ {4}(?:word|verb_row)\("(\w+)", ([^,)]*)', vocabulary("keywords") + vocabulary("statements"), re.M)
    short = dict(re.findall(r"^const (\w+): u32 = (\w+(?: \| \w+)*);", vocabulary("keywords") + vocabulary("statements"), re.M))
    roles = {word: re.findall(r"[A-Z_]{2,}", re.sub(r"\w+", lambda role: short.get(role[0], role[0]), row)) for word, row in rows}
    return {word: set(found) for word, found in roles.items()}


def keywords_with(*roles: str) -> set[str]:
    """The keywords that have all of these roles."""
    found = {word for word, its in keywords().items() if its.issuperset(roles)}
    assert found, roles
    return found


STATEMENTS = set(re.findall(r'verb_row\("(\w+)"', vocabulary("statements")))
FUNCTIONS = set(re.findall(r'^ {4}[A-Z]\w* "(\w+)" [A-Z]\w* \[', vocabulary("functions"), re.M))
NAMES = set(re.findall(r'^ {4}[A-Z]\w* "(\w+)" "', vocabulary("names"), re.M))
[[MATCH_KEYS]] = [[set(re.findall(r'"(\w+)"', found))] for found in re.findall(r"MATCH_KEYS: .* = \[(.*)\]", vocabulary("names"))]


def groups(expression: str) -> list[str]:
    """The texts of the numbered groups of an expression."""
    opened, found = [], []
    for sign in re.finditer(r"\\.|\[(?:\\.|[^\]\\])*\]|[()]", expression):
        if sign[0] == "(":
            opened.append(sign.end())
        elif sign[0] == ")":
            start = opened.pop()
            found.append((start, expression[start : sign.start()]))
    return [text for _, text in sorted(found) if not text.startswith("?")]


def words_by_scope(part: str | None = None) -> dict[str, set[str]]:
    """The words that the grammar lists, each list in a numbered group, by the scope that they get."""
    found: dict[str, set[str]] = defaultdict(set)
    for rule in GRAMMAR.rules(part):
        scopes = rule.get("captures") or rule.get("beginCaptures") or {"1": rule}
        for number, text in enumerate(groups(rule.get("match") or rule["begin"]), start=1):
            if re.fullmatch(r"[a-z_]+(\|[a-z_]+)*", text):
                found[scopes[str(number)]["name"]] |= set(text.split("|"))
    return found


def test_the_grammar_lists_the_words_of_the_language() -> None:
    found = words_by_scope()
    listed = {word for scope, words in found.items() if scope.startswith(KEYWORD) for word in words}
    # `me` and `player` are names as well, and look like names everywhere.
    assert listed == set(keywords()) - {"me", "player"}
    assert set().union(*words_by_scope("reserved").values()) == keywords_with("RESERVED")
    assert found["storage.type.rules"] == keywords_with("DECLARATION") | keywords_with("DECLARATION_OR_VALUE") | {"game", "variant"}
    assert found["keyword.control.edit.rules"] == keywords_with("EDIT")
    assert found["keyword.control.statement.rules"] == STATEMENTS
    assert found["keyword.operator.word.rules"] == keywords_with("OPERATOR") | keywords_with("INFIX", "VALUE")
    assert found["keyword.operator.quantifier.rules"] == keywords_with("QUANTIFIER")
    assert found["constant.language.rules"] == keywords_with("RESERVED", "VALUE", "ENDS")
    assert found["constant.other.match.rules"] == keywords_with("MATCH_VALUE")
    assert found["variable.other.property.match.rules"] == MATCH_KEYS
    assert found["support.function.rules"] == FUNCTIONS
    assert found["variable.language.rules"] == NAMES


def look(scope: str) -> str:
    """What a word with this scope looks like."""
    if scope.startswith(KEYWORD):
        return "keyword"
    return {"support.function.rules": "function", "variable.language.rules": "built-in name"}.get(scope, "name")


def words(text: str) -> Iterator[tuple[tuple[int, int], str, str]]:
    """The words in a text except those of comments, texts and numbers: place, word and scope."""
    lines = text.splitlines()
    for line, start, end, scope in GRAMMAR.tokens(text):
        if not scope.startswith(("comment.", "string.", "constant.numeric.", "constant.other.site.")):
            for found in re.finditer(r"[A-Za-z]\w*", lines[line - 1][start - 1 : end - 1]):
                before = lines[line - 1][: start - 1 + found.start()]
                if not before.lstrip().startswith("allow "):  # the code of a warning
                    yield (line, start + found.start()), found[0], scope


def test_each_word_of_the_bundled_rules_is_told_by_its_place() -> None:
    assert len(FILES) > 100
    files = some_of("words", 5, FILES)
    command = [sys.executable, "-m", "houserule", "check", "--json", "--names", "--play", "0", *files]
    report = json.loads(subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout)
    assert len(report["files"]) == len(files)
    for file, names in zip(files, report["files"]):
        check_words(file, names)


def check_words(file: str, names: dict[str, Any]) -> None:
    """Compares the looks of a file's words with what the checker knows of its names. Its other words are keywords."""
    declared = {(one["line"], one["column"]): one["kind"] for one in names["definitions"] if one["file"] == file}
    meanings = [(use, names["definitions"][use["definition"]]["kind"]) for use in names["uses"]]
    used = {(use["line"], use["column"]): kind for use, kind in meanings if use["file"] == file}
    own = {one["name"] for one in names["definitions"] if one["file"]}
    seen = set()
    for place, word, scope in words((ROOT / file).read_text()):
        seen.add(place)
        kind = declared.get(place) or used.get(place, "keyword")
        where = f"{file}:{place[0]}:{place[1]}: `{word}` is a {kind} and has the scope {scope}"
        if scope.startswith("meta."):
            assert declared.get(place, "script function") == "script function", where
            continue
        if place in declared:
            assert scope.startswith(("entity.", "variable.")), where
        elif look(scope) != "name" and word in own or kind == "keyword" and word in NAMES:
            # A board called `cell`, and its `cell(1, 2)`, look like the built-in `cell`; the keyword in `as me` like the name.
            continue
        if kind != "word":
            assert look(scope) == (kind if kind in ("keyword", "function", "built-in name") else "name"), where
    unseen = {place for place, kind in declared.items() if kind != "site"} - seen
    assert not unseen, f"{file}: {sorted(unseen)} look like comments, texts or numbers"


if (VSCODE / "node_modules").exists():

    def test_node_reads_the_bundled_rules_as_python_does() -> None:
        command = ["node", str(VSCODE / "test" / "tokens.mjs"), *FILES]
        read = json.loads(subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout)
        for file in FILES:
            text = (ROOT / file).read_text()
            lines = text.splitlines()
            ours = [(line, start, lines[line - 1][start - 1 : end - 1], scope) for line, start, end, scope in GRAMMAR.tokens(text) if scope]
            theirs = [(line, one["start"] + 1, one["text"], one["scopes"][-1]) for line, row in enumerate(read[file], start=1) for one in row]
            assert [one for one in ours if one[2].strip()] == theirs, file
