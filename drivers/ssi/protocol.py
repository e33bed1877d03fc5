"""The host's side of SSI, sans-I/O: a parser without a port (spec.md).

The reader sends a packet and waits: ACK lets it go on, NAK makes it send the packet again, marked as such. What
was refused and never came again may have been a card, and ends as an unknown code.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from drivers.card_codes.book import MOST_BYTES
from drivers.card_codes.reader import CodeReader, is_clean
from drivers.ssi.packets import Damage, Item, NakReason, Opcode, Packet, PacketReader, encode
from drivers.ssi.symbologies import symbology_name
from studio.domain.instants import Instant
from studio.ports.devices import DeviceEvent, EventKind

if TYPE_CHECKING:
    from drivers.ssi.commands import Commands

ACK: Final = encode(Opcode.ACK)
NAK: Final = encode(Opcode.NAK, bytes((NakReason.RESEND,)))
_MOST_JOINED_BYTES: Final = 4096
_LATE_ANSWER_NS: Final = 200_000_000
"""How much later than its time a reader may send a packet again whose acknowledgement was lost."""


class Timing(NamedTuple):
    """``retry_ns``: how long a damaged packet may come again; ``answer_ns``: when a reader sends again unasked."""

    retry_ns: int
    answer_ns: int


class _Taken(NamedTuple):
    """The last packet that was acknowledged, without its STATUS, and when."""

    opcode: int
    data: bytes
    at_ns: int


class SsiParser:
    """Packets to events and answers; a :class:`~drivers.serial_reader.Parser`."""

    def __init__(
        self, device: str, reader: PacketReader, timing: Timing, codes: CodeReader, commands: Commands | None
    ) -> None:
        self._device = device
        self._reader = reader
        self._timing = timing
        self._codes = codes
        self._commands = commands
        self._outgoing = bytearray()
        self._taken: _Taken | None = None
        self._damaged: tuple[int, bytes] | None = None
        self._owes_nak = False
        self._was_damaged_since = False
        self._damages_unanswered = 0
        self._is_heard = self._is_damage_heard = False
        self._parts: list[Packet] = []
        self._parts_ns = 0
        self.errors: Counter[str] = Counter()
        """Not taken, by cause: ``check``, ``format``, ``length``, ``parts``, ``text``, ``type``, ``nak``."""
        self.answers = 0
        """Packets whose checksum was right."""

    def connected(self, now: Instant) -> None:
        """Begin anew on a fresh line: tell the reader how to speak."""
        self._reader.reset()
        self._codes.connected()
        self._taken = self._damaged = None
        self._is_heard = False
        self._owes_nak = self._was_damaged_since = False
        self._parts.clear()
        self._outgoing.clear()
        self._damages_unanswered = 0
        if self._commands is not None:
            self._outgoing += self._commands.begin(now.monotonic_ns)

    def feed(self, data: bytes, at: Instant) -> list[DeviceEvent]:
        """Return the events of the packets that ``data`` completes."""
        events = self.tick(at)
        for item in self._reader.feed(data, at.monotonic_ns):
            events += self._take(item, at)
        return events

    def tick(self, now: Instant) -> list[DeviceEvent]:
        """Refuse what will never be whole, give up what never came again, and show that the host lives."""
        events: list[DeviceEvent] = []
        left = self._reader.quiet(now.monotonic_ns)
        if left is not None:
            for item in left:
                events += self._take(item, now)
            if self._owes_nak:
                self._refuse()
        if self._commands is not None:
            self._blame_answer(self._commands, now)
            self._outgoing += self._commands.tick(now.monotonic_ns)
        return events + self._give_up_parts(now) + self._give_up_damaged(now) + self._codes.tick(now)

    def data_to_send(self) -> bytes:
        """Return answers and commands that are due, and forget them."""
        data = bytes(self._outgoing)
        self._outgoing.clear()
        return data

    def _take(self, item: Item, at: Instant) -> list[DeviceEvent]:
        if isinstance(item, Damage):
            self.errors[item.cause.value] += 1
            self._note_damage(at, item.raw)
            self._owes_nak = True
            if item.cause == "check":
                self._refuse()
            return []
        self.answers += 1
        self._is_heard = True
        match item.opcode:
            case Opcode.DECODE_DATA:
                return self._decode_data(item, at)
            case Opcode.ACK:
                self._damages_unanswered = 0
                self._outgoing += b"" if self._commands is None else self._commands.answered(at.monotonic_ns)
            case Opcode.NAK:
                self.errors["nak"] += 1
                self._outgoing += b"" if self._commands is None else self._commands.refused(at.monotonic_ns)
            case _:
                self.errors["type"] += 1
                self._outgoing += ACK
        return []

    # Codes

    def _decode_data(self, packet: Packet, at: Instant) -> list[DeviceEvent]:
        self._owes_nak = False
        self._outgoing += ACK
        is_doubtful = False
        if packet.is_retransmission and self._is_last_taken(packet):
            if self._is_that_again(at):
                self._remember(packet, at)
                return []
            is_doubtful = True
        events = [] if packet.is_retransmission else self._give_up_damaged(at, at_once=True)
        self._damaged = None
        self._remember(packet, at)
        self._parts.append(packet)
        self._parts_ns = at.monotonic_ns
        if packet.more_follows and sum(len(part.data) for part in self._parts) < _MOST_JOINED_BYTES:
            return events
        parts, self._parts = self._parts, []
        found = self._code(parts, at)
        return events + ([_doubted(one) for one in found] if is_doubtful else found)

    def _is_last_taken(self, packet: Packet) -> bool:
        return self._taken is not None and (packet.opcode, packet.data) == self._taken[:2]

    def _is_that_again(self, at: Instant) -> bool:
        """Tell whether a repeated packet can be no other than the last one taken.

        Two equal cards may follow each other. If the second one's packet was damaged, or lost and sent again
        later than the first one's could be, the copy that comes is either; then the table decides.
        """
        if self._taken is None or self._was_damaged_since:
            return False
        return at.monotonic_ns - self._taken.at_ns <= self._timing.answer_ns + _LATE_ANSWER_NS

    def _remember(self, packet: Packet, at: Instant) -> None:
        self._taken = _Taken(packet.opcode, packet.data, at.monotonic_ns)
        self._was_damaged_since = False

    def _code(self, parts: list[Packet], at: Instant) -> list[DeviceEvent]:
        raw = b"".join(part.raw for part in parts)
        text = b"".join(part.data[1:] for part in parts)
        kinds = {part.data[:1] for part in parts}
        if not is_clean(text) or not 1 <= len(text) <= MOST_BYTES or len(kinds) > 1:
            self.errors["text"] += 1
            return [self._codes.damaged(at, raw)]
        return self._codes.events(text, at, raw, symbology_name(kinds.pop()[0]))

    # What went wrong

    def _note_damage(self, at: Instant, raw: bytes) -> None:
        self._was_damaged_since = True
        self._damages_unanswered += 1
        if self._damaged is None:
            self._damaged = (at.monotonic_ns, raw)
            self._is_damage_heard = self._is_heard

    def _blame_answer(self, commands: Commands, now: Instant) -> None:
        """Take the damage for the answer that never came, where there was one and the reader owed one."""
        if commands.is_overdue(now.monotonic_ns):
            if self._damages_unanswered == 1:
                self._damaged = None
            self._damages_unanswered = 0

    def _refuse(self) -> None:
        self._owes_nak = False
        self._outgoing += NAK

    def _give_up_damaged(self, now: Instant, *, at_once: bool = False) -> list[DeviceEvent]:
        if self._damaged is None:
            return []
        since_ns, raw = self._damaged
        if not at_once and now.monotonic_ns - since_ns < self._timing.retry_ns:
            return []
        self._damaged = None
        return [self._codes.damaged(now, raw, heard=self._is_damage_heard)]

    def _give_up_parts(self, now: Instant) -> list[DeviceEvent]:
        """Give up a code of which the rest never came."""
        if not self._parts or now.monotonic_ns - self._parts_ns < self._timing.retry_ns:
            return []
        raw = b"".join(part.raw for part in self._parts)
        self._parts.clear()
        self._damaged = None
        self.errors["parts"] += 1
        return [self._codes.damaged(now, raw)]


def _doubted(event: DeviceEvent) -> DeviceEvent:
    """Return a card that may be the one before a second time as such."""
    if event.kind is not EventKind.CARD:
        return event
    return replace(event, kind=EventKind.SUPPRESSED, details={**event.details, "policy": "retransmission"})
