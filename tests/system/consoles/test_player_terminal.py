"""The player terminal at work: chips, confirmation, questions, plans, follow switches (consoles.md T1 to T5)."""

from __future__ import annotations

from typing import Any

import pytest
from console_checks import box, wait_until
from console_stub import ConsoleStub
from player_checks import confirmed, laid, notes, show
from player_scenes import (
    PLAYER,
    Scene,
    continuous_betting,
    continuous_decision,
    deluxe_betting,
    deluxe_decision,
    deluxe_follow,
    deluxe_standing,
    deluxe_waiting,
    european_decision,
    infinite_betting,
    infinite_decision,
    infinite_insurance,
    infinite_split,
    infinite_stood,
)
from playwright.sync_api import Browser, Page, expect

from studio.domain.views import BetView, FollowingView, PlanView

BETTING = [deluxe_betting, infinite_betting, continuous_betting]


SAME_PLACE_MS = 600
"""Longer than a button takes no second press."""


def bodies(stub: ConsoleStub, path: str) -> list[dict[str, Any]]:
    return [received.body for received in stub.received if received.path == path]


@pytest.mark.parametrize("scene", BETTING)
def test_the_left_button_adds_a_chip_and_the_right_one_takes_it_away(
    page: Page, stub: ConsoleStub, scene: Any
) -> None:
    show(page, stub, scene())
    spot = "main-2" if scene is deluxe_betting else "main-1"
    for chip in ("1", "5", "25", "100", "500"):
        page.get_by_test_id(f"chip-{chip}").click()
    assert laid(page, spot) == "+631.00"
    page.get_by_test_id("chip-100").click(button="right")
    assert laid(page, spot) == "+531.00"
    assert stub.received == []


def test_a_tap_adds_a_chip_and_a_long_press_takes_it_away(browser: Browser, stub: ConsoleStub) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    show(page, stub, continuous_betting())
    chip = page.get_by_test_id("chip-25")
    chip.tap()
    chip.tap()
    assert laid(page, "main-1") == "+50.00"
    centre = box(chip).centre
    finger = {"x": centre[0], "y": centre[1]}
    touch = context.new_cdp_session(page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [finger]})
    wait_until(page, lambda: laid(page, "main-1") == "+25.00")
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_timeout(100)
    assert laid(page, "main-1") == "+25.00"
    context.close()


def test_keys_add_take_away_undo_clear_and_choose_the_spot(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, infinite_betting())
    press = page.keyboard.press
    for key in ("3", "3", "2"):
        press(key, delay=50)
    wait_until(page, lambda: laid(page, "main-1") == "+55.00")
    press("Shift+Digit2", delay=50)
    wait_until(page, lambda: laid(page, "main-1") == "+50.00")
    press("ArrowRight", delay=50)
    page.wait_for_selector("[data-testid=spot-pair-1][aria-pressed=true]")
    press("1", delay=50)
    wait_until(page, lambda: laid(page, "pair-1") == "+1.00")
    press("Backspace", delay=50)
    wait_until(page, lambda: laid(page, "pair-1") == "")
    press("Delete", delay=50)
    wait_until(page, lambda: laid(page, "main-1") == "")


def test_one_confirmation_sends_all_chips_as_one_batch(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, infinite_betting())
    page.get_by_test_id("chip-25").click()
    page.get_by_test_id("spot-bust-1").click()
    page.get_by_test_id("chip-5").click()
    expect(page.get_by_test_id("draft-total")).to_have_text("30.00")
    page.keyboard.press("c")
    wait_until(page, lambda: len(stub.received) == 1)
    assert bodies(stub, "bets") == [
        {"bets": [{"kind": "main", "seat": 1, "amount": 2_500}, {"kind": "bust", "seat": 1, "amount": 500}]}
    ]
    wait_until(page, lambda: laid(page, "main-1") == "")


def test_what_the_balance_does_not_cover_cannot_be_confirmed(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, deluxe_betting().with_own(balance=150_00))
    page.get_by_test_id("chip-100").click()
    # One bet on two seats costs twice its amount.
    expect(page.get_by_test_id("draft-total")).to_have_text("200.00")
    expect(page.get_by_test_id("confirm")).to_be_disabled()
    page.keyboard.press("c")
    page.wait_for_timeout(150)
    assert stub.received == []


