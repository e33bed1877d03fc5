"""Three policies: gate over unique over transit; nothing is ever dropped (hardware.md, ``barcode_line``)."""

from __future__ import annotations

from typing import Any

import pytest
from support.code_vectors import described, instant

from drivers.barcode_line.plugin import BarcodeLinePlugin
from studio.domain.instants import Instant
from studio.ports.devices import Decoder

NUMBERED = {"pattern": r"D(?P<deck>\d+)-(?P<card>..)", "duplicates": "unique", "reload_seconds": 30, "decks": 8}
BARRIER = {"duplicates": "gate", "gate_codes": ["GO"], "passage_ms": 500}


class Telling:
    """A decoder, and what it says of lines at their times."""

    def __init__(self, **settings: Any) -> None:
        self.parser = BarcodeLinePlugin().decoder("reader-1", settings)

    def says(self, ms: float, text: str) -> list[str]:
        return self._words(self.parser.feed(f"{text}\r".encode(), instant(ms)))

    def rests(self, ms: float) -> list[str]:
        return self._words(self.parser.tick(instant(ms)))

    def _words(self, events: Any) -> list[str]:
        return [_word(described(event)) for event in events]


def _word(event: dict[str, Any]) -> str:
    name = f"{event['kind']} {event['card'] or ''}".strip()
    return f"{name}?" if event["suspect"] else name


def test_transit_tells_a_quick_repetition_as_such_and_counts_from_the_last() -> None:
    reader = Telling()
    assert reader.says(1000, "8S") == ["card 8S"]
    assert reader.says(1200, "8S") == ["suppressed 8S"]
    assert reader.says(1400, "8S") == ["suppressed 8S"]
    assert reader.says(1650, "8S") == ["card 8S"]


def test_transit_knows_a_code_again_behind_another() -> None:
    reader = Telling()
    assert reader.says(1000, "8S") == ["card 8S"]
    assert reader.says(1050, "9H") == ["card 9H"]
    assert reader.says(1100, "8S") == ["suppressed 8S"]


@pytest.mark.parametrize("text", ["NR", "XX"])
def test_only_cards_are_repetitions(text: str) -> None:
    reader = Telling()
    first = reader.says(1000, text)
    assert reader.says(1010, text) == first


def test_unique_tells_the_same_code_of_a_load_whenever_it_comes_and_never_a_twin() -> None:
    reader = Telling(**NUMBERED)
    assert reader.says(0, "D1-2C") == ["card 2C"]
    assert reader.says(20_000, "D3-8S") == ["card 8S"]
    assert reader.says(20_010, "D4-8S") == ["card 8S"]
    assert reader.says(45_000, "D3-8S") == ["suppressed 8S"]
    assert reader.says(70_000, "D4-8S") == ["suppressed 8S"]


def test_unique_takes_a_long_silence_for_a_new_load() -> None:
    reader = Telling(**NUMBERED)
    assert reader.says(0, "D1-2C") == ["card 2C"]
    assert reader.says(1000, "D3-8S") == ["card 8S"]
    assert reader.says(31_000, "D3-8S") == ["card 8S"]
    assert reader.says(32_000, "D3-8S") == ["suppressed 8S"]


def test_unique_forgets_the_card_that_proved_the_reader_since_the_table_asks_for_it_again() -> None:
    reader = Telling(**NUMBERED)
    assert reader.says(0, "D1-2C") == ["card 2C"]
    assert reader.says(100, "D1-2C") == ["suppressed 2C"]
    assert reader.says(3000, "D1-2C") == ["card 2C"]
    assert reader.says(6000, "D1-2C") == ["suppressed 2C"]


def test_a_fresh_line_has_seen_nothing() -> None:
    for settings in ({}, NUMBERED, BARRIER):
        reader = Telling(**settings)
        text = "D1-2C" if settings is NUMBERED else "2C"
        assert reader.says(1000, text) == ["card 2C"]
        reader.parser.connected(instant(1010))
        assert reader.says(1020, text) == ["card 2C"]


def test_a_deck_of_none_of_ours_is_a_foreign_card() -> None:
    (event,) = BarcodeLinePlugin().decoder("reader-1", NUMBERED).feed(b"D9-8S\r", instant(1000))
    assert described(event) | {} == {
        "kind": "unknown_code", "card": None, "suspect": False, "raw": "D9-8S", "foreign": True, "deck": 9,
    }  # fmt: skip


def test_a_silent_barrier_makes_every_reading_a_card() -> None:
    reader = Telling(duplicates="gate")
    assert [reader.says(1000 + number, "8S") for number in range(3)] == [["card 8S"]] * 3


def test_a_speaking_barrier_tells_twins_from_repetitions() -> None:
    reader = Telling(**BARRIER)
    assert reader.says(1000, "GO") == ["info"]
    assert reader.says(1010, "8S") == ["card 8S"]
    assert reader.says(1900, "8S") == ["suppressed 8S"]
    assert reader.says(2000, "GO") == ["info"]
    assert reader.says(2010, "8S") == ["card 8S"]


def test_another_card_in_one_passage_is_doubtful() -> None:
    reader = Telling(**BARRIER)
    reader.says(1000, "GO")
    assert reader.says(1010, "8S") == ["card 8S"]
    assert reader.says(1020, "9H") == ["card 9H?"]


def test_what_passes_the_barrier_and_is_not_read_is_told_once() -> None:
    reader = Telling(**BARRIER)
    reader.says(1000, "GO")
    assert reader.rests(1499) == []
    assert reader.rests(1500) == ["no_read"]
    assert reader.rests(9000) == []
    assert reader.says(10_000, "GO") == ["info"]
    assert reader.says(10_100, "GO") == ["no_read", "info"]
    assert reader.says(10_200, "NR") == ["no_read"]
    assert reader.rests(20_000) == []


def test_decoders_of_all_policies_are_decoders() -> None:
    for settings in ({}, NUMBERED, BARRIER):
        decoder: Decoder = BarcodeLinePlugin().decoder("reader-1", settings)
        assert decoder.tick(Instant(0, 0)) == []
