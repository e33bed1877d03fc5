"""The journal on SQLite: sealing, chaining, group commit, crashes (system.md principles 5, 7 and 8)."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from event_samples import SIGHTING
from journal_entries import ANN, KEY, entry, moved, open_journal, open_store, paid, recorded

from studio.adapters.sealing import Sealer
from studio.adapters.sqlite_journal import SqliteJournal
from studio.adapters.sqlite_rows import replay_rows
from studio.adapters.sqlite_store import SqliteStore, open_read_only
from studio.domain.cards import parse_card
from studio.domain.events import (
    CardBurned,
    CardDealt,
    CardHeld,
    CardUnread,
    Event,
    HoleRevealed,
    RoundClosed,
    ShuffleCommitted,
)
from studio.domain.instants import Instant
from studio.domain.slots import Face, Slot
from studio.ports.journal import Entry, JournalError, Refusal

ROOT = Path(__file__).parents[3]
HIDDEN_RAW = b"\x02AB<hidden-frame>QH\x03"

HIDDEN: tuple[Event, ...] = (
    CardDealt(4, SIGHTING, parse_card("QH"), Slot(None, 2, Face.DOWN), 1),
    CardBurned(5, SIGHTING, parse_card("QH"), Face.DOWN, 2),
    CardHeld(6, SIGHTING, parse_card("QH"), 3),
    CardUnread(7, SIGHTING, "QH?"),
    ShuffleCommitted("shoe-1", 1, 8, "published", "QH?"),
)


def test_what_is_hidden_is_nowhere_in_the_files(tmp_path: Path) -> None:
    path = tmp_path / "studio.db"
    journal = open_journal(path)
    written = tuple(recorded("T1", number, event, HIDDEN_RAW) for number, event in enumerate(HIDDEN, start=1))
    asyncio.run(journal.append(Entry(written)))

    on_disk = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    read = tuple(journal.replay("T1"))
    journal.close()
    at_rest = b"".join(file.read_bytes() for file in tmp_path.iterdir())

    assert b"card-held" in on_disk
    assert b"card-held" in at_rest
    # Two bytes alone would turn up in ciphertext by chance; as text the code would stand between quotes.
    for secret in (b'"QH"', b"QH?", b"hidden-frame", HIDDEN_RAW.hex().encode()):
        assert secret not in on_disk
        assert secret not in at_rest
    assert read == written


def test_no_text_of_a_row_holds_a_hidden_code(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / "studio.db")
    written = tuple(recorded("T1", number, event) for number, event in enumerate(HIDDEN, start=1))
    asyncio.run(journal.append(Entry(written)))
    reading = open_read_only(tmp_path / "studio.db")

    rows = reading.execute("SELECT * FROM events").fetchall()
    reading.close()
    journal.close()

    assert len(rows) == len(HIDDEN)
    assert not any("QH" in column for row in rows for column in row if isinstance(column, str))


def test_the_same_hidden_card_never_looks_the_same_twice(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / "studio.db")
    asyncio.run(journal.append(Entry((recorded("T1", 1, HIDDEN[2]), recorded("T1", 2, HIDDEN[2])))))
    journal.close()

    stored = open_read_only(tmp_path / "studio.db").execute("SELECT payload, raw FROM events").fetchall()

    assert stored[0][0] != stored[1][0]
    assert stored[0][1] != stored[1][1]
    assert {len(payload) for payload, _ in stored} == {len(stored[0][0])}


def test_the_reveal_is_in_clear_and_rewrites_nothing(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / "studio.db")
    reading = open_read_only(tmp_path / "studio.db")
    first = "SELECT * FROM events WHERE sequence = 1"
    asyncio.run(journal.append(Entry((recorded("T1", 1, HIDDEN[0]),))))
    before = reading.execute(first).fetchall()
    asyncio.run(journal.append(Entry((recorded("T1", 2, HoleRevealed(parse_card("QH"))),))))

    assert reading.execute(first).fetchall() == before
    found = reading.execute("SELECT payload FROM events WHERE sequence = 2").fetchone()
    assert found == ('{"at_ns":0,"card":"QH"}',)
    reading.close()
    journal.close()


def test_another_key_opens_nothing_and_says_where(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / "studio.db")
    asyncio.run(journal.append(Entry((recorded("T1", 1), recorded("T1", 2, HIDDEN[0])))))
    journal.close()

    reading = open_read_only(tmp_path / "studio.db")
    with pytest.raises(ValueError, match=r"journal of table 'T1', sequence 2: the seal of .* does not open"):
        list(replay_rows(reading, "T1", Sealer(bytes(32))))
    reading.close()


def test_a_long_stream_replays(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / "studio.db")
    for start in range(1, 20_001, 2_000):
        rows = tuple(recorded("T1", number) for number in range(start, start + 2_000))
        asyncio.run(journal.append(Entry(rows)))

    assert [one.event for one in journal.replay("T1")] == [RoundClosed(number) for number in range(1, 20_001)]
    journal.close()


def test_a_stream_goes_on_after_a_restart(tmp_path: Path) -> None:
    for sequence in (1, 2, 3):
        journal = open_journal(tmp_path / "studio.db")
        asyncio.run(journal.append(entry("T1", sequence)))
        journal.close()

    journal = open_journal(tmp_path / "studio.db")
    assert [one.sequence for one in journal.replay("T1")] == [1, 2, 3]
    assert journal.tables() == ("T1",)
    journal.close()


def test_refusals_are_kept_in_order(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / "studio.db")
    lines = tuple(Refusal("T1", Instant(n, n + 1), ANN, "hit", "not-now", f"no {n}") for n in range(3))
    for line in lines:
        asyncio.run(journal.append(Entry(refusal=line)))

    assert journal.refusals("T1") == lines
    journal.close()


async def test_a_failing_entry_takes_no_other_of_its_commit_with_it(tmp_path: Path) -> None:
    gate = threading.Event()
    shared: list[int] = []

    def on_commit(took_ns: int, entries: int) -> None:
        assert took_ns > 0
        shared.append(entries)
        gate.wait(10)

    store = SqliteStore(tmp_path / "studio.db", simulated=True, on_commit=on_commit)
    journal = SqliteJournal(store, Sealer(KEY))
    await journal.append(entry("T0", 1))  # the writer now waits at the gate and the others queue up behind it
    entries = [entry(f"T{number}", 1 if number != 3 else 7) for number in range(1, 6)]
    entries.append(entry("T5", 2))
    entries.append(entry("T6", 1, paid("player:nobody", "table:T6", 1)))
    appends = [asyncio.ensure_future(journal.append(one)) for one in entries]
    await asyncio.sleep(0)
    gate.set()
    outcomes = await asyncio.gather(*appends, return_exceptions=True)

    assert [type(outcome) for outcome in outcomes] == [
        *(type(None), type(None), JournalError, type(None), type(None), type(None), JournalError)
    ]
    assert "T3' is at sequence 0, so 7 is not next" in str(outcomes[2])
    assert "player:nobody lacks 1 minor units of EUR" in str(outcomes[6])
    assert journal.tables() == ("T0", "T1", "T2", "T4", "T5")
    assert [one.sequence for one in journal.replay("T5")] == [1, 2]
    journal.close()
    assert shared == [1, 7]


async def test_a_full_disk_is_said_and_the_journal_goes_on_when_there_is_room(tmp_path: Path) -> None:
    store = open_store(tmp_path / "studio.db")
    journal = SqliteJournal(store, Sealer(KEY))
    await journal.append(entry("T1", 1))
    connection = store.writer._connection
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages}")

    with pytest.raises(JournalError, match=r"full.*free space"):
        await journal.append(Entry((recorded("T1", 2, raw=bytes(100_000)),)))
    connection.execute(f"PRAGMA max_page_count = {pages + 1_000}")
    await journal.append(entry("T1", 2))

    assert [one.sequence for one in journal.replay("T1")] == [1, 2]
    journal.close()


async def test_a_listener_that_fails_does_not_stop_the_journal(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def on_commit(_took_ns: int, _entries: int) -> None:
        message = "broken metric"
        raise RuntimeError(message)

    journal = SqliteJournal(SqliteStore(tmp_path / "studio.db", simulated=True, on_commit=on_commit), Sealer(KEY))
    await journal.append(entry("T1", 1))
    await journal.append(entry("T1", 2))
    journal.close()

    assert "broken metric" in caplog.text


async def test_close_writes_what_is_queued_and_refuses_what_comes_after(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / "studio.db")
    appends = [asyncio.ensure_future(journal.append(entry("T1", number))) for number in range(1, 20)]
    await asyncio.sleep(0)
    journal.close()
    journal.close()
    await asyncio.gather(*appends)

    with pytest.raises(JournalError, match="closed"):
        await journal.append(entry("T1", 20))

    reading = open_read_only(tmp_path / "studio.db")
    assert len(list(replay_rows(reading, "T1", Sealer(KEY)))) == 19
    reading.close()


async def test_an_entry_whose_caller_gave_up_is_written_all_the_same(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / "studio.db")
    append = asyncio.ensure_future(journal.append(entry("T1", 1)))
    await asyncio.sleep(0)
    append.cancel()
    await journal.append(entry("T1", 2))

    assert [one.sequence for one in journal.replay("T1")] == [1, 2]
    journal.close()


async def test_an_entry_with_transfers_for_no_event_is_refused(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / "studio.db")

    with pytest.raises(JournalError, match="1 events has 2 batches of transfers"):
        await journal.append(Entry((recorded("T1", 1),), (moved(), moved())))
    journal.close()


@pytest.fixture(scope="module")
def written_journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed journal of 200 rows, some of them sealed."""
    path = tmp_path_factory.mktemp("written") / "studio.db"
    journal = open_journal(path)
    rows = tuple(
        recorded("T1", n, HIDDEN[n % 4] if n % 9 == 0 else RoundClosed(n), f"frame-{n:03}".encode())
        for n in range(1, 201)
    )
    asyncio.run(journal.append(Entry(rows)))
    journal.close()
    return path


