"""Which load of the shoe a card belongs to, and its place in it.

A reader that counts its loadings says so with its link. Where a reader counts nothing the table does: a new load
begins when a count of a whole pack begins or a shoe is loaded, and each reading takes the next place in it.
"""

from __future__ import annotations

from typing import NamedTuple

from studio.domain.anomalies import AnomalyKind, Level
from studio.domain.table import Table

_RESCANNED = frozenset({AnomalyKind.NO_READ, AnomalyKind.UNKNOWN_CODE, AnomalyKind.HOLE_UNREAD})


class Position(NamedTuple):
    """Where a reader that counts nothing stands, by the table's own count.

    ``ordinal`` is the place of the last reading in ``load``, ``unread`` the place of a card that the dealer was
    asked to read again: the next reading is taken for it. ``in_use``: a shoe is in play or counted.
    """

    load: int
    ordinal: int
    unread: int | None
    in_use: bool


def fresh_load(table: Table) -> int | None:
    """Return the load of cards that were just put in; ``None`` while the reader still counts the last ones."""
    reader = table.reader
    if reader.load is not None:
        return None if reader.load == table.used_load else reader.load
    last = table.last_seen.load if table.last_seen else 0
    return 1 + max(last, table.used_load or 0, table.shoe.load if table.shoe else 0)


def holds_used_load(table: Table) -> bool:
    """Tell whether the cards of the closed shoe can still be read as such."""
    return table.used_load is not None and table.reader.load in {None, table.used_load}


def position(table: Table) -> Position:
    """Return where a reader that counts nothing stands."""
    seen, count, shoe = table.last_seen, table.life.counting, table.shoe
    load = count.load if count else shoe.load if shoe else (seen.load if seen else 0)
    ordinal = seen.ordinal if seen is not None and seen.load == load else 0
    if count is not None:
        ordinal = max(ordinal, count.last)
        return Position(load, ordinal, count.unread[-1] if count.unread else None, in_use=True)
    return Position(load, ordinal, _asked_again(table, load), in_use=shoe is not None)


def _asked_again(table: Table, load: int) -> int | None:
    """Return the place of the unread card that the table stands still for."""
    waiting = {one.draw for one in table.incidents if one.kind in _RESCANNED and one.level is Level.HOLD}
    return next(
        (
            draw.sighting.ordinal
            for draw in table.loose
            if draw.card is None and draw.number in waiting and draw.sighting.load == load
        ),
        None,
    )
