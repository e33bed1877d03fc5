"""A keyboard's events to device events: a parser without a device (spec.md).

Its bytes are the kernel's ``struct input_event`` of a 64-bit machine, as ``/dev/input/event*`` gives them and a
recording keeps them.
"""

from __future__ import annotations

import struct
from collections import Counter
from enum import Enum, auto
from typing import TYPE_CHECKING, Final, NamedTuple

from drivers.card_codes.book import MOST_BYTES
from drivers.card_codes.reader import CodeReader
from drivers.evdev.keys import ENTERS, PLAIN, SHIFTED, SHIFTS
from studio.ports.devices import DeviceEvent, EventKind

if TYPE_CHECKING:
    from studio.domain.instants import Instant

INPUT_EVENT: Final = struct.Struct("<qqHHi")
"""Seconds, microseconds, type, code, value."""
EV_SYN: Final = 0
EV_KEY: Final = 1
SYN_DROPPED: Final = 3
PRESSED: Final = 1
_TYPES: Final = frozenset({EV_SYN, EV_KEY, 2, 3, 4, 5, 17, 18, 20, 21, 22, 23})
"""What the kernel knows; a keyboard sends also scan codes, its lights and its repetition."""
_VALUES: Final = frozenset({0, PRESSED, 2})


class Timing(NamedTuple):
    """``gap_ns``: a reader never types slower; ``abandon_ns``: what has not ended by then never will."""

    gap_ns: int
    abandon_ns: int


class _Fate(Enum):
    """What the code that is being typed will be."""

    GOOD = auto()
    DAMAGED = auto()
    """It has a key that types no character."""
    TYPED = auto()
    DROPPED = auto()
    OVERFLOWED = auto()


_KINDS: Final = {
    _Fate.TYPED: EventKind.TYPED_REJECTED,
    _Fate.DROPPED: EventKind.SUSPECT_DISCARDED,
}


