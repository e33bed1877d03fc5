"""The supervisor's wizard in a browser, on a real table (consoles.md S1, S5-S8, S12, S14; D13, D14, D20)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from console_audit import serious_findings
from console_checks import wait_until
from live_console import LiveStudio, live_studio
from playwright.sync_api import Browser, Locator, Page, Route, expect
from support.tables import DEALER, READER, SUPERVISOR

from studio.domain.anomalies import AnomalyKind, Level, WayOut
from studio.domain.commands import AnswerCall, CommitResult, PassDeadline, ResolveIncident
from studio.domain.people import SYSTEM
from studio.domain.phases import Phase, phase
from studio.domain.record_commands import RecordSighting
from studio.domain.shoe_commands import RegisterPack
from studio.domain.sightings import Sighting, SightingId, Unreadable
from studio.domain.table import Hand

MOST_TABS = 120
BURST_MS = 30

Open = Callable[..., Page]


@pytest.fixture
def studio(tmp_path: Path, built_consoles: None) -> Iterator[LiveStudio]:  # noqa: ARG001 - the pages must be there
    with live_studio(tmp_path) as running:
        yield running


@pytest.fixture
def open_page(browser: Browser, studio: LiveStudio) -> Iterator[Open]:
    """Open a page of one person in a session of its own; a script error fails the test."""
    contexts = []
    errors: list[str] = []

    def opened(page: str, who: str, more: str = "", size: tuple[int, int] = (1280, 800)) -> Page:
        context = browser.new_context(viewport={"width": size[0], "height": size[1]})
        contexts.append(context)
        found = context.new_page()
        found.set_default_timeout(8000)
        found.on("pageerror", lambda error: errors.append(str(error)))
        found.goto(studio.url(page, who, more))
        found.wait_for_selector("main[data-sequence]")
        return found

    yield opened
    for context in contexts:
        context.close()
    assert errors == []


def at(page: Page, testid: str) -> Locator:
    return page.get_by_test_id(testid)


def report(dealer: Page, tile: str = "other") -> None:
    """The dealer's misdeal helper: one tap."""
    at(dealer, "misdeal").click()
    at(dealer, f"tile-{tile}").click()


def say(page: Page, text: str = "The still shows it", reason: str = "misread") -> None:
    at(page, "reason").select_option(reason)
    at(page, "text").fill(text)


def hand_of(studio: LiveStudio, seat: int) -> Hand:
    current = studio.live.actor.table.round
    assert current is not None
    return next(one for one in current.hands if one.id.seat == seat)


def codes(hand: Hand) -> list[str]:
    return [card.code for card in hand.cards]


def unread(studio: LiveStudio) -> None:
    """A card passes the reader and cannot be read."""
    live = studio.live
    live.ordinal += 1
    sighting = Sighting(SightingId("shoe-1", 1, live.ordinal), Unreadable(), live.clock.now().monotonic_ns)
    studio.run(live.do(RecordSighting(sighting), READER, raw=b"\x02??\r\n"))


def test_a_tile_stops_the_table_and_asks_for_the_supervisor_with_the_reason(
    studio: LiveStudio, open_page: Open
) -> None:
    studio.dealt()
    dealer, sam = open_page("dealer", "dora"), open_page("supervisor", "sam")
    at(dealer, "misdeal").click()
    assert at(dealer, "misdeal-helper").locator(".tiles button").count() == 8
    at(dealer, "about-3").click()
    at(dealer, "tile-wrong-seat").click()
    expect(at(sam, "call")).to_contain_text("The dealer calls")
    row = at(sam, "incident-1")
    expect(row).to_contain_text("A card lies at another place than it was drawn for")
    expect(row).to_contain_text("The dealer reports: Wrong seat, seat 3")
    (incident,) = studio.live.actor.table.incidents
    assert (incident.kind, incident.level) == (AnomalyKind.WRONG_POSITION, Level.SUSPEND)
    assert at(dealer, "misdeal-helper").count() == 0


