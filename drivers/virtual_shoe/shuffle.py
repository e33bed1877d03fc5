"""From a seed to the order of a shoe and to its commitment: pure, and written down in ``spec.md``.

Whoever has the seed must find the same cards, years later and in any language: nothing here may change without
a new version in the labels. It knows nothing of sources, rounds in play or where seeds come from.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from itertools import count
from typing import Final

from studio.domain.cards import DECK, Card

SEED_BYTES: Final = 32
MOST_DECKS: Final = 16
_ORDER_LABEL: Final = b"live-dealer-studio/virtual-shoe/1/order\0"
_COMMITMENT_LABEL: Final = b"live-dealer-studio/virtual-shoe/1/commitment\0"
_WORD_BYTES: Final = 2
# Short words, so that a rejection happens in every few shuffles and the test vectors can hold one.
_WORDS: Final = 1 << (8 * _WORD_BYTES)
_MOST_TABLE_BYTES: Final = 255
_ROUNDS: Final = 1 << 64


def order(seed: bytes, decks: int) -> tuple[Card, ...]:
    """Return the ``decks * 52`` cards in the order in which they are dealt (spec.md, "Order").

    Raises ``ValueError`` unless the seed has 32 bytes and the decks are 1 to 16.
    """
    _check(seed, decks)
    cards = list(DECK * decks)
    stream = words(seed)
    for last in range(len(cards) - 1, 0, -1):
        chosen = uniform(stream, last + 1)
        cards[last], cards[chosen] = cards[chosen], cards[last]
    return tuple(cards)


def words(seed: bytes) -> Iterator[int]:
    """Yield the seed's endless stream of 16-bit words: HMAC-SHA256 in counter mode (spec.md, "Words")."""
    for counter in count():
        block = hmac.digest(seed, _ORDER_LABEL + counter.to_bytes(8, "big"), "sha256")
        for start in range(0, len(block), _WORD_BYTES):
            yield int.from_bytes(block[start : start + _WORD_BYTES], "big")


def uniform(stream: Iterator[int], bound: int) -> int:
    """Return a number from 0 to ``bound - 1``, each as likely as the others; ``bound`` is 1 to 65,536.

    Words from the last, incomplete run of ``bound`` numbers are thrown away: kept, they would favour small ones.
    """
    usable = _WORDS - _WORDS % bound
    return next(word for word in stream if word < usable) % bound


def commitment(seed: bytes, decks: int, table: str, round_number: int) -> str:
    """Return the promise published before the round: 64 lower-case hex digits (spec.md, "Commitment").

    It binds seed, decks, table and round, and tells nobody the seed. Raises ``ValueError`` as :func:`order` does,
    and for a table without a name or of more than 255 bytes, or a round that is not 1 to 2**64 - 1.
    """
    _check(seed, decks)
    name = table.encode()
    if not 1 <= len(name) <= _MOST_TABLE_BYTES:
        message = f"a table's name has 1 to {_MOST_TABLE_BYTES} bytes, not {len(name)}"
        raise ValueError(message)
    if not 1 <= round_number < _ROUNDS:
        message = f"rounds are numbered from 1 to 2**64 - 1: {round_number} is none"
        raise ValueError(message)
    promised = (
        _COMMITMENT_LABEL
        + decks.to_bytes(1, "big")
        + len(name).to_bytes(1, "big")
        + name
        + round_number.to_bytes(8, "big")
        + seed
    )
    return hashlib.sha256(promised).hexdigest()


def _check(seed: bytes, decks: int) -> None:
    if len(seed) != SEED_BYTES:
        message = f"a seed has {SEED_BYTES} bytes, not {len(seed)}"
        raise ValueError(message)
    if not 1 <= decks <= MOST_DECKS:
        message = f"a shoe holds 1 to {MOST_DECKS} decks, not {decks}"
        raise ValueError(message)
