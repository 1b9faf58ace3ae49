"""Games on paper, read with a PDF reader of its own."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import bundled
import houserule as hr
import pytest
from pypdf import PdfReader
from pypdf.generic import ContentStream

MM = 72 / 25.4
"""Points per millimetre."""

CARDS = """
game "Cards" {
  players 2
  enum suit { clubs, diamonds, hearts, spades }
  domain card { suit: suit, rank: 2..14 }
  enum cube { green, grey, gold }
  zone deck of card seen by none
  zone hand[player] of card seen by owner
  zone bag of cube = [green: 10, grey: 5, gold: 1] seen by none
  zone screen[player] of cube seen by owner
  setup { deal 5 from deck to hand   deal 2 from bag to screen }
  turn { choose { play c in hand[me] { move c to deck; end game } } }
}
"""


def printed(tmp_path: Path, game: hr.Game, **options: Any) -> PdfReader:
    path = tmp_path / "sheet.pdf"
    game.print(path, **options)
    return PdfReader(path, strict=True)


def text(reader: PdfReader, *pages: int) -> str:
    """The words of some pages, or of all."""
    wanted = [reader.pages[page] for page in pages] if pages else reader.pages
    return " ".join(" ".join(page.extract_text().split()) for page in wanted)


def squares(reader: PdfReader, page: int = 0) -> list[float]:
    """The sides of the squares that are drawn as closed lines, or by the lines of a grid, in millimetres."""
    found: list[float] = []
    points: list[tuple[float, float]] = []
    lines: list[tuple[tuple[float, float], tuple[float, float]]] = []
    scale = 1.0
    for operands, operator in ContentStream(reader.pages[page].get_contents(), reader).operations:
        if operator == b"cm":
            scale *= abs(float(operands[0]))
        elif operator in (b"m", b"l"):
            if operator == b"m":
                points = []
            points.append((float(operands[0]), float(operands[1])))
            if len(points) == 5 and points[0] == points[4]:
                (left, top), (right, _), (_, bottom) = points[0], points[1], points[2]
                if abs((right - left) - abs(bottom - top)) < 0.1:
                    found.append((right - left) * scale / MM)
            elif len(points) == 2:
                lines.append((points[0], points[1]))
        elif operator in (b"S", b"s", b"f", b"B", b"n"):
            upright = [begin[0] for begin, end in lines if begin[0] == end[0]]
            level = [begin[1] for begin, end in lines if begin[1] == end[1]]
            if min(len(upright), len(level)) > 4:
                side = abs(upright[1] - upright[0]) * scale / MM
                found.extend([side] * ((len(upright) - 1) * (len(level) - 1)))
            lines = []
    return found


@pytest.mark.parametrize(("paper", "size"), [("a4", (210.0, 297.0)), ("letter", (215.9, 279.4))])
def test_pages_have_the_size_of_the_paper(tmp_path: Path, paper: str, size: tuple[float, float]) -> None:
    reader = printed(tmp_path, hr.load("dilido"), paper=paper)
    # A sheet, the rules on its back, and a sheet for the games of a match.
    assert len(reader.pages) == 3
    assert "game 16" in text(reader, 2)
    for page in reader.pages:
        assert float(page.mediabox.width) / MM == pytest.approx(size[0], abs=0.01)
        assert float(page.mediabox.height) / MM == pytest.approx(size[1], abs=0.01)
    # A board that is wide gets a page across.
    wide = printed(tmp_path, hr.load("kalah"), paper=paper).pages[0].mediabox
    assert (float(wide.width) / MM, float(wide.height) / MM) == pytest.approx(size[::-1], abs=0.01)


@pytest.mark.parametrize("name", ["dilido", "dominoes", "go", "yacht"])
def test_text_is_text_in_embedded_fonts(tmp_path: Path, name: str) -> None:
    game = hr.load(name)
    reader = printed(tmp_path, game)
    assert reader.metadata is not None
    assert reader.metadata.title == game.title
    fonts: dict[str, Any] = {}
    for page in reader.pages:
        resources: Any = page["/Resources"]
        fonts.update(resources["/Font"])
    assert sorted(fonts) == ["/bold", "/regular"]
    for font in fonts.values():
        font = font.get_object()
        assert "/ToUnicode" in font
        # A tag of six letters says that only some glyphs are there.
        tag, plus, base = font["/BaseFont"][1:].partition("+")
        assert len(tag) == 6 and tag.isupper() and plus and base.startswith("DejaVuSansCondensed")
        descriptor = font["/DescendantFonts"][0].get_object()["/FontDescriptor"].get_object()
        data = descriptor["/FontFile2"].get_object().get_data()
        assert data[:4] == b"\0\1\0\0"
        assert 1000 < len(data) < 40_000
    words = text(reader)
    assert f"houserule print {name}" in words
    # On paper nothing can be set: params have neither names nor other values.
    names = "|".join(map(re.escape, game.params)) or "!"
    for section, entries in game._sections():
        assert ("The numbers of this game" if section == "What can be set" else section) in words
        for entry_name, told, _ in entries:
            on_paper = re.sub(rf" \((?:{names})(?::[^)]*)?\)", "", " ".join(told.split()))
            assert on_paper in words
            assert entry_name in words


def test_squares_are_of_a_size_for_pens(tmp_path: Path) -> None:
    found = Counter(round(side, 1) for side in squares(printed(tmp_path, hr.load("dilido"))))
    assert found[20.0] == 36
    for per_page in (2, 3, 4):
        sides = squares(printed(tmp_path, hr.load("dilido"), per_page=per_page, rules=False))
        assert len(sides) == 36 * per_page
        assert min(sides) >= 9.0 - 0.01
    with pytest.raises(ValueError, match=r"9 mm that a pen needs; at most \d+ sheets fit"):
        hr.load("dilido").print(tmp_path / "sheet.pdf", per_page=30)


def test_players_have_sheets_of_their_own(tmp_path: Path) -> None:
    for players in (2, 3, 5):
        game = hr.load("dice-wide-shut", players=players)
        reader = printed(tmp_path, game, rules=False)
        assert len(reader.pages) == players
        for seat in range(players):
            assert f"player {seat + 1}" in text(reader, seat)
            assert len([side for side in squares(reader, seat) if side > 9]) == 50
    game = hr.load("dice-wide-shut", players=3)
    assert len(printed(tmp_path, game, rules=False, per_page=2).pages) == 2
    assert len(printed(tmp_path, game, rules=False, copies=2).pages) == 6
    assert len(printed(tmp_path, hr.load("dilido"), rules=False, per_page=2, copies=5).pages) == 3 + 1
    # All have one board.
    assert len(printed(tmp_path, hr.load("dots-and-boxes", players=4), rules=False).pages) == 1


def test_the_score_has_its_rows(tmp_path: Path) -> None:
    sheet = text(printed(tmp_path, hr.load("dicrono"), rules=False))
    for word in ("penalties", "across", "down", "rising", "falling", "lines", "third penalty", "total"):
        assert word in sheet
    boxes = text(printed(tmp_path, hr.load("yacht", players=2), rules=False))
    for word in ("player 1", "player 2", "four of a kind", "50 for five of a kind", "total"):
        assert word in boxes


def test_changes_are_marked(tmp_path: Path) -> None:
    plain = text(printed(tmp_path, hr.load("dilido")))
    for word in ("NEW", "CHANGED", "GONE", "What is changed"):
        assert word not in plain
    torus = printed(tmp_path, hr.load("dilido + torus"))
    words = text(torus)
    assert "A bar marks what differs from Di-Li-Do" in words
    assert "CHANGED cell: a board of 6 columns and 6 rows, whose opposite edges join" in words
    assert "was: a board of 6 columns and 6 rows" in words
    assert words.count("CHANGED") == 2
    # A setting is a change as well.
    larger = text(printed(tmp_path, hr.load("dilido", size=8)))
    size = "Squares to a side, and faces on a die"
    assert f"CHANGED {size}: 8" in larger and f"was: {size}: 6" in larger
    assert "houserule print dilido --set size=8" in larger


def test_own_variants_are_compared_with_their_game(tmp_path: Path) -> None:
    file = tmp_path / "mine.rules"
    file.write_text(
        'variant "Mine" of "tic-tac-toe" {\n'
        "  new param bonus: 0..9 = 2 \"points for a corner\"\n"
        "  new score { corners: bonus * count(corners & mark[me]) \"your corners\" }\n"
        "  without end full\n"
        "  new end later when empty is nothing\n"
        "}\n"
    )
    words = text(printed(tmp_path, hr.load(str(file))))
    assert "A bar marks what differs from Tic-tac-toe" in words
    for told in ("NEW Points for a corner: 2", "NEW corners: your corners", "GONE"):
        assert told in words


def test_tiles_and_cards_can_be_cut_out(tmp_path: Path) -> None:
    reader = printed(tmp_path, hr.load("dominoes"), rules=False)
    assert "tile: 28 to cut out" in text(reader, 1)
    # All pips of a double-six set are 168 discs, and nothing else is filled with black.
    stream = ContentStream(reader.pages[1].get_contents(), reader)
    pips, parts, is_black = 0, 0, False
    for operands, operator in stream.operations:
        if operator == b"rg":
            is_black = all(float(part) == 0 for part in operands)
        elif operator == b"m":
            parts += 1
        elif operator in (b"f", b"S"):
            pips += parts if operator == b"f" and is_black else 0
            parts = 0
    assert pips == 168
    cards = printed(tmp_path, hr.parse(CARDS))
    words = [text(cards, page) for page in range(len(cards.pages))]
    pages = [told for told in words if "card: 52 to cut out" in told]
    # Nine to a page. Each index stands in two corners.
    assert len(pages) == 6
    for index in ("J", "Q", "K", "A"):
        assert sum(told.split().count(index) for told in pages) == 2 * 4
    [cubes] = [told for told in words if "cube: 16 to cut out" in told]
    assert [cubes.count(colour) for colour in ("green", "grey", "gold")] == [10, 5, 1]


@pytest.mark.one_of(8)
@pytest.mark.parametrize("name", bundled.NAMES)
def test_every_game_can_be_printed(tmp_path: Path, name: str) -> None:
    game = bundled.load(name)
    reader = printed(tmp_path, game)
    # A game of nothing but dice has no sheet, only its rules.
    assert len(reader.pages) >= 2 or not re.search(r"^  (board|zone) ", game.source, flags=re.M)
    assert game.title in text(reader)


def test_wrong_arguments_are_told(tmp_path: Path) -> None:
    game, path = hr.load("dilido"), tmp_path / "sheet.pdf"
    with pytest.raises(ValueError, match='there is no paper "a5"; the sizes are "a4" and "letter"'):
        game.print(path, paper="a5")  # type: ignore[arg-type]
    for wrong in (0, 33):
        with pytest.raises(ValueError, match="per_page must be a number from"):
            game.print(path, per_page=wrong)
    with pytest.raises(ValueError, match="copies must be a number from 1 to 100, not 0"):
        game.print(path, copies=0)
    with pytest.raises(ValueError, match="must end in `.pdf`"):
        game.print(tmp_path / "sheet.txt")
    with pytest.raises(OSError, match="No such file"):
        game.print(tmp_path / "none" / "sheet.pdf")
    assert not path.exists()
    game.print(tmp_path / "page.svg")
    assert (tmp_path / "page.svg").read_text().startswith("<svg ")


def sides(sheet: PdfReader) -> str:
    """The texts of one or two characters of the first page: those beside the columns and rows come first."""
    return " ".join(word for word in sheet.pages[0].extract_text().split() if len(word) < 3)


def test_columns_that_dice_name_have_numbers(tmp_path: Path) -> None:
    assert sides(printed(tmp_path, hr.load("dilido"), rules=False)).startswith("1 2 3 4 5 6 6 5 4 3 2 1")
    # The number of a mark comes from the purple die by way of variables.
    assert sides(printed(tmp_path, hr.load("dice-wide-shut"), rules=False)).startswith("1 2 3 4 5 1 2 3 4 5")
    hexes = """
    game "Hexes" {
      players 1
      board cell = hex(3, 3)
      dice two: 2 of d3
      piece dot
      turn {
        roll two
        let across = 4 - two[1]
        choose { at c in {cell(across, two[2])} & empty { put dot at c } otherwise { end game } }
      }
    }
    """
    assert sides(printed(tmp_path, hr.parse(hexes), rules=False)).startswith("1 2 3")
    # What dice move from its place keeps its name, as where nothing is rolled.
    moved = """
    game "Moved" {
      players 1
      board cell = grid(4, 2)
      dice die: 1 of d3
      piece dot
      setup { put dot at @a1 }
      turn { roll die   choose { go a in dot { clear dot   put dot at {cell(column(a) + die, 2)} } out { end game } } }
    }
    """
    assert sides(printed(tmp_path, hr.parse(moved), rules=False)).startswith("a b c d")
    assert sides(printed(tmp_path, hr.load("chess"), rules=False)).startswith("a b c d e f g h")


def test_points_of_runs_are_on_the_sheet(tmp_path: Path) -> None:
    sheet = text(printed(tmp_path, hr.load("dice-wide-shut"), rules=False), 0)
    assert "a run of 1: 1 point, of 2: 3 points, of 3: 7 points, of 4: 12 points, of 5: 18 points" in sheet
    assert "of 4: 10 points, of 5: 15 points" in sheet
    sums = """
    game "Sums" {
      players 1
      board cell[1..2] = grid(4, 4)
      piece dot
      turn { choose { put n in 1..2, c in empty[n] { put dot[n] at c } stop { end game } } }
      score {
        runs: sum n in 1..2: lines(dot[n], [3: 4, 4+: 9])  "runs on both boards",
        double: 2 * lines(dot[1], [3: 5])  "those of the first board again",
      }
    }
    """
    sheet = text(printed(tmp_path, hr.parse(sums), rules=False))
    assert "runs on both boards; a run of 3: 4 points, of 4 or more: 9 points" in sheet
    # A run brings twice the points of the table.
    assert "of 3: 5 points" not in sheet
