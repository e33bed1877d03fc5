"""The folder of a whole studio for system tests: settings, people with their tokens, and where things are kept.

It knows the formats of the studio's files and starts nothing.
"""

from __future__ import annotations

import hashlib
import json
import socket
from dataclasses import dataclass, field
from pathlib import Path

from hardware_sim.protocols import PROTOCOLS

TABLE = "t1"
SHOE_SERIAL = "51A00001"
SECOND_READER = "shoe-2"
SECOND_SERIAL = "51A00002"
SECOND_READER_MS = 3_000
"""Far more than any machine is late with a second reading; a missing one is waited for as long."""
DEALER = "dora"
SUPERVISOR = "sam"
OPENING_BALANCE = 1_000_000
MINIMUM_BET = 500
MAXIMUM_BET = 50_000


@dataclass(frozen=True, slots=True)
class Pace:
    """The table's time allowances and its ruling profile's times, in milliseconds."""

    betting_ms: int = 600
    insurance_ms: int = 500
    decision_ms: int = 1_500
    resume_grace_ms: int = 400
    minimum_draw_interval_ms: int = 20
    quiet_after_burn_ms: int = 50


@dataclass(frozen=True, slots=True)
class StudioFolder:
    """A studio's files below ``path``; its server listens on loopback ``port``."""

    path: Path
    port: int
    players: tuple[str, ...]
    cut_position: int
    pace: Pace = field(default_factory=Pace)
    shoe_control: bool = False
    driver: str = "smartshoe"
    second_reader: bool = False
    """Whether another simulated reader, on :attr:`second_port`, is the table's second witness."""
    camera: str = ""
    """The table's section ``[tables.camera]``, as it is to be written."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def settings(self) -> Path:
        return self.path / "studio.toml"

    @property
    def shoe_port(self) -> Path:
        """Where the simulated shoe's serial port appears."""
        return self.path / "shoe"

    @property
    def second_port(self) -> Path:
        """Where the second reader's serial port appears."""
        return self.path / "second-reader"

    @property
    def journal(self) -> Path:
        return self.path / "journal" / "journal.sqlite"

    @property
    def key_file(self) -> Path:
        return self.path / "studio.key"

    def token(self, person: str) -> str:
        """Return a person's token: worth nothing outside the folder of one test."""
        return f"token-of-{person}-in-a-test"

    def write(self) -> None:
        """Write the settings and the people's file."""
        self.path.mkdir(parents=True, exist_ok=True)
        self.settings.write_text(self._settings(), encoding="utf-8")
        people = [
            self._person(DEALER, "dealer", "licence_until = 2099-12-31"),
            self._person(SUPERVISOR, "supervisor"),
        ]
        people += [self._person(each, "player", f"opening_balance = {OPENING_BALANCE}") for each in self.players]
        (self.path / "people.toml").write_text("\n".join(people), encoding="utf-8")

    def _settings(self) -> str:
        pace = self.pace
        return f"""\
[studio]
mode = "simulation"
data = "journal"
port = {self.port}

[[tables]]
id = "{TABLE}"
name = "Table under test"
cut_position = {self.cut_position}
shoe_control = {str(self.shoe_control).lower()}
limits = {{ currency = "EUR", minimum = {MINIMUM_BET}, maximum = {MAXIMUM_BET}, increment = 100 }}

[tables.allowances]
betting_ms = {pace.betting_ms}
insurance_ms = {pace.insurance_ms}
decision_ms = {pace.decision_ms}

[tables.profile]
resume_grace_ms = {pace.resume_grace_ms}
minimum_draw_interval_ms = {pace.minimum_draw_interval_ms}
quiet_after_burn_ms = {pace.quiet_after_burn_ms}

[tables.reader]
driver = "{self.driver}"
device = "shoe-1"
settings = {{ port = {json.dumps(str(self.shoe_port))}, {self._driver_settings()}simulated = true }}
{self._second_reader() if self.second_reader else ""}{self.camera}"""

    def _second_reader(self) -> str:
        return f"""
[tables.second_reader]
driver = "smartshoe"
device = "{SECOND_READER}"
settings = {{ port = {json.dumps(str(self.second_port))}, serial = "{SECOND_SERIAL}", simulated = true }}
offset_ms = {SECOND_READER_MS}
deadline_ms = {SECOND_READER_MS}
"""

    def _driver_settings(self) -> str:
        """Return what the driver of the simulated reader needs beside its port."""
        settings = {"serial": SHOE_SERIAL} if self.driver == "smartshoe" else PROTOCOLS[self.driver].settings
        return "".join(f"{name} = {json.dumps(value)}, " for name, value in settings.items())

    def _person(self, person: str, role: str, more: str = "") -> str:
        digest = hashlib.sha256(self.token(person).encode()).hexdigest()
        return f"""\
[[people]]
id = "{person}"
name = "{person.title()}"
roles = ["{role}"]
token_sha256 = "{digest}"
{more}
"""


def make_studio_folder(
    path: Path,
    *players: str,
    cut_position: int = 330,
    pace: Pace | None = None,
    shoe_control: bool = False,
    driver: str = "smartshoe",
) -> StudioFolder:
    """Write a studio with one table on a free port; the cut card lies before the last ``cut_position`` cards."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = int(listener.getsockname()[1])
    folder = StudioFolder(path, port, players, cut_position, pace or Pace(), shoe_control, driver)
    folder.write()
    return folder
