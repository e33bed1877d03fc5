"""A simulated table read by a real driver's decoder, on a clock of integers: no port, no descriptor."""

from __future__ import annotations

from typing import Final

from drivers.angel_eye.plugin import AngelEyePlugin
from drivers.bee_tek.plugin import BeeTekPlugin
from hardware_sim.faults import Fault
from hardware_sim.pacing import Pace
from hardware_sim.protocols import PROTOCOLS, ReaderOptions
from hardware_sim.shoe import Shoe
from hardware_sim.table import Pulled, SimulatedTable
from studio.domain.cards import Card
from studio.domain.instants import Instant
from studio.ports.devices import DecodingPlugin, DeviceEvent, EventKind

UNCOUNTED: Final[tuple[DecodingPlugin, ...]] = (AngelEyePlugin(), BeeTekPlugin())
"""The drivers of the simulated readers that count no cards."""

_TICK_NS: Final = 100_000_000


class ReadTable:
    """A table whose reader speaks ``plugin``'s protocol, pulled from by hand; ``events`` is what was told."""

    def __init__(self, plugin: DecodingPlugin, *, seed: int = 1, decks: int = 8) -> None:
        protocol = PROTOCOLS[plugin.name]
        self.now_ns = 0
        self.written = bytearray()
        self.events: list[DeviceEvent] = []
        self.decoder = plugin.decoder("shoe-1", protocol.settings)
        reader = protocol.make(ReaderOptions(seed=seed, decks=decks))
        self.table = SimulatedTable(Shoe(seed, decks), reader, self, lambda: self.now_ns, Pace(0))
        self.table.start()
        self.wait(2000)
        self.pull()
        self.events.clear()

    def plug(self) -> None:
        """Stand in for the port."""

    def unplug(self) -> None:
        """Stand in for the port."""

    def write(self, data: bytes) -> None:
        self.written += data
        self.events += self.decoder.feed(data, self._now())

    def wait(self, milliseconds: int) -> None:
        """Let time pass, for the table and for the driver."""
        end_ns = self.now_ns + milliseconds * 1_000_000
        while self.now_ns < end_ns:
            deadline_ns = self.table.next_deadline_ns()
            step_ns = min(end_ns, self.now_ns + _TICK_NS)
            self.now_ns = step_ns if deadline_ns is None else max(self.now_ns, min(step_ns, deadline_ns))
            self.table.pump()
            self.events += self.decoder.tick(self._now())

    def pull(self, gap_ms: int = 500) -> Card:
        """Pull one card; return it, whatever its reader made of it."""
        pulled = self.table.pull()
        assert isinstance(pulled, Pulled), pulled
        self.wait(gap_ms)
        return pulled.card

    def fault(self, fault: Fault, *, is_on: bool = True) -> None:
        assert fault in self.table.device.captions
        self.table.set_fault(fault, is_on=is_on)

    def cards(self) -> list[Card]:
        """Return the cards told, suspect ones left out."""
        return [
            event.card
            for event in self.events
            if event.kind is EventKind.CARD and event.card is not None and not event.suspect
        ]

    def kinds(self) -> list[EventKind]:
        return [event.kind for event in self.events]

    def _now(self) -> Instant:
        return Instant(self.now_ns, self.now_ns)
