"""Two readers at a table: what each says, through its own translation, is what the table makes of it.

SLOT events are a camera's; cards of a device that is not the table's reader are the second reader's.
"""

from __future__ import annotations

from typing import Any

import pytest
from support.second_reader_tables import SECOND, SecondReaderTable
from support.tables import READER

from studio.domain import second_reader
from studio.domain.cards import parse_card
from studio.domain.events import CardDealt, CardWitnessed
from studio.domain.people import Actor
from studio.domain.sightings import SightingId
from studio.domain.witness import Seen, Verdict
from studio.ports.devices import DeviceEvent, EventKind, LinkState
from studio.runtime.translation import Translation


class TwoReaders(SecondReaderTable):
    """A table in a round, each of whose readers speaks in device events; the second one counts or does not."""

    def __init__(self, *, counts: bool) -> None:
        super().__init__()
        self.ready().round(1, 2)
        self.counts = counts
        position = None if counts else lambda: second_reader.position(self.table)
        self.first = Translation(load=self.load, ordinal=self.ordinal, ready=True)
        self.second = Translation(load=self.second_load, ordinal=self.told, position=position)

    def says(self, device: str, kind: EventKind, **fields: Any) -> None:
        reader = device == "shoe-1"
        translation = self.first if reader else self.second
        if (reader or self.counts) and kind in {EventKind.CARD, EventKind.NO_READ}:
            fields = {"load": translation.load, "ordinal": translation.ordinal + 1, **fields}
        actor: Actor = READER if reader else SECOND
        for command in translation.commands(DeviceEvent(device, kind, self.now, **fields)):
            self.do(command, actor)

    def reads(self, code: str, *devices: str) -> None:
        self.wait(1)
        for device in devices:
            self.says(device, EventKind.CARD, card=parse_card(code))


@pytest.mark.parametrize("counts", [True, False])
@pytest.mark.parametrize("devices", [("shoe-1", "mat-1"), ("mat-1", "shoe-1")])
def test_cards_of_both_make_one_card_each_natural_repeats_too(devices: tuple[str, str], *, counts: bool) -> None:
    played = TwoReaders(counts=counts)
    for code in ("8S", "8S", "9C"):
        played.reads(code, *devices)
    assert [event.card.code for event in played.events if isinstance(event, CardDealt)] == ["8S", "8S", "9C"]
    assert played.verdicts() == dict.fromkeys(range(1, 6), Verdict.AGREED)
    assert not played.kinds()


@pytest.mark.parametrize("counts", [True, False])
def test_each_reading_of_the_second_reader_has_an_identity_of_its_own(*, counts: bool) -> None:
    played = TwoReaders(counts=counts)
    for code in ("8S", "8S"):
        played.reads(code, "shoe-1", "mat-1")
    told = [event.sighting for event in played.events if isinstance(event, CardWitnessed)]
    assert told == [SightingId("mat-1", 1, ordinal) for ordinal in range(1, 5)]


@pytest.mark.parametrize("counts", [True, False])
def test_a_card_that_the_second_reader_cannot_read_is_a_reading_without_a_value(*, counts: bool) -> None:
    played = TwoReaders(counts=counts)
    played.reads("8S", "shoe-1")
    played.says("mat-1", EventKind.NO_READ)
    played.let_time_pass(1)
    assert [event.seen for event in played.events if isinstance(event, CardWitnessed)][-1] is Seen.UNREAD
    assert played.verdicts()[3] is Verdict.ABSENT


def test_frames_that_the_second_reader_lost_are_no_readings() -> None:
    played = TwoReaders(counts=True)
    played.says("mat-1", EventKind.MISSED, details={"first": 3, "last": 5})
    played.let_time_pass(2)
    assert not played.kinds()


@pytest.mark.parametrize(
    ("kind", "details"),
    [
        (EventKind.LID, {"open": True}),
        (EventKind.JAM, {}),
        (EventKind.EMPTY, {}),
        (EventKind.CARD_RETURN, {}),
        (EventKind.LINK, {"state": LinkState.LOST.value, "reason": "unplugged"}),
    ],
)
def test_the_second_readers_own_trouble_stops_no_table(kind: EventKind, details: dict[str, Any]) -> None:
    played = TwoReaders(counts=True)
    played.says("mat-1", kind, details=details)
    assert not played.kinds()
    assert played.table.reader.ready


def test_a_place_that_a_second_reader_claims_to_see_is_nothing() -> None:
    played = TwoReaders(counts=True)
    details = {"seen": "read", "seat": 1, "position": 1}
    played.says("mat-1", EventKind.SLOT, card=parse_card("8S"), details=details, load=1, ordinal=3)
    played.let_time_pass(2)
    assert not played.kinds()
