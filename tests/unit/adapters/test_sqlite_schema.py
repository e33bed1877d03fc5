"""The upgrade of a journal that an earlier version wrote, with a round open on it (system.md principle 8)."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.actors import live_actor
from support.proved_journal import SIGNER, check
from support.tables import DEALER, READER, player

from studio.adapters import sqlite_schema
from studio.adapters.sqlite_custody import ActKind, read_acts
from studio.adapters.sqlite_schema import SCHEMA_VERSION, expected_layout, layout_of
from studio.adapters.sqlite_store import SqliteStore, open_read_only, read_meta
from studio.domain.actions import Action
from studio.domain.anomalies import WayOut
from studio.domain.commands import (
    CommitResult,
    Decide,
    ResolveIncident,
)
from studio.domain.events import RoundSettled
from studio.domain.phases import Phase, phase
from studio.domain.record_commands import RecordReader

WRITTEN = Path(__file__).parents[2] / "vectors" / "journal-schema-1.sql"
"""A journal of schema 1 as it was written: a settled round, and one in which the first hand is asked."""


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "journal.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(WRITTEN.read_text(encoding="utf-8"))
    return path


def events(path: Path) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT * FROM events ORDER BY table_id, sequence").fetchall()


async def test_the_open_round_is_finished_after_the_upgrade_and_the_whole_journal_verifies(journal: Path) -> None:
    before = events(journal)
    async with live_actor(journal, signer=SIGNER) as live:
        assert phase(live.actor.table) is Phase.DECISIONS
        (restarted,) = live.actor.table.incidents
        await live.do(RecordReader("shoe-1", True, 1, 14), READER)
        await live.do(ResolveIncident(restarted.number, WayOut.GO_ON, "felt", "As on the screen"), DEALER)
        question = live.actor.table.open_round.question
        assert question is not None
        await live.do(Decide("anna", question.number, Action.STAND, False), player("anna"))
        await live.do(Decide("ben", question.number + 1, Action.STAND, False), player("ben"))
        await live.do(CommitResult(), DEALER)
        assert any(isinstance(event, RoundSettled) for event in live.observer.events)

    assert events(journal)[: len(before)] == before
    report = check(journal)
    assert report.broken == []
    assert report.checked["events"] == len(events(journal)) > len(before)


async def test_an_upgraded_journal_is_laid_out_like_a_new_one_and_says_so(journal: Path, tmp_path: Path) -> None:
    SqliteStore(journal, simulated=True).close()
    SqliteStore(journal, simulated=True).close()
    SqliteStore(tmp_path / "new.sqlite", simulated=True).close()

    with closing(open_read_only(tmp_path / "new.sqlite")) as connection:
        new = layout_of(connection)
    with closing(open_read_only(journal)) as connection:
        assert layout_of(connection) == new
        assert expected_layout().items() <= new.items()
        assert read_meta(connection)["schema"] == str(SCHEMA_VERSION)
        (act,) = read_acts(connection, ActKind.UPGRADE)
    assert act.fields == {"from": 1, "to": SCHEMA_VERSION}


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("UPDATE events SET raw = x'00' WHERE sequence = 20", "table t1, row 20: the chain hash is wrong"),
        ("UPDATE transfers SET amount = 999 WHERE id = 't1:13:0'", "transfers, t1:13:0: it differs"),
        ("UPDATE receipts SET status = 201 WHERE key = 'open-0'", "receipts, open-0: it is not as it was written"),
    ],
)
async def test_what_schema_1_wrote_is_proved_from_the_upgrade_on(
    journal: Path, statement: str, named: str
) -> None:
    async with live_actor(journal, signer=SIGNER):
        pass
    with closing(sqlite3.connect(journal)) as connection:
        connection.execute(statement)
        connection.commit()

    assert str(check(journal).broken[0]).startswith(named)


def test_an_upgrade_that_fails_leaves_the_file_as_it_was(journal: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        message = "database or disk is full"
        raise sqlite3.OperationalError(message)

    monkeypatch.setattr(sqlite_schema, "record", fails)
    with pytest.raises(ValueError, match="disk is full"):
        SqliteStore(journal, simulated=True)

    with closing(sqlite3.connect(journal)) as connection:
        assert read_meta(connection) == {"schema": "1", "world": "simulated"}
        assert "records" not in layout_of(connection)
    monkeypatch.undo()
    SqliteStore(journal, simulated=True).close()


async def test_a_journal_of_schema_1_is_not_verified_before_its_upgrade(journal: Path) -> None:
    with pytest.raises(ValueError, match="has schema 1, which has no signatures"):
        check(journal)
