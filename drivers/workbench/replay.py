"""``studio replay-bytes``: a recording, or raw bytes, through a driver; the events as JSON lines."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from drivers.workbench.described import event_line
from drivers.workbench.drivers import decoding_plugin, settings_for
from drivers.workbench.recordings import Chunk, read_chunks
from studio.domain.instants import Instant
from studio.ports.devices import Decoder, DeviceEvent

_TICK_NS: Final = 100_000_000
_END_NS: Final = 5_000_000_000
"""Longer than any driver waits for a copy or a repetition."""
_MOST_TICKS: Final = 100
"""After so many ticks without a byte nothing is due any more."""


def replayed(decoder: Decoder, chunks: Iterable[Chunk]) -> Iterator[DeviceEvent]:
    """Yield the events of a recording; between its chunks the time passes that passed then."""
    now_ns = 0
    for chunk in chunks:
        if chunk.at_ns is not None:
            yield from _passed(decoder, now_ns, chunk.at_ns)
            now_ns = max(now_ns, chunk.at_ns)
        yield from decoder.feed(chunk.data, Instant(now_ns, now_ns))
    yield from _passed(decoder, now_ns, now_ns + _END_NS)


def _passed(decoder: Decoder, from_ns: int, until_ns: int) -> Iterator[DeviceEvent]:
    last_ns = min(until_ns, from_ns + _MOST_TICKS * _TICK_NS)
    for at_ns in (*range(from_ns + _TICK_NS, last_ns, _TICK_NS), until_ns):
        if at_ns > from_ns:
            yield from decoder.tick(Instant(at_ns, at_ns))


class ReplayBytesCommand:
    """The sub-command ``replay-bytes`` (entry-point group ``studio.commands``)."""

    name = "replay-bytes"
    help = "what a driver makes of recorded or raw bytes, as JSON lines"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's arguments."""
        parser.add_argument("--driver", required=True)
        parser.add_argument(
            "--config", type=Path, help="a settings file: the first table that has this driver says how it is set"
        )
        parser.add_argument("file", type=Path, metavar="FILE", help="a recording of `studio sniff`, or raw bytes")

    def run(self, arguments: argparse.Namespace) -> int:
        """Print the events, then what was not taken; status 2 where the file or the driver cannot be used."""
        try:
            settings = settings_for(arguments.driver, arguments.config)
            decoder = decoding_plugin(arguments.driver).decoder(arguments.driver, settings)
            for event in replayed(decoder, read_chunks(arguments.file)):
                sys.stdout.write(event_line(event))
        except (OSError, ValueError) as error:
            sys.stderr.write(f"studio {self.name}: {error}\n")
            return 2
        errors = {cause: count for cause, count in decoder.errors.items() if count}
        if errors:
            sys.stderr.write(f"not taken: {json.dumps(errors)}\n")
        return 0
