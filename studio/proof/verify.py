"""The check of a whole journal: is each byte of each row what the studio wrote and signed.

It reads a file and keys, asks no studio, and changes nothing. What it finds is in a :class:`Report`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from studio.adapters.sealing import Sealer
from studio.adapters.signing import Verifier
from studio.adapters.sqlite_checkpoints import Checkpoint, check_checkpoint, read_checkpoints
from studio.adapters.sqlite_custody import ActKind, read_acts, read_setups
from studio.adapters.sqlite_schema import SCHEMA_VERSION, is_before_proof
from studio.adapters.sqlite_store import open_read_only, read_meta
from studio.domain.setup import TableSetup
from studio.proof.event_check import EventCheck
from studio.proof.record_check import check_balances, check_file, check_records
from studio.proof.report import Broken, Progress, Report, named_row


@dataclass(frozen=True, slots=True)
class Keys:
    """What a check is given; without a sealer nothing is replayed, without a verifier no signature is checked."""

    sealer: Sealer | None = None
    verifier: Verifier | None = None


@dataclass(frozen=True, slots=True)
class _Removed:
    """What retention acts allow to be gone."""

    raw_before_ns: int = 0
    records_through: int = 0


def verify(path: Path, keys: Keys, progress: Progress) -> Report:
    """Check a journal; raise ``ValueError`` where the file is none, or of a schema that cannot be checked."""
    report = Report()
    with closing(open_read_only(path)) as connection:
        # A byte that is no UTF-8 any more must reach the hash, not stop the reading.
        connection.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
        try:
            meta = read_meta(connection)
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            message = f"{path} cannot be read as a journal: {error}"
            raise ValueError(message) from error
        if meta.get("schema") == "1" and is_before_proof(connection):
            message = f"{path} has schema 1, which has no signatures: start a studio on it once, then verify"
            raise ValueError(message)
        if meta.get("schema") != str(SCHEMA_VERSION):
            said = meta.get("schema")
            report.broken.append(Broken("meta", "schema", f"{said!r} is not the schema of the file's tables"))
        checks = _Checks(connection, keys, report, progress, meta)
        for check in (
            *(checks.checkpoints, checks.removals, checks.records, checks.custody),
            *(checks.events, checks.balances, checks.file),
        ):
            try:
                report.broken += check()
            except (sqlite3.DatabaseError, ValueError, TypeError, KeyError) as error:
                report.broken.append(Broken(check.__name__, "not to be read", str(error)))
    report.broken = sorted(_without_repeats(report.broken), key=_rank)
    return report


def _rank(broken: Broken) -> int:
    """Causes come before what follows from them: a changed row before the checkpoint or the balance about it."""
    ranks = {"meta": 0, "custody": 0, "records": 2, "balances": 3, "checkpoints": 4, "file": 5}
    return ranks.get(broken.place, 1)


def _without_repeats(found: list[Broken]) -> Iterator[Broken]:
    """Leave out a record's word about all transfers of an event where the replay names the one."""
    exact = {one.row.rpartition(":")[0] for one in found if one.place == "transfers"}
    named: set[tuple[str, str]] = set()
    for one in found:
        is_repeat = (one.place == "transfers" and one.row in exact) or (one.place, one.row) in named
        named.add((one.place, one.row))
        if not is_repeat:
            yield one


@dataclass(slots=True)
class _Checks:
    """The checks in their order: what one has read, the next ones use."""

    connection: sqlite3.Connection
    keys: Keys
    report: Report
    progress: Progress
    meta: dict[str, str]
    signed: tuple[Checkpoint, ...] = ()
    setups: dict[str, list[tuple[int, TableSetup]]] | None = None
    removed: _Removed = _Removed()

    def checkpoints(self) -> Iterator[Broken]:
        """Order and signature of each checkpoint; those up to the first broken one are relied on."""
        if (verifier := self.keys.verifier) is None:
            self.report.notes.append("no public key was given: signatures were not checked")
            return
        before, good = None, []
        for found in read_checkpoints(self.connection):
            try:
                check_checkpoint(found, before, self.meta.get("journal", ""), verifier)
            except (ValueError, TypeError) as error:
                named = named_row(found.number, before.number + 1 if before else 1)
                yield Broken("checkpoints", f"checkpoint {named}", str(error))
                break
            good.append(found)
            before = found
            self.report.checked["checkpoints"] += 1
        self.signed = tuple(good)
        if before is None:
            self.report.notes.append("there is no checkpoint: nothing is signed")
        else:
            digest = before.digest(self.meta.get("journal", "")).hex()
            self.report.notes.append(f"newest checkpoint {before.number}, {digest}")

    def removals(self) -> Iterator[Broken]:
        """What may have been taken out; whether the acts that say so are themselves right, their records show."""
        acts = [act.fields for act in read_acts(self.connection, ActKind.RETENTION)]
        if acts:
            self.removed = _Removed(
                max(int(fields["before_wall_ns"]) for fields in acts),
                max(int(fields["records"]) for fields in acts),
            )
        yield from ()

    def custody(self) -> Iterator[Broken]:
        """The set-ups that are kept, once their records are right."""
        if any(one.place in {"custody", "meta", "records"} for one in self.report.broken):
            self.report.notes.append("nothing was replayed: what the journal says of its set-ups is not whole")
            return
        try:
            self.setups = read_setups(self.connection)
        except (ValueError, KeyError, TypeError) as error:
            yield Broken("custody", "a set-up", str(error))

    def events(self) -> Iterator[Broken]:
        """Each table's rows."""
        if self.keys.sealer is None:
            self.report.notes.append("no sealing key was given: nothing was replayed")
        yield from EventCheck(
            connection=self.connection,
            sealer=self.keys.sealer if self.setups is not None else None,
            setups=self.setups or {},
            signed={(one.table, one.sequence): one for one in self.signed if one.table},
            thinned_before_ns=self.removed.raw_before_ns,
            simulated=self.meta.get("world") == "simulated",
            report=self.report,
            progress=self.progress,
        ).run()

    def records(self) -> Iterator[Broken]:
        """Everything that a record speaks of."""
        signed = {one.records: one.records_chain for one in self.signed if one.records}
        yield from check_records(self.connection, signed, self.removed.records_through, self.report, self.progress)

    def balances(self) -> Iterator[Broken]:
        """What each account holds."""
        yield from check_balances(self.connection, self.progress)

    def file(self) -> Iterator[Broken]:
        """The file's own words."""
        yield from check_file(self.connection)
