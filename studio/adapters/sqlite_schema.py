"""The layout of a journal's file, and how an older one is brought to it.

Schema 1 had neither records nor checkpoints nor custody: an upgrade adds them, makes a record of every row that
was there, and leaves every event row as it is, an open round's too.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Iterator
from typing import Final

from studio.adapters.sqlite_custody import ActKind, enact
from studio.adapters.sqlite_records import RecordKind, record, rows_of
from studio.adapters.sqlite_writer import Layer
from studio.domain.people import SYSTEM

SCHEMA_VERSION: Final = 2

_PROOF: Final = """
-- what else was written, by its digest: see sqlite_records
CREATE TABLE records (
    number INTEGER PRIMARY KEY, kind TEXT NOT NULL, id TEXT NOT NULL, digest BLOB NOT NULL, chain BLOB NOT NULL
);

-- signed heads: see sqlite_checkpoints
CREATE TABLE checkpoints (
    number INTEGER PRIMARY KEY, wall_ns INTEGER NOT NULL, table_id TEXT NOT NULL, sequence INTEGER NOT NULL,
    chain BLOB NOT NULL, records INTEGER NOT NULL, records_chain BLOB NOT NULL, previous BLOB NOT NULL,
    key_id TEXT NOT NULL, signature BLOB NOT NULL
);

-- what was done to the journal itself: see sqlite_custody
CREATE TABLE custody (
    number INTEGER PRIMARY KEY, wall_ns INTEGER NOT NULL, kind TEXT NOT NULL, person TEXT NOT NULL, body TEXT NOT
    NULL
);
"""

_SCHEMA: Final = f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE events (
    table_id TEXT NOT NULL, sequence INTEGER NOT NULL CHECK (sequence >= 1),
    wall_ns INTEGER NOT NULL, monotonic_ns INTEGER NOT NULL,
    actor_id TEXT NOT NULL, actor_name TEXT NOT NULL, actor_role TEXT NOT NULL,
    cause TEXT NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL,
    payload TEXT NOT NULL, raw BLOB NOT NULL, chain BLOB NOT NULL,
    PRIMARY KEY (table_id, sequence)
) WITHOUT ROWID;

-- id is "{{table}}:{{sequence}}:{{index}}", or "deposit:{{key}}"
CREATE TABLE transfers (
    id TEXT PRIMARY KEY, wall_ns INTEGER NOT NULL, source TEXT NOT NULL, target TEXT NOT NULL,
    currency TEXT NOT NULL, amount INTEGER NOT NULL CHECK (amount > 0), cause TEXT NOT NULL
);
CREATE INDEX transfers_from ON transfers (source, wall_ns) WHERE source GLOB 'player:*';
CREATE INDEX transfers_to ON transfers (target, wall_ns) WHERE target GLOB 'player:*';

-- the transfers of one event of a table with very many players, in columns; their ids are computed.
-- columns is JSON: [legs, others], a leg is [cause, account, players pay, players, amounts]
CREATE TABLE transfer_batches (
    table_id TEXT NOT NULL, sequence INTEGER NOT NULL, wall_ns INTEGER NOT NULL, currency TEXT NOT NULL,
    columns TEXT NOT NULL,
    PRIMARY KEY (table_id, sequence)
);

CREATE TABLE balances (
    account TEXT NOT NULL, currency TEXT NOT NULL, amount INTEGER NOT NULL,
    PRIMARY KEY (account, currency),
    CHECK (amount >= 0 OR account NOT GLOB 'player:*')
) WITHOUT ROWID;

CREATE TABLE receipts (
    key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status INTEGER NOT NULL, body TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE refusals (
    number INTEGER PRIMARY KEY, table_id TEXT NOT NULL, wall_ns INTEGER NOT NULL, monotonic_ns INTEGER NOT NULL,
    actor_id TEXT NOT NULL, actor_name TEXT NOT NULL, actor_role TEXT NOT NULL,
    command TEXT NOT NULL, code TEXT NOT NULL, text TEXT NOT NULL
);
{_PROOF}"""

META_KEYS: Final = frozenset({"journal", "schema", "world"})
_RECORDED_META: Final = ("journal", "world")
"""The schema changes with an upgrade, which custody records; the other two never do."""


def lay_out(connection: sqlite3.Connection, world: str) -> None:
    """Make the tables of an empty file; the journal gets a name of its own, which is in every signature."""
    connection.executescript(f"BEGIN IMMEDIATE; {_SCHEMA}")
    connection.executemany("INSERT INTO meta VALUES (?, ?)", (("schema", str(SCHEMA_VERSION)), ("world", world)))
    _name_journal(connection, Layer())
    connection.execute("COMMIT")


def upgrade(connection: sqlite3.Connection) -> None:
    """Bring a file of schema 1 to the present one, in one transaction."""
    layer = Layer()
    connection.executescript(f"BEGIN IMMEDIATE; {_PROOF}")
    try:
        _name_journal(connection, layer)
        for kind, id_ in _unrecorded(connection):
            record(connection, layer, kind, id_, rows_of(connection, kind, id_))
        (newest_ns,) = connection.execute("SELECT coalesce(max(wall_ns), 0) FROM events").fetchone()
        enact(connection, layer, ActKind.UPGRADE, SYSTEM.id, newest_ns, {"from": 1, "to": SCHEMA_VERSION})
        connection.execute("UPDATE meta SET value = ? WHERE key = 'schema'", (str(SCHEMA_VERSION),))
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def is_before_proof(connection: sqlite3.Connection) -> bool:
    """Tell whether a file has the tables of schema 1, whatever it says of itself: a changed byte makes 1 of 2."""
    return "records" not in layout_of(connection)


def expected_layout() -> dict[str, str]:
    """Return the text of every table and index by its name, as SQLite keeps it."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.executescript(_SCHEMA)
        return layout_of(connection)
    finally:
        connection.close()


def layout_of(connection: sqlite3.Connection) -> dict[str, str]:
    """Return the same of a file; indexes that SQLite makes by itself have no text."""
    return dict(connection.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL"))


def _name_journal(connection: sqlite3.Connection, layer: Layer) -> None:
    connection.execute("INSERT INTO meta VALUES ('journal', ?)", (secrets.token_hex(16),))
    for key in _RECORDED_META:
        record(connection, layer, RecordKind.META, key, rows_of(connection, RecordKind.META, key))


def _unrecorded(connection: sqlite3.Connection) -> Iterator[tuple[RecordKind, str]]:
    """Yield what schema 1 wrote without a record."""
    groups: dict[str, None] = {}
    for (id_,) in connection.execute("SELECT id FROM transfers WHERE id NOT GLOB 'deposit:*' ORDER BY rowid"):
        groups[id_.rpartition(":")[0]] = None
    for table, sequence in connection.execute("SELECT table_id, sequence FROM transfer_batches"):
        groups[f"{table}:{sequence}"] = None
    yield from ((RecordKind.MOVES, id_) for id_ in groups)
    for kind, query in (
        (RecordKind.DEPOSIT, "SELECT id FROM transfers WHERE id GLOB 'deposit:*' ORDER BY rowid"),
        (RecordKind.RECEIPT, "SELECT key FROM receipts"),
        (RecordKind.REFUSAL, "SELECT number FROM refusals ORDER BY number"),
    ):
        yield from ((kind, str(id_)) for (id_,) in connection.execute(query).fetchall())
