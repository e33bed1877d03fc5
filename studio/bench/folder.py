"""The benchmark's own folder: settings, people and tokens of one simulated table, for as long as a run takes."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from studio.settings import (
    AllowanceSettings,
    LimitsSettings,
    Mode,
    ReaderSettings,
    ServerSettings,
    Settings,
    TableSettings,
)

TABLE: Final = "t1"
SEATS: Final = range(1, 8)
CUT_POSITION: Final = 104
SHOE_SERIAL: Final = "51A00001"
_LICENCE_DAYS: Final = 2
_OPENING_BALANCE: Final = 100_000_000
_BETTING_MS: Final = 1500
"""Long enough for automated players; the dealer waits for it each round."""


@dataclass(frozen=True, slots=True)
class BenchFolder:
    """Where the run's files lie; ``dealer_token`` opens the dealer's console."""

    path: Path
    settings: Settings
    dealer: Path
    watcher: Path
    players: Path
    shoe_port: Path
    dealer_token: str = field(repr=False)


def make_bench_folder(path: Path, now: dt.datetime) -> BenchFolder:
    """Write the people and their tokens into an empty folder."""
    tokens = {name: secrets.token_urlsafe(24) for name in ("dealer", "watcher")}
    seats = {f"player-{seat}": secrets.token_urlsafe(24) for seat in SEATS}
    licence_until = (now + dt.timedelta(days=_LICENCE_DAYS)).date()
    people = [
        _person("dealer", "dealer", tokens["dealer"], f"licence_until = {licence_until.isoformat()}"),
        _person("watcher", "player", tokens["watcher"]),
        *(
            _person(name, "player", token, f"opening_balance = {_OPENING_BALANCE}")
            for name, token in seats.items()
        ),
    ]
    players = (
        f'[[players]]\ntoken = "{token}"\nseat = {seat}\nstrategy = "normal"\n'
        for seat, token in zip(SEATS, seats.values(), strict=True)
    )
    folder = BenchFolder(
        path=path,
        settings=_settings(path),
        dealer=path / "dealer.token",
        watcher=path / "watcher.token",
        players=path / "players.toml",
        shoe_port=path / "shoe",
        dealer_token=tokens["dealer"],
    )
    _write_private(path / "people.toml", "\n".join(people))
    _write_private(folder.dealer, tokens["dealer"])
    _write_private(folder.watcher, tokens["watcher"])
    _write_private(folder.players, "\n".join(players))
    return folder


def _settings(path: Path) -> Settings:
    reader = {"port": str(path / "shoe"), "serial": SHOE_SERIAL, "simulated": True}
    table = TableSettings(
        id=TABLE,
        name="Bench table",
        variant="deluxe",
        cut_position=CUT_POSITION,
        shoe_control=False,
        limits=LimitsSettings(minimum=500, maximum=50_000, increment=100),
        allowances=AllowanceSettings(betting_ms=_BETTING_MS),
        reader=ReaderSettings(driver="smartshoe", device="shoe-1", settings=reader),
    )
    server = ServerSettings(
        mode=Mode.SIMULATION,
        data=path / "journal",
        people=path / "people.toml",
        key_file=path / "studio.key",
        signing_key_file=path / "signing.key",
    )
    return Settings(studio=server, tables=(table,))


def _person(name: str, role: str, token: str, *more: str) -> str:
    hashed = hashlib.sha256(token.encode()).hexdigest()
    lines = ("[[people]]", f'id = "{name}"', f'name = "{name}"', f"roles = {json.dumps([role])}")
    return "\n".join((*lines, f'token_sha256 = "{hashed}"', *more)) + "\n"


def _write_private(path: Path, text: str) -> None:
    path.touch(mode=0o600)
    path.write_text(text, encoding="utf-8")
