"""Which events of a long journal still matter at some moment, so that a table of then is folded from few of them.

A round needs its shoe's events and, from before that shoe, only what outlives one: who dealt, who sat where, which
incidents were open. Of what replaces itself the last is enough. An event that is not known here is kept whole.
"""

from __future__ import annotations

import sqlite3
from typing import Final

from studio.adapters.codec import NAMES
from studio.adapters.sqlite_indexes import NAMES_A_SUBJECT, OF_INCIDENTS, STANDS, SUBJECT, listed
from studio.adapters.sqlite_rows import StoredRow, rows_of
from studio.domain import events

_ENDS_A_SHOE: Final = (events.ShoeClosed, events.ShuffleOpened, events.CardsReturned)
_LAST_IS_ENOUGH: Final = (
    *(events.ShuffleOpened, events.CardsReturned, events.ShuffleCommitted),
    *(events.TableOpened, events.DealerSignedOn, events.DealerSignedOff, events.ProfileAdopted),
    *(events.SupervisorCalled, events.CallAnswered, events.IncidentResolved),
    *(events.SingleSourceAccepted, events.SingleSourceEnded),
)
_OF_INCIDENTS: Final = tuple(
    one for one in OF_INCIDENTS if one not in {events.IncidentResolved, events.FeltScanStarted}
)
_LAST_OF_EACH: Final = {
    ("$.seat",): (events.SeatTaken, events.SeatLeft),
    ("$.player",): (events.FollowingSet,),
    ("$.device", "$.ready"): (events.ReaderChanged,),
    ("$.dispute",): (events.DisputeOpened, events.DisputeClosed),
}


def _quoted(paths: tuple[str, ...]) -> str:
    return ", ".join(f"'{path}'" for path in paths)


_KNOWN: Final = (*_LAST_IS_ENOUGH, *_OF_INCIDENTS, *(kind for kinds in _LAST_OF_EACH.values() for kind in kinds))
_STANDING: Final = (
    f"FROM events INDEXED BY standing_events WHERE table_id = ? AND {STANDS} AND sequence < ? AND name"
)
_LAST: Final = f"SELECT max(sequence) {_STANDING} = ?"
_EACH: Final = {
    paths: f"SELECT max(sequence) {_STANDING} IN ({listed([*kinds])})"
    f" GROUP BY json_extract(payload, {_quoted(paths)})"
    for paths, kinds in _LAST_OF_EACH.items()
}
_WHOLE: Final = f"SELECT sequence {_STANDING} NOT IN ({listed([*_KNOWN])})"
_NUMBERS: Final = f"SELECT json_extract(payload, '$.incident'), sequence {_STANDING} = ?"
_OF_INCIDENT: Final = (
    "SELECT sequence FROM events INDEXED BY events_by_subject"  # noqa: S608 - constants
    f" WHERE table_id = ? AND {NAMES_A_SUBJECT} AND {SUBJECT} = ? AND sequence < ?"
    f" AND name IN ({listed([*_OF_INCIDENTS])})"
)
_AT: Final = "WHERE table_id = ? AND sequence IN (SELECT value FROM json_each(?))"


def shoe_began(connection: sqlite3.Connection, table: str, before: int) -> int:
    """Return the event that ended the shoe before the one in play, 0 where none did."""
    asked = ((table, before, NAMES[kind].name) for kind in _ENDS_A_SHOE)
    return max(connection.execute(_LAST, one).fetchone()[0] or 0 for one in asked)


def standing(connection: sqlite3.Connection, table: str, before: int) -> list[StoredRow]:
    """Return the rows from before a moment between two shoes that still matter then, in order."""
    where = (table, before)
    kept = {connection.execute(_LAST, (*where, NAMES[kind].name)).fetchone()[0] for kind in _LAST_IS_ENOUGH}
    for query in (*_EACH.values(), _WHOLE):
        kept.update(sequence for (sequence,) in connection.execute(query, where))
    called = connection.execute(_LAST, (*where, NAMES[events.SupervisorCalled].name)).fetchone()[0] or before
    opened, resolved = (
        dict(connection.execute(_NUMBERS, (*where, NAMES[kind].name)).fetchall())
        for kind in (events.AnomalyDetected, events.IncidentResolved)
    )
    # A call ends when the table goes on: with one of the incidents that were closed after it.
    ending = {number: sequence for number, sequence in resolved.items() if sequence > called}
    kept.update(ending.values())
    for number in opened.keys() - resolved.keys() | ending.keys():
        kept.update(sequence for (sequence,) in connection.execute(_OF_INCIDENT, (table, number, before)))
    return list(rows_of(connection, _AT, (table, str(sorted(kept - {None})))))
