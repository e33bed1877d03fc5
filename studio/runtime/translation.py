"""From what a device says to what the table records: pure, and blind to protocols.

A device that counts its cards gives each its identity. Where it counts nothing the table does
(:mod:`studio.domain.loads`): a reading takes the next place, or that of the card which was to be read again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from studio.domain.anomalies import AnomalyKind
from studio.domain.cards import Card
from studio.domain.commands import Command
from studio.domain.loads import Position
from studio.domain.readings import MOST_MISSED
from studio.domain.record_commands import (
    RecordReader,
    RecordSighting,
    RecordWarning,
)
from studio.domain.sightings import (
    CardRead,
    CutCardRead,
    FaceUpInShoe,
    ForeignCard,
    Reading,
    Sighting,
    SightingId,
    SlotCleared,
    SlotOccluded,
    SlotOccupied,
    TwoCards,
    UnknownCode,
    Unreadable,
)
from studio.domain.slots import HandId, Slot
from studio.ports.devices import DeviceEvent, EventKind, LinkState

_CANNOT_READ: Final = 1
_GATE_CLOSED: Final = 3
_GATE_HEARTBEATS: Final = 2
_JAM: Final = 4
_ERROR: Final = 5
_READY: Final = 2
_EMPTY: Final = 6
_STATES: Final[Mapping[int, str]] = {_GATE_CLOSED: "gate", _JAM: "jam", _ERROR: "error"}
_WORDS: Final[Mapping[str, str]] = {
    "lid": "The shoe's lid is open: close it",
    "gate": "The shoe's gate is closed: open it",
    "jam": "A card is jammed: clear the exit",
    "error": "The reader reports an error: clear it",
    "locked": "The shoe is locked: unlock it",
}
_UNHEARD: Final = frozenset({EventKind.OVERFLOW, EventKind.TYPED_REJECTED, EventKind.SUSPECT_DISCARDED})
"""What may have been a card, of a reader that cannot say it again."""


@dataclass(slots=True)
class Translation:
    """One device's translation: keeps its load, its link and its standing conditions, nothing else.

    ``position`` says where the table has come with a reader that counts nothing; ``None`` for one that counts.
    """

    load: int = 0
    ordinal: int = 0
    ready: bool = False
    conditions: set[str] = field(default_factory=set)
    cannot_read: bool = False
    """The reader's error state is about a card at its exit; the table counts the tries."""
    closed_heartbeats: int = 0
    """How many heartbeats in a row told a closed gate."""
    heard_state: bool = False
    """Whether a heartbeat has told the device's state since this process began."""
    position: Callable[[], Position] | None = None
    last_card: Card | None = None

    def commands(self, event: DeviceEvent) -> tuple[Command, ...]:  # noqa: C901 - one case per kind
        """Return what the table is to record because of ``event``; often nothing."""
        if self.position is not None and (uncounted := self._uncounted(event, self.position())) is not None:
            return uncounted
        match event.kind:
            case EventKind.CARD | EventKind.RETRANSMISSION if event.card is not None:
                # The table knows what it has: a repeat changes nothing, a rescan after a restart fills its draw.
                return (self._sighting(event, CardRead(event.card)),)
            case EventKind.NO_READ:
                return (self._sighting(event, Unreadable()),)
            case EventKind.ERROR if event.details.get("code") == _CANNOT_READ:
                # The card at the exit could not be read again: a failed rescan, not a fault of the reader.
                self.cannot_read = True
                return (self._sighting(event, Unreadable(), self.ordinal),)
            case EventKind.UNKNOWN_CODE:
                reading = ForeignCard if event.details.get("foreign") else UnknownCode
                return (self._sighting(event, reading(str(event.details.get("code", "")))),)
            case EventKind.CUT_CARD:
                return (self._sighting(event, CutCardRead()),)
            case EventKind.MISSED:
                first, last = int(event.details["first"]), int(event.details["last"])
                # Of very many only the last is told: the table opens one incident about all before it.
                first = first if last - first < MOST_MISSED else last
                return tuple(self._sighting(event, UnknownCode(""), ordinal) for ordinal in range(first, last + 1))
            case EventKind.CARD_RETURN:
                text = "A card moved back towards the shoe"
                return (RecordWarning(event.device, AnomalyKind.REVERSE_MOVEMENT, True, text),)
            case EventKind.EMPTY:
                return (_shoe_empty(event),)
            case EventKind.SLOT:
                return (_seen(event),)
            case EventKind.HELLO | EventKind.LINK:
                return self._link(event)
            case _:
                return _passing(event) if event.details.get("passing") else self._condition(event)

    def _uncounted(self, event: DeviceEvent, place: Position) -> tuple[Command, ...] | None:
        """Return what a reader that counts nothing makes the table record, ``None`` where it is like any other."""
        match event.kind:
            case _ if event.details.get("proof") and not place.in_use:
                return ()  # it was shown to prove the reader, while no shoe is in play
            case EventKind.ERROR if event.details.get("unread"):
                return ()  # its card is told as unread beside it
            case EventKind.CARD | EventKind.SUPPRESSED if event.card is not None:
                self.last_card = event.card
                return (self._next(event, CardRead(event.card), place),)
            case EventKind.RETRANSMISSION if event.card is not None:
                # Of the card before it is no news; of another one it may be a card that went unheard.
                return () if event.card == self.last_card else (self._next(event, CardRead(event.card), place),)
            case EventKind.NO_READ:
                return (self._next(event, Unreadable(), place),)
            case EventKind.ERROR if event.details.get("code") == _CANNOT_READ:
                self.cannot_read = True
                return (self._next(event, Unreadable(), place),)
            case EventKind.UNKNOWN_CODE:
                reading = ForeignCard if event.details.get("foreign") else UnknownCode
                return (self._next(event, reading(str(event.details.get("raw", ""))), place),)
            case EventKind.CUT_CARD:
                identity = SightingId(event.device, place.load, place.ordinal)
                return (RecordSighting(Sighting(identity, CutCardRead(), event.received.monotonic_ns)),)
            case kind if kind in _UNHEARD:
                return (self._next(event, UnknownCode(""), place),)
            case _:
                return None

    def _next(self, event: DeviceEvent, reading: Reading, place: Position) -> RecordSighting:
        ordinal = place.ordinal + 1 if place.unread is None else place.unread
        identity = SightingId(event.device, place.load, ordinal)
        repeated = event.kind in {EventKind.SUPPRESSED, EventKind.RETRANSMISSION}
        at_ns = event.received.monotonic_ns
        return RecordSighting(Sighting(identity, reading, at_ns, event.suspect, repeated=repeated))

    def _sighting(self, event: DeviceEvent, reading: Reading, ordinal: int | None = None) -> RecordSighting:
        load = self.load if event.load is None else event.load
        number = event.ordinal if ordinal is None else ordinal
        identity = SightingId(event.device, load, self.ordinal if number is None else number)
        self.ordinal = max(self.ordinal, identity.ordinal)
        return RecordSighting(Sighting(identity, reading, event.received.monotonic_ns, event.suspect))

    def _link(self, event: DeviceEvent) -> tuple[Command, ...]:
        if event.kind is EventKind.HELLO:
            self.load = self.load if event.load is None else event.load
            self.ordinal = event.ordinal or 0
        else:
            state = LinkState(str(event.details.get("state")))
            if state is LinkState.STALE:
                return ()
            self.ready = state is LinkState.READY
        reason = str(event.details.get("reason", ""))
        if self.ready and self.position is not None:
            return (RecordReader(event.device, True, reason=reason),)
        if self.ready:
            return (RecordReader(event.device, True, self.load, self.ordinal, reason),)
        return () if event.kind is EventKind.HELLO else (RecordReader(event.device, False, reason=reason),)

    def _condition(self, event: DeviceEvent) -> tuple[Command, ...]:
        before, first = frozenset(self.conditions), False
        empty: tuple[Command, ...] = ()
        match event.kind:
            case EventKind.LID:
                self._set("lid", on=bool(event.details.get("open")))
            case EventKind.GATE if event.details.get("open"):
                # Closing is no fault by itself: the device does it while an acknowledgement is late.
                self.closed_heartbeats = 0
                self._set("gate", on=False)
            case EventKind.LOCKED:
                self._set("locked", on=bool(event.details.get("locked")))
            case EventKind.JAM:
                self._set("jam", on=True)
            case EventKind.ERROR:
                self._set("error", on=True)
            case EventKind.ERROR_CLEARED:
                self.cannot_read = False
                self._set("error", on=False)
            case EventKind.HEARTBEAT:
                state = int(event.details.get("state", 0))
                first = self._take_state(state)
                # Told with each heartbeat: the table may owe no card now and owe one later (S7).
                empty = (_shoe_empty(event),) if state == _EMPTY else ()
            case _:
                pass
        if before == self.conditions and not first:
            return empty
        text = "; ".join(_WORDS[one] for one in sorted(self.conditions))
        return (RecordWarning(event.device, AnomalyKind.WRONG_MODE, bool(self.conditions), text), *empty)

    def _take_state(self, state: int) -> bool:
        """Take a heartbeat's state, a level, so that a lost edge cannot stick; tell whether it is the first.

        The table may hold a condition that ended while no process listened: the first state is always told.
        """
        if state == _ERROR and self.cannot_read:
            return False
        self.closed_heartbeats = self.closed_heartbeats + 1 if state == _GATE_CLOSED else 0
        if state == _GATE_CLOSED and self.closed_heartbeats < _GATE_HEARTBEATS:
            return False
        if state == _READY:
            self.conditions -= set(_STATES.values())
        elif state == _EMPTY:
            self.conditions -= {"jam", "error"}
        elif state in _STATES:
            self.conditions.add(_STATES[state])
        else:
            return False
        first, self.heard_state = not self.heard_state, True
        return first

    def _set(self, condition: str, *, on: bool) -> None:
        if on:
            self.conditions.add(condition)
        else:
            self.conditions.discard(condition)


