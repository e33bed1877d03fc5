"""What can be wrong with a machine's readers, one check each: findings with the fix for it.

Each check looks at paths that it is given, so that a test can show it any machine. None changes anything.
"""

from __future__ import annotations

import datetime as dt
import grp
import os
import shutil
import socket
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from drivers.serial_port import parse_address
from drivers.workbench.devices import stable_links
from drivers.workbench.drivers import ConfiguredSource, driver_names
from drivers.workbench.holders import holders

_DISK_WARN_MIB: Final = 2048
_DISK_STOP_MIB: Final = 512
_CONNECT_SECONDS: Final = 2.0
_MIB: Final = 1 << 20
_INTRUDERS: Final = {
    "ModemManager": "it sends modem commands to new serial ports: install deploy/60-studio-readers.rules, "
    "or `systemctl disable --now ModemManager`",
    "brltty": "it takes some serial adapters for braille displays: `apt remove brltty`, or mask its udev rules",
}


class Weight(StrEnum):
    """How bad a finding is."""

    OK = "ok"
    WARN = "warn"
    STOP = "stop"
    """A table cannot work until it is mended."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found; ``fix`` says what to do, empty where nothing is wrong."""

    weight: Weight
    text: str
    fix: str = ""


@dataclass(frozen=True, slots=True)
class Machine:
    """Where a check looks; a test gives it other places."""

    dev: Path = Path("/dev")
    proc: Path = Path("/proc")
    sys: Path = Path("/sys")
    may_open: Callable[[str], bool] = lambda node: os.access(node, os.R_OK | os.W_OK)


def check_driver(source: ConfiguredSource) -> Iterator[Finding]:
    """Look whether the driver is installed."""
    where = f"table {source.table}, {source.place}"
    if source.driver not in driver_names():
        yield Finding(
            Weight.STOP,
            f"{where}: there is no driver {source.driver!r}",
            f"install its package, or write one of {', '.join(driver_names())}",
        )


def check_port(source: ConfiguredSource, machine: Machine) -> Iterator[Finding]:
    """Look whether the port is there, may be opened and is free."""
    text = source.settings.get("port")
    if not isinstance(text, str):
        return
    where = f"table {source.table}, {source.place}"
    try:
        address = parse_address(text)
    except ValueError as error:
        yield Finding(Weight.STOP, f"{where}: {error}", _port_to_write(text, machine))
        return
    if address.path is None:
        yield from _check_network(where, address.text)
    else:
        yield from _check_path(where, Path(address.path), machine)


def _port_to_write(text: str, machine: Machine) -> str:
    """Return what to write for a port that is refused: the name that stays of what it is now, if there is one."""
    node = os.path.realpath(machine.dev / Path(text).name)
    link = stable_links(machine.dev).get(node)
    if link is None:
        return "correct `port` in the settings"
    return f'write `port = "{link}"`, if {text} is the right reader now: pass a card, and look with `studio sniff`'


def _check_network(where: str, text: str) -> Iterator[Finding]:
    parts = urlsplit(text)
    try:
        socket.create_connection((parts.hostname or "", parts.port or 0), _CONNECT_SECONDS).close()
    except OSError as error:
        fix = "switch the serial server on, look at its cable and its address; a firewall may be between"
        yield Finding(Weight.STOP, f"{where}: {text} does not answer: {error}", fix)
    else:
        yield Finding(Weight.OK, f"{where}: {text} answers")


def _check_path(where: str, path: Path, machine: Machine) -> Iterator[Finding]:
    if not path.exists():
        fix = "plug the reader in, or take the path that `studio devices` shows"
        yield Finding(Weight.STOP, f"{where}: nothing at {path}", fix)
        return
    node = os.path.realpath(path)
    for holder in holders(node, machine.proc):
        fix = f"stop it, unless it is the studio itself: `kill {holder.pid}`"
        yield Finding(Weight.WARN, f"{where}: {path} is held by process {holder.pid} ({holder.name})", fix)
    if not machine.may_open(node):
        group = grp.getgrgid(Path(node).stat().st_gid).gr_name
        fix = f"`usermod -aG {group} USER` for the studio's user, then log in anew or restart the service"
        yield Finding(Weight.STOP, f"{where}: this user may not open {path}", fix)
    else:
        yield Finding(Weight.OK, f"{where}: {path} is there and may be opened")
    yield from _check_latency(where, Path(node).name, machine)


def _check_latency(where: str, name: str, machine: Machine) -> Iterator[Finding]:
    """FTDI adapters keep bytes back for up to 16 ms unless they are told not to."""
    timer = machine.sys / "bus" / "usb-serial" / "devices" / name / "latency_timer"
    try:
        waits_ms = int(timer.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return  # another adapter, or none
    if waits_ms > 1:
        fix = f"install deploy/60-studio-readers.rules, or `echo 1 > {timer}`"
        yield Finding(Weight.WARN, f"{where}: the adapter keeps bytes for {waits_ms} ms", fix)


def check_intruders(machine: Machine) -> Iterator[Finding]:
    """Look for programs that open serial ports unasked."""
    for folder in machine.proc.iterdir():
        if not folder.name.isdigit():
            continue
        try:
            name = (folder / "comm").read_text(encoding="utf-8", errors="replace").strip()
        except OSError:
            continue
        if name in _INTRUDERS:
            yield Finding(Weight.WARN, f"{name} runs (process {folder.name})", _INTRUDERS[name])


def check_clock(
    machine: Machine, synchronised: Path = Path("/run/systemd/timesync/synchronized")
) -> Iterator[Finding]:
    """Look for a time service: records and video are found by the wall clock."""
    names = {
        (folder / "comm").read_text(encoding="utf-8", errors="replace").strip()
        for folder in machine.proc.iterdir()
        if folder.name.isdigit() and (folder / "comm").is_file()
    }
    if synchronised.exists() or names & {"chronyd", "ntpd", "ptp4l", "systemd-timesyn"}:
        yield Finding(Weight.OK, "a time service runs")
    else:
        fix = "`apt install chrony`, and give it the studio's time source"
        yield Finding(Weight.WARN, "no time service runs: the clock drifts", fix)


def check_disk(folder: Path, free_bytes: int | None = None) -> Iterator[Finding]:
    """Look whether there is room for the journal."""
    there = next((one for one in (folder, *folder.parents) if one.exists()), Path("/"))
    free = shutil.disk_usage(there).free if free_bytes is None else free_bytes
    text = f"{free // _MIB} MiB free at {folder}"
    if free < _DISK_STOP_MIB * _MIB:
        yield Finding(Weight.STOP, text, "free space: no round opens below the reserve")
    elif free < _DISK_WARN_MIB * _MIB:
        yield Finding(Weight.WARN, text, "free space soon, or move older records away (studio retain)")
    else:
        yield Finding(Weight.OK, text)


def check_secret(path: Path) -> Iterator[Finding]:
    """Look whether nobody but the studio may read a key."""
    if not path.exists():
        yield Finding(
            Weight.WARN, f"{path} is not there", "`studio keys new` makes it; a simulation does so itself"
        )
        return
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        yield Finding(Weight.STOP, f"{path} may be read by others ({mode:o})", f"`chmod 600 {path}`")
    else:
        yield Finding(Weight.OK, f"{path} is the studio's alone")


def check_year(now: dt.datetime) -> Iterator[Finding]:
    """Look whether the clock is set at all: a board without a battery starts in the past."""
    if now.year < 2025:  # noqa: PLR2004 - this program is younger than that
        yield Finding(Weight.STOP, f"the clock says {now:%Y-%m-%d}", "set it: `timedatectl set-ntp true`")