def replay_of(path: Path) -> int:
    reading = open_read_only(path)
    try:
        return len(list(replay_rows(reading, "T1", Sealer(KEY))))
    finally:
        reading.close()


@pytest.mark.parametrize("position", range(12))
def test_a_changed_byte_in_a_copy_is_found(written_journal: Path, tmp_path: Path, position: int) -> None:
    copy = tmp_path / "copy.db"
    data = bytearray(written_journal.read_bytes())
    sequence = 100 if position % 2 else 101
    start = data.index(f"frame-{sequence}".encode())
    data[start - 20 + position * 2] ^= 0x04
    copy.write_bytes(data)

    assert replay_of(written_journal) == 200
    with pytest.raises(ValueError, match="journal of table 'T1', sequence"):
        replay_of(copy)


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        (
            "UPDATE events SET payload = '{\"round\":7}' WHERE sequence = 50",
            "sequence 50: the chain hash is wrong",
        ),
        ("UPDATE events SET actor_name = 'Bo' WHERE sequence = 50", "sequence 50: the chain hash is wrong"),
        ("UPDATE events SET chain = zeroblob(32) WHERE sequence = 50", "sequence 50: the chain hash is wrong"),
        ("DELETE FROM events WHERE sequence = 50", "sequence 50: a row is missing: the next one is 51"),
        ("DELETE FROM events WHERE sequence = 1", "sequence 1: a row is missing: the next one is 2"),
        ("UPDATE events SET payload = CAST('{}' AS BLOB) WHERE sequence = 50", "sequence 50: the chain hash"),
    ],
)
def test_an_edited_row_is_named(written_journal: Path, tmp_path: Path, statement: str, sentence: str) -> None:
    copy = Path(shutil.copy(written_journal, tmp_path / "copy.db"))
    editing = sqlite3.connect(copy)
    editing.execute(statement)
    editing.commit()
    editing.close()

    with pytest.raises(ValueError, match=f"journal of table 'T1', {sentence}"):
        replay_of(copy)