def test_a_card_is_corrected_with_its_preview_per_seat_a_reason_and_words(
    studio: LiveStudio, open_page: Open
) -> None:
    studio.dealt()
    report(open_page("dealer", "dora"))
    sam = open_page("supervisor", "sam")
    at(sam, "open-1").click()
    expect(at(sam, "readings")).to_contain_text("02 4b 44 0d 0a")
    first = at(sam, "readings").locator("tbody tr").first
    expect(first).to_contain_text("face down")
    expect(first).to_contain_text("sealed")
    at(sam, "way-correct").click()
    at(sam, "draw-3").click()
    at(sam, "kind-card-value").click()
    at(sam, "rank-8").click()
    at(sam, "suit-H").click()
    at(sam, "to-preview").click()
    line = at(sam, "hand-1-1")
    expect(line.locator("[data-card]")).to_have_count(4)
    assert [card.get_attribute("data-card") for card in line.locator("[data-card]").all()] == [
        "TC",
        "TH",
        "8H",
        "TH",
    ]
    assert line.locator(".total").all_inner_texts() == ["20", "18"]
    expect(at(sam, "hand-3-1")).to_contain_text("unchanged")
    expect(at(sam, "money-1-main")).to_contain_text("25.00")
    expect(at(sam, "staked-total")).to_have_text("75.00 EUR")
    expect(at(sam, "message")).to_have_text(
        "Round 1: a card was corrected. The round goes on with the right card."
    )
    confirm = at(sam, "confirm")
    expect(confirm).to_be_disabled()
    at(sam, "reason").select_option("misread")
    expect(confirm).to_be_disabled()
    at(sam, "text").fill("The still shows an eight")
    confirm.click()
    expect(at(sam, "no-incidents")).to_be_visible()
    assert codes(hand_of(studio, 1)) == ["8H", "TH"]
    expect(at(sam, "seat-1")).to_contain_text("18")


def test_a_card_is_placed_where_it_lies_by_tapping_a_seat(studio: LiveStudio, open_page: Open) -> None:
    studio.dealt()
    report(open_page("dealer", "dora"))
    sam = open_page("supervisor", "sam")
    at(sam, "open-1").click()
    at(sam, "way-move").click()
    at(sam, "draw-7").click()
    at(sam, "place-3-1").click()
    expect(at(sam, "changes")).to_contain_text("Draw 7 lies at Seat 3")
    at(sam, "to-preview").click()
    expect(at(sam, "hand-3-1")).to_have_class("changed")
    say(sam, reason="misdeal")
    at(sam, "confirm").click()
    expect(at(sam, "no-incidents")).to_be_visible()
    assert codes(hand_of(studio, 3)) == ["9C", "TH"]


def test_a_void_shows_every_stake_and_needs_a_hold(studio: LiveStudio, open_page: Open) -> None:
    studio.dealt()
    report(open_page("dealer", "dora"))
    sam = open_page("supervisor", "sam")
    at(sam, "open-1").click()
    at(sam, "way-void").click()
    expect(at(sam, "refund-total")).to_have_text("75.00 EUR")
    for seat in (1, 3, 6):
        assert at(sam, f"money-{seat}-main").locator(".number").all_inner_texts() == [
            "25.00 → 0.00",
            "not yet known → 25.00",
        ]
    say(sam, reason="misdeal")
    hold = at(sam, "hold-void")
    hold.click()
    assert studio.live.actor.table.incidents
    hold.hover()
    sam.mouse.down()
    expect(at(sam, "no-incidents")).to_be_visible()
    sam.mouse.up()
    assert [studio.live.wallet.available(f"player:{name}") for name in ("anna", "ben", "cleo")] == [500_000] * 3


def test_a_stale_act_is_refused_with_what_changed_and_previewed_again(studio: LiveStudio, open_page: Open) -> None:
    studio.dealt()
    report(open_page("dealer", "dora"))
    sam = open_page("supervisor", "sam")
    at(sam, "open-1").click()
    at(sam, "way-go-on").click()
    say(sam)
    expect(at(sam, "confirm")).to_be_enabled()

    def overtake(route: Route) -> None:
        studio.run(studio.live.do(AnswerCall(), SUPERVISOR))
        route.continue_()

    sam.route("**/commands", overtake, times=1)
    at(sam, "confirm").click()
    expect(at(sam, "changed")).to_have_text("Call answered")
    assert at(sam, "text").input_value() == "The still shows it"
    assert studio.live.actor.table.incidents
    at(sam, "confirm").click()
    expect(at(sam, "no-incidents")).to_be_visible()


