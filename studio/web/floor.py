"""The floor: what the endpoints and the feed share of one host, given from outside once.

Holds references and nothing of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from studio.evidence.timecode import USUAL_RATE
from studio.ports.clock import Clock
from studio.ports.custody import Custody
from studio.ports.evidence import Evidence
from studio.ports.history import History
from studio.ports.look_back import LookBack
from studio.ports.settled import SettledRounds
from studio.web.live_table import LiveTable
from studio.web.sign_in import SignIn
from studio.web.views import Views


@dataclass(frozen=True, slots=True)
class Floor:
    """The tables of one host, who may come in, and how they are seen.

    ``on_painted`` hears of a dealer's console that has painted a view: its table and sequence.
    """

    tables: Mapping[str, LiveTable]
    sign_in: SignIn
    views: Views
    clock: Clock
    history: History
    settled: SettledRounds
    look_back: LookBack
    evidence: Evidence
    on_painted: Callable[[str, int], None]
    custody: Custody
    frames_per_second: int = USUAL_RATE
    """Of the recorder's video: the records name its frames."""
    looking_back: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while the history is read: one at a time, so that the tables keep the machine."""
    signing_on: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while a dealer signs on: nobody gets onto two tables at the same moment."""

    def where_signed_on(self, person: str, *, but: LiveTable) -> str:
        """Return the table, other than ``but``, that a dealer is signed on at; empty for none."""
        for name, live in self.tables.items():
            if live is not but and live.table.dealer is not None and live.table.dealer.dealer == person:
                return name
        return ""
