"""What the consoles may see of a shoe's life (consoles.md S13): packs, counts, evidence; no secret face."""

from __future__ import annotations

from functools import lru_cache

from studio.domain.counting import alternates, due_count
from studio.domain.order_evidence import EARLY_RUN, LATE_RUN, SORTED_RUN, Drawn, smallest_p
from studio.domain.shoe_life import ClosedShoe, Count, LastCount, Pack, life_of
from studio.domain.table import Table
from studio.domain.views import (
    ClosedShoeView,
    CountView,
    LastCountView,
    PackView,
    ShoePageView,
    ShuffleEvidenceView,
)


def shoe_page(table: Table) -> ShoePageView:
    """Return the shoe page of a table."""
    life = table.life
    due = due_count(table) if table.shoe is None and not table.steps else None
    # While the shoe is in play a run through a hidden card would tell it: the next one of a known order.
    runs = life.runs if table.shoe is None else life.open_runs
    return ShoePageView(
        packs=tuple(pack_view(table, pack) for pack in life.packs),
        pack_hours=table.setup.pack_hours,
        alternates=alternates(table),
        loaded=life.loaded,
        counting=count_view(table),
        due_count=due.id if due else "",
        copies=life.shown,
        impossible=life.impossible,
        evidence=ShuffleEvidenceView(
            len(life.order), runs.longest, runs.longest_sorted, EARLY_RUN, LATE_RUN, SORTED_RUN
        ),
        smallest_p=_smallest_p(table.setup.rules.decks, life.drawn_before),
        closed=_closed(life.closed) if life.closed and table.shoe is None else None,
    )


def loaded_pack(table: Table) -> PackView | None:
    """Return the pack in the box, ``None`` where there is none."""
    pack = table.life.pack(table.life.loaded)
    return pack_view(table, pack) if pack else None


def pack_view(table: Table, pack: Pack) -> PackView:
    """Return what is told of a pack."""
    return PackView(
        pack.id,
        pack.batch,
        pack.back,
        pack.decks,
        life_of(pack, table.life, table.shoe),
        pack.loads,
        pack.first_loaded_wall_ns,
        _last_count(pack.last_count) if pack.last_count else None,
        pack.reason,
    )


def count_view(table: Table) -> CountView | None:
    """Return the count in progress: how many cards, never which."""
    count = table.life.counting
    pack = table.life.pack(count.pack) if count else None
    return _count(pack, count) if count and pack else None


def _count(pack: Pack, count: Count) -> CountView:
    before = pack.out_total if count.is_remainder else 0
    signed = tuple(one.name for one in count.signed)
    return CountView(pack.id, count.purpose, before + count.cards, pack.size, len(count.unread), signed)


def _last_count(last: LastCount) -> LastCountView:
    found = last.tally
    return LastCountView(
        last.result,
        last.purpose,
        found.counted,
        found.size,
        found.unread,
        tuple(card.code for card in found.missing),
        tuple(card.code for card in found.extra),
        last.signed,
        last.at_wall_ns,
    )


def _closed(shoe: ClosedShoe) -> ClosedShoeView:
    return ClosedShoeView(shoe.id, shoe.pack, shoe.out, shoe.seen)


@lru_cache(maxsize=64)
def _smallest_p(decks: int, shoes: tuple[Drawn, ...]) -> float:
    return smallest_p(decks, shoes)