def test_a_card_entered_by_the_dealer_is_co_signed_and_marked(studio: LiveStudio, open_page: Open) -> None:
    studio.dealt(cards="TC 9C 6S 9D TH 5S")
    dealer, sam = open_page("dealer", "dora"), open_page("supervisor", "sam")
    assert at(dealer, "way-out-enter").count() == 0
    unread(studio)
    at(dealer, "way-out-enter").click()
    expect(at(dealer, "suit-H")).to_be_disabled()
    at(dealer, "rank-K").click()
    assert at(dealer, "suit-H").inner_text().strip() == "hearts"
    at(dealer, "suit-H").click()
    expect(at(dealer, "band")).to_contain_text("A supervisor must co-sign")
    assert codes(hand_of(studio, 6)) == ["6S"]
    proposed = at(sam, "proposal-1")
    expect(proposed).to_contain_text("by hand")
    expect(proposed).not_to_contain_text("hearts")
    at(sam, "approve-1").click()
    expect(at(sam, "hand-6-1")).to_have_class("changed")
    at(sam, "confirm").click()
    expect(at(dealer, "newest-card").locator("[data-mark]")).to_have_text("MANUAL")
    assert codes(hand_of(studio, 6)) == ["6S", "KH"]
    for page, place in ((dealer, "seat-6"), (sam, "seat-6"), (sam, "last-cards")):
        expect(at(page, place).locator("[data-card=KH] [data-mark]")).to_have_text("MANUAL")
        assert at(page, place).locator("[data-mark]").count() == 1


def test_two_supervisors_enter_a_card_and_the_same_one_cannot_do_both(studio: LiveStudio, open_page: Open) -> None:
    studio.dealt(cards="TC 9C 6S 9D TH 5S")
    sam, sue = open_page("supervisor", "sam"), open_page("supervisor", "sue")
    unread(studio)
    at(sam, "open-1").click()
    at(sam, "way-enter").click()
    at(sam, "rank-Q").click()
    at(sam, "suit-S").click()
    at(sam, "to-preview").click()
    expect(at(sam, "needs-second")).to_be_visible()
    say(sam)
    at(sam, "confirm").click()
    expect(at(sam, "own-1")).to_contain_text("another supervisor must approve it")
    assert at(sam, "approve-1").count() == 0
    answer = send(sam, "approve-proposal", {"proposal": 1}, studio.live.actor.sequence)
    assert answer == {"status": 409, "code": "same-person"}
    at(sue, "approve-1").click()
    at(sue, "confirm").click()
    expect(at(sue, "no-incidents")).to_be_visible()
    assert codes(hand_of(studio, 6)) == ["6S", "QS"]


def test_a_player_reads_what_the_preview_said(studio: LiveStudio, open_page: Open) -> None:
    studio.dealt()
    report(open_page("dealer", "dora"))
    sam = open_page("supervisor", "sam")
    player = open_page("player", "anna")
    at(sam, "open-1").click()
    at(sam, "way-void").click()
    said = at(sam, "message").inner_text()
    say(sam, reason="misdeal")
    at(sam, "hold-void").hover()
    sam.mouse.down()
    expect(player.get_by_text(said)).to_be_visible()
    sam.mouse.up()


def test_a_proposal_is_declined_with_words(studio: LiveStudio, open_page: Open) -> None:
    studio.dealt(cards="TC 9C 6S 9D TH 5S")
    dealer, sam = open_page("dealer", "dora"), open_page("supervisor", "sam")
    unread(studio)
    at(dealer, "way-out-enter").click()
    at(dealer, "rank-K").click()
    at(dealer, "suit-H").click()
    at(sam, "decline-1").click()
    at(sam, "decline-text").fill("Rescan it first")
    at(sam, "decline-do").click()
    expect(at(sam, "proposals")).to_have_count(0)
    expect(at(dealer, "way-out-enter")).to_be_visible()


