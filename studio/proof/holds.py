"""Legal holds in the journal, also of a running studio. Implements :class:`studio.ports.custody.Custody`."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing

from studio.adapters.sqlite_custody import ActKind, enact, open_holds
from studio.adapters.sqlite_store import SqliteStore, open_read_only
from studio.adapters.sqlite_writer import Layer
from studio.domain.instants import Instant
from studio.ports.custody import Hold
from studio.proof.retention import spans


class JournalCustody:
    """The holds of one journal."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store

    def holds(self) -> tuple[Hold, ...]:
        """Return the holds that last."""
        with closing(open_read_only(self._store.path)) as connection:
            return tuple(open_holds(connection).values())

    async def hold(self, hold: Hold, at: Instant) -> None:
        """Place a hold; raises as the port says."""
        await self._enact(ActKind.HOLD, hold, at)

    async def release(self, hold: Hold, at: Instant) -> None:
        """Release a hold; raises as the port says."""
        await self._enact(ActKind.RELEASE, hold, at)

    async def _enact(self, kind: ActKind, hold: Hold, at: Instant) -> None:
        # A long journal is read through for the round: not in the loop that serves the tables.
        await asyncio.to_thread(self._check, hold)
        await self._store.writer.write(lambda connection, layer: _enact(connection, layer, kind, hold, at))

    def _check(self, hold: Hold) -> None:
        if not hold.reason.strip() or not hold.person.strip():
            message = "say who and why: both go into the record"
            raise ValueError(message)
        with closing(open_read_only(self._store.path)) as connection:
            if (hold.table, hold.round) not in spans(connection, hold.table):
                message = f"the journal has no round {hold.round} of table {hold.table!r}"
                raise ValueError(message)


def _enact(connection: sqlite3.Connection, layer: Layer, kind: ActKind, hold: Hold, at: Instant) -> None:
    """Write the act where it changes anything, as things stand in this transaction."""
    is_held = (hold.table, hold.round) in open_holds(connection)
    if is_held is (kind is ActKind.HOLD):
        return
    fields = {"table": hold.table, "round": hold.round, "reason": hold.reason}
    enact(connection, layer, kind, hold.person, at.wall_ns, fields)
