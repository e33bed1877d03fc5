"""The player terminal as a page: time, connection, history, languages, fairness, layout (consoles.md T6 to T9)."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import pytest
from console_checks import box, colour, wait_sequence, wait_until
from console_stub import ConsoleStub
from player_checks import OWN, PUBLIC, notes, show
from player_documents import history, rules
from player_scenes import (
    COMMITMENT,
    SECOND_NS,
    SEED,
    Scene,
    continuous_betting,
    continuous_decision,
    deluxe_betting,
    deluxe_decision,
    deluxe_settled,
    deluxe_waiting,
    european_betting,
    european_decision,
    hand,
    infinite_decision,
    player_scenes,
    seat,
    seats,
    soon,
)
from playwright.sync_api import Page, expect

from studio.domain.cards import DECK

SHIFT_CLOCK = "Date = class extends Date { static now() { return super.now() + %d; } }"
SPILLING = """() => [document.documentElement, ...document.querySelectorAll(
    '.table-felt, .house, .pseat, .onehand, .line-group, .dock, .tray, .asking')]
    .filter(e => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1)
    .map(e => e.className || e.tagName)"""


def deadline_at(scene: Scene, wall_ns: int) -> Scene:
    asked = tuple(replace(question, deadline_wall_ns=wall_ns) for question in scene.own.questions)
    return scene.with_table(deadline_wall_ns=wall_ns).with_own(questions=asked)


@pytest.mark.parametrize("hours", [-1, 1])
def test_the_countdown_follows_the_servers_time_whatever_the_clients_clock(
    page: Page, stub: ConsoleStub, hours: int
) -> None:
    page.add_init_script(SHIFT_CLOCK % (hours * 3_600_000))
    deadline = soon(20)
    show(page, stub, deadline_at(deluxe_decision(), deadline))
    page.wait_for_timeout(300)
    before = (deadline - time.time_ns()) / SECOND_NS
    shown = float(page.get_by_test_id("countdown").inner_text())
    after = (deadline - time.time_ns()) / SECOND_NS
    assert after - 0.25 <= shown <= before + 0.25


def test_after_the_deadline_the_default_that_was_applied_is_told(page: Page, stub: ConsoleStub) -> None:
    deadline = soon(0.6)
    show(page, stub, deadline_at(deluxe_decision(), deadline))
    page.wait_for_timeout(700)
    show(page, stub, deluxe_waiting())
    wait_until(page, lambda: notes(page) == ["No answer in time · Seat 2: Hit"])


def test_an_answered_question_leaves_no_such_note(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, deadline_at(deluxe_decision(), soon(0.6)))
    page.get_by_test_id("action-stand").click()
    page.wait_for_timeout(700)
    show(page, stub, deluxe_waiting())
    page.wait_for_timeout(100)
    assert notes(page) == []


def test_a_lost_connection_comes_back_to_the_same_round_and_says_what_was_decided(
    page: Page, stub: ConsoleStub
) -> None:
    show(page, stub, deluxe_decision())
    stub.shut = True
    stub.drop_connections()
    page.wait_for_selector("[data-connection=offline]")
    assert page.get_by_test_id("status").inner_text().startswith("The connection is lost")
    assert page.get_by_test_id("action-hit").is_disabled()
    later = deluxe_waiting()
    sequence = stub.show_all({PUBLIC: later.table, OWN: later.own})
    stub.shut = False
    page.wait_for_selector("[data-connection=live]")
    wait_sequence(page, sequence)
    wait_until(page, lambda: len(notes(page)) == 2)
    assert notes(page) == [
        "Connected again. This is the round as it stands now.",
        "Decided meanwhile: Hit (no answer), Seat 2",
    ]
    assert "Round 12" in page.get_by_test_id("table-name").inner_text()


def test_the_own_view_is_read_after_each_public_change_and_each_own_command(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, deluxe_waiting())
    scene = deluxe_decision()
    # The feed brings the public view alone.
    stub.views[OWN] = {**stub.views[OWN], "balance": 99_900}  # type: ignore[dict-item]
    sequence = stub.show(PUBLIC, scene.table)
    page.wait_for_selector(f"main[data-own-sequence='{sequence}']")
    assert page.get_by_test_id("balance").inner_text() == "999.00"
    stub.views[OWN] = {**stub.views[OWN], "balance": 88_800}  # type: ignore[dict-item]
    page.get_by_test_id("plan-stand").click()
    wait_until(page, lambda: page.get_by_test_id("balance").inner_text() == "888.00")


def test_a_stopped_table_is_told_and_takes_no_bets(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, deluxe_betting().with_table(stopped=True, deadline_wall_ns=None))
    assert page.get_by_test_id("status").inner_text() == "The table is stopped for a moment. Your bets are safe."
    assert page.get_by_test_id("chip-25").is_disabled()


def test_results_are_told_in_sum_and_at_their_seats(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, deluxe_settled())
    # 50.00 and 30.00 came back for 25.00, 25.00 and 5.00.
    assert page.get_by_test_id("status").inner_text() == "You win +25.00"
    assert "returned 50.00" in page.get_by_test_id("seat-2").inner_text()
    assert "returned 0.00" in page.get_by_test_id("seat-3").inner_text()


def test_the_history_has_bets_cards_decisions_results_and_entries(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, deluxe_waiting())
    page.keyboard.press("b")
    settled = page.get_by_test_id("round-10")
    settled.wait_for()
    rows = [row.split("\t") for row in settled.locator("tbody tr").all_inner_texts()]
    assert [(row[0], *row[2:]) for row in rows] == [
        ("Main bet · Seat 2", "1,234.00", "2,468.00", "won +1,234.00"),
        ("Pair · Seat 2", "5.00", "0.00", "lost -5.00"),
    ]
    codes = [card.get_attribute("data-card") for card in settled.locator("tbody [data-card]").all()]
    assert codes == ["8C", "3D", "TS", "8C", "3D"]
    assert "Decisions: Double, Seat 2 · Double → Hit (balance too low), Seat 3" in settled.inner_text()
    settled.locator("summary").click()
    assert [line.split("\n") for line in settled.locator(".entries li").all_inner_texts()] == [
        ["t1:90:0", "Main bet · placed", "-617.00"],
        ["t1:90:1", "Pair · placed", "-5.00"],
        ["t1:94:0", "Double", "-617.00"],
        ["t1:97:0", "Main bet · stake back", "+1,234.00"],
        ["t1:97:1", "Main bet · winnings", "+1,234.00"],
    ]


def test_void_and_refund_are_visible_as_such(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, deluxe_waiting())
    page.get_by_test_id("open-history").click()
    voided = page.get_by_test_id("round-11")
    voided.wait_for()
    assert "VOID · refunded" in voided.inner_text()
    assert "refunded 0.00" in voided.inner_text()
    voided.locator("summary").click()
    assert "Main bet · REFUND\n+25.00" in voided.inner_text()
    assert "in play" in page.get_by_test_id("round-12").inner_text()
    page.keyboard.press("Escape")
    page.wait_for_selector("[data-testid=panel-history]", state="detached")
    expect(page.get_by_test_id("open-history")).to_be_focused()


def test_a_voided_round_is_told_when_it_ends(page: Page, stub: ConsoleStub) -> None:
    playing = deluxe_waiting().with_table(round=11)
    show(page, stub, playing)
    stub.documents["tables/t1/history"] = history(newest=1)
    show(page, stub, playing.with_table(phase="closed", deadline_wall_ns=None))
    wait_until(page, lambda: "Round 11 is void: every bet went back to you" in notes(page))


def test_french_has_each_games_words_and_keeps_amounts_as_they_are(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, deluxe_decision())
    page.get_by_test_id("language").click()
    expect(page.get_by_test_id("question")).to_have_text("À vous · Place 2 · 11", use_inner_text=True)
    assert page.get_by_test_id("action-double").inner_text().split("\n")[0].startswith("Doubler")
    assert "Mise 1,234.00" in page.get_by_test_id("seat-6").inner_text()
    assert "souple 17 (7/17)" in page.get_by_test_id("seat-3").inner_text()
    assert page.locator("html").get_attribute("lang") == "fr"
    page.reload()
    page.wait_for_selector("main[data-sequence]")
    show(page, stub, continuous_decision())
    words = [text.split(" ")[0] for text in page.locator(".answer-word").all_inner_texts()]
    assert words == ["Jouer", "Rester", "Double-mise", "Séparer"]
    page.keyboard.press("l")
    page.wait_for_selector("html[lang=en]")


def test_the_rules_open_with_hash_and_the_published_return_labelled_as_such(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, deluxe_waiting())
    page.get_by_test_id("open-rules").click()
    assert page.get_by_test_id("rules-hash").inner_text() == "4f2a" * 16
    assert page.get_by_test_id("published-rtp").inner_text() == (
        "Return to player, published by the operator: at most 99.53 %"
    )
    assert page.get_by_test_id("rule-sheet").get_attribute("href") == "/rules/t1?lang=en"
    page.keyboard.press("l")
    page.wait_for_selector("[data-testid=rule-sheet][href='/rules/t1?lang=fr']")


def test_a_virtual_shoe_shows_its_commitment_and_how_to_check_the_opened_one(
    page: Page, stub: ConsoleStub
) -> None:
    stub.documents["tables/t1/rules.json"] = rules(None, decks=6, split_hands=4)
    show(page, stub, european_betting())
    assert COMMITMENT in page.get_by_test_id("felt").inner_text()
    assert "1,234.00 units" in page.get_by_test_id("purse").inner_text()
    assert "practice units, without value" in page.get_by_test_id("purse").inner_text()
    page.get_by_test_id("open-fairness").click()
    assert page.get_by_test_id("commitment").inner_text() == COMMITMENT
    assert page.get_by_test_id("opened-seed").inner_text() == SEED
    assert page.get_by_test_id("check-command").inner_text() == (
        f"studio verify-shuffle --decks 6 --table t1 --round 11 --commitment {'ab12' * 16} --seed {SEED}"
    )
    show(page, stub, deluxe_waiting())
    assert page.get_by_test_id("open-fairness").count() == 0


def test_every_state_of_every_game_fits_one_screen_without_scrolling(page: Page, stub: ConsoleStub) -> None:
    for name, scene in player_scenes().items():
        show(page, stub, scene)
        assert page.evaluate(SPILLING) == [], name


def test_on_a_phone_nothing_sticks_out_and_the_asked_hand_is_in_sight(page: Page, stub: ConsoleStub) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    for name, scene in player_scenes().items():
        show(page, stub, scene)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, name
        active = page.locator(".phand.active")
        if scene.own.questions and active.count():
            dock = box(page.locator(".dock"))
            place = box(active)
            assert place.top >= -1, name
            assert place.top + place.height <= dock.top + 1, name


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_everything_that_is_pressed_is_large_enough_and_has_a_name(
    page: Page, stub: ConsoleStub, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    for name, scene in player_scenes().items():
        show(page, stub, scene)
        for button in page.locator("button:visible, a:visible").all():
            place = box(button)
            assert min(place.width, place.height) >= 44, (name, button.inner_text())
            assert (button.get_attribute("aria-label") or button.inner_text()).strip(), name
    assert page.locator("[role=status]").count() >= 2
    assert page.locator("main h1").count() == 1


def test_every_action_shows_its_key(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, deluxe_decision())
    for testid in ("undo", "clear", "repeat", "confirm", "open-history", "open-rules", "language", "action-hit"):
        assert page.get_by_test_id(testid).locator("kbd").is_visible(), testid
    assert page.get_by_test_id("repeat").locator("kbd").inner_text() == "Num 0"
    for number, chip in enumerate(("1", "5", "25", "100", "500"), 1):
        assert page.get_by_test_id(f"chip-{chip}").locator("kbd").inner_text() == str(number)


def test_all_cards_are_told_apart_by_rank_glyph_and_word(page: Page, stub: ConsoleStub) -> None:
    codes = [card.code for card in DECK]
    places = seats(
        *(seat(n, "Boris", hand(" ".join(codes[(n - 1) * 8 : n * 8]), "21"), bet=500) for n in range(1, 8))
    )
    show(page, stub, deluxe_waiting().with_table(seats=places).with_own(seats=()))
    cards = page.locator(".pseat [data-card]")
    assert len({tuple(text.split()) for text in cards.all_inner_texts()}) == 52
    assert page.locator(".pseat [data-card] svg path").count() == 52


def test_a_hidden_card_is_a_back(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, infinite_decision())
    dealer = page.get_by_test_id("dealer-hand")
    assert [card.get_attribute("data-card") for card in dealer.locator("[data-card]").all()] == ["6C", "back"]


def test_four_split_hands_stand_on_one_seat(page: Page, stub: ConsoleStub) -> None:
    scene = european_decision()
    hands = tuple(hand("8C 2H 3D 2S", "15", number=number, active=number == 4) for number in range(1, 5))
    show(page, stub, scene.with_table(seats=seats(seat(4, "p-ada", *hands, bet=2_500))))
    assert page.evaluate(SPILLING) == []
    frames = page.locator("[data-testid=seat-4] .phand.active")
    assert frames.count() == 1
    assert colour(frames, "borderTopColor") == "rgb(255, 255, 255)"


def test_without_its_link_the_page_says_what_is_missing(page: Page, stub: ConsoleStub) -> None:
    page.goto(f"http://127.0.0.1:{stub.port}/player")
    assert page.get_by_test_id("instruction").inner_text() == "Open the link you were given"


def test_the_start_of_a_single_hand_has_no_countdown(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, continuous_betting())
    assert page.get_by_test_id("countdown").count() == 0
    assert page.get_by_test_id("status").inner_text() == "Place your bets"


def test_a_batch_without_answer_stays_as_chips_and_is_told(page: Page, stub: ConsoleStub) -> None:
    answer: dict[str, Any] = {"code": "not-recorded", "text": "Not recorded; nothing changed."}
    show(page, stub, continuous_betting())
    stub.answers.append((503, answer))
    page.get_by_test_id("chip-5").click()
    page.get_by_test_id("confirm").click()
    wait_until(page, lambda: notes(page) == ["Not accepted · Confirm: Not recorded; nothing changed."])
    assert page.get_by_test_id("draft-main-1").inner_text() == "+5.00"
