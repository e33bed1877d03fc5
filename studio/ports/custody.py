"""The port of custody: legal holds on rounds, each with who and why."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from studio.domain.instants import Instant


class Hold(NamedTuple):
    """A legal hold on a round: nothing of it is taken out while it lasts. ``person`` is who placed it."""

    table: str
    round: int
    person: str
    reason: str
    wall_ns: int


class Custody(Protocol):
    """Places and releases legal holds; each act is on record for ever."""

    def holds(self) -> tuple[Hold, ...]:
        """Return the holds that last."""
        ...

    async def hold(self, hold: Hold, at: Instant) -> None:
        """Place a hold; one that lasts already is left as it is.

        Raises ``ValueError`` where the table has no such round, :class:`studio.ports.journal.JournalError` where
        it is not on disk.
        """
        ...

    async def release(self, hold: Hold, at: Instant) -> None:
        """Release a hold, with who and why of the release; without one it does nothing. Raises alike."""
        ...
