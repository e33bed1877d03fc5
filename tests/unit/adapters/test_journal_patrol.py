"""The patrol: a change of the file under a store that is open for writing is found, a few rows at a time."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from support.actors import KEY
from support.proved_journal import SIGNER, play

from studio.adapters.journal_patrol import JournalPatrol
from studio.adapters.sealing import Sealer
from studio.adapters.sqlite_checkpoints import CheckpointWriter, signed_head
from studio.adapters.sqlite_journal import SqliteJournal
from studio.adapters.sqlite_rows import SELECT, chain_of
from studio.adapters.sqlite_store import SqliteStore
from studio.domain.events import SupervisorCalled
from studio.domain.instants import Instant
from studio.domain.people import SYSTEM
from studio.ports.journal import Entry, Recorded

COLUMNS = (
    *("wall_ns", "monotonic_ns", "actor_id", "actor_name", "actor_role", "cause"),
    *("name", "version", "payload", "raw", "chain"),
)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a journal of a round and a half: a part of its rows is signed."""
    path = tmp_path_factory.mktemp("patrolled") / "journal.sqlite"
    asyncio.run(play(path, leaves_open=True))
    return path


@pytest.fixture
def store(played: Path, tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(Path(shutil.copy(played, tmp_path / "journal.sqlite")), simulated=True)
    yield store
    store.close()


def edit(store: SqliteStore, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(store.path)) as connection:
        connection.execute(statement, values)
        connection.commit()


def steps(patrol: JournalPatrol, most: int) -> int:
    """Let the patrol go until it finds something; return after how many steps, ``most`` where it finds nothing."""
    for number in range(most):
        if patrol.broken:
            return number
        patrol.step()
    return most


@pytest.mark.parametrize("rows", [1, 7, 1000])
def test_a_journal_as_it_was_written_is_read_over_and_over_and_nothing_is_found(
    store: SqliteStore, rows: int
) -> None:
    patrol = JournalPatrol(store, rows)
    steps(patrol, 3 * store.committed.head("t1").sequence)
    assert (patrol.broken, patrol.failure) == ("", "")


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("where", ["first", "signed", "newest"])
def test_a_change_of_any_column_of_any_row_is_found_within_one_way_through_the_rows(
    store: SqliteStore, column: str, where: str
) -> None:
    newest, signed = store.committed.head("t1").sequence, signed_head(store.committed, "t1").sequence
    assert 1 < signed < newest
    changed = {"first": 1, "signed": signed, "newest": newest}[where]
    patrol = JournalPatrol(store, 10)
    steps(patrol, 5)
    kind = "BLOB" if column in {"raw", "chain"} else "TEXT"
    is_number = column in {"wall_ns", "monotonic_ns", "version"}
    new = f"{column} + 1" if is_number else f"CAST({column} || 'x' AS {kind})"
    edit(store, f"UPDATE events SET {column} = {new} WHERE sequence = ?", changed)  # noqa: S608 - constants
    steps(patrol, newest // 10 + 2)
    assert patrol.broken.startswith(f"table t1, row {changed}: ")


def test_the_rows_behind_the_last_signed_one_are_read_first_and_each_time_again(store: SqliteStore) -> None:
    newest, signed = store.committed.head("t1").sequence, signed_head(store.committed, "t1").sequence
    patrol = JournalPatrol(store, newest - signed)
    steps(patrol, 4)
    edit(store, "UPDATE events SET cause = 'other' WHERE sequence = ?", newest)
    assert steps(patrol, 10) <= 2
    assert patrol.broken.startswith(f"table t1, row {newest}: the chain hash is wrong")


def test_rows_that_were_chained_anew_behind_a_change_are_found_by_what_was_written(store: SqliteStore) -> None:
    with closing(sqlite3.connect(store.path)) as connection:
        stored = connection.execute(f"{SELECT} ORDER BY sequence").fetchall()
        chain = bytes(32)
        for *columns, _ in stored:
            row = (*columns[:7], "forged", *columns[8:])
            chain = chain_of(chain, row)
            connection.execute(
                "UPDATE events SET cause = 'forged', chain = ? WHERE sequence = ?", (chain, columns[1])
            )
        connection.commit()
    patrol = JournalPatrol(store, 10)
    steps(patrol, len(stored))
    assert patrol.broken.startswith("table t1, row ")


@pytest.mark.parametrize("cut", ["the newest", "one in between"])
def test_a_row_that_is_gone_is_found(store: SqliteStore, cut: str) -> None:
    newest = store.committed.head("t1").sequence
    gone = newest if cut == "the newest" else newest - 2
    edit(store, "DELETE FROM events WHERE sequence = ?", gone)
    patrol = JournalPatrol(store, 1000)
    patrol.step()
    assert patrol.broken.startswith(f"table t1, row {gone}: a row is missing")


def test_what_was_found_stays_found(store: SqliteStore) -> None:
    edit(store, "UPDATE events SET version = version + 1 WHERE sequence = 5")
    patrol = JournalPatrol(store, 1000)
    patrol.step()
    edit(store, "UPDATE events SET version = version - 1 WHERE sequence = 5")
    patrol.step()
    assert patrol.broken.startswith("table t1, row 5: ")


def test_a_page_that_is_no_page_any_more_is_damage(store: SqliteStore) -> None:
    with closing(sqlite3.connect(store.path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (root,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'events'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with store.path.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(bytes(size))
    patrol = JournalPatrol(store, 1000)
    patrol.step()
    assert "damaged" in patrol.broken


def test_a_file_that_cannot_be_read_for_a_while_is_said_and_then_taken_back(
    store: SqliteStore, caplog: pytest.LogCaptureFixture
) -> None:
    patrol = JournalPatrol(store, 1000)
    away = store.path.rename(store.path.with_name("away"))
    patrol.step()
    patrol.step()
    assert "cannot be opened" in patrol.failure
    assert sum("does not go on" in record.message for record in caplog.records) == 1
    away.rename(store.path)
    patrol.step()
    assert (patrol.failure, patrol.broken) == ("", "")


async def test_the_patrol_goes_on_while_rows_are_added_and_signed(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "j", simulated=True)
    journal = SqliteJournal(store, Sealer(KEY), CheckpointWriter(SIGNER, store.journal_id, 3))
    patrol = JournalPatrol(store, 2)
    patrol.step()
    for sequence in range(1, 30):
        for table in ("t1", "t2"):
            event = Recorded(
                table, sequence, Instant(sequence, sequence), SYSTEM, "test", SupervisorCalled(sequence)
            )
            await journal.append(Entry((event,)))
        patrol.step()
    assert steps(patrol, 60) == 60
    assert (patrol.broken, patrol.failure) == ("", "")
    edit(store, "UPDATE events SET cause = 'other' WHERE table_id = 't2' AND sequence = 4")
    assert steps(patrol, 60) < 60
    assert patrol.broken.startswith("table t2, row 4: ")
    journal.close()
