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
import socket
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from hardware_sim.camera.calibration_file import write_calibration
from hardware_sim.camera.deck_pictures import write_deck
from hardware_sim.demo_tables import DemoPlayer, DemoTable
from hardware_sim.protocols import DEFAULT_PROTOCOL, PROTOCOLS

_MARKER: Final = "demo-folder"
_CLOCK: Final = "server-clock"
_LICENCE_DAYS: Final = 365
_CARD_MS: Final = 700
_OPENING_BALANCE: Final = 1_000_000
FLOOR_NAME: Final = "Floor 1"


class DemoFolderError(ValueError):
    """The folder cannot be used for a demo; the text says what to do."""


@dataclass(frozen=True, slots=True)
class _Person:
    id: str
    name: str
    role: str
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)


@dataclass(frozen=True, slots=True)
class TableFiles:
    """One table's files and tokens: its simulated shoe's port, its dealer's sign-in, and a person's to play.

    ``clock`` says how far the server's clock is off; it is the same for all tables.
    """

    table: DemoTable
    shoe_port: Path
    dealer: Path
    relief: Path
    floor: Path
    clock: Path
    dealer_token: str = field(repr=False)
    guest_token: str = field(repr=False)
    control_port: int = 0
    """Of its simulator; 0 takes a free one."""
    calibration: Path | None = None
    """Its camera's."""
    deck: Path | None = None
    """Pictures of its deck, for the enrolment."""

    @property
    def enrolment(self) -> Path | None:
        """Where its deck's enrolment is written."""
        return self.deck and self.deck.with_name(f"{self.table.id}-enrolment.json")


@dataclass(frozen=True, slots=True)
class DemoFolder:
    """Where the demo's files lie, and the page's tokens."""

    path: Path
    settings: Path
    players: Path
    supervisor_token: str = field(repr=False)
    tables: tuple[TableFiles, ...]
    control_token: str = field(repr=False, default="")


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


def make_demo_folder(
    path: Path, tables: Sequence[DemoTable], *, port: int, today: dt.date, pace: float = 1.0
) -> DemoFolder:
    """Fill ``path`` for a demo of ``tables`` on ``port``; what an earlier demo left there is deleted.

    The cards of its shoes went with their simulators, so its tables could not go on anyway. ``pace`` is that of
    virtual shoes; simulated dealers have their own. Raises :class:`DemoFolderError` for a folder with something
    else in it, and ``OSError``.
    """
    path = path.resolve()
    marker = path / _MARKER
    if path.exists() and any(path.iterdir()) and not marker.is_file():
        message = f"{path} holds other things than a demo: choose a new or empty folder with --data"
        raise DemoFolderError(message)
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    _empty(path)
    marker.touch()

    supervisor = _Person("supervisor-1", "Supervisor 1", "supervisor")
    floor = _Person("floor-1", FLOOR_NAME, "supervisor")
    signing_in = [supervisor, floor, _Person("technician-1", "Technician 1", "technician")]
    floor_file = path / "floor.token"
    _write_private(floor_file, floor.token)
    automatons: list[_Person] = []
    players: list[str] = []
    files: list[TableFiles] = []
    for number, table in enumerate(tables, start=1):
        dealer = _Person(f"dealer-{number}", f"Dealer {number}", "dealer")
        guest = _Person(f"guest-{number}", f"Guest {number}", "player")
        automated = [
            _Person(f"{table.id}-player-{place}", f"Player {place}", "player")
            for place in range(1, len(table.players) + 1)
        ]
        relief = _Person(f"relief-{number}", f"Relief dealer {number}", "dealer")
        signing_in += (dealer, relief, guest)
        automatons += automated
        players += (_player(table, *each) for each in zip(automated, table.players, strict=True))
        token_file = path / f"{table.id}-dealer.token"
        _write_private(token_file, dealer.token)
        relief_file = path / f"{table.id}-relief.token"
        _write_private(relief_file, relief.token)
        port_link = path / f"{table.id}-shoe"
        people = (token_file, relief_file, floor_file)
        one = TableFiles(table, port_link, *people, path / _CLOCK, dealer.token, guest.token)
        files.append(_with_camera(one, path, number) if table.has_camera else one)
    control_token = secrets.token_urlsafe(24)
    places = path / "studio.toml", path / "players.toml"
    folder = DemoFolder(path, *places, supervisor.token, tuple(files), control_token)
    _write_private(folder.settings, _settings(port, files, pace, control_token))
    licence_until = today + dt.timedelta(days=_LICENCE_DAYS)
    text = "\n".join(_person(each, licence_until) for each in (*signing_in, *automatons))
    (path / "people.toml").write_text(text, encoding="utf-8")
    _write_private(path / "tokens.toml", "".join(f"{each.id} = {_quoted(each.token)}\n" for each in signing_in))
    _write_private(folder.players, "\n".join(players) if players else "players = []\n")
    return folder


