"""The check of the event table: order, chain, signed heads, replay, and the money that follows from each event.

One pass in the order in which the rows lie. Each table is a stream of its own, whose check ends at its first
broken row: what stands behind it proves nothing any more.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from studio.adapters.chain import START, Row
from studio.adapters.sealing import Sealer
from studio.adapters.sqlite_checkpoints import Checkpoint
from studio.adapters.sqlite_ledger import rows_of_moves
from studio.adapters.sqlite_records import RecordKind, rows_of
from studio.adapters.sqlite_rows import SELECT, check_row, from_row
from studio.domain.events import BettingOpened, Event, RoundSettled, TableOpened
from studio.domain.evolve import evolve
from studio.domain.money import TransferBatch, transfers
from studio.domain.settlement import settle
from studio.domain.setup import TableSetup
from studio.domain.table import Table
from studio.ports.journal import Recorded
from studio.proof.record_check import MOVE_COLUMNS
from studio.proof.report import Broken, Progress, Report, named_row

_IN_ORDER: Final = f"{SELECT} ORDER BY table_id, sequence"


@dataclass(slots=True)
class _Stream:
    """How far a table's rows have been read; ``table`` is ``None`` where it is not replayed."""

    setups: list[tuple[int, TableSetup]]
    table: Table | None
    sequence: int = 0
    chain: bytes = START
    is_broken: bool = False
    moved: int = 0