class EvdevParser:
    """Key events to events; a :class:`~drivers.serial_reader.Parser`.

    The time between keys is the kernel's; where the events have none, that of their arrival.
    """

    def __init__(self, device: str, timing: Timing, codes: CodeReader) -> None:
        self._device = device
        self._timing = timing
        self._codes = codes
        self._bytes = bytearray()
        self.errors: Counter[str] = Counter()
        """Not taken: ``type``, ``value``, ``partial``, ``damaged``, ``typed``, ``dropped``, ``overflow``."""
        self.answers = 0
        """Codes that a reader typed."""
        self._text = bytearray()
        self._raw = bytearray()
        self._fate = _Fate.GOOD
        self._shifts: set[int] = set()
        self._last_us: int | None = None
        self._arrived_ns = 0
        self._heard_ns = 0
        self._is_heard = False

    def connected(self, now: Instant) -> None:  # noqa: ARG002 - the port of a parser
        """Begin anew: no key is pressed."""
        self._bytes.clear()
        self._shifts.clear()
        self._codes.connected()
        self._is_heard = False
        self._begin()

    def feed(self, data: bytes, at: Instant) -> list[DeviceEvent]:
        """Return the events of the codes that ``data`` completes."""
        events = self.tick(at)
        if data:
            self._heard_ns = at.monotonic_ns
        self._bytes += data
        if len(self._bytes) < INPUT_EVENT.size:
            return events
        whole = len(self._bytes) - len(self._bytes) % INPUT_EVENT.size
        taken = bytes(self._bytes[:whole])
        del self._bytes[:whole]
        for start in range(0, whole, INPUT_EVENT.size):
            raw = taken[start : start + INPUT_EVENT.size]
            events += self._take(raw, at)
        return events

    def tick(self, now: Instant) -> list[DeviceEvent]:
        """Give a code up that was begun and never ended."""
        if now.monotonic_ns - self._heard_ns < self._timing.abandon_ns:
            return self._codes.tick(now)
        if self._bytes:
            self._spoil("partial", bytes(self._bytes))  # the kernel gives whole events: a recording does not
            self._bytes.clear()
        events: list[DeviceEvent] = []
        if self._text or self._fate is not _Fate.GOOD:
            if self._fate is _Fate.GOOD:
                self._fate = _Fate.TYPED
            events = self._end(now)
        return events + self._codes.tick(now)

    def data_to_send(self) -> bytes:
        """Return nothing: a keyboard is only listened to."""
        return b""

    def _begin(self) -> None:
        self._text = bytearray()
        self._raw = bytearray()
        self._fate = _Fate.GOOD

    def _take(self, raw: bytes, at: Instant) -> list[DeviceEvent]:
        seconds, micros, kind, code, value = INPUT_EVENT.unpack(raw)
        if kind not in _TYPES:
            self._spoil("type", raw)
        elif kind == EV_SYN and code == SYN_DROPPED:
            self._shifts.clear()
            self._raw = bytearray(raw)
            self._fate = _Fate.DROPPED
        elif kind == EV_KEY and value not in _VALUES:
            self._spoil("value", raw)
        elif kind == EV_KEY and code in SHIFTS:
            (self._shifts.add if value else self._shifts.discard)(code)
            if value == PRESSED:
                self._note_time(seconds * 1_000_000 + micros, at)
        elif kind == EV_KEY and value == PRESSED:
            self._note_time(seconds * 1_000_000 + micros, at)
            self._raw += raw
            return self._press(code, at)
        return []

    def _spoil(self, cause: str, raw: bytes) -> None:
        """Count what no keyboard sends; the code in which it came is not trusted."""
        self.errors[cause] += 1
        self._shifts.clear()  # what was damaged may have been the release of one
        if self._fate is _Fate.GOOD:
            self._fate = _Fate.DAMAGED
            self._raw += raw

    def _note_time(self, stamp_us: int, at: Instant) -> None:
        """Call the code a person's when this key came too long after the one before in it."""
        if self._last_us and stamp_us:
            gap_ns = abs(stamp_us - self._last_us) * 1000
        else:
            gap_ns = at.monotonic_ns - self._arrived_ns
        if self._text and gap_ns > self._timing.gap_ns and self._fate in (_Fate.GOOD, _Fate.DAMAGED):
            self._fate = _Fate.TYPED
        self._last_us = stamp_us
        self._arrived_ns = at.monotonic_ns

    def _press(self, code: int, at: Instant) -> list[DeviceEvent]:
        if code in ENTERS:
            return self._end(at)
        char = (SHIFTED if self._shifts else PLAIN).get(code)
        if char is None and self._fate is _Fate.GOOD:
            self._fate = _Fate.DAMAGED
        if len(self._text) < MOST_BYTES:
            self._text += b"?" if char is None else char.encode("ascii")
            return []
        self._raw = self._raw[: -INPUT_EVENT.size]  # what follows up to Enter is skipped: it is bounded
        if self._fate is _Fate.OVERFLOWED:
            return []
        self._fate = _Fate.OVERFLOWED
        self.errors["overflow"] += 1
        details = {"limit_bytes": MOST_BYTES}
        return [DeviceEvent(self._device, EventKind.OVERFLOW, at, bytes(self._raw), details=details)]

    def _end(self, at: Instant) -> list[DeviceEvent]:
        text, raw, fate = bytes(self._text), bytes(self._raw), self._fate
        self._begin()
        if fate is _Fate.OVERFLOWED or (fate is _Fate.GOOD and not text):
            return []
        if fate is _Fate.GOOD:
            self.answers += 1
            self._is_heard = True
            return self._codes.events(text, at, raw)
        self.errors[fate.name.lower()] += 1
        if fate is _Fate.DAMAGED:
            return [self._codes.damaged(at, raw, heard=self._is_heard)]
        return [DeviceEvent(self._device, _KINDS[fate], at, raw, suspect=True)]
