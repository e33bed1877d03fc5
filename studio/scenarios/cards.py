"""What happens to cards in a scenario: readings of the shoe's reader, and what the camera sees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from studio.domain.cards import parse_card
from studio.domain.commands import PassDeadline
from studio.domain.decide import next_alarm_ns
from studio.domain.people import SYSTEM
from studio.domain.record_commands import RecordSighting
from studio.domain.sightings import (
    CardRead,
    FaceUpInShoe,
    Sighting,
    SightingId,
    SlotCleared,
    SlotOccluded,
    SlotOccupied,
    TwoCards,
    WitnessReading,
)
from studio.domain.slots import Slot
from studio.scenarios.reader import CONDITIONS
from studio.scenarios.script import Line, ScenarioError
from studio.scenarios.stage import CAMERA, SECOND_NS, Stage, hand_of, only

_WITNESSED: Final[dict[str, type[WitnessReading]]] = {
    "occupied": SlotOccupied,
    "cleared": SlotCleared,
    "covered": SlotOccluded,
    "face-up": FaceUpInShoe,
    "two": TwoCards,
}


def _deal(stage: Stage, line: Line) -> None:
    """Cards that come as they should, a second apart: none may open an incident."""
    for code in line.words:
        before = stage.table.incident_count
        stage.wait(1)
        stage.reader.read(parse_card(code))
        if stage.table.incident_count != before:
            found = stage.newest(line)
            message = f"{line}: {code} opened {found.kind}: {found.detail}"
            raise ScenarioError(message)


def _card(stage: Stage, line: Line) -> None:
    """Cards that may come amiss, a second apart."""
    for code in line.words:
        stage.wait(1)
        stage.reader.read(parse_card(code))


def _again(stage: Stage, line: Line) -> None:
    """The same code a tenth of a second after the last one."""
    stage.wait(0.1)
    stage.reader.read(parse_card(only(line)))


def _rescan(stage: Stage, line: Line) -> None:
    """The unread card passed over the exit reader again, read or not (``fails``)."""
    stage.wait(1)
    unread = next(draw for draw in stage.table.loose if draw.card is None)
    stage.reader.rescan(unread.sighting, None if only(line) == "fails" else parse_card(only(line)))


def _camera(stage: Stage, line: Line) -> None:
    """``camera PLACE:POSITION CODE|occupied|cleared|covered|two``, ``camera shoe face-up``."""
    place, what = line.words
    slot = None
    if place != "shoe":
        hand, _, position = place.partition(":")
        slot = Slot(hand_of(hand), int(position))
    reading = _WITNESSED[what]() if what in _WITNESSED else CardRead(parse_card(what))
    stage.witnessed += 1
    seen = SightingId(CAMERA.id, 1, stage.witnessed)
    frame = f"frame-{stage.witnessed}"
    sighting = Sighting(seen, reading, stage.now.monotonic_ns, slot=slot, frame=frame)
    stage.must(line, RecordSighting(sighting), CAMERA)


def _tick(stage: Stage, line: Line) -> None:
    """``tick SECONDS``: time passes, and what waits for the clock is done."""
    until_ns = stage.now.monotonic_ns + int(float(only(line)) * SECOND_NS)
    while (due_ns := next_alarm_ns(stage.table)) is not None and due_ns <= until_ns:
        stage.wait_until(max(due_ns, stage.now.monotonic_ns))
        before = len(stage.played.events)
        stage.must(line, PassDeadline(), SYSTEM)
        if len(stage.played.events) == before:
            break
    stage.wait_until(until_ns)


def _reader(stage: Stage, line: Line) -> None:
    """``reader down|up|restart|new-load``: its cable, its power, or fresh cards in it, counted anew."""
    reader = stage.reader
    acts = {"down": reader.unplug, "up": reader.plug, "restart": reader.restart, "new-load": reader.new_load}
    acts[only(line)]()


def _warning(stage: Stage, line: Line) -> None:
    """``warning CONDITION [over]``: the reader tells of its shoe, or that it is well again."""
    condition, *over = line.words
    if condition not in CONDITIONS:
        message = f"{line}: conditions are {', '.join(CONDITIONS)}"
        raise ScenarioError(message)
    stage.reader.set_condition(condition, is_on=over != ["over"])


CARD_VERBS: Final[dict[str, Callable[[Stage, Line], None]]] = {
    "deal": _deal,
    "card": _card,
    "felt": _card,
    "again": _again,
    "unread": lambda stage, _: stage.reader.miss(),
    "code": lambda stage, line: stage.reader.read_code(only(line)),
    "cut": lambda stage, _: stage.reader.see_cut_card(),
    "rescan": _rescan,
    "camera": _camera,
    "tick": _tick,
    "reader": _reader,
    "warning": _warning,
    "wait": lambda stage, line: stage.wait(float(only(line))),
}
"""What can happen to cards, by verb."""
