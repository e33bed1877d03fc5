"""The life of a shoe: registered, verified, loaded, counted at its end, used again or not (rules.md S1, S5)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from support.controlled_tables import controlled, ended, never_shown, playing, rest_of
from support.tables import DEALER, READER, SUPERVISOR, PlayedTable, a_setup, whole_pack

from studio.adapters.variants import load_variant
from studio.domain.anomalies import AnomalyKind, Level, WayOut
from studio.domain.commands import (
    OpenBetting,
    SignOff,
    SignOn,
)
from studio.domain.events import (
    CardCounted,
    CardUncounted,
    CountEnded,
    CountSigned,
    Event,
    PackLoaded,
    PackRetired,
    ShoeClosed,
    ShoeEnd,
    hides_card,
)
from studio.domain.instructions import instruction, primary_button, secondary_buttons
from studio.domain.people import Actor, Role
from studio.domain.projections import dealer_view, supervisor_view, table_view
from studio.domain.shoe import ShoeStep
from studio.domain.shoe_commands import (
    AbandonCount,
    BeginCount,
    ConfirmShoeStep,
    QuarantinePack,
    RegisterPack,
    ReportForeignCard,
    ReturnCards,
    SignCount,
)
from studio.domain.shoe_life import CountResult, Life, life_of
from studio.domain.sightings import ForeignCard

OTHER = Actor("sue", "Sue", Role.SUPERVISOR)
HOUR = 3600


def life(table: PlayedTable, pack: str) -> Life:
    found = table.table.life.pack(pack)
    assert found is not None
    return life_of(found, table.table.life, table.table.shoe)


def a_round(table: PlayedTable, cards: str) -> None:
    """One seat stands on its first two cards; the dealer's 17 or more stand too."""
    table.round(1).cards(cards).decide("stand").commit()


def kinds(events: tuple[Event, ...]) -> list[type]:
    return [type(event) for event in events]


# Verification


def test_no_table_opens_on_an_unverified_shoe() -> None:
    table = controlled()

    assert table.refused(ConfirmShoeStep(ShoeStep.LOADED), DEALER) == "shoe-unverified"
    table.register("red-1", "red")
    assert table.refused(ConfirmShoeStep(ShoeStep.LOADED), DEALER) == "count-owed"
    assert instruction(table.table).words == "Put pack red-1 in for counting"


def test_a_pack_is_verified_by_every_card_and_two_people() -> None:
    table = controlled().register("red-1", "red").count(whole_pack(1), pack="red-1")

    assert kinds(table.sign(DEALER)) == [CountSigned]
    assert table.refused(SignCount(), DEALER) == "same-person"
    assert life(table, "red-1") is Life.REGISTERED
    table.sign(SUPERVISOR)

    assert life(table, "red-1") is Life.VERIFIED
    pack = table.table.life.pack("red-1")
    assert pack is not None
    assert pack.last_count is not None
    assert pack.last_count.signed == ("Dora", "Sam")
    assert instruction(table.table).words == "Load pack red-1, red back"


@pytest.mark.parametrize(
    ("dropped", "added", "missing", "extra"),
    [(["8S"], [], ["8S"], []), ([], ["TC"], [], ["TC"]), (["8S"], ["TC"], ["8S"], ["TC"])],
)
def test_verification_names_missing_and_extra_cards(
    dropped: list[str], added: list[str], missing: list[str], extra: list[str]
) -> None:
    codes = [code for code in whole_pack(1) if code not in dropped] + added
    table = controlled().register("red-1", "red").count(codes, pack="red-1")

    events = table.sign(DEALER)

    ended_count = next(event for event in events if isinstance(event, CountEnded))
    assert ended_count.result is CountResult.MISMATCH
    assert [card.code for card in ended_count.missing] == missing
    assert [card.code for card in ended_count.extra] == extra
    assert table.kinds() == [AnomalyKind.SHOE_UNVERIFIED]
    assert table.refused(ConfirmShoeStep(ShoeStep.LOADED), DEALER) == "table-stopped"


