"""The kernel's shoe: cards by value, drawn by random numbers from a counter, compiled to machine code.

Cards are their values, 1 for an ace to 10. The shoe is shuffled while it is dealt: each draw takes a random one of
the cards that are left, which is the same as a shuffle beforehand and costs only the cards that are used. Random
numbers come from a counter (SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
2014), so that any block of rounds can be played on its own, on any core, in any order.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from studio.odds.compiled import compiled

Ints: TypeAlias = npt.NDArray[np.int64]
Bytes: TypeAlias = npt.NDArray[np.uint8]
Counter: TypeAlias = npt.NDArray[np.uint64]

GAMMA: Final = 0x9E3779B97F4A7C15
"""What one random number adds to the counter, modulo 2**64."""
_STEP: Final = np.uint64(GAMMA)
_MIX_1: Final = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2: Final = np.uint64(0x94D049BB133111EB)
_S27: Final = np.uint64(27)
_S30: Final = np.uint64(30)
_S31: Final = np.uint64(31)
_S32: Final = np.uint64(32)
_LOW: Final = np.uint64(0xFFFFFFFF)
_TWO_TO_32: Final = np.uint64(1 << 32)


class KernelShoe(NamedTuple):
    """The cards and where the game stands in them: ``at`` is (cards out, cards asked of an empty shoe)."""

    cards: Bytes
    at: Ints
    counter: Counter


class Trace(NamedTuple):
    """What one round was: ``cards`` are (place, value), place 0 the dealer; ``actions`` are (hand, move).

    A move of 0 is a decision that nobody answered; ``sizes`` is how many cards and actions there are.
    """

    cards: Ints
    actions: Ints
    sizes: Ints


@compiled
def random_32(counter: Counter) -> Any:  # noqa: ANN401 - numpy.uint64
    """Return the next 32 random bits."""
    counter[0] += _STEP
    mixed = counter[0]
    mixed = (mixed ^ (mixed >> _S30)) * _MIX_1
    mixed = (mixed ^ (mixed >> _S27)) * _MIX_2
    return (mixed ^ (mixed >> _S31)) >> _S32


@compiled
def _below(counter: Counter, count: int) -> int:
    """Return a random number from 0 to below ``count``, each exactly as likely (Lemire 2019)."""
    size = np.uint64(count)
    product = random_32(counter) * size
    if (product & _LOW) < size:
        unfair = (_TWO_TO_32 - size) % size
        while (product & _LOW) < unfair:
            product = random_32(counter) * size
    return int(product >> _S32)


@compiled
def draw(shoe: KernelShoe, place: int, trace: Trace | None) -> int:
    """Take a random one of the cards that are left; from an empty shoe tens, and the round will be voided (S7)."""
    out = shoe.at[0]
    left = len(shoe.cards) - out
    if left == 0:
        shoe.at[1] += 1
        return 10
    chosen = out + _below(shoe.counter, left)
    value = shoe.cards[chosen]
    shoe.cards[chosen] = shoe.cards[out]
    shoe.cards[out] = value
    shoe.at[0] = out + 1
    if trace is not None:
        trace.cards[trace.sizes[0], 0] = place
        trace.cards[trace.sizes[0], 1] = value
        trace.sizes[0] += 1
    return int(value)


def new_shoe(cards: Bytes, counter: int) -> KernelShoe:
    """Return a shoe of ``cards`` (a copy, in any order) whose random numbers begin at ``counter``."""
    return KernelShoe(cards.copy(), np.zeros(2, np.int64), np.array([counter], np.uint64))


def new_trace() -> Trace:
    """Return room for any round: four hands and the dealer of at most 22 cards each."""
    return Trace(np.zeros((128, 2), np.int64), np.zeros((128, 2), np.int64), np.zeros(2, np.int64))