@dataclass(slots=True)
class EventCheck:
    """Checks every event row; without ``sealer`` nothing is replayed.

    ``signed`` are the checkpoints by table and sequence; ``thinned_before_ns`` is up to when raw bytes may be
    gone.
    """

    connection: sqlite3.Connection
    sealer: Sealer | None
    setups: Mapping[str, list[tuple[int, TableSetup]]]
    signed: Mapping[tuple[str, int], Checkpoint]
    thinned_before_ns: int
    simulated: bool
    report: Report
    progress: Progress
    _streams: dict[str, _Stream] = field(default_factory=dict)

    def run(self) -> Iterator[Broken]:
        """Yield the first broken row of each table."""
        (total,) = self.connection.execute("SELECT count(*) FROM events").fetchone()
        name, wanted = "", 0
        try:
            for row in self.progress.over(self.connection.execute(_IN_ORDER), "events", total):
                name, wanted = str(row[0]), self._stream(row[0]).sequence + 1
                yield from self._take(row)
        except sqlite3.DatabaseError as error:
            yield Broken(f"table {name}", f"row {wanted + 1}", f"the file is damaged here: {error}")
            return
        yield from self._cut_off()

    def _stream(self, table: object) -> _Stream:
        name = str(table)
        if name not in self._streams:
            setups = self.setups.get(name, [])
            is_replayed = bool(setups) and self.sealer is not None
            if self.sealer is not None and not setups:
                self.report.notes.append(f"table {name} was not replayed: no set-up of it is kept in the journal")
            self._streams[name] = _Stream(setups, Table(setups[0][1]) if is_replayed else None)
        return self._streams[name]

    def _take(self, stored: Row) -> Iterator[Broken]:
        *columns, chain = stored
        row, stream = tuple(columns), self._stream(stored[0])
        if stream.is_broken:
            return
        wanted = stream.sequence + 1
        try:
            self._check(row, chain, stream, wanted)
        except _LedgerError as error:
            stream.is_broken = True
            yield error.broken
        except Exception as error:  # noqa: BLE001 - whatever a changed row leads to is what is wrong with it
            stream.is_broken = True
            # A table that nobody set up, and that does not begin with 1, is a row whose table was changed.
            named = named_row(row[1], wanted) if stream.setups or wanted > 1 else row[1]
            yield Broken(f"table {stored[0]!s}", f"row {named!s}", str(error) or repr(error))
        else:
            self.report.checked["events"] += 1

    def _check(self, row: Row, chain: object, stream: _Stream, wanted: int) -> None:
        check_row(row, chain, stream.chain, wanted)
        if isinstance(row[-1], str) and not (isinstance(row[2], int) and row[2] < self.thinned_before_ns):
            message = "its raw bytes were taken out, and no retention act covers it"
            raise ValueError(message)
        signed = self.signed.get((str(row[0]), wanted))
        if signed is not None and signed.chain != chain:
            message = f"it is not the row that checkpoint {signed.number} signed"
            raise ValueError(message)
        if stream.table is not None and self.sealer is not None:
            self._replay(from_row(row, self.sealer), stream, stream.table)
        stream.sequence, stream.chain = wanted, bytes(chain) if isinstance(chain, bytes) else b""

    def _replay(self, recorded: Recorded, stream: _Stream, table: Table) -> None:
        """Fold the event into the table; its money and results must be what follow from it."""
        while len(stream.setups) > 1 and recorded.sequence > stream.setups[1][0]:
            del stream.setups[0]
            table = table._replace(setup=stream.setups[0][1])
        self._check_rules(recorded.event, table)
        moves = transfers(table, recorded.event)
        if len(moves):
            self._check_ledger(recorded, moves)
        stream.table = evolve(table, recorded.event)

    def _check_rules(self, event: Event, table: Table) -> None:
        match event:
            case TableOpened(rules_hash=hash_) | BettingOpened(rules_hash=hash_) if (
                hash_ != table.setup.rules.hash
            ):
                message = (
                    f"it is under rules {hash_[:8]}, and the set-up that is kept has {table.setup.rules.hash[:8]}"
                )
            case TableOpened(simulated=simulated) if simulated is not self.simulated:
                message = "the table is of the other world than the journal (live or simulated)"
            case RoundSettled(results) if results != settle(table.setup.rules, table.open_round):
                message = "its results are not what the rules give for the cards and decisions before it"
            case _:
                return
        raise ValueError(message)

    def _check_ledger(self, recorded: Recorded, moves: TransferBatch) -> None:
        """The rows of the ledger for an event are those that follow from it, each column."""
        found = rows_of(self.connection, RecordKind.MOVES, f"{recorded.table}:{recorded.sequence}")
        in_columns = any(len(row) != MOVE_COLUMNS for row in found)
        expected = rows_of_moves(recorded, moves, in_columns=in_columns)
        stored = {row[:1] if len(row) == MOVE_COLUMNS else row[:2]: row for row in found}
        for wanted in expected:
            row = stored.pop(wanted[:1] if len(wanted) == MOVE_COLUMNS else wanted[:2], None)
            if row is None or row != wanted or list(map(type, wanted)) != list(map(type, row)):
                raise _LedgerError(_ledger_row(wanted, recorded, "is missing" if row is None else "differs"))
        for row in stored.values():
            raise _LedgerError(_ledger_row(row, recorded, "is too many"))
        self.report.checked["transfers"] += len(found)

    def _cut_off(self) -> Iterator[Broken]:
        """A signed row behind the last one says that rows were cut off."""
        ends = {name: stream.sequence for name, stream in self._streams.items()}
        broken = {name for name, stream in self._streams.items() if stream.is_broken}
        cut: dict[str, Checkpoint] = {}
        for (table, sequence), signed in self.signed.items():
            if sequence > ends.get(table, 0) and table not in broken:
                cut.setdefault(table, signed)
        for table, signed in cut.items():
            reason = f"it and what followed were cut off: checkpoint {signed.number} signed row {signed.sequence}"
            yield Broken(f"table {table}", f"row {ends.get(table, 0) + 1}", reason)


class _LedgerError(Exception):
    def __init__(self, broken: Broken) -> None:
        super().__init__(str(broken))
        self.broken = broken


def _ledger_row(row: Row, recorded: Recorded, what: str) -> Broken:
    event = f"{recorded.table}:{recorded.sequence}"
    reason = f"it {what}, by what follows from row {recorded.sequence} of table {recorded.table}"
    if len(row) == MOVE_COLUMNS:
        return Broken("transfers", str(row[0]), reason)
    return Broken("transfer_batches", event, reason)
