"""The port of card sources: what a driver delivers, and what the studio may ask of it.

A driver turns bytes into device events and nothing more. It assigns no seat, removes no duplicate by
value and drops no byte silently. Ingest alone turns device events into the table's sightings.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, Protocol, runtime_checkable

from studio.domain.cards import Card
from studio.domain.instants import Instant


class EventKind(StrEnum):
    """Everything a card source can say (hardware.md, "One interface")."""

    CARD = "card"
    NO_READ = "no_read"
    CARD_RETURN = "card_return"
    CUT_CARD = "cut_card"
    LID = "lid"
    GATE = "gate"
    EMPTY = "empty"
    JAM = "jam"
    ERROR = "error"
    ERROR_CLEARED = "error_cleared"
    WARNING = "warning"
    HELLO = "hello"
    SESSION_START = "session_start"
    STANDBY = "standby"
    HEARTBEAT = "heartbeat"
    LOCKED = "locked"
    RETRANSMISSION = "retransmission"
    INFO = "info"
    LINK = "link"
    UNKNOWN_CODE = "unknown_code"
    MISSED = "missed"
    SUPPRESSED = "suppressed"
    OVERFLOW = "overflow"
    TYPED_REJECTED = "typed_rejected"
    SUSPECT_DISCARDED = "suspect_discarded"
    SLOT = "slot"
    """A camera: what it sees of a place on the felt, in ``details``; ``card`` where it reads one."""


class LinkState(StrEnum):
    """The state of the connection to a device; ready only after a valid frame or answer."""

    ABSENT = "absent"
    OPENING = "opening"
    SYNCING = "syncing"
    READY = "ready"
    STALE = "stale"
    LOST = "lost"


NO_DETAILS: Final[Mapping[str, Any]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class DeviceEvent:
    """One thing a device said, or that its driver found out about it.

    ``load`` and ``ordinal`` identify a card where the device counts them (smartshoe); ``sequence`` is the
    protocol's own. ``quality`` is per cent, of a camera how sure it is. ``details`` holds what else this kind
    carries, by the names that the vectors use (``boot``, ``serial``, ``first``, ``last``, ``open``, ``code``,
    ``state`` …). A warning or an error that the device never takes back has ``passing``, an error about a card
    that is told as unread beside it has ``unread``; ``proof`` marks a card that was the first thing heard of a
    reader. A camera's SLOT has ``seen`` (read, occupied, occluded, cleared, face-up-in-shoe, two-cards), ``seat``
    (0 the dealer's), ``hand``, ``position`` and ``frame``. ``raw`` are the bytes it came from,
    ``received`` the instant of the last of them.
    """

    device: str
    kind: EventKind
    received: Instant
    raw: bytes = b""
    card: Card | None = None
    load: int | None = None
    ordinal: int | None = None
    sequence: int | None = None
    quality: int | None = None
    suspect: bool = False
    details: Mapping[str, Any] = field(default_factory=lambda: NO_DETAILS)


@dataclass(frozen=True, slots=True)
class DeviceHealth:
    """A card source's condition, for ``/health``, the metrics and the consoles.

    ``errors`` counts what was rejected, by cause (``crc``, ``length``, ``overflow`` …); ``reason`` says in a
    sentence what is wrong and what to do, empty when nothing is.
    """

    device: str
    link: LinkState
    reason: str
    errors: Mapping[str, int]
    losses: int
    last_frame: Instant | None


class CardSource(Protocol):
    """A running card source, opened for one table.

    The caller must consume :meth:`events`, acknowledge each event that has an ``ordinal`` *after* it is
    journalled (a device that wants no acknowledgement ignores it), and call :meth:`close` at the end.
    """

    @property
    def device(self) -> str:
        """The device id from the configuration."""
        ...

    @property
    def simulated(self) -> bool:
        """Whether it reads a simulator; a live studio refuses such a source."""
        ...

    def events(self) -> AsyncIterator[DeviceEvent]:
        """Yield events in the order they arrived, until :meth:`close`."""
        ...

    async def acknowledge(self, event: DeviceEvent) -> None:
        """Tell the device that ``event`` is on disk."""
        ...

    def health(self) -> DeviceHealth:
        """Return the present condition."""
        ...

    async def close(self) -> None:
        """Release the port; :meth:`events` ends. Calling it twice is allowed."""
        ...


@dataclass(frozen=True, slots=True)
class Shuffle:
    """A shoe shuffled by the server for one round.

    ``commitment`` (64 hex digits) is published before the round, ``seed`` after it. Until then the seed is as
    secret as the hole card, since all the cards follow from it: it is no part of the ``repr``.
    """

    commitment: str
    seed: bytes = field(repr=False)
    load: int


@runtime_checkable
class DrawnSource(CardSource, Protocol):
    """A card source that deals when it is asked: the server's virtual shoe (rules.md, ``shuffling = "virtual"``).

    The caller must journal the seed, sealed, before it asks for a card, and after a restart give back what it
    journalled. After :meth:`CardSource.close` nothing is delivered and no card leaves the shoe.
    """

    async def load(self, table: str, round_number: int) -> Shuffle:
        """Shuffle a fresh shoe for a round of a table and return what was fixed.

        A HELLO with the new load and ordinal 0 follows. The load is one above every load that the source was
        opened with, restored to or has made. Raises ``ValueError`` for a table or round that no commitment names.
        """
        ...

    def restore(self, seed: bytes, load: int, ordinal: int) -> None:
        """Go on, after a restart, with the shoe of ``seed`` as load ``load``, of which ``ordinal`` cards are out.

        A HELLO with both follows. Raises ``ValueError`` for what is no seed or no place in the shoe, and for a
        place before the present one, since the same identities would come a second time.
        """
        ...

    async def draw(self) -> None:
        """Deal the next card: a CARD with load, ordinal and quality 100 follows; EMPTY where none is left.

        Raises ``RuntimeError`` where no shoe was loaded or restored.
        """
        ...


@dataclass(frozen=True, slots=True)
class Enrolment:
    """How far a deck's enrolment is: ``due`` is laid next (a card's code, ``back``, ``empty``, or nothing)."""

    problem: str
    taken: int
    due: str


@runtime_checkable
class Camera(CardSource, Protocol):
    """A card source that has a picture to show, and is calibrated by people."""

    def picture(self) -> bytes:
        """Return the newest picture with its slots drawn on it, JPEG; empty while there is none."""
        ...

    async def calibrate(self, corners: Sequence[tuple[float, float]]) -> str:
        """Calibrate by the corners of the empty table in the present picture; return what is wrong, or nothing."""
        ...

    async def enrol(self, step: str, due: str = "") -> Enrolment:
        """``look`` how far the enrolment of the deck in use is, ``begin`` it, ``take`` a picture, ``finish`` it.

        A picture is taken only of what is due; with another ``due`` nothing is done: a repetition is harmless.
        """
        ...


@dataclass(frozen=True, slots=True)
class Resume:
    """Where the journal stands for a device: the last card it holds, so a driver knows what to ask again."""

    load: int
    ordinal: int


class RawCapture(Protocol):
    """Where a transport puts every byte it reads, before anyone interprets it."""

    def __call__(self, device: str, data: bytes, received: Instant) -> None:
        """Store ``data``; must not block on anything slow."""
        ...


class CardSourcePlugin(Protocol):
    """The object behind an entry point of the group ``studio.card_sources``."""

    name: str
    """The driver's name in a configuration, such as ``smartshoe``."""

    counts: bool
    """Whether its devices count their cards (``load`` and ``ordinal``); else the table does."""

    def open(
        self,
        device: str,
        settings: Mapping[str, Any],
        *,
        resume: Resume | None,
        capture: RawCapture,
    ) -> CardSource:
        """Start a source; unknown or wrong ``settings`` raise ``ValueError`` with a sentence.

        Must be called inside a running event loop; the port may still be absent when it returns.
        """
        ...


class Decoder(Protocol):
    """A protocol without a port: the bytes of a recording in, the events that they give out. No input raises."""

    @property
    def errors(self) -> Mapping[str, int]:
        """What was not taken so far, by cause."""
        ...

    def feed(self, data: bytes, at: Instant) -> list[DeviceEvent]:
        """Return the events that ``data``, read at ``at``, completes."""
        ...

    def tick(self, now: Instant) -> list[DeviceEvent]:
        """Return the events that are due at ``now`` without a further byte."""
        ...

    def data_to_send(self) -> bytes:
        """Return what a host would send to the device now, and forget it."""
        ...


@runtime_checkable
class DecodingPlugin(CardSourcePlugin, Protocol):
    """A plug-in whose devices speak in bytes, which can be read without a device too."""

    def decoder(self, device: str, settings: Mapping[str, Any]) -> Decoder:
        """Return a fresh decoder; unknown or wrong ``settings`` raise ``ValueError``, none at all are allowed."""
        ...
