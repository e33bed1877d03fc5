"""What the vote found, as the studio's device events, by the names that the vectors use.

Sans-I/O: values in, values out.
"""

from __future__ import annotations

from typing import Any, Final, assert_never

from drivers.angel_eye.frames import Frame
from drivers.angel_eye.vote import Confirmed, Damaged, Discarded, Result, Single
from studio.domain.cards import DECK, Card, Rank, Suit
from studio.domain.instants import Instant
from studio.ports.devices import DeviceEvent, EventKind

_SUITS: Final = (Suit.DIAMONDS, Suit.CLUBS, Suit.SPADES, Suit.HEARTS)
_CARDS: Final[dict[int, Card]] = {
    (_SUITS.index(card.suit) + 1) << 4 | (tuple(Rank).index(card.rank) + 1): card for card in DECK
}
_LOCKED: Final = 1
_IN_ERROR: Final = 0x40
_ERROR_CODE: Final = 0x3F
_CARD_CODE_ERROR: Final = 6
_REVERSE_ERRORS: Final = frozenset({4, 5})


def card_of(byte: int) -> Card | None:
    """Return the card of a code byte; bit 7 does not count. ``None`` for what is no card."""
    return _CARDS.get(byte & 0x7F)


def device_events(device: str, result: Result, *, accept_outside_game: bool) -> list[DeviceEvent]:
    """Return the events of one result of the vote: one, or two where an error is also about a card."""
    match result:
        case Confirmed(frame, at, voted):
            return _frame_events(device, frame, at, voted=voted, accept_outside_game=accept_outside_game)
        case Single(frame, at):
            return [_card_event(device, frame, at, is_suspect=True, details={"confirmed": False})]
        case Discarded(frame, at):
            return [_event(device, EventKind.SUSPECT_DISCARDED, frame, at)]
        case Damaged(raw, at, is_fresh):
            # On a fresh line it may be noise: with no shoe in play that proves nothing and is no draw.
            more: dict[str, Any] = {"raw": "", "damaged": True, **({"proof": True} if is_fresh else {})}
            return [DeviceEvent(device, EventKind.UNKNOWN_CODE, at, raw, details=more)]
        case _:
            assert_never(result)


def _frame_events(
    device: str, frame: Frame, at: Instant, *, voted: bool, accept_outside_game: bool
) -> list[DeviceEvent]:
    match frame.letter:
        case "D" | "d":
            is_suspect = frame.letter == "d" and not accept_outside_game
            return [_card_event(device, frame, at, is_suspect=is_suspect, details={"confirmed": voted})]
        case "R":
            return [_card_event(device, frame, at, kind=EventKind.RETRANSMISSION)]
        case "S":
            return [_event(device, EventKind.SESSION_START, frame, at)]
        case "P":
            return [_event(device, EventKind.STANDBY, frame, at)]
        case "C":
            return [_event(device, EventKind.CUT_CARD, frame, at)]
        case "L":
            details = {"locked": frame.payload[0] & _ERROR_CODE == _LOCKED}
            return [_event(device, EventKind.LOCKED, frame, at, details)]
        case "E":
            return _error_events(device, frame, at)
        case "e":
            return [_event(device, EventKind.ERROR_CLEARED, frame, at, {"code": frame.payload[0] & _ERROR_CODE})]
        case _:
            told = {"letter": frame.letter, "payload": frame.payload.hex(" ").upper()}
            return [_event(device, EventKind.INFO, frame, at, told)]


def _error_events(device: str, frame: Frame, at: Instant) -> list[DeviceEvent]:
    code, is_now = frame.payload[0] & _ERROR_CODE, bool(frame.payload[0] & _IN_ERROR)
    details: dict[str, Any] = {"code": code, "now": is_now}
    if code == _CARD_CODE_ERROR:
        # A card has passed whose mark is none: it counts as a card, and is told beside the error.
        error = _event(device, EventKind.ERROR, frame, at, {**details, "unread": True})
        return [error, _event(device, EventKind.UNKNOWN_CODE, frame, at, {"raw": ""})]
    error = _event(device, EventKind.ERROR, frame, at, details)
    if code in _REVERSE_ERRORS:
        return [error, _event(device, EventKind.CARD_RETURN, frame, at)]
    return [error]


def _card_event(  # noqa: PLR0913 - the parts of one event
    device: str,
    frame: Frame,
    at: Instant,
    *,
    kind: EventKind = EventKind.CARD,
    is_suspect: bool = False,
    details: dict[str, Any] | None = None,
) -> DeviceEvent:
    where, code = frame.payload
    card = card_of(code)
    hints = {"target": where >> 4 & 0x7, "index": where & 0xF, "outside_game": frame.letter == "d"}
    more = {**hints, **(details or {})}
    if card is None:
        kind, more = EventKind.UNKNOWN_CODE, {**more, "raw": f"{code:02X}"}
    return DeviceEvent(
        device, kind, at, frame.raw, card, sequence=frame.sequence, suspect=is_suspect, details=more
    )


def _event(
    device: str, kind: EventKind, frame: Frame, at: Instant, details: dict[str, Any] | None = None
) -> DeviceEvent:
    return DeviceEvent(device, kind, at, frame.raw, sequence=frame.sequence, details=details or {})
