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
"""C18: a run this long among the first draws; by chance once in some millions of shoes."""
LATE_RUN: Final = 8
"""A run this long anywhere: with 400 draws against 400 by chance once in a hundred million shoes."""
SORTED_RUN: Final = 6
"""Cards one rank apart in one suit, as in a new deck: by chance once in half a million shoes."""
HIGHEST_P: Final = 1e-4
"""The p-value under which a card is suspected of missing or being doubled (anomalies.md)."""

_RANKS: Final = 13


class Run(NamedTuple):
    """Consecutive draws in a telling order: how many, the draw of the first (from 1), and which order."""

    length: int
    first_draw: int
    kind: str
    """``same``, ``reverse`` or ``sorted``."""


NO_RUN: Final = Run(0, 0, "")


def common_run(order: bytes, earlier: bytes) -> Run:
    """Return the longest run of ``order`` that stands in ``earlier`` in the same or the reverse order."""
    return max((_longest(order, earlier, "same"), _longest(order, earlier[::-1], "reverse")), key=_length)


def sorted_run(order: bytes) -> Run:
    """Return the longest run in the order of a new deck: one suit, ranks rising or falling by one."""
    best = NO_RUN
    for step in (1, -1):
        length = 0
        for place, card in enumerate(order):
            follows = place > 0 and _follows(order[place - 1], card, step)
            length = length + 1 if follows else int(card != UNREAD)
            if length > max(best.length, 1):
                best = Run(length, place - length + 2, "sorted")
    return best


def _follows(before: int, card: int, step: int) -> bool:
    is_read = UNREAD not in {before, card}
    return is_read and before // _RANKS == card // _RANKS and card == before + step


def _length(run: Run) -> int:
    return run.length


def _longest(order: bytes, earlier: bytes, kind: str) -> Run:
    """Return the longest common run, by lengthening a window that is looked for in the earlier order."""
    best, first = NO_RUN, 0
    for end in range(1, len(order) + 1):
        if order[end - 1] == UNREAD:
            first = end
            continue
        while first < end and order[first:end] not in earlier:
            first += 1
        if end - first > best.length:
            best = Run(end - first, first + 1, kind)
    return best


def telling_run(order: bytes, earlier: Iterable[bytes]) -> Run | None:
    """Return a run that a shuffle would not have left, ``None`` where there is none (C18).

    ``earlier`` are orders that the same cards, or their predecessors in the shoe, were in before the shuffle.
    """
    known = tuple(earlier)
    for draws, enough in ((order[:FIRST_DRAWS], EARLY_RUN), (order, LATE_RUN)):
        found = max((common_run(draws, one) for one in known), key=_length, default=NO_RUN)
        if found.length >= enough:
            return found
    found = sorted_run(order)
    return found if found.length >= SORTED_RUN else None


def has_telling_end(order: bytes, earlier: Iterable[bytes]) -> bool:
    """Tell whether the newest draw completes such a run: what :func:`telling_run` finds, asked draw by draw."""
    if len(order) <= FIRST_DRAWS:
        return telling_run(order, earlier) is not None
    late = order[-LATE_RUN:]
    if sorted_run(order[-SORTED_RUN:]).length >= SORTED_RUN:
        return True
    return UNREAD not in late and any(late in one or late[::-1] in one for one in earlier)


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
