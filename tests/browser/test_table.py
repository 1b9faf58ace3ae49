"""The table: moves by mouse and by keyboard, time, branches, hidden hands, agents, dice."""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect
from workbench_page import COMMAND, Workbench

Opened = Callable[..., Workbench]


def test_a_game_is_played_by_mouse(workbench: Opened) -> None:
    desk = workbench("tic-tac-toe")
    expect(desk.can).to_have_count(9)
    for number, place in enumerate(["a1", "a2", "b1", "b2"], 1):
        desk.click(desk.place(place))
        expect(desk.time).to_have_text(f"{number}/{number}")
        expect(desk.can).to_have_count(9 - number)
    # A place that is taken can't be chosen.
    expect(desk.cells.first).to_be_disabled()
    desk.cells.first.click(force=True)
    expect(desk.time).to_have_text("4/4")
    desk.click(desk.place("c1"))
    expect(desk.heading).to_contain_text("X wins")
    expect(desk.can).to_have_count(0)


def test_a_game_is_played_to_its_end_without_a_mouse(workbench: Opened) -> None:
    desk = workbench("tic-tac-toe")
    desk.text.focus()
    desk.press("F6")
    # Whoever takes the next free place wins with the seventh.
    for number in range(1, 8):
        if number > 1:
            desk.press("l")
        expect(desk.focused).to_have_class("can")
        expect(desk.focused).to_have_role("button")
        desk.press("Enter")
        expect(desk.time).to_have_text(f"{number}/{number}")
        # The focus stays where it was.
        expect(desk.focused).to_be_disabled()
    expect(desk.heading).to_contain_text("X wins")
    desk.press("u")
    expect(desk.time).to_have_text("6/7")
    expect(desk.heading).not_to_contain_text("wins")
    desk.press("r")
    expect(desk.heading).to_contain_text("X wins")
    desk.press("Home", "]", "]")
    expect(desk.time).to_have_text("2/7")
    desk.press("End", "[")
    expect(desk.time).to_have_text("6/7")
    desk.press("n")
    dialog = desk.page.get_by_role("dialog", name="New game")
    dialog.get_by_role("spinbutton", name="Seed").focus()
    desk.press("Enter")
    expect(dialog).to_have_count(0)
    expect(desk.time).to_have_text("0/0")


def test_arrow_keys_go_from_place_to_place(workbench: Opened) -> None:
    desk = workbench("tic-tac-toe")
    desk.place("b2").focus()
    for key, name in (("ArrowRight", "c2"), ("ArrowDown", "c1"), ("ArrowLeft", "b1"), ("ArrowUp", "b2"), ("ArrowUp", "b3")):
        desk.press(key)
        expect(desk.focused).to_have_accessible_name(name)
    desk.press("ArrowUp")  # the edge
    expect(desk.focused).to_have_accessible_name("b3")
    # One place is reached by Tab, the others by arrow keys.
    expect(desk.page.locator('.board [tabindex="0"]')).to_have_count(1)


def test_a_move_of_two_places_is_two_clicks(workbench: Opened) -> None:
    desk = workbench("english-draughts")
    pieces = desk.can.count()
    desk.can.first.click()
    expect(desk.page.locator(".board .picked")).to_have_count(1)
    expect(desk.time).to_have_text("0/0")
    assert 0 < desk.can.count() < pieces
    desk.page.keyboard.press("Escape")
    expect(desk.page.locator(".board .picked")).to_have_count(0)
    expect(desk.can).to_have_count(pieces)
    desk.can.first.click()
    desk.click(desk.can.first)
    expect(desk.time).to_have_text("1/1")
    # The same by keys.
    desk.can.first.focus()
    desk.press("Enter", "l", "Enter")
    expect(desk.time).to_have_text("2/2")


def test_a_move_is_typed(workbench: Opened) -> None:
    desk = workbench("connect-four")
    field = desk.page.get_by_label("Type a move")
    field.fill("nonsense")
    field.press("Enter")
    wrong = desk.page.locator(".notice.error")
    expect(wrong).to_contain_text("nonsense")
    wrong.get_by_role("button", name="Dismiss").click()
    desk.click(desk.can.first)
    name = desk.log()[0].split("\n")[-1]
    field.fill(name)
    field.press("Enter")
    expect(desk.time).to_have_text("2/2")
    expect(field).to_have_value("")


