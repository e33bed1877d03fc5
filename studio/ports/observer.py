"""The port of observation: what the runtime tells metrics about. Nothing here carries a card."""

from __future__ import annotations

from typing import Protocol

from studio.domain.events import Event
from studio.domain.instants import Instant
from studio.domain.table import Table


class Observer(Protocol):
    """Counts and times what happens; must not block and must not raise."""

    def happened(self, before: Table, event: Event, after: Table, at: Instant) -> None:
        """An event is on disk."""
        ...

    def refused(self, table: str, code: str) -> None:
        """A command was refused."""
        ...

    def committed(self, table: str, since_byte_seconds: float) -> None:
        """What a reading led to is on disk; counted from its last byte."""
        ...

    def painted(self, table: str, since_byte_seconds: float) -> None:
        """A console painted what a reading led to."""
        ...