def test_a_bet_on_one_of_two_seats_is_mirrored_and_said_so(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, deluxe_betting())
    placed = [{"seat": 2, "amount": 2_500}, {"seat": 3, "amount": 2_500}]
    stub.answers.append(confirmed(stub, {"accepted": True, "bets": placed, "note": ""}))
    page.get_by_test_id("spot-main-3").click()
    page.get_by_test_id("chip-25").click()
    assert (laid(page, "main-2"), laid(page, "main-3")) == ("+25.00", "+25.00")
    page.get_by_test_id("confirm").click()
    wait_until(page, lambda: notes(page) == ["The same bet lies on both your seats: Seat 2 25.00, Seat 3 25.00"])
    assert bodies(stub, "bets") == [{"bets": [{"kind": "main", "seat": 2, "amount": 2_500}]}]


@pytest.mark.parametrize(
    ("scene", "item", "note"),
    [
        (
            continuous_betting,
            {"accepted": True, "bets": [{"seat": 1, "amount": 500}], "note": "raised-to-minimum"},
            "Raised to the table minimum: 5.00",
        ),
        (
            deluxe_betting,
            {
                "accepted": True,
                "bets": [{"seat": 2, "amount": 7_500}, {"seat": 3, "amount": 7_500}],
                "note": "shared-between-seats",
            },
            "Your balance is shared between your seats: Seat 2 75.00, Seat 3 75.00",
        ),
        (
            infinite_betting,
            {"accepted": False, "code": "under-minimum", "text": "The minimum is 500"},
            "Not accepted · Main bet: below the table minimum",
        ),
    ],
)
def test_a_bet_that_was_changed_or_refused_is_told(
    page: Page, stub: ConsoleStub, scene: Any, item: dict[str, Any], note: str
) -> None:
    show(page, stub, scene())
    stub.answers.append(confirmed(stub, item))
    page.get_by_test_id("chip-1").click()
    page.get_by_test_id("confirm").click()
    wait_until(page, lambda: notes(page) == [note])
    # What was refused lies there again, to be changed.
    spot = "main-2" if scene is deluxe_betting else "main-1"
    assert laid(page, spot) == ("" if item["accepted"] else "+1.00")


def test_the_numeric_zero_repeats_the_last_rounds_bets(page: Page, stub: ConsoleStub) -> None:
    first = infinite_betting()
    bets = (BetView("main", 1, 2_500), BetView("pair", 1, 500), BetView("poker3", 1, 500))
    show(page, stub, first.with_own(bets=bets))
    show(page, stub, infinite_decision())
    show(page, stub, first.with_table(round=13))
    page.keyboard.press("Numpad0")
    wait_until(page, lambda: laid(page, "main-1") == "+25.00")
    # Poker Three is closed in this shoe.
    assert (laid(page, "pair-1"), laid(page, "poker3-1")) == ("+5.00", "")
    assert stub.received == []
    page.get_by_test_id("confirm").click()
    wait_until(page, lambda: len(bodies(stub, "bets")) == 1)
    page.reload()
    page.wait_for_selector("main[data-sequence]")
    page.get_by_test_id("repeat").click()
    assert laid(page, "main-1") == "+25.00"


def test_chips_that_were_not_confirmed_come_back_with_a_note(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, infinite_betting())
    page.get_by_test_id("chip-25").click()
    show(page, stub, infinite_decision())
    assert notes(page) == ["Betting closed: chips that were not confirmed came back to you"]
    assert laid(page, "main-1") == ""
    assert page.get_by_test_id("chip-25").is_disabled()


@pytest.mark.parametrize("scene", [deluxe_decision, infinite_decision, european_decision, continuous_decision])
def test_only_what_is_legal_is_offered_each_with_its_cost_and_key(
    page: Page, stub: ConsoleStub, scene: Any
) -> None:
    shown: Scene = scene()
    show(page, stub, shown)
    asked = shown.own.questions[0]
    buttons = page.locator("[data-testid^=action-]")
    names = [button.get_attribute("data-testid") for button in buttons.all()]
    assert names == [f"action-{action}" for action in asked.actions]
    for action, cost in zip(asked.actions, asked.costs, strict=True):
        button = page.get_by_test_id(f"action-{action}")
        key = {"split": "P", "surrender": "R"}.get(action, action[0].upper())
        assert button.locator("kbd").inner_text() == key
        if cost:
            assert f"costs {cost / 100:,.2f}" in button.inner_text()
    assert page.locator(".phand[data-active=true]").count() == 1
    frame = page.locator(".phand.active")
    assert frame.evaluate("e => getComputedStyle(e).borderTopColor") == "rgb(255, 255, 255)"


