"""One reader as the studio sees it, over all its connections: the state of its link, and its health.

Sans-I/O: the shell (``source``) tells it what the port does, what arrives and what time it is, sends what
:meth:`SerialSession.data_to_send` returns and reopens the port when :attr:`SerialSession.wants_reopen` says so.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, Protocol, assert_never

from drivers.serial_port import PortState
from studio.ports.devices import DeviceEvent, DeviceHealth, EventKind, LinkState

if TYPE_CHECKING:
    from drivers.serial_reader.parser import Parser
    from studio.domain.instants import Instant

_CARDS: Final = frozenset({EventKind.CARD, EventKind.NO_READ, EventKind.UNKNOWN_CODE, EventKind.SUPPRESSED})
_CONNECTED: Final = frozenset({LinkState.SYNCING, LinkState.READY, LinkState.STALE})


class SerialSession(Protocol):
    """What the shell needs of a session."""

    wants_reopen: bool
    """The line is open and dead: the shell must reopen it, and set this back."""

    def on_port(self, state: PortState, reason: str, at: Instant) -> list[DeviceEvent]:
        """Take a change of the port; return the link events it makes."""
        ...

    def feed(self, data: bytes, at: Instant) -> list[DeviceEvent]:
        """Take bytes that arrived at ``at``; return the events they release, in order."""
        ...

    def tick(self, now: Instant) -> list[DeviceEvent]:
        """Do what is due at ``now``; return the events it makes. A few times a second is enough."""
        ...

    def overflow(self, dropped_bytes: int, at: Instant) -> list[DeviceEvent]:
        """Report bytes that never came here because the studio was too slow."""
        ...

    def acknowledge(self, event: DeviceEvent) -> None:
        """``event`` is journalled: tell the device, if it waits for that."""
        ...

    def data_to_send(self) -> bytes:
        """Return what must be sent now, and forget it."""
        ...

    def health(self) -> DeviceHealth:
        """Return the present condition."""
        ...


class ReaderSession:
    """A reader that counts no cards and replays none.

    It is *ready* only once the device has shown on this connection that it lives (:attr:`Parser.answers`): an open
    port proves nothing. Where a card is the first thing heard, it proves the reader and is marked ``suspect``
    with ``proof`` in its details: nobody knows what went unheard before it. ``stale_seconds`` is the silence
    after which a device that should speak by itself is stale, ``None`` for one that may be silent for hours;
    after twice as long it is given up and opened again. ``prompt`` says what to do to make the device speak.
    """

    def __init__(self, device: str, parser: Parser, *, prompt: str, stale_seconds: float | None = None) -> None:
        self._device = device
        self._parser = parser
        self._prompt = prompt
        self._stale_ns = None if stale_seconds is None else int(stale_seconds * 1e9)
        self._link = LinkState.ABSENT
        self._reason = "the port was not looked for yet"
        self._is_open = False
        self._answers = 0
        self._heard: Instant | None = None
        self._last_frame: Instant | None = None
        self._losses = 0
        self._overflows = 0
        self.wants_reopen = False
        """The line is open and dead: the shell must reopen it, and set this back."""

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
                self._parser.connected(at)
                self._answers = self._parser.answers
                return self._set_link(LinkState.SYNCING, self._prompt, at)
            case PortState.LOST:
                return self._lose(reason, at)
            case _:
                assert_never(state)

    def feed(self, data: bytes, at: Instant) -> list[DeviceEvent]:
        """Take bytes that arrived at ``at``; return the events they release, a link's change before them."""
        if not self._is_open:
            self._parser.errors["link_down"] += len(data)
            return []
        return self._heard_from(self._parser.feed(data, at), at)

    def tick(self, now: Instant) -> list[DeviceEvent]:
        """Do what is due at ``now``; return the events it makes. A few times a second is enough."""
        if not self._is_open:
            return []
        events = self._heard_from(self._parser.tick(now), now)
        if self._stale_ns is None or self._heard is None:
            return events
        silent_ns = now.monotonic_ns - self._heard.monotonic_ns
        if silent_ns >= 2 * self._stale_ns:
            self.wants_reopen = True
            self._heard = now
            seconds = 2 * self._stale_ns / 1e9
            reason = f"the reader has said nothing for {seconds:g} s: check its power and its cable"
            return events + self._lose(reason, now)
        if silent_ns >= self._stale_ns and self._link is LinkState.READY:
            return events + self._set_link(LinkState.STALE, "the reader has fallen silent", now)
        return events

    def overflow(self, dropped_bytes: int, at: Instant) -> list[DeviceEvent]:
        """Report bytes that never came here because the studio was too slow."""
        self._parser.errors["overflow"] += 1
        details = {"dropped_bytes": dropped_bytes}
        return [DeviceEvent(self._device, EventKind.OVERFLOW, at, details=details)]

    def acknowledge(self, event: DeviceEvent) -> None:
        """Do nothing: what these devices want acknowledged, their parsers acknowledge on arrival."""

    def data_to_send(self) -> bytes:
        """Return what must be sent now, and forget it."""
        return self._parser.data_to_send()

    def health(self) -> DeviceHealth:
        """Return the present condition."""
        reason = "" if self._link is LinkState.READY else self._reason
        errors = {cause: count for cause, count in self._parser.errors.items() if count}
        return DeviceHealth(self._device, self._link, reason, errors, self._losses, self._last_frame)

    def _heard_from(self, events: list[DeviceEvent], at: Instant) -> list[DeviceEvent]:
        """Put the link's change before what the device said, where this is the first that was heard of it."""
        if self._parser.answers == self._answers:
            return events
        self._answers = self._parser.answers
        self._heard = self._last_frame = at
        if self._link is LinkState.READY:
            return events
        if self._link is not LinkState.STALE:
            events = _as_proof(events)
        return self._set_link(LinkState.READY, "the reader answers", at) + events

    def _lose(self, reason: str, at: Instant) -> list[DeviceEvent]:
        """End the connection; a line that was given up for its silence is not lost a second time."""
        self._is_open = False
        if self._link not in _CONNECTED:
            return []
        self._losses += 1
        return self._set_link(LinkState.LOST, reason, at)

    def _set_link(self, link: LinkState, reason: str, at: Instant) -> list[DeviceEvent]:
        if (link, reason) == (self._link, self._reason):
            return []
        self._link, self._reason = link, reason
        return [DeviceEvent(self._device, EventKind.LINK, at, details={"state": link.value, "reason": reason})]


def _as_proof(events: list[DeviceEvent]) -> list[DeviceEvent]:
    """Mark the first card, where it is the first thing heard."""
    if not events or events[0].kind not in _CARDS:
        return events
    first = events[0]
    return [replace(first, suspect=True, details={**first.details, "proof": True}), *events[1:]]