def test_a_pack_that_fails_is_counted_again_or_put_away() -> None:
    short = whole_pack(1)[1:]
    table = controlled().register("red-1", "red").count(short, pack="red-1")
    table.sign(DEALER)

    table.resolve(WayOut.RECOUNT)
    assert table.refused(BeginCount("red-1"), DEALER) == "shoe-not-reloaded"
    table.reload().count(whole_pack(1), pack="red-1").sign(SUPERVISOR, OTHER)
    assert life(table, "red-1") is Life.VERIFIED

    table.register("blue-1", "blue").reload().count(short, pack="blue-1").sign(DEALER)
    table.resolve(WayOut.QUARANTINE)
    assert life(table, "blue-1") is Life.QUARANTINED
    assert table.refused(BeginCount("blue-1"), SUPERVISOR) == "pack-put-away"


def test_an_unread_card_is_counted_and_read_again() -> None:
    table = controlled().register("red-1", "red").count(whole_pack(1)[:-1], pack="red-1")
    last = whole_pack(1)[-1]

    assert kinds(table.no_read()) == [CardUncounted]
    assert primary_button(table.table) is not None  # the one face that was not seen can only be that one
    assert kinds(table.card(last, ordinal=52)) == [CardCounted]
    assert table.card(last, ordinal=52) == ()
    assert table.kinds() == []
    table.sign(DEALER, SUPERVISOR)
    assert life(table, "red-1") is Life.VERIFIED


def test_cards_that_the_reader_never_told_are_counted_without_a_face() -> None:
    table = controlled().register("red-1", "red").count(["AS"], pack="red-1")

    assert kinds(table.card("2S", ordinal=4)) == [CardUncounted, CardUncounted, CardCounted]


def test_after_the_signature_no_card_belongs_to_the_count() -> None:
    table = controlled().register("red-1", "red").count(whole_pack(1), pack="red-1")
    table.sign(DEALER)

    table.card("AS")

    assert table.kinds() == [AnomalyKind.CARD_BEFORE_TIME]


def test_a_count_that_is_given_up_leaves_nothing() -> None:
    table = controlled().register("red-1", "red").count(["AS"], pack="red-1")

    table.do(AbandonCount(), DEALER)

    assert life(table, "red-1") is Life.REGISTERED
    assert table.refused(SignCount(), DEALER) == "no-count"
    assert table.refused(AbandonCount(), DEALER) == "no-count"


def test_what_is_counted_is_sealed_and_in_no_view() -> None:
    """C25: no order of cards in clear, and S3's secrecy for a pack that is being counted."""
    table = controlled().register("red-1", "red").count(["QD", "7H"], pack="red-1")

    assert all(hides_card(event) for event in table.events if isinstance(event, CardCounted))
    for view in (
        table_view(table.table, table.now),
        dealer_view(table.table, table.now, "2026-01-01"),
        supervisor_view(table.table, table.now, "2026-01-01").dealer,
    ):
        assert "QD" not in repr(view)
        assert "7H" not in repr(view)
    assert set(supervisor_view(table.table, table.now, "2026-01-01").shoe_page.copies) == {0}


def test_the_console_leads_through_the_count() -> None:
    table = controlled()
    assert instruction(table.table).code == "register-pack"
    assert primary_button(table.table) is None
    table.register("red-1", "red")
    button = primary_button(table.table)
    assert button is not None
    assert (button.command, button.arguments) == ("begin-count", {"pack": "red-1"})

    table.do(BeginCount("red-1"), DEALER)
    assert instruction(table.table).code == "count"
    assert primary_button(table.table) is None  # D2: a card is awaited
    assert [one.command for one in secondary_buttons(table.table)] == ["sign-count", "abandon-count"]

    for code in whole_pack(1):
        table.card(code)
    button = primary_button(table.table)
    assert button is not None
    assert button.command == "sign-count"
    table.sign(DEALER)
    assert instruction(table.table).code == "wait-signature"


@pytest.mark.parametrize(
    ("command", "code"),
    [(BeginCount("green"), "no-such-pack"), (QuarantinePack("green", "torn"), "no-such-pack")],
)
def test_a_pack_that_nobody_registered(command: BeginCount | QuarantinePack, code: str) -> None:
    assert controlled().refused(command, SUPERVISOR) == code


