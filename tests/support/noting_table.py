"""``python -m support.noting_table``: a simulated table that notes what its device has said and was answered.

With ``--studio`` a simulated dealer works at it. Each line of the notes is JSON: ``what`` (``read`` when the
device stored an event, ``sent`` when it told it, ``acknowledged`` when the studio took it over), the frame's
``type``, ``load``, ``ordinal`` and ``payload`` in hex (of ``sent``: the bytes on the wire). They come from the
device's side of the wire, so no fault of the studio can touch them.

It also kills the server at the very moment that it is told to by :func:`arm`: no other process could be so quick.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from hardware_sim.dealer import SimulatedDealer
from hardware_sim.dealer_console import DealerConsole
from hardware_sim.shoe_process import TOKEN_VARIABLE, Assembly, build_parser, run, settings_of
from hardware_sim.smartshoe.delivery import Delivery, LoggedEvent
from hardware_sim.smartshoe.device import SmartShoe
from hardware_sim.smartshoe.wire import Frame, encode_frame
from hardware_sim.table import SimulatedTable

PULL_GAP_SECONDS = 0.04
RETRY_PAUSES_SECONDS = (0.1,) * 100
"""Of a console that outlives every crash of the server."""


@dataclass(frozen=True, slots=True)
class Note:
    """One line of the notes."""

    what: str
    type: int
    load: int
    ordinal: int | None
    payload: str


def read_notes(path: Path) -> list[Note]:
    """Return the notes so far, oldest first."""
    return [Note(**json.loads(line)) for line in path.read_text(encoding="ascii").splitlines()]


def trap_beside(notes: Path) -> Path:
    """Return where the trap of the table with these notes is armed."""
    return notes.with_suffix(".trap")


def arm(notes: Path, what: str, pid: int, delay_seconds: float) -> None:
    """Have process ``pid`` killed (SIGKILL) once, so long after the next note of the kind ``what``."""
    trap = trap_beside(notes)
    draft = notes.with_suffix(".draft")
    draft.write_text(f"{what} {pid} {delay_seconds}", encoding="ascii")
    draft.replace(trap)


class NotingDelivery(Delivery):
    """A device's delivery that writes down what it does, with a trap for the server."""

    def __init__(self, notes: TextIO, trap: Path) -> None:
        super().__init__()
        self._notes = notes
        self._trap = trap

    def add(self, event: LoggedEvent) -> None:
        self._note("read", event)
        super().add(event)

    def acknowledge(self, seq: int) -> bool:
        flight = self._in_flight
        was_taken = super().acknowledge(seq)
        if was_taken and flight is not None:
            self._note("acknowledged", flight.event)
        return was_taken

    def due(self, boot: int, now_ns: int) -> Frame | None:
        frame = super().due(boot, now_ns)
        if frame is not None and self._in_flight is not None:
            self._note("sent", self._in_flight.event, encode_frame(frame))
        return frame

    def _note(self, what: str, event: LoggedEvent, wire: bytes = b"") -> None:
        note = {
            "what": what,
            "type": int(event.type),
            "load": event.load,
            "ordinal": event.ordinal,
            "payload": (wire or event.payload).hex(),
        }
        self._notes.write(json.dumps(note) + "\n")
        if self._trap.exists():
            wanted, pid, delay_seconds = self._trap.read_text(encoding="ascii").split()
            if wanted == what:
                self._trap.unlink()
                _strike(int(pid), float(delay_seconds))


def _strike(pid: int, delay_seconds: float) -> None:
    if delay_seconds:
        asyncio.get_running_loop().call_later(delay_seconds, os.kill, pid, signal.SIGKILL)
    else:
        os.kill(pid, signal.SIGKILL)


def main() -> int:
    """Run until SIGTERM."""
    parser = build_parser("support.noting_table")
    parser.add_argument("--notes", type=Path, required=True)
    parser.add_argument("--table", required=True)
    parser.add_argument("--dealer-token", required=True)
    parser.add_argument("--studio")
    given = parser.parse_args()
    settings = settings_of(parser, given, os.environ.get(TOKEN_VARIABLE, ""))

    async def deal(assembly: Assembly) -> None:
        table: SimulatedTable = assembly.table
        assert isinstance(table.device, SmartShoe)
        assert table.device._delivery.is_idle
        table.device._delivery = NotingDelivery(notes, trap_beside(given.notes))
        if given.studio is None:
            return
        console = DealerConsole(
            given.studio, given.table, given.dealer_token, retry_pauses_seconds=RETRY_PAUSES_SECONDS
        )
        async with contextlib.aclosing(console):
            await SimulatedDealer(console, table, pull_gap_seconds=PULL_GAP_SECONDS).run()

    with given.notes.open("a", encoding="ascii", buffering=1) as notes:
        asyncio.run(run(settings, deal))
    return 0


if __name__ == "__main__":
    sys.exit(main())
