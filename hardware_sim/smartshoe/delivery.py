"""Delivery of a device's events: numbered, one in flight, resent until acknowledged, kept for replay.

Sans-I/O and without a clock. It knows nothing of what an event means, nor of gates: it says that it has
given up (:attr:`Delivery.is_exhausted`) and the device acts on it.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final

from hardware_sim.smartshoe.wire import DeviceType, Frame

RESEND_NS: Final = 150_000_000
RESENDS: Final = 5
LOG_LENGTH: Final = 512


@dataclass(slots=True, eq=False)
class LoggedEvent:
    """An event in the device's storage; ``ordinal`` is None for events that carry none (LID, GATE …)."""

    type: DeviceType
    payload: bytes
    load: int
    ordinal: int | None
    was_sent: bool = False
    is_delivered: bool = False


@dataclass(slots=True)
class _InFlight:
    event: LoggedEvent
    seq: int
    is_retransmission: bool
    sends: int = 0
    due_ns: int = 0
    is_given_up: bool = False


class Delivery:
    """The event log and the one event in flight (hardware.md, smartshoe/1)."""

    def __init__(self) -> None:
        self._log: deque[LoggedEvent] = deque(maxlen=LOG_LENGTH)
        self._in_flight: _InFlight | None = None
        self._last_seq = 0

    @property
    def last_seq(self) -> int:
        """The SEQ last used since power-up; 0, HELLO's, before the first event."""
        return self._last_seq

    @property
    def in_flight_seq(self) -> int | None:
        """The SEQ of the event in flight."""
        return None if self._in_flight is None else self._in_flight.seq

    @property
    def is_idle(self) -> bool:
        """Whether every event kept has been acknowledged."""
        return all(event.is_delivered for event in self._log)

    @property
    def is_exhausted(self) -> bool:
        """Whether the last resend allowed went unanswered as well; :meth:`retry` starts again."""
        return self._in_flight is not None and self._in_flight.is_given_up

    def add(self, event: LoggedEvent) -> None:
        """Append an event; it is sent when all before it are acknowledged."""
        self._log.append(event)

    def acknowledge(self, seq: int) -> bool:
        """Take the host's ACK; return whether it was for the event in flight."""
        if self._in_flight is None or self._in_flight.seq != seq:
            return False
        self._in_flight.event.is_delivered = True
        self._in_flight = None
        return True

    def hurry(self, seq: int, now_ns: int) -> None:
        """Resend the event in flight at once because the host refused it (NAK); it counts as a resend."""
        if self._in_flight is not None and self._in_flight.seq == seq:
            self._in_flight.due_ns = now_ns

    def retry(self, now_ns: int) -> None:
        """Begin the resends anew: the host is back."""
        if self._in_flight is not None:
            self._in_flight.sends = min(self._in_flight.sends, 1)
            self._in_flight.due_ns = now_ns
            self._in_flight.is_given_up = False

    def replay_from(self, load: int, ordinal: int) -> None:
        """Send again, in order, everything kept of ``load`` from ``ordinal`` on, under new SEQs."""
        for event in self._log:
            if event.load == load and event.ordinal is not None and event.ordinal >= ordinal:
                event.is_delivered = False
        self._in_flight = None

    def restart(self) -> None:
        """Forget what a power cut forgets: SEQ and the event in flight; the log is in storage."""
        self._in_flight = None
        self._last_seq = 0
        for event in self._log:
            event.was_sent = event.was_sent and event.is_delivered

    def due(self, boot: int, now_ns: int) -> Frame | None:
        """Return the frame to send now, first copy or resend, or None; call again until None."""
        flight = self._in_flight or self._take_next()
        if flight is None or (flight.sends and now_ns < flight.due_ns):
            return None
        if flight.sends > RESENDS:
            flight.is_given_up = True
            return None
        frame = Frame(
            type=flight.event.type,
            seq=flight.seq,
            boot=boot,
            payload=flight.event.payload,
            wants_acknowledgement=True,
            retransmission=flight.is_retransmission or flight.sends > 0,
        )
        flight.sends += 1
        flight.due_ns = now_ns + RESEND_NS
        flight.event.was_sent = True
        return frame

    def next_deadline_ns(self) -> int | None:
        """Return when :meth:`due` has something to say, if nothing else happens."""
        flight = self._in_flight
        return None if flight is None or flight.is_given_up else flight.due_ns

    def _take_next(self) -> _InFlight | None:
        event = next((event for event in self._log if not event.is_delivered), None)
        if event is None:
            return None
        self._last_seq = (self._last_seq + 1) % 256
        self._in_flight = _InFlight(event, self._last_seq, event.was_sent)
        return self._in_flight