def test_a_decision_goes_out_by_click_and_by_key_and_an_illegal_key_does_nothing(
    page: Page, stub: ConsoleStub
) -> None:
    show(page, stub, deluxe_decision())
    page.keyboard.press("p")
    page.wait_for_timeout(100)
    assert stub.received == []
    page.get_by_test_id("action-double").click()
    wait_until(page, lambda: len(stub.received) == 1)
    page.wait_for_selector("[data-testid=action-hit]:not([disabled])")
    page.keyboard.press("h")
    wait_until(page, lambda: len(stub.received) == 2)
    assert bodies(stub, "decisions") == [{"decision": 7, "action": "double"}, {"decision": 7, "action": "hit"}]


def test_a_refused_decision_says_why(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, deluxe_decision())
    stub.answers.append((409, {"code": "decision-late", "text": "The decision came after the deadline"}))
    page.get_by_test_id("action-stand").click()
    wait_until(page, lambda: notes(page) == ["Not accepted · Stand: The decision came after the deadline"])


def test_insurance_is_a_question_of_its_own(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, infinite_insurance())
    assert "costs 12.50" in page.get_by_test_id("action-insurance").inner_text()
    page.keyboard.press("n")
    wait_until(page, lambda: len(stub.received) == 1)
    assert bodies(stub, "insurance") == [{"seat": 1, "take": False}]


def test_seats_are_taken_and_left(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, deluxe_standing())
    assert page.get_by_test_id("take-5").count() == 0
    page.get_by_test_id("take-4").click()
    wait_until(page, lambda: len(stub.received) == 1)
    show(page, stub, deluxe_betting())
    assert page.locator("[data-testid^=take-]").count() == 0
    page.get_by_test_id("leave-3").click()
    wait_until(page, lambda: len(stub.received) == 2)
    assert bodies(stub, "seats") == [{"seat": 4, "action": "take"}, {"seat": 3, "action": "leave"}]


def test_chips_on_a_seat_that_is_lost_are_taken_off(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, deluxe_betting())
    page.get_by_test_id("chip-25").click()
    page.get_by_test_id("spot-pair-5").click()
    page.get_by_test_id("chip-1").click()
    show(page, stub, deluxe_standing())
    wait_until(page, lambda: page.get_by_test_id("draft-total").inner_text() == "1.00")
    assert laid(page, "pair-5") == "+1.00"


def test_nobody_bets_on_anothers_hand_without_choosing_it(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, deluxe_standing())
    assert page.locator("[data-testid^=spot-][aria-pressed=true]").count() == 0
    assert page.get_by_test_id("chip-25").is_disabled()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("[data-testid=spot-behind-5][aria-pressed=true]")


def test_behind_any_held_seat_but_ones_own_and_pair_on_all_of_them(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, deluxe_betting())
    spots = [spot.get_attribute("data-testid") for spot in page.locator("[data-testid^=spot-]").all()]
    assert spots == [
        *("spot-main-2", "spot-pair-2", "spot-main-3", "spot-pair-3"),
        *("spot-behind-5", "spot-pair-5", "spot-behind-6", "spot-pair-6"),
    ]
    page.get_by_test_id("spot-behind-5").click()
    page.get_by_test_id("chip-5").click()
    page.get_by_test_id("confirm").click()
    wait_until(page, lambda: len(stub.received) == 1)
    assert bodies(stub, "bets") == [{"bets": [{"kind": "behind", "seat": 5, "amount": 500}]}]


def test_the_follow_switches_ask_say_yes_or_say_no(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, deluxe_betting())
    assert page.get_by_test_id("follow-double-ask").get_attribute("aria-pressed") == "true"
    page.get_by_test_id("follow-double-yes").click()
    wait_until(page, lambda: len(stub.received) == 1)
    show(page, stub, deluxe_betting().with_own(following=FollowingView(double=True, split=None)))
    page.wait_for_selector("[data-testid=follow-double-yes][aria-pressed=true]:not([disabled])")
    page.keyboard.press("F4")
    wait_until(page, lambda: len(stub.received) == 2)
    assert bodies(stub, "following") == [{"double": True, "split": None}, {"double": True, "split": True}]


