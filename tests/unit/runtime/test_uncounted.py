"""A reader that counts nothing: the table does, and no card is lost, doubled or guessed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.tables import COLLEAGUE, DEALER, READER, SUPERVISOR, a_setup, whole_pack
from support.uncounted import UncountedTable

from studio.domain.anomalies import AnomalyKind, Level, WayOut
from studio.domain.cards import DECK, Card
from studio.domain.events import CardBurned, CardCounted, CardDealt, CardHeld, CardUnread, CauseCleared
from studio.domain.loads import position
from studio.domain.record_commands import RecordReader
from studio.domain.shoe_commands import BeginCount, RegisterPack, SignCount
from studio.domain.sightings import SightingId
from studio.ports.devices import EventKind


def test_each_shoe_is_a_load_of_its_own_and_each_card_has_the_next_place() -> None:
    played = UncountedTable().ready("2C 3C 4D").round(1).cards("TC 9C 9D")
    dealt = [event.sighting for event in played.events if isinstance(event, CardDealt)]
    assert dealt == [SightingId("shoe-1", 1, ordinal) for ordinal in (4, 5, 6)]


def test_two_equal_cards_one_after_the_other_are_two_cards() -> None:
    played = UncountedTable().ready().round(1).cards("8S 8S 8S")
    assert len([event for event in played.events if isinstance(event, CardDealt)]) == 3


def test_after_a_shoe_is_closed_the_next_one_is_a_new_load() -> None:
    played = UncountedTable().ready().round(1).cards("TC 9C CUT 9D TH").decide("stand").commit()
    assert played.table.shoe is None
    played.load_shoe().cards("2H 3H")
    assert position(played.table)[:2] == (2, 2)


def test_a_whole_pack_is_counted_and_then_loaded_without_the_reader_saying_so() -> None:
    played = UncountedTable(a_setup(shoe_control=True)).open()
    for pack, back in (("red-1", "red"), ("blue-1", "blue")):
        played.do(RegisterPack(pack, f"B-{back}", back), SUPERVISOR)
        played.do(BeginCount(pack), DEALER)
        for code in whole_pack(8):
            played.wait(1).card(code)
        played.do(SignCount(), DEALER)
        played.do(SignCount(), COLLEAGUE)
    counted = [event.sighting.load for event in played.events if isinstance(event, CardCounted)]
    assert counted == [1] * 416 + [2] * 416
    played.load_shoe().cards("AS 2C")
    assert played.table.shoe is not None
    assert (played.table.shoe.load, played.table.shoe.drawn) == (3, 2)


def test_the_next_reading_is_the_card_that_was_to_be_read_again() -> None:
    played = UncountedTable().ready().round(1).cards("TC")
    played.told(EventKind.NO_READ)
    assert [(one.kind, one.level) for one in played.table.incidents] == [(AnomalyKind.NO_READ, Level.HOLD)]
    played.wait(2).card("9C")
    assert not played.table.incidents
    (unread,) = (event for event in played.events if isinstance(event, CardUnread))
    dealt = [event for event in played.events if isinstance(event, CardDealt)]
    assert dealt[-1].sighting == unread.sighting
    played.cards("9D TH")
    assert [event.draw for event in played.events if isinstance(event, CardDealt)] == [3, 4, 5, 6][
        : len(dealt) + 2
    ]


def test_a_second_failure_is_a_failed_rescan_and_no_second_card() -> None:
    played = UncountedTable().ready().round(1).cards("TC")
    played.told(EventKind.NO_READ)
    played.wait(2).told(EventKind.NO_READ)
    assert len([event for event in played.events if isinstance(event, CardUnread)]) == 1
    assert played.table.incidents[0].tries == 1


def test_a_doubtful_reading_of_the_card_that_is_read_again_is_a_failure_too() -> None:
    played = UncountedTable().ready().round(1).cards("TC")
    played.told(EventKind.NO_READ)
    played.wait(2).told(EventKind.CARD, "9C", suspect=True)
    assert not any(isinstance(event, CardDealt) and event.draw == 4 for event in played.events)
    assert played.table.incidents[0].tries == 1


def test_a_suppressed_reading_holds_the_table_as_a_possible_second_card() -> None:
    played = UncountedTable().ready().round(1).cards("8S")
    played.wait(5).told(EventKind.SUPPRESSED, "8S")
    assert played.kinds() == [AnomalyKind.DUPLICATE_READ]
    assert isinstance(played.events[-2], CardHeld)
    played.resolve(WayOut.MARK_DUPLICATE)
    played.cards("9C TH")
    assert not played.table.incidents


def test_a_retransmission_of_the_last_card_is_nothing_and_of_another_is_held() -> None:
    played = UncountedTable().ready().round(1).cards("8S")
    assert played.told(EventKind.RETRANSMISSION, "8S") == ()
    played.wait(5).told(EventKind.RETRANSMISSION, "9S")
    assert played.kinds() == [AnomalyKind.DUPLICATE_READ]


@pytest.mark.parametrize("kind", [EventKind.OVERFLOW, EventKind.TYPED_REJECTED, EventKind.SUSPECT_DISCARDED])
def test_bytes_that_may_have_been_a_card_hold_the_table(kind: EventKind) -> None:
    played = UncountedTable().ready().round(1).cards("8S")
    played.told(kind)
    assert played.kinds() == [AnomalyKind.UNKNOWN_CODE]


def test_a_card_that_proves_the_reader_is_no_draw_while_no_shoe_is_in_play() -> None:
    played = UncountedTable().open()
    assert played.told(EventKind.CARD, "8S", suspect=True, details={"proof": True}) == ()
    played.load_shoe()
    assert position(played.table)[:2] == (1, 0)


def test_a_card_that_proves_the_reader_in_mid_round_must_be_passed_again() -> None:
    played = UncountedTable().ready().round(1).cards("TC")
    played.link("lost").link("ready")
    played.resolve(WayOut.GO_ON, DEALER)
    played.told(EventKind.CARD, "9C", suspect=True, details={"proof": True})
    assert played.kinds() == [AnomalyKind.NO_READ]
    played.wait(2).card("9C")
    assert not played.table.incidents
    assert [event.card.code for event in played.events if isinstance(event, CardDealt)] == ["TC", "9C"]


def test_a_warning_that_the_device_never_takes_back_latches_until_it_is_acknowledged() -> None:
    played = UncountedTable().ready().round(1).cards("TC")
    played.told(EventKind.WARNING, details={"code": 1, "passing": True})
    assert played.kinds() == [AnomalyKind.WRONG_MODE]
    assert isinstance(played.events[-1], CauseCleared)
    played.cards("9C")
    assert isinstance(played.events[-2], CardHeld), "no card is accepted meanwhile"


def test_a_locked_shoe_holds_the_table_until_it_is_unlocked() -> None:
    played = UncountedTable().ready().round(1)
    played.told(EventKind.LOCKED, details={"locked": True})
    assert played.kinds() == [AnomalyKind.WRONG_MODE]
    played.told(EventKind.LOCKED, details={"locked": False})
    assert isinstance(played.events[-1], CauseCleared)


def test_another_kind_of_reader_may_take_over_between_two_shoes() -> None:
    played = UncountedTable().open()
    played.do(RecordReader("shoe-1", True, 7, 0), READER)
    played.link("lost").link("ready")
    assert played.table.reader.load is None


def a_shoe_can_hold(cards: list[Card]) -> bool:
    return all(cards.count(card) <= 8 for card in set(cards))


@given(st.lists(st.sampled_from([DECK[7], DECK[8], DECK[20]]), max_size=10).filter(a_shoe_can_hold), st.data())
def test_no_card_is_lost_or_doubled_whatever_fails_between(cards: list[Card], data: st.DataObject) -> None:
    played = UncountedTable().open().load_shoe()
    told = 0
    for card in ["KD", *map(str, cards)]:
        for _ in range(data.draw(st.integers(0, 1))):
            played.wait(2).told(EventKind.NO_READ)
        played.wait(2).card(card)
        told += 1
    burned = [event for event in played.events if isinstance(event, CardBurned)]
    assert len(burned) == told
    assert [event.draw for event in burned] == list(range(1, told + 1))
