"""A driver's decoder and a device that speaks its protocol, on one clock that runs only when it is told to.

Bytes go back and forth as on a wire, in whatever chunks a trial wants; nothing is opened and nothing waits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

from studio.domain.instants import Instant
from studio.ports.devices import DecodingPlugin, DeviceEvent, EventKind

if TYPE_CHECKING:
    from studio.domain.cards import Card

MS: Final = 1_000_000
_TICK_NS: Final = 100 * MS
_SETTLED_NS: Final = 3_000 * MS
"""Longer than any driver waits for a copy, an answer or a repetition."""


class Peer(Protocol):
    """A device that reads cards, as bytes; moments are monotonic nanoseconds.

    Whoever writes the driver writes it, without sharing code: a fault in both would hide itself.
    """

    @property
    def is_free(self) -> bool:
        """Whether the next card may come."""
        ...

    def start(self, now_ns: int) -> None:
        """Get power."""
        ...

    def card(self, card: Card, now_ns: int) -> None:
        """Read a card."""
        ...

    def host_bytes(self, data: bytes, now_ns: int) -> None:
        """Hear the host; no bytes raise."""
        ...

    def packets(self, now_ns: int) -> list[bytes]:
        """Return what it sends until ``now_ns``, a frame or a copy of one each."""
        ...

    def next_deadline_ns(self) -> int | None:
        """Return when it says more by itself, ``None`` where it does not."""
        ...


@dataclass(frozen=True, slots=True)
class DriverCase:
    """A driver to try: its plug-in, a peer for a seed, and the settings that fit both, without the port."""

    plugin: DecodingPlugin
    peer: Callable[[int], Peer]
    settings: Mapping[str, Any] = field(default_factory=dict)

    def rig(self, seed: int = 1) -> Rig:
        """Return a fresh decoder wired to a fresh peer that has just got power."""
        return Rig(self, seed)


Cut = Callable[[bytes], Iterable[bytes]]
"""How a packet arrives: in one chunk or many; what it leaves out is lost."""


def whole(data: bytes) -> Iterable[bytes]:
    """Return a packet as it was sent."""
    return (data,)


class Rig:
    """One trial: the peer says, the decoder hears, the clock goes on."""

    def __init__(self, case: DriverCase, seed: int) -> None:
        self.decoder = case.plugin.decoder("reader", dict(case.settings))
        self.peer = case.peer(seed)
        self.now = Instant(1_000_000 * MS, 1_700_000_000_000 * MS)
        self.sent: list[bytes] = []
        """Every packet of the peer so far."""
        self.peer.start(self.now.monotonic_ns)
        self.greeting = self.settle()

    def deal(self, cards: Iterable[Card], *, gap_ms: int = 600, cut: Cut = whole) -> list[DeviceEvent]:
        """Let the peer read cards, ``gap_ms`` apart; return the events until all is still."""
        events: list[DeviceEvent] = []
        for card in cards:
            while not self.peer.is_free:
                events += self.wait(_TICK_NS, cut=cut)
            self.peer.card(card, self.now.monotonic_ns)
            events += self.wait(gap_ms * MS, cut=cut)
        return events + self.settle(cut=cut)

    def settle(self, *, cut: Cut = whole) -> list[DeviceEvent]:
        """Wait until neither side has anything to say."""
        return self.wait(_SETTLED_NS, cut=cut)

    def wait(self, span_ns: int, *, cut: Cut = whole) -> list[DeviceEvent]:
        """Let time pass in ticks; return what the decoder makes of it."""
        until_ns = self.now.monotonic_ns + span_ns
        events = self._exchange(cut)
        while self.now.monotonic_ns < until_ns:
            due_ns = self.peer.next_deadline_ns()
            step_ns = min(_TICK_NS, until_ns - self.now.monotonic_ns)
            if due_ns is not None:
                step_ns = min(step_ns, max(due_ns - self.now.monotonic_ns, 1))
            self.now = Instant(self.now.monotonic_ns + step_ns, self.now.wall_ns + step_ns)
            events += self.decoder.tick(self.now)
            events += self._exchange(cut)
        return events

    def hear(self, *chunks: bytes) -> list[DeviceEvent]:
        """Give the decoder bytes that no peer sent; the peer hears the answers."""
        events = [event for chunk in chunks for event in self.decoder.feed(chunk, self.now)]
        self._answer()
        return events

    def _exchange(self, cut: Cut) -> list[DeviceEvent]:
        events: list[DeviceEvent] = []
        while packets := self.peer.packets(self.now.monotonic_ns):
            for packet in packets:
                self.sent.append(packet)
                for chunk in cut(packet):
                    events += self.decoder.feed(chunk, self.now)
                self._answer()
        self._answer()
        return events

    def _answer(self) -> None:
        while data := self.decoder.data_to_send():
            self.peer.host_bytes(data, self.now.monotonic_ns)


def sure_cards(events: Iterable[DeviceEvent]) -> list[Card]:
    """Return the cards that a table would take for read, in order."""
    return [
        event.card
        for event in events
        if event.kind is EventKind.CARD and event.card is not None and not event.suspect
    ]


def told(events: Iterable[DeviceEvent]) -> list[tuple[EventKind, Card | None, bool, tuple[tuple[str, str], ...]]]:
    """Return what the events say, without their times and raw bytes, so that two runs can be compared."""
    return [
        (
            event.kind,
            event.card,
            event.suspect,
            tuple(sorted((key, str(value)) for key, value in event.details.items())),
        )
        for event in events
        if event.kind not in {EventKind.HEARTBEAT, EventKind.HELLO}
    ]
