"""The demo's data folder: settings, people, and the tokens that only this folder's owner can read.

It knows the formats of the studio's files as its documentation gives them, and starts nothing.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import fcntl
import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

TABLE: Final = "t1"
SEATS: Final = range(1, 8)
CUT_POSITION: Final = 104
SHOE_SERIAL: Final = "51A00001"
_MARKER: Final = "demo-folder"
_LICENCE_DAYS: Final = 365
_OPENING_BALANCE: Final = 1_000_000


class DemoFolderError(ValueError):
    """The folder cannot be used for a demo; the text says what to do."""


@dataclass(frozen=True, slots=True)
class _Person:
    id: str
    name: str
    role: str
    seat: int | None = None
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)


@dataclass(frozen=True, slots=True)
class DemoFolder:
    """Where the demo's files lie, and the page's tokens."""

    path: Path
    settings: Path
    players: Path
    dealer: Path
    shoe_port: Path
    dealer_token: str = field(repr=False)
    supervisor_token: str = field(repr=False)


@contextlib.contextmanager
def taken(path: Path) -> Iterator[None]:
    """Make the folder and keep it for one demo until the block ends.

    Raises :class:`DemoFolderError` when another demo has it, and ``OSError`` when it cannot be made.
    """
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            message = f"another demo runs in {path}: stop it, or choose another folder with --data"
            raise DemoFolderError(message) from error
        yield
    finally:
        os.close(descriptor)


def make_demo_folder(path: Path, *, port: int, today: dt.date) -> DemoFolder:
    """Fill ``path`` for a demo on ``port``; what an earlier demo left there is deleted.

    The cards of its shoe went with its simulator, so its table could not go on anyway.
    Raises :class:`DemoFolderError` for a folder with something else in it, and ``OSError``.
    """
    path = path.resolve()
    marker = path / _MARKER
    if path.exists() and any(path.iterdir()) and not marker.is_file():
        message = f"{path} holds other things than a demo: choose a new or empty folder with --data"
        raise DemoFolderError(message)
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    _empty(path)
    marker.touch()

    dealer = _Person("dealer-1", "Dealer 1", "dealer")
    supervisor = _Person("supervisor-1", "Supervisor 1", "supervisor")
    technician = _Person("technician-1", "Technician 1", "technician")
    players = [_Person(f"player-{seat}", f"Player {seat}", "player", seat) for seat in SEATS]
    staff = (dealer, supervisor, technician)
    folder = DemoFolder(
        path=path,
        settings=path / "studio.toml",
        players=path / "players.toml",
        dealer=path / "dealer.token",
        shoe_port=path / "shoe",
        dealer_token=dealer.token,
        supervisor_token=supervisor.token,
    )
    folder.settings.write_text(_settings(port, folder.shoe_port), encoding="utf-8")
    licence_until = today + dt.timedelta(days=_LICENCE_DAYS)
    people = "\n".join(_person(each, licence_until) for each in (*staff, *players))
    (path / "people.toml").write_text(people, encoding="utf-8")
    _write_private(path / "tokens.toml", "".join(f"{each.id} = {_quoted(each.token)}\n" for each in staff))
    _write_private(folder.dealer, dealer.token)
    _write_private(folder.players, "\n".join(_player(each) for each in players))
    return folder


def _settings(port: int, shoe_port: Path) -> str:
    return f"""\
# Written by `studio demo`; the next one writes it anew.

[studio]
mode = "simulation"
data = "journal"
people = "people.toml"
key_file = "studio.key"
host = "127.0.0.1"
port = {port}

[[tables]]
id = {_quoted(TABLE)}
name = "Demo table"
variant = "deluxe"
cut_position = {CUT_POSITION}

[tables.limits]
currency = "EUR"
minimum = 500
maximum = 50000
increment = 100

[tables.allowances]
betting_ms = 8000
insurance_ms = 4000
decision_ms = 6000

[tables.reader]
driver = "smartshoe"
device = "shoe-1"
settings = {{ port = {_quoted(str(shoe_port))}, serial = {_quoted(SHOE_SERIAL)}, simulated = true }}
"""


def _person(person: _Person, licence_until: dt.date) -> str:
    lines = [
        "[[people]]",
        f"id = {_quoted(person.id)}",
        f"name = {_quoted(person.name)}",
        f"roles = [{_quoted(person.role)}]",
        f"token_sha256 = {_quoted(hashlib.sha256(person.token.encode()).hexdigest())}",
    ]
    if person.role == "dealer":
        lines.append(f"licence_until = {licence_until.isoformat()}")
    if person.role == "player":
        lines.append(f"opening_balance = {_OPENING_BALANCE}")
    return "\n".join(lines) + "\n"


def _player(person: _Person) -> str:
    strategy = "easy" if person.seat in {2, 6} else "normal"
    return f"""\
[[players]]
token = {_quoted(person.token)}
seat = {person.seat}
strategy = {_quoted(strategy)}
"""


def _empty(folder: Path) -> None:
    for entry in folder.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()


def _quoted(text: str) -> str:
    # A JSON string is a TOML basic string.
    return json.dumps(text, ensure_ascii=True)


def _write_private(path: Path, text: str) -> None:
    """Write a file that nobody else can read, not even while it is being written."""
    path.unlink(missing_ok=True)
    path.touch(mode=0o600)
    path.write_text(text, encoding="utf-8")
