"""A copied journal with one byte changed: ``verify`` fails, and names the row (system.md principle 8)."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from support.actors import KEY
from support.proved_journal import SIGNER, check, play, verifier

from studio.adapters import sqlite_ledger
from studio.adapters.sealing import Sealer
from studio.adapters.signing import Signer, load_verifier, new_private_pem
from studio.adapters.sqlite_rows import chain_of
from studio.adapters.sqlite_schema import expected_layout
from studio.adapters.sqlite_store import SqliteStore
from studio.domain import progress
from studio.domain.bets import ResultBatch, results_of
from studio.domain.rules import RuleSet
from studio.domain.settlement import settle
from studio.domain.table import Round
from studio.proof.report import Broken, Progress
from studio.proof.verify import Keys, verify

ORDER = {
    "meta": "key",
    "events": "table_id, sequence",
    "transfers": "id",
    "balances": "account, currency",
    "transfer_batches": "table_id, sequence",
    "receipts": "key",
    "refusals": "number",
    "records": "number",
    "checkpoints": "number",
    "custody": "number",
}


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("proved") / "journal.sqlite"
    asyncio.run(play(path))
    return path


@pytest.fixture
def copy(journal: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(journal, tmp_path / "journal.sqlite"))


def rows(path: Path, table: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        connection.text_factory = bytes
        return connection.execute(f"SELECT * FROM {table} ORDER BY {ORDER[table]}").fetchall()  # noqa: S608 - ours


def edit(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def places() -> list[tuple[str, str]]:
    """Return every column of every table that has rows."""
    with closing(sqlite3.connect(":memory:")) as connection:
        for text in expected_layout().values():
            connection.execute(text)
        infos = {table: connection.execute(f"PRAGMA table_info({table})").fetchall() for table in ORDER}
        filled = (table for table in ORDER if table != "transfer_batches")
        return [(table, name) for table in filled for _, name, *_ in infos[table]]


def test_an_untouched_journal_is_whole(journal: Path) -> None:
    report = check(journal)

    assert report.broken == []
    assert report.checked["events"] == len(rows(journal, "events")) > 40
    assert report.checked["transfers"] == 8
    assert report.checked["records"] == len(rows(journal, "records"))
    assert report.checked["checkpoints"] == 2


@pytest.mark.parametrize(("table", "column"), places())
@settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_one_byte_changed_in_any_column_of_any_row_is_named(
    journal: Path, tmp_path: Path, table: str, column: str, data: st.DataObject
) -> None:
    path = Path(shutil.copy(journal, tmp_path / "journal.sqlite"))
    keys = ORDER[table].split(", ")
    with closing(sqlite3.connect(path)) as connection:
        connection.text_factory = bytes
        wanted = f"SELECT {', '.join(keys)}, typeof({column}), {column} FROM {table} ORDER BY {ORDER[table]}"  # noqa: S608 - ours
        *identity, kind, value = data.draw(st.sampled_from(connection.execute(wanted).fetchall()))
        changed = data.draw(one_byte_changed(value))
        condition = " AND ".join(f"CAST({key} AS BLOB) = CAST(? AS BLOB)" for key in keys)
        new = "CAST(? AS TEXT)" if kind == b"text" else "?"
        connection.execute("PRAGMA ignore_check_constraints = ON")
        # Nothing in the way of the change: an index over a payload takes no payload that is no JSON.
        for index in json_indexes(connection):
            connection.execute(f"DROP INDEX {index}")
        # A change of one byte may make the key of another row: SQLite has no place for it.
        statement = f"UPDATE OR IGNORE {table} SET {column} = {new} WHERE {condition}"  # noqa: S608 - ours
        connection.execute(statement, (changed, *identity))
        connection.commit()
    assume(rows(path, table) != rows(journal, table))

    report = check(path)

    assert report.broken
    assert names(report.broken[0], table, identity, changed if column in keys else None), report.broken[0]


def json_indexes(connection: sqlite3.Connection) -> list[str]:
    found = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql LIKE '%json_extract%'")
    return [name.decode() for (name,) in found.fetchall()]


def one_byte_changed(value: Any) -> st.SearchStrategy[Any]:
    if isinstance(value, int):
        return st.sampled_from([value ^ 1 << bit for bit in range(8)])
    if not value:
        return st.just(b"x")
    at = st.integers(0, len(value) - 1)
    return st.builds(
        lambda place, mask: value[:place] + bytes([value[place] ^ mask]) + value[place + 1 :],
        at,
        st.integers(1, 255),
    )


def names(broken: Broken, table: str, identity: list[Any], changed: Any) -> bool:
    """Tell whether a finding names the row, by its key as it was or as it was changed."""
    shown, new = [shown_as(one) for one in identity], shown_as(changed)
    match table:
        case "events":
            return broken.place in {f"table {shown[0]}", f"table {new}"} and broken.row in {
                f"row {shown[1]}",
                f"row {new}",
            }
        case "records" | "checkpoints":
            return broken.place == table and broken.row.split()[1] in {shown[0], new}
        case "balances":
            return broken.place == table and (broken.row == " ".join(shown) or new in broken.row)
        case _:
            return broken.place == table and broken.row in {shown[0], new}


def shown_as(value: Any) -> str:
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else str(value)


@settings(
    max_examples=100,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much],
    deadline=None,
)
@given(data=st.data())
def test_one_byte_changed_in_the_file_is_found_wherever_a_row_has_it(
    journal: Path, tmp_path: Path, data: st.DataObject
) -> None:
    content = bytearray(journal.read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    content[place] ^= data.draw(st.integers(1, 255))
    path = tmp_path / "journal.sqlite"
    path.write_bytes(content)
    assume(as_rows(path) != as_rows(journal))

    try:
        assert check(path).broken
    except ValueError as error:  # the file is no database any more
        assert "journal" in str(error)  # noqa: PT017 - one of two ways to fail
    for leftover in tmp_path.glob("journal.sqlite-*"):
        leftover.unlink()


def as_rows(path: Path) -> object:
    """Return every row of every table, or why they cannot be read."""
    try:
        return [rows(path, table) for table in ORDER]
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # of a broken layout Python reads the message
        return str(error)


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("DELETE FROM events WHERE sequence = 20", "table t1, row 20: a row is missing: the next one is 21"),
        ("DELETE FROM events WHERE sequence > 40", "table t1, row 41: it and what followed were cut off"),
        ("DELETE FROM transfers WHERE id = 't1:47:0'", "transfers, t1:47:0: it is missing"),
        ("DELETE FROM receipts WHERE key = 'open-1'", "receipts, open-1: it is missing"),
        ("DELETE FROM refusals", "refusals, 1: it is missing"),
        ("DELETE FROM records WHERE number > 9", "records, record 10: it and what followed were cut off"),
        ("DELETE FROM checkpoints WHERE number = 1", "checkpoints, checkpoint 1: a checkpoint is missing"),
        ("DELETE FROM balances WHERE account = 'house'", "balances, house EUR: it is missing"),
        ("INSERT INTO receipts VALUES ('new', 'f', 200, '')", "receipts, new: no record speaks of it"),
        (
            "INSERT INTO transfers VALUES ('t1:5:0', 1, 'house', 'player:anna', 'EUR', 5, 'won')",
            "transfers, t1:5:0: no record speaks of it",
        ),
        ("INSERT INTO meta VALUES ('note', 'x')", "meta, note: no studio writes such a row"),
        ("DROP INDEX transfers_to", "sqlite_schema, transfers_to: the table or index is not"),
        ("CREATE TABLE notes (text)", "sqlite_schema, notes: the table or index is not"),
        (
            "CREATE TRIGGER hides AFTER INSERT ON events BEGIN DELETE FROM receipts; END",
            "sqlite_schema, hides: the table or index is not",
        ),
    ],
)
def test_what_was_taken_out_or_put_in_is_named(copy: Path, statement: str, named: str) -> None:
    edit(copy, statement)

    assert str(check(copy).broken[0]).startswith(named)


async def test_transfers_in_columns_are_derived_again_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table with very many players keeps an event's transfers in one row; whoever checks needs no such limit."""
    path = tmp_path / "journal.sqlite"
    with monkeypatch.context() as few:
        few.setattr(sqlite_ledger, "BATCH_FROM", 2)
        await play(path, rounds=1)
    report = check(path)
    assert report.broken == []
    assert rows(path, "transfer_batches")
    edit(path, "UPDATE transfer_batches SET columns = replace(columns, '1000', '1001')")
    (row,) = rows(path, "transfer_batches")
    broken = check(path).broken
    assert (broken[0].place, broken[0].row) == ("transfer_batches", f"t1:{row[1]}")


