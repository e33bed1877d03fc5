"""A simulated table and a driver's parser on one clock of integers, joined by a line that may be bad."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from hardware_sim.faults import Fault
from hardware_sim.pacing import Pace
from hardware_sim.reader import SimulatedReader
from hardware_sim.shoe import Shoe
from hardware_sim.table import Pulled, SimulatedTable
from studio.domain.cards import Card
from studio.domain.instants import Instant
from studio.ports.devices import DeviceEvent, EventKind

MS = 1_000_000
_STEP_MS = 10


class Parsing(Protocol):
    def connected(self, now: Instant) -> None: ...
    def feed(self, data: bytes, at: Instant) -> list[DeviceEvent]: ...
    def tick(self, now: Instant) -> list[DeviceEvent]: ...
    def data_to_send(self) -> bytes: ...


@dataclass
class Wire:
    """The end of the cable at the studio."""

    arrived: bytearray = field(default_factory=bytearray)

    def plug(self) -> None:
        pass

    def unplug(self) -> None:
        pass

    def write(self, data: bytes) -> None:
        self.arrived += data


class Reading:
    """Deals through a simulated reader, and keeps what was dealt and what the driver said of it."""

    def __init__(self, reader: SimulatedReader, parser: Parsing, *, seed: int = 1, decks: int = 8) -> None:
        self.now_ns = 1_000_000_000
        self.parser = parser
        self.reader = reader
        self._wire = Wire()
        self.table = SimulatedTable(Shoe(seed, decks, 0), reader, self._wire, lambda: self.now_ns, Pace(0))
        self.dealt: list[Card] = []
        self.events: list[DeviceEvent] = []
        self.heard = bytearray()
        self.table.start()
        self.parser.connected(self._now())
        self.wait(100)

    def deal(self, cards: int, pace_ms: int = 400) -> None:
        """Pull ``cards`` cards at a hand's pace, loading the shoe anew when it is empty."""
        for _ in range(cards):
            while not isinstance(pulled := self.table.pull(), Pulled):
                assert self.table.new_shoe() is None
                self.wait(60_000)
            self.dealt.append(pulled.card)
            self.wait(pace_ms)

    def wait(self, ms: int) -> None:
        """Let time pass on both sides."""
        end_ns = self.now_ns + ms * MS
        while True:
            self.table.pump()
            self._exchange()
            if self.now_ns >= end_ns:
                return
            self.now_ns += _STEP_MS * MS
            # Nothing can happen in a long rest but what is due.
            if ms > 10_000 and not self._wire.arrived and self.table.next_deadline_ns() is None:
                self.now_ns += 490 * MS

    def switch(self, *faults: Fault) -> None:
        """Switch faults on."""
        for fault in faults:
            self.table.set_fault(fault, is_on=True)

    def of_kind(self, *kinds: EventKind) -> list[DeviceEvent]:
        """Return the events of these kinds."""
        return [event for event in self.events if event.kind in kinds]

    @property
    def read(self) -> list[Card | None]:
        """The cards of CARD events, in order."""
        return [event.card for event in self.of_kind(EventKind.CARD)]

    def _exchange(self) -> None:
        while True:
            data = bytes(self._wire.arrived)
            self._wire.arrived.clear()
            self.heard += data
            self.events += self.parser.feed(data, self._now()) if data else self.parser.tick(self._now())
            answer = self.parser.data_to_send()
            if answer:
                self.table.host_bytes(answer)
            if not self._wire.arrived:
                return

    def _now(self) -> Instant:
        return Instant(self.now_ns, self.now_ns + 10**18)
