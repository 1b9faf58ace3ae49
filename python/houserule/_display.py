"""Display of games in notebooks. Imported when something is first displayed."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from houserule._native import Game


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Returns a table as HTML. All text is escaped."""
    cells = "".join(f"<th style='text-align:left'>{escape(cell)}</th>" for cell in head)
    lines = "".join(
        "<tr>" + "".join(f"<td style='text-align:left'>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{lines}</tbody></table>"


def game_bundle(game: Game) -> dict[str, str]:
    """Returns a game's display in a notebook, by MIME type: its params and its rules in words."""
    params = [(p.name, str(p.value), p.possible, p.help) for p in game.params.values()]
    least, most = game.player_range
    players = f"{game.players} of {least} to {most} players" if least < most else f"{game.players} players"
    if least == most == 1:
        players = "for one player"
    head = f"<h3>{escape(game.title)}</h3><p>{escape(game.help)} <em>({players})</em></p>"
    sections = []
    for title, entries in game._sections():
        if title == "What can be set":
            continue
        lines = []
        for name, text, depth in entries:
            words = f"<b>{escape(name)}</b>: {escape(text)}" if name and text else escape(name or text)
            lines.append(f"<li style='margin-left:{1.5 * depth}em'>{words}</li>")
        sections.append(f"<h4>{escape(title)}</h4><ul>{''.join(lines)}</ul>")
    rules = f"<details><summary>The rules</summary>{''.join(sections)}</details>"
    params_html = table(("param", "value", "possible", "what it is"), params) if params else ""
    text = f"{game.title}\n{game.help}\n{game.params!r}".rstrip()
    return {"text/plain": text, "text/html": f"<div>{head}{params_html}{rules}</div>"}
