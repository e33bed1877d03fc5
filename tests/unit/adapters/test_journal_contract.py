"""What every journal does, in memory and on SQLite alike (the contract of studio.ports.journal)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from event_samples import SAMPLES
from journal_entries import ANN, entry, moved, open_journal, paid, recorded
from memory_journal import MemoryJournal

from studio.domain.instants import Instant
from studio.ports.journal import Entry, Journal, JournalError, Receipt, Refusal


@pytest.fixture(params=["memory", "sqlite"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Journal]:
    if request.param == "memory":
        yield MemoryJournal()
        return
    opened = open_journal(tmp_path / "studio.db")
    yield opened
    opened.close()


async def test_every_event_comes_back_as_it_was(journal: Journal) -> None:
    written = tuple(recorded("T1", number, event, b"\x00raw") for number, event in enumerate(SAMPLES, start=1))
    await journal.append(Entry(written[:3]))
    await journal.append(Entry(written[3:]))

    assert tuple(journal.replay("T1")) == written


async def test_tables_have_streams_of_their_own(journal: Journal) -> None:
    await journal.append(entry("T1", 1))
    await journal.append(entry("T2", 1))
    await journal.append(Entry((recorded("T1", 2), recorded("T2", 2))))

    assert [(one.table, one.sequence) for one in journal.replay("T1")] == [("T1", 1), ("T1", 2)]
    assert [(one.table, one.sequence) for one in journal.replay("T2")] == [("T2", 1), ("T2", 2)]
    assert list(journal.replay("T3")) == []


@pytest.mark.parametrize("sequence", [0, 1, 3])
async def test_a_sequence_that_is_not_the_next_is_refused(journal: Journal, sequence: int) -> None:
    await journal.append(entry("T1", 1))

    with pytest.raises(JournalError):
        await journal.append(entry("T1", sequence))

    assert [one.sequence for one in journal.replay("T1")] == [1]
    await journal.append(entry("T1", 2))


async def test_an_entry_is_written_whole_or_not_at_all(journal: Journal) -> None:
    receipt = Receipt("key-1", "f", 200, "{}")

    with pytest.raises(JournalError):
        await journal.append(Entry((recorded("T1", 1), recorded("T1", 3)), receipt=receipt))

    assert list(journal.replay("T1")) == []
    assert journal.receipt("key-1") is None


async def test_no_player_pays_more_than_there_is_and_nothing_is_written(journal: Journal) -> None:
    await journal.append(entry("T1", 1, paid("cashier", "player:ann", 500)))

    with pytest.raises(JournalError):
        await journal.append(
            Entry(
                (recorded("T1", 2), recorded("T1", 3)),
                (moved(paid("player:ann", "table:T1", 300)), moved(paid("player:ann", "table:T1", 201))),
                Receipt("key-1", "f", 200, "{}"),
            )
        )

    assert [one.sequence for one in journal.replay("T1")] == [1]
    assert journal.receipt("key-1") is None
    await journal.append(entry("T1", 2, paid("player:ann", "table:T1", 500)))


async def test_the_first_answer_to_a_key_is_kept(journal: Journal) -> None:
    first = Receipt("key-1", "f" * 64, 409, '{"code":"not-now"}')
    await journal.append(Entry(receipt=first, refusal=Refusal("T1", Instant(1, 2), ANN, "hit", "not-now", "Wait")))

    with pytest.raises(JournalError):
        await journal.append(Entry((recorded("T1", 1),), receipt=Receipt("key-1", "g", 200, "{}")))

    assert journal.receipt("key-1") == first
    assert journal.receipt("key-2") is None
    assert list(journal.replay("T1")) == []
