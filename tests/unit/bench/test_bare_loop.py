from __future__ import annotations

import sqlite3
from contextlib import closing
from itertools import islice
from pathlib import Path

from studio.adapters.sealing import KEY_BYTES, Sealer
from studio.adapters.sqlite_rows import replay_rows
from studio.bench.bare_loop import bare_loop


def test_each_sample_is_a_row_that_the_journal_would_take(tmp_path: Path) -> None:
    database = tmp_path / "bare.sqlite"
    with closing(bare_loop(database, pause_seconds=0)) as samples:
        found = list(islice(samples, 5))
    assert len(found) == 5
    assert min(found) > 0
    with closing(sqlite3.connect(database)) as connection:
        rows = list(replay_rows(connection, "t1", Sealer(bytes(KEY_BYTES))))
    assert [row.sequence for row in rows] == [1, 2, 3, 4, 5]


def test_each_row_is_on_disk_when_its_sample_comes(tmp_path: Path) -> None:
    database = tmp_path / "bare.sqlite"
    with closing(bare_loop(database, pause_seconds=0)) as samples:
        for count in (1, 2):
            next(samples)
            with closing(sqlite3.connect(database)) as connection:
                assert connection.execute("SELECT count(*) FROM events").fetchone() == (count,)
