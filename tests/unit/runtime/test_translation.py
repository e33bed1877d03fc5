"""From device events to commands."""

from __future__ import annotations

from typing import Any

import pytest

from studio.domain.anomalies import AnomalyKind
from studio.domain.cards import parse_card
from studio.domain.instants import Instant
from studio.domain.record_commands import (
    RecordReader,
    RecordSighting,
    RecordWarning,
)
from studio.domain.sightings import (
    CardRead,
    CutCardRead,
    FaceUpInShoe,
    ForeignCard,
    Reading,
    SlotCleared,
    SlotOccluded,
    SlotOccupied,
    TwoCards,
    UnknownCode,
    Unreadable,
)
from studio.domain.slots import HandId, Slot
from studio.ports.devices import DeviceEvent, EventKind
from studio.runtime.translation import Translation


def test_what_a_camera_sees_of_a_place_is_a_sighting_with_its_slot() -> None:
    details = {"seen": "read", "seat": 3, "hand": 2, "position": 1, "frame": "f-9"}
    told = event(EventKind.SLOT, card=parse_card("8S"), load=2, ordinal=40, quality=97, details=details)
    (command,) = Translation().commands(told)
    assert isinstance(command, RecordSighting)
    sighting = command.sighting
    assert sighting.slot == Slot(HandId(3, 2), 1)
    assert (sighting.confidence_permille, sighting.frame) == (970, "f-9")
    assert sighting.reading == CardRead(parse_card("8S"))


@pytest.mark.parametrize(
    ("seen", "reading"),
    [
        ("occupied", SlotOccupied()),
        ("occluded", SlotOccluded()),
        ("cleared", SlotCleared()),
        ("two-cards", TwoCards()),
        ("read", SlotOccupied()),
    ],
)
def test_a_camera_without_a_value_says_what_it_sees_of_the_dealers_place(seen: str, reading: Reading) -> None:
    told = event(EventKind.SLOT, load=2, ordinal=41, details={"seen": seen, "seat": 0, "position": 2})
    (command,) = Translation().commands(told)
    assert isinstance(command, RecordSighting)
    assert (command.sighting.reading, command.sighting.slot) == (reading, Slot(None, 2))


def test_a_card_face_up_in_the_shoe_has_no_place() -> None:
    (command,) = Translation().commands(
        event(EventKind.SLOT, load=2, ordinal=1, details={"seen": "face-up-in-shoe"})
    )
    assert isinstance(command, RecordSighting)
    assert (command.sighting.reading, command.sighting.slot) == (FaceUpInShoe(), None)


def event(kind: EventKind, **fields: Any) -> DeviceEvent:
    details = fields.pop("details", {})
    return DeviceEvent("shoe-1", kind, Instant(7, 8), details=details, **fields)


def test_a_code_that_the_driver_knows_to_be_foreign() -> None:
    told = event(EventKind.UNKNOWN_CODE, load=3, ordinal=9, details={"code": "joker", "foreign": True})

    (command,) = Translation().commands(told)

    assert isinstance(command, RecordSighting)
    assert command.sighting.reading == ForeignCard("joker")


@pytest.mark.parametrize(
    ("kind", "reading"),
    [
        (EventKind.CARD, CardRead(parse_card("8S"))),
        (EventKind.RETRANSMISSION, CardRead(parse_card("8S"))),
        (EventKind.NO_READ, Unreadable()),
        (EventKind.UNKNOWN_CODE, UnknownCode("5F")),
        (EventKind.CUT_CARD, CutCardRead()),
    ],
)
def test_readings_become_sightings(kind: EventKind, reading: Reading) -> None:
    card = parse_card("8S") if isinstance(reading, CardRead) else None
    (command,) = Translation().commands(event(kind, card=card, load=3, ordinal=9, details={"code": "5F"}))
    assert isinstance(command, RecordSighting)
    assert (command.sighting.id.load, command.sighting.id.ordinal, command.sighting.at_ns) == (3, 9, 7)
    assert command.sighting.reading == reading


def test_what_was_missed_is_one_unknown_sighting_each() -> None:
    commands = Translation(load=1).commands(event(EventKind.MISSED, details={"first": 4, "last": 6}))
    assert [one.sighting.id.ordinal for one in commands if isinstance(one, RecordSighting)] == [4, 5, 6]


def test_the_reader_is_ready_with_its_load_only_when_its_link_says_so() -> None:
    translation = Translation()
    assert translation.commands(event(EventKind.HELLO, load=7, ordinal=2)) == ()
    (ready,) = translation.commands(event(EventKind.LINK, details={"state": "ready"}))
    assert ready == RecordReader("shoe-1", True, 7, 2, "")
    (reloaded,) = translation.commands(event(EventKind.HELLO, load=8, ordinal=0))
    assert reloaded == RecordReader("shoe-1", True, 8, 0, "")
    assert translation.commands(event(EventKind.LINK, details={"state": "stale"})) == ()
    (lost,) = translation.commands(event(EventKind.LINK, details={"state": "lost", "reason": "unplugged"}))
    assert lost == RecordReader("shoe-1", False, reason="unplugged")


