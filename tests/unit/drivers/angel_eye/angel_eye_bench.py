"""A shoe's bytes, and a parser on a clock of milliseconds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from drivers.angel_eye.frames import encode_frame
from drivers.angel_eye.protocol import AngelEyeParser
from studio.domain.cards import Card, Rank, Suit, parse_card
from studio.domain.instants import Instant
from studio.ports.devices import DeviceEvent, EventKind

SUITS = (Suit.DIAMONDS, Suit.CLUBS, Suit.SPADES, Suit.HEARTS)
STANDBY = encode_frame(ord("0"), b"P")


def at_ms(milliseconds: float) -> Instant:
    ns = int(milliseconds * 1_000_000)
    return Instant(ns, ns)


def code_byte(card: Card | str) -> int:
    card = parse_card(card) if isinstance(card, str) else card
    return 0x80 | (SUITS.index(card.suit) + 1) << 4 | (tuple(Rank).index(card.rank) + 1)


def card_frame(seq: str, card: Card | str, letter: str = "D", where: int = 0x81) -> bytes:
    return encode_frame(ord(seq), letter.encode() + bytes((where, code_byte(card))))


class Bench:
    """A parser that has heard the shoe, and what it told since."""

    def __init__(self, **settings: Any) -> None:
        self.parser = AngelEyeParser("shoe-1", **settings)
        self.now_ms = 0.0
        self.events: list[DeviceEvent] = []
        self.feed(STANDBY)
        self.events.clear()

    def feed(self, *chunks: bytes, gap_ms: float = 0) -> list[DeviceEvent]:
        for chunk in chunks:
            self.events += self.parser.feed(chunk, at_ms(self.now_ms))
            self.now_ms += gap_ms
        return self.events

    def wait(self, milliseconds: float, step_ms: float = 100) -> list[DeviceEvent]:
        end_ms = self.now_ms + milliseconds
        while self.now_ms < end_ms:
            self.now_ms = min(end_ms, self.now_ms + step_ms)
            self.events += self.parser.tick(at_ms(self.now_ms))
        return self.events

    def told(self) -> list[str]:
        return short(self.events)


def short(events: Iterable[DeviceEvent]) -> list[str]:
    """Return each event in a word: a card by its code, with ``?`` where it is suspect."""
    return [
        f"{event.card}{'?' if event.suspect else ''}" if event.kind is EventKind.CARD else event.kind.value
        for event in events
    ]
