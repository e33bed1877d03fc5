"""Every reader of printed codes against its simulated device: a thousand cards, with twins among them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import pytest
from support.simulated_reading import Parsing, Reading

from drivers.barcode_line.plugin import BarcodeLinePlugin
from drivers.evdev.plugin import EvdevPlugin
from drivers.ssi.plugin import SsiPlugin
from drivers.ssi.protocol import SsiParser
from hardware_sim.barcode_line.reader import BarcodeLineReader
from hardware_sim.evdev.reader import KeyboardReader
from hardware_sim.faults import Fault
from hardware_sim.reader import SimulatedReader
from hardware_sim.ssi.reader import SsiReader
from studio.domain.instants import Instant
from studio.ports.devices import EventKind

MS = 1_000_000
CUT = {"cut_codes": ["CUT"]}
NUMBERED = {**CUT, "pattern": r"D(?P<deck>\d+)-(?P<card>..)", "duplicates": "unique", "decks": 8}


def ssi_parser(settings: Mapping[str, Any]) -> SsiParser:
    """Build the parser with its commands, as the plug-in does for a port."""
    plugin = SsiPlugin()
    return plugin.parser("reader-1", plugin.check_without_port("reader-1", settings))


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


CODED = ["barcode_line by transit", "ssi", "evdev"]
each_protocol = pytest.mark.parametrize("name", CODED)


@each_protocol
def test_a_double_read_is_told_as_a_repetition(name: str) -> None:
    table = reading(CASES[name])
    table.deal(3)
    table.switch(Fault.DOUBLE_READ)
    table.deal(1)
    assert table.read == table.dealt
    (again,) = table.of_kind(EventKind.SUPPRESSED)
    assert (again.card, again.details["policy"]) == (table.dealt[-1], "transit")


@each_protocol
def test_a_card_that_is_not_read_is_told_and_read_when_it_is_passed_again(name: str) -> None:
    table = reading(CASES[name])
    table.deal(2)
    table.switch(Fault.NO_READ)
    table.deal(1)
    assert len(table.of_kind(EventKind.NO_READ)) == 1
    table.table.rescan()
    table.wait(400)
    assert table.read == table.dealt


@each_protocol
def test_another_code_is_told_as_it_is(name: str) -> None:
    table = reading(CASES[name])
    table.deal(2)
    table.switch(Fault.UNKNOWN_CODE)
    table.deal(1)
    (unknown,) = table.of_kind(EventKind.UNKNOWN_CODE)
    assert unknown.details["raw"]
    assert table.read == table.dealt[:2]


@each_protocol
def test_a_silence_and_then_a_burst_loses_no_card(name: str) -> None:
    table = reading(CASES[name])
    table.switch(Fault.SILENCE)
    for _ in range(5):
        if table.reader.refusal() is None:
            table.deal(1)
    table.table.set_fault(Fault.SILENCE, is_on=False)
    table.wait(5000)
    table.deal(3, pace_ms=3000)
    told = [event.card for event in table.of_kind(EventKind.CARD, EventKind.SUPPRESSED)]
    assert told == table.dealt


@pytest.mark.parametrize("name", ["barcode_line by transit", "barcode_line that waits", "ssi"])
def test_garbage_is_no_card_and_the_next_ones_are_heard(name: str) -> None:
    table = reading(CASES[name])
    table.deal(2)
    table.switch(Fault.GARBAGE)
    table.wait(5000)
    assert table.read == table.dealt
    table.deal(5)
    assert table.read[-4:] == table.dealt[-4:]


class TestSsi:
    """Faults that the protocol repairs."""

    def test_no_flipped_bit_makes_another_card_or_loses_one(self) -> None:
        table = reading(CASES["ssi"])
        table.deal(1)
        table.switch(Fault.BIT_FLIP)
        table.deal(300, pace_ms=1000)
        table.wait(5000)
        # A twin whose packet was damaged may be the card before: it is told as such.
        told = table.of_kind(EventKind.CARD, EventKind.SUPPRESSED)
        assert [event.card for event in told] == table.dealt
        assert {event.kind for event in table.events} <= {*(event.kind for event in told), EventKind.UNKNOWN_CODE}
        assert len(table.of_kind(EventKind.UNKNOWN_CODE, EventKind.SUPPRESSED)) < 30

    def test_a_lost_packet_comes_again(self) -> None:
        table = reading(CASES["ssi"])
        table.deal(3)
        table.switch(Fault.DROP)
        table.deal(3, pace_ms=3000)
        assert table.read == table.dealt

    def test_a_lost_packet_of_a_twin_is_not_taken_for_the_card_before(self) -> None:
        table = reading(CASES["ssi"])
        table.deal(3)
        table.switch(Fault.DROP)
        table.table.stack_next(table.dealt[-1])
        table.deal(1, pace_ms=3000)
        assert [event.card for event in table.of_kind(EventKind.SUPPRESSED)] == [table.dealt[-1]]

    def test_a_lost_answer_makes_no_second_card(self) -> None:
        table = reading(CASES["ssi"])
        table.deal(3)
        table.switch(Fault.LOST_ACKNOWLEDGEMENT)
        table.deal(3, pace_ms=3000)
        assert table.read == table.dealt
        assert len(table.events) == len(table.dealt)

    def test_a_storm_of_refusals_makes_no_second_card(self) -> None:
        table = reading(CASES["ssi"])
        table.switch(Fault.NAK_STORM)
        table.deal(20, pace_ms=1000)
        assert table.read == table.dealt

    def test_a_reader_that_restarted_is_told_its_parameters_again(self) -> None:
        table = reading(CASES["ssi"])
        table.deal(1)
        reader = table.reader
        assert isinstance(reader, SsiReader)
        assert reader.parameters == {0x9F: 1, 0xEE: 1, 0x5E: 1, 0xEC: 0}
        table.table.set_fault(Fault.REBOOT, is_on=True)
        assert reader.parameters == {}
        table.wait(6000)
        assert reader.parameters == {0x9F: 1, 0xEE: 1, 0x5E: 1, 0xEC: 0}


def test_a_light_barrier_that_speaks_tells_of_a_card_whose_line_was_lost() -> None:
    table = reading(CASES["barcode_line by a light barrier"])
    table.deal(3)
    table.switch(Fault.UNKNOWN_CODE)
    table.deal(1)
    assert len(table.of_kind(EventKind.UNKNOWN_CODE)) == 1
    assert table.of_kind(EventKind.NO_READ) == []
    table.parser.feed(b"GO\r\n", Instant(table.now_ns, 0))
    table.wait(2000)
    assert len(table.of_kind(EventKind.NO_READ)) == 1


def test_of_refused_lines_that_come_again_no_card_is_lost() -> None:
    table = reading(CASES["barcode_line that waits"])
    table.deal(1)
    table.switch(Fault.BIT_FLIP)
    table.deal(200, pace_ms=1500)
    # A flipped bit may leave a clean line: one that is no card, or, since nothing checks it, another card. One in
    # the LF behind the CR is damage of its own, which never comes again.
    told = table.of_kind(EventKind.CARD, EventKind.UNKNOWN_CODE)
    assert len(table.dealt) <= len(told) < len(table.dealt) + 30
    assert len(table.of_kind(EventKind.CARD)) > len(table.dealt) - 30


@all_cases
def test_the_faults_of_the_page_are_those_of_the_simulated_reader(case: Case) -> None:
    captions = case.reader().captions
    assert Fault.NO_READ in captions
    assert Fault.LID_OPEN not in captions
