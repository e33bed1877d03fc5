"""Stills in a folder for each table, every one sealed, the oldest deleted first.

A still of the dealer's place may show a hidden card, and which one does is known only later: so all are sealed, as
cards are, bound to their table and frame. A disk that fails costs the still and never the table.
"""

from __future__ import annotations

import logging
import os
import re
import struct
import time
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from studio.adapters.sealing import Sealer
from studio.ports.stills import Still

_NAME: Final = re.compile(r"[0-9]{1,20}-[0-9]{1,20}")
_SUFFIX: Final = ".still"
_HEAD: Final = struct.Struct(">hq")
_NO_SEAT: Final = -1
_LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class StillLimits:
    """How much is kept for each table: bytes, and seconds."""

    table_bytes: int = 512 * 1024 * 1024
    seconds: int = 30 * 24 * 3600


class SealedStills:
    """Implements :class:`studio.ports.stills.Stills` below ``folder``; ``lost`` counts what could not be kept."""

    def __init__(self, folder: Path, sealer: Sealer, limits: StillLimits = StillLimits()) -> None:
        self._folder = folder
        self._sealer = sealer
        self._limits = limits
        self._kept: dict[str, OrderedDict[str, tuple[int, float]]] = {}
        self.lost = 0

    def keep(self, table: str, frame: str, still: Still) -> None:
        """Seal a still into a file of its own, and delete what is too old or too much."""
        if not _NAME.fullmatch(frame):
            self.lost += 1
            return
        try:
            kept = self._of(table)
            seat = _NO_SEAT if still.seat is None else still.seat
            sealed = self._sealer.seal(_HEAD.pack(seat, still.at_ns) + still.jpeg, _place(table, frame))
            path = self._folder / table / f"{frame}{_SUFFIX}"
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(sealed)
            kept[frame] = (len(sealed), time.time())
            self._thin(table, kept)
        except OSError as error:
            self.lost += 1
            _LOG.warning("a still of %s was lost: %s", table, error)

    def open(self, table: str, frame: str) -> Still | None:
        """Return a still as it was kept."""
        if not _NAME.fullmatch(frame):
            return None
        try:
            sealed = (self._folder / table / f"{frame}{_SUFFIX}").read_bytes()
        except OSError:
            return None
        clear = self._sealer.open(sealed, _place(table, frame))
        seat, at_ns = _HEAD.unpack_from(clear)
        return Still(clear[_HEAD.size :], None if seat == _NO_SEAT else seat, at_ns)

    def _of(self, table: str) -> OrderedDict[str, tuple[int, float]]:
        """Return what is kept of a table, oldest first; the first time it is read from the folder."""
        if table not in self._kept:
            folder = self._folder / table
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            files = [(one, one.stat()) for one in folder.glob(f"*{_SUFFIX}")]
            files.sort(key=lambda one: one[1].st_mtime_ns)
            self._kept[table] = OrderedDict((one.stem, (stat.st_size, stat.st_mtime)) for one, stat in files)
        return self._kept[table]

    def _thin(self, table: str, kept: OrderedDict[str, tuple[int, float]]) -> None:
        size = sum(one for one, _ in kept.values())
        too_old = time.time() - self._limits.seconds
        while kept:
            frame, (its_size, at) = next(iter(kept.items()))
            if size <= self._limits.table_bytes and at >= too_old:
                return
            del kept[frame]
            size -= its_size
            (self._folder / table / f"{frame}{_SUFFIX}").unlink(missing_ok=True)


def _place(table: str, frame: str) -> str:
    return f"still:{table}:{frame}"
