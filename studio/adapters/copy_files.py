"""The files of a journal's second copy: lines of JSON that are only ever added.

``events-TABLE.jsonl`` has a line for each event row, ``records.jsonl`` one for each record with the rows that it
is about, ``checkpoints.jsonl`` one for each checkpoint; all columns in their order, bytes as ``{"hex": …}``. A
line that a crash tore off is followed by the whole one. It knows no journal.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from studio.adapters.chain import Column, Row
from studio.adapters.codec import canonical

RECORDS_FILE: Final = "records.jsonl"
CHECKPOINTS_FILE: Final = "checkpoints.jsonl"
_EVENTS: Final = "events-"
_SUFFIX: Final = ".jsonl"
_BLOCK: Final = 1 << 16


def events_file(table: str) -> str:
    """Return the name of a table's file."""
    return f"{_EVENTS}{table}{_SUFFIX}"


def tables_in(folder: Path) -> tuple[str, ...]:
    """Return the tables that have a file in a folder."""
    files = folder.glob(f"{_EVENTS}*{_SUFFIX}")
    return tuple(sorted(file.name.removeprefix(_EVENTS).removesuffix(_SUFFIX) for file in files))


def to_line(*rows: Row) -> str:
    """Return one line that holds some rows."""
    shown = [[{"hex": one.hex()} if isinstance(one, bytes) else one for one in row] for row in rows]
    return canonical(shown) + "\n"


def from_line(line: str) -> list[Row]:
    """Return the rows of a line; raise ``ValueError`` where it is none."""
    read = json.loads(line)
    if not isinstance(read, list) or not all(isinstance(row, list) for row in read):
        message = "the line holds no rows"
        raise ValueError(message)
    return [tuple(map(_column, row)) for row in read]


def _column(value: Any) -> Column:  # noqa: ANN401 - any JSON value
    if isinstance(value, dict):
        return bytes.fromhex(value["hex"])
    column: Column = value
    return column


def read_lines(path: Path) -> Iterator[list[Row]]:
    """Yield the rows of each whole line; a torn line is passed over, since the whole one follows it."""
    with path.open(encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            try:
                yield from_line(line)
            except (ValueError, KeyError, TypeError):
                continue


class AppendFile:
    """A file that is only ever added to. Each call raises ``OSError`` where the folder is not there."""

    def __init__(self, path: Path) -> None:
        self._descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)

    def last(self) -> list[Row] | None:
        """Return the rows of the last whole line; end a torn one, so that the next begins a line of its own."""
        size, window = os.fstat(self._descriptor).st_size, _BLOCK
        if size and os.pread(self._descriptor, 1, size - 1) != b"\n":
            self.add("\n")
        while True:
            begin = max(size - window, 0)
            lines = os.pread(self._descriptor, size - begin, begin).split(b"\n")
            # The first may be the end of a longer one.
            for line in reversed(lines[1:] if begin else lines):
                with suppress(ValueError, KeyError, TypeError):
                    return from_line(line.decode())
            if not begin:
                return None
            window *= 4

    def add(self, text: str) -> None:
        """Add text, whole; on return it is on disk, or wherever the file lies."""
        data = memoryview(text.encode())
        while data:
            data = data[os.write(self._descriptor, data) :]
        os.fsync(self._descriptor)

    def close(self) -> None:
        """Close the file."""
        os.close(self._descriptor)