@pytest.mark.parametrize("column", ["wall_ns", "currency", "sequence"])
async def test_every_column_of_such_a_row_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, column: str
) -> None:
    path = tmp_path / "journal.sqlite"
    with monkeypatch.context() as few:
        few.setattr(sqlite_ledger, "BATCH_FROM", 2)
        await play(path, rounds=1)
    (row,) = rows(path, "transfer_batches")
    edit(path, f"UPDATE transfer_batches SET {column} = {column} || '1'")  # noqa: S608 - ours
    assert any(
        one.row in {f"t1:{row[1]}", f"t1:{row[1]}1"} or one.row.startswith(f"t1:{row[1]}:")
        for one in check(path).broken
    )


@pytest.mark.parametrize("schema", ["1", "0", "3", "12", "", "\x00"])
def test_another_schema_than_the_tables_have_is_named_and_no_studio_starts_on_it(copy: Path, schema: str) -> None:
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("UPDATE meta SET value = ? WHERE key = 'schema'", (schema,))
        connection.commit()
    assert (check(copy).broken[0].place, check(copy).broken[0].row) == ("meta", "schema")
    before = copy.read_bytes()
    with pytest.raises(ValueError, match="schema"):
        SqliteStore(copy, simulated=True)
    assert copy.read_bytes() == before