def test_a_pack_is_registered_once() -> None:
    table = controlled().register("red-1", "red")

    assert table.refused(RegisterPack("red-1", "B-2", "red"), SUPERVISOR) == "pack-known"


def test_a_pack_that_could_be_mistaken_for_the_one_in_the_shoe_is_not_registered() -> None:
    table = controlled().verified("red-1", "red").verified("blue-1", "blue")
    table.load_shoe()
    assert table.table.life.loaded == "red-1"

    assert table.refused(RegisterPack("red-2", "B-red", "red"), SUPERVISOR) == "pack-alike"
    table.do(RegisterPack("red-3", "B-other", "red"), SUPERVISOR)
    table.do(RegisterPack("blue-2", "B-blue", "blue"), SUPERVISOR)


def test_the_servers_own_shuffle_has_no_packs() -> None:
    table = PlayedTable(a_setup(load_variant("european"))).open()

    assert table.refused(RegisterPack("red-1", "B-2", "red"), SUPERVISOR) == "no-packs"


# Use and end


def test_the_states_of_a_shoes_life() -> None:
    table = controlled().verified("red-1", "red").verified("blue-1", "blue")
    seen = [life(table, "red-1")]
    table.load_shoe()
    seen.append(life(table, "red-1"))
    table.cards("AS 2C").wait(10)
    seen.append(life(table, "red-1"))
    table.round(1)
    seen.append(life(table, "red-1"))
    table.cards("TS TD CUT")
    seen.append(life(table, "red-1"))
    table.cards("9S 8D").decide("stand").commit()
    seen.append(life(table, "red-1"))
    table.count(rest_of(table, "red-1"), pack="red-1").sign(DEALER, SUPERVISOR)
    seen.append(life(table, "red-1"))

    assert seen == [
        Life.VERIFIED,
        Life.LOADED,
        Life.BURNED,
        Life.IN_PLAY,
        Life.CUT_CARD_SEEN,
        Life.ENDED,
        Life.RECONCILED,
    ]


def test_the_ended_shoe_is_counted_before_the_next_one_opens() -> None:
    """C15: seen, burned, removed and left against all cards of the pack."""
    table = ended(playing(controlled().verified("red-1", "red").verified("blue-1", "blue")))
    load = table.load

    assert instruction(table.table).words == "Count what pack red-1 left"
    assert table.refused(ConfirmShoeStep(ShoeStep.LOADED), DEALER) == "shoe-not-reloaded"
    table.count(rest_of(table, "red-1"), pack="red-1").sign(DEALER, SUPERVISOR)

    assert table.load == load  # the rest is drawn from the load it lay in
    assert instruction(table.table).words == "Load pack blue-1, blue back"
    table.load_shoe()
    assert life(table, "blue-1") is Life.LOADED


def test_a_shoe_that_does_not_add_up_is_quarantined_and_the_table_closed() -> None:
    """C15, shoe-count."""
    table = ended(playing(controlled().verified("red-1", "red").verified("blue-1", "blue")))

    table.count(rest_of(table, "red-1")[1:], pack="red-1").sign(DEALER)

    assert table.kinds() == [AnomalyKind.SHOE_COUNT]
    assert table.table.incidents[0].level is Level.SUSPEND
    assert life(table, "red-1") is Life.QUARANTINED
    assert table.refused(ConfirmShoeStep(ShoeStep.LOADED), DEALER) == "table-stopped"
    table.resolve(WayOut.QUARANTINE)
    table.load_shoe()
    assert life(table, "blue-1") is Life.LOADED


def test_a_recount_by_two_people_clears_a_shoe() -> None:
    table = ended(playing(controlled().verified("red-1", "red").verified("blue-1", "blue")))
    table.count(rest_of(table, "red-1")[1:], pack="red-1").sign(DEALER)

    table.resolve(WayOut.RECOUNT)
    table.reload().count(whole_pack(1), pack="red-1").sign(DEALER, SUPERVISOR)

    assert life(table, "red-1") is Life.RECONCILED


