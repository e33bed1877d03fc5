"""A table whose second witness is another reader at the same shoe: its readings, as the table takes them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

from studio.domain.cards import parse_card
from studio.domain.commands import PassDeadline
from studio.domain.decide import next_alarm_ns
from studio.domain.events import AnomalyDetected, Event, WitnessJudged
from studio.domain.people import SYSTEM, Actor, Role
from studio.domain.record_commands import RecordReader, RecordSighting
from studio.domain.setup import SecondReaderSetup, TableSetup
from studio.domain.sightings import CardRead, CutCardRead, Reading, Sighting, SightingId, Unreadable
from studio.domain.witness import Verdict
from support.tables import PlayedTable, a_setup

SECOND = Actor("mat-1", "mat-1", Role.DEVICE)
_NS = 1_000_000_000


def a_second_reader_setup(setup: TableSetup | None = None, **changes: Any) -> TableSetup:
    return replace(setup or a_setup(), second_reader=replace(SecondReaderSetup("mat-1"), **changes))


class SecondReaderTable(PlayedTable):
    """A played table with a second reader; by itself that reader says nothing."""

    def __init__(self, setup: TableSetup | None = None) -> None:
        super().__init__(setup or a_second_reader_setup())
        self.second_load = 1
        self.told = 0

    def open(self) -> Self:
        super().open()
        self.do(RecordReader("mat-1", True, self.second_load, 0), SECOND)
        return self

    def ready(self, burn: str = "AS 2C") -> Self:
        """Prepare the shoe; both readers read the burned cards."""
        self.open().load_shoe()
        self.both(*burn.split())
        return self.wait(10)

    def heard(self, what: str, *, ordinal: int | None = None, **fields: Any) -> tuple[Event, ...]:
        """Let the second reader tell a card by its code, ``?`` for one it could not read, or the cut card."""
        if ordinal is None:
            self.told += 1
            ordinal = self.told
        special: dict[str, Reading] = {"?": Unreadable(), "CUT": CutCardRead()}
        reading = special.get(what) or CardRead(parse_card(what))
        identity = SightingId("mat-1", self.second_load, ordinal)
        sighting = Sighting(identity, reading, self.now.monotonic_ns, **fields)
        return self.do(RecordSighting(sighting), SECOND)

    def both(self, *cards: str) -> Self:
        """Deal cards that both read, the second reader a tenth of a second later; ``TC/9D``: it reads another one.

        ``TC/-`` is not heard of by the second reader, ``-/TC`` not by the table's.
        """
        for one in cards:
            first, _, second = one.partition("/")
            self.wait(1)
            if first != "-":
                self.card(first)
            self.wait(0.1)
            if second != "-":
                self.heard(second or first)
        return self

    def let_time_pass(self, seconds: float) -> Self:
        """Turn the clock on, ringing whenever the table wants to look at it."""
        end_ns = self.now.monotonic_ns + int(seconds * _NS)
        self.turn_to(end_ns)
        return self

    def turn_to(self, end_ns: int) -> None:
        """Turn the clock to a moment, ringing on the way; a bell that changes nothing is an error."""
        while (due_ns := next_alarm_ns(self.table)) is not None and due_ns <= end_ns:
            self._set(max(due_ns, self.now.monotonic_ns))
            before = self.table
            self.do(PassDeadline(), SYSTEM)
            assert self.table != before, "the table woke up for nothing"
        self._set(end_ns)

    def _set(self, at_ns: int) -> None:
        step = at_ns - self.now.monotonic_ns
        self.now = replace(self.now, monotonic_ns=at_ns, wall_ns=self.now.wall_ns + step)

    def verdicts(self) -> dict[int, Verdict]:
        """Return what was made of each draw, by its number; a draw judged twice is an error."""
        found: dict[int, Verdict] = {}
        for event in self.events:
            match event:
                case WitnessJudged(draw, verdict):
                    assert draw not in found, f"draw {draw} was judged twice"
                    found[draw] = verdict
                case AnomalyDetected(draw=int(draw), kind=kind) if kind.value == "source-disagreement":
                    assert draw not in found, f"draw {draw} was judged twice"
                    found[draw] = Verdict.DIFFERENT
                case _:
                    pass
        return found
