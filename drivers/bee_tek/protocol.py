"""The host's side of a Bee-Tek shoe, sans-I/O: bytes and time in, device events out.

The line has no check, so nothing here can tell a damaged card from another one. What shows that it is damaged is
told at once as a card that nobody knows.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from typing import Any, Final, assert_never

from drivers.bee_tek.messages import Broken, Message, MessageCutter, Noise, Overlong, Piece
from studio.domain.cards import Card, parse_card
from studio.domain.instants import Instant
from studio.ports.devices import DeviceEvent, EventKind

DEFAULT_MODES: Final = ("Game", "Manual Burn Cards")
END_NS: Final = 500_000_000
"""After so long without a byte a message that was begun has no end."""

_MAYBE_A_MESSAGE: Final = 4
"""So many bytes without a message may have been a card; fewer are noise, and counted only."""
_CARD: Final = re.compile(r"Card:(.*)")
_CODE: Final = re.compile(r"(10|[2-9TJQKA])([CDHS])|([CDHS])(10|[2-9TJQKA])")
_ALARM: Final = re.compile(r"Alarm:(E[0-9]+) ?(.*)")
_WARNING: Final = re.compile(r"W0x([0-9A-Fa-f]{1,4})")
_CARD_NOT_READ: Final = "E3"


def card_of(code: str) -> Card | None:
    """Return the card of ``4S``, ``10H`` or ``HT``, rank and suit in either order; ``None`` for anything else."""
    match = _CODE.fullmatch(code)
    if match is None:
        return None
    rank, suit = match[1] or match[4], match[2] or match[3]
    return parse_card(("T" if rank == "10" else rank) + suit)


class BeeTekParser:
    """One shoe's protocol; no input raises. See :class:`drivers.serial_reader.Parser` for what each part is."""

    def __init__(
        self, device: str, *, modes: Collection[str] = DEFAULT_MODES, notes: Collection[str] = ()
    ) -> None:
        self.errors: Counter[str] = Counter()
        self.answers = 0
        """How many messages were understood."""
        self._device = device
        self._modes = frozenset(modes)
        self._notes = tuple(notes)
        self._cutter = MessageCutter()
        self._is_heard = False
        self._is_broken_off = False
        """Whether the last piece was none, so that what follows it at once may be the rest of it."""
        self._last_byte: Instant | None = None

    def connected(self, now: Instant) -> None:  # noqa: ARG002 - part of the interface
        """Begin anew on a fresh line: half a message of the old one is worth nothing."""
        self._cutter.reset()
        self._is_heard = self._is_broken_off = False
        self._last_byte = None

    def feed(self, data: bytes, at: Instant) -> list[DeviceEvent]:
        """Return the events that ``data``, which arrived at ``at``, completes, in order of arrival."""
        events = self.tick(at)
        if data:
            self._last_byte = at
        return events + self._events(self._cutter.feed(data), at)

    def tick(self, now: Instant) -> list[DeviceEvent]:
        """Do what is due at ``now``; return the events it makes."""
        last = self._last_byte
        if last is None or not self._cutter.is_waiting or now.monotonic_ns - last.monotonic_ns < END_NS:
            return []
        return self._events(self._cutter.give_up(), now)

    def data_to_send(self) -> bytes:
        """Return nothing: the line has one direction."""
        return b""

    def _events(self, pieces: list[Piece], at: Instant) -> list[DeviceEvent]:
        events: list[DeviceEvent] = []
        for piece in pieces:
            match piece:
                case Message():
                    events += self._message(piece, at)
                case Broken(raw, is_tail):
                    self.errors["format"] += 1
                    if not (is_tail and self._is_broken_off):
                        events += self._broken(raw, at)
                    self._is_broken_off = True
                case Noise(raw):
                    self.errors["junk"] += 1
                case Overlong(raw):
                    self.errors["overflow"] += 1
                    details = self._doubtful({"limit_bytes": len(raw)})
                    events.append(DeviceEvent(self._device, EventKind.OVERFLOW, at, raw, details=details))
                case _:
                    assert_never(piece)
        return events

    def _message(self, message: Message, at: Instant) -> list[DeviceEvent]:
        body = message.body
        if (card := _CARD.fullmatch(body)) is not None:
            events = [self._card(message, card[1], at)]
        elif (warning := _WARNING.fullmatch(body)) is not None:
            details = {"code": int(warning[1], 16), "passing": True}
            events = [self._event(EventKind.WARNING, message, at, details)]
        elif (alarm := _ALARM.fullmatch(body)) is not None:
            events = self._alarm(message, alarm[1], alarm[2], at)
        elif message.mode is not None and body == message.mode:
            events = [self._event(EventKind.NO_READ, message, at)]
        elif body.startswith(self._notes) and self._notes:
            events = [self._event(EventKind.INFO, message, at, {"text": body})]
        else:
            self.errors["unknown"] += 1
            self._is_broken_off = True
            return self._broken(message.raw, at)
        self._is_heard = True
        self._is_broken_off = False
        self.answers += 1
        return events

    def _card(self, message: Message, code: str, at: Instant) -> DeviceEvent:
        card = card_of(code)
        if card is None:
            return self._event(EventKind.UNKNOWN_CODE, message, at, {"raw": code})
        return self._event(EventKind.CARD, message, at, card=card)

    def _alarm(self, message: Message, code: str, text: str, at: Instant) -> list[DeviceEvent]:
        if code == _CARD_NOT_READ:
            # The error is the card's, which is told beside it: it does not stand longer than the card.
            error = self._event(EventKind.ERROR, message, at, {"code": code, "text": text, "unread": True})
            return [error, self._event(EventKind.NO_READ, message, at)]
        return [self._event(EventKind.ERROR, message, at, {"code": code, "text": text, "passing": True})]

    def _broken(self, raw: bytes, at: Instant) -> list[DeviceEvent]:
        if len(raw.strip()) < _MAYBE_A_MESSAGE:
            return []
        details = self._doubtful({"raw": "", "damaged": True})
        return [DeviceEvent(self._device, EventKind.UNKNOWN_CODE, at, raw, details=details)]

    def _doubtful(self, details: dict[str, Any]) -> dict[str, Any]:
        # On a fresh line it may be noise: with no shoe in play that proves nothing and is no draw.
        return details if self._is_heard else {**details, "proof": True}

    def _event(
        self,
        kind: EventKind,
        message: Message,
        at: Instant,
        details: dict[str, Any] | None = None,
        card: Card | None = None,
    ) -> DeviceEvent:
        is_about_a_card = kind in {EventKind.CARD, EventKind.NO_READ, EventKind.UNKNOWN_CODE}
        is_suspect = is_about_a_card and message.mode not in self._modes
        more = {"mode": message.mode, **(details or {})}
        return DeviceEvent(self._device, kind, at, message.raw, card, suspect=is_suspect, details=more)
