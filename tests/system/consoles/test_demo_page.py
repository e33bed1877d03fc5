"""The demo page: each table's three screens beside its simulated shoe's controls (consoles.md M1, M3, M4)."""

from __future__ import annotations

from typing import Any

import pytest
from console_checks import box, wait_until
from console_scenes import held, supervised
from console_stub import TOKEN, ConsoleStub
from playwright.sync_api import Page, Route, expect

FAULTS = [
    {"name": "no_read", "kind": "one_shot", "caption": "The next card is not read.", "active": False},
    {"name": "unplug", "kind": "switch", "caption": "The cable is out.", "active": True},
    {"name": "disk_full", "kind": "server", "caption": "Nothing counts.", "active": False},
]


SHOE = {"seed": 7, "decks": 8, "dealt": 123, "left": 293, "continuous": False, "waiting_for_rescan": []}


def control_state(**changes: Any) -> dict[str, Any]:
    return {
        "shoe": SHOE,
        "link": {"plugged": True, "state": "ready", "refusal": None},
        "faults": FAULTS,
        "seconds_per_card": 1.0,
        "paused": False,
    } | changes


@pytest.fixture
def demo(page: Page, stub: ConsoleStub) -> Page:
    stub.show("tables/t1/dealer", held())
    stub.show("tables/t1/supervisor", supervised(held()))
    stub.control_state = control_state()
    host = f"http://127.0.0.1:{stub.port}"
    page.goto(
        f"{host}/demo#supervisor={TOKEN}&control_token=control-token"
        f"&t1=Deluxe,{TOKEN},{TOKEN},{host}/control&t3=European,{TOKEN},{TOKEN}"
    )
    page.wait_for_selector("[data-testid=pull]")
    return page


def test_the_three_screens_run_side_by_side_under_the_watermark(demo: Page) -> None:
    dealer = demo.frame_locator("iframe[title='Dealer console']")
    supervisor = demo.frame_locator("iframe[title='Supervisor panel']")
    dealer.get_by_test_id("band").wait_for()
    supervisor.get_by_test_id("incident-4").wait_for()
    for part in (demo, dealer, supervisor):
        assert part.get_by_test_id("watermark").inner_text() == "SIMULATION"
    player = demo.locator("iframe[title='Player terminal']")
    assert str(player.get_attribute("src")) == f"/player#table=t1&token={TOKEN}"
    assert demo.get_by_test_id("shoe-line").inner_text() == "123 dealt · 293 left · seed 7 · reader ready"


def test_each_fault_is_a_button_with_its_caption(demo: Page, stub: ConsoleStub) -> None:
    no_read = demo.get_by_test_id("fault-no_read")
    assert no_read.inner_text().split("\n") == ["No read", "The next card is not read."]
    no_read.click()
    unplug = demo.get_by_test_id("fault-unplug")
    expect(unplug).to_have_attribute("aria-pressed", "true")
    unplug.click()
    demo.get_by_role("heading", name="To the server, and so to every table").wait_for()
    demo.get_by_test_id("fault-disk_full").click()
    wait_until(demo, lambda: len(stub.controls) == 3)
    assert stub.controls == [
        ("faults/no_read", {"active": True}),
        ("faults/unplug", {"active": False}),
        ("faults/disk_full", {"active": True}),
    ]


def test_the_shoe_and_the_pace_are_in_the_hand(demo: Page, stub: ConsoleStub) -> None:
    for testid in ("pull", "rescan", "new-shoe", "pause", "step"):
        demo.get_by_test_id(testid).click()
    wait_until(demo, lambda: len(stub.controls) == 5)
    demo.get_by_test_id("pace").fill("2.5")
    demo.get_by_test_id("pace").dispatch_event("change")
    wait_until(demo, lambda: ("pace", {"seconds_per_card": 2.5}) in stub.controls)
    assert {name for name, _ in stub.controls} >= {"pull", "rescan", "new-shoe", "pause", "step"}
    stub.control_state = control_state(paused=True, seconds_per_card=0.0)
    demo.wait_for_selector("[data-testid=pause][aria-pressed=true]")
    demo.get_by_test_id("pause").click()
    wait_until(demo, lambda: stub.controls[-1][0] == "resume")
    expect(demo.get_by_test_id("pace-value")).to_have_text("as fast as cards are accepted")


