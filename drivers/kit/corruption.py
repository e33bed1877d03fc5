"""The corruption trial: damaged bytes of one card, then a clean card, and what a driver made of both.

What counts is what a table would have believed. *wrong*: a card taken for read that was not dealt. *held*: doubted
or unread, so that the table stops and asks. *silent*: no event at all; only a second witness or the count at the
end of the shoe tells that card. *deaf*: the clean card that followed was not read.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain, islice, pairwise
from typing import TYPE_CHECKING, Final

from drivers.kit.rig import MS, sure_cards
from studio.domain.cards import DECK
from studio.domain.instants import Instant
from studio.ports.devices import DeviceEvent, EventKind

if TYPE_CHECKING:
    from drivers.kit.rig import DriverCase
    from studio.domain.cards import Card

_NOT_ABOUT_A_CARD: Final = frozenset(
    {
        EventKind.LINK,
        EventKind.HEARTBEAT,
        EventKind.HELLO,
        EventKind.INFO,
        EventKind.STANDBY,
        EventKind.SESSION_START,
    }
)


_BURST_NS: Final = 400 * MS
_TICKS_NS: Final = tuple(span * MS for span in (250, 500, 1000, 2000, 3500))

SAMPLE: Final = tuple(DECK[index] for index in (0, 9, 12, 13, 20, 25, 26, 33, 38, 39, 46, 51))
"""Cards of every suit and rank kind, with the extremes of the codes."""


class Change(StrEnum):
    """How bytes were damaged."""

    SUBSTITUTED = "one byte substituted"
    DELETED = "one byte deleted"
    INSERTED = "one byte inserted"
    TWO_BYTES = "two bytes changed"


class Outcome(StrEnum):
    """What became of the damaged card."""

    RIGHT = "right"
    HELD = "held"
    SILENT = "silent"
    WRONG = "wrong"


@dataclass(slots=True)
class Found:
    """What a trial found, by kind of change; ``deaf`` counts clean cards that were not read afterwards."""

    outcomes: dict[Change, Counter[Outcome]] = field(default_factory=dict)
    deaf: Counter[Change] = field(default_factory=Counter)

    def add(self, change: Change, outcome: Outcome, *, deaf: bool) -> None:
        """Count one corruption."""
        self.outcomes.setdefault(change, Counter())[outcome] += 1
        self.deaf[change] += deaf

    def wrong(self, *changes: Change) -> int:
        """Return how many wrong cards were believed, of some kinds of change or of all."""
        return sum(self.outcomes.get(change, Counter())[Outcome.WRONG] for change in changes or Change)


def one_byte_changes(data: bytes) -> Iterator[tuple[Change, bytes]]:
    """Yield every substitution, deletion and insertion of one byte."""
    for place in range(len(data)):
        for value in range(256):
            if value != data[place]:
                yield Change.SUBSTITUTED, data[:place] + bytes((value,)) + data[place + 1 :]
        yield Change.DELETED, data[:place] + data[place + 1 :]
    for place in range(len(data) + 1):
        for value in range(256):
            yield Change.INSERTED, data[:place] + bytes((value,)) + data[place:]


def one_byte_count(length: int) -> int:
    """Return how many changes :func:`one_byte_changes` yields of ``length`` bytes."""
    return length * (255 + 1) + (length + 1) * 256


def two_byte_changes(data: bytes, chance: random.Random) -> Iterator[tuple[Change, bytes]]:
    """Yield, for ever, corruptions of two bytes: each substituted, deleted or inserted at random."""
    while True:
        changed = bytearray(data)
        for _ in range(2):
            place = chance.randrange(len(changed)) if changed else 0
            match chance.randrange(3):
                case 0 if changed:
                    changed[place] ^= chance.randrange(1, 256)
                case 1 if changed:
                    del changed[place]
                case _:
                    changed.insert(place, chance.randrange(256))
        if bytes(changed) != data:
            yield Change.TWO_BYTES, bytes(changed)


@dataclass(frozen=True, slots=True)
class Sample:
    """A card as a device tells it, and the clean card after it: all bytes that each takes, copies among them."""

    dealt: Card
    burst: bytes
    after: Card
    clean: bytes
    greeting: bytes


def sample_of(case: DriverCase, dealt: Card, after: Card) -> Sample:
    """Let a peer read two cards, and keep its bytes."""
    rig = case.rig()
    greeting, bursts = b"".join(rig.sent), []
    for card in (dealt, after):
        start = len(rig.sent)
        rig.peer.card(card, rig.now.monotonic_ns)
        rig.wait(_BURST_NS)
        bursts.append(b"".join(rig.sent[start:]))
        rig.settle()
    return Sample(dealt, bursts[0], after, bursts[1], greeting)


def try_corruption(case: DriverCase, sample: Sample, damaged: bytes) -> tuple[Outcome, bool]:
    """Play damaged bytes, then the clean card; return what became of the first, and if the second was missed."""
    decoder = case.plugin.decoder("reader", dict(case.settings))
    events: list[DeviceEvent] = []
    at_ns = 0
    for data in (sample.greeting, damaged, sample.clean):
        events += decoder.feed(data, Instant(at_ns, at_ns))
        for span_ns in _TICKS_NS:
            events += decoder.tick(Instant(at_ns + span_ns, at_ns + span_ns))
        decoder.data_to_send()
        at_ns += _TICKS_NS[-1] + MS
    return _outcome(events, sample)


def _outcome(events: list[DeviceEvent], sample: Sample) -> tuple[Outcome, bool]:
    cards = sure_cards(events)
    is_deaf = cards[-1:] != [sample.after]
    first = cards if is_deaf else cards[:-1]
    if any(card != sample.dealt for card in first) or len(first) > 1:
        return Outcome.WRONG, is_deaf
    if first:
        return Outcome.RIGHT, is_deaf
    doubted = any(event.kind not in _NOT_ABOUT_A_CARD and event.card != sample.after for event in events)
    return (Outcome.HELD if doubted else Outcome.SILENT), is_deaf


def try_driver(
    case: DriverCase,
    *,
    two_byte: int,
    seed: int,
    cards: int = len(SAMPLE),
    tick: Callable[[int, int], None] = lambda _done, _of: None,
) -> Found:
    """Try every one-byte change of the first ``cards`` of the sample, and ``two_byte`` random ones of two bytes.

    ``tick`` hears how many corruptions are done, of how many.
    """
    samples = [sample_of(case, dealt, after) for dealt, after in pairwise((*SAMPLE[:cards], SAMPLE[-1]))]
    chance = random.Random(seed)  # noqa: S311 - a trial that can be repeated
    singles = ((sample, change) for sample in samples for change in one_byte_changes(sample.burst))
    doubles = (
        (sample, change)
        for sample in samples
        for change in islice(two_byte_changes(sample.burst, chance), -(-two_byte // len(samples)))
    )
    found, total = Found(), sum(one_byte_count(len(sample.burst)) for sample in samples) + two_byte
    for done, (sample, (change, damaged)) in enumerate(chain(singles, islice(doubles, two_byte)), 1):
        outcome, deaf = try_corruption(case, sample, damaged)
        found.add(change, outcome, deaf=deaf)
        tick(done, total)
    return found
