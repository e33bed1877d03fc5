"""Key events as the kernel would give them, written apart from the driver."""

from __future__ import annotations

import struct
from collections.abc import Iterable

ENTER, SHIFT = 28, 42
_KEYS = {char: code for first, row in ((2, "1234567890"), (16, "qwertyuiop"), (30, "asdfghjkl"), (44, "zxcvbnm"))
         for code, char in enumerate(row, start=first)}  # fmt: skip


def event(kind: int, code: int, value: int, at_ms: float = 0) -> bytes:
    """Return one ``struct input_event`` of a 64-bit machine, with its time."""
    micros = int(at_ms * 1000)
    return struct.pack("=QQHHi", micros // 1_000_000, micros % 1_000_000, kind, code, value)


def key(code: int, value: int, at_ms: float = 0) -> bytes:
    """Return a key's event and the report that ends it."""
    return event(4, 4, code, at_ms) + event(1, code, value, at_ms) + event(0, 0, 0, at_ms)


def dropped(at_ms: float = 0) -> bytes:
    """Return the kernel's word that events were lost."""
    return event(0, 3, 0, at_ms)


def typed(text: str, at_ms: float = 0, gap_ms: float = 2) -> bytes:
    """Return what a reader types for ``text`` of digits and letters, with Enter."""
    presses: list[tuple[int, int]] = []
    for char in text:
        code = _KEYS[char.lower()]
        strokes = [(code, 1), (code, 0)]
        presses += [(SHIFT, 1), *strokes, (SHIFT, 0)] if char.isupper() else strokes
    return _timed([*presses, (ENTER, 1), (ENTER, 0)], at_ms, gap_ms)


def _timed(presses: Iterable[tuple[int, int]], at_ms: float, gap_ms: float) -> bytes:
    return b"".join(key(code, value, at_ms + place * gap_ms) for place, (code, value) in enumerate(presses))
