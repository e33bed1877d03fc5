"""Indexes over the journal's events, so that a past round is found without reading the others.

They hold nothing of their own: they can be dropped and made again at any time, and an index whose definition here
has changed is. Which events they are about follows from the events' own fields.
"""

from __future__ import annotations

import sqlite3
from typing import Final, get_args, get_type_hints

from studio.adapters.codec import NAMES
from studio.domain import events
from studio.domain.events import CorrectionEvent, Event, RoundEvent
from studio.domain.record_events import CALL_FOR_A_RECORD


def listed(kinds: list[type[Event]]) -> str:
    """Return the names of some events as an SQL list: constants of the codec, none of them from outside."""
    return ", ".join(f"'{name}'" for name in sorted(NAMES[kind].name for kind in kinds))


OPENED: Final = f"name = '{NAMES[events.BettingOpened].name}'"
"""The condition for the beginning of a round."""

_SUBJECTS: Final = ("incident", "dispute", "proposal", "subject")
NAMES_A_SUBJECT: Final = f"name IN ({listed([one for one in NAMES if {*_SUBJECTS} & {*get_type_hints(one)}])})"
"""The condition for events about an incident, a dispute or a proposal, and for notes."""

SUBJECT: Final = (
    "coalesce(json_extract(payload, '$.incident'), json_extract(payload, '$.dispute'),"
    " json_extract(payload, '$.proposal'), json_extract(payload, '$.number'))"
)
"""The number of what such an event is about."""

CALLS_FOR_A_RECORD: Final = f"name IN ({listed([*CALL_FOR_A_RECORD])})"
"""The condition for events that begin a record."""

BY_ROUND: Final = tuple(kind for kind in CALL_FOR_A_RECORD if "round" in get_type_hints(kind))
"""Those of them that name the round they are about, and may come long after it."""

NAMES_A_ROUND: Final = f"name IN ({listed([*BY_ROUND])})"
"""The condition for these."""

NUMBER: Final = "json_extract(payload, '$.round')"

OF_INCIDENTS: Final = tuple(one for one in NAMES if "incident" in get_type_hints(one))
"""Events that name an incident."""

_PASSES: Final = frozenset(
    {
        *get_args(RoundEvent),
        *(one for one in get_args(CorrectionEvent) if one not in OF_INCIDENTS),
        events.FeltScanStarted,
        *(events.ShoeStepConfirmed, events.CardBurned, events.CutCardSeen, events.DiscardsLoaded),
        *(events.CardDealt, events.CardUnread, events.CardHeld, events.HeldCardReleased, events.DuplicateMarked),
        *(events.CardDiscarded, events.NoteAdded, events.BurnOrdered),
        # What a count came to is in its end.
        *(events.CardCounted, events.CardUncounted),
        *(events.CardWitnessed, events.WitnessJudged, events.CameraTakesOver),
    }
)
"""Events that mean nothing any more once their round and their shoe are over."""

STANDS: Final = f"name IN ({listed([one for one in NAMES if one not in _PASSES])})"
"""The condition for events that may still mean something when their round and shoe are over."""

_INDEXES: Final = {
    "rounds_by_sequence": f"events (table_id, sequence, wall_ns, {NUMBER}) WHERE {OPENED}",
    "rounds_by_time": f"events (table_id, wall_ns) WHERE {OPENED}",
    "rounds_by_number": f"events (table_id, {NUMBER}) WHERE {OPENED}",
    "events_by_subject": f"events (table_id, {SUBJECT}) WHERE {NAMES_A_SUBJECT}",
    "standing_events": f"events (table_id, name, sequence) WHERE {STANDS}",
    "records_by_round": f"events (table_id, {NUMBER}) WHERE {NAMES_A_ROUND}",
    "record_starts": f"events (table_id, sequence) WHERE {CALLS_FOR_A_RECORD}",
}


def ensure_indexes(connection: sqlite3.Connection) -> None:
    """Make the indexes that are missing or were defined otherwise; on a long journal that takes a while, once."""
    found = dict(
        connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
    )
    for name, over in _INDEXES.items():
        wanted = f"CREATE INDEX {name} ON {over}"
        if found.get(name) != wanted:
            connection.execute(f"DROP INDEX IF EXISTS {name}")
            connection.execute(wanted)
