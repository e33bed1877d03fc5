"""A studio's currencies: a balance in each, and virtual units that never become money (rules.md M3, M4)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from studio.adapters.sqlite_wallet import SqliteWallet
from studio.app import run_studio, table_setup
from studio.domain.commands import Command
from studio.domain.money import VIRTUAL_UNITS
from studio.runtime.names import command_name
from studio.settings import (
    LimitsSettings,
    Mode,
    ReaderSettings,
    ServerSettings,
    Settings,
    SettingsError,
    TableSettings,
)

PAYS_OUT = re.compile("withdraw|convert|exchange|cash|pay|transfer|deposit|redeem")

PEOPLE = f"""
[[people]]
id = "pam"
name = "Pam"
roles = ["player"]
token_sha256 = "{"0" * 64}"
opening_balance = 5000
"""


def table(name: str, variant: str, currency: str, folder: Path) -> TableSettings:
    reader = {"port": str(folder / name), "serial": "51A00001", "simulated": True}
    return TableSettings(
        id=name,
        name=name,
        variant=variant,
        real_shoe=variant == "european",
        limits=LimitsSettings(currency=currency),
        reader=ReaderSettings(driver="smartshoe", device=f"reader-{name}", settings=reader),
    )


def studio_settings(folder: Path, *tables: TableSettings) -> Settings:
    (folder / "people.toml").write_text(PEOPLE, encoding="utf-8")
    server = ServerSettings(
        mode=Mode.SIMULATION,
        data=folder / "data",
        people=folder / "people.toml",
        key_file=folder / "studio.key",
        signing_key_file=folder / "signing.key",
    )
    return Settings(studio=server, tables=tables)


async def test_a_player_has_a_balance_in_each_currency_of_the_tables(tmp_path: Path) -> None:
    settings = studio_settings(
        tmp_path,
        table("t1", "deluxe", "EUR", tmp_path),
        table("t2", "infinite", "USD", tmp_path),
        table("t3", "european", VIRTUAL_UNITS, tmp_path),
        table("t4", "european", VIRTUAL_UNITS, tmp_path),
    )
    for _ in range(2):  # the second start finds everything booked
        async with run_studio(settings) as studio:
            balances = {name: wallet.available("player:pam") for name, wallet in studio.wallets.items()}
            assert balances == {"EUR": 5000, "USD": 5000, VIRTUAL_UNITS: 5000}
            reserved = studio.wallets[VIRTUAL_UNITS].reserve("player:pam", 5000)
            assert reserved is not None
            assert studio.wallets["EUR"].available("player:pam") == 5000
            assert studio.wallets["EUR"].totals() == {"EUR": 0, "USD": 0, VIRTUAL_UNITS: 0}


@pytest.mark.parametrize(
    ("variant", "currency", "sentence"),
    [
        ("european", "EUR", 'plays for virtual units: set currency = "XXX"'),
        ("deluxe", VIRTUAL_UNITS, "plays for money, and XXX is no currency"),
    ],
)
def test_money_and_virtual_units_are_never_kept_in_one_currency(
    tmp_path: Path, variant: str, currency: str, sentence: str
) -> None:
    with pytest.raises(SettingsError, match=sentence):
        table_setup(table("t1", variant, currency, tmp_path), Mode.SIMULATION)


async def test_m4_nothing_withdraws_or_converts(tmp_path: Path) -> None:
    """No path, no command and no act of the wallet takes anything out or turns it into something else."""
    async with run_studio(studio_settings(tmp_path, table("t1", "european", VIRTUAL_UNITS, tmp_path))) as studio:
        paths = list(studio.application.openapi()["paths"])
    commands = [command_name(object.__new__(kind)) for kind in get_args(Command)]
    acts = {name for name in vars(SqliteWallet) if not name.startswith("_")}

    assert paths
    assert not [name for name in (*paths, *commands) if PAYS_OUT.search(name)]
    assert acts == {"available", "reserve", "release", "deposit", "statement", "totals"}
