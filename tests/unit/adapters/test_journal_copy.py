"""The second copy: everything that is committed, in order, in another folder; its lag is seen."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from support.proved_journal import SIGNER, play

from studio.adapters.copy_files import AppendFile, from_line, read_lines, to_line
from studio.adapters.journal_copy import JournalCopy
from studio.proof.copy_check import check_copy
from studio.proof.report import Broken, Progress, Report

FILES = {"events-t1.jsonl", "records.jsonl", "checkpoints.jsonl"}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("copied") / "journal.sqlite"
    asyncio.run(play(path))
    return path


@pytest.fixture
def journal(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(played, tmp_path / "journal.sqlite"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "copy"
    folder.mkdir()
    return folder


def copied(journal: Path, folder: Path) -> JournalCopy:
    """Copy everything and stop."""
    copy = JournalCopy(journal, folder, time.monotonic_ns)
    copy.close()
    return copy


def compare(journal: Path, folder: Path, *, older: bool = False) -> list[Broken]:
    return list(check_copy(journal, folder, Progress(None), Report(), older=older))


def edit(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
        connection.commit()


def until(holds: Callable[[], object]) -> None:
    for _ in range(2_000):
        if holds():
            return
        time.sleep(0.005)
    pytest.fail("it never happened")


def test_everything_is_copied_and_agrees(journal: Path, folder: Path) -> None:
    copy = copied(journal, folder)

    assert {file.name for file in folder.iterdir()} == FILES
    assert (copy.failure, copy.broken, copy.lag_seconds) == ("", "", 0.0)
    assert compare(journal, folder) == []
    with closing(sqlite3.connect(journal)) as connection:
        stored = connection.execute("SELECT * FROM events ORDER BY sequence").fetchall()
    assert [rows[0] for rows in read_lines(folder / "events-t1.jsonl")] == stored


def test_a_record_is_copied_with_the_rows_that_it_is_about(journal: Path, folder: Path) -> None:
    copied(journal, folder)

    (moves,) = [rows for rows in read_lines(folder / "records.jsonl") if rows[0][2] == "t1:47"]
    assert [row[0] for row in moves[1:]] == ["t1:47:0", "t1:47:1", "t1:47:2", "t1:47:3"][: len(moves) - 1]
    assert len(moves) > 1


async def test_it_goes_on_where_it_stopped_and_adds_nothing_twice(tmp_path: Path, folder: Path) -> None:
    path = tmp_path / "journal.sqlite"
    await play(path, rounds=1)
    await asyncio.to_thread(copied, path, folder)
    before = {name: (folder / name).read_bytes() for name in FILES}
    await asyncio.to_thread(copied, path, folder)
    assert {name: (folder / name).read_bytes() for name in FILES} == before

    edit(path, "INSERT INTO custody VALUES (NULL, 1, 'note', 'x', '{}')")
    await asyncio.to_thread(copied, path, folder)
    assert all((folder / name).read_bytes().startswith(before[name]) for name in FILES)


def test_a_line_torn_by_a_crash_is_followed_by_the_whole_one(journal: Path, folder: Path) -> None:
    copied(journal, folder)
    file = folder / "events-t1.jsonl"
    whole = file.read_bytes()
    file.write_bytes(whole[:-40])

    copied(journal, folder)

    assert file.read_bytes().startswith(whole[:-40] + b"\n")
    assert compare(journal, folder) == []


def test_the_last_line_is_found_however_long_it_is(tmp_path: Path) -> None:
    file = AppendFile(tmp_path / "lines.jsonl")
    assert file.last() is None
    rows = [(1, "a" * 300_000, b"\x00", None), (2, "b" * 300_000, b"\xff", None)]
    for row in rows:
        file.add(to_line(row))
        assert file.last() == [row]
    file.close()
    assert list(read_lines(tmp_path / "lines.jsonl")) == [[row] for row in rows]
    with pytest.raises(ValueError, match="no rows"):
        from_line('{"a": 1}')


def test_a_folder_that_is_not_there_is_refused_at_the_start(journal: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="mount it, or make it once by hand"):
        JournalCopy(journal, tmp_path / "absent", time.monotonic_ns)


def test_a_folder_that_goes_away_makes_it_lag_and_it_catches_up_when_it_is_back(
    journal: Path, folder: Path, tmp_path: Path
) -> None:
    now_ns = [1]
    copy = JournalCopy(journal, folder, lambda: now_ns[0])
    until(lambda: copy.lag_seconds == 0)
    folder.rename(tmp_path / "away")
    edit(journal, "DELETE FROM events WHERE sequence = -1")
    copy._forget()
    copy.committed()
    until(lambda: copy.failure)
    now_ns[0] += 31_000_000_000
    assert copy.lag_seconds > 30
    assert "is not there" in copy.failure
    (tmp_path / "away").rename(folder)
    until(lambda: copy.lag_seconds == 0)
    copy.close()
    assert compare(journal, folder) == []


def test_a_row_changed_in_the_journal_is_said_when_it_is_copied(journal: Path, folder: Path) -> None:
    edit(journal, "UPDATE events SET actor_name = 'Bo' WHERE sequence = 12")
    assert copied(journal, folder).broken.startswith("table t1, row 12: the chain hash is wrong")


def test_an_older_journal_under_the_same_copy_is_said(journal: Path, folder: Path) -> None:
    copied(journal, folder)
    edit(journal, "DELETE FROM events WHERE sequence > 40")
    assert "does not hold the row that was copied" in copied(journal, folder).broken


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("DELETE FROM events WHERE sequence > 40", "table t1, row 41: it and what followed were cut off"),
        ("UPDATE events SET chain = zeroblob(32) WHERE sequence = 9", "table t1, row 9: the copy has another row"),
        ("DELETE FROM records WHERE number > 8", "records, record 9: it and what followed were cut off"),
        ("UPDATE records SET id = 'x' WHERE number = 3", "records, record 3: the copy has another row"),
        ("DELETE FROM checkpoints WHERE number = 2", "checkpoints, checkpoint 2: it and what followed"),
    ],
)
def test_what_the_journal_lost_or_changed_is_named_by_the_copy(
    journal: Path, folder: Path, statement: str, named: str
) -> None:
    """Also a cut that took the newest checkpoints along, which nothing in the file itself can show."""
    copied(journal, folder)
    edit(journal, statement)

    (broken,) = compare(journal, folder)
    assert str(broken).startswith(named)


def test_of_a_backup_the_copy_may_go_on(journal: Path, folder: Path) -> None:
    copied(journal, folder)
    edit(journal, "DELETE FROM events WHERE sequence > 40")
    edit(journal, "DELETE FROM records WHERE number > 8")
    edit(journal, "DELETE FROM checkpoints WHERE number > 1")
    assert compare(journal, folder, older=True) == []


def test_a_changed_line_of_the_copy_is_named(journal: Path, folder: Path) -> None:
    copied(journal, folder)
    file = folder / "events-t1.jsonl"
    lines = file.read_text().splitlines(keepends=True)
    lines[10] = lines[10].replace("dora", "dory")
    file.write_text("".join(lines))

    (broken,) = compare(journal, folder)
    assert str(broken).startswith("copy of table t1, row 11: the copy's own chain is wrong")


def test_a_folder_without_a_copy_is_refused(journal: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no second copy"):
        compare(journal, tmp_path)


def test_the_signatures_are_in_the_copy(journal: Path, folder: Path) -> None:
    copied(journal, folder)
    assert {rows[0][8] for rows in read_lines(folder / "checkpoints.jsonl")} == {SIGNER.key_id}
