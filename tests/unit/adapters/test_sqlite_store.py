"""Opening the database: durable, alone, and of the right world (rules.md M7, system.md principles 5 and 12)."""

from __future__ import annotations

import asyncio
import sqlite3
import stat
from pathlib import Path
from typing import Any

import pytest
from journal_entries import entry, open_journal, open_store

from studio.adapters.sqlite_store import SqliteStore, configure, open_read_only


def test_the_writer_is_durable(tmp_path: Path) -> None:
    store = open_store(tmp_path / "studio.db")
    execute = store.writer._connection.execute

    settings = [
        execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
    ]
    store.close()

    assert settings == ["wal", 2, 1, 5000]


def test_a_database_that_keeps_no_wal_is_refused() -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    with pytest.raises(ValueError, match="needs journal_mode WAL and the database says 'memory'"):
        configure(connection)
    connection.close()


class _Forgetful(sqlite3.Connection):
    """Ignores the setting of how often it syncs."""

    def execute(self, sql: str, parameters: Any = ()) -> sqlite3.Cursor:
        return super().execute("PRAGMA synchronous" if sql == "PRAGMA synchronous = FULL" else sql, parameters)


def test_a_database_that_does_not_sync_is_refused(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "x.db", isolation_level=None, factory=_Forgetful)
    connection.execute("PRAGMA synchronous = OFF")
    with pytest.raises(ValueError, match="needs synchronous FULL and the database says 0"):
        configure(connection)
    connection.close()


def test_a_second_writer_is_refused_while_the_first_is_open(tmp_path: Path) -> None:
    first = open_store(tmp_path / "studio.db")
    with pytest.raises(ValueError, match="open for writing elsewhere"):
        open_store(tmp_path / "studio.db")
    first.close()

    open_store(tmp_path / "studio.db").close()


@pytest.mark.parametrize("simulated", [True, False])
def test_simulated_and_live_data_never_share_a_file(tmp_path: Path, *, simulated: bool) -> None:
    SqliteStore(tmp_path / "studio.db", simulated=simulated).close()

    with pytest.raises(ValueError, match=r"holds (live|simulated) data and this studio is (live|simulated)"):
        SqliteStore(tmp_path / "studio.db", simulated=not simulated)
    SqliteStore(tmp_path / "studio.db", simulated=simulated).close()


def test_another_database_is_refused(tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE songs (title)")
    other.close()

    with pytest.raises(ValueError, match="no studio's journal"):
        open_store(tmp_path / "other.db")


def test_another_schema_is_refused(tmp_path: Path) -> None:
    open_store(tmp_path / "studio.db").close()
    connection = sqlite3.connect(tmp_path / "studio.db")
    connection.execute("UPDATE meta SET value = '9' WHERE key = 'schema'")
    connection.commit()
    connection.close()

    with pytest.raises(ValueError, match="has schema 9, this studio writes schema 2"):
        open_store(tmp_path / "studio.db")


def test_what_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("not a database, but long enough to be taken for one" * 100)

    with pytest.raises(ValueError, match=r"notes\.txt cannot be opened: file is not a database"):
        open_store(tmp_path / "notes.txt")


def test_reading_needs_a_file_and_changes_nothing(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cannot be opened"):
        open_read_only(tmp_path / "absent.db")
    journal = open_journal(tmp_path / "studio.db")
    asyncio.run(journal.append(entry("T1", 1)))
    reading = open_read_only(tmp_path / "studio.db")
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        reading.execute("DELETE FROM events")
    reading.close()
    journal.close()


def test_only_the_owner_may_read_the_files(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / "studio.db")
    asyncio.run(journal.append(entry("T1", 1)))

    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
    journal.close()

    assert modes["studio.db"] == modes["studio.db-wal"] == 0o600