def test_a_card_discarded_unread_is_the_one_copy_not_seen() -> None:
    table = playing(controlled().verified("red-1", "red"))
    table.round(1).cards("TS TD 9S").no_read()
    table.resolve(WayOut.DISCARD)
    table.cards("CUT 8D").decide("stand").commit()
    rest = rest_of(table, "red-1")
    rest.remove("3C")  # the card that nobody could read

    table.count(rest, pack="red-1").sign(DEALER, SUPERVISOR)

    assert life(table, "red-1") is Life.RECONCILED


def test_backs_alternate() -> None:
    table = playing(controlled().verified("red-1", "red").verified("red-2", "red"))
    ended(table).count(rest_of(table, "red-1"), pack="red-1").sign(DEALER, SUPERVISOR)

    assert instruction(table.table).code == "register-pack"
    table.reload()
    assert table.refused(ConfirmShoeStep(ShoeStep.LOADED), DEALER) == "shoe-unverified"
    table.verified("blue-1", "blue").load_shoe()
    assert life(table, "blue-1") is Life.LOADED


def test_batches_alternate() -> None:
    table = playing(controlled().verified("red-1", "red", "B-7").verified("blue-1", "blue", "B-7"))
    ended(table).count(rest_of(table, "red-1"), pack="red-1").sign(DEALER, SUPERVISOR)

    table.reload()
    assert table.refused(ConfirmShoeStep(ShoeStep.LOADED), DEALER) == "shoe-unverified"
    table.verified("blue-2", "blue", "B-8").load_shoe()
    assert life(table, "blue-2") is Life.LOADED


def test_a_pack_too_long_in_use_leaves_at_the_rounds_end() -> None:
    """A deck in use for more than 24 h is refused at the next round boundary."""
    table = playing(controlled().verified("red-1", "red").verified("blue-1", "blue"))
    table.wait(25 * HOUR)
    table.do(SignOff(), DEALER)
    table.wait(HOUR).do(SignOn("2099-12-31", licence_valid=True), DEALER)

    events = table.do(OpenBetting(), DEALER)

    assert events == (ShoeClosed("t1-shoe-1", ShoeEnd.WORN),)
    events = table.count(rest_of(table, "red-1"), pack="red-1").sign(DEALER, SUPERVISOR)
    assert events[-1] == PackRetired("red-1")
    assert life(table, "red-1") is Life.RETIRED


def test_a_pack_that_grew_old_on_the_shelf_is_not_loaded() -> None:
    table = ended(playing(controlled().verified("red-1", "red").verified("blue-1", "blue")))
    table.count(rest_of(table, "red-1"), pack="red-1").sign(DEALER, SUPERVISOR)
    table.load_shoe().cards("AH 3C").wait(10).round(1)
    table.cards("KS KD CUT 9H 8C").decide("stand").commit()
    table.wait(10).count(rest_of(table, "blue-1"), pack="blue-1").sign(DEALER, SUPERVISOR)
    table.wait(25 * HOUR).reload()

    assert table.do(ConfirmShoeStep(ShoeStep.LOADED), DEALER) == (PackRetired("red-1"),)


def test_the_quarantine_button() -> None:
    table = controlled().verified("red-1", "red").verified("blue-1", "blue")

    table.do(QuarantinePack("red-1", "backs worn"), SUPERVISOR)
    assert life(table, "red-1") is Life.QUARANTINED
    assert table.do(QuarantinePack("red-1", "again"), SUPERVISOR) == ()
    table.load_shoe()

    assert life(table, "blue-1") is Life.LOADED
    assert table.refused(QuarantinePack("blue-1", "torn"), SUPERVISOR) == "pack-in-use"
    assert table.refused(BeginCount("blue-1"), DEALER) == "shoe-in-play"


def test_a_pack_in_its_count_can_be_quarantined() -> None:
    table = controlled().register("red-1", "red").count(["AS"], pack="red-1")

    table.do(QuarantinePack("red-1", "a joker"), SUPERVISOR)

    assert table.table.life.counting is None
    assert life(table, "red-1") is Life.QUARANTINED


