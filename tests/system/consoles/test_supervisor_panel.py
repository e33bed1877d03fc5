"""The supervisor's panel on scripted views: list, suspend, call, what is sent, hold and focus (S1, S4, S6, S7).

What the wizard does with a real table is in ``test_wizard.py``.
"""

from __future__ import annotations

import re
import time
from dataclasses import replace

from console_audit import serious_findings
from console_checks import box, wait_sequence, wait_until
from console_scenes import dealing, flooded, held, idle, reader_down, supervised, suspended
from console_stub import ConsoleStub
from playwright.sync_api import Page, expect

from studio.domain.views import Button, ShelfView, SupervisorView

TOPIC = "tables/t1/supervisor"
ROUTINE = "button:not([data-testid=hold-void])"


def show(page: Page, stub: ConsoleStub, view: SupervisorView) -> int:
    sequence = stub.show(TOPIC, view)
    if page.url == "about:blank":
        page.goto(stub.url("supervisor"))
    wait_sequence(page, sequence)
    return sequence


def choose(page: Page, way: str) -> None:
    """Open the first alarm and choose one of its ways out."""
    page.get_by_test_id("open-4").click()
    page.get_by_test_id(f"way-{way}").click()


def say(page: Page, text: str = "Half a sentence") -> None:
    """Give what every ruling asks for."""
    page.get_by_test_id("reason").select_option("reader")
    page.get_by_test_id("text").fill(text)


def hold(page: Page, stub: ConsoleStub) -> None:
    """Hold the void button until its command has arrived."""
    before = len(stub.received)
    page.get_by_test_id("hold-void").hover()
    page.mouse.down()
    wait_until(page, lambda: len(stub.received) > before)
    page.mouse.up()


def test_the_list_says_what_happened_and_what_to_do_worst_first(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, supervised(suspended()))
    rows = page.locator("[data-testid^=incident-]")
    assert rows.count() == 2
    cells = [text.strip() for text in rows.nth(0).locator("td").all_inner_texts()]
    assert cells.pop(2).startswith("2:")
    assert cells[:5] == [
        "STOP\nunacked",
        "Blackjack 1",
        "The supervisor stopped the table\nIris Novak: procedure",
        "Finish what the table was stopped for, then go on\nUntil then: the table stands still.",
        "nobody",
    ]
    assert "HOLD" in rows.nth(1).inner_text()
    page.get_by_test_id("open-4").click()
    ways = page.locator("[data-testid^=way-] b")
    assert ways.all_inner_texts() == ["Use it for the next place", "Burn the card", "Void and refund"]
    expect(page.get_by_test_id("other-alarms")).to_have_text("STOP The supervisor stopped the table")


def test_suspend_is_one_press_and_a_second_one_does_nothing(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, supervised(dealing()))
    suspend = page.get_by_test_id("suspend")
    suspend.click()
    wait_until(page, lambda: len(stub.received) == 1)
    assert stub.received[0].body == {"command": "suspend", "arguments": {"reason": "stopped from the panel"}}
    show(page, stub, supervised(suspended()))
    assert page.get_by_test_id("suspend-why").inner_text() == "Iris Novak: procedure"
    suspend.click(force=True)
    suspend.focus()
    page.keyboard.press("Enter")
    page.wait_for_timeout(200)
    assert len(stub.received) == 1


def test_a_way_out_is_sent_with_reason_words_and_the_sequence_it_was_decided_on(
    page: Page, stub: ConsoleStub
) -> None:
    sequence = show(page, stub, supervised(held()))
    choose(page, "burn")
    page.get_by_test_id("reason").select_option("dealer")
    page.get_by_test_id("text").fill("Pulled one too many")
    page.get_by_test_id("confirm").click()
    wait_until(page, lambda: len(stub.received) == 1)
    assert stub.received[0].body == {
        "command": "resolve-incident",
        "arguments": {"incident": 4, "way_out": "burn", "reason": "dealer", "text": "Pulled one too many"},
        "seen_sequence": sequence,
    }
    page.wait_for_selector("[data-testid=decision]", state="detached")


def test_the_call_is_answered_in_one_press(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, supervised(reader_down()))
    assert page.get_by_test_id("call").inner_text().startswith("The dealer calls · 1:1")
    page.get_by_test_id("answer-call").click()
    wait_until(page, lambda: len(stub.received) == 1)
    assert stub.received[0].body == {"command": "answer-call", "arguments": {}}
    show(page, stub, supervised(suspended()))
    assert page.get_by_test_id("call").inner_text().startswith("Call seen by Iris Novak")
    assert page.get_by_test_id("answer-call").count() == 0