def test_undo_and_redo_give_the_same_dice_and_other_dice_others(torus: Workbench) -> None:
    torus.page.locator(".table .title").click()
    torus.press(*"gggggg")
    played, end = torus.shown(), torus.at()
    torus.press("u", "u", "u")
    assert torus.shown() != played and torus.at() != end
    torus.press("r", "r", "r")
    assert torus.shown() == played and torus.at() == end
    slider = torus.page.get_by_role("slider", name="Decision shown")
    slider.focus()
    torus.press("Home")
    expect(torus.time).to_have_text(re.compile("^0/"))
    first = torus.shown()
    torus.press("End")
    assert torus.shown() == played
    # Other dice begin a line of their own; the old one stays as it was.
    torus.press("Home")
    assert torus.shown() == first
    torus.click(torus.button("Other dice"))
    expect(torus.lines).to_have_count(2)
    assert torus.shown() != first
    torus.click(torus.lines.first)
    assert torus.shown() == played


def test_another_move_at_an_earlier_place_begins_a_line(workbench: Opened) -> None:
    desk = workbench("tic-tac-toe")
    for place in ("a1", "b1", "c1"):
        desk.click(desk.place(place))
    first = desk.shown()
    desk.press("[", "[")
    desk.click(desk.place("c3"))
    expect(desk.lines).to_have_count(2)
    expect(desk.time).to_have_text("2/2")
    expect(desk.lines.last).to_have_attribute("aria-current", "true")
    desk.click(desk.lines.first)
    expect(desk.time).to_have_text("3/3")
    assert desk.shown() == first


def test_hidden_hands_are_covered_until_the_next_person_has_the_screen(workbench: Opened) -> None:
    desk = workbench("crazy-eights")
    hand_over = desk.page.get_by_role("group", name="Hand-over")
    cover = desk.button("Cover the table")

    def taken() -> bool:
        """Hands the screen over, if the next decision is that of another person."""
        if cover.count():
            desk.click(cover)
        if not hand_over.count():
            return False
        expect(desk.page.locator(".board, .log, .scores, .choices, .lines")).to_have_count(0)
        desk.click(hand_over.get_by_role("button"))
        return True

    seen, covered = [], 0
    # Nobody has had more than two turns by then, so that no hand is empty.
    while covered < 3:
        covered += taken()
        seen.append(desk.page.locator(".board svg").text_content())
        desk.click(desk.button("Random"))
    assert len(set(seen)) >= covered
    # With an agent in the other seat nobody looks away. Two more turns empty no hand either.
    desk.page.get_by_role("list", name="Seats").get_by_role("combobox").last.select_option("random")
    desk.settle()
    taken()
    for _ in range(2):
        desk.click(desk.button("Random"))
        expect(hand_over).to_have_count(0)


def test_cards_are_named_as_the_board_shows_them(workbench: Opened) -> None:
    desk = workbench("crazy-eights")
    desk.click(desk.page.get_by_role("group", name="Hand-over").get_by_role("button"))
    for told in ("\n".join(desk.log()), desk.page.locator("section.table").inner_text()):
        assert not re.search("(clubs|diamonds|hearts|spades)-", told)
    assert re.search("pick [♣♦♥♠]", "\n".join(desk.log()))


def test_agents_sit_in_seats(workbench: Opened) -> None:
    desk = workbench("connect-four")
    seats = desk.page.get_by_role("list", name="Seats").get_by_role("combobox")
    seats.last.select_option("random")
    desk.settle()
    desk.click(desk.can.first)
    # The agent has answered.
    expect(desk.time).to_have_text("2/2")
    seats.first.select_option("greedy")
    desk.settle()
    desk.click(desk.button("One decision"))
    expect(desk.time).to_have_text("3/3")
    desk.click(desk.button("Play to the end"))
    expect(desk.heading).not_to_have_text("")
    expect(desk.button("Play to the end")).to_have_count(0)
    assert len(desk.log()) == int(desk.at().split("/")[1]) > 6


def test_an_agent_begins_each_new_game(workbench: Opened) -> None:
    desk = workbench("tic-tac-toe")
    desk.page.get_by_role("list", name="Seats").get_by_role("combobox").first.select_option("greedy")
    expect(desk.time).to_have_text("1/1")
    for _ in range(2):
        desk.page.locator(".table .title").click()
        desk.press("n")
        dialog = desk.page.get_by_role("dialog", name="New game")
        dialog.get_by_role("button", name="Begin").click()
        expect(dialog).to_have_count(0)
        desk.settle()
        expect(desk.time).to_have_text("1/1")
        expect(desk.can).to_have_count(8)


def test_an_agent_that_failed_is_replaced_by_another(workbench: Opened, folder: Path) -> None:
    (folder / "first.rhai").write_text("fn choose(g, actions) { throw 1 }\n")
    desk = workbench("tic-tac-toe")
    seats = desk.page.get_by_role("list", name="Seats").get_by_role("combobox")
    seats.first.select_option("another agent…")
    field = desk.page.get_by_placeholder("mcts:1000")
    field.fill("first.rhai")
    field.press("Enter")
    expect(desk.page.locator(".notice.error")).not_to_have_count(0)
    expect(desk.time).to_have_text("0/0")
    desk.settle()
    # Another agent decides at the same place.
    seats.first.select_option("greedy")
    expect(desk.time).to_have_text("1/1")