def test_loading_says_which_pack() -> None:
    table = controlled().verified("red-1", "red")

    events = table.reload().do(ConfirmShoeStep(ShoeStep.LOADED), DEALER)

    assert isinstance(events[0], PackLoaded)
    assert events[0].pack == "red-1"


# Doubt during play


def test_an_impossible_copy_is_recounted() -> None:
    """C16: void, recount, look back; the shoe comes back only if all of it is there."""
    table = playing(controlled().verified("red-1", "red").verified("blue-1", "blue")).round(1)
    table.cards("AS")
    assert table.kinds() == [AnomalyKind.IMPOSSIBLE_COPY]
    assert supervisor_view(table.table, table.now, "2026-01-01").shoe_page.impossible == (3,)

    table.resolve(WayOut.RECOUNT)

    assert table.table.shoe is None
    assert table.kinds() == []
    assert table.refused(BeginCount("red-1"), DEALER) == "shoe-not-reloaded"
    table.reload().count(whole_pack(1), pack="red-1").sign(DEALER, SUPERVISOR)
    assert life(table, "red-1") is Life.RECONCILED


@pytest.mark.parametrize("way", [WayOut.VOID, WayOut.CHANGE_SHOE])
def test_a_foreign_card_quarantines_the_pack(way: WayOut) -> None:
    table = playing(controlled().verified("red-1", "red").verified("blue-1", "blue"))
    if way is WayOut.VOID:
        table.round(1)

    table.do(ReportForeignCard("a joker"), DEALER)
    assert table.kinds() == [AnomalyKind.FOREIGN_CARD]
    assert table.do(ReportForeignCard("a joker"), DEALER) == ()
    table.resolve(way)

    assert life(table, "red-1") is Life.QUARANTINED


def test_a_reader_that_knows_its_cards_tells_a_foreign_one() -> None:
    table = playing(controlled().verified("red-1", "red")).round(1)

    table.sighting(ForeignCard("joker"))

    assert table.kinds() == [AnomalyKind.FOREIGN_CARD]
    table.resolve(WayOut.VOID)
    assert life(table, "red-1") is Life.QUARANTINED


def test_strange_cards_before_the_loading_leave_the_table_closed() -> None:
    table = controlled().verified("red-1", "red")

    table.do(ReportForeignCard("the backs are blue"), DEALER)

    assert table.kinds() == [AnomalyKind.SHOE_UNVERIFIED]
    assert controlled().refused(ReportForeignCard("a joker"), DEALER) == "no-shoe"


@pytest.mark.parametrize(
    ("way", "after"), [(WayOut.QUARANTINE, Life.QUARANTINED), (WayOut.RECOUNT, Life.REGISTERED)]
)
def test_strange_cards_before_the_loading_are_about_the_pack_to_be_loaded(way: WayOut, after: Life) -> None:
    """shoe-unverified: not about another pack, which a count was wrong for and which was put away then."""
    table = controlled().register("old-1", "red").count(whole_pack(1)[1:], pack="old-1")
    table.sign(DEALER)
    table.resolve(WayOut.QUARANTINE)
    table.reload().verified("red-1", "red").do(ReportForeignCard("the backs are blue"), DEALER)

    table.resolve(way)

    assert life(table, "red-1") is after
    assert life(table, "old-1") is Life.QUARANTINED


@pytest.mark.parametrize(
    ("cards", "level"), [("CUT", Level.HOLD), ("AS 2C CUT", Level.WARN)], ids=["first of the shoe", "too early"]
)
def test_a_cut_card_far_from_its_place(cards: str, level: Level) -> None:
    """C24, cut-card-position."""
    table = PlayedTable().open().load_shoe().cards(cards)

    assert table.kinds() == [AnomalyKind.CUT_CARD_POSITION]
    assert table.table.incidents[0].level is level
    assert table.table.is_stopped is (level is Level.HOLD)


def test_a_cut_card_in_its_band_says_nothing() -> None:
    table = controlled(cut_position=50)
    playing(table.verified("red-1", "red")).cards("CUT")

    assert table.kinds() == []