def test_a_hidden_card_is_opened_by_two_and_shown_to_one(studio: LiveStudio, open_page: Open) -> None:
    studio.dealt()
    report(open_page("dealer", "dora"))
    sam, sue = open_page("supervisor", "sam"), open_page("supervisor", "sue")
    at(sam, "open-hidden").click()
    at(sam, "draw-10").click()
    at(sam, "to-preview").click()
    say(sam, reason="exposed")
    at(sam, "confirm").click()
    at(sue, "approve-1").click()
    at(sue, "confirm").click()
    at(sam, "look-1").click()
    expect(at(sam, "opened-card").locator("[data-card='7C']")).to_be_visible()
    assert sue.locator("[data-card='7C']").count() == 0
    at(sam, "cover").click()
    assert sam.locator("[data-card='7C']").count() == 0


def test_an_alarm_is_claimed_handed_over_and_called_out_when_nobody_comes(
    studio: LiveStudio, open_page: Open
) -> None:
    studio.dealt()
    report(open_page("dealer", "dora"))
    sam, sue = open_page("supervisor", "sam"), open_page("supervisor", "sue")
    expect(at(sam, "absent-1")).to_contain_text("the next supervisor is called in 0:5")
    studio.run(studio.live.wait(61))
    expect(at(sam, "absent-1")).to_contain_text("The next supervisor was called; the manager in 1:5")
    studio.run(studio.live.wait(120))
    expect(at(sam, "absent-1")).to_have_text("The next supervisor and the manager were called")
    at(sam, "claim-1").click()
    expect(at(sam, "owner-1")).to_have_text("you")
    expect(at(sue, "owner-1")).to_have_text("Sam")
    assert at(sue, "claim-1").count() == 0
    at(sue, "open-1").click()
    expect(at(sue, "held-by")).to_contain_text("Sam holds this incident")
    expect(at(sue, "way-go-on")).to_be_disabled()
    at(sue, "close").click()
    at(sam, "hand-over-1").click()
    at(sam, "hand-over-to").select_option("sue")
    at(sam, "hand-over-text").fill("Seat 3 is waiting")
    at(sam, "hand-over-do").click()
    expect(at(sue, "owner-1")).to_contain_text("offered to you")
    at(sue, "claim-1").click()
    expect(at(sam, "owner-1")).to_have_text("Sue")


def test_who_else_is_here_and_what_they_look_at_is_shown_to_both(studio: LiveStudio, open_page: Open) -> None:
    studio.dealt()
    report(open_page("dealer", "dora"))
    sam = open_page("supervisor", "sam")
    expect(at(sam, "presence")).to_contain_text("only you")
    sue = open_page("supervisor", "sue")
    expect(at(sam, "presence")).to_contain_text("Sue")
    at(sue, "open-1").click()
    at(sue, "way-go-on").click()
    expect(at(sam, "presence")).to_contain_text("Sue (looking at incident 1)")
    table = studio.live.actor.table
    expect(at(sam, "hashes")).to_contain_text(table.setup.rules.hash[:8])
    expect(at(sam, "hashes")).to_contain_text(table.setup.profile.hash[:8])


def test_an_auditor_looks_and_has_nothing_to_press(studio: LiveStudio, open_page: Open) -> None:
    studio.dealt()
    report(open_page("dealer", "dora"))
    auditor = open_page("supervisor", "aud")
    expect(at(auditor, "read-only")).to_be_visible()
    assert at(auditor, "incident-1").locator("button").count() == 0
    assert auditor.locator("button:not([disabled]):not([data-testid=open-shoe])").count() == 0
    at(auditor, "open-shoe").click()
    assert at(auditor, "shoe-page").locator("button:not([disabled])").all_inner_texts() == ["Close"]