def _with_camera(files: TableFiles, folder: Path, seed: int) -> TableFiles:
    """Return a table's files with its camera's: the studio must know the stream's port before it is opened."""
    calibration = folder / f"{files.table.id}-calibration.json"
    write_calibration(calibration, seed)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = int(listener.getsockname()[1])
    deck = folder / f"{files.table.id}-deck"
    write_deck(deck, seed)
    return replace(files, control_port=port, calibration=calibration, deck=deck)


def _settings(port: int, tables: Sequence[TableFiles], pace: float, key: str) -> str:
    head = f"""\
# Written by the demo; the next one writes it anew.

[studio]
mode = "simulation"
data = "journal"
people = "people.toml"
key_file = "studio.key"
simulated_clock = "{_CLOCK}"
host = "127.0.0.1"
port = {port}
"""
    return head + "".join(_table(each, pace) + _camera(each, key) for each in tables)


def _camera(files: TableFiles, key: str) -> str:
    if files.calibration is None:
        return ""
    settings = {
        "source": f"http://127.0.0.1:{files.control_port}/camera.mjpg?key={key}",
        "calibration": str(files.calibration),
        "enrolment": str(files.enrolment),
        "simulated": True,
    }
    return f"""
[tables.camera]
driver = "camera"
device = {_quoted(f"camera-{files.table.id}")}
mode = "fallback"
settings = {{ {", ".join(f"{name} = {_quoted(value)}" for name, value in settings.items())} }}
"""


def _table(files: TableFiles, pace: float) -> str:
    table = files.table
    cut_position = "" if table.cut_position is None else f"cut_position = {table.cut_position}\n"
    return f"""
[[tables]]
id = {_quoted(table.id)}
name = {_quoted(table.name)}
variant = {_quoted(table.variant)}
card_ms = {round(_CARD_MS / pace)}
{cut_position}
[tables.limits]
currency = {_quoted(table.currency)}
minimum = 500
maximum = 50000
increment = 100

[tables.allowances]
betting_ms = 8000
insurance_ms = 4000
decision_ms = 6000

[tables.reader]
{_reader(files)}"""


def _reader(files: TableFiles) -> str:
    table = files.table
    if not table.is_dealt_by_hand:
        return f"""\
driver = "virtual_shoe"
device = {_quoted(f"virtual-{table.id}")}
settings = {{}}
"""
    # Only smartshoe's has a serial number; others bring what their drivers must be told.
    own = {"serial": table.serial} if table.protocol == DEFAULT_PROTOCOL else PROTOCOLS[table.protocol].settings
    settings = {"port": str(files.shoe_port), **own, "simulated": True}
    return f"""\
driver = {_quoted(table.protocol)}
device = {_quoted(f"shoe-{table.id}")}
settings = {{ {", ".join(f"{name} = {_quoted(value)}" for name, value in settings.items())} }}
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


def _player(table: DemoTable, person: _Person, place: DemoPlayer) -> str:
    entry = {"token": person.token, "table": table.id, "seat": place.seat, "strategy": place.strategy}
    lines = (f"{name} = {_quoted(value)}\n" for name, value in {**entry, **place.habits}.items())
    return "[[players]]\n" + "".join(lines)


def _empty(folder: Path) -> None:
    for entry in folder.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()


def _quoted(value: object) -> str:
    # JSON's strings, numbers, booleans and arrays of them are TOML's.
    return json.dumps(value, ensure_ascii=True)


def _write_private(path: Path, text: str) -> None:
    """Write a file that nobody else can read, not even while it is being written."""
    path.unlink(missing_ok=True)
    path.touch(mode=0o600)
    path.write_text(text, encoding="utf-8")