def test_an_unshuffled_shoe_is_stopped_before_the_first_bet() -> None:
    """C18: six cards in the order of the count, which comes before the shuffle."""
    table = controlled().verified("red-1", "red")
    order = whole_pack(1)
    first = next(place for place in range(30) if order[place][0] in "6789TJQK")
    table.load_shoe()

    table.cards(" ".join(order[first : first + 6]))

    assert table.kinds() == [AnomalyKind.ORDER_NOT_RANDOM]
    assert table.table.is_suspended
    assert not any(code in table.table.incidents[0].detail for code in order)
    table.resolve(WayOut.CHANGE_SHOE)
    assert life(table, "red-1") is Life.ENDED


def test_a_void_for_the_order_changes_the_shoe() -> None:
    table = controlled().verified("red-1", "red").load_shoe().cards("AS 3H").wait(10).round(1)
    table.cards("2S 3S 4S 5S").decide("hit").cards("6S").decide("hit").cards("7S")
    assert table.kinds() == [AnomalyKind.ORDER_NOT_RANDOM]

    events = table.resolve(WayOut.VOID)

    assert ShoeClosed("t1-shoe-1", ShoeEnd.CHANGED) in events
    assert life(table, "red-1") is Life.ENDED


def test_a_sorted_run_is_told() -> None:
    table = controlled().verified("red-1", "red").load_shoe()

    table.cards("7D 8D 9D TD JD QD")

    assert table.kinds() == [AnomalyKind.ORDER_NOT_RANDOM]


def test_a_card_missing_over_several_shoes_orders_a_full_count() -> None:
    """missing-card-suspected: the seven of hearts came out of none of many shoes that showed half their cards."""
    table = playing(controlled().verified("red-1", "red"))
    never_shown(table, "7H", "red-1")

    table.round(1).cards("TS TD CUT 9S 8D").decide("stand").commit()

    assert AnomalyKind.MISSING_CARD_SUSPECTED in table.kinds()
    assert not table.table.is_stopped
    assert "7H" not in table.table.incidents[-1].detail
    assert instruction(table.table).words == "Put pack red-1 in for counting"
    table.resolve(WayOut.ACKNOWLEDGE)
    table.reload().count(whole_pack(1), pack="red-1").sign(DEALER, SUPERVISOR)
    assert life(table, "red-1") is Life.RECONCILED


# Continuous shuffler


def shuffler(**changes: Any) -> PlayedTable:
    rules = replace(load_variant("continuous"), decks=1)
    setup = replace(a_setup(), rules=rules, shoe_control=True, cut_position=0, **changes)
    return PlayedTable(setup).open().verified("red-1", "red").load_shoe()


def test_a_shuffler_takes_the_same_pack_again_after_its_scheduled_count() -> None:
    """S8: every round from the full composition; all cards are counted every so many rounds."""
    table = shuffler(full_count_rounds=1)
    table.betting().bet(1)
    table.cards("TS TD 9S 8D").decide("stand").commit()
    table.do(ReturnCards(), DEALER)

    assert table.do(OpenBetting(), DEALER) == (ShoeClosed("t1-shoe-1", ShoeEnd.COUNT_DUE),)
    table.count(whole_pack(1), pack="red-1").sign(DEALER, SUPERVISOR)
    table.load_shoe()
    assert life(table, "red-1") is Life.BURNED  # a shuffler owes no burn
    table.betting()


@pytest.mark.parametrize(("counted", "kinds_open"), [(4, []), (3, [AnomalyKind.SHOE_COUNT])])
def test_a_shuffler_that_counts_tells_a_card_that_did_not_come_back(
    counted: int, kinds_open: list[AnomalyKind]
) -> None:
    table = shuffler()
    table.betting().bet(1)
    table.cards("TS TD 9S 8D").decide("stand").commit()

    table.do(ReturnCards(counted), READER)

    assert table.kinds() == kinds_open
    assert life(table, "red-1") is (Life.QUARANTINED if kinds_open else Life.IN_PLAY)
