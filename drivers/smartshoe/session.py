"""One device as the studio sees it: ordered events, the state of its link, its health (spec.md, "Link").

Sans-I/O: the shell (``source``) tells it what the port does, what arrives and what time it is, sends what
:meth:`Session.data_to_send` returns and reopens the port when :attr:`Session.wants_reopen` says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, assert_never

from drivers.serial_port import PortState
from drivers.smartshoe.frames import Cause
from drivers.smartshoe.mapping import device_events
from drivers.smartshoe.ordering import Ordering
from drivers.smartshoe.protocol import Phase, Protocol
from studio.ports.devices import DeviceEvent, DeviceHealth, EventKind, LinkState

if TYPE_CHECKING:
    from collections.abc import Iterable

    from drivers.smartshoe.facts import Fact
    from studio.domain.instants import Instant
    from studio.ports.devices import Resume

_MS: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Liveness:
    """Silences, in nanoseconds: a heartbeat comes every 500 ms.

    ``silent_reopen_ns`` is for a line that is open while no device has answered yet: longer, because a board
    that is reset by each opening must have the time to start.
    """

    stale_ns: int = 1_500 * _MS
    lost_ns: int = 3_000 * _MS
    silent_reopen_ns: int = 10_000 * _MS


class Session:
    """The device ``device`` from the start of its source to the end, over all its connections."""

    def __init__(
        self,
        device: str,
        *,
        serial: str | None = None,
        resume: Resume | None = None,
        liveness: Liveness | None = None,
    ) -> None:
        self._device = device
        self._liveness = liveness or Liveness()
        self._protocol = Protocol(serial=serial, resume=resume)
        self._ordering = Ordering()
        self._link = LinkState.ABSENT
        self._reason = "the port was not looked for yet"
        self._is_open = False
        self._heard: Instant | None = None
        self._losses = 0
        self.wants_reopen = False
        """The line is open and dead: the shell must reopen it, and set this back."""

    @property
    def link(self) -> LinkState:
        """The present state of the link."""
        return self._link

    def connected(self, at: Instant) -> list[DeviceEvent]:
        """Begin on a fresh line, for who has the bytes without a port; return the link events that this makes."""
        return self.on_port(PortState.OPEN, "", at)

    def disconnected(self, reason: str, at: Instant) -> list[DeviceEvent]:
        """The line of :meth:`connected` is gone; return the link event that this makes."""
        return self.on_port(PortState.LOST, reason, at)

    def on_port(self, state: PortState, reason: str, at: Instant) -> list[DeviceEvent]:
        """Take a change of the port; return the link events it makes."""
        self._is_open = state is PortState.OPEN
        match state:
            case PortState.ABSENT:
                return self._set_link(LinkState.ABSENT, reason, at)
            case PortState.OPENING:
                return self._set_link(LinkState.OPENING, reason, at)
            case PortState.OPEN:
                self._heard = at
                self._protocol.connected(at)
                return self._settle(at)
            case PortState.LOST:
                return self._lose(reason, at)
            case _:
                assert_never(state)

    def feed(self, data: bytes, at: Instant) -> list[DeviceEvent]:
        """Take bytes that arrived at ``at``; return the events they release, in order."""
        if not self._is_open:
            self._protocol.errors[Cause.LINK_DOWN] += 1  # of a line already given up: the device will repeat them
            return []
        facts = self._protocol.feed(data, at)
        events = self._events(facts)
        if self._protocol.last_frame is at:
            self._heard = at
            events += self._settle(at)
        return events

    def tick(self, now: Instant) -> list[DeviceEvent]:
        """Do what is due at ``now``; return the events it makes. A few times a second is enough."""
        if not self._is_open:
            return []
        events = self._events(self._protocol.tick(now))
        silent_ns = now.monotonic_ns - self._heard.monotonic_ns if self._heard is not None else 0
        if self._protocol.phase in (Phase.WAITING, Phase.REFUSED):
            if silent_ns >= self._liveness.silent_reopen_ns:
                self._heard = now
                self.wants_reopen = True
            return events + self._settle(now)
        if silent_ns >= self._liveness.lost_ns:
            self.wants_reopen = True
            seconds = self._liveness.lost_ns / 1e9
            reason = f"the reader has said nothing for {seconds:g} s: check its power and its cable"
            return events + self._lose(reason, now)
        if silent_ns >= self._liveness.stale_ns:
            return events + self._set_link(LinkState.STALE, "the reader's heartbeats have stopped", now)
        return events + self._settle(now)

    def overflow(self, dropped_bytes: int, at: Instant) -> list[DeviceEvent]:
        """Report bytes that never came here because the studio was too slow."""
        self._protocol.errors[Cause.OVERFLOW] += 1
        details = {"dropped_bytes": dropped_bytes}
        return [DeviceEvent(self._device, EventKind.OVERFLOW, at, details=details)]

    def acknowledge(self, event: DeviceEvent) -> None:
        """``event`` is journalled: tell the device, if it waits for that."""
        boot = event.details.get("boot")
        if event.sequence is not None and isinstance(boot, int):
            self._protocol.acknowledge(boot, event.sequence)

    def data_to_send(self) -> bytes:
        """Return what must be sent now, and forget it."""
        return self._protocol.data_to_send()

    def health(self) -> DeviceHealth:
        """Return the present condition."""
        return DeviceHealth(
            device=self._device,
            link=self._link,
            reason="" if self._link is LinkState.READY else self._reason,
            errors={cause.value: count for cause, count in self._protocol.errors.items()},
            losses=self._losses,
            last_frame=self._protocol.last_frame,
        )

    def _events(self, facts: Iterable[Fact]) -> list[DeviceEvent]:
        return [event for fact in self._ordering.push(facts) for event in device_events(self._device, fact)]

    def _settle(self, at: Instant) -> list[DeviceEvent]:
        """Set the link of an open line to what the protocol has come to."""
        match self._protocol.phase:
            case Phase.WAITING:
                return self._set_link(LinkState.SYNCING, "waiting for the reader to say HELLO", at)
            case Phase.REFUSED:
                return self._set_link(LinkState.SYNCING, self._protocol.refusal, at)
            case Phase.REPLAYING:
                return self._set_link(LinkState.SYNCING, "fetching the cards that went unheard", at)
            case Phase.RUNNING:
                return self._set_link(LinkState.READY, "the reader answers", at)
            case _:
                assert_never(self._protocol.phase)

    def _lose(self, reason: str, at: Instant) -> list[DeviceEvent]:
        """End the connection; a line that was given up for its silence is not lost a second time."""
        self._is_open = False
        if self._link not in (LinkState.SYNCING, LinkState.READY, LinkState.STALE):
            return []
        self._losses += 1
        self._protocol.disconnected()
        return self._set_link(LinkState.LOST, reason, at)

    def _set_link(self, link: LinkState, reason: str, at: Instant) -> list[DeviceEvent]:
        if (link, reason) == (self._link, self._reason):
            return []
        self._link, self._reason = link, reason
        return [DeviceEvent(self._device, EventKind.LINK, at, details={"state": link.value, "reason": reason})]
