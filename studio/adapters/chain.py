"""Hashes over rows: what a chain and a digest are made of (system.md principle 8).

The canonical form gives each column a type letter, its length and its bytes, so no two rows look the same. It
knows no table and no meaning of a column.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Final, Protocol

Column = str | int | bytes | None
Row = tuple[Column, ...]
"""The columns of a stored row in their order."""

START: Final = bytes(32)
"""The chain before the first row."""


class _Hash(Protocol):
    def update(self, data: bytes, /) -> None: ...


def chained(previous: bytes, row: Iterable[Column]) -> bytes:
    """Return the hash of a row behind the one before it: 32 bytes."""
    digest = hashlib.sha256(previous)
    feed(digest, row)
    return digest.digest()


def digest_of(rows: Iterable[Row]) -> bytes:
    """Return the hash of some rows together: 32 bytes."""
    digest = hashlib.sha256()
    for row in rows:
        digest.update(f"r{len(row)}:".encode())
        feed(digest, row)
    return digest.digest()


def feed(digest: _Hash, row: Iterable[Column]) -> None:
    """Feed a row's columns to a hash; raise ``TypeError`` for a value of a type that no row has."""
    for column in row:
        match column:
            case str():
                letter, data = "t", column.encode()
            case int():
                letter, data = "i", str(column).encode()
            case bytes():
                letter, data = "b", column
            case None:
                letter, data = "n", b""
            case _:  # a changed row may hold a fraction
                message = f"{column!r} is of a type that the journal does not write"  # type: ignore[unreachable]
                raise TypeError(message)
        digest.update(f"{letter}{len(data)}:".encode())
        digest.update(data)
