"""Lines: how they begin and end, what is damaged, and the answers that some readers wait for."""

from __future__ import annotations

from typing import Any

import pytest
from support.code_vectors import described, instant

from drivers.barcode_line.plugin import BarcodeLinePlugin
from drivers.serial_reader import Parser
from studio.ports.devices import DeviceEvent


def parser(**settings: Any) -> Parser:
    return BarcodeLinePlugin().decoder("reader-1", settings)


def kinds(events: list[DeviceEvent]) -> list[tuple[str, str | None]]:
    return [(event.kind.value, event.card.code if event.card else None) for event in events]


EIGHT, NINE = ("card", "8S"), ("card", "9H")
UNKNOWN = ("unknown_code", None)
FRAMED = {"start": "STX", "terminators": ["ETX"]}


@pytest.mark.parametrize("ending", ["CR", "LF", "CRLF", "ETX", "TAB"])
def test_each_ending_ends_a_line(ending: str) -> None:
    codes = {"CR": b"\r", "LF": b"\n", "CRLF": b"\r\n", "ETX": b"\x03", "TAB": b"\t"}
    one = parser(terminators=[ending])
    assert kinds(one.feed(b"8S" + codes[ending] + b"9H" + codes[ending], instant(0))) == [EIGHT, NINE]
    assert one.errors == {}


def test_a_lone_cr_does_not_end_a_line_that_crlf_ends() -> None:
    one = parser(terminators=["CRLF"])
    assert kinds(one.feed(b"8S\r9H\r\n", instant(0))) == [UNKNOWN]


def test_sixty_four_bytes_are_a_code_and_one_more_is_too_many() -> None:
    code = "7" * 64
    for terminator in ([], ["CRLF"]):
        one = parser(map={code: "8S"}, terminators=terminator or ["CR", "LF"])
        assert kinds(one.feed(f"{code}\r\n".encode(), instant(0))) == [EIGHT]
        assert kinds(one.feed(f"{code}7\r\n".encode(), instant(9000))) == [("overflow", None)]
        assert kinds(one.feed(f"{code}\r\n".encode(), instant(18_000))) == [EIGHT]
        assert one.errors == {"overflow": 1}


def test_a_silence_ends_what_an_overflow_skips_so_that_the_next_card_is_heard() -> None:
    one = parser()
    one.feed(b"A" * 80, instant(0))
    assert one.tick(instant(300)) == []
    assert kinds(one.feed(b"8S\r", instant(1000))) == [EIGHT]


def test_noise_before_the_first_line_of_a_connection_is_told_as_the_first_thing_heard() -> None:
    one = parser()
    one.feed(b"\xf0\x0f", instant(0))
    (event,) = one.tick(instant(300))
    assert event.details == {"raw": "", "damaged": True, "proof": True}
    assert one.answers == 0
    assert kinds(one.feed(b"8S\r", instant(400))) == [EIGHT]


def test_a_line_that_never_ends_may_have_been_a_card() -> None:
    one = parser()
    assert kinds(one.feed(b"9H\r8S", instant(0))) == [NINE]
    assert one.tick(instant(299)) == []
    (event,) = one.tick(instant(300))
    assert described(event)["kind"] == "unknown_code"
    assert (event.details, event.suspect, event.raw) == ({"raw": "", "damaged": True}, True, b"8S")
    assert kinds(one.feed(b"9H\r", instant(400))) == [NINE]
    assert one.answers == 2


def test_a_lost_terminator_before_a_start_ends_the_line_as_damaged() -> None:
    assert kinds(parser(**FRAMED).feed(b"\x028S\x029H\x03", instant(0))) == [UNKNOWN, NINE]


@pytest.mark.parametrize("line", [b"8S\x03", b"\x02\x03", b"\x028\x00S\x03", b"x\x028S\x03"])
def test_a_framed_line_without_its_start_or_with_other_bytes_is_no_card(line: bytes) -> None:
    events = parser(**FRAMED).feed(line, instant(0))
    assert events[0].kind.value == "unknown_code"
    assert events[0].details["damaged"]


def test_empty_lines_are_counted_but_not_the_lf_behind_a_cr() -> None:
    one = parser()
    assert kinds(one.feed(b"8S\r\n\r\n\n", instant(0))) == [EIGHT]
    assert one.errors == {"empty": 2}


@pytest.mark.parametrize(
    ("settings", "line", "expected"),
    [
        ({"aim": "required"}, b"8S\r", UNKNOWN),
        ({"aim": "required"}, b"]C08S\r", EIGHT),
        ({"aim": "required"}, b"NR\r", ("no_read", None)),
        ({"aim": "off"}, b"]C08S\r", UNKNOWN),
        ({}, b"]?08S\r", UNKNOWN),
        ({"symbologies": ["datamatrix"]}, b"]C08S\r", UNKNOWN),
        ({"symbologies": ["datamatrix"]}, b"]d18S\r", EIGHT),
        ({"symbologies": ["datamatrix"]}, b"]A0NR\r", ("no_read", None)),
    ],
)
def test_the_aim_prefix(settings: dict[str, Any], line: bytes, expected: tuple[str, str | None]) -> None:
    assert kinds(parser(**settings).feed(line, instant(0))) == [expected]


class TestAnswers:
    """ACK mode 06 / 15."""

    def test_a_reader_that_waits_is_answered_once_for_each_line(self) -> None:
        one = parser(ack="06/15")
        one.feed(b"8S\r\nXX\r\n", instant(0))
        assert one.data_to_send() == b"\x06\x06"
        assert one.data_to_send() == b""

    def test_one_that_does_not_wait_is_never_answered(self) -> None:
        one = parser()
        one.feed(b"8S\r\xff\r", instant(0))
        assert one.data_to_send() == b""

    def test_a_refused_line_that_comes_again_is_one_card(self) -> None:
        one = parser(ack="06/15")
        assert one.feed(b"8\xff\r", instant(0)) == []
        assert one.data_to_send() == b"\x15"
        assert kinds(one.feed(b"8S\r", instant(100))) == [EIGHT]
        assert one.data_to_send() == b"\x06"
        assert one.tick(instant(9000)) == []
        assert one.errors == {"damaged": 1}

    def test_a_refused_line_that_never_comes_again_may_have_been_a_card(self) -> None:
        one = parser(ack="06/15", retry_ms=1000)
        one.feed(b"8\xff\r", instant(0))
        one.feed(b"\xff\r", instant(500))
        assert one.tick(instant(999)) == []
        assert kinds(one.tick(instant(1000))) == [UNKNOWN]
        assert one.tick(instant(5000)) == []

    def test_half_a_line_is_refused_when_it_falls_silent(self) -> None:
        one = parser(ack="06/15")
        one.feed(b"9H\r8", instant(0))
        assert one.tick(instant(300)) == []
        assert one.data_to_send() == b"\x06\x15"

    def test_an_overflow_is_told_and_not_asked_for_again(self) -> None:
        one = parser(ack="06/15")
        assert kinds(one.feed(b"A" * 70 + b"\r", instant(0))) == [("overflow", None)]
        assert one.data_to_send() == b"\x06"