def test_a_settled_round_is_revised_from_its_number(studio: LiveStudio, open_page: Open) -> None:
    settle(studio)
    sam, sue = open_page("supervisor", "sam", "&revise=1"), open_page("supervisor", "sue")
    at(sam, "draw-6").click()
    at(sam, "kind-card-value").click()
    at(sam, "rank-8").click()
    at(sam, "suit-D").click()
    at(sam, "to-preview").click()
    expect(at(sam, "money-1-main")).to_contain_text("0.00 → 25.00")
    expect(at(sam, "message")).to_contain_text("settled again")
    say(sam)
    at(sam, "confirm").click()
    before = studio.live.wallet.available("player:anna")
    at(sue, "approve-1").click()
    at(sue, "confirm").click()
    wait_until(sue, lambda: studio.live.wallet.available("player:anna") == before + 2_500)


def test_the_shoe_page_shows_what_everybody_saw_and_puts_a_pack_away(studio: LiveStudio, open_page: Open) -> None:
    studio.run(studio.live.do(RegisterPack("pack-7", "batch-2", "red"), SUPERVISOR))
    studio.dealt()
    sam = open_page("supervisor", "sam")
    at(sam, "open-shoe").click()
    expect(at(sam, "pack-pack-7")).to_contain_text("batch-2")
    # The four tens: one in clubs, one in hearts were seen; the sevens are not, one of them lies face down.
    rows = at(sam, "copies").locator("tbody tr")
    assert [row.locator("td").nth(9).inner_text() for row in rows.all()] == ["0", "1", "0", "1"]
    assert [row.locator("td").nth(6).inner_text() for row in rows.all()] == ["0", "0", "0", "0"]
    expect(at(sam, "impossible")).to_contain_text("No card came out more often")
    sound(sam)
    at(sam, "quarantine-pack-7").click()
    at(sam, "quarantine-why").fill("Marked backs")
    at(sam, "quarantine-do").click()
    expect(at(sam, "pack-pack-7")).to_contain_text("Marked backs")
    assert at(sam, "quarantine-pack-7").count() == 0


def test_a_pack_is_registered_by_keyboard_alone_and_the_second_of_its_name_is_refused(
    studio: LiveStudio, open_page: Open
) -> None:
    studio.run(studio.live.do(RegisterPack("pack-7", "batch-2", "red"), SUPERVISOR))
    sam = open_page("supervisor", "sam")
    press(sam, "open-shoe")
    for field, said in (("pack", "pack-8"), ("batch", "batch-3"), ("back", "blue")):
        tab_to(sam, f"register-{field}")
        sam.keyboard.insert_text(said)
    sam.wait_for_timeout(BURST_MS + 10)
    sam.keyboard.press("Enter")
    expect(at(sam, "pack-pack-8")).to_contain_text("batch-3 · blue")
    expect(at(sam, "pack-pack-8")).to_contain_text("Registered")
    expect(at(sam, "age-pack-8")).to_have_text("not used yet")
    expect(at(sam, "register-note")).to_contain_text("Pack pack-8 is registered")
    expect(at(sam, "register-pack")).to_be_focused()
    expect(at(sam, "register-pack")).to_have_value("")
    sam.keyboard.insert_text("pack-7")
    expect(at(sam, "register-note")).to_contain_text("Pack pack-7 was registered before and is registered")
    sound(sam)
    sam.keyboard.press("Escape")
    expect(at(sam, "shoe-page")).to_have_count(0)


def test_a_past_round_links_to_its_revision(studio: LiveStudio, open_page: Open) -> None:
    settle(studio)
    sam = open_page("supervisor", "sam")
    with sam.expect_popup() as opened:
        at(sam, "evidence").click()
    past = opened.value
    past.locator("[data-testid^=found-]").first.click()
    with past.expect_popup() as again:
        at(past, "revise").click()
    expect(at(again.value, "wizard-title")).to_contain_text("Revise a settled round")
    expect(at(again.value, "draw-3")).to_be_visible()


def test_the_whole_way_goes_by_keyboard_alone(studio: LiveStudio, open_page: Open) -> None:
    studio.dealt()
    report(open_page("dealer", "dora"))
    sam = open_page("supervisor", "sam")
    expect(at(sam, "open-1")).to_be_enabled()
    for testid in ("open-1", "way-correct", "draw-3", "kind-card-value", "rank-8", "suit-H", "to-preview"):
        press(sam, testid)
    tab_to(sam, "reason")
    sam.keyboard.type("Misread")
    tab_to(sam, "text")
    sam.keyboard.type("The still shows it", delay=40)
    press(sam, "confirm")
    expect(at(sam, "no-incidents")).to_be_visible()
    assert codes(hand_of(studio, 1)) == ["8H", "TH"]
    wait_until(sam, lambda: bool(sam.evaluate("document.activeElement !== document.body")))


