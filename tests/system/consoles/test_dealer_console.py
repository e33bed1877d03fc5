"""The dealer's console at work: commands, keys, connection, time, trouble (consoles.md D7-D12, D17)."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from console_checks import wait_sequence, wait_until
from console_scenes import (
    SECOND_NS,
    betting,
    dealer_scenes,
    dealing,
    held,
    idle,
    nobody,
    reader_back,
    reader_down,
    suspended,
)
from console_stub import TOKEN, ConsoleStub
from playwright.sync_api import Page, Route, expect

from studio.domain.views import CallView, DealerView

TOPIC = "tables/t1/dealer"
# A scanner's keys come within a millisecond of one another.
BURST = """() => {
    for (const [code, key] of [['Digit8', '8'], ['F9', 'F9'], ['KeyS', 's'], ['Space', ' '], ['Enter', 'Enter']])
        document.activeElement.dispatchEvent(
            new KeyboardEvent('keydown', {code, key, bubbles: true, cancelable: true}));
}"""


def show(page: Page, stub: ConsoleStub, view: DealerView) -> int:
    sequence = stub.show(TOPIC, view)
    if page.url == "about:blank":
        page.goto(stub.url("dealer"))
    wait_sequence(page, sequence)
    return sequence


def connection(page: Page, word: str) -> None:
    page.wait_for_selector(f"[data-testid=connection][data-connection={word}]")


def test_the_primary_button_sends_the_command_of_the_view(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, nobody())
    page.get_by_test_id("primary").click()
    wait_until(page, lambda: len(stub.received) == 1)
    assert stub.received[0].body == {"command": "sign-on", "arguments": {}}


def test_a_double_click_is_one_command(page: Page, stub: ConsoleStub) -> None:
    stub.answer_after_seconds = 0.1
    show(page, stub, idle())
    page.get_by_test_id("primary").evaluate("button => { button.click(); button.click(); }")
    page.wait_for_selector("[data-testid=primary][data-pending=true]")
    page.wait_for_selector("[data-testid=primary]:not([disabled])")
    assert len(stub.received) == 1


def test_the_second_half_of_a_double_click_does_not_press_what_took_the_buttons_place(
    page: Page, stub: ConsoleStub
) -> None:
    show(page, stub, idle())
    page.evaluate(
        """() => new MutationObserver((_, observer) => {
            const button = document.querySelector('[data-command=close-betting]');
            if (button) { observer.disconnect(); button.click(); window.pressed = true; }
        }).observe(document.body, {subtree: true, childList: true, attributes: true})"""
    )
    page.get_by_test_id("primary").click()
    show(page, stub, betting())
    page.wait_for_function("() => window.pressed")
    page.wait_for_selector("[data-testid=primary]:not([disabled])")
    assert [received.body["command"] for received in stub.received] == ["open-betting"]


def test_a_command_that_got_lost_is_sent_again_under_the_same_key(page: Page, stub: ConsoleStub) -> None:
    keys: list[str | None] = []

    def lose_the_first(route: Route) -> None:
        keys.append(route.request.headers.get("idempotency-key"))
        if len(keys) == 1:
            route.abort()
        else:
            route.continue_()

    page.route("**/commands", lose_the_first)
    show(page, stub, idle())
    page.get_by_test_id("primary").click()
    wait_until(page, lambda: len(stub.received) == 1)
    assert keys == [stub.received[0].key] * 2


def test_each_press_has_a_key_of_its_own(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, idle())
    for count in (1, 2):
        page.get_by_test_id("primary").click()
        wait_until(page, lambda count=count: len(stub.received) == count)  # type: ignore[misc]
        page.wait_for_selector("[data-testid=primary]:not([disabled])")
    assert stub.received[0].key != stub.received[1].key


def test_the_call_does_not_wait_for_another_command(page: Page, stub: ConsoleStub) -> None:
    stub.answer_after_seconds = 1.0
    show(page, stub, idle())
    page.get_by_test_id("primary").click()
    page.wait_for_selector("[data-testid=primary][data-pending=true]")
    page.get_by_test_id("call-supervisor").click()
    wait_until(page, lambda: len(stub.received) == 2)
    assert stub.received[1].body["command"] == "call-supervisor"


def test_a_refused_command_says_why(page: Page, stub: ConsoleStub) -> None:
    stub.answers.append((409, {"code": "no-licence", "text": "Your licence has ended: call the supervisor."}))
    show(page, stub, nobody())
    page.get_by_test_id("primary").click()
    page.wait_for_selector("[data-testid=refusal]")
    assert "Your licence has ended: call the supervisor." in page.get_by_test_id("refusal").inner_text()


def test_the_band_tells_cause_and_next_step_until_the_incident_is_closed(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, dealing())
    assert page.get_by_test_id("band").count() == 0
    show(page, stub, held())
    band = page.get_by_test_id("band")
    assert page.get_by_test_id("band-cause").inner_text() == "No hand is owed this card"
    assert page.get_by_test_id("band-next").inner_text() == "Keep the card, call supervisor"
    assert band.evaluate("e => e.getBoundingClientRect().width") == 1280
    assert band.locator("button").count() == 0
    # Another view of the same trouble, and pressing about, do not close it.
    show(page, stub, replace(held(), call=CallView(time.time_ns(), "")))
    page.keyboard.press("Escape")
    page.mouse.click(640, 220)
    assert band.is_visible()
    # The worst of several is shown, and that there are more.
    show(page, stub, suspended())
    assert page.get_by_test_id("band-cause").inner_text() == "The supervisor stopped the table"
    assert "and 1 more" in band.inner_text()
    show(page, stub, dealing())
    assert band.count() == 0


def test_the_dealers_way_out_closes_that_incident(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, reader_down())
    page.get_by_test_id("way-out-go-on").click()
    wait_until(page, lambda: len(stub.received) == 1)
    assert stub.received[0].body == {
        "command": "resolve-incident",
        "arguments": {"incident": 4, "way_out": "go-on", "reason": "dealer"},
    }


def test_a_way_out_that_is_the_primary_button_is_not_offered_twice(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, reader_back())
    assert page.get_by_text("Go on", exact=True).count() == 1
    page.keyboard.press("Space")
    wait_until(page, lambda: len(stub.received) == 1)
    assert stub.received[0].body["arguments"] == {"incident": 4, "way_out": "go-on", "reason": "reader-back"}


def test_the_call_goes_from_called_to_seen_by_name(page: Page, stub: ConsoleStub) -> None:
    call = page.get_by_test_id("call-supervisor")
    show(page, stub, idle())
    call.click()
    wait_until(page, lambda: len(stub.received) == 1)
    assert stub.received[0].body == {"command": "call-supervisor", "arguments": {}}
    show(page, stub, replace(idle(), call=CallView(time.time_ns() - 65 * SECOND_NS, "")))
    assert call.inner_text().startswith("Supervisor called\n1:0")
    assert call.is_disabled()
    show(page, stub, replace(idle(), call=CallView(time.time_ns() - 125 * SECOND_NS, "Iris Novak")))
    assert call.inner_text().startswith("Seen by Iris Novak\n2:0")


def test_hotkeys_are_printed_and_press_their_buttons(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, idle())
    assert page.get_by_test_id("primary").locator("kbd").inner_text() == "Space"
    assert page.get_by_test_id("call-supervisor").locator("kbd").inner_text() == "F9"
    page.keyboard.press("Space")
    wait_until(page, lambda: len(stub.received) == 1)
    page.wait_for_selector("[data-testid=call-supervisor]:not([disabled])")
    page.keyboard.press("F9")
    wait_until(page, lambda: len(stub.received) == 2)
    assert [received.body["command"] for received in stub.received] == ["open-betting", "call-supervisor"]


def test_a_keyboard_scanner_triggers_nothing(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, idle())
    page.get_by_test_id("primary").focus()
    page.evaluate(BURST)
    page.wait_for_timeout(150)
    # Letters and digits are no hotkeys at any pace.
    for key in ("o", "1", "c"):
        page.keyboard.press(key)
        page.wait_for_timeout(60)
    assert stub.received == []


@pytest.mark.parametrize("skew_ms", [-3_600_000, 3_600_000])
def test_the_countdown_goes_by_the_servers_time(page: Page, stub: ConsoleStub, skew_ms: int) -> None:
    page.add_init_script(f"const now = Date.now; Date.now = () => now() + {skew_ms};")
    view = betting()
    show(page, stub, view)
    deadline = view.table.deadline_wall_ns
    assert deadline is not None
    shown = float(page.get_by_test_id("countdown").inner_text())
    assert abs(shown - (deadline - time.time_ns()) / SECOND_NS) < 1
    page.evaluate("() => { Date.now = () => 0; }")
    page.wait_for_timeout(150)
    shown = float(page.get_by_test_id("countdown").inner_text())
    assert abs(shown - (deadline - time.time_ns()) / SECOND_NS) < 1


def test_a_silent_server_makes_the_screen_stale_and_powerless(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, reader_down())
    connection(page, "live")
    stub.beating = False
    connection(page, "stale")
    assert "STALE" in page.get_by_test_id("connection").inner_text()
    assert page.get_by_test_id("felt").get_attribute("data-quiet") == "true"
    assert page.get_by_test_id("signal-band").is_visible()
    assert page.locator("footer button:not([disabled]), .band button:not([disabled])").count() == 0
    page.keyboard.press("Space")
    page.keyboard.press("F9")
    stub.beating = True
    connection(page, "live")
    expect(page.get_by_test_id("felt")).not_to_have_attribute("data-quiet", "true")
    expect(page.get_by_test_id("band")).to_be_visible()
    assert stub.received == []


def test_a_reconnect_shows_the_newest_view_without_a_tap(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, idle())
    stub.shut = True
    stub.drop_connections()
    connection(page, "offline")
    assert "OFFLINE" in page.get_by_test_id("connection").inner_text()
    assert page.get_by_test_id("primary").is_disabled()
    missed = [stub.show(TOPIC, view) for view in dealer_scenes().values()]
    stub.shut = False
    wait_sequence(page, missed[-1])
    connection(page, "live")
    assert page.get_by_test_id("instruction").count() == 1


def test_reconnects_do_not_add_up(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, idle())
    for _ in range(4):
        before = (stub.connections, stub.subscriptions)
        stub.drop_connections()
        wait_until(page, lambda before=before: stub.subscriptions > before[1])  # type: ignore[misc]
        show(page, stub, dealing())
        assert (stub.connections, stub.subscriptions) == (before[0] + 1, before[1] + 1)


def test_of_many_views_at_once_the_last_one_stands_and_is_reported_as_painted(
    page: Page, stub: ConsoleStub
) -> None:
    show(page, stub, idle())
    for number in range(200):
        stub.show(TOPIC, replace(idle(), table=replace(idle().table, round=number + 100)))
    wait_sequence(page, stub.sequence)
    assert "Round 299" in page.get_by_test_id("phase").inner_text()
    wait_until(page, lambda: stub.sequence in stub.painted)
    assert stub.painted == sorted(set(stub.painted))


def test_sound_is_said_to_be_off_until_a_tap(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, idle())
    sound = page.get_by_test_id("sound")
    assert sound.inner_text().split("\n") == ["Sound off", "tap"]
    sound.click()
    page.wait_for_selector("[data-testid=sound]:has-text('Sound on')")


def test_a_wrong_sign_in_says_so(page: Page, stub: ConsoleStub) -> None:
    page.goto(stub.url("dealer").replace(TOKEN, "wrong"))
    page.wait_for_selector("text=The sign-in was refused. Ask for a new link.")
    assert page.get_by_test_id("instruction").inner_text() == "Connecting to the table"


def test_a_page_without_a_link_says_what_to_do(page: Page, stub: ConsoleStub) -> None:
    page.goto(f"http://127.0.0.1:{stub.port}/dealer")
    assert page.get_by_test_id("instruction").inner_text() == "Open the link you were given"
