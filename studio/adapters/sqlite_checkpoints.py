"""Signed checkpoints: at a moment, a table's newest row and the newest record, in a chain of signatures.

A chain of hashes alone can be made anew by whoever may write the file; a signature under a key outside the file
cannot. Each checkpoint names the one before it by hash, so one that is missing in between shows, and so do rows
that were cut off behind a signed head. A cut that takes the newest checkpoints along shows against a second copy,
or a checkpoint that somebody wrote down.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from studio.adapters.chain import START
from studio.adapters.codec import canonical
from studio.adapters.signing import Signer, Verifier
from studio.adapters.sqlite_records import RECORDS
from studio.adapters.sqlite_writer import Head, Layer
from studio.domain.events import RoundClosed, ShoeClosed
from studio.ports.journal import Recorded

CHECKPOINTS: Final = ":checkpoints"
"""The stream of checkpoints among the heads."""
_MARK: Final = ":checkpoint of "
"""Before a table's id: the row up to which it is signed."""
FORMAT: Final = "studio-checkpoint-1"
_ALL: Final = -(2**63)
_INSERT: Final = "INSERT INTO checkpoints VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_SELECT: Final = (
    "SELECT number, wall_ns, table_id, sequence, chain, records, records_chain, previous, key_id, signature"
    " FROM checkpoints"
)


class Checkpoint(NamedTuple):
    """One checkpoint as it is stored; ``table`` is empty where only records are signed."""

    number: int
    wall_ns: int
    table: str
    sequence: int
    chain: bytes
    records: int
    records_chain: bytes
    previous: bytes
    key_id: str
    signature: bytes

    def statement(self, journal: str) -> bytes:
        """Return the bytes that are signed: canonical JSON with all columns but the signature."""
        fields = {
            name: value.hex() if isinstance(value, bytes) else value
            for name, value in self._asdict().items()
            if name != "signature"
        }
        return canonical({"format": FORMAT, "journal": journal, **fields}).encode()

    def digest(self, journal: str) -> bytes:
        """Return the hash by which the next checkpoint names this one."""
        return hashlib.sha256(self.statement(journal) + self.signature).digest()


class CheckpointWriter:
    """Writes a checkpoint where one is due, in the transaction of what it signs.

    Due: when a round or a shoe was closed, and when ``every`` events of a table are unsigned. The shell asks for
    one by the clock besides.
    """

    def __init__(self, signer: Signer, journal: str, every: int) -> None:
        self._signer = signer
        self._journal = journal
        self._every = every

    def after(self, written: tuple[Recorded, ...], connection: sqlite3.Connection, layer: Layer) -> None:
        """Sign the table of these events, if it is due."""
        last = written[-1]
        closed = any(isinstance(one.event, RoundClosed | ShoeClosed) for one in written)
        if closed or last.sequence - signed_head(layer, last.table).sequence >= self._every:
            self._sign(last.table, last.at.wall_ns, connection, layer)

    def sign_open(self, tables: Iterable[str], wall_ns: int, connection: sqlite3.Connection, layer: Layer) -> None:
        """Sign every table that has unsigned rows, and the records if nothing else is signed."""
        due = [table for table in tables if layer.head(table) != signed_head(layer, table)]
        if not due and layer.head(RECORDS) != layer.head(_MARK):
            due.append("")
        for table in due:
            self._sign(table, wall_ns, connection, layer)

    def _sign(self, table: str, wall_ns: int, connection: sqlite3.Connection, layer: Layer) -> None:
        head, records, before = layer.head(table), layer.head(RECORDS), layer.head(CHECKPOINTS)
        unsigned = Checkpoint(
            number=before.sequence + 1,
            wall_ns=wall_ns,
            table=table,
            sequence=head.sequence,
            chain=head.chain,
            records=records.sequence,
            records_chain=records.chain,
            previous=before.chain,
            key_id=self._signer.key_id,
            signature=b"",
        )
        signed = unsigned._replace(signature=self._signer.sign(unsigned.statement(self._journal)))
        connection.execute(_INSERT, signed)
        layer.heads |= {
            CHECKPOINTS: Head(signed.number, signed.digest(self._journal)),
            _MARK + table: head,
            _MARK: records,
        }


def signed_head(layer: Layer, table: str) -> Head:
    """Return up to which row a table is signed."""
    return layer.head(_MARK + table)


def read_checkpoints(connection: sqlite3.Connection, after: int = _ALL) -> Iterator[Checkpoint]:
    """Yield the checkpoints in their order, unchecked."""
    rows = connection.execute(f"{_SELECT} WHERE number > ? ORDER BY number", (after,))
    yield from map(Checkpoint._make, rows)


def check_checkpoint(found: Checkpoint, before: Checkpoint | None, journal: str, verifier: Verifier) -> None:
    """Raise ``ValueError`` where a checkpoint is not the next one, or its signature is wrong."""
    wanted = 1 if before is None else before.number + 1
    if found.number != wanted:
        message = f"a checkpoint is missing: the next one is {found.number!r}"
        raise ValueError(message)
    try:
        statement = found.statement(journal)
    except (TypeError, AttributeError) as error:
        message = f"a column is of a type that is not written: {error}"
        raise ValueError(message) from error
    verifier.check(found.key_id, statement, found.signature)
    if found.previous != (START if before is None else before.digest(journal)):
        message = "it was signed behind another checkpoint than the one that stands before it"
        raise ValueError(message)


def load_heads(connection: sqlite3.Connection, journal: str) -> Mapping[str, Head]:
    """Return the newest checkpoint, and up to where each table and the records are signed."""
    heads: dict[str, Head] = {}
    newest = connection.execute(
        f"{_SELECT} WHERE number IN (SELECT max(number) FROM checkpoints GROUP BY table_id)"  # noqa: S608 - constants
        " ORDER BY number"
    )
    for found in map(Checkpoint._make, newest):
        heads[CHECKPOINTS] = Head(found.number, found.digest(journal))
        heads[_MARK + found.table] = Head(found.sequence, found.chain)
        heads[_MARK] = Head(found.records, found.records_chain)
    return heads
