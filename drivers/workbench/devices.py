"""``studio devices``: what is plugged in, what it could be, who uses it."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from serial.tools import list_ports

from drivers.workbench.drivers import ConfiguredSource, configured_sources
from drivers.workbench.holders import Holder, holders

ADAPTERS: Final[Mapping[tuple[int, int | None], tuple[str, tuple[str, ...]]]] = {
    (0x0403, None): ("FTDI serial adapter", ("smartshoe", "angel_eye", "bee_tek", "barcode_line", "ssi")),
    (0x067B, None): ("Prolific serial adapter", ("smartshoe", "angel_eye", "bee_tek", "barcode_line", "ssi")),
    (0x10C4, 0xEA60): ("Silicon Labs CP210x adapter", ("smartshoe", "barcode_line", "ssi")),
    (0x1A86, None): ("WCH CH34x adapter", ("smartshoe", "barcode_line")),
    (0x2341, None): ("Arduino board", ("smartshoe",)),
    (0x2E8A, None): ("Raspberry Pi Pico", ("smartshoe",)),
    (0x05E0, None): ("Zebra / Symbol scanner", ("ssi", "barcode_line", "evdev")),
    (0x0C2E, None): ("Honeywell scanner", ("barcode_line", "evdev")),
    (0x05F9, None): ("Datalogic scanner", ("barcode_line", "evdev")),
}
"""USB vendors and products (``None``: any) as the public USB id list has them, and the drivers to try first."""

_ANY_SERIAL: Final = ("smartshoe", "angel_eye", "bee_tek", "barcode_line", "ssi")


@dataclass(frozen=True, slots=True)
class FoundDevice:
    """A device of this machine.

    ``path`` is the name for a configuration, empty where it has none that stays; ``node`` what it is called now.
    """

    kind: str
    node: str
    path: str
    what: str
    could_be: tuple[str, ...]
    used_by: tuple[str, ...] = ()
    held_by: tuple[Holder, ...] = ()


def serial_devices(dev: Path = Path("/dev")) -> Iterator[FoundDevice]:
    """Yield the serial ports, by what their USB adapter says of itself."""
    stable = stable_links(dev)
    for port in sorted(list_ports.comports(), key=lambda one: one.device):
        if port.vid is None and port.device not in stable:
            continue  # the board's own UARTs, most of which lead nowhere
        known = ADAPTERS.get((port.vid or 0, port.pid)) or ADAPTERS.get((port.vid or 0, None))
        name, drivers = known or (port.description or "serial port", _ANY_SERIAL)
        serial = f", serial number {port.serial_number}" if port.serial_number else ", no serial number"
        usb = f" ({port.vid:04x}:{port.pid:04x}{serial})" if port.vid is not None and port.pid is not None else ""
        yield FoundDevice("serial", port.device, stable.get(port.device, ""), f"{name}{usb}", drivers)


def stable_links(dev: Path) -> dict[str, str]:
    """Return the names that stay of the serial ports, by node: by-id, or by-path where there is no other."""
    return _links(dev / "serial" / "by-path") | _links(dev / "serial" / "by-id")


def input_devices(dev: Path = Path("/dev")) -> Iterator[FoundDevice]:
    """Yield the keyboards, one of which may be a scanner that types."""
    for node, path in sorted(_links(dev / "input" / "by-id").items()):
        if path.endswith("-event-kbd"):
            yield FoundDevice("keyboard", node, path, Path(path).name, ("evdev",))


def video_devices(dev: Path = Path("/dev")) -> Iterator[FoundDevice]:
    """Yield the cameras."""
    for node, path in sorted(_links(dev / "v4l" / "by-id").items()):
        yield FoundDevice("camera", node, path, Path(path).name, ("camera",))


def _links(folder: Path) -> dict[str, str]:
    """Return the links of a folder by the node that each leads to."""
    if not folder.is_dir():
        return {}
    return {os.path.realpath(link): str(link) for link in sorted(folder.iterdir())}


def with_users(
    devices: Iterable[FoundDevice], configured: Iterable[ConfiguredSource], proc: Path = Path("/proc")
) -> Iterator[FoundDevice]:
    """Yield devices with the tables that a settings file gives them to, and the processes that hold them."""
    wanted = [
        (one, os.path.realpath(str(one.settings.get("port", one.settings.get("device", "")))))
        for one in configured
    ]
    for device in devices:
        node = os.path.realpath(device.node)
        users = tuple(f"table {one.table}, {one.place}" for one, path in wanted if path == node)
        yield FoundDevice(
            device.kind, device.node, device.path, device.what, device.could_be, users, holders(node, proc)
        )


class DevicesCommand:
    """The sub-command ``devices`` (entry-point group ``studio.commands``)."""

    name = "devices"
    help = "list serial ports, scanners that type and cameras, what each could be and who uses it"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's arguments."""
        parser.add_argument(
            "--config", type=Path, help="a settings file, to see which device it gives to which table"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object a line")

    def run(self, arguments: argparse.Namespace) -> int:
        """Print what there is; status 2 where the settings file cannot be read."""
        try:
            configured = configured_sources(arguments.config) if arguments.config else ()
        except ValueError as error:
            sys.stderr.write(f"studio {self.name}: {error}\n")
            return 2
        found = tuple(with_users((*serial_devices(), *input_devices(), *video_devices()), configured))
        if arguments.json:
            sys.stdout.writelines(json.dumps(asdict(device)) + "\n" for device in found)
        elif not found:
            sys.stdout.write("No serial adapter, scanner or camera is plugged in.\n")
        else:
            sys.stdout.writelines(_lines(device) for device in found)
        return 0


def _lines(device: FoundDevice) -> str:
    lines = [
        f"{device.path or device.node}",
        f"    {device.kind}: {device.what}",
        f"    could be read by: {', '.join(device.could_be)}",
    ]
    if not device.path:
        lines.append("    it has no name that stays: see /dev/serial/by-path")
    lines += [f"    used by {user}" for user in device.used_by]
    lines += [f"    held by process {holder.pid} ({holder.name})" for holder in device.held_by]
    return "\n".join(lines) + "\n"
