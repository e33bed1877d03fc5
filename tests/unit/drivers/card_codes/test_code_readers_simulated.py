"""Every reader of printed codes against its simulated device: a thousand cards, with twins among them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import pytest
from support.simulated_reading import Parsing, Reading

from drivers.barcode_line.plugin import BarcodeLinePlugin
from drivers.evdev.plugin import EvdevPlugin
from drivers.ssi.commands import Commands
from drivers.ssi.packets import PacketReader
from drivers.ssi.protocol import SsiParser, Timing
from drivers.ssi.settings import parse_settings
from hardware_sim.barcode_line.reader import BarcodeLineReader
from hardware_sim.evdev.reader import KeyboardReader
from hardware_sim.faults import Fault
from hardware_sim.reader import SimulatedReader
from hardware_sim.ssi.reader import SsiReader
from studio.ports.devices import EventKind

MS = 1_000_000
CUT = {"cut_codes": ["CUT"]}
NUMBERED = {**CUT, "pattern": r"D(?P<deck>\d+)-(?P<card>..)", "duplicates": "unique", "decks": 8}


def ssi_parser(settings: Mapping[str, Any]) -> SsiParser:
    """Build the parser with its commands, as the plug-in does for a port."""
    checked = parse_settings("reader-1", {"port": "/dev/null", **settings})
    timing = Timing(checked.retry_ms * MS, checked.answer_ms * MS)
    commands = Commands(checked.answer_ms * MS, checked.alive_seconds * 1000 * MS)
    return SsiParser("reader-1", PacketReader(checked.quiet_ms * MS), timing, checked.code_reader("r"), commands)


class Case(NamedTuple):
    reader: Callable[[], SimulatedReader]
    parser: Callable[[], Parsing]


CASES = {
    "barcode_line by transit": Case(
        lambda: BarcodeLineReader(1), lambda: BarcodeLinePlugin().decoder("reader-1", CUT)
    ),
    "barcode_line by unique codes": Case(
        lambda: BarcodeLineReader(1, numbered=True), lambda: BarcodeLinePlugin().decoder("reader-1", NUMBERED)
    ),
    "barcode_line by a light barrier": Case(
        lambda: BarcodeLineReader(1, barrier=True),
        lambda: BarcodeLinePlugin().decoder("reader-1", {**CUT, "duplicates": "gate", "gate_codes": ["GO"]}),
    ),
    "barcode_line that waits": Case(
        lambda: BarcodeLineReader(1, waits=True),
        lambda: BarcodeLinePlugin().decoder("reader-1", {**CUT, "ack": "06/15"}),
    ),
    "ssi": Case(lambda: SsiReader(1), lambda: ssi_parser(CUT)),
    "evdev": Case(lambda: KeyboardReader(1), lambda: EvdevPlugin().decoder("reader-1", CUT)),
}
all_cases = pytest.mark.parametrize("case", CASES.values(), ids=CASES)
by_themselves = pytest.mark.parametrize("faults", [(), (Fault.SPLIT,), (Fault.MERGE,)], ids=str)


def reading(case: Case) -> Reading:
    return Reading(case.reader(), case.parser())


@by_themselves
@all_cases
def test_of_a_thousand_cards_none_is_lost_and_none_doubled(case: Case, faults: tuple[Fault, ...]) -> None:
    table = reading(case)
    table.switch(*faults)
    # Seven hundred bytes of key events in pieces of one take 0.7 s on the line.
    table.deal(1000, pace_ms=1000 if isinstance(table.reader, KeyboardReader) else 400)
    table.wait(1000)
    assert table.read == table.dealt
    assert any(one == two for one, two in pairwise(table.dealt))
    assert {event.kind for event in table.events} <= {EventKind.CARD, EventKind.CUT_CARD, EventKind.INFO}
    assert not any(event.suspect for event in table.events)


@all_cases
def test_the_same_seed_gives_the_same_bytes(case: Case) -> None:
    heard = []
    for _ in range(2):
        table = reading(case)
        table.switch(Fault.SPLIT)
        table.deal(40)
        heard.append(bytes(table.heard))
    assert heard[0] == heard[1]
