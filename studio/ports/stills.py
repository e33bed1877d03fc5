"""The port of the stills: for each card that a camera saw, the picture of its place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Still:
    """A picture of a place, JPEG; ``seat`` is 0 for the dealer's, ``None`` for the shoe's mouth."""

    jpeg: bytes
    seat: int | None
    at_ns: int


class Stills(Protocol):
    """A bounded store: what is too old, or too much, is gone."""

    def keep(self, table: str, frame: str, still: Still) -> None:
        """Keep a still under its frame's id; one that cannot be kept is counted, never raised."""
        ...

    def open(self, table: str, frame: str) -> Still | None:
        """Return a still, ``None`` where there is none any more; raise ``ValueError`` for one that was changed."""
        ...