def test_a_shoe_step_that_waits_for_a_supervisor_can_be_confirmed(page: Page, stub: ConsoleStub) -> None:
    step = Button("confirm-shoe-step", "Shuffle seen", {"step": "shuffled"})
    sequence = show(page, stub, supervised(replace(idle(), primary=step), can_void=False))
    page.get_by_test_id("confirm-shoe-step").click()
    wait_until(page, lambda: len(stub.received) == 1)
    assert stub.received[0].body == {
        "command": "confirm-shoe-step",
        "arguments": {"step": "shuffled"},
        "seen_sequence": sequence,
    }


def test_a_void_needs_a_hold_of_a_second_and_a_half(page: Page, stub: ConsoleStub) -> None:
    sequence = show(page, stub, supervised(held()))
    page.get_by_test_id("open-void").click()
    button = page.get_by_test_id("hold-void")
    expect(button).to_be_disabled()
    say(page, "Card on the floor")
    expect(button).to_be_enabled()
    button.dblclick()
    button.click(delay=500)
    page.keyboard.press("Enter", delay=200)
    page.wait_for_timeout(1700)
    assert stub.received == []
    started = time.monotonic()
    hold(page, stub)
    assert time.monotonic() - started >= 1.5
    assert stub.received[0].body == {
        "command": "void-round",
        "arguments": {"reason": "reader", "text": "Card on the floor"},
        "seen_sequence": sequence,
    }
    assert len(stub.received) == 1


def test_what_harms_is_far_from_what_is_routine(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, supervised(suspended()))
    page.get_by_test_id("open-void").click()
    expect(page.get_by_test_id("hold-void")).to_be_visible()
    harmful = box(page.get_by_test_id("hold-void"))
    gaps = [harmful.gap(box(button)) for button in page.locator(ROUTINE).all()]
    assert min(gaps) >= 64
    assert min(harmful.width, harmful.height) >= 64


def test_a_void_can_be_held_by_key_and_closes_the_incident_it_was_opened_from(
    page: Page, stub: ConsoleStub
) -> None:
    show(page, stub, supervised(held()))
    choose(page, "void")
    say(page)
    expect(page.get_by_test_id("hold-void")).to_be_enabled()
    page.get_by_test_id("hold-void").focus()
    page.keyboard.down("Space")
    wait_until(page, lambda: len(stub.received) == 1)
    page.keyboard.up("Space")
    arguments = stub.received[0].body["arguments"]
    assert (arguments["incident"], arguments["way_out"]) == (4, "void")


def test_without_an_open_round_nothing_can_be_voided(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, supervised(idle(), can_void=False))
    assert page.get_by_test_id("open-void").is_disabled()
    assert page.get_by_test_id("no-incidents").is_visible()


def test_when_the_table_has_moved_the_changes_are_shown_and_the_words_are_kept(
    page: Page, stub: ConsoleStub
) -> None:
    first = show(page, stub, supervised(held()))
    page.get_by_test_id("open-void").click()
    say(page)
    stale = {"code": "stale-view", "text": "The table has moved", "sequence": first + 1, "changed": ["card-dealt"]}
    stub.answers.append((409, stale))
    expect(page.get_by_test_id("hold-void")).to_be_enabled()
    hold(page, stub)
    expect(page.get_by_test_id("changed")).to_have_text("Card dealt")
    second = show(page, stub, supervised(reader_down()))
    assert page.get_by_test_id("text").input_value() == "Half a sentence"
    assert page.get_by_test_id("reason").input_value() == "reader"
    expect(page.get_by_test_id("hold-void")).to_be_enabled()
    hold(page, stub)
    assert [received.body["seen_sequence"] for received in stub.received] == [first, second]
    assert stub.received[0].key != stub.received[1].key


def test_what_was_refused_as_unlawful_can_not_be_done(page: Page, stub: ConsoleStub) -> None:
    text = "Seat 3 stood on a card that was shown wrong"
    stub.preview |= {"lawful": False, "code": "decision-invalid", "text": text}
    show(page, stub, supervised(held()))
    choose(page, "burn")
    say(page)
    expect(page.get_by_test_id("unlawful")).to_contain_text(text)
    expect(page.get_by_test_id("confirm")).to_be_disabled()


