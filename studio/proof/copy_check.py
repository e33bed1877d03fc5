"""The comparison of a journal with its second copy: what one has and the other has not, row by row."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import zip_longest
from pathlib import Path
from typing import Final

from studio.adapters.chain import START, Row
from studio.adapters.copy_files import CHECKPOINTS_FILE, RECORDS_FILE, events_file, read_lines, tables_in
from studio.adapters.sqlite_rows import SELECT, is_chained
from studio.adapters.sqlite_store import open_read_only
from studio.proof.report import Broken, Progress, Report

_EVENTS: Final = f"{SELECT} WHERE table_id = ? ORDER BY sequence"
_WHOLE: Final = {
    RECORDS_FILE: ("records", "record", "SELECT * FROM records ORDER BY number"),
    CHECKPOINTS_FILE: ("checkpoints", "checkpoint", "SELECT * FROM checkpoints ORDER BY number"),
}


def check_copy(
    journal: Path, folder: Path, progress: Progress, report: Report, *, older: bool
) -> Iterator[Broken]:
    """Yield the first row of each stream that the copy has otherwise, or that the journal has no more.

    ``older``: the journal is a backup, beyond whose end the copy may go on. Raises ``ValueError`` where there is
    no copy.
    """
    if not (folder / RECORDS_FILE).is_file():
        message = f"there is no second copy in {folder}: give the folder with {RECORDS_FILE}"
        raise ValueError(message)
    with closing(open_read_only(journal)) as connection:
        connection.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
        tables = {str(row[0]) for row in connection.execute("SELECT DISTINCT table_id FROM events")}
        for table in sorted(tables | set(tables_in(folder))):
            rows = connection.execute(_EVENTS, (table,))
            copied = progress.over(_first_rows(folder / events_file(table)), f"copy of {table}", 0)
            yield from _compare(f"table {table}", "row", rows, _chained(copied), report, older=older)
        for name, (place, row, query) in _WHOLE.items():
            yield from _compare(
                place, row, connection.execute(query), _first_rows(folder / name), report, older=older
            )


def _compare(  # noqa: PLR0913 - two sides and how to speak of them
    place: str, word: str, rows: Iterable[Row], copied: Iterable[Row], report: Report, *, older: bool
) -> Iterator[Broken]:
    number = 0
    try:
        for number, (row, copy) in enumerate(zip_longest(rows, copied), start=1):
            if row is None:
                if not older:
                    yield Broken(place, f"{word} {number}", "it and what followed were cut off: the copy has them")
                return
            if copy is None:
                report.notes.append(f"the copy of {place} ends before {word} {number}")
                return
            # Events end with their chain, which stands for the row; of the others every column is the same.
            if (row[-1] if len(row) == _EVENT_COLUMNS else row) != (
                copy[-1] if len(copy) == _EVENT_COLUMNS else copy
            ):
                yield Broken(place, f"{word} {number}", "the copy has another row here")
                return
            report.checked["copied rows"] += 1
    except (ValueError, sqlite3.DatabaseError) as error:
        yield Broken(f"copy of {place}", f"{word} {number + 1}", str(error))


_EVENT_COLUMNS: Final = 13


def _first_rows(path: Path) -> Iterator[Row]:
    """Yield the row that each line is about, once; a line that was written again after a crash is the same."""
    before: Row | None = None
    if path.is_file():
        for rows in read_lines(path):
            if rows[0] != before:
                yield rows[0]
            before = rows[0]


def _chained(rows: Iterable[Row]) -> Iterator[Row]:
    """Yield the rows as long as each stands behind the one before it in the copy's own chain."""
    previous = START
    for row in rows:
        *columns, chain = row
        if not isinstance(chain, bytes) or not is_chained(previous, tuple(columns), chain):
            message = "the copy's own chain is wrong: this line or the one before it was changed"
            raise ValueError(message)
        previous = chain
        yield row
