"""What the web needs of a running table, and how an endpoint gets at it.

The actor of :mod:`studio.runtime` is one; nothing here knows how it works.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from studio.domain.commands import Command
from studio.domain.correction_views import DrawView, Preview, ReadingView
from studio.domain.people import Actor
from studio.domain.setup import TableSetup
from studio.domain.table import Table
from studio.runtime.inbox import Outcome, Submission


class LiveTable(Protocol):
    """A running table: its present state, its inbox, and a way to hear of changes."""

    @property
    def setup(self) -> TableSetup:
        """What the table was set up with."""
        ...

    @property
    def table(self) -> Table:
        """The state after the last committed event."""
        ...

    @property
    def sequence(self) -> int:
        """The sequence number of the last committed event; 0 before the first."""
        ...

    async def submit(self, submission: Submission) -> Outcome:
        """Have a command decided and recorded; raise :class:`studio.ports.journal.JournalError`."""
        ...

    async def preview(self, command: Command, actor: Actor) -> Preview:
        """Return what a command would do now; nothing happens."""
        ...

    def readings(self) -> tuple[ReadingView, ...]:
        """Return the last readings with the bytes behind them, newest first."""
        ...

    async def settled_draws(self, number: int) -> tuple[DrawView, ...] | None:
        """Return the cards of a settled round by their draws, ``None`` where there is no such round."""
        ...

    def watch(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call ``callback`` in the loop after each commit; the function returned stops that."""
        ...
