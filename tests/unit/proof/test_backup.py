"""Backup and restore: whole, verified by replay, and nothing overwritten."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from support.actors import live_actor
from support.proved_journal import SIGNER, check, keys, play
from support.tables import DEALER, START

from studio.adapters.sqlite_custody import ActKind, read_acts
from studio.adapters.sqlite_store import SqliteStore, open_read_only
from studio.domain.commands import CallSupervisor
from studio.domain.phases import Phase, phase
from studio.proof.backup import BrokenError, back_up, restore
from studio.proof.manifest import check_manifest, manifest_path
from studio.proof.report import Progress, Report


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("backed-up") / "journal.sqlite"
    asyncio.run(play(path, leaves_open=True))
    return path


def backed_up(journal: Path, folder: Path, keys_in: Path) -> tuple[Path, Report]:
    return back_up(journal, folder, keys=keys(keys_in), signer=SIGNER, at=START, progress=Progress(None))


def restored(backup: Path, data: Path, keys_in: Path) -> Report:
    return restore(backup, data, keys=keys(keys_in), person="tim", at=START, progress=Progress(None))


@pytest.fixture
def backup(journal: Path, tmp_path: Path) -> Path:
    path, report = backed_up(journal, tmp_path / "backups", tmp_path)
    assert report.broken == []
    return path


def test_a_backup_is_one_private_file_with_a_signed_manifest(backup: Path, tmp_path: Path) -> None:
    assert sorted(file.name for file in backup.parent.iterdir()) == [
        "journal-20231114T221320Z.sqlite",
        "journal-20231114T221320Z.sqlite.manifest.json",
    ]
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    report = Report()
    assert list(check_manifest(backup, keys(tmp_path).verifier, report)) == []
    assert report.checked["files"] == 1
    assert report.notes == []


def test_a_backup_of_a_running_studio_is_whole(tmp_path: Path) -> None:
    async def run() -> None:
        path = tmp_path / "journal.sqlite"
        await play(path, rounds=1)
        async with live_actor(path, signer=SIGNER) as live:
            before = live.actor.sequence
            writes = [live.do(CallSupervisor(), DEALER, cause=f"call {number}") for number in range(50)]
            taken = asyncio.create_task(asyncio.to_thread(backed_up, path, tmp_path / "backups", tmp_path))
            await asyncio.gather(*writes)
            copy, report = await taken
            assert report.broken == []
            assert report.checked["events"] >= before
            assert check(copy).broken == []

    asyncio.run(run())


@pytest.mark.parametrize("seed", range(40))
def test_any_byte_of_a_backup_counts_also_one_of_no_row(backup: Path, tmp_path: Path, seed: int) -> None:
    content = bytearray(backup.read_bytes())
    content[Random(seed).randrange(len(content))] ^= 1 << seed % 8  # noqa: S311 - where to look is no secret
    backup.write_bytes(content)

    (broken, *_) = check_manifest(backup, keys(tmp_path).verifier, Report())
    assert broken.row == backup.name


@pytest.mark.parametrize("change", ["files", "checked", "signature"])
def test_a_changed_manifest_is_found(backup: Path, tmp_path: Path, change: str) -> None:
    place = manifest_path(backup)
    manifest = json.loads(place.read_text())
    match change:
        case "files":
            manifest["stated"]["files"][backup.name] = "0" * 64
        case "checked":
            manifest["stated"]["checked"]["events"] = 1
        case _:
            manifest["signature"] = "00" * 64
    place.write_text(json.dumps(manifest))

    assert str(next(iter(check_manifest(backup, keys(tmp_path).verifier, Report())))).startswith(
        "manifest, journal-"
    )


async def test_a_table_goes_on_from_a_restored_journal_with_its_open_round(backup: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    report = await asyncio.to_thread(restored, backup, data, tmp_path)

    assert report.broken == []
    assert check(data / "journal.sqlite").broken == []
    with closing(open_read_only(data / "journal.sqlite")) as connection:
        (act,) = read_acts(connection, ActKind.RESTORE)
    assert (act.person, act.fields) == ("tim", {"from": backup.name})
    async with live_actor(data / "journal.sqlite", signer=SIGNER) as live:
        assert phase(live.actor.table) is Phase.DECISIONS
        assert live.actor.table.rounds == 2


def test_a_restore_overwrites_no_journal(backup: Path, journal: Path, tmp_path: Path) -> None:
    before = journal.read_bytes()
    with pytest.raises(ValueError, match="is there: move it and its -wal aside first"):
        restored(backup, journal.parent, tmp_path)
    assert journal.read_bytes() == before


def test_a_restore_beside_a_running_studio_is_refused(backup: Path, tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "data" / "journal.sqlite", simulated=True)
    with pytest.raises(ValueError, match=r"a studio runs on .*: stop it first"):
        restored(backup, tmp_path / "data", tmp_path)
    store.close()


def test_a_broken_backup_is_not_restored_and_its_row_is_named(backup: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(backup)) as connection:
        connection.execute("UPDATE events SET actor_name = 'Bo' WHERE sequence = 12")
        connection.commit()

    with pytest.raises(BrokenError, match="nothing was restored") as caught:
        restored(backup, tmp_path / "data", tmp_path)

    assert [one.place for one in caught.value.broken][:2] == ["file", "table t1"]
    assert caught.value.broken[1].row == "row 12"
    assert [file.name for file in (tmp_path / "data").iterdir()] == ["journal.sqlite-lock"]


def test_a_broken_journal_gives_no_backup(journal: Path, tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    path.write_bytes(journal.read_bytes())
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DELETE FROM receipts WHERE key = 'open-1'")
        connection.commit()

    with pytest.raises(BrokenError) as caught:
        backed_up(path, tmp_path / "backups", tmp_path)

    assert str(caught.value.broken[0]).startswith("receipts, open-1")
    assert [file.suffix for file in (tmp_path / "backups").iterdir()] == [".part"]


def test_a_backup_replaces_no_other(backup: Path, journal: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is there already"):
        backed_up(journal, backup.parent, tmp_path)