def test_conditions_are_levels_and_all_must_be_over() -> None:
    translation = Translation()
    (lid,) = translation.commands(event(EventKind.LID, details={"open": True}))
    assert isinstance(lid, RecordWarning)
    assert (lid.kind, lid.active) == (AnomalyKind.WRONG_MODE, True)
    (jam,) = translation.commands(event(EventKind.JAM))
    assert isinstance(jam, RecordWarning)
    assert jam.active
    (still,) = translation.commands(event(EventKind.LID, details={"open": False}))
    assert isinstance(still, RecordWarning)
    assert still.active
    (over,) = translation.commands(event(EventKind.HEARTBEAT, details={"state": 2}))
    assert isinstance(over, RecordWarning)
    assert not over.active
    assert translation.commands(event(EventKind.HEARTBEAT, details={"state": 2})) == ()


def test_after_a_restart_the_first_state_is_told_whatever_the_table_holds() -> None:
    translation = Translation()
    assert translation.commands(event(EventKind.HEARTBEAT, details={"state": 0})) == ()
    (well,) = translation.commands(event(EventKind.HEARTBEAT, details={"state": 2}))
    assert isinstance(well, RecordWarning)
    assert (well.kind, well.active) == (AnomalyKind.WRONG_MODE, False)
    assert translation.commands(event(EventKind.HEARTBEAT, details={"state": 2})) == ()


def test_a_gate_is_a_fault_only_when_it_stays_closed_and_an_empty_shoe_is_no_jam() -> None:
    translation = Translation()
    translation.commands(event(EventKind.HEARTBEAT, details={"state": 4}))
    assert translation.commands(event(EventKind.GATE, details={"open": False})) == ()
    (over, _) = translation.commands(event(EventKind.HEARTBEAT, details={"state": 6}))
    assert isinstance(over, RecordWarning)
    assert not over.active
    assert translation.commands(event(EventKind.HEARTBEAT, details={"state": 3})) == ()
    (stuck,) = translation.commands(event(EventKind.HEARTBEAT, details={"state": 3}))
    assert isinstance(stuck, RecordWarning)
    assert stuck.active
    (opened,) = translation.commands(event(EventKind.GATE, details={"open": True}))
    assert isinstance(opened, RecordWarning)
    assert not opened.active


def test_of_very_many_missed_cards_only_the_last_is_told() -> None:
    commands = Translation(load=1).commands(event(EventKind.MISSED, details={"first": 1, "last": 200}))
    assert [one.sighting.id.ordinal for one in commands if isinstance(one, RecordSighting)] == [200]


def test_a_returned_card_and_an_empty_shoe_are_warnings() -> None:
    (back,) = Translation().commands(event(EventKind.CARD_RETURN, ordinal=3))
    (empty,) = Translation().commands(event(EventKind.EMPTY, ordinal=416))
    assert isinstance(back, RecordWarning)
    assert isinstance(empty, RecordWarning)
    assert (back.kind, empty.kind) == (AnomalyKind.REVERSE_MOVEMENT, AnomalyKind.SHOE_EMPTY)


@pytest.mark.parametrize("kind", [EventKind.INFO, EventKind.STANDBY, EventKind.OVERFLOW])
def test_what_is_no_table_matter_leads_to_nothing(kind: EventKind) -> None:
    assert Translation().commands(event(kind)) == ()


def test_a_failed_rescan_is_a_reading_of_the_same_card_and_no_fault_of_the_reader() -> None:
    translation = Translation()
    translation.commands(event(EventKind.NO_READ, load=3, ordinal=9))
    (command,) = translation.commands(event(EventKind.ERROR, load=3, details={"code": 1, "sub": 0}))
    assert isinstance(command, RecordSighting)
    assert (command.sighting.id.ordinal, command.sighting.reading) == (9, Unreadable())
    for state in (5, 5):
        warnings = translation.commands(event(EventKind.HEARTBEAT, details={"state": state}))
        assert not any(isinstance(one, RecordWarning) and one.active for one in warnings)


def test_s7_an_empty_shoe_is_told_with_each_heartbeat() -> None:
    translation = Translation()
    for _ in range(2):
        told = translation.commands(event(EventKind.HEARTBEAT, details={"state": 6}))
        assert [one.kind for one in told if isinstance(one, RecordWarning) and one.active] == [
            AnomalyKind.SHOE_EMPTY
        ]