def test_updates_leave_focus_and_half_typed_words_alone(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, supervised(held()))
    choose(page, "burn")
    field = page.get_by_test_id("text")
    field.fill("Half a")
    field.focus()
    for number in range(50):
        view = held()
        stub.show(TOPIC, supervised(replace(view, table=replace(view.table, round=number))))
    wait_sequence(page, stub.sequence)
    assert field.input_value() == "Half a"
    assert field.evaluate("e => e === document.activeElement")


def test_a_keyboard_scanner_leaves_nothing_in_a_text_field(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, supervised(held()))
    choose(page, "burn")
    field = page.get_by_test_id("text")
    field.fill("Seen")
    page.wait_for_timeout(50)
    # What a browser does with two keys of a scanner: the first one is typed before anything can be known.
    let_in = field.evaluate(
        """field => {
            const press = key => field.dispatchEvent(
                new KeyboardEvent('keydown', {key, code: `Digit${key}`, bubbles: true, cancelable: true}));
            const first = press('8');
            field.value += '8';
            field.dispatchEvent(new Event('input', {bubbles: true}));
            return [first, press('9')];
        }"""
    )
    assert let_in == [True, False]
    assert field.input_value() == "Seen"


def test_the_table_stands_beside_with_cards_and_phase(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, supervised(dealing()))
    beside = page.get_by_test_id("beside")
    assert beside.get_by_test_id("instruction").inner_text() == "Card to seat 3"
    assert beside.get_by_test_id("phase").inner_text() == "Players decide · Round 12"
    assert beside.get_by_test_id("dealer-hand").locator("[data-card=back]").count() == 1
    assert "soft 13 (13/23)" in beside.get_by_test_id("seat-6").inner_text()
    assert page.get_by_test_id("shoe-gauge").inner_text().split("\n") == ["Shoe", "123 dealt · 293 left"]


def test_a_silent_server_takes_every_command_away(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, supervised(held()))
    stub.beating = False
    page.wait_for_selector("[data-connection=stale]")
    assert page.locator("button:not([disabled])").count() == 0
    assert page.get_by_test_id("signal-band").is_visible()


def register(page: Page, **said: str) -> None:
    for field, text in said.items():
        page.get_by_test_id(f"register-{field}").fill(text)


def test_the_packs_are_listed_with_state_and_age(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, supervised(dealing()))
    page.get_by_test_id("open-shoe").click()
    row = page.get_by_test_id("pack-red-1")
    expect(row).to_contain_text("B-2031 · red · 8 decks")
    expect(row).to_contain_text("In play")
    expect(page.get_by_test_id("age-red-1")).to_have_text(re.compile("^2 h [0-9]+ min of 24 hloaded 3 times$"))


def test_what_the_list_tells_is_refused_before_it_is_sent(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, supervised(dealing()))
    page.get_by_test_id("open-shoe").click()
    note, send = page.get_by_test_id("register-note"), page.get_by_test_id("register-do")
    expect(note).to_have_text("A new pack is counted, and two people sign, before it is used.")
    send.click()
    expect(note).to_contain_text("Pack id is missing.")
    expect(page.get_by_test_id("register-pack")).to_be_focused()
    register(page, pack="red 2", batch="B-2031", back="red")
    expect(note).to_contain_text("Pack id: letters, digits")
    register(page, pack="red-2")
    expect(note).to_have_text(
        "Batch and back are those of red-1 in the shoe: nobody could tell their cards apart."
        " Take another, or wait until that shoe has ended."
    )
    send.click()
    expect(page.get_by_test_id("register-back")).to_be_focused()
    register(page, batch="B-2032")
    expect(note).to_have_text("It cannot come directly after red-1 (same back): another pack comes between.")
    register(page, pack="red-1")
    expect(note).to_contain_text("Pack red-1 was registered before and is in play")
    assert stub.received == []
    register(page, pack="blue-1", back="blue")
    page.keyboard.press("Enter")
    wait_until(page, lambda: len(stub.received) == 1)
    assert stub.received[0].body["arguments"] == {"pack": "blue-1", "batch": "B-2032", "back": "blue"}


def test_a_refusal_of_the_server_is_read_and_nothing_typed_is_lost(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, supervised(dealing()))
    page.get_by_test_id("open-shoe").click()
    stub.answers.append((409, {"code": "no-packs", "text": "The server shuffles this table's cards"}))
    register(page, pack="blue-1", batch="B-2032", back="blue")
    page.get_by_test_id("register-do").click()
    expect(page.get_by_test_id("refusal")).to_contain_text("The server shuffles this table's cards")
    expect(page.get_by_test_id("register-batch")).to_have_value("B-2032")


