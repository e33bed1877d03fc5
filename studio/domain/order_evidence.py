"""Evidence about a shuffle and a shoe's composition: pure functions over the cards that came out.

Orders are bytes, one card index (0 to 51) each in the order of the draws, and :data:`UNREAD` for a draw whose face
nobody knows. Nothing here knows a table; no result names a card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import exp, inf, lgamma, log
from typing import Final, NamedTuple

from studio.domain.cards import DECK

UNREAD: Final = 255
FIRST_DRAWS: Final = 10
"""C18: the draws of a new shoe in which a short run is evidence already."""
EARLY_RUN: Final = 6
"""C18: a run this long among the first draws; against 2,000 earlier cards by chance once in a million shoes."""
LATE_RUN: Final = 8
"""A run this long anywhere; against as many by chance once in thirty million shoes."""
SORTED_RUN: Final = 6
"""Cards one rank apart in one suit, as in a new deck: by chance once in half a million shoes."""
HIGHEST_P: Final = 1e-4
"""The p-value under which a card is suspected of missing or being doubled (anomalies.md)."""

_RANKS: Final = 13


class Runs(NamedTuple):
    """How telling the order of a shoe's draws is, kept draw by draw.

    ``same``, ``reverse`` and ``rising``, ``falling`` are the lengths of the runs that the newest draw ends: in an
    earlier order, in its reverse, and in the order of a new deck. ``longest`` is the run-match score, the longest
    of the first two so far, ``longest_sorted`` that of the others.
    """

    same: int = 0
    reverse: int = 0
    rising: int = 0
    falling: int = 0
    longest: int = 0
    longest_sorted: int = 0


def joined(orders: Iterable[bytes]) -> bytes:
    """Return orders as one, in which no run goes from one of them to the next."""
    return bytes((UNREAD,)).join(one for one in orders if one)


def lengthened(runs: Runs, order: bytes, earlier: bytes) -> Runs:
    """Return the runs after the newest draw of ``order``; ``earlier`` are orders before the shuffle, joined."""
    same = _common(order, earlier, runs.same)
    reverse = _common(order, earlier[::-1], runs.reverse)
    rising, falling = _sorted(order, 1, runs.rising), _sorted(order, -1, runs.falling)
    longest, in_rank = max(runs.longest, same, reverse), max(runs.longest_sorted, rising, falling)
    return Runs(same, reverse, rising, falling, longest, in_rank)


def _common(order: bytes, earlier: bytes, before: int) -> int:
    """Return how many of the newest draws stand in a row in ``earlier``; ``before`` is that without the last."""
    if order[-1] == UNREAD:
        return 0
    length = before + 1
    while length and order[-length:] not in earlier:
        length -= 1
    return length


def _sorted(order: bytes, step: int, before: int) -> int:
    card = order[-1]
    if card == UNREAD:
        return 0
    previous = order[-2] if len(order) > 1 else UNREAD
    follows = previous != UNREAD and previous // _RANKS == card // _RANKS and card == previous + step
    return before + 1 if follows else 1


class Telling(NamedTuple):
    """A run that a shuffle would not have left: how many draws up to the newest, and what they are like."""

    length: int
    likeness: str


def telling(runs: Runs, draws: int) -> Telling | None:
    """Return the run that the newest of ``draws`` completes, if a shuffle would not have left it (C18)."""
    enough = EARLY_RUN if draws <= FIRST_DRAWS else LATE_RUN
    if max(runs.same, runs.reverse) >= enough:
        is_same = runs.same >= runs.reverse
        likeness = "in the order of an earlier shoe" if is_same else "in the reverse order of an earlier shoe"
        return Telling(max(runs.same, runs.reverse), likeness)
    in_rank = max(runs.rising, runs.falling)
    return Telling(in_rank, "sorted as in a new deck") if in_rank >= SORTED_RUN else None


class Drawn(NamedTuple):
    """What came out of one shoe, faces known: copies by card index."""

    seen: tuple[int, ...]

    @property
    def total(self) -> int:
        """How many cards."""
        return sum(self.seen)


class Suspicion(NamedTuple):
    """A card whose copies over several shoes do not fit: its index, ``missing`` or else doubled, and p."""

    card: int
    missing: bool
    p: float


def suspicion(decks: int, shoes: Sequence[Drawn]) -> Suspicion | None:
    """Test over several shoes of the same cards whether one is missing or doubled; ``None`` where nothing speaks.

    For each card the likelihood of one copy fewer, and of one more, against the full number is multiplied over the
    shoes (hypergeometric). Under a complete shoe such a product reaches 1/p at any time with probability p at most
    (Ville's inequality), so it may be asked after every shoe; the 104 questions are paid for by Bonferroni.
    """
    found = min(_suspicions(decks, shoes), key=lambda one: one.p, default=None)
    return found if found is not None and found.p < HIGHEST_P else None


def _suspicions(decks: int, shoes: Sequence[Drawn]) -> Iterator[Suspicion]:
    for card in range(len(DECK)):
        for missing in (True, False):
            evidence = sum(_log_ratio(decks, shoe.total, shoe.seen[card], missing=missing) for shoe in shoes)
            p = 1.0 if evidence <= 0 else 2 * len(DECK) * exp(-evidence)
            yield Suspicion(card, missing, min(1.0, p))


def _log_ratio(decks: int, drawn: int, copies: int, *, missing: bool) -> float:
    """Return the log of how much likelier ``copies`` among ``drawn`` are with one copy fewer, or more."""
    other = -1 if missing else 1
    size = decks * len(DECK)
    return _log_chance(size + other, decks + other, drawn, copies) - _log_chance(size, decks, drawn, copies)


def _log_chance(size: int, copies: int, drawn: int, seen: int) -> float:
    """Return the log of the hypergeometric chance; very little, not nothing, for what cannot be."""
    if not max(0, drawn - size + copies) <= seen <= min(copies, drawn):
        return -_IMPOSSIBLE
    return _log_choose(copies, seen) + _log_choose(size - copies, drawn - seen) - _log_choose(size, drawn)


_IMPOSSIBLE: Final = 1e6


def _log_choose(of: int, take: int) -> float:
    if take < 0 or take > of:
        return -inf
    return lgamma(of + 1) - lgamma(take + 1) - lgamma(of - take + 1)


def smallest_p(decks: int, shoes: Sequence[Drawn]) -> float:
    """Return the smallest p-value that the test has, for the shoe's page; 1 where nothing speaks."""
    return min((one.p for one in _suspicions(decks, shoes)), default=1.0)


def binomial_tail(trials: int, hits: int, chance: float) -> float:
    """Return the probability of ``hits`` or more among ``trials`` that each hit with ``chance``."""
    if not 0 < chance < 1:
        return 1.0 if hits == 0 or chance >= 1 else 0.0
    total = 0.0
    for many in range(hits, trials + 1):
        term = _log_choose(trials, many) + many * log(chance) + (trials - many) * log(1 - chance)
        total += exp(term)
        if term < -_NEGLIGIBLE and many > trials * chance:
            break
    return min(1.0, total)


_NEGLIGIBLE: Final = 60.0