def test_escape_goes_back_a_step_and_then_to_where_one_came_from(studio: LiveStudio, open_page: Open) -> None:
    studio.dealt()
    report(open_page("dealer", "dora"))
    sam = open_page("supervisor", "sam")
    for testid in ("open-1", "way-correct"):
        press(sam, testid)
    expect(at(sam, "wizard-title")).to_be_focused()
    sam.keyboard.press("Escape")
    expect(at(sam, "wizard")).to_have_attribute("data-stage", "way")
    expect(at(sam, "wizard-title")).to_be_focused()
    sam.keyboard.press("Escape")
    expect(at(sam, "open-1")).to_be_focused()


def test_what_had_the_focus_hands_it_on_when_an_update_takes_it_away(studio: LiveStudio, open_page: Open) -> None:
    studio.dealt()
    report(open_page("dealer", "dora"))
    sam = open_page("supervisor", "sam")
    at(sam, "open-1").focus()
    studio.run(studio.live.do(ResolveIncident(1, WayOut.GO_ON, "procedure", "seen"), SUPERVISOR))
    expect(at(sam, "no-incidents")).to_be_visible()
    expect(sam.get_by_role("heading", name="Alarms")).to_be_focused()


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("void-round", {"reason": "x", "text": "y"}),
        ("resolve-incident", {"incident": 1, "way_out": "void", "reason": "x"}),
        ("resolve-incident", {"incident": 1, "way_out": "burn", "reason": "x"}),
        ("resolve-incident", {"incident": 1, "way_out": "dead-hand", "reason": "x"}),
        ("approve-proposal", {"proposal": 1}),
        ("open-hidden-card", {"draw": 10, "reason": "x", "text": "y"}),
        (
            "revise-round",
            {"round": 1, "changes": [{"change": "out-of-play", "draw": 3}], "reason": "x", "text": "y"},
        ),
        ("claim-incident", {"incident": 1}),
    ],
)
def test_d13_what_is_a_supervisors_is_refused_to_the_dealer(
    studio: LiveStudio, open_page: Open, command: str, arguments: dict[str, Any]
) -> None:
    studio.dealt()
    dealer = open_page("dealer", "dora")
    report(dealer)
    expect(at(dealer, "band")).to_be_visible()
    answer = send(dealer, command, arguments, studio.live.actor.sequence)
    assert answer in ({"status": 403, "code": "forbidden"}, {"status": 409, "code": "not-a-way-out"})
    (incident,) = studio.live.actor.table.incidents
    assert incident.number == 1


@pytest.mark.parametrize("size", [(1280, 800), (1024, 768)])
def test_every_step_fits_and_axe_finds_nothing_serious(
    studio: LiveStudio, open_page: Open, size: tuple[int, int]
) -> None:
    studio.dealt()
    dealer, sam = open_page("dealer", "dora", size=size), open_page("supervisor", "sam", size=size)
    sound(sam)
    at(dealer, "misdeal").click()
    sound(dealer)
    at(dealer, "tile-other").click()
    at(sam, "claim-1").click()
    at(sam, "hand-over-1").click()
    sound(sam)
    sound(dealer)
    at(sam, "open-1").click()
    expect(at(sam, "readings")).to_be_visible()
    sound(sam)
    at(sam, "way-correct").click()
    at(sam, "draw-3").click()
    at(sam, "kind-card-value").click()
    at(sam, "rank-8").click()
    at(sam, "suit-H").click()
    sound(sam)
    at(sam, "to-preview").click()
    expect(at(sam, "preview")).to_be_visible()
    sound(sam)
    at(sam, "close").click()
    at(sam, "open-void").click()
    say(sam)
    expect(at(sam, "hold-void")).to_be_enabled()
    sound(sam)
    at(sam, "close").click()
    at(sam, "open-hidden").click()
    at(sam, "draw-10").click()
    at(sam, "to-preview").click()
    say(sam)
    at(sam, "confirm").click()
    expect(at(sam, "own-1")).to_be_visible()
    sound(sam)


