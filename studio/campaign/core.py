"""The core under test: commands in, transfers summed in a ledger, the clock turned by hand and its alarms kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from studio.domain.answers import Decided, Rejected, Step
from studio.domain.commands import Command, PassDeadline
from studio.domain.decide import decide, next_alarm_ns
from studio.domain.instants import Instant
from studio.domain.money import transfers
from studio.domain.people import SYSTEM, Actor, Role
from studio.domain.setup import TableSetup
from studio.domain.table import Table

DEALER: Final = Actor("dora", "Dora", Role.DEALER)
SUPERVISOR: Final = Actor("sam", "Sam", Role.SUPERVISOR)
COLLEAGUE: Final = Actor("sue", "Sue", Role.SUPERVISOR)
READER: Final = Actor("shoe-1", "shoe-1", Role.DEVICE)
CAMERA: Final = Actor("camera-1", "camera-1", Role.DEVICE)
OPERATOR: Final = Actor("campaign", "campaign", Role.OPERATOR)
_SECOND_NS: Final = 1_000_000_000
_ALARMS: Final = 1000


class Core:
    """One table. ``listen`` is told every step."""

    def __init__(self, setup: TableSetup, listen: Callable[[Step], None]) -> None:
        self.table = Table(setup)
        self.now = Instant(1_000 * _SECOND_NS, 1_700_000_000 * _SECOND_NS)
        self.ledger: dict[str, int] = {}
        self._listen = listen

    def send(self, command: Command, actor: Actor) -> Decided | Rejected:
        """Give a command to the core and take what follows from it."""
        answer = decide(self.table, command, actor, self.now)
        if isinstance(answer, Decided):
            for step in answer.steps:
                for move in transfers(step.before, step.event):
                    self.ledger[move.source] = self.ledger.get(move.source, 0) - move.amount
                    self.ledger[move.target] = self.ledger.get(move.target, 0) + move.amount
                self.table = step.after
                self._listen(step)
        return answer

    def wait(self, seconds: float) -> None:
        """Let time pass, and what waits for the clock happen."""
        until_ns = self.now.monotonic_ns + int(seconds * _SECOND_NS)
        for _ in range(_ALARMS):
            due_ns = next_alarm_ns(self.table)
            if due_ns is None or due_ns > until_ns:
                break
            self._turn(max(due_ns, self.now.monotonic_ns))
            answer = self.send(PassDeadline(), SYSTEM)
            if isinstance(answer, Rejected) or not answer.steps:
                break
        self._turn(until_ns)

    def _turn(self, monotonic_ns: int) -> None:
        by_ns = monotonic_ns - self.now.monotonic_ns
        self.now = Instant(monotonic_ns, self.now.wall_ns + by_ns)