_SEEN: Final[Mapping[str, Reading]] = {
    "occupied": SlotOccupied(),
    "occluded": SlotOccluded(),
    "cleared": SlotCleared(),
    "face-up-in-shoe": FaceUpInShoe(),
    "two-cards": TwoCards(),
}


def _seen(event: DeviceEvent) -> RecordSighting:
    """Return a camera's claim; a card that it saw and could not read is a place that is occupied."""
    details = event.details
    reading: Reading = CardRead(event.card) if event.card else _SEEN.get(str(details.get("seen")), SlotOccupied())
    slot = None
    if "position" in details:
        seat = int(details.get("seat", 0))
        hand = HandId(seat, int(details.get("hand", 1))) if seat else None
        slot = Slot(hand, int(details["position"]))
    identity = SightingId(event.device, event.load or 0, event.ordinal or 0)
    permille = 10 * event.quality if event.quality is not None else 1000
    at_ns, frame = event.received.monotonic_ns, str(details.get("frame", ""))
    return RecordSighting(Sighting(identity, reading, at_ns, event.suspect, slot, permille, frame))


def _passing(event: DeviceEvent) -> tuple[Command, ...]:
    """Return a condition that the device never takes back: it latches until somebody has acknowledged it."""
    kind, text = AnomalyKind.WRONG_MODE, f"The reader's {event.kind.value} {event.details.get('code')}: see to it"
    return (RecordWarning(event.device, kind, True, text), RecordWarning(event.device, kind, False, text))


def _shoe_empty(event: DeviceEvent) -> RecordWarning:
    return RecordWarning(event.device, AnomalyKind.SHOE_EMPTY, True, "The shoe is empty")
