"""The table: moves by mouse and by keyboard, time, branches, hidden hands, agents, dice."""

from __future__ import annotations

import re
from collections.abc import Callable


from playwright.sync_api import expect
from workbench_page import Workbench

Opened = Callable[..., Workbench]


def test_a_game_is_played_by_mouse(workbench: Opened) -> None:
    desk = workbench("tic-tac-toe")
    cells = desk.page.locator(".board [data-thing]")
    expect(cells).to_have_count(9)
    expect(desk.can).to_have_count(9)
    for number, cell in enumerate([0, 3, 1, 4], 1):
        desk.click(cells.nth(cell))
        expect(desk.time).to_have_text(f"{number}/{number}")
        expect(desk.can).to_have_count(9 - number)
    # A place that is taken is none that can be chosen.
    cells.nth(0).click()
    expect(desk.time).to_have_text("4/4")
    desk.click(cells.nth(2))
    expect(desk.heading).to_contain_text("win")
    expect(desk.can).to_have_count(0)


def test_a_game_is_played_to_its_end_without_a_mouse(workbench: Opened) -> None:
    desk = workbench("tic-tac-toe")
    page = desk.page
    desk.text.focus()
    desk.press("F6")
    focused = page.locator(".board :focus")
    names = []
    for number in range(1, 10):
        if number > 1:
            desk.press("l")
        expect(focused).to_have_class(re.compile("can"))
        names.append(focused.get_attribute("aria-label"))
        desk.press("Enter")
        expect(desk.time).to_have_text(f"{number}/{number}")
        if desk.can.count() == 0:
            break
    assert len(set(names)) == number and all(names)
    expect(desk.heading).not_to_be_empty()
    over = desk.heading.inner_text()
    desk.press("u")
    expect(desk.time).to_have_text(f"{number - 1}/{number}")
    desk.press("r")
    expect(desk.heading).to_have_text(over)
    desk.press("Home", "]", "]")
    expect(desk.time).to_have_text(f"2/{number}")
    desk.press("End", "[")
    expect(desk.time).to_have_text(f"{number - 1}/{number}")
    page.keyboard.press("n")
    dialog = page.get_by_role("dialog", name="New game")
    expect(dialog).to_be_visible()
    dialog.get_by_label("Seed").focus()
    desk.press("Enter")
    expect(desk.time).to_have_text("0/0")


def test_arrow_keys_go_from_place_to_place(workbench: Opened) -> None:
    desk = workbench("tic-tac-toe")
    cells = desk.page.locator(".board [data-thing]")
    middle = cells.nth(4)
    middle.focus()
    box = middle.bounding_box()
    for key, axis, sign in (("ArrowRight", "x", 1), ("ArrowDown", "y", 1), ("ArrowLeft", "x", -1), ("ArrowUp", "y", -1)):
        before = desk.page.locator(".board :focus").bounding_box()
        desk.page.keyboard.press(key)
        after = desk.page.locator(".board :focus").bounding_box()
        other = "y" if axis == "x" else "x"
        assert before and after
        assert (after[axis] - before[axis]) * sign > 0 and abs(after[other] - before[other]) < 1  # type: ignore[literal-required]
    assert desk.page.locator(".board :focus").bounding_box() == box
    # One place alone is reached by Tab.
    expect(desk.page.locator('.board [tabindex="0"]')).to_have_count(1)


def test_a_move_of_two_places_is_two_clicks(workbench: Opened) -> None:
    desk = workbench("breakthrough")
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
    desk.press("g")  # it is typed
    expect(field).to_have_value("nonsenseg")
    desk.click(desk.can.first)
    name = desk.log()[0].split("\n")[-1]
    field.fill(name)
    field.press("Enter")
    expect(desk.time).to_have_text("2/2")
    expect(field).to_have_value("")


