"""The devices of a table on both consoles: nothing while they are ready, else a shape, a word and a reason."""

from __future__ import annotations

from dataclasses import replace

import pytest
from console_checks import box, wait_sequence
from console_scenes import devices_away, idle, supervised
from console_stub import ConsoleStub
from playwright.sync_api import Page, expect

from studio.domain.views import DealerView, DeviceView

PAGES = ["dealer", "supervisor"]
WORDS = {
    "absent": "ABSENT",
    "opening": "OPENING",
    "syncing": "WARMING UP",
    "stale": "SILENT",
    "lost": "LOST",
}


def show(page: Page, stub: ConsoleStub, audience: str, view: DealerView) -> None:
    sequence = stub.show(f"tables/t1/{audience}", view if audience == "dealer" else supervised(view))
    if page.url == "about:blank":
        page.goto(stub.url(audience))
    wait_sequence(page, sequence)


def device(link: str, role: str = "reader") -> DeviceView:
    return DeviceView(f"the-{role}", role, link, "" if link == "ready" else f"It is {link}", 0, {})


@pytest.mark.parametrize("audience", PAGES)
def test_ready_devices_take_no_room(page: Page, stub: ConsoleStub, audience: str) -> None:
    ready = (device("ready"), device("ready", "camera"))
    show(page, stub, audience, replace(idle(), devices=ready))
    expect(page.get_by_test_id("devices")).to_have_count(0)
    show(page, stub, audience, replace(idle(), devices=(device("lost"), ready[1])))
    expect(page.get_by_test_id("device-reader")).to_have_text("ReaderLOST")
    expect(page.get_by_test_id("device-camera")).to_have_count(0)
    show(page, stub, audience, replace(idle(), devices=ready))
    expect(page.get_by_test_id("devices")).to_have_count(0)


@pytest.mark.parametrize("audience", PAGES)
def test_each_state_has_a_word_and_is_told_from_the_next_by_its_shape(
    page: Page, stub: ConsoleStub, audience: str
) -> None:
    shapes: dict[str, str] = {}
    for link, word in WORDS.items():
        show(page, stub, audience, replace(idle(), devices=(device(link, "camera"),)))
        chip = page.get_by_test_id("device-camera")
        expect(chip).to_have_text(f"Camera{word}")
        shapes[link] = chip.locator("svg").inner_html()
        assert f"It is {link}" in page.get_by_test_id("reason-camera").inner_text()
    assert shapes["opening"] == shapes["syncing"]
    assert len(set(shapes.values())) == len(shapes) - 1


@pytest.mark.parametrize("audience", PAGES)
def test_both_of_two_devices_say_what_is_wrong_with_them(page: Page, stub: ConsoleStub, audience: str) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    show(page, stub, audience, devices_away())
    chips = [box(page.get_by_test_id(f"device-{role}")) for role in ("reader", "second-reader")]
    assert all(chip.left >= 0 and chip.left + chip.width <= 1024 for chip in chips)
    assert "51A00002 answers where 51A00001 is expected" in page.get_by_test_id("reason-reader").inner_text()
    assert "was lost" in page.get_by_test_id("reason-second-reader").inner_text()


def test_the_supervisor_reads_losses_and_errors_by_cause(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, "supervisor", devices_away())
    reason = page.get_by_test_id("reason-second-reader")
    expect(reason).to_contain_text("Link losses: 3; errors: 2 crc, 1 length.")
    expect(page.get_by_test_id("reason-reader")).to_contain_text("Link losses: 1; errors: none.")
