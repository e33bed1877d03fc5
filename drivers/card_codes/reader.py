"""One clean text that a reader sent, as a device event. Sans-I/O; what a clean text is, the protocols decide."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, assert_never

from drivers.card_codes.book import (
    CardCode,
    CodeBook,
    CutCode,
    ForeignCode,
    Meaning,
    NoReadText,
    PassageText,
    UnmappedText,
)
from drivers.card_codes.duplicates import Duplicates, Verdict
from drivers.card_codes.symbology import split_aim
from studio.ports.devices import DeviceEvent, EventKind

if TYPE_CHECKING:
    from studio.domain.instants import Instant

_PRINTABLE: Final = range(0x20, 0x7F)


class AimPrefix(StrEnum):
    """Whether the reader puts ``]cm`` before each code."""

    OFF = "off"
    OPTIONAL = "optional"
    REQUIRED = "required"


@dataclass(frozen=True, slots=True)
class Symbologies:
    """Which kinds of code are taken: all, where ``allowed`` is empty."""

    aim: AimPrefix = AimPrefix.OPTIONAL
    allowed: frozenset[str] = frozenset()


class CodeReader:
    """Says what each text of one device is, and remembers what its policy of duplicates must."""

    def __init__(self, device: str, book: CodeBook, symbologies: Symbologies, duplicates: Duplicates) -> None:
        self._device = device
        self._book = book
        self._symbologies = symbologies
        self._duplicates = duplicates

    def connected(self) -> None:
        """Begin anew on a fresh line."""
        self._duplicates.connected()

    def events(self, text: bytes, at: Instant, raw: bytes, symbology: str | None = None) -> list[DeviceEvent]:
        """Return what ``text``, complete at ``at``, stands for; ``raw`` is all that it came in.

        ``symbology`` is given where the protocol itself says it. Almost always one event; a card that passed the
        light barrier unread comes before what was read next.
        """
        content = text.decode("ascii", "replace")
        if symbology is None and self._symbologies.aim is not AimPrefix.OFF:
            symbology, content = split_aim(content)
        meaning = self._book.meaning(content)
        if isinstance(meaning, PassageText):
            return self._passage(at, raw)
        details: dict[str, Any] = {} if symbology is None else {"symbology": symbology}
        if not isinstance(meaning, NoReadText) and not self._is_allowed(symbology):
            meaning = UnmappedText()
        return [self._event(meaning, content, at, raw, details)]

    def tick(self, now: Instant) -> list[DeviceEvent]:
        """Return an unread card, where something passed the light barrier and nothing was read of it."""
        return [self._unread(now, b"")] if self._duplicates.overdue(now.monotonic_ns) else []

    def damaged(self, at: Instant, raw: bytes, *, heard: bool = True) -> DeviceEvent:
        """Return what stands for bytes that may have been a card; what they were is never guessed.

        ``heard``: whether the reader had shown before on this connection that it lives. What comes before that may
        be the noise of a line that was just opened: with no shoe in play it is no draw.
        """
        self._duplicates.noticed(at.monotonic_ns)
        details = {"raw": "", "damaged": True} if heard else {"raw": "", "damaged": True, "proof": True}
        return DeviceEvent(self._device, EventKind.UNKNOWN_CODE, at, raw, suspect=True, details=details)

    def _is_allowed(self, symbology: str | None) -> bool:
        if symbology is None:
            return self._symbologies.aim is not AimPrefix.REQUIRED
        return not self._symbologies.allowed or symbology in self._symbologies.allowed

    def _event(
        self, meaning: Meaning, content: str, at: Instant, raw: bytes, details: dict[str, Any]
    ) -> DeviceEvent:
        match meaning:
            case CardCode(card, deck):
                if deck is not None:
                    details["deck"] = deck
                verdict = self._duplicates.judge(content, at.monotonic_ns)
                is_repeat = verdict is Verdict.REPEAT
                if is_repeat:
                    details["policy"] = self._duplicates.name
                kind = EventKind.SUPPRESSED if is_repeat else EventKind.CARD
                suspect = verdict is Verdict.DOUBTFUL
                return DeviceEvent(self._device, kind, at, raw, card, suspect=suspect, details=details)
            case CutCode():
                kind = EventKind.CUT_CARD
            case NoReadText():
                kind = EventKind.NO_READ
            case ForeignCode(deck):
                kind, details = EventKind.UNKNOWN_CODE, {**details, "raw": content, "foreign": True, "deck": deck}
            case UnmappedText():
                kind, details = EventKind.UNKNOWN_CODE, {**details, "raw": content}
            case PassageText():
                kind = EventKind.INFO
            case _:
                assert_never(meaning)
        self._duplicates.noticed(at.monotonic_ns)
        return DeviceEvent(self._device, kind, at, raw, details=details)

    def _passage(self, at: Instant, raw: bytes) -> list[DeviceEvent]:
        unread = [self._unread(at, b"")] if self._duplicates.passage(at.monotonic_ns) else []
        return [*unread, DeviceEvent(self._device, EventKind.INFO, at, raw, details={"passage": True})]

    def _unread(self, at: Instant, raw: bytes) -> DeviceEvent:
        return DeviceEvent(self._device, EventKind.NO_READ, at, raw, details={"passage": True})


def is_clean(text: bytes) -> bool:
    """Return whether ``text`` is printable ASCII throughout: nothing else is a code."""
    return all(byte in _PRINTABLE for byte in text)