def test_a_follow_question_is_answered(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, deluxe_follow())
    assert page.get_by_test_id("question").inner_text() == "The player doubles. Follow? · Seat 5, Hand 1"
    assert "costs 10.00" in page.get_by_test_id("action-follow").inner_text()
    page.keyboard.press("f")
    wait_until(page, lambda: len(stub.received) == 1)
    assert bodies(stub, "follow") == [{"seat": 5, "hand": 1, "follow": True}]


def test_an_action_is_chosen_ahead_changed_and_taken_back(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, deluxe_waiting())
    assert page.get_by_test_id("ahead").inner_text() == "Choose ahead · Seat 2 · 11"
    page.get_by_test_id("plan-double").click()
    wait_until(page, lambda: len(stub.received) == 1)
    planned = deluxe_waiting().with_own(plans=(PlanView(2, 1, "double"),))
    show(page, stub, planned)
    assert "ahead: Double" in page.get_by_test_id("hand-2-1").inner_text()
    page.keyboard.press("h")
    wait_until(page, lambda: len(stub.received) == 2)
    page.wait_for_timeout(SAME_PLACE_MS)
    page.get_by_test_id("plan-double").click()
    wait_until(page, lambda: len(stub.received) == 3)
    page.keyboard.press("ArrowDown")
    page.wait_for_selector("[data-testid=look-3-1][aria-pressed=true]")
    page.keyboard.press("s")
    wait_until(page, lambda: len(stub.received) == 4)
    assert bodies(stub, "plans") == [
        {"seat": 2, "hand": 1, "action": "double"},
        {"seat": 2, "hand": 1, "action": "hit"},
        {"seat": 2, "hand": 1, "action": None},
        {"seat": 3, "hand": 1, "action": "stand"},
    ]


def test_when_the_turn_comes_the_question_takes_the_place_of_the_plan(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, deluxe_waiting())
    show(page, stub, deluxe_decision())
    assert page.locator("[data-testid^=plan-]").count() == 0
    assert page.get_by_test_id("question").inner_text() == "Your turn · Seat 2 · 11"


def test_the_shared_hand_shows_what_the_player_keeps_beside_the_line(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, infinite_stood())
    line = page.get_by_test_id("line-1")
    own = page.get_by_test_id("own-hand-1")
    assert line.locator("[data-card]").count() == 4
    assert [card.get_attribute("data-card") for card in own.locator("[data-card]").all()] == ["8C", "8D"]
    assert "16" in own.inner_text()
    assert "stands" in own.inner_text()
    assert page.get_by_test_id("crowd").inner_text() == "1,204 players · 43,210.00 on the table"


def test_the_split_lines_are_shown_to_those_who_split(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, infinite_decision())
    assert page.locator("[data-testid^=line-]").all_inner_texts()[0].startswith("8")
    show(page, stub, infinite_split())
    lines = [line.get_attribute("data-testid") for line in page.locator(".phand[data-testid^=line-]").all()]
    assert lines == ["line-2", "line-3"]
    assert page.get_by_test_id("own-hand-1").get_attribute("data-active") == "true"
    unsplit = infinite_split().with_own(hands=infinite_stood().own.hands, questions=())
    show(page, stub, unsplit)
    lines = [line.get_attribute("data-testid") for line in page.locator(".phand[data-testid^=line-]").all()]
    assert lines == ["line-1"]


def test_the_side_bets_say_how_long_this_shoe_has_them(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, infinite_betting())
    assert page.get_by_test_id("left-pair").inner_text().split("\n") == [
        "up to 30:1",
        "28 rounds left in this shoe",
    ]
    assert page.get_by_test_id("left-lucky3").inner_text().split("\n")[1] == "1 round left in this shoe"
    assert page.get_by_test_id("left-poker3").inner_text() == "closed for this shoe"
    assert page.get_by_test_id("spot-poker3-1").is_disabled()


def test_the_player_stands_with_name_and_balance_beside_the_chips(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, continuous_betting())
    wait_until(page, lambda: "Ada Meyer" in page.get_by_test_id("purse").inner_text())
    assert page.get_by_test_id("balance").inner_text() == "1,234.00"
    assert PLAYER not in page.get_by_test_id("purse").inner_text()
