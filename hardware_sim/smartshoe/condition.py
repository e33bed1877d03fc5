"""The condition of a shoe, apart from its gate: power, jam, lid, stack, errors.

It knows nothing of frames or time.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hardware_sim.smartshoe.payloads import ErrorCode, ShoeState


@dataclass(slots=True)
class Condition:
    """What is wrong with the shoe now; ``was_heard`` is whether the host has spoken since power-up."""

    is_powered: bool = False
    is_jammed: bool = False
    is_lid_open: bool = False
    is_empty: bool = False
    was_heard: bool = False
    errors: set[ErrorCode] = field(default_factory=set)

    def sentence(self) -> str | None:
        """Return why no card can leave, or None where only the gate decides."""
        if not self.is_powered:
            return "the shoe has no power, so its gate is closed"
        if self.is_jammed:
            return "a card is jammed in the exit"
        return "the lid is open" if self.is_lid_open else None

    def state(self, *, is_greeting: bool, is_gate_open: bool) -> ShoeState:
        """Return the state that a heartbeat tells, the worst one first."""
        if self.is_jammed:
            return ShoeState.JAM
        if self.errors or self.is_lid_open:
            return ShoeState.ERROR
        if is_greeting:
            return ShoeState.LOADING if self.was_heard else ShoeState.STARTING
        if self.is_empty:
            return ShoeState.EMPTY
        return ShoeState.READY if is_gate_open else ShoeState.GATE_CLOSED
