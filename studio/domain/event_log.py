"""A log of events that is cheap to lengthen: kept in chunks, so that adding to it copies few of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final

from studio.domain.events import Event

_CHUNK: Final = 64


@dataclass(frozen=True, slots=True)
class EventLog:
    """Events in order: full chunks and the one that is being filled."""

    full: tuple[tuple[Event, ...], ...] = ()
    filling: tuple[Event, ...] = ()

    def with_event(self, event: Event) -> EventLog:
        """Return the log with one event more."""
        filling = (*self.filling, event)
        return EventLog((*self.full, filling)) if len(filling) == _CHUNK else EventLog(self.full, filling)

    def __iter__(self) -> Iterator[Event]:
        return chain(chain.from_iterable(self.full), self.filling)

    def __len__(self) -> int:
        return len(self.full) * _CHUNK + len(self.filling)


EMPTY_LOG: Final = EventLog()
