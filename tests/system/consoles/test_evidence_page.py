"""The evidence page: rounds found and stepped through, records, disputes (consoles.md S9, S10, S11, S14)."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from console_checks import box, wait_until
from console_stub import ConsoleStub
from evidence_documents import documents
from playwright.sync_api import Browser, Page, expect

SECOND_NS = 1_000_000_000


@pytest.fixture(scope="session")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return documents(tmp_path_factory.mktemp("evidence") / "j")


@pytest.fixture
def opened(page: Page, stub: ConsoleStub, answers: dict[str, Any]) -> Page:
    """The page with the newest round in its list."""
    stub.documents.update(answers)
    page.goto(stub.url("evidence").replace("table=t1&", ""))
    page.wait_for_selector("[data-testid=found-t1-2]")
    return page


def choose(page: Page, number: int = 2) -> None:
    page.get_by_test_id(f"found-t1-{number}").click()
    expect(page.get_by_test_id("round-title")).to_have_text(f"Round {number} · Blackjack 1")


def to_event(page: Page, name: str) -> None:
    """Step forward to the next event of a name."""
    for _ in range(60):
        page.get_by_test_id("next").click()
        if page.get_by_test_id("step-line").locator("b").inner_text() == name:
            return
    pytest.fail(f"no {name}")


def asked(stub: ConsoleStub) -> str:
    return [path for path in stub.read if path.startswith("evidence/rounds")][-1]


def test_rounds_are_listed_with_what_is_unusual_and_older_ones_come_on_demand(opened: Page) -> None:
    expect(opened.get_by_test_id("found-t1-2")).to_contain_text("Supervisor stop")
    expect(opened.get_by_test_id("count")).to_have_text("1 round")
    opened.get_by_test_id("more").click()
    expect(opened.get_by_test_id("found-t1-1")).to_contain_text("Dispute")
    expect(opened.get_by_test_id("count")).to_have_text("2 rounds")


def test_every_condition_of_the_form_is_asked(opened: Page, stub: ConsoleStub) -> None:
    opened.get_by_test_id("search-table").select_option("t1")
    opened.get_by_test_id("search-player").fill(" pam ")
    opened.get_by_test_id("search-from").fill("2023-11-14T22:13:20")
    opened.get_by_test_id("search-rank").select_option("T")
    opened.get_by_test_id("search-suit").select_option("H")
    opened.get_by_test_id("search-kind").select_option("no-read")
    opened.get_by_test_id("search-incident").fill("4")
    since = opened.evaluate("new Date('2023-11-14T22:13:20').getTime()") * 1_000_000
    stub.read.clear()
    opened.get_by_test_id("search").click()
    wait_until(opened, lambda: len(stub.read) > 0)
    assert asked(stub) == f"evidence/rounds?table=t1&player=pam&since={since}&card=TH&kind=no-read&incident=4"


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [("search-rank", "A", "rank and its suit"), ("search-incident", "3", "needs its table")],
)
def test_half_a_condition_is_said_and_not_sent(
    opened: Page, stub: ConsoleStub, field: str, value: str, sentence: str
) -> None:
    stub.read.clear()
    place = opened.get_by_test_id(field)
    place.select_option(value) if field == "search-rank" else place.fill(value)
    opened.get_by_test_id("search").click()
    expect(opened.get_by_test_id("search-wrong")).to_contain_text(sentence)
    assert stub.read == []


def test_a_round_opens_at_its_first_event_and_steps_by_buttons_slider_and_keys(opened: Page) -> None:
    choose(opened)
    count = opened.get_by_test_id("step-count")
    expect(count).to_contain_text("Step 1 of ")
    opened.get_by_test_id("next").click()
    expect(count).to_contain_text("Step 2 of ")
    opened.get_by_test_id("slider").focus()
    opened.keyboard.press("ArrowRight")
    expect(count).to_contain_text("Step 3 of ")
    opened.keyboard.press("End")
    expect(opened.get_by_test_id("last")).to_be_disabled()
    opened.get_by_test_id("first").click()
    expect(count).to_contain_text("Step 1 of ")
    opened.get_by_test_id("previous").click(force=True)
    expect(count).to_contain_text("Step 1 of ")


def test_the_three_views_of_a_step_show_what_each_saw(opened: Page) -> None:
    choose(opened)
    to_event(opened, "Decision asked")
    dealer = opened.get_by_test_id("dealer-screen")
    expect(dealer.get_by_test_id("instruction")).to_have_text("Wait for seat 1")
    expect(dealer.get_by_test_id("dealer-hand").locator("[data-card=back]")).to_have_count(1)
    opened.get_by_test_id("tab-players").click()
    players = opened.get_by_test_id("players-screen")
    expect(players.get_by_test_id("seat-1").locator("[data-card]")).to_have_count(2)
    expect(players.get_by_test_id("instruction")).to_have_count(0)
    opened.get_by_test_id("tab-recorded").click()
    recorded = opened.get_by_test_id("recorded")
    expect(recorded).to_contain_text("decision-asked 1")
    expect(recorded).to_contain_text("Chain hash")


def test_a_turned_hole_card_is_named_in_the_record_and_a_back_on_the_screens_before(opened: Page) -> None:
    choose(opened)
    opened.get_by_test_id("tab-recorded").click()
    while '"face":"down"' not in opened.get_by_test_id("recorded").inner_text():
        opened.get_by_test_id("next").click()
    expect(opened.get_by_test_id("recorded")).to_contain_text("7S")
    opened.get_by_test_id("tab-dealer").click()
    expect(opened.locator("[data-card='7S']")).to_have_count(0)


def test_the_open_incident_of_then_is_shown_where_it_was_open(opened: Page) -> None:
    choose(opened)
    to_event(opened, "Anomaly detected")
    expect(opened.get_by_test_id("view")).to_contain_text("The supervisor stopped the table")
    to_event(opened, "Incident resolved")
    expect(opened.get_by_test_id("view")).not_to_contain_text("The supervisor stopped the table")


def test_a_record_says_what_who_why_and_is_saved_as_pdf_and_json(
    opened: Page, answers: dict[str, Any], tmp_path: Path
) -> None:
    choose(opened)
    card = opened.locator("article.record")
    for part in ("Supervisor stop", "A quarrel at seat 3", "suspend", "Go on · Procedure", "Both have"):
        expect(card).to_contain_text(part)
    expect(card).to_contain_text("Sam (supervisor)")
    expect(card).to_contain_text("The player apologised")
    expect(card.get_by_test_id("video")).to_have_text(
        re.compile(r"2023-11-14 \d\d:\d\d:\d\d:\d\d . \d\d:\d\d:\d\d:\d\d 25 frames a second")
    )
    card.get_by_test_id("record-events").click()
    first = card.locator("details li").first
    expect(first).to_have_text(re.compile(r"^\d\d:\d\d:\d\d:\d\d Anomaly detected #\d+$"))
    for button, ending in (("save-json", ".json"), ("save-pdf", ".pdf")):
        with opened.expect_download() as download:
            card.get_by_test_id(button).click()
        name = download.value.suggested_filename
        assert name.endswith(ending)
        download.value.save_as(tmp_path / name)
        path = f"tables/t1/records/{name.removesuffix(ending).rpartition('-')[2]}" + "/pdf" * (ending == ".pdf")
        assert json.loads((tmp_path / name).read_text()) == answers[path]


def test_a_dispute_is_taken_down_with_the_player_and_their_words(opened: Page, stub: ConsoleStub) -> None:
    choose(opened)
    opened.get_by_test_id("open-dispute").click()
    dialog = opened.get_by_test_id("dialog")
    expect(dialog).to_contain_text("Dispute about round 2")
    expect(opened.get_by_test_id("dialog-send")).to_be_disabled()
    opened.get_by_test_id("dispute-player").select_option("P3")
    opened.get_by_test_id("dialog-text").fill("I pressed hit in time")
    opened.get_by_test_id("dialog-send").click()
    wait_until(opened, lambda: len(stub.received) == 1)
    assert stub.received[0].body == {
        "command": "open-dispute",
        "arguments": {"round": 2, "player": "P3", "text": "I pressed hit in time"},
    }
    expect(dialog).to_have_count(0)


def test_a_dispute_is_answered_with_a_ruling(opened: Page, stub: ConsoleStub) -> None:
    opened.get_by_test_id("more").click()
    choose(opened, 1)
    expect(opened.locator("article.record")).to_contain_text("I pressed hit in time")
    opened.get_by_test_id("close-dispute").click()
    opened.get_by_test_id("dispute-end").select_option("upheld")
    opened.get_by_test_id("dialog-text").fill("You are right")
    opened.get_by_test_id("dialog-send").click()
    wait_until(opened, lambda: len(stub.received) == 1)
    assert stub.received[0].body["arguments"] == {"dispute": 1, "end": "upheld", "text": "You are right"}


def test_a_note_that_is_refused_keeps_its_words(opened: Page, stub: ConsoleStub) -> None:
    choose(opened)
    opened.get_by_test_id("note-record").click()
    opened.get_by_test_id("dialog-text").fill("Half a sentence")
    stub.answers.append((409, {"code": "no-such-subject", "text": "There is no incident 1"}))
    opened.get_by_test_id("dialog-send").click()
    expect(opened.get_by_test_id("dialog-refusal")).to_have_text("Not done. There is no incident 1")
    assert opened.get_by_test_id("dialog-text").input_value() == "Half a sentence"
    assert stub.received[0].body["arguments"] == {"subject": "incident", "number": 1, "text": "Half a sentence"}
    opened.keyboard.press("Escape")
    expect(opened.get_by_test_id("dialog")).to_have_count(0)


def test_an_auditor_reads_everything_and_finds_nothing_to_write_with(
    page: Page, stub: ConsoleStub, answers: dict[str, Any]
) -> None:
    stub.documents.update(answers)
    stub.documents["me"] = {"id": "aud", "name": "Aude", "roles": ["auditor"]}
    page.goto(stub.url("evidence"))
    choose(page)
    expect(page.get_by_test_id("save-pdf")).to_be_visible()
    for button in ("open-dispute", "note-round", "note-record", "close-dispute"):
        expect(page.get_by_test_id(button)).to_have_count(0)


def test_who_may_not_look_back_sees_the_servers_sentence_and_no_form(page: Page, stub: ConsoleStub) -> None:
    stub.documents["me"] = {"id": "dea", "name": "Ada", "roles": ["dealer"]}
    stub.documents["tables"] = []
    page.goto(stub.url("evidence"))
    expect(page.get_by_test_id("notice")).to_have_text("Not for your role")
    expect(page.locator("form")).to_have_count(0)


def test_the_page_speaks_french_and_remembers_it(opened: Page) -> None:
    opened.get_by_test_id("language").click()
    expect(opened.get_by_test_id("found-t1-2")).to_contain_text("Manche 2")
    expect(opened.get_by_test_id("found-t1-2")).to_contain_text("Arrêt par le superviseur")
    choose_french = opened.get_by_test_id("found-t1-2")
    choose_french.click()
    expect(opened.get_by_test_id("tab-recorded")).to_have_text("Enregistré")
    expect(opened.get_by_test_id("step-line")).to_contain_text("Mises ouvertes")
    opened.reload()
    opened.wait_for_selector("[data-testid=found-t1-2]")
    assert opened.evaluate("document.documentElement.lang") == "fr"
    expect(opened.locator("h1")).to_have_text("Preuves")


def test_the_keyboard_alone_is_enough(opened: Page, stub: ConsoleStub) -> None:
    opened.get_by_test_id("search-table").focus()
    # From the first field to the first result: the form's fields and its two buttons lie between.
    for _ in range(30):
        opened.keyboard.press("Tab")
        if opened.evaluate("document.activeElement.dataset.testid") == "found-t1-2":
            break
    opened.keyboard.press("Enter")
    expect(opened.get_by_test_id("round-title")).to_be_focused()
    opened.keyboard.press("Tab")
    opened.keyboard.press("ArrowRight")
    expect(opened.get_by_test_id("tab-players")).to_be_focused()
    expect(opened.get_by_test_id("players-screen")).to_be_visible()
    opened.keyboard.press("ArrowRight")
    expect(opened.get_by_test_id("recorded")).to_be_visible()
    opened.keyboard.press("Tab")
    while opened.evaluate("document.activeElement.dataset.testid") != "next":
        opened.keyboard.press("Tab")
    for _ in range(3):
        opened.keyboard.press("Enter")
    expect(opened.get_by_test_id("step-count")).to_contain_text("Step 4 of ")
    expect(opened.get_by_test_id("next")).to_be_focused()
    while opened.evaluate("document.activeElement.dataset.testid") != "open-dispute":
        opened.keyboard.press("Tab")
    opened.keyboard.press("Enter")
    expect(opened.get_by_test_id("dispute-player")).to_be_focused()
    opened.keyboard.press("Tab")
    opened.keyboard.type("Typed")
    opened.keyboard.press("Tab")
    opened.keyboard.press("Tab")
    opened.keyboard.press("Enter")
    wait_until(opened, lambda: len(stub.received) == 1)


def test_everything_fits_on_one_screen(opened: Page) -> None:
    choose(opened)
    for width, height in ((1280, 800), (1024, 768)):
        opened.set_viewport_size({"width": width, "height": height})
        assert opened.evaluate("document.documentElement.scrollWidth") <= width
        assert opened.evaluate("document.documentElement.scrollHeight") <= height
        assert box(opened.get_by_test_id("next")).height >= 44


def test_without_a_sign_in_the_page_says_what_is_missing(page: Page, stub: ConsoleStub) -> None:
    page.goto(f"http://127.0.0.1:{stub.port}/evidence")
    expect(page.get_by_test_id("notice")).to_have_text("Open the link you were given")


def test_a_server_that_does_not_answer_is_told(opened: Page, stub: ConsoleStub, browser: Browser) -> None:
    assert browser.is_connected()
    del stub.documents["tables/t1/rounds/2/replay"]
    opened.get_by_test_id("found-t1-2").click()
    expect(opened.get_by_test_id("stage-note")).to_have_text("Not scripted")