def test_three_of_a_kind_within_a_minute_are_one_row_until_somebody_unfolds_them(
    page: Page, stub: ConsoleStub
) -> None:
    show(page, stub, flooded())
    folded = page.get_by_test_id("folded-no-read")
    expect(folded.get_by_test_id("times-no-read")).to_have_text("4 \N{MULTIPLICATION SIGN}")
    expect(folded).to_contain_text("The card was not read")
    assert page.locator("[data-testid^=incident-]").count() == 1
    unfold = folded.get_by_test_id("unfold-no-read")
    unfold.focus()
    page.wait_for_timeout(40)
    page.keyboard.press("Enter")
    expect(page.locator("[data-testid^=incident-]")).to_have_count(5)
    expect(page.get_by_test_id("state-10")).to_have_text("acked")
    expect(page.get_by_test_id("state-11")).to_have_text("unacked")
    expect(page.get_by_test_id("state-13")).to_have_text("cleared, unacked")
    expect(page.get_by_test_id("open-12")).to_be_visible()
    assert serious_findings(page) == []
    unfold.click()
    expect(page.locator("[data-testid^=incident-]")).to_have_count(1)


def test_two_of_a_kind_or_three_over_a_longer_time_stay_rows_of_their_own(page: Page, stub: ConsoleStub) -> None:
    view = flooded()
    slow = tuple(
        replace(one, since_wall_ns=one.since_wall_ns - 45_000_000_000 * place)
        for place, one in enumerate(view.incidents[1:4])
    )
    show(page, stub, replace(view, incidents=(view.incidents[0], *slow)))
    assert page.locator("[data-testid^=incident-]").count() == 4
    assert page.locator("[data-testid^=folded-]").count() == 0


def test_more_than_ten_alarms_in_ten_minutes_are_a_flood_grouped_by_its_source(
    page: Page, stub: ConsoleStub
) -> None:
    view = flooded()
    show(page, stub, view)
    bar = page.get_by_test_id("flood")
    expect(bar).to_have_text("FLOOD 11 alarms in 10 minutes. Look for one cause first: Card reader 8Camera 3")
    show(page, stub, replace(view, raised=view.raised[:10]))
    expect(bar).to_have_count(0)
    older = replace(view.raised[0], at_wall_ns=time.time_ns() - 601_000_000_000)
    show(page, stub, replace(view, raised=(older, *view.raised[1:])))
    expect(bar).to_have_count(0)


def test_an_alarm_is_shelved_with_a_reason_and_stands_last_until_its_time_is_over(
    page: Page, stub: ConsoleStub
) -> None:
    view = supervised(suspended())
    sequence = show(page, stub, view)
    assert page.get_by_test_id("shelve-5").count() == 0  # a suspension
    page.get_by_test_id("shelve-4").click()
    expect(page.get_by_test_id("shelve-for")).to_be_focused()
    page.get_by_test_id("shelve-for").select_option("30")
    expect(page.get_by_test_id("shelve-do")).to_be_disabled()
    page.get_by_test_id("shelve-why").fill("The technician is on the way")
    assert serious_findings(page) == []
    page.get_by_test_id("shelve-do").click()
    wait_until(page, lambda: len(stub.received) == 1)
    assert stub.received[0].body == {
        "command": "shelve-incident",
        "arguments": {"incident": 4, "minutes": 30, "text": "The technician is on the way"},
        "seen_sequence": sequence,
    }
    shelf = ShelfView(time.time_ns() + 2_500_000_000, "Sam Novak", "The technician is on the way")
    held_one = next(one for one in view.incidents if one.number == 4)
    other = replace(held_one, number=6, shelf=None)
    show(page, stub, replace(view, incidents=(replace(held_one, shelf=shelf), other)))
    rows = page.locator("[data-testid^=incident-]")
    assert [row.get_attribute("data-testid") for row in rows.all()] == ["incident-6", "incident-4"]
    expect(page.get_by_test_id("state-4")).to_have_text("shelved")
    expect(page.get_by_test_id("shelf-4")).to_contain_text("by Sam Novak: The technician is on the way")
    expect(page.get_by_test_id("state-4")).to_have_text("unacked")
    expect(page.get_by_test_id("shelf-4")).to_have_count(0)
    assert [row.get_attribute("data-testid") for row in rows.all()] == ["incident-4", "incident-6"]
