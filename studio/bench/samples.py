"""Exact samples of a running studio: an observer that keeps each time, where the metrics count into buckets."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from studio.domain.events import AnomalyDetected, BettingOpened, Event
from studio.domain.instants import Instant
from studio.domain.table import Table
from studio.ports.observer import Observer


class Samples:
    """Implements :class:`studio.ports.observer.Observer` before another one, to which everything is passed on.

    It keeps times from the first betting on, so that the burn warms everything up; ``cards`` readings are enough.
    """

    def __init__(self, cards: int, passed_on_to: Observer, on_card: Callable[[int], None]) -> None:
        self.commit_seconds: list[float] = []
        self.paint_seconds: list[float] = []
        self.anomalies: list[str] = []
        self.enough = asyncio.Event()
        self._cards = cards
        self._passed_on_to = passed_on_to
        self._on_card = on_card
        self._has_begun = False

    def _is_keeping(self) -> bool:
        return self._has_begun and not self.enough.is_set()

    def happened(self, before: Table, event: Event, after: Table, at: Instant) -> None:
        """An event is on disk."""
        self._passed_on_to.happened(before, event, after, at)
        match event:
            case BettingOpened():
                self._has_begun = True
            case AnomalyDetected(kind=kind) if self._is_keeping():
                self.anomalies.append(kind.value)
            case _:
                pass

    def refused(self, table: str, code: str) -> None:
        """A command was refused."""
        self._passed_on_to.refused(table, code)

    def committed(self, table: str, since_byte_seconds: float) -> None:
        """What a reading led to is on disk."""
        self._passed_on_to.committed(table, since_byte_seconds)
        if not self._is_keeping():
            return
        self.commit_seconds.append(since_byte_seconds)
        self._on_card(len(self.commit_seconds))
        if len(self.commit_seconds) == self._cards:
            self.enough.set()

    def painted(self, table: str, since_byte_seconds: float) -> None:
        """A console painted what a reading led to."""
        self._passed_on_to.painted(table, since_byte_seconds)
        # The last card is painted after it was committed.
        if self._has_begun and len(self.paint_seconds) < self._cards:
            self.paint_seconds.append(since_byte_seconds)
