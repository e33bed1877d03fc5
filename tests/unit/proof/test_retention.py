"""Retention and legal holds: what may go goes for good, what is held stays, and the proof is whole throughout."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from support.proved_journal import check, play
from support.tables import START

from studio.adapters.journal_copy import JournalCopy
from studio.adapters.sqlite_custody import ActKind, enact, open_holds, read_acts
from studio.adapters.sqlite_rows import thinned
from studio.adapters.sqlite_store import SqliteStore, open_read_only
from studio.domain.instants import Instant
from studio.proof.copy_check import check_copy
from studio.proof.report import Progress, Report
from studio.proof.retention import Removal, plan, retain, spans

YEAR_NS = 366 * 24 * 3600 * 1_000_000_000
LATER = Instant(0, START.wall_ns + 6 * YEAR_NS)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kept") / "journal.sqlite"
    asyncio.run(play(path, rounds=3, with_bytes=True))
    return path


@pytest.fixture
def journal(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(played, tmp_path / "journal.sqlite"))


def retained(path: Path, before_wall_ns: int = LATER.wall_ns - YEAR_NS) -> Removal:
    store = SqliteStore(path, simulated=True)
    try:
        return retain(store, before_wall_ns, "tim", LATER)
    finally:
        store.close()


def act(path: Path, kind: ActKind, number: int) -> None:
    store = SqliteStore(path, simulated=True)
    fields = {"table": "t1", "round": number, "reason": "dispute 12"}
    store.writer.write_and_wait(lambda connection, layer: enact(connection, layer, kind, "lea", 5, fields))
    store.close()


def raws(path: Path) -> dict[int, object]:
    with closing(sqlite3.connect(path)) as connection:
        return dict(connection.execute("SELECT sequence, raw FROM events WHERE raw != x'' AND length(raw) > 0"))


def keys(path: Path, query: str = "SELECT key FROM receipts ORDER BY key") -> list[object]:
    with closing(sqlite3.connect(path)) as connection:
        return [key for (key,) in connection.execute(query)]


def test_raw_bytes_receipts_and_refusals_go_and_the_proof_stays(journal: Path) -> None:
    before = raws(journal)
    removal = retained(journal)

    assert len(removal.raw) == len(before) == 19
    assert raws(journal) == {sequence: thinned(raw) for sequence, raw in before.items() if isinstance(raw, bytes)}
    assert keys(journal) == []
    assert keys(journal, "SELECT number FROM refusals") == []
    report = check(journal)
    assert report.broken == []
    assert report.checked["transfers"] == 12
    with closing(open_read_only(journal)) as connection:
        (done,) = read_acts(connection, ActKind.RETENTION)
    assert (done.person, done.fields["raw"], done.fields["rows"]) == ("tim", 19, 6)


def test_what_was_taken_out_is_nowhere_in_the_file(journal: Path) -> None:
    assert b"frame-of-a-card" in journal.read_bytes()
    retained(journal)
    assert b"frame-of-a-card" not in b"".join(file.read_bytes() for file in journal.parent.glob("journal.sqlite*"))


def test_what_is_younger_stays(journal: Path) -> None:
    with closing(open_read_only(journal)) as connection:
        first = spans(connection)["t1", 2].first
        (begins_ns,) = connection.execute("SELECT wall_ns FROM events WHERE sequence = ?", (first,)).fetchone()
    retained(journal, begins_ns)

    assert {type(raw) for sequence, raw in raws(journal).items() if sequence >= first} == {bytes}
    assert {type(raw) for sequence, raw in raws(journal).items() if sequence < first} == {str}
    assert "open-2" in keys(journal)
    assert check(journal).broken == []


@pytest.mark.parametrize("number", [1, 2, 3])
def test_nothing_of_a_held_round_goes(journal: Path, number: int) -> None:
    act(journal, ActKind.HOLD, number)
    with closing(open_read_only(journal)) as connection:
        held = spans(connection)["t1", number]
    before = raws(journal)
    retained(journal)

    after = raws(journal)
    assert {type(after[one]) for one in before if held.first <= one < held.end} == {bytes}
    assert {type(after[one]) for one in before if not held.first <= one < held.end} == {str}
    assert f"open-{number - 1}" in keys(journal)
    assert check(journal).broken == []


def test_a_released_round_goes_with_the_next_retention(journal: Path) -> None:
    act(journal, ActKind.HOLD, 2)
    retained(journal)
    act(journal, ActKind.RELEASE, 2)
    with closing(open_read_only(journal)) as connection:
        assert open_holds(connection) == {}
    removal = retained(journal)

    assert len(removal.raw) == 6
    assert {type(raw) for raw in raws(journal).values()} == {str}
    assert check(journal).broken == []


def test_planning_changes_nothing(journal: Path) -> None:
    before = journal.read_bytes()
    with closing(open_read_only(journal)) as connection:
        assert len(plan(connection, LATER.wall_ns).raw) == 19
    assert journal.read_bytes() == before


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("UPDATE events SET raw = upper(raw) WHERE sequence = 20", "table t1, row 20"),
        ("UPDATE events SET raw = '00' || substr(raw, 3) WHERE sequence = 20", "table t1, row 20"),
        ("UPDATE events SET actor_name = 'Bo' WHERE sequence = 20", "table t1, row 20: the chain hash is wrong"),
        ("DELETE FROM transfers WHERE id = 't1:47:0'", "transfers, t1:47:0: it is missing"),
    ],
)
def test_a_thinned_journal_still_shows_every_change(journal: Path, statement: str, named: str) -> None:
    retained(journal)
    with closing(sqlite3.connect(journal)) as connection:
        connection.execute(statement)
        connection.commit()
    assert str(check(journal).broken[0]).startswith(named)


def test_bytes_taken_out_without_an_act_are_named(journal: Path) -> None:
    with closing(sqlite3.connect(journal)) as connection:
        (raw,) = connection.execute("SELECT raw FROM events WHERE sequence = 20").fetchone()
        connection.execute("UPDATE events SET raw = ? WHERE sequence = 20", (thinned(raw),))
        connection.execute("DELETE FROM receipts WHERE key = 'open-0'")
        connection.commit()

    found = [str(one) for one in check(journal).broken]
    assert "table t1, row 20: its raw bytes were taken out, and no retention act covers it" in found
    assert any(one.startswith("receipts, open-0: it is missing") for one in found)


def test_the_second_copy_agrees_with_a_thinned_journal(journal: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    folder.mkdir()
    JournalCopy(journal, folder, time.monotonic_ns).close()
    retained(journal)
    JournalCopy(journal, folder, time.monotonic_ns).close()
    assert list(check_copy(journal, folder, Progress(None), Report(), older=False)) == []
