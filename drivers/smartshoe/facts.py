"""What the protocol finds out, as values: its output, and the input of ordering and mapping."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from drivers.smartshoe.load_record import Verdict

if TYPE_CHECKING:
    from drivers.smartshoe.frames import Frame
    from drivers.smartshoe.messages import DeviceMessage
    from studio.domain.instants import Instant


@dataclass(frozen=True, slots=True)
class Received:
    """A message that is new; ``verdict`` says in which sense, for those that use up an ordinal."""

    message: DeviceMessage
    frame: Frame
    load: int | None
    at: Instant
    verdict: Verdict = Verdict.NEW


@dataclass(frozen=True, slots=True)
class Missing:
    """The device has counted past cards that are not here; a replay was asked for, if it has one.

    ``is_skipped``: a later card is here already. Otherwise HELLO or the heartbeats told.
    """

    load: int | None
    spans: tuple[range, ...]
    is_skipped: bool
    at: Instant


@dataclass(frozen=True, slots=True)
class Unrecovered:
    """The replay failed for all that was missing."""

    load: int | None
    spans: tuple[range, ...]
    at: Instant


@dataclass(frozen=True, slots=True)
class Overflowed:
    """More bytes without a delimiter than any frame has; ``raw`` are the first of them."""

    raw: bytes
    at: Instant


Fact: TypeAlias = Received | Missing | Unrecovered | Overflowed
