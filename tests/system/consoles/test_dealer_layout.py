"""How the dealer's console looks: places, sizes, colours, words (consoles.md D1-D3, D5, D6, D13-D18)."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations

import pytest
from console_checks import Box, box, colour, luminance, wait_sequence
from console_scenes import dealer_scenes, dealing, hand, seven_seats, taken
from console_stub import ConsoleStub
from playwright.sync_api import Page, expect

from studio.domain.cards import DECK
from studio.domain.views import DealerView, LastCardView

TOPIC = "tables/t1/dealer"
SIZES = [(1024, 768), (1280, 800)]


def show(page: Page, stub: ConsoleStub, view: DealerView) -> None:
    sequence = stub.show(TOPIC, view)
    if page.url == "about:blank":
        page.goto(stub.url("dealer"))
    wait_sequence(page, sequence)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_every_state_fits_one_screen_without_scrolling(
    page: Page, stub: ConsoleStub, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    for name, view in dealer_scenes().items():
        show(page, stub, view)
        spill = page.evaluate(
            """() => [document.documentElement, ...document.querySelectorAll('.seat, .band, .newest, .actions')]
                .filter(e => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1)
                .map(e => e.className || e.tagName)"""
        )
        assert spill == [], name


def test_at_twice_the_size_it_scrolls_and_loses_nothing(page: Page, stub: ConsoleStub) -> None:
    page.set_viewport_size({"width": 640, "height": 400})
    show(page, stub, dealer_scenes()["commit"])
    for testid in ("call-supervisor", "secondary-disagree", "primary", "seat-7", "last-cards", "sound"):
        element = page.get_by_test_id(testid)
        element.scroll_into_view_if_needed()
        place = box(element)
        assert -1 <= place.left <= place.left + place.width <= 641
        assert -1 <= place.top <= place.top + place.height <= 401


def test_every_state_has_one_instruction_large_enough_to_read_from_afar(page: Page, stub: ConsoleStub) -> None:
    for view in dealer_scenes().values():
        show(page, stub, view)
        instruction = page.get_by_test_id("instruction")
        assert instruction.count() == 1
        assert instruction.get_attribute("role") == "status"
        assert instruction.inner_text() == view.instruction.words
        assert float(instruction.evaluate("e => parseFloat(getComputedStyle(e).fontSize)")) >= 48


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_what_is_pressed_never_moves_and_is_large_enough_for_gloves(
    page: Page, stub: ConsoleStub, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    primaries: list[Box] = []
    calls: list[Box] = []
    for view in dealer_scenes().values():
        show(page, stub, view)
        buttons = [box(button) for button in page.locator("button, input").all()]
        assert all(min(button.width, button.height) >= 64 for button in buttons)
        assert all(one.gap(other) >= 16 for one, other in combinations(buttons, 2))
        calls.append(box(page.get_by_test_id("call-supervisor")))
        primary = page.get_by_test_id("primary")
        assert primary.count() == (0 if view.primary is None else 1)
        if view.primary is not None:
            primaries.append(box(primary))
    assert len(primaries) >= 4
    for places in (primaries, calls):
        for place in places:
            assert abs(place.centre[0] - places[0].centre[0]) <= 8
            assert abs(place.centre[1] - places[0].centre[1]) <= 8
    assert all(min(place.width, place.height) >= 96 for place in primaries)


def test_the_target_seat_and_only_it_is_outlined(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, dealing())
    widths = {
        seat: page.get_by_test_id(f"seat-{seat}").evaluate("e => getComputedStyle(e).outlineStyle")
        for seat in range(1, 8)
    }
    assert [seat for seat, style in widths.items() if style != "none"] == [3]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_newest_card_is_large_with_the_last_five_beside_it(
    page: Page, stub: ConsoleStub, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    show(page, stub, dealing())
    newest = page.get_by_test_id("newest-card")
    assert box(newest).height >= 240
    assert newest.inner_text().split() == ["8", "spades"]
    assert newest.locator("svg[data-glyph=S]").count() == 1
    assert page.get_by_test_id("newest-place").inner_text() == "Seat 3"
    assert page.get_by_test_id("last-cards").locator("li").all_inner_texts() == [
        "10\ndiamonds\nSeat 1",
        "Face down\nDealer",
        "A\nhearts\nSeat 6",
        "Q\nclubs\nDealer",
        "9\ndiamonds\nSeat 3",
    ]
    assert "soft 13 (13/23)" in page.get_by_test_id("seat-6").inner_text()


def test_a_hidden_card_shows_as_a_back(page: Page, stub: ConsoleStub) -> None:
    view = dealing()
    show(page, stub, replace(view, last_cards=(LastCardView(124, "??", "Dealer"), *view.last_cards)))
    newest = page.get_by_test_id("newest-card")
    assert newest.get_attribute("data-card") == "back"
    assert box(newest).height >= 240
    assert page.get_by_test_id("dealer-hand").locator("[data-card=back]").count() == 1


def test_all_52_cards_are_told_apart_by_rank_and_word_without_colour(page: Page, stub: ConsoleStub) -> None:
    codes = [card.code for card in DECK]
    seats = [taken(seat, hand(" ".join(codes[(seat - 1) * 8 : seat * 8]), "21")) for seat in range(1, 8)]
    view = dealing()
    page.emulate_media(forced_colors="active")
    show(page, stub, replace(view, table=replace(view.table, seats=seven_seats(*seats))))
    cards = page.locator(".seat [data-card]")
    seen = {tuple(text.split()) for text in cards.all_inner_texts()}
    assert len(seen) == 52
    assert {suit for _, suit in seen} == {"spades", "hearts", "diamonds", "clubs"}
    assert page.locator(".seat [data-card] svg path").count() == 52


def test_the_studio_stays_dark_and_the_instruction_stands_out(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, dealer_scenes()["commit"])
    ground = luminance(colour(page.locator("body"), "backgroundColor"))
    assert ground <= 0.02
    text = luminance(colour(page.get_by_test_id("instruction"), "color"))
    assert (text + 0.05) / (ground + 0.05) >= 7
    bright = [
        box(element)
        for element in page.locator("main *").all()
        if "rgba(0, 0, 0, 0)" not in (fill := colour(element, "backgroundColor")) and luminance(fill) > 0.5
    ]
    assert 0 < sum(area.width * area.height for area in bright) <= 0.1 * 1280 * 800


def test_the_brightness_slider_dims_the_screen(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, dealing())
    slider = page.get_by_test_id("brightness")
    assert (slider.get_attribute("min"), slider.get_attribute("max")) == ("20", "100")
    slider.fill("40")
    expect(page.locator("main")).to_have_css("filter", "brightness(0.4)")


def test_no_word_of_what_only_a_supervisor_may_do_is_on_the_page(page: Page, stub: ConsoleStub) -> None:
    for view in dealer_scenes().values():
        # Even if a view offered it by mistake.
        offered = tuple(replace(incident, ways_out=(*incident.ways_out, "void")) for incident in view.incidents)
        show(page, stub, replace(view, incidents=offered))
        assert not re.search(r"\b(void|refund|correct|un-?burn)", page.content(), re.IGNORECASE)


def test_the_facts_of_the_table_are_always_visible(page: Page, stub: ConsoleStub) -> None:
    for view in dealer_scenes().values():
        show(page, stub, view)
        for testid in ("table-name", "on-duty", "rule-line", "shoe-gauge", "minutes", "watermark", "connection"):
            assert page.get_by_test_id(testid).is_visible()
    show(page, stub, dealer_scenes()["commit"])
    assert page.get_by_test_id("rule-line").inner_text().endswith("8 decks · S17 · 3:2 · rules 4f2a")
    assert page.get_by_test_id("shoe-gauge").inner_text().split("\n") == ["LAST ROUND", "341 dealt · 75 left"]
    assert page.get_by_test_id("on-duty").inner_text().split("\n") == ["licence valid", "Ada Meyer"]
    assert page.get_by_test_id("minutes").inner_text().endswith("34 min")
    show(page, stub, dealer_scenes()["settled"])
    assert "LICENCE NOT VALID" in page.get_by_test_id("on-duty").inner_text()


def test_amounts_are_written_with_thousands_and_two_decimals(page: Page, stub: ConsoleStub) -> None:
    show(page, stub, dealer_scenes()["settled"])
    assert "1,234.00" in page.get_by_test_id("seat-6").inner_text()
    assert "returned 100.00" in page.get_by_test_id("seat-1").inner_text()
