"""Ingest: nothing is acknowledged before it is on disk, and nothing is given up."""

from __future__ import annotations

from collections.abc import AsyncIterator

from studio.adapters.clocks import SystemClock
from studio.domain.answers import Rejected
from studio.domain.cards import parse_card
from studio.domain.instants import Instant
from studio.ports.devices import DeviceEvent, DeviceHealth, EventKind, LinkState
from studio.ports.journal import JournalError
from studio.runtime.inbox import Done, Outcome, Refused, Submission
from studio.runtime.ingest import Ingest


class ScriptedSource:
    """A source with a list of events."""

    device = "shoe-1"
    simulated = True

    def __init__(self, events: list[DeviceEvent], log: list[str]) -> None:
        self._events = events
        self._log = log

    async def events(self) -> AsyncIterator[DeviceEvent]:
        for event in self._events:
            yield event

    async def acknowledge(self, event: DeviceEvent) -> None:
        self._log.append(f"ack {event.ordinal}")

    def health(self) -> DeviceHealth:
        return DeviceHealth("shoe-1", LinkState.READY, "", {}, 0, None)

    async def close(self) -> None:
        self._events.clear()


def card(ordinal: int) -> DeviceEvent:
    return DeviceEvent("shoe-1", EventKind.CARD, Instant(1, 1), b"raw", parse_card("8S"), load=1, ordinal=ordinal)


async def test_a_card_is_tried_until_it_is_recorded_and_only_then_acknowledged() -> None:
    log: list[str] = []
    outcomes: list[Outcome | Exception] = [
        JournalError("disk full"),
        Refused(Rejected("internal-fault", "x"), 0),
        Done(1),
        Done(2),
    ]

    async def submit(submission: Submission) -> Outcome:
        outcome = outcomes.pop(0)
        log.append(f"{type(outcome).__name__} {submission.raw!r}")
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    await Ingest(ScriptedSource([card(1), card(2)], log), submit, SystemClock()).run()
    assert log == ["JournalError b'raw'", "Refused b'raw'", "Done b'raw'", "ack 1", "Done b'raw'", "ack 2"]
