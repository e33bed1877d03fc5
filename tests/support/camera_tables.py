"""A table with a camera: its sightings, told as the table's own port takes them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

from studio.domain.cards import parse_card
from studio.domain.commands import PassDeadline
from studio.domain.decide import next_alarm_ns
from studio.domain.events import Event
from studio.domain.people import SYSTEM, Actor, Role
from studio.domain.record_commands import (
    RecordReader,
    RecordSighting,
)
from studio.domain.setup import CameraMode, CameraSetup, TableSetup
from studio.domain.sightings import (
    CardRead,
    FaceUpInShoe,
    Reading,
    Sighting,
    SightingId,
    SlotCleared,
    SlotOccluded,
    SlotOccupied,
    TwoCards,
)
from studio.domain.slots import HandId, Slot
from support.tables import PlayedTable, a_setup

CAMERA = Actor("cam-1", "cam-1", Role.DEVICE)
READINGS: dict[str, Reading] = {
    "occupied": SlotOccupied(),
    "occluded": SlotOccluded(),
    "cleared": SlotCleared(),
    "two": TwoCards(),
    "boxed": FaceUpInShoe(),
}


def place(words: str) -> Slot:
    """Return a slot by short words: ``s1c2`` seat 1, card 2; ``s1h2c1`` its second hand; ``dc1`` the dealer's."""
    who, _, card = words.rpartition("c")
    if who == "d":
        return Slot(None, int(card))
    seat, _, hand = who.removeprefix("s").partition("h")
    return Slot(HandId(int(seat), int(hand or 1)), int(card))


def a_camera_setup(
    mode: CameraMode = CameraMode.WITNESS, setup: TableSetup | None = None, **changes: Any
) -> TableSetup:
    return replace(setup or a_setup(), camera=replace(CameraSetup("cam-1", mode), **changes))


class CameraTable(PlayedTable):
    """A played table that a camera looks at; by itself the camera says nothing."""

    def __init__(self, setup: TableSetup | None = None) -> None:
        super().__init__(setup or a_camera_setup())
        self.frames = 0

    def open(self) -> Self:
        super().open()
        self.do(RecordReader("cam-1", ready=True, load=1, ordinal=0), CAMERA)
        return self

    def ready(self, burn: str = "AS 2C") -> Self:
        super().ready(burn)
        return self

    def seen(self, where: str, what: str) -> tuple[Event, ...]:
        """Let the camera say ``what`` of a place: a card's code, or one of :data:`READINGS`."""
        self.frames += 1
        reading = READINGS.get(what) or CardRead(parse_card(what))
        slot = None if what == "boxed" else place(where)
        identity = SightingId("cam-1", 1, self.frames)
        sighting = Sighting(identity, reading, self.now.monotonic_ns, False, slot, 970, f"f-{self.frames}")
        return self.do(RecordSighting(sighting), CAMERA)

    def dealt(self, *cards: str) -> Self:
        """Deal cards, each written ``TC@s1c1`` and seen where it lies half a second later; ``TC`` is not seen."""
        for one in cards:
            code, _, where = one.partition("@")
            self.wait(1).card(code)
            if where:
                self.wait(0.5).seen(where, "occupied" if where == "dc2" else code)
        return self

    def a_round(self) -> Self:
        """Deal seat 1 a nineteen against a dealer's nine, all of it seen."""
        self.ready().round(1)
        return self.dealt("TC@s1c1", "9C@dc1", "9D@s1c2", "TH@dc2")

    def let_time_pass(self, seconds: float) -> Self:
        """Turn the clock on, ringing whenever the table wants to look at it."""
        end_ns = self.now.monotonic_ns + int(seconds * 10**9)
        while (due_ns := next_alarm_ns(self.table)) is not None and due_ns <= end_ns:
            self.wait(max(0, due_ns - self.now.monotonic_ns) / 10**9)
            before = self.table
            self.do(PassDeadline(), SYSTEM)
            if self.table == before:
                break
        self.wait(max(0, end_ns - self.now.monotonic_ns) / 10**9)
        return self
