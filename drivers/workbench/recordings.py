"""Recordings of a line: JSON lines with ``at_ns`` (monotonic) and hex ``bytes``; or raw bytes without times."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_RAW_CHUNK_BYTES: Final = 4096


@dataclass(frozen=True, slots=True)
class Chunk:
    """Bytes as one read returned them, at a monotonic nanosecond; ``None`` where nobody noted the time."""

    at_ns: int | None
    data: bytes


def chunk_line(chunk: Chunk) -> str:
    """Return a chunk as a line of a recording."""
    return json.dumps({"at_ns": chunk.at_ns, "bytes": chunk.data.hex()}) + "\n"


def read_chunks(path: Path) -> Iterator[Chunk]:
    """Yield what a file holds, in order: a recording where its first byte is ``{``, else raw bytes.

    Raises ``ValueError`` naming the line that is no part of a recording, ``OSError`` for an unreadable file.
    """
    with path.open("rb") as stream:
        if stream.read(1) != b"{":
            stream.seek(0)
            while data := stream.read(_RAW_CHUNK_BYTES):
                yield Chunk(None, data)
            return
        stream.seek(0)
        for number, line in enumerate(stream, 1):
            if line.strip():
                yield _parsed(line, path, number)


def _parsed(line: bytes, path: Path, number: int) -> Chunk:
    try:
        read = json.loads(line)
        at_ns, data = read["at_ns"], bytes.fromhex(read["bytes"])
    except (ValueError, KeyError, TypeError):
        read = None
    if read is None or not isinstance(at_ns, int) or isinstance(at_ns, bool):
        message = f'{path}, line {number}: a recording has lines like {{"at_ns": 17, "bytes": "38530d"}}'
        raise ValueError(message)
    return Chunk(at_ns, data)
