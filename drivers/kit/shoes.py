"""The trial of whole shoes: every card of a shuffled shoe, as fast as the device can tell it, repeats and all."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from drivers.kit.rig import MS, sure_cards
from studio.domain.cards import DECK
from studio.domain.instants import Instant
from studio.ports.devices import EventKind

if TYPE_CHECKING:
    from drivers.kit.rig import DriverCase, Peer
    from studio.domain.cards import Card
    from studio.ports.devices import Decoder, DeviceEvent

_GAP_NS: Final = 400 * MS
"""Between two cards: faster than any dealer, slower than the time within which a code counts as the same."""
_DRAINED_NS: Final = 5_000 * MS
_CUTS: Final = (1, 2, 3, 5, 64)


@dataclass(slots=True)
class ShoesFound:
    """What came of some shoes; ``repeats`` are cards dealt right after their equals."""

    shoes: int = 0
    cards: int = 0
    repeats: int = 0
    lost: int = 0
    doubled_or_wrong: int = 0
    doubted: int = 0


def shuffled(decks: int, chance: random.Random) -> list[Card]:
    """Return the cards of a shoe in a random order."""
    cards = list(DECK) * decks
    chance.shuffle(cards)
    return cards


def try_shoes(
    case: DriverCase, *, shoes: int, decks: int = 8, seed: int = 1, tick: Callable[[int, int], None] | None = None
) -> ShoesFound:
    """Deal whole shoes through a peer and its driver, cut at random; count what did not arrive as dealt."""
    found = ShoesFound()
    for shoe in range(shoes):
        chance = random.Random(f"{seed}:{shoe}")  # noqa: S311 - a trial that can be repeated
        dealt = shuffled(decks, chance)
        events = list(_deal(case.plugin.decoder("reader", dict(case.settings)), case.peer(shoe), dealt, chance))
        read = sure_cards(events)
        found.shoes += 1
        found.cards += len(dealt)
        found.repeats += sum(one == other for one, other in pairwise(dealt))
        found.doubted += sum(event.suspect or event.kind is EventKind.SUPPRESSED for event in events)
        if read != dealt:
            found.lost += max(len(dealt) - len(read), 0)
            found.doubled_or_wrong += max(len(read) - len(dealt), 0) or len(read) == len(dealt)
        if tick is not None:
            tick(shoe + 1, shoes)
    return found


def _deal(decoder: Decoder, peer: Peer, cards: Iterable[Card], chance: random.Random) -> Iterable[DeviceEvent]:
    now_ns = 1_000 * MS
    peer.start(now_ns)
    now_ns, events = _drain(decoder, peer, now_ns, chance)
    yield from events
    for card in cards:
        peer.card(card, now_ns)
        now_ns, events = _drain(decoder, peer, now_ns, chance)
        yield from events
        now_ns += _GAP_NS
        yield from decoder.tick(Instant(now_ns, now_ns))
    yield from decoder.tick(Instant(now_ns + _DRAINED_NS, now_ns + _DRAINED_NS))


def _drain(decoder: Decoder, peer: Peer, now_ns: int, chance: random.Random) -> tuple[int, list[DeviceEvent]]:
    """Let the peer say all it has to say of this card; return the time then, and the events."""
    events: list[DeviceEvent] = []
    until_ns = now_ns + _DRAINED_NS
    while True:
        for packet in peer.packets(now_ns):
            for chunk in _cut(packet, chance):
                events += decoder.feed(chunk, Instant(now_ns, now_ns))
        while answer := decoder.data_to_send():
            peer.host_bytes(answer, now_ns)
        due_ns = peer.next_deadline_ns()
        if peer.is_free or due_ns is None or due_ns > until_ns:
            return now_ns, events
        now_ns = max(due_ns, now_ns)


def _cut(data: bytes, chance: random.Random) -> Iterable[bytes]:
    length = chance.choice(_CUTS)
    return (data[place : place + length] for place in range(0, len(data), length))