WRITER = """
import asyncio, sys
from pathlib import Path
from journal_entries import entry, moved, open_journal, paid

async def write(journal, sequence):
    while True:
        await journal.append(entry("T1", sequence, paid("cashier", "player:ann", 1)))
        print(sequence, flush=True)
        sequence += 1

journal = open_journal(Path(sys.argv[1]))
asyncio.run(write(journal, sum(1 for _ in journal.replay("T1")) + 1))
"""


def test_a_killed_writer_loses_nothing_it_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "studio.db"
    points = random.Random(7)  # noqa: S311 - where to kill is no secret
    environment = os.environ | {"PYTHONPATH": os.pathsep.join((str(ROOT), str(Path(__file__).parent)))}
    acknowledged = 0
    for _ in range(10):
        with subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True, env=environment
        ) as writing:
            assert writing.stdout is not None
            for _ in range(points.randint(1, 60)):
                acknowledged = int(writing.stdout.readline())
            writing.send_signal(signal.SIGKILL)
            acknowledged = max([acknowledged, *(int(line) for line in writing.stdout if line.endswith("\n"))])
        store = open_store(path)
        sequences = [one.sequence for one in SqliteJournal(store, Sealer(KEY)).replay("T1")]
        assert len(sequences) in {acknowledged, acknowledged + 1}
        assert store.committed.balance("player:ann", "EUR") == len(sequences)
        store.close()
