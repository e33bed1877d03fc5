"""Facts of the protocol as the studio's device events, by the names that the vectors use.

Sans-I/O: values in, values out. It knows nothing of links, ports or order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, assert_never

from drivers.smartshoe.facts import Fact, Missing, Overflowed, Received, Unrecovered
from drivers.smartshoe.load_record import Verdict
from drivers.smartshoe.messages import (
    CardRead,
    CardReturned,
    Cleared,
    CutCard,
    DeviceMessage,
    Empty,
    Fault,
    Gate,
    Heartbeat,
    Hello,
    Jam,
    Lid,
    NoRead,
    Result,
)
from drivers.smartshoe.protocol import Protocol
from studio.ports.devices import DeviceEvent, EventKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from studio.domain.instants import Instant


def device_events(device: str, fact: Fact) -> list[DeviceEvent]:
    """Return the events of one fact: one, or one for each span of missed ordinals.

    Every event of a frame has its ``boot`` in ``details``, and its SEQ as ``sequence`` where the device waits
    for an acknowledgement. A span known to be missing without a later card is no event yet.
    """
    match fact:
        case Received():
            return [_received(device, fact)]
        case Missing(is_skipped=False):
            return []
        case Missing() | Unrecovered():
            return [_missed(device, fact.load, span, fact.at) for span in fact.spans]
        case Overflowed(raw, at):
            return [DeviceEvent(device, EventKind.OVERFLOW, at, raw, details={"limit_bytes": len(raw)})]
        case _:
            assert_never(fact)


def _missed(device: str, load: int | None, span: range, at: Instant) -> DeviceEvent:
    details = {"first": span.start, "last": span.stop - 1}
    return DeviceEvent(device, EventKind.MISSED, at, load=load, details=details)


def _received(device: str, fact: Received) -> DeviceEvent:
    frame, message = fact.frame, fact.message
    kind, ordinal, details = _content(message)
    if fact.verdict is Verdict.JOURNALLED:
        kind = EventKind.RETRANSMISSION
    read = message if isinstance(message, CardRead) else None
    return DeviceEvent(
        device,
        kind,
        fact.at,
        frame.raw,
        card=None if read is None else read.card,
        load=fact.load,
        ordinal=ordinal,
        sequence=frame.sequence if frame.wants_ack else None,
        quality=None if read is None else read.quality,
        suspect=fact.verdict is Verdict.CONFLICT,
        details={"boot": frame.boot, **details},
    )


def _content(message: DeviceMessage) -> tuple[EventKind, int | None, dict[str, Any]]:  # noqa: C901, PLR0911, PLR0912 - one flat table
    """Return kind, ordinal and details of a message."""
    match message:
        case Hello():
            return EventKind.HELLO, message.ordinal, _hello_details(message)
        case CardRead(ordinal, code, card):
            if card is None:
                return EventKind.UNKNOWN_CODE, ordinal, {"code": code}
            return EventKind.CARD, ordinal, {}
        case NoRead(ordinal):
            return EventKind.NO_READ, ordinal, {}
        case CutCard(ordinal):
            return EventKind.CUT_CARD, ordinal, {}
        case CardReturned(ordinal):
            return EventKind.CARD_RETURN, ordinal, {}
        case Empty(ordinal):
            return EventKind.EMPTY, ordinal, {}
        case Lid(is_open):
            return EventKind.LID, None, {"open": is_open}
        case Gate(is_open):
            return EventKind.GATE, None, {"open": is_open}
        case Jam():
            return EventKind.JAM, None, {}
        case Fault(code, sub):
            return EventKind.ERROR, None, {"code": code, "sub": sub}
        case Cleared(code):
            return EventKind.ERROR_CLEARED, None, {"code": code}
        case Heartbeat(uptime, state, last_sequence, ordinal):
            details = {"uptime_s": uptime, "state": state, "last_seq": last_sequence}
            return EventKind.HEARTBEAT, ordinal, details
        case Result(command_sequence, code):
            return EventKind.INFO, None, {"command_seq": command_sequence, "code": code}
        case _:
            assert_never(message)


def _hello_details(hello: Hello) -> dict[str, Any]:
    return {
        "protocol": hello.protocol,
        "caps": int(hello.caps),
        "decks": hello.decks,
        "firmware": f"{hello.firmware[0]}.{hello.firmware[1]}",
        "serial": hello.serial_text,
    }


class Decoder:
    """Bytes to device events without a port: for recordings, and for whoever tests a device.

    It takes cards without a HELLO, shows a gap as ``missed`` at once, and acknowledges what it gives out.
    """

    def __init__(self, device: str) -> None:
        self._device = device
        self.protocol = Protocol(hello_first=False)
        """For its errors, and for the bytes that a host would have sent."""

    @property
    def errors(self) -> Mapping[str, int]:
        """What was not taken, by cause."""
        return {cause.value: count for cause, count in self.protocol.errors.items()}

    def feed(self, data: bytes, at: Instant) -> list[DeviceEvent]:
        """Return the events that ``data`` completes, in order of arrival."""
        return self._events(self.protocol.feed(data, at))

    def tick(self, now: Instant) -> list[DeviceEvent]:
        """Do what is due at ``now``; return the events it makes."""
        return self._events(self.protocol.tick(now))

    def data_to_send(self) -> bytes:
        """Return what a host would send now, and forget it."""
        return self.protocol.data_to_send()

    def _events(self, facts: list[Fact]) -> list[DeviceEvent]:
        events = [event for fact in facts for event in device_events(self._device, fact)]
        for event in events:
            if event.sequence is not None:
                self.protocol.acknowledge(event.details["boot"], event.sequence)
        return events
