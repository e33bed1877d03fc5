"""``studio sniff``: what comes over a port, raw and decoded, as it comes.

It takes the port's lock like any source, so it never runs beside a studio that uses the port. It only listens: a
device that waits for an answer gets none.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

from drivers.serial_port import LineSettings, PortState, SerialPort, parse_address
from drivers.serial_reader import SerialPlugin
from drivers.serial_reader.source import system_now
from drivers.workbench.described import event_line
from drivers.workbench.drivers import decoding_plugin, settings_for
from drivers.workbench.recordings import Chunk, chunk_line

if TYPE_CHECKING:
    from studio.domain.instants import Instant
    from studio.ports.devices import Decoder, DecodingPlugin

_PRINTABLE: Final = range(0x20, 0x7F)
_TICK_SECONDS: Final = 0.1
_WARNING: Final = "a recording holds every card that passes, the hole card among them: keep it like one\n"


class Sniffer:
    """Prints what a port says: implements :class:`drivers.serial_port.PortListener`."""

    def __init__(self, out: TextIO, decoder: Decoder | None, record: TextIO | None) -> None:
        self._out = out
        self._decoder = decoder
        self._record = record
        self._first_ns: int | None = None

    def on_port(self, state: PortState, reason: str, at: Instant) -> None:  # noqa: ARG002 - the listener's shape
        """Say what became of the port."""
        self._out.write(f"-- {state.value}: {reason}\n")
        self._out.flush()

    def on_bytes(self, data: bytes, at: Instant) -> None:
        """Print and record bytes."""
        if self._first_ns is None:
            self._first_ns = at.monotonic_ns
        seconds = (at.monotonic_ns - self._first_ns) / 1e9
        self._out.write(f"{seconds:10.3f}  {data.hex(' ')}  {_text(data)}\n")
        if self._record is not None:
            self._record.write(chunk_line(Chunk(at.monotonic_ns, data)))
            self._record.flush()
        if self._decoder is not None:
            for event in self._decoder.feed(data, at):
                self._out.write(f"{'':12}{event_line(event)}")
        self._out.flush()

    def on_overflow(self, dropped_bytes: int, at: Instant) -> None:  # noqa: ARG002 - the listener's shape
        """Say that bytes were dropped."""
        self._out.write(f"-- {dropped_bytes} bytes came faster than they could be shown\n")

    def tick(self, now: Instant) -> None:
        """Print what is due without a further byte."""
        if self._decoder is not None:
            for event in self._decoder.tick(now):
                self._out.write(f"{'':12}{event_line(event)}")
                self._out.flush()


def _text(data: bytes) -> str:
    return "".join(chr(byte) if byte in _PRINTABLE else "." for byte in data)


def line_of(plugin: DecodingPlugin, settings: Mapping[str, Any]) -> LineSettings:
    """Return the line that a driver opens with ``settings``; of one that says no more than ``baud``, that."""
    if isinstance(plugin, SerialPlugin):
        line: LineSettings = plugin.check_without_port(plugin.name, settings).line
        return line
    baud = settings.get("baud")
    return LineSettings(baud=baud) if isinstance(baud, int) else LineSettings()


class SniffCommand:
    """The sub-command ``sniff`` (entry-point group ``studio.commands``)."""

    name = "sniff"
    help = "show what comes over a port, raw and decoded"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's arguments."""
        parser.add_argument("port", metavar="PORT", help="a path under /dev/serial/by-id, or socket://HOST:PORT")
        parser.add_argument("--driver", help="decode by this driver too")
        parser.add_argument("--config", type=Path, help="a settings file that says how the driver is set")
        parser.add_argument("--baud", type=int, help="the speed of the line, whatever the settings say")
        parser.add_argument("--record", type=Path, metavar="FILE", help="keep the bytes for `studio replay-bytes`")
        parser.add_argument("--seconds", type=float, help="stop after so long; without it by Ctrl-C")

    def run(self, arguments: argparse.Namespace) -> int:
        """Listen until Ctrl-C; status 2 where port, driver or file cannot be used."""
        try:
            address = parse_address(arguments.port)
            decoder, line = None, LineSettings()
            if arguments.driver:
                settings = settings_for(arguments.driver, arguments.config)
                plugin = decoding_plugin(arguments.driver)
                decoder = plugin.decoder(arguments.driver, settings)
                line = line_of(plugin, settings)
            line = line if arguments.baud is None else replace(line, baud=arguments.baud)
            with ExitStack() as stack:
                record = None
                if arguments.record is not None:
                    sys.stderr.write(_WARNING)
                    record = stack.enter_context(_open_record(arguments.record))
                sniffer = Sniffer(sys.stdout, decoder, record)
                port = SerialPort("sniff", address, line, listener=sniffer, capture=_forget)
                with suppress(KeyboardInterrupt):
                    asyncio.run(_listen(port, sniffer, arguments.seconds))
        except (OSError, ValueError) as error:
            sys.stderr.write(f"studio {self.name}: {error}\n")
            return 2
        return 0


def _open_record(path: Path) -> TextIO:
    """Open a new file that only its owner may read; an old one is not overwritten."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8")


async def _listen(port: SerialPort, sniffer: Sniffer, seconds: float | None) -> None:
    port.start()
    loop = asyncio.get_running_loop()
    until = None if seconds is None else loop.time() + seconds
    try:
        while until is None or loop.time() < until:
            await asyncio.sleep(_TICK_SECONDS)
            sniffer.tick(system_now())
    finally:
        await port.close()


def _forget(device: str, data: bytes, received: Instant) -> None:
    """Take raw bytes as a capture does that keeps nothing."""
