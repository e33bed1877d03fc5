"""The check of everything besides events: records and what they are about, balances, the file's own words."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from typing import Final

from studio.adapters.chain import START, digest_of
from studio.adapters.sqlite_records import Record, RecordKind, check_record, read_records, rows_of
from studio.adapters.sqlite_schema import META_KEYS, expected_layout, layout_of
from studio.domain.money import player_account
from studio.proof.report import Broken, Progress, Report, named_row

_TABLE_OF: Final = {
    RecordKind.META: "meta",
    RecordKind.MOVES: "transfers",
    RecordKind.DEPOSIT: "transfers",
    RecordKind.RECEIPT: "receipts",
    RecordKind.REFUSAL: "refusals",
    RecordKind.CUSTODY: "custody",
}
MOVE_COLUMNS: Final = 7
"""Of a transfer's row; that of a batch has fewer."""
_REMOVABLE: Final = frozenset({RecordKind.RECEIPT, RecordKind.REFUSAL})
"""What a retention act may have taken out."""
_UNRECORDED: Final = {
    "receipts": "SELECT key FROM receipts WHERE key NOT IN (SELECT id FROM records WHERE kind = 'receipt')",
    "refusals": (
        "SELECT number FROM refusals"
        " WHERE CAST(number AS TEXT) NOT IN (SELECT id FROM records WHERE kind = 'refusal')"
    ),
    "custody": (
        "SELECT number FROM custody"
        " WHERE CAST(number AS TEXT) NOT IN (SELECT id FROM records WHERE kind = 'custody')"
    ),
    "transfers": (
        "SELECT id FROM transfers WHERE CASE WHEN id GLOB 'deposit:*'"
        " THEN id NOT IN (SELECT id FROM records WHERE kind = 'deposit')"
        " ELSE rtrim(id, '0123456789') NOT IN (SELECT id || ':' FROM records WHERE kind = 'moves') END"
    ),
    "transfer_batches": (
        "SELECT table_id || ':' || sequence FROM transfer_batches"
        " WHERE table_id || ':' || sequence NOT IN (SELECT id FROM records WHERE kind = 'moves')"
    ),
}


def check_records(
    connection: sqlite3.Connection,
    signed: dict[int, bytes],
    removed_through: int,
    report: Report,
    progress: Progress,
) -> Iterator[Broken]:
    """Yield the first broken record, every row that is not as its record says, and every row without a record.

    ``signed`` are the chain hashes that checkpoints signed, by the record's number; up to record
    ``removed_through`` receipts and refusals may have been taken out.
    """
    (total,) = connection.execute("SELECT count(*) FROM records").fetchone()
    previous, wanted, named = START, 1, "1"
    try:
        for found in progress.over(read_records(connection), "records", total):
            named = f"{named_row(found.number, wanted)}"
            check_record(found, previous, wanted)
            if signed.get(wanted, found.chain) != found.chain:
                message = "it is not the record that a checkpoint signed"
                raise ValueError(message)  # noqa: TRY301 - the same answer as for a broken chain
            yield from _check_rows(connection, found, wanted <= removed_through)
            report.checked["records"] += 1
            previous, wanted = found.chain, wanted + 1
    except (ValueError, TypeError, sqlite3.DatabaseError) as error:
        yield Broken("records", f"record {named}", str(error))
        return
    if signed and max(signed) >= wanted:
        yield Broken("records", f"record {wanted}", "it and what followed were cut off: a checkpoint signed more")
        return
    for table, query in _UNRECORDED.items():
        for (id_,) in connection.execute(query):
            yield Broken(table, f"{id_}", "no record speaks of it: it was not written by a studio")


def _check_rows(connection: sqlite3.Connection, found: Record, may_be_gone: bool) -> Iterator[Broken]:  # noqa: FBT001
    kind = RecordKind(found.kind)
    rows = rows_of(connection, kind, found.id)
    if not rows and may_be_gone and kind in _REMOVABLE:
        return
    try:
        is_same = digest_of(rows) == found.digest
    except (ValueError, TypeError):
        is_same = False
    if not is_same:
        reason = (
            f"it is {'not as it was written' if rows else 'missing'}: record {found.number} has another digest"
        )
        in_columns = kind is RecordKind.MOVES and any(len(row) != MOVE_COLUMNS for row in rows)
        yield Broken("transfer_batches" if in_columns else _TABLE_OF[kind], found.id, reason)


def check_balances(connection: sqlite3.Connection, progress: Progress) -> Iterator[Broken]:
    """Yield every balance that is not the sum of the account's transfers, or is missing, or has none."""
    sums: Counter[tuple[str, str]] = Counter()
    (total,) = connection.execute("SELECT count(*) FROM transfers").fetchone()
    moves = connection.execute("SELECT source, target, currency, amount FROM transfers")
    for source, target, currency, amount in progress.over(moves, "transfers", total):
        _move(sums, source, target, currency, amount)
    for currency, columns in connection.execute("SELECT currency, columns FROM transfer_batches"):
        _add_batch(sums, currency, columns)
    for account, currency, amount in connection.execute("SELECT account, currency, amount FROM balances"):
        # An account without a transfer has no row, one whose transfers sum to zero has.
        summed = sums.pop((account, currency)) if (account, currency) in sums else None
        if amount != summed or type(amount) is not int:
            said = "there are none" if summed is None else f"they sum to {summed}"
            yield Broken("balances", f"{account} {currency}", f"it says {amount!r}; of its transfers, {said}")
    for (account, currency), amount in sums.items():
        yield Broken("balances", f"{account} {currency}", f"it is missing: its transfers sum to {amount}")


def _move(sums: Counter[tuple[str, str]], source: str, target: str, currency: str, amount: object) -> None:
    if isinstance(amount, int):
        sums[source, currency] -= amount
        sums[target, currency] += amount


def _add_batch(sums: Counter[tuple[str, str]], currency: str, columns: str) -> None:
    try:
        legs, others = json.loads(columns)
        for _, account, pays, players, amounts in legs:
            for player, amount in zip(map(player_account, players), amounts, strict=True):
                source, target = (player, account) if pays else (account, player)
                _move(sums, source, target, currency, amount)
        for source, target, moved, amount, _ in others:
            _move(sums, source, target, moved, amount)
    except (ValueError, TypeError):
        return  # the row is named by its record


def check_file(connection: sqlite3.Connection) -> Iterator[Broken]:
    """Yield what is wrong with the file's own words: its layout, its description, its inner order."""
    meta = {row[0] for row in connection.execute("SELECT key FROM meta")}
    for key in sorted(map(str, meta ^ META_KEYS)):
        yield Broken("meta", key, "it is missing" if key in META_KEYS else "no studio writes such a row")
    found, expected = layout_of(connection), expected_layout()
    for name in sorted(found.keys() | expected.keys()):
        # A further index changes what is found quickly, and nothing of what is there.
        is_index = name not in expected and found[name].startswith("CREATE INDEX")
        if found.get(name) != expected.get(name) and not is_index:
            yield Broken("sqlite_schema", name, "the table or index is not as a studio lays it out")
    for (said,) in connection.execute("PRAGMA integrity_check(5)"):
        if said != "ok":
            yield Broken("file", "inner order", said)
