"""A scenario's reader made of bytes: a simulated device and the real driver's half, joined in memory.

Everything that the reader says in a case is said by the device, framed, decoded by the driver, translated as the
running studio does it, recorded, and only then acknowledged. Time is the scenario's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

from studio.domain.cards import Card
from studio.domain.commands import Command
from studio.domain.instants import Instant
from studio.domain.sightings import SightingId
from studio.ports.devices import DeviceEvent
from studio.ports.peers import DevicePeer, HostPeer
from studio.scenarios.reader import UNPLUGGED, ReaderPlace

BESIDE_THE_BYTES: Final[dict[str, str]] = {
    "camera": "a camera sees pictures, which no scenario has: what it has seen enters at the port",
    "return": "smartshoe/1 has no message for cards that go back into a shuffler, nor for how many it counted",
    "restart": "it is the whole server that starts again; tests/system do that to real processes",
}
"""The verbs that no reader's bytes carry though a device or the server has its part in them, and why."""

Translate: TypeAlias = Callable[[DeviceEvent], Iterable[Command]]
"""From what a device says to what the table is to record; it may keep the device's state."""

_STARTS_BEFORE_NS: Final = 1_000_000_000


class WiredReader:
    """A :class:`~studio.scenarios.reader.Reader` over bytes.

    The link is up when it is made: HELLO and the first heartbeats are exchanged in the second before the scenario
    begins, and nothing of them is recorded, as the table begins with a reader that is ready.
    """

    def __init__(self, place: ReaderPlace, device: DevicePeer, host: HostPeer, translate: Translate) -> None:
        self._place = place
        self._device = device
        self._host = host
        self._translate = translate
        self._is_recording = False
        begins_ns = place.now().monotonic_ns
        self._connect(_instant(begins_ns - _STARTS_BEFORE_NS))
        while (due_ns := device.next_deadline_ns()) is not None and due_ns <= begins_ns:
            self._pass_time(_instant(due_ns))
        self._is_recording = True

    def read(self, card: Card) -> None:
        """See :class:`~studio.scenarios.reader.Reader`."""
        self._device.read_card(card, self._now_ns)
        self._carry(self._place.now())

    def miss(self) -> None:
        """See :class:`~studio.scenarios.reader.Reader`."""
        self._device.miss_card(self._now_ns)
        self._carry(self._place.now())

    def read_code(self, code: str) -> None:
        """See :class:`~studio.scenarios.reader.Reader`."""
        self._device.read_code(code, self._now_ns)
        self._carry(self._place.now())

    def rescan(self, unread: SightingId, card: Card | None) -> None:
        """See :class:`~studio.scenarios.reader.Reader`."""
        self._device.rescan(unread.ordinal, card, self._now_ns)
        self._carry(self._place.now())

    def see_cut_card(self) -> None:
        """See :class:`~studio.scenarios.reader.Reader`."""
        self._device.see_cut_card(self._now_ns)
        self._carry(self._place.now())

    def unplug(self) -> None:
        """See :class:`~studio.scenarios.reader.Reader`."""
        self._device.unplug()
        self._record(self._host.disconnected(UNPLUGGED, self._place.now()))

    def plug(self) -> None:
        """See :class:`~studio.scenarios.reader.Reader`."""
        self._connect(self._place.now())

    def restart(self) -> None:
        """See :class:`~studio.scenarios.reader.Reader`."""
        self._device.restart(self._now_ns)
        self._carry(self._place.now())

    def new_load(self) -> None:
        """See :class:`~studio.scenarios.reader.Reader`."""
        self._device.new_load(self._now_ns)
        self._carry(self._place.now())

    def set_condition(self, condition: str, *, is_on: bool) -> None:
        """See :class:`~studio.scenarios.reader.Reader`."""
        self._device.set_condition(condition, is_on=is_on, at_ns=self._now_ns)
        self._carry(self._place.now())

    def next_due_ns(self) -> int | None:
        """See :class:`~studio.scenarios.reader.Reader`: a heartbeat, twice a second."""
        return self._device.next_deadline_ns()

    def tick(self) -> None:
        """See :class:`~studio.scenarios.reader.Reader`."""
        self._pass_time(self._place.now())

    @property
    def _now_ns(self) -> int:
        return self._place.now().monotonic_ns

    def _connect(self, now: Instant) -> None:
        self._record(self._host.connected(now))
        self._device.plug(now.monotonic_ns)
        self._carry(now)

    def _pass_time(self, now: Instant) -> None:
        self._carry(now)
        self._record(self._host.tick(now))
        self._carry(now)

    def _carry(self, now: Instant) -> None:
        """Carry bytes both ways until both are silent; they take no time."""
        while True:
            said = self._device.give(now.monotonic_ns)
            if said:
                self._record(self._host.feed(said, now))
            answer = self._host.data_to_send()
            self._device.take(answer, now.monotonic_ns)
            if not said and not answer:
                return

    def _record(self, events: Iterable[DeviceEvent]) -> None:
        for event in events:
            for command in self._translate(event):
                if self._is_recording:
                    self._place.record(command)
            self._host.acknowledge(event)


def _instant(at_ns: int) -> Instant:
    return Instant(at_ns, at_ns)
