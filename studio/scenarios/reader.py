"""The reader of a scenario's shoe as a port, and the one that tells the core at once, without a device between."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from studio.domain.anomalies import AnomalyKind
from studio.domain.cards import Card
from studio.domain.commands import Command
from studio.domain.instants import Instant
from studio.domain.record_commands import RecordReader, RecordSighting, RecordWarning
from studio.domain.sightings import (
    CardRead,
    CutCardRead,
    Reading,
    Sighting,
    SightingId,
    UnknownCode,
    Unreadable,
)

CONDITIONS: Final[dict[str, tuple[AnomalyKind, str]]] = {
    "reverse-movement": (AnomalyKind.REVERSE_MOVEMENT, "A card moved back towards the shoe"),
    "shoe-empty": (AnomalyKind.SHOE_EMPTY, "The shoe is empty"),
    "lid": (AnomalyKind.WRONG_MODE, "The shoe's lid is open: close it"),
    "jam": (AnomalyKind.WRONG_MODE, "A card is jammed: clear the exit"),
    "gate": (AnomalyKind.WRONG_MODE, "The reader reports an error: clear it"),
}
"""What a reader can tell of its shoe besides cards: the incident's kind, and its words."""

UNPLUGGED: Final = "Cable out"
ANSWERING: Final = "the reader answers"


class Reader(Protocol):
    """What hands do to the shoe; what the studio is to record because of it goes to a :data:`Record`.

    Raises ``ValueError`` for what the reader cannot do now.
    """

    def read(self, card: Card) -> None:
        """A card leaves and is read."""
        ...

    def miss(self) -> None:
        """A card leaves and cannot be read."""
        ...

    def read_code(self, code: str) -> None:
        """A card leaves with a mark that is no card."""
        ...

    def rescan(self, unread: SightingId, card: Card | None) -> None:
        """Pass an unread card over the exit again; ``None``: in vain."""
        ...

    def see_cut_card(self) -> None:
        """The cut card comes out; it takes no number of its own."""
        ...

    def unplug(self) -> None:
        """The cable comes out."""
        ...

    def plug(self) -> None:
        """The cable is in again."""
        ...

    def restart(self) -> None:
        """The reader starts again; the studio does not."""
        ...

    def new_load(self) -> None:
        """Fresh cards, counted anew."""
        ...

    def set_condition(self, condition: str, *, is_on: bool) -> None:
        """Let one of :data:`CONDITIONS` begin or end."""
        ...

    def next_due_ns(self) -> int | None:
        """Return when the reader does something by itself, or ``None``."""
        ...

    def tick(self) -> None:
        """Do what is due now."""
        ...


Record: TypeAlias = Callable[[Command], None]
"""Has a command of the reader's decided; when it returns, the command is on record."""


@dataclass(frozen=True, slots=True)
class ReaderPlace:
    """Where a reader stands when a scenario begins: link up, ``ordinal`` cards of ``load`` counted."""

    device: str
    decks: int
    load: int
    ordinal: int
    now: Callable[[], Instant]
    """The scenario's clock."""
    record: Record


MakeReader: TypeAlias = Callable[[ReaderPlace], Reader]


class DirectReader:
    """Says each thing in the core's own words: no bytes, no driver, no time between."""

    def __init__(self, place: ReaderPlace) -> None:
        self._place = place
        self._load = place.load
        self._ordinal = place.ordinal

    def read(self, card: Card) -> None:
        """See :class:`Reader`."""
        self._tell_next(CardRead(card))

    def miss(self) -> None:
        """See :class:`Reader`."""
        self._tell_next(Unreadable())

    def read_code(self, code: str) -> None:
        """See :class:`Reader`."""
        self._tell_next(UnknownCode(code))

    def rescan(self, unread: SightingId, card: Card | None) -> None:
        """See :class:`Reader`."""
        self._tell(unread, Unreadable() if card is None else CardRead(card))

    def see_cut_card(self) -> None:
        """See :class:`Reader`."""
        self._tell(self._identity(), CutCardRead())

    def unplug(self) -> None:
        """See :class:`Reader`."""
        self._place.record(RecordReader(self._place.device, ready=False, reason=UNPLUGGED))

    def plug(self) -> None:
        """See :class:`Reader`."""
        self._greet(ANSWERING)

    def restart(self) -> None:
        """See :class:`Reader`."""
        self._greet("")

    def new_load(self) -> None:
        """See :class:`Reader`."""
        self._load, self._ordinal = self._load + 1, 0
        self._greet("")

    def set_condition(self, condition: str, *, is_on: bool) -> None:
        """See :class:`Reader`."""
        kind, words = CONDITIONS[condition]
        self._place.record(RecordWarning(self._place.device, kind, is_on, words if is_on else ""))

    def next_due_ns(self) -> int | None:
        """See :class:`Reader`; it never does anything by itself."""
        return None

    def tick(self) -> None:
        """See :class:`Reader`."""

    def _greet(self, reason: str) -> None:
        self._place.record(RecordReader(self._place.device, True, self._load, self._ordinal, reason))

    def _tell_next(self, reading: Reading) -> None:
        self._ordinal += 1
        self._tell(self._identity(), reading)

    def _tell(self, identity: SightingId, reading: Reading) -> None:
        self._place.record(RecordSighting(Sighting(identity, reading, self._place.now().monotonic_ns)))

    def _identity(self) -> SightingId:
        return SightingId(self._place.device, self._load, self._ordinal)