def test_undo_and_redo_give_the_same_dice_and_other_dice_others(torus: Workbench) -> None:
    torus.page.locator(".table .title").click()
    torus.press(*"gggggg")
    expect(torus.time).to_have_text("6/6")
    played = torus.outcome()
    torus.press("u", "u", "u")
    assert torus.outcome() != played
    expect(torus.time).to_have_text("3/6")
    torus.press("r", "r", "r")
    assert torus.outcome() == played
    # A choice made once more has the same dice after it.
    torus.press("u")
    name = played["log"][-1]
    torus.press("r")
    assert torus.log()[-1] == name
    # So has the slider.
    slider = torus.page.get_by_role("slider", name="Decision shown")
    slider.focus()
    torus.press("Home")
    expect(torus.time).to_have_text("0/6")
    slider.focus()
    torus.press("End")
    assert torus.outcome() == played
    # Other dice begin a line of their own; the old one stays as it was.
    torus.press("[")
    before = torus.outcome()
    torus.button("Other dice").click()
    expect(torus.lines).to_have_count(2)
    torus.settle()
    assert torus.outcome() != before
    torus.click(torus.lines.first)
    assert torus.outcome() == played


def test_another_move_at_an_earlier_place_begins_a_line(workbench: Opened) -> None:
    desk = workbench("tic-tac-toe")
    cells = desk.page.locator(".board [data-thing]")
    for cell in (0, 1, 2):
        desk.click(cells.nth(cell))
    first = desk.outcome()
    desk.press("[", "[")
    desk.click(cells.nth(8))
    expect(desk.lines).to_have_count(2)
    expect(desk.time).to_have_text("2/2")
    expect(desk.lines.last).to_have_attribute("aria-current", "true")
    desk.click(desk.lines.first)
    expect(desk.time).to_have_text("3/3")
    assert desk.outcome() == first


def test_hidden_hands_are_covered_until_the_next_person_has_the_screen(workbench: Opened) -> None:
    desk = workbench("crazy-eights")
    page = desk.page
    hand_over = page.get_by_role("group", name="Hand-over")
    covers = 0
    for _ in range(8):
        if page.get_by_role("button", name="Cover the table").count():
            page.get_by_role("button", name="Cover the table").click()
        if hand_over.count():
            covers += 1
            expect(page.locator(".board")).to_have_count(0)
            expect(page.locator(".log, .choices")).to_have_count(0)
            desk.click(hand_over.get_by_role("button"))
            expect(page.locator(".board")).to_be_visible()
        desk.click(page.get_by_role("button", name="Random"))
    assert covers >= 2
    # The other hand is no part of the page.
    hands = page.locator(".board title").all_inner_texts()
    assert hands
    # Between agents nobody covers anything.
    for seat in page.get_by_role("list", name="Seats").get_by_role("combobox").all()[1:]:
        seat.select_option("random")
        desk.settle()


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
    desk.click(desk.button("To the end"))
    expect(desk.heading).not_to_have_text("")
    expect(desk.button("To the end")).to_have_count(0)
    assert len(desk.log()) == int(desk.at().split("/")[1]) > 6


def test_real_dice_are_typed_in(torus: Workbench) -> None:
    torus.button("New game").click()
    dialog = torus.page.get_by_role("dialog", name="New game")
    dialog.get_by_label("Dice and cards").select_option("reported")
    torus.click(dialog.get_by_role("button", name="Begin"))
    outcomes = torus.page.locator(".outcomes button")
    expect(outcomes.first).to_be_visible()
    name = outcomes.nth(7).inner_text()
    torus.click(outcomes.nth(7))
    assert name in " ".join(torus.log())
    torus.click(torus.can.first)
    expect(torus.time).to_have_text("1/1")


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
    played = torus.log()
    torus.replace("true", "false")
    expect(torus.status).to_have_text("No messages")
    torus.settle()
    expect(torus.time).to_have_text(re.compile("/3$"))
    assert torus.log() == played
    # On a board of three by three the first roll is another.
    torus.page.keyboard.press("End")
    torus.page.keyboard.press("Enter")
    torus.page.keyboard.type("param size = 3")
    differs = torus.page.get_by_role("alert").filter(has_text="First differs at decision")
    expect(differs).to_be_visible()
    expect(torus.page.locator('.board [data-thing^="cell:"]')).to_have_count(9)
    torus.text.focus()
    torus.page.keyboard.press("Control+z")
    expect(differs).to_have_count(0)
    assert torus.log() == played


