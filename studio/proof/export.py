"""The export: what somebody without this software needs to recreate play, in JSON lines and CSV.

Every event as it is stored, with its chain, and beside it in clear what may be shown; rounds, cards, bets,
decisions, incidents, transfers and refused commands as tables; the rules and set-ups; the signed checkpoints. A
manifest has the hash of each file.
"""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple, TextIO

from studio.adapters.chain import Row
from studio.adapters.codec import canonical, encode, hidden_fields, name_of
from studio.adapters.copy_files import to_line
from studio.adapters.sealing import Sealer
from studio.adapters.signing import Signer
from studio.adapters.sqlite_checkpoints import read_checkpoints
from studio.adapters.sqlite_custody import ActKind, read_acts, read_setups
from studio.adapters.sqlite_rows import SELECT, from_row
from studio.adapters.sqlite_store import open_read_only, read_meta
from studio.domain.events import hides_card
from studio.domain.money import Leg, Transfer, TransferBatch
from studio.domain.setup import TableSetup
from studio.ports.journal import Recorded
from studio.proof.disclosure import Disclosure
from studio.proof.manifest import write_manifest
from studio.proof.report import Progress
from studio.proof.round_tables import HEADERS, RoundTables

HIDDEN: Final = "hidden"
TAKEN_OUT: Final = "taken-out"
_ROWS: Final = f"{SELECT} WHERE table_id = ? ORDER BY sequence"
_TABLES: Final = "SELECT DISTINCT table_id FROM events ORDER BY table_id"
_TRANSFERS: Final = "SELECT id, wall_ns, source, target, currency, amount, cause FROM transfers ORDER BY rowid"
_BATCHES: Final = "SELECT table_id, sequence, wall_ns, currency, columns FROM transfer_batches"
_REFUSALS: Final = (
    "SELECT table_id, wall_ns, actor_id, actor_role, command, code, text FROM refusals ORDER BY number"
)
_TRANSFER_HEADER: Final = ("id", "wall_ns", "source", "target", "currency", "amount", "cause")
_REFUSAL_HEADER: Final = ("table", "wall_ns", "actor", "role", "command", "code", "text")


class Choice(NamedTuple):
    """What is exported: tables (all where none is named), and the time from and before which events lie."""

    tables: tuple[str, ...] = ()
    from_wall_ns: int = 0
    before_wall_ns: int = 2**62

    def has(self, table: str, wall_ns: int) -> bool:
        """Tell whether an event of a table at a time is wanted."""
        return (not self.tables or table in self.tables) and self.from_wall_ns <= wall_ns < self.before_wall_ns


@dataclass(slots=True)
class _Output:
    """The files that are being written."""

    folder: Path
    stack: ExitStack
    files: list[Path] = field(default_factory=list)

    def open(self, name: str) -> TextIO:
        path = self.folder / name
        self.files.append(path)
        return self.stack.enter_context(path.open("x", encoding="utf-8", newline=""))

    def table(self, name: str, header: tuple[str, ...]) -> Callable[[tuple[Any, ...]], object]:
        writer = csv.writer(self.open(name), lineterminator="\n")
        writer.writerow(header)
        return writer.writerow


def export(  # noqa: PLR0913, PLR0917 - what, where to, and with which keys
    journal: Path, folder: Path, sealer: Sealer, signer: Signer | None, choice: Choice, progress: Progress
) -> Path:
    """Write the export into a folder that is not there yet; return its manifest.

    Raises ``ValueError`` where a row cannot be read, or a table has no set-up; ``FileExistsError`` where the
    folder is there.
    """
    folder.mkdir(parents=True)
    with closing(open_read_only(journal)) as connection, ExitStack() as stack:
        output = _Output(folder, stack)
        connection.execute("BEGIN")  # one moment for all of it, however long it takes
        setups = read_setups(connection)
        writers = {name: output.table(f"{name}.csv", header) for name, header in HEADERS.items()}
        for (table,) in connection.execute(_TABLES).fetchall():
            if not choice.tables or table in choice.tables:
                _export_table(connection, table, setups.get(table, []), sealer, choice, output, writers, progress)
        _export_transfers(connection, choice, output)
        _export_refusals(connection, choice, output)
        checkpoints = output.open("checkpoints.jsonl")
        checkpoints.writelines(to_line(found) for found in read_checkpoints(connection))
        kept = [act.fields for act in read_acts(connection, ActKind.SETUP)]
        output.open("setups.json").write(json.dumps(kept, indent=1, sort_keys=True))
        about = {"journal": read_meta(connection), "choice": choice._asdict()}
    return write_manifest(folder, output.files, about, signer)


