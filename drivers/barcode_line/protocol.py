"""The host's side of a reader that sends a code as a line of text: a parser without a port (spec.md)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, assert_never

from drivers.barcode_line.framing import Ending, Framing, Line, LineReader
from drivers.card_codes.book import MOST_BYTES
from studio.domain.instants import Instant
from studio.ports.devices import DeviceEvent, EventKind

if TYPE_CHECKING:
    from drivers.card_codes.reader import CodeReader

ACK: Final = b"\x06"
NAK: Final = b"\x15"


class BarcodeLineParser:
    """Lines to events; a :class:`~drivers.serial_reader.Parser`.

    Where the reader waits for an answer, a damaged line is refused and may come again; if nothing readable comes
    in time it ends as an unknown code. Elsewhere it ends as one at once.
    """

    def __init__(self, device: str, framing: Framing, codes: CodeReader) -> None:
        self._device = device
        self._lines = LineReader(framing)
        self._codes = codes
        self._retry_ns = framing.retry_ns
        self._refused: tuple[int, bytes] | None = None
        self._outgoing = bytearray()
        self._is_heard = False
        self.errors: Counter[str] = Counter()
        """What was not taken, by cause: ``damaged``, ``overflow``, ``empty``."""
        self.answers = 0
        """Clean lines."""

    def connected(self, now: Instant) -> None:  # noqa: ARG002 - the port of a parser
        """Begin anew on a fresh line."""
        self._lines.reset()
        self._codes.connected()
        self._refused = None
        self._is_heard = False
        self._outgoing.clear()

    def feed(self, data: bytes, at: Instant) -> list[DeviceEvent]:
        """Return the events of the lines that ``data`` completes."""
        events = self.tick(at)
        for byte in data:
            line = self._lines.push(byte, at.monotonic_ns)
            if line is not None:
                events += self._take(line, at)
        return events

    def tick(self, now: Instant) -> list[DeviceEvent]:
        """End what has been silent for too long, and give up what was refused and never came again."""
        line = self._lines.quiet(now.monotonic_ns)
        events = [] if line is None else self._take(line, now)
        if self._refused is not None and self._retry_ns is not None:
            refused_ns, raw = self._refused
            if now.monotonic_ns - refused_ns >= self._retry_ns:
                self._refused = None
                events.append(self._codes.damaged(now, raw, heard=self._is_heard))
        return events + self._codes.tick(now)

    def data_to_send(self) -> bytes:
        """Return the answers that are due, and forget them."""
        data = bytes(self._outgoing)
        self._outgoing.clear()
        return data

    def _take(self, line: Line, at: Instant) -> list[DeviceEvent]:
        match line.ending:
            case Ending.CLEAN:
                self.answers += 1
                self._is_heard = True
                self._refused = None
                self._answer(ACK)
                return self._codes.events(line.text, at, line.raw)
            case Ending.EMPTY:
                self.errors["empty"] += 1
                return []
            case Ending.DAMAGED:
                return self._damaged(line, at)
            case Ending.OVERFLOW:
                self.errors["overflow"] += 1
                self._answer(ACK)  # the table hears of it: a second copy would be a second card
                details = {"limit_bytes": MOST_BYTES}
                return [DeviceEvent(self._device, EventKind.OVERFLOW, at, line.raw, details=details)]
            case Ending.SKIPPED:
                return []
            case _:
                assert_never(line.ending)

    def _damaged(self, line: Line, at: Instant) -> list[DeviceEvent]:
        self.errors["damaged"] += 1
        if self._retry_ns is None:
            return [self._codes.damaged(at, line.raw, heard=self._is_heard)]
        self._answer(NAK)
        if self._refused is None:
            self._refused = (at.monotonic_ns, line.raw)
        return []

    def _answer(self, answer: bytes) -> None:
        if self._retry_ns is not None:
            self._outgoing += answer
