"""The studio's own wallet: reservations, deposits once, sums of zero (rules.md M3)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from journal_entries import KEY, entry, open_store, paid, recorded

from studio.adapters.sealing import Sealer
from studio.adapters.sqlite_journal import SqliteJournal
from studio.adapters.sqlite_ledger import BATCH_FROM, StatementLine
from studio.adapters.sqlite_store import SqliteStore
from studio.adapters.sqlite_wallet import SqliteWallet
from studio.domain.instants import Instant
from studio.domain.money import Leg, Transfer, TransferBatch
from studio.ports.journal import Entry, JournalError
from studio.ports.wallet import Reservation, Wallet

AT = Instant(1, 1_600_000_000_000_000_000)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = open_store(tmp_path / "studio.db")
    yield opened
    opened.close()


@pytest.fixture
def wallet(store: SqliteStore) -> SqliteWallet:
    return SqliteWallet(store, "EUR")


async def test_a_deposit_counts_once_for_its_key(wallet: SqliteWallet) -> None:
    for _ in range(3):
        await wallet.deposit("ann", 500, "slip-1", AT)
    await wallet.deposit("ann", 500, "slip-2", AT)

    assert wallet.available("player:ann") == 1_000
    assert [(line.id, line.amount) for line in wallet.statement("ann")] == [
        ("deposit:slip-1", 500),
        ("deposit:slip-2", 500),
    ]


@pytest.mark.parametrize(("player", "amount"), [("bo", 500), ("ann", 501)])
async def test_a_key_that_was_used_for_another_deposit_is_refused(
    wallet: SqliteWallet, player: str, amount: int
) -> None:
    await wallet.deposit("ann", 500, "slip-1", AT)

    with pytest.raises(JournalError, match="deposit:slip-1 was booked before"):
        await wallet.deposit(player, amount, "slip-1", AT)

    assert (wallet.available("player:ann"), wallet.available("player:bo")) == (500, 0)


@pytest.mark.parametrize("amount", [0, -5])
async def test_amounts_are_positive(wallet: SqliteWallet, amount: int) -> None:
    with pytest.raises(JournalError, match="amounts are positive"):
        await wallet.deposit("ann", amount, "slip-1", AT)
    with pytest.raises(ValueError, match="amounts are positive"):
        wallet.reserve("player:ann", amount)


async def test_what_is_reserved_cannot_be_promised_again(wallet: Wallet) -> None:
    assert isinstance(wallet, SqliteWallet)
    await wallet.deposit("ann", 500, "slip-1", AT)

    first = wallet.reserve("player:ann", 300)
    assert wallet.reserve("player:ann", 201) is None
    second = wallet.reserve("player:ann", 200)

    assert first is not None
    assert second is not None
    assert wallet.available("player:ann") == 0
    wallet.release(first)
    wallet.release(first)
    assert wallet.available("player:ann") == 300
    wallet.release(second)
    assert wallet.available("player:ann") == 500


def test_an_unknown_account_has_nothing(wallet: SqliteWallet) -> None:
    assert wallet.available("player:nobody") == 0
    assert wallet.reserve("player:nobody", 1) is None
    wallet.release(Reservation(9, "player:nobody", 1))
    assert wallet.statement("nobody") == ()


async def test_the_balance_moves_with_the_event(store: SqliteStore, wallet: SqliteWallet) -> None:
    journal = SqliteJournal(store, Sealer(KEY))
    await wallet.deposit("ann", 500, "slip-1", AT)
    await journal.append(entry("T1", 1, paid("player:ann", "table:T1", 200)))
    await journal.append(entry("T1", 2, paid("table:T1", "player:ann", 200), paid("house", "player:ann", 300)))

    assert wallet.available("player:ann") == 800
    assert [(line.id, line.amount) for line in wallet.statement("ann")] == [
        ("deposit:slip-1", 500),
        ("T1:1:0", -200),
        ("T1:2:0", 200),
        ("T1:2:1", 300),
    ]
    assert wallet.totals() == {"EUR": 0}


async def test_balances_are_there_again_after_a_restart(tmp_path: Path) -> None:
    store = open_store(tmp_path / "again.db")
    await SqliteWallet(store, "EUR").deposit("ann", 500, "slip-1", AT)
    store.close()

    store = open_store(tmp_path / "again.db")
    assert SqliteWallet(store, "EUR").available("player:ann") == 500
    store.close()


async def test_currencies_are_kept_apart(store: SqliteStore, wallet: SqliteWallet) -> None:
    points = SqliteWallet(store, "FUN")
    await wallet.deposit("ann", 500, "slip-1", AT)
    await points.deposit("ann", 70, "slip-2", AT)

    assert (wallet.available("player:ann"), points.available("player:ann")) == (500, 70)
    assert [line.id for line in points.statement("ann")] == ["deposit:slip-2"]
    assert wallet.totals() == {"EUR": 0, "FUN": 0}


@pytest.mark.parametrize("size", [BATCH_FROM - 1, BATCH_FROM])
async def test_few_and_very_many_transfers_read_the_same(
    store: SqliteStore, wallet: SqliteWallet, size: int
) -> None:
    journal = SqliteJournal(store, Sealer(KEY))
    players = tuple(map(str, range(size)))
    deposits = Leg("deposit", "cashier", pays=False, players=players, amounts=(100,) * size)
    stakes = Leg(
        "main bet", "table:T1", pays=True, players=players, amounts=tuple(n % 50 + 1 for n in range(size))
    )
    side = Leg("pair bet", "table:T1", pays=True, players=players[-10:], amounts=(3,) * 10)
    lost = Transfer("table:T1", "house", "EUR", 20, "main lost")
    moves = (TransferBatch("EUR", (deposits,)), TransferBatch("EUR", (stakes, side), (lost,)))
    await journal.append(Entry((recorded("T1", 1), recorded("T1", 2)), moves))

    assert wallet.available("player:7") == 92
    assert wallet.statement("7") == (
        StatementLine("T1:1:7", recorded("T1", 1).at.wall_ns, "EUR", 100, "deposit"),
        StatementLine("T1:2:7", recorded("T1", 2).at.wall_ns, "EUR", -8, "main bet"),
    )
    last = wallet.statement(players[-1])
    assert [(line.id, line.amount) for line in last[2:]] == [(f"T1:2:{size + 9}", -3)]
    assert wallet.available("house") == 20
    assert wallet.totals() == {"EUR": 0}


async def test_one_player_short_among_many_refuses_all(store: SqliteStore, wallet: SqliteWallet) -> None:
    journal = SqliteJournal(store, Sealer(KEY))
    await wallet.deposit("ann", 100, "slip-1", AT)

    with pytest.raises(JournalError, match="player:bo lacks 1 minor units of EUR"):
        await journal.append(entry("T1", 1, paid("player:ann", "table:T1", 50), paid("player:bo", "table:T1", 1)))

    assert wallet.available("player:ann") == 100
    assert list(journal.replay("T1")) == []
    assert [line.id for line in wallet.statement("ann")] == ["deposit:slip-1"]


def test_the_database_itself_refuses_a_negative_player(store: SqliteStore) -> None:
    execute = store.writer._connection.execute
    execute("INSERT INTO balances VALUES ('house', 'EUR', -5)")

    with pytest.raises(Exception, match="CHECK constraint failed"):
        execute("INSERT INTO balances VALUES ('player:ann', 'EUR', -5)")