def _export_table(  # noqa: PLR0913, PLR0917 - one table of many parts
    connection: sqlite3.Connection,
    table: str,
    setups: list[tuple[int, TableSetup]],
    sealer: Sealer,
    choice: Choice,
    output: _Output,
    writers: dict[str, Callable[[tuple[Any, ...]], object]],
    progress: Progress,
) -> None:
    if not setups:
        message = f"no set-up of table {table!r} is kept in the journal: start the studio on it once"
        raise ValueError(message)
    (total,) = connection.execute("SELECT count(*) FROM events WHERE table_id = ?", (table,)).fetchone()
    disclosure = Disclosure()
    for _, recorded in progress.over(_read(connection, table, sealer), f"{table}, what may be shown", total):
        disclosure.take(recorded.sequence, recorded.event)
    lines, tables = output.open(f"events-{table}.jsonl"), RoundTables(setups)
    for row, recorded in progress.over(_read(connection, table, sealer), table, total):
        is_open = recorded.sequence in disclosure.open or not hides_card(recorded.event)
        found = list(tables.take(recorded, is_open=is_open))
        if choice.has(table, recorded.at.wall_ns):
            lines.write(_line(row, recorded, is_open=is_open))
            for name, columns in found:
                writers[name](columns)
    for name, columns in tables.still_open(table):
        writers[name](columns)


def _read(connection: sqlite3.Connection, table: str, sealer: Sealer) -> Iterator[tuple[Row, Recorded]]:
    for row in connection.execute(_ROWS, (table,)):
        yield row, from_row(row[:-1], sealer)


def _line(row: Row, recorded: Recorded, *, is_open: bool) -> str:
    """Return an event: its columns, the fields and bytes that may be shown, and the row as it is chained."""
    *_, payload, raw, chain = row
    fields = encode(recorded.event)
    if not is_open:
        fields |= dict.fromkeys(hidden_fields(recorded.event), HIDDEN)
    shown = TAKEN_OUT if isinstance(raw, str) else recorded.raw.hex() if is_open else HIDDEN
    name, version = name_of(recorded.event)
    line = {
        "table": recorded.table,
        "sequence": recorded.sequence,
        "wall_ns": recorded.at.wall_ns,
        "monotonic_ns": recorded.at.monotonic_ns,
        "actor": {"id": recorded.actor.id, "name": recorded.actor.name, "role": recorded.actor.role.value},
        "cause": recorded.cause,
        "name": name,
        "version": version,
        "fields": fields,
        "raw": shown,
        "stored": {
            "version": row[-4],
            "payload": payload,
            "raw": raw.hex() if isinstance(raw, bytes) else {"sha256": raw},
            "chain": chain.hex() if isinstance(chain, bytes) else chain,
        },
    }
    return canonical(line) + "\n"


def _export_transfers(connection: sqlite3.Connection, choice: Choice, output: _Output) -> None:
    write = output.table("transfers.csv", _TRANSFER_HEADER)
    for row in connection.execute(_TRANSFERS):
        table = row[0].partition(":")[0]
        if choice.has("" if table == "deposit" and not choice.tables else table, row[1]):
            write(row)
    for table, sequence, wall_ns, currency, columns in connection.execute(_BATCHES):
        if choice.has(table, wall_ns):
            legs, others = json.loads(columns)
            batch = TransferBatch(
                currency, tuple(Leg(*leg) for leg in legs), tuple(Transfer(*one) for one in others)
            )
            for index, move in enumerate(batch):
                moved = (move.source, move.target, move.currency, move.amount, move.cause)
                write((f"{table}:{sequence}:{index}", wall_ns, *moved))


def _export_refusals(connection: sqlite3.Connection, choice: Choice, output: _Output) -> None:
    write = output.table("refusals.csv", _REFUSAL_HEADER)
    for row in connection.execute(_REFUSALS):
        if choice.has(row[0], row[1]):
            write(row)
