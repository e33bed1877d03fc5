"""The gate in a shoe's exit: closed while any reason stands, or while it is stuck.

It knows nothing of frames or time; the device tells the host what :meth:`Gate.settle` did.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Final


class GateReason(Enum):
    """Why the gate should be closed."""

    GREETING = auto()
    SILENCE = auto()
    HOST = auto()
    DISARMED = auto()


class GateMove(Enum):
    """What came of trying to put the gate where it should be."""

    NONE = auto()
    UNREPORTED = auto()
    REPORTED = auto()
    STUCK = auto()


_SENTENCES: Final = {
    GateReason.GREETING: "the host has not answered HELLO yet",
    GateReason.SILENCE: "the host acknowledges nothing, so the shoe closed its gate",
    GateReason.HOST: "the host closed the gate",
    GateReason.DISARMED: "the host disarmed the shoe",
}


class Gate:
    """The flap: where it is, why it should be closed, and what the host was last told."""

    def __init__(self) -> None:
        self.is_open = False
        self.is_stuck = False
        self._reasons: set[GateReason] = set()
        self._reported = True

    @property
    def should_open(self) -> bool:
        """Whether no reason to be closed stands."""
        return not self._reasons

    def has(self, reason: GateReason) -> bool:
        """Return whether ``reason`` stands."""
        return reason in self._reasons

    def sentence(self) -> str | None:
        """Return why it is closed, or None when it is open."""
        if self.is_open:
            return None
        return next((_SENTENCES[reason] for reason in GateReason if self.has(reason)), "the gate is stuck closed")

    def set_reason(self, reason: GateReason, *, stands: bool) -> None:
        """Let ``reason`` stand or fall; :meth:`settle` moves the flap."""
        if stands:
            self._reasons.add(reason)
        else:
            self._reasons.discard(reason)

    def set_stuck(self, *, is_stuck: bool) -> None:
        """Let it fall closed and stick there whatever is wanted, or free it; :meth:`settle` moves it then."""
        self.is_stuck = is_stuck
        self.is_open = self.is_open and not is_stuck

    def lose_power(self) -> None:
        """Fall closed (fail safe) and forget every reason."""
        self._reasons.clear()
        self.is_open = False

    def settle(self) -> GateMove:
        """Move to where the reasons want it.

        Being closed for a greeting alone is not reported, nor is opening after it: HELLO says as much.
        """
        if self.is_open == self.should_open:
            return GateMove.NONE
        if self.is_stuck:
            return GateMove.STUCK
        self.is_open = self.should_open
        if self.is_open == self._reported or self._reasons == {GateReason.GREETING}:
            return GateMove.UNREPORTED
        self._reported = self.is_open
        return GateMove.REPORTED