def test_each_table_has_a_tab_and_the_server_has_no_shoe_to_tamper_with(demo: Page, stub: ConsoleStub) -> None:
    stub.show("tables/t3/dealer", held())
    first, third = demo.get_by_test_id("tab-t1"), demo.get_by_test_id("tab-t3")
    assert [tab.inner_text() for tab in (first, third)] == ["Deluxe", "European"]
    first.focus()
    demo.keyboard.press("ArrowRight")
    demo.get_by_test_id("no-shoe").wait_for()
    expect(third).to_have_attribute("aria-selected", "true")
    expect(demo.get_by_test_id("pull")).to_have_count(0)
    frames = demo.locator("iframe").evaluate_all("frames => frames.map(frame => frame.getAttribute('src'))")
    assert frames == [f"/{page}#table=t3&token={TOKEN}" for page in ("dealer", "supervisor", "player")]
    demo.keyboard.press("ArrowRight")
    demo.get_by_test_id("pull").wait_for()


def test_the_camera_stands_beside_the_screens_with_the_readers_cards(demo: Page, stub: ConsoleStub) -> None:
    faults = [
        {"name": "wrong_size", "kind": "switch", "caption": "4K pictures.", "active": True},
        {"name": "not_laid", "kind": "dealer", "caption": "Read, not laid.", "active": False},
    ]
    pressed: list[str] = []
    reading = {"draw": 4, "what": "seat3.hand1", "card": "TC", "raw": "", "at_wall_ns": 5, "still": "1-2"}

    def control(route: Route) -> None:
        if route.request.method == "POST":
            pressed.append(f"{route.request.url.rsplit('/', 1)[1]} {route.request.post_data}")
        route.fulfill(json=faults)

    demo.route("**/control/camera/faults**", control)
    demo.route("**/v1/tables/t1/camera", lambda route: route.fulfill(json={"link": "lost", "reason": "a cover"}))
    demo.route(
        "**/v1/tables/t1/camera/picture", lambda route: route.fulfill(body=b"\xff\xd8", content_type="image/jpeg")
    )
    demo.route(
        "**/v1/tables/t1/readings",
        lambda route: route.fulfill(json=[reading, reading | {"what": "burned", "still": ""}]),
    )
    host = f"http://127.0.0.1:{stub.port}"
    demo.goto("about:blank")
    demo.goto(f"{host}/demo#supervisor={TOKEN}&control_token=c&t1=Deluxe,{TOKEN},{TOKEN},{host}/control,camera")
    expect(demo.get_by_test_id("camera-reason")).to_have_text("a cover")
    rows = demo.get_by_test_id("camera-readings").locator("tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("Seat 3")
    expect(rows.nth(0)).to_contain_text("seen")
    assert "seen" not in rows.nth(1).inner_text()
    demo.get_by_role("heading", name="Before the camera's lens, until switched off").wait_for()
    expect(demo.get_by_test_id("camera-fault-wrong_size")).to_have_attribute("aria-pressed", "true")
    demo.get_by_test_id("camera-fault-wrong_size").click()
    demo.get_by_test_id("camera-fault-not_laid").click()
    wait_until(demo, lambda: len(pressed) == 2)
    assert pressed == ['wrong_size {"active":false}', 'not_laid {"active":true}']
    # The fourth screen: beside the player's, as high as it.
    player = box(demo.locator("iframe[title='Player terminal']"))
    camera = box(demo.get_by_test_id("camera"))
    assert camera.left > player.left + player.width
    assert abs(camera.top - player.top) <= 2
    assert abs(camera.height - player.height) <= 2


def test_a_continuous_shuffler_takes_cards_back_instead_of_a_new_shoe(demo: Page, stub: ConsoleStub) -> None:
    stub.control_state = control_state(shoe=SHOE | {"continuous": True})
    demo.get_by_test_id("return-cards").click()
    wait_until(demo, lambda: stub.controls == [("return-cards", {})])
    assert demo.get_by_test_id("new-shoe").count() == 0


def test_without_its_link_the_page_says_how_to_start_the_demo(page: Page, stub: ConsoleStub) -> None:
    page.goto(f"http://127.0.0.1:{stub.port}/demo")
    assert page.get_by_test_id("instruction").inner_text() == "Start the demo with: studio demo"