def test_a_further_index_is_no_change_of_what_is_there(copy: Path) -> None:
    edit(copy, "CREATE INDEX by_name ON events (name)")
    assert check(copy).broken == []


def test_a_row_and_its_whole_chain_made_anew_do_not_match_what_was_signed(copy: Path) -> None:
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("UPDATE events SET actor_name = 'Bo' WHERE sequence = 12")
        chain = bytes(32)
        for *columns, _ in connection.execute("SELECT * FROM events ORDER BY sequence").fetchall():
            chain = chain_of(chain, tuple(columns))
            connection.execute("UPDATE events SET chain = ? WHERE sequence = ?", (chain, columns[1]))
        connection.commit()

    (broken,) = check(copy).broken
    assert str(broken).startswith("table t1, row 30: it is not the row that checkpoint 1 signed")


async def test_a_wrong_settlement_is_found_although_everything_else_agrees(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The results are computed again: a studio that paid wrongly has signed what shows it."""

    def pays_double(rules: RuleSet, current: Round) -> ResultBatch:
        results = settle(rules, current)
        return results_of(*(one._replace(returned=2 * one.returned) for one in results))

    monkeypatch.setattr(progress, "settle", pays_double)
    await play(tmp_path / "journal.sqlite", rounds=1)

    (broken,) = check(tmp_path / "journal.sqlite").broken
    assert str(broken).startswith("table t1, row 29: its results are not what the rules give")


def test_another_signing_key_is_refused(copy: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.pub"
    other.write_bytes(Signer(new_private_pem()).public_pem)

    report = verify(copy, Keys(Sealer(KEY), load_verifier([other])), Progress(None))

    assert str(report.broken[0]).startswith(f"checkpoints, checkpoint 1: it is signed under key {SIGNER.key_id!r}")


def test_another_sealing_key_opens_nothing_and_the_row_is_named(copy: Path) -> None:
    report = verify(copy, Keys(Sealer(bytes(32)), verifier(copy.parent)), Progress(None))

    assert "the seal of" in str(report.broken[0])


def test_without_keys_chains_and_sums_are_still_checked_and_said(copy: Path) -> None:
    report = verify(copy, Keys(), Progress(None))

    assert report.broken == []
    assert report.notes == [
        "no public key was given: signatures were not checked",
        "no sealing key was given: nothing was replayed",
    ]
    edit(copy, "UPDATE transfers SET amount = 601 WHERE id = 't1:47:0'")
    assert str(verify(copy, Keys(), Progress(None)).broken[0]).startswith("transfers, t1:47: ")
