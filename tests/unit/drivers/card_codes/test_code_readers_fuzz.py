"""No bytes raise, and how they are cut does not matter: for every reader of printed codes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.code_vectors import instant
from support.key_events import dropped, event, typed

from drivers.barcode_line.plugin import BarcodeLinePlugin
from drivers.evdev.plugin import EvdevPlugin
from drivers.ssi.packets import encode
from drivers.ssi.plugin import SsiPlugin
from studio.ports.devices import Decoder, DeviceEvent, EventKind

LINES = st.sampled_from([b"8S\r", b"]C09H\r\n", b"NR\r", b"\x02KH\x03", b"CUT\r", b"GO\r", b"A" * 70, b"\r\n"])
PACKETS = st.sampled_from([
    encode(0xF3, b"\x038S", source=0),
    encode(0xF3, b"\x038S", source=0, status=1),
    encode(0xF3, b"\x03D3-", source=0, status=2),
    encode(0xD0, source=0),
    encode(0xD1, b"\x01", source=0),
    b"\x00",
])  # fmt: skip
KEYS = st.sampled_from(
    [typed("8S", 1000), typed("9H", 5000), dropped(), event(1, 30, 2), event(7, 7, 7), typed("")]
)
DRIVERS: dict[str, tuple[Callable[[], Decoder], st.SearchStrategy[bytes]]] = {
    "barcode_line": (lambda: BarcodeLinePlugin().decoder("reader-1", {"cut_codes": ["CUT"]}), LINES),
    "barcode_line, framed": (
        lambda: BarcodeLinePlugin().decoder("reader-1", {"start": "STX", "terminators": ["ETX"], "ack": "06/15"}),
        LINES,
    ),
    "barcode_line, barrier": (
        lambda: BarcodeLinePlugin().decoder("reader-1", {"duplicates": "gate", "gate_codes": ["GO"]}),
        LINES,
    ),
    "ssi": (lambda: SsiPlugin().decoder("reader-1", {}), PACKETS),
    "evdev": (lambda: EvdevPlugin().decoder("reader-1", {}), KEYS),
}


@pytest.mark.parametrize("driver", DRIVERS)
@given(data=st.data())
def test_any_bytes_in_any_pieces_give_the_same_events(driver: str, data: st.DataObject) -> None:
    make, frames = DRIVERS[driver]
    parts = data.draw(st.lists(frames | st.binary(max_size=40), max_size=12))
    stream = b"".join(parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=12)))
    whole, cut = make(), make()
    events = whole.feed(stream, instant(5000))
    pieces: list[DeviceEvent] = []
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        pieces += cut.feed(stream[start:end], instant(5000))
    assert [(one.kind, one.card, one.suspect, one.details) for one in pieces] == [
        (one.kind, one.card, one.suspect, one.details) for one in events
    ]
    assert whole.errors == cut.errors
    assert whole.data_to_send() == cut.data_to_send()
    assert [one.kind for one in whole.tick(instant(60_000))] == [one.kind for one in cut.tick(instant(60_000))]


@pytest.mark.parametrize("driver", DRIVERS)
@given(data=st.data())
def test_what_is_left_in_the_middle_ends_by_itself(driver: str, data: st.DataObject) -> None:
    make, frames = DRIVERS[driver]
    decoder = make()
    for number, part in enumerate(data.draw(st.lists(frames | st.binary(max_size=80), max_size=8))):
        decoder.feed(part, instant(1000 + 5 * number))
    decoder.tick(instant(60_000))
    decoder.tick(instant(120_000))
    assert decoder.tick(instant(180_000)) == []
    decoder.data_to_send()


@pytest.mark.parametrize("driver", DRIVERS)
@given(data=st.data())
def test_every_event_that_names_a_card_is_a_card_or_a_possible_repetition(
    driver: str, data: st.DataObject
) -> None:
    make, frames = DRIVERS[driver]
    decoder = make()
    stream = b"".join(data.draw(st.lists(frames | st.binary(max_size=9), max_size=12)))
    named = [one for one in decoder.feed(stream, instant(1000)) if one.card is not None]
    assert {one.kind for one in named} <= {EventKind.CARD, EventKind.SUPPRESSED}
