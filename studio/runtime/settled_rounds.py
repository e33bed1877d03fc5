"""A settled round read back from its events, for a revision to settle it again."""

from __future__ import annotations

from collections.abc import Iterable

from studio.domain.bets import ResultBatch
from studio.domain.correction_commands import Settled
from studio.domain.events import RoundRevised, RoundSettled
from studio.domain.evolve import evolve
from studio.domain.instants import Instant
from studio.domain.setup import TableSetup
from studio.domain.table import Table
from studio.ports.journal import Recorded

_HOUR_NS = 3_600_000_000_000


def settled_round(setup: TableSetup, recorded: Iterable[Recorded], now: Instant) -> Settled | None:
    """Return the round whose events these are, with its newest results; ``None`` where it was not settled.

    Only the round itself is folded: what the shoe held before it does not change who won.
    """
    table: Table = Table(setup, opened=True)
    results: ResultBatch | None = None
    settled_wall_ns = 0
    for one in recorded:
        match one.event:
            case RoundSettled(found):
                results, settled_wall_ns = found, one.at.wall_ns
            case RoundRevised(results=found):
                results = found
            case _ if results is None:
                table = evolve(table, one.event)
            case _:
                pass
    if results is None:
        return None
    return Settled(table, results, (now.wall_ns - settled_wall_ns) / _HOUR_NS)
