"""Backup and restore: a whole copy of a journal at any time, good only once it has been verified by replay."""

from __future__ import annotations

import fcntl
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from studio.adapters.signing import Signer
from studio.adapters.sqlite_custody import ActKind, enact
from studio.adapters.sqlite_store import SqliteStore, open_read_only, read_meta
from studio.domain.instants import Instant
from studio.proof.manifest import check_manifest, manifest_path, write_manifest
from studio.proof.places import JOURNAL_FILE
from studio.proof.report import Broken, Progress, Report
from studio.proof.verify import Keys, verify

_PART: Final = ".part"
_PAGES: Final = 1_000
"""Pages that are copied at a time: a writer waits no longer than for these."""
_NS_PER_SECOND: Final = 1_000_000_000


class BrokenError(Exception):
    """A journal that is not whole; :attr:`broken` are its broken rows."""

    def __init__(self, text: str, broken: list[Broken]) -> None:
        super().__init__(text)
        self.broken = broken


def back_up(  # noqa: PLR0913 - what is backed up, where to, and with which keys
    journal: Path, folder: Path, *, keys: Keys, signer: Signer | None, at: Instant, progress: Progress
) -> tuple[Path, Report]:
    """Copy a journal, also while a studio writes it, verify the copy, and write its manifest.

    Return the copy. Raises :class:`BrokenError` where it is not whole (the file is then left beside, as
    ``….part``), ``ValueError`` or ``OSError`` where it cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    stamp = datetime.fromtimestamp(at.wall_ns // _NS_PER_SECOND, UTC).strftime("%Y%m%dT%H%M%SZ")
    path = folder / f"journal-{stamp}.sqlite"
    part = path.with_name(path.name + _PART)
    if path.exists() or part.exists():
        message = f"{path} is there already: wait a second, or give another folder"
        raise ValueError(message)
    os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    with closing(open_read_only(journal)) as source, closing(sqlite3.connect(part)) as copy:
        source.backup(copy, pages=_PAGES)
        # One file without a WAL: it can be moved about, and opened where nothing may be written.
        copy.execute("PRAGMA journal_mode = DELETE").fetchall()
    _sync(part)
    report = verify(part, keys, progress)
    if report.broken:
        message = f"the backup is not whole, and neither is {journal}: it was left as {part}"
        raise BrokenError(message, report.broken)
    part.replace(path)
    write_manifest(path, (path,), {"made_wall_ns": at.wall_ns, "checked": dict(report.checked)}, signer)
    _sync(folder)
    return path, report


def restore(  # noqa: PLR0913 - what is restored, where to, by whom, and with which keys
    backup: Path, data: Path, *, keys: Keys, person: str, at: Instant, progress: Progress
) -> Report:
    """Put a backup into an empty data folder, once it has been verified by replay there, and record the act.

    Raises :class:`BrokenError` where it is not whole; nothing is left in the folder then. Raises ``ValueError``
    where the folder has a journal or a studio runs on it, ``OSError`` where it cannot be written.
    """
    data.mkdir(parents=True, exist_ok=True)
    target = data / JOURNAL_FILE
    part = target.with_name(target.name + _PART)
    with _locked(target):
        if target.exists():
            message = f"{target} is there: move it and its -wal aside first, a restore overwrites no journal"
            raise ValueError(message)
        found = Report()
        broken = list(check_manifest(backup, keys.verifier, found))
        if not manifest_path(backup).exists():
            found.notes.append(f"{backup} has no manifest: bytes of no row were not compared")
        shutil.copyfile(backup, part)
        part.chmod(0o600)
        _sync(part)
        try:
            report = verify(part, keys, progress)
        except ValueError:
            part.unlink()
            raise
        report.broken = [*broken, *report.broken]
        report.notes += found.notes
        if report.broken:
            part.unlink()
            message = f"{backup} is not whole: nothing was restored"
            raise BrokenError(message, report.broken)
        part.replace(target)
        _sync(data)
    _record(target, backup, person, at)
    return report


def _record(target: Path, backup: Path, person: str, at: Instant) -> None:
    with closing(open_read_only(target)) as connection:
        simulated = read_meta(connection)["world"] == "simulated"
    store = SqliteStore(target, simulated=simulated)
    try:
        fields = {"from": backup.name}
        store.writer.write_and_wait(
            lambda connection, layer: enact(connection, layer, ActKind.RESTORE, person, at.wall_ns, fields)
        )
    finally:
        store.close()


@contextmanager
def _locked(target: Path) -> Iterator[None]:
    """Hold the lock that a studio would hold on the journal."""
    descriptor = os.open(target.with_name(f"{target.name}-lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        message = f"a studio runs on {target.parent}: stop it first"
        raise ValueError(message) from error
    try:
        yield
    finally:
        os.close(descriptor)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
