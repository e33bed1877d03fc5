"""A studio's journal while it runs: signed at rounds and by the clock, copied, whole after a stop or a crash."""

from __future__ import annotations

import hashlib
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from support.actors import KEY, until
from support.proved_journal import SIGNER, SIGNING_PEM, check, keys, play

from studio.adapters.clocks import ManualClock
from studio.adapters.journal_copy import JournalCopy
from studio.adapters.key_files import load_sealer, public_files
from studio.adapters.sealing import Sealer
from studio.adapters.signing import load_verifier
from studio.adapters.sqlite_checkpoints import Checkpoint, CheckpointWriter, read_checkpoints
from studio.adapters.sqlite_journal import SqliteJournal
from studio.adapters.sqlite_store import SqliteStore, open_read_only
from studio.app import run_studio
from studio.domain.anomalies import AnomalyKind
from studio.domain.events import SupervisorCalled
from studio.domain.instants import Instant
from studio.domain.people import SYSTEM
from studio.ports.journal import Entry, Recorded
from studio.proof.copy_check import check_copy
from studio.proof.kept_journal import kept_journal
from studio.proof.report import Progress, Report
from studio.proof.verify import Keys, verify
from studio.settings import ProofSettings, load_settings

SECOND = 1_000_000_000
ROOT = Path(__file__).parents[3]
TOKEN = "token-of-sam"  # noqa: S105 - of a test
SETTINGS = """\
[studio]
mode = "simulation"

[studio.proof]
copy_folder = "audit"
checkpoint_seconds = 1

[studio.watch]
recorder = "beat"
recorder_seconds = 1

[[tables]]
id = "t1"
name = "Table 1"
reader = { driver = "smartshoe", device = "shoe-1", settings = { port = "/dev/no-shoe", simulated = true } }
"""


def checkpoints(path: Path) -> list[Checkpoint]:
    with closing(open_read_only(path)) as connection:
        return list(read_checkpoints(connection))


def called(sequence: int) -> Entry:
    event = SupervisorCalled(sequence)
    return Entry((Recorded("t1", sequence, Instant(sequence, sequence), SYSTEM, "test", event),))


@pytest.mark.parametrize(("every", "wanted"), [(1, [1, 2, 3, 4, 5, 6, 7]), (3, [3, 6]), (100, [])])
async def test_a_table_is_signed_when_so_many_of_its_events_are_not(
    tmp_path: Path, every: int, wanted: list[int]
) -> None:
    store = SqliteStore(tmp_path / "j", simulated=True)
    journal = SqliteJournal(store, Sealer(KEY), CheckpointWriter(SIGNER, store.journal_id, every))
    for sequence in range(1, 8):
        await journal.append(called(sequence))
    journal.close()
    assert [one.sequence for one in checkpoints(tmp_path / "j")] == wanted


async def test_the_end_of_a_round_is_signed_whatever_the_count(tmp_path: Path) -> None:
    await play(tmp_path / "j", rounds=2)
    with closing(open_read_only(tmp_path / "j")) as connection:
        closed = connection.execute("SELECT sequence FROM events WHERE name = 'round-closed'").fetchall()
    assert [(one.sequence,) for one in checkpoints(tmp_path / "j")] == closed


async def test_what_is_unsigned_is_signed_by_the_clock_and_at_the_end(tmp_path: Path) -> None:
    clock = ManualClock()
    path = tmp_path / "j"
    async with kept_journal(
        path,
        simulated=True,
        sealer=Sealer(KEY),
        signer=SIGNER,
        settings=ProofSettings(checkpoint_seconds=60),
        clock=clock,
        on_commit=lambda _took_ns, _entries: None,
    ) as kept:
        journal = kept.journal
        assert kept.copy is None
        await clock.advance(SECOND)
        await journal.append(called(1))
        await clock.advance(60 * SECOND)
        await until(lambda: len(checkpoints(path)) == 1)
        await clock.advance(600 * SECOND)
        assert len(checkpoints(path)) == 1
        await journal.append(called(2))
    assert [one.sequence for one in checkpoints(path)] == [1, 2]


async def test_signing_goes_on_after_a_restart_where_it_stopped(tmp_path: Path) -> None:
    for _ in range(3):
        await play(tmp_path / "j", rounds=1)
    found = checkpoints(tmp_path / "j")
    assert [one.number for one in found] == list(range(1, len(found) + 1))
    assert check(tmp_path / "j").broken == []