@pytest.mark.parametrize("size", [(1280, 800), (1024, 768)])
def test_the_entry_by_hand_fits_and_axe_finds_nothing_serious(
    studio: LiveStudio, open_page: Open, size: tuple[int, int]
) -> None:
    studio.dealt(cards="TC 9C 6S 9D TH 5S")
    dealer = open_page("dealer", "dora", size=size)
    unread(studio)
    at(dealer, "way-out-enter").click()
    sound(dealer)
    buttons = [button.bounding_box() for button in at(dealer, "card-entry").locator("button").all()]
    assert all(box is not None and min(box["width"], box["height"]) >= 64 for box in buttons)
    at(dealer, "rank-K").click()
    at(dealer, "suit-H").click()
    expect(at(dealer, "take-back")).to_be_visible()
    sound(dealer)


def sound(page: Page) -> None:
    """Assert that the page does not scroll, clips no text, and that axe finds nothing serious."""
    spill = page.evaluate(
        """() => [document.documentElement, ...document.querySelectorAll('button, th, td, p, h2, .top, .helper')]
            .filter(e => e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1)
            .filter(e => getComputedStyle(e).display !== 'inline')
            .map(e => `${e.tagName} ${e.dataset.testid ?? e.className}: ${e.textContent.slice(0, 40)}`)"""
    )
    assert spill == []
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert serious_findings(page) == []


def tab_to(page: Page, testid: str) -> None:
    """Press Tab until an element has the focus."""
    for _ in range(MOST_TABS):
        if page.evaluate("document.activeElement?.dataset.testid") == testid:
            return
        page.keyboard.press("Tab")
    pytest.fail(f"Tab does not come to {testid}")


def press(page: Page, testid: str) -> None:
    """Go to a button by Tab and press it by Enter, once it can be pressed."""
    expect(at(page, testid)).to_be_enabled()
    tab_to(page, testid)
    # At a person's pace: keys that follow faster are a scanner's, and press nothing (D11).
    page.wait_for_timeout(BURST_MS + 10)
    page.keyboard.press("Enter")
    wait_until(page, lambda: _was_pressed(page, testid))


def _was_pressed(page: Page, testid: str) -> bool:
    """Tell whether a press has had its effect: the button is gone, disabled, or stays down."""
    done: bool = page.evaluate(
        """testid => {
            const button = document.querySelector(`[data-testid="${testid}"]`);
            return button === null || button.disabled || button.ariaPressed === 'true';
        }""",
        testid,
    )
    return done


def send(page: Page, command: str, arguments: dict[str, Any], sequence: int) -> dict[str, Any]:
    """Send a command by the sign-in of a page, past its buttons; return the status and the code."""
    body = {"command": command, "arguments": arguments, "seen_sequence": sequence}
    answer: dict[str, Any] = page.evaluate(
        """async body => {
            const token = new URLSearchParams(location.hash.slice(1)).get('token');
            const headers = {
                Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'Idempotency-Key': 'a-test'};
            const request = {method: 'POST', body: JSON.stringify(body), headers};
            const answer = await fetch('/v1/tables/t1/commands', request);
            return {status: answer.status, code: (await answer.json()).code};
        }""",
        body,
    )
    return answer


def settle(studio: LiveStudio) -> None:
    """Play a round to its settlement: everybody stands by default, the dealer has 16 and draws a five."""
    studio.dealt()

    pulled = iter(["5D", "4D", "3D", "2D"])
    for _ in range(20):
        if studio.live.actor.table.results is not None:
            return
        studio.run(_next(studio, pulled))
    pytest.fail("the round did not settle")


async def _next(studio: LiveStudio, pulled: Iterator[str]) -> None:
    match phase(studio.live.actor.table):
        case Phase.COMMIT:
            await studio.live.do(CommitResult(), DEALER)
        case Phase.DEALER:
            await studio.cards(next(pulled))
        case _:
            await studio.live.wait(30)
            await studio.live.do(PassDeadline(), SYSTEM)
