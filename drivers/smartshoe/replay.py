"""One request for replay: when to repeat it, and when to give it up (spec.md, "Replay").

Sans-I/O; moments are monotonic nanoseconds. It does not know what is missing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from drivers.smartshoe.messages import ResultCode

if TYPE_CHECKING:
    from drivers.smartshoe.messages import Result

REPEAT_NS: Final = 300_000_000
GIVE_UP_NS: Final = 1_000_000_000
_FINAL_REFUSALS: Final = (ResultCode.UNKNOWN, ResultCode.BAD_ARGUMENT, ResultCode.HARDWARE)


class Step(Enum):
    """What is due now."""

    WAIT = auto()
    RESEND = auto()
    ASK_AGAIN = auto()
    GIVE_UP = auto()


@dataclass(slots=True)
class Replay:
    """REPLAY_FROM ``first``, sent as command ``sequence``; ``progress_ns`` is when a missing card last came."""

    sequence: int
    first: int
    sent_ns: int
    progress_ns: int
    is_answered: bool = False
    is_refused: bool = False

    def on_result(self, result: Result) -> None:
        """Take the device's answer; *not now* is asked again, other refusals end the replay."""
        if result.command_sequence == self.sequence:
            self.is_answered = True
            self.is_refused = result.code in _FINAL_REFUSALS

    def step(self, now_ns: int, *, reader_owes: bool) -> Step:
        """Return what is due; while the reader owes an acknowledgement the device cannot go on, so time stands."""
        if self.is_refused:
            return Step.GIVE_UP
        if reader_owes:
            self.progress_ns = now_ns
            return Step.WAIT
        if now_ns - self.progress_ns >= GIVE_UP_NS:
            return Step.GIVE_UP
        if now_ns - max(self.sent_ns, self.progress_ns) >= REPEAT_NS:
            return Step.ASK_AGAIN if self.is_answered else Step.RESEND
        return Step.WAIT
