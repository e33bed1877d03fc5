"""The floor: what the endpoints and the feed share of one host, given from outside once.

Holds references and nothing of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from studio.ports.clock import Clock
from studio.ports.history import History
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
    on_painted: Callable[[str, int], None]
    looking_back: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while the history is read: one at a time, so that the tables keep the machine."""