def test_any_agent_takes_a_seat_by_its_name(workbench: Opened, folder: Path) -> None:
    (folder / "first.rhai").write_text("fn choose(g, actions) { actions[0] }\n")
    # No test before has trained an agent for these rules.
    (folder / "own.rules").write_text(f'variant "Own {time.time_ns()}" of "connect-four" {{\n}}\n')
    subprocess.run([COMMAND, "learn", "own.rules", "--games", "30", "-o", "mine.player"], cwd=folder, check=True)
    desk = workbench("own.rules")
    seats = desk.page.get_by_role("list", name="Seats").get_by_role("combobox")

    def seat(name: str) -> None:
        seats.last.select_option("another agent…")
        field = desk.page.get_by_placeholder("mcts:1000")
        expect(field).to_be_focused()
        field.fill(name)
        field.press("Enter")
        expect(seats.last).to_have_value(name)
        desk.settle()

    seat("mcts:20")
    desk.click(desk.can.first)
    expect(desk.time).to_have_text("2/2")
    seat("first.rhai")
    desk.click(desk.can.first)
    expect(desk.time).to_have_text("4/4")
    seat("mine.player")
    desk.click(desk.can.first)
    expect(desk.time).to_have_text("6/6")
    # One that learns waits until it is trained.
    seat("learned:30")
    desk.click(desk.can.first)
    expect(desk.time).to_have_text("7/7")
    desk.button("Train it").click()
    expect(desk.time).to_have_text("8/8")
    expect(desk.page.locator(".notice.error")).to_have_count(0)


def test_real_dice_are_typed_in(torus: Workbench) -> None:
    torus.button("New game").click()
    dialog = torus.page.get_by_role("dialog", name="New game")
    dialog.get_by_label("Dice and cards").select_option("reported")
    torus.click(dialog.get_by_role("button", name="Begin"))
    outcomes = torus.page.locator(".outcomes button")
    expect(outcomes.first).to_be_visible()
    torus.click(outcomes.filter(has_text="2 5"))
    assert "roll pair 2 5" in torus.log()[0]
    expect(torus.can).to_have_count(2)
    torus.click(torus.can.first)
    torus.click(torus.button("pass", exact=False))
    expect(torus.time).to_have_text("2/2")
    expect(outcomes.first).to_be_visible()
    # Or as words.
    field = torus.page.get_by_label("Type a move")
    field.fill("6 6")
    field.press("Enter")
    expect(torus.page.locator(".log")).to_contain_text("roll pair 6 6")


def test_the_score_shows_its_places(torus: Workbench) -> None:
    torus.page.locator(".table .title").click()
    row = torus.page.locator(".scores tr:not(.total)")
    while not torus.page.locator(".scores .total td", has_text=re.compile("[1-9]")).count():
        torus.press("g")
    row.first.hover()
    expect(torus.page.locator(".board .lit")).not_to_have_count(0)
    torus.page.locator(".heading").hover()
    expect(torus.page.locator(".board .lit")).to_have_count(0)
    row.first.get_by_role("button").focus()
    expect(torus.page.locator(".board .lit")).not_to_have_count(0)


def test_the_game_is_replayed_under_changed_rules(torus: Workbench) -> None:
    torus.page.locator(".table .title").click()
    torus.press(*"ggg")
    played, end = torus.shown(), torus.at()
    # A limit that the game hasn't come to.
    torus.replace("4", "9")
    expect(torus.page.locator(".board svg")).to_contain_text("penalties")
    expect(torus.time).to_have_text(end)
    assert torus.log() == played[1]
    # On three squares by three the first roll can't come up.
    torus.replace("9", "4")
    torus.page.keyboard.press("Enter")
    torus.page.keyboard.type("param size = 3")
    differs = torus.page.get_by_role("alert").filter(has_text="First differs at decision 0")
    expect(differs).to_contain_text("can't come up here")
    expect(torus.cells).to_have_count(9)
    # The game isn't lost: it is there again without the change.
    torus.replace("3", "6")
    expect(differs).to_have_count(0)
    expect(torus.time).to_have_text(end)
    assert torus.shown() == played
    # Or it goes on by the new rules.
    torus.replace("6", "4")
    expect(differs).to_be_visible()
    torus.click(torus.button("Go on from here"))
    expect(differs).to_have_count(0)
    expect(torus.can).not_to_have_count(0)
