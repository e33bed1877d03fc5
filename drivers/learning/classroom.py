"""The lesson with a real reader: what it says is taken as codes, what the person types as wishes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from drivers.learning.lesson import Known, LastAgain, Learnt, Lesson
from studio.ports.devices import DeviceEvent, EventKind

BACK: Final = "b"
QUIT: Final = "q"


class Classroom:
    """Guides one lesson; ``say`` gets each line for the person."""

    def __init__(self, lesson: Lesson, say: Callable[[str], None]) -> None:
        self._lesson = lesson
        self._say = say
        self.is_over = False
        """Whether everything is learnt, or the person has had enough."""

    @property
    def lesson(self) -> Lesson:
        """What was learnt."""
        return self._lesson

    def begin(self) -> None:
        """Explain, and ask for the first card."""
        self._say(
            f"Sort the cards: diamonds, clubs, spades, hearts, each ace to king. {self._lesson.total} in all."
        )
        self._say(f"Pass each before the reader when it is asked for. {BACK} goes back a card, {QUIT} gives up.")
        self._ask()

    def on_event(self, event: DeviceEvent) -> None:
        """Take what the reader says."""
        match event.kind:
            case EventKind.LINK:
                self._say(f"  reader {event.details['state']}: {event.details['reason']}")
            case EventKind.UNKNOWN_CODE if event.details.get("raw"):
                self._take(str(event.details["raw"]))
            case EventKind.UNKNOWN_CODE | EventKind.OVERFLOW | EventKind.NO_READ | EventKind.CUT_CARD:
                self._say("  not read as a card's code: pass the same card again")
            case EventKind.TYPED_REJECTED | EventKind.SUSPECT_DISCARDED:
                self._say("  typed by a person, or keys were lost: pass the same card again")
            case _:
                pass

    def on_line(self, line: str) -> None:
        """Take what the person typed."""
        match line.strip().lower():
            case "b":
                self._say("  back a card" if self._lesson.back() else "  this is the first card")
                self._ask()
            case "q":
                self.is_over = True
            case _:
                self._say(f"  {BACK} goes back a card, {QUIT} gives up")

    def _take(self, code: str) -> None:
        if self._lesson.wanted is None:
            return
        match self._lesson.take(code):
            case Learnt():
                self._ask()
            case LastAgain():
                self._say("  that was the last card again")
            case Known(of):
                self._say(f"  {code!r} is the code of the {of.words} (card {of.number}) already. Is this the")
                self._say(f"  right card? Pass it again, or type {BACK} to correct the one before")

    def _ask(self) -> None:
        wanted = self._lesson.wanted
        if wanted is None:
            self.is_over = True
            self._say(f"  all {self._lesson.total} learnt, each with a code of its own")
        else:
            self._say(f"{wanted.number:>4}/{self._lesson.total}  {wanted.card.code}  {wanted.words}")