async def test_a_running_studio_signs_copies_and_reports_its_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "studio.toml").write_text(SETTINGS)
    digest = hashlib.sha256(TOKEN.encode()).hexdigest()
    person = f'[[people]]\nid = "sam"\nname = "Sam"\nroles = ["supervisor"]\ntoken_sha256 = "{digest}"\n'
    (tmp_path / "people.toml").write_text(person)
    (tmp_path / "audit").mkdir()
    journal = tmp_path / "data" / "journal.sqlite"
    async with run_studio(load_settings(tmp_path / "studio.toml")) as studio:
        await until(lambda: bool(studio.tables["t1"].table.find_incident(AnomalyKind.RECORDING_LOST)))
        transport = httpx.ASGITransport(studio.application)
        async with httpx.AsyncClient(transport=transport, base_url="http://studio") as client:
            health: dict[str, Any] = (await client.get("/health")).json()
        assert "beat" in health["machine"]["recording-lost"]
        assert health["copy_lag_seconds"] < 30
        (tmp_path / "beat").write_text("alive")
        await until(lambda: studio.tables["t1"].table.incidents[0].cleared)
    opened = Keys(load_sealer(tmp_path / "studio.key"), load_verifier(public_files(tmp_path / "signing.key")))
    report = verify(journal, opened, Progress(None))
    assert report.broken == []
    assert report.checked["checkpoints"] >= 1
    found = Report()
    assert list(check_copy(journal, tmp_path / "audit", Progress(None), found, older=False)) == []
    assert not any("ends before" in note for note in found.notes)


def flip_a_byte(journal: Path, text: bytes) -> None:
    """Change a byte of the database file itself, at a place where ``text`` stands in a row."""
    with closing(sqlite3.connect(journal)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # so that the rows stand in the file, not beside it
    where = journal.read_bytes().rindex(text)
    with journal.open("r+b") as file:
        file.seek(where)
        file.write(bytes([text[0] ^ 1]))


async def test_a_byte_changed_in_the_file_of_a_running_studio_is_found_and_the_rest_is_signed_at_its_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """system.md principle 8: no second copy and no restart is needed to see it."""
    monkeypatch.chdir(tmp_path)
    plain = SETTINGS.replace('copy_folder = "audit"\ncheckpoint_seconds = 1', "checkpoint_seconds = 3600")
    (tmp_path / "studio.toml").write_text(plain)
    (tmp_path / "people.toml").write_text("people = []\n")
    (tmp_path / "beat").write_text("alive")
    journal = tmp_path / "data" / "journal.sqlite"
    async with run_studio(load_settings(tmp_path / "studio.toml")) as studio:
        table = studio.tables["t1"]
        await until(lambda: bool(table.table.find_incident(AnomalyKind.RECORDING_LOST)))
        assert table.table.find_incident(AnomalyKind.JOURNAL_BROKEN) is None
        flip_a_byte(journal, b"No sign of life")
        await until(lambda: bool(table.table.find_incident(AnomalyKind.JOURNAL_BROKEN)))
        found = table.table.find_incident(AnomalyKind.JOURNAL_BROKEN)
        assert found is not None
        assert (found.blocks_rounds, found.cleared) == (True, False)
        assert "table t1, row" in found.detail
        newest = table.sequence
    assert checkpoints(journal)[-1].sequence >= newest
    with closing(open_read_only(journal)) as connection:
        (last,) = connection.execute("SELECT max(sequence) FROM events").fetchone()
    assert checkpoints(journal)[-1].sequence == last


WRITER = """
import asyncio, sys, time
from pathlib import Path
from studio.adapters.clocks import SystemClock
from studio.adapters.sealing import Sealer
from studio.adapters.signing import Signer
from studio.domain.events import RoundClosed
from studio.domain.people import SYSTEM
from studio.ports.journal import Entry, Receipt, Recorded
from studio.proof.kept_journal import kept_journal
from studio.settings import ProofSettings

async def write(folder):
    clock, signer = SystemClock(), Signer((folder / "signing.key").read_bytes())
    async with kept_journal(folder / "j", simulated=True, sealer=Sealer(bytes(range(32))), signer=signer,
                            settings=ProofSettings(copy_folder=folder / "copy"), clock=clock,
                            on_commit=lambda *_: None) as (_, journal, _, _):
        sequence = sum(1 for _ in journal.replay("t1")) + 1
        while True:
            event = Recorded("t1", sequence, clock.now(), SYSTEM, "test", RoundClosed(sequence))
            await journal.append(Entry((event,), receipt=Receipt(f"key-{sequence}", "f", 200, "{}")))
            print(sequence, flush=True)
            sequence += 1

asyncio.run(write(Path(sys.argv[1])))
"""


def test_after_a_kill_the_journal_is_whole_and_its_copy_catches_up(tmp_path: Path) -> None:
    """Between two kills chain, records, signatures and copy go on as if nothing had been."""
    (tmp_path / "signing.key").write_bytes(SIGNING_PEM)
    (tmp_path / "copy").mkdir()
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    for stops_after in (3, 17, 40):
        with subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True, env=environment
        ) as writing:
            assert writing.stdout is not None
            for _ in range(stops_after):
                writing.stdout.readline()
            writing.send_signal(signal.SIGKILL)
        report = verify(tmp_path / "j", Keys(None, keys(tmp_path).verifier), Progress(None))
        assert report.broken == []
        assert report.checked["checkpoints"] == report.checked["events"] >= stops_after

    JournalCopy(tmp_path / "j", tmp_path / "copy", time.monotonic_ns).close()
    found = Report()
    assert list(check_copy(tmp_path / "j", tmp_path / "copy", Progress(None), found, older=False)) == []
    assert found.checked["copied rows"] >= 60 * 3
    assert found.notes == []
