"""The bare loop: what reading a card and making it durable costs on this machine with no studio around it.

The same read from a pseudo-terminal and the same fsynced insert as the studio's: the journal's own schema, pragmas
and row, on the same file system. Nothing is decided, shown or acknowledged.

``python -m studio.bench.bare_loop`` runs it as a process of its own, beside a studio, until it is stopped; it
prints the seconds of each card, one a line.
"""

from __future__ import annotations

import argparse
import itertools
import os
import pty
import sqlite3
import sys
import time
import tty
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from studio.adapters.chain import Row
from studio.adapters.sealing import KEY_BYTES, Sealer
from studio.adapters.sqlite_rows import INSERT, chain_of, to_row
from studio.adapters.sqlite_store import SqliteStore, configure
from studio.domain.cards import DECK
from studio.domain.events import CardDealt
from studio.domain.instants import Instant
from studio.domain.people import Actor, Role
from studio.domain.sightings import SightingId
from studio.domain.slots import HandId, Slot
from studio.ports.journal import Recorded

_NANOSECONDS: Final = 1_000_000_000
_FRAME: Final = bytes(32)
"""About as long as a reader's frame for one card."""
_READ_BYTES: Final = 4096


def bare_loop(database: Path, *, pause_seconds: float) -> Generator[float, None, None]:
    """Read and insert for ever; yield the seconds from each last byte to its commit.

    ``database`` must not exist; ``pause_seconds`` lie between two cards. Close it at the end.
    """
    SqliteStore(database, simulated=True).close()
    with _pty() as (device, host), closing(sqlite3.connect(database, isolation_level=None)) as connection:
        configure(connection)
        for row in _rows():
            os.write(device, _FRAME)
            _read_frame(host)
            began_ns = time.perf_counter_ns()
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(INSERT, row)
            connection.execute("COMMIT")
            yield (time.perf_counter_ns() - began_ns) / _NANOSECONDS
            time.sleep(pause_seconds)


@contextmanager
def _pty() -> Iterator[tuple[int, int]]:
    device, host = pty.openpty()
    try:
        tty.setraw(host)
        yield device, host
    finally:
        os.close(device)
        os.close(host)


def _read_frame(host: int) -> None:
    received = 0
    while received < len(_FRAME):
        received += len(os.read(host, _READ_BYTES))


def _rows() -> Iterator[Row]:
    """Yield the rows of dealt cards, chained as the journal chains them."""
    sealer, chain = Sealer(bytes(KEY_BYTES)), bytes(32)
    reader = Actor("shoe-1", "shoe-1", Role.DEVICE)
    for number in itertools.count(1):
        sighting = SightingId("shoe-1", 1, number)
        dealt = CardDealt(number, sighting, DECK[number % len(DECK)], Slot(HandId(1, 1), 1), number)
        at = Instant(time.monotonic_ns(), time.time_ns())
        row = to_row(Recorded("t1", number, at, reader, f"shoe-1:1:{number}:card", dealt, _FRAME), sealer)
        chain = chain_of(chain, row)
        yield (*row, chain)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print samples until stopped; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m studio.bench.bare_loop", description="The bare loop.")
    parser.add_argument("--database", type=Path, required=True, help="a file that is not there yet")
    parser.add_argument("--pause-seconds", type=float, required=True, help="time between two cards")
    given = parser.parse_args(arguments)
    with closing(bare_loop(given.database, pause_seconds=given.pause_seconds)) as samples:
        for seconds in samples:
            print(seconds, flush=True)  # noqa: T201 - the caller reads it
    return 0


if __name__ == "__main__":
    sys.exit(main())
