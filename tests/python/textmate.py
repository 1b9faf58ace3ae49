"""Reads a text by a TextMate grammar, as far as the grammar of the rule language needs it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Rule = dict[str, Any]
Pattern = tuple[re.Pattern[str], str, Rule]
"""An expression, the key of its rule that has it, and the rule."""
Token = tuple[int, int, int, str]
"""The line from 1, the columns from 1 of its start and after its end, and the innermost scope."""


class Grammar:
    """A grammar whose expressions mean the same in Python as in Oniguruma."""

    def __init__(self, path: Path) -> None:
        self.root: Rule = json.loads(path.read_text())
        self._flat: dict[int, list[Pattern]] = {}

    def rules(self, part: str | None = None) -> Iterator[Rule]:
        """Every rule that matches something, of the whole grammar or of a part."""
        parts = self.root["repository"]
        waiting: list[Rule] = [parts[part]] if part else [self.root, *parts.values()]
        while waiting:
            rule = waiting.pop()
            waiting += rule.get("patterns", [])
            if "match" in rule or "begin" in rule:
                yield rule

    def tokens(self, text: str) -> Iterator[Token]:
        """The stretches of a text, with their scopes; the scope of what has none is empty."""
        stack: list[Rule] = [self.root]
        for number, line in enumerate(text.splitlines(), start=1):
            for start, end, scope in self._line(line, stack):
                yield number, start + 1, end + 1, scope
        if len(stack) > 1:
            raise ValueError(f"{stack[-1]['end']} is missing at the end of the text")

    def _line(self, line: str, stack: list[Rule]) -> Iterator[tuple[int, int, str]]:
        at = 0
        while True:
            inside = stack[-1]
            found = [(match, kind, rule) for pattern, kind, rule in self._patterns(inside) if (match := pattern.search(line, at))]
            if not found:
                yield at, len(line), _scope(inside)
                return
            match, kind, rule = min(found, key=lambda one: one[0].start())
            yield at, match.start(), _scope(inside)
            captures = rule.get("captures" if kind == "match" else f"{kind}Captures", {})
            yield from _captured(match, captures, rule.get("name", ""))
            if kind == "begin":
                stack.append(rule)
            elif kind == "end":
                stack.pop()
            elif match.end() == at:
                raise ValueError(f"nothing is matched at column {at + 1} of: {line}")
            at = match.end()

    def _patterns(self, inside: Rule) -> list[Pattern]:
        """What can match inside a rule: its end first, and the others in their order."""
        if id(inside) not in self._flat:
            end = [(re.compile(inside["end"]), "end", inside)] if "end" in inside else []
            self._flat[id(inside)] = end + list(self._matching(inside.get("patterns", [])))
        return self._flat[id(inside)]

    def _matching(self, patterns: list[Rule]) -> Iterator[Pattern]:
        for rule in patterns:
            if "include" in rule:
                name = rule["include"]
                rule = self.root if name == "$self" else self.root["repository"][name[1:]]
            kind = "match" if "match" in rule else "begin"
            if kind in rule:
                yield re.compile(rule[kind]), kind, rule
            else:
                yield from self._matching(rule["patterns"])


def _scope(rule: Rule) -> str:
    """The scope of what lies between the matches inside a rule. The name of the whole grammar is none."""
    return "" if "scopeName" in rule else str(rule.get("contentName", rule.get("name", "")))


def _captured(match: re.Match[str], captures: dict[str, Rule], name: str) -> Iterator[tuple[int, int, str]]:
    """The match in pieces: those of its groups that have a scope, and what lies between them."""
    at = match.start()
    for group, capture in sorted(captures.items()):
        if match[int(group)] is not None:
            yield at, match.start(int(group)), name
            yield *match.span(int(group)), capture["name"]
            at = match.end(int(group))
    yield at, match.end(), name
