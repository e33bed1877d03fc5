"""Packets, answers, what is sent again, and what damage becomes (hardware.md, ``ssi``)."""

from __future__ import annotations

from typing import Any

import pytest
from support.code_vectors import instant
from support.packets import ACK, NAK, card, packet

from drivers.serial_reader import Parser
from drivers.ssi.packets import checksum, encode
from drivers.ssi.plugin import SsiPlugin
from studio.ports.devices import DeviceEvent

MS = 1_000_000
EIGHT, NINE, UNKNOWN = ("card", "8S"), ("card", "9H"), ("unknown_code", None)
PARAMETERS = bytes.fromhex("0DC60400FF9F01EE015E01EC00FB50")
SCAN = bytes.fromhex("04E90400FF0F")
READER_ACK = packet(0xD0)
READER_NAK = packet(0xD1, b"\x01")


def decoder(**settings: Any) -> Parser:
    return SsiPlugin().decoder("reader-1", settings)


def heard(**settings: Any) -> Parser:
    """Return a decoder that has taken a first card, and forgot that it answered."""
    one = decoder(**settings)
    one.feed(card("2C"), instant(0))
    one.data_to_send()
    return one


def kinds(events: list[DeviceEvent]) -> list[tuple[str, str | None]]:
    return [(event.kind.value, event.card.code if event.card else None) for event in events]


def test_the_checksum_is_the_twos_complement_of_the_sum() -> None:
    assert checksum(bytes.fromhex("07F30000033853")) == bytes.fromhex("FE78")
    assert checksum(bytes(4)) == b"\x00\x00"
    assert encode(0xD0) == ACK
    assert encode(0xD1, b"\x01") == NAK


@pytest.mark.parametrize(
    ("number", "name"), [(1, "code39"), (3, "code128"), (0x1B, "datamatrix"), (0x99, "type-99")]
)
def test_the_symbology_is_told(number: int, name: str) -> None:
    (event,) = decoder().feed(card("8S", symbology=number), instant(0))
    assert event.details == {"symbology": name}


def test_a_symbology_that_is_not_allowed_is_no_card() -> None:
    one = decoder(symbologies=["datamatrix"])
    assert kinds(one.feed(card("8S"), instant(0))) == [UNKNOWN]
    assert kinds(one.feed(card("8S", symbology=0x1B), instant(1000))) == [EIGHT]


def test_the_same_code_in_a_fresh_packet_is_a_second_card() -> None:
    one = decoder()
    assert kinds(one.feed(card("8S"), instant(0))) == [EIGHT]
    assert kinds(one.feed(card("8S"), instant(900))) == [EIGHT]
    assert one.data_to_send() == ACK + ACK


class TestSentAgain:
    """STATUS bit 0."""

    def test_equal_to_the_last_acknowledged_it_is_acknowledged_again_and_not_told(self) -> None:
        one = decoder()
        one.feed(card("8S"), instant(0))
        assert one.feed(card("8S", status=1), instant(2000)) == []
        assert one.feed(card("8S", status=1), instant(4000)) == []
        assert one.data_to_send() == 3 * ACK

    def test_different_from_it_it_is_a_card_whose_first_copy_was_lost(self) -> None:
        one = decoder()
        one.feed(card("8S"), instant(0))
        assert kinds(one.feed(card("9H", status=1), instant(2000))) == [NINE]

    def test_after_damage_it_may_be_the_twin_and_the_table_decides(self) -> None:
        one = decoder()
        one.feed(card("8S"), instant(0))
        damaged = bytearray(card("8S"))
        damaged[5] ^= 1
        assert one.feed(bytes(damaged), instant(900)) == []
        (event,) = one.feed(card("8S", status=1), instant(950))
        assert (event.kind.value, str(event.card)) == ("suppressed", "8S")
        assert event.details["policy"] == "retransmission"
        assert one.tick(instant(9000)) == []

    def test_later_than_a_lost_answer_would_make_it_it_may_be_the_twin(self) -> None:
        one = decoder()
        one.feed(card("8S"), instant(0))
        assert kinds(one.feed(card("8S", status=1), instant(2900))) == [("suppressed", "8S")]

    def test_a_new_line_knows_no_last_packet(self) -> None:
        one = decoder()
        one.feed(card("8S"), instant(0))
        one.connected(instant(10))
        assert kinds(one.feed(card("8S", status=1), instant(20))) == [EIGHT]


class TestDamage:
    """What is refused, and what becomes of it."""

    def test_a_refused_packet_that_comes_again_is_one_card(self) -> None:
        one = heard()
        one.feed(card("8S")[:-1] + b"\x00", instant(1000))
        assert one.data_to_send() == NAK
        assert kinds(one.feed(card("8S", status=1), instant(1100))) == [EIGHT]
        assert one.data_to_send() == ACK
        assert one.tick(instant(9000)) == []
        assert one.errors == {"check": 1}

    def test_one_that_never_comes_again_may_have_been_a_card(self) -> None:
        one = heard()
        one.feed(card("8S")[:-1] + b"\x00", instant(1000))
        assert one.tick(instant(3499)) == []
        (event,) = one.tick(instant(3500))
        assert (event.kind.value, event.details, event.suspect) == (
            "unknown_code",
            {"raw": "", "damaged": True},
            True,
        )
        assert one.tick(instant(9000)) == []

    def test_a_fresh_packet_after_damage_does_not_repair_it(self) -> None:
        one = heard()
        one.feed(card("8S")[:-1] + b"\x00", instant(1000))
        assert kinds(one.feed(card("9H"), instant(1500))) == [UNKNOWN, NINE]

    def test_half_a_packet_is_refused_when_it_falls_silent(self) -> None:
        one = heard()
        assert one.feed(card("8S")[:5], instant(1000)) == []
        assert one.tick(instant(1199)) == []
        assert one.data_to_send() == b""
        one.tick(instant(1200))
        assert one.data_to_send() == NAK
        assert one.errors == {"length": 1}

    def test_a_packet_behind_damage_is_found(self) -> None:
        one = heard()
        assert kinds(one.feed(b"\xf3\x12" + card("8S"), instant(1000)))[-1] == EIGHT

    def test_a_packet_behind_a_false_length_is_found_when_it_falls_silent(self) -> None:
        one = heard()
        one.feed(b"\x40" + card("8S")[1:] + card("9H"), instant(1000))
        assert NINE in kinds(one.tick(instant(1200)))

    def test_damage_before_the_reader_was_ever_heard_is_told_as_the_first_thing_heard(self) -> None:
        one = decoder()
        one.feed(b"8S\r9H\r", instant(0))
        assert one.tick(instant(300)) == []
        (event,) = one.tick(instant(9000))
        assert event.details == {"raw": "", "damaged": True, "proof": True}
        assert one.answers == 0

    @pytest.mark.parametrize("text", ["", "8\u0001", "7" * 65])
    def test_a_text_that_is_no_code_may_have_been_a_card(self, text: str) -> None:
        one = decoder()
        assert kinds(one.feed(card(text), instant(0))) == [UNKNOWN]
        assert one.errors == {"text": 1}
        assert one.data_to_send() == ACK

    @pytest.mark.parametrize("place", range(9))
    def test_no_changed_lost_or_added_byte_makes_another_card(self, place: int) -> None:
        whole = card("8S")
        for byte in range(256):
            for spoilt in (
                whole[:place] + bytes((byte,)) + whole[place + 1 :],
                whole[:place] + bytes((byte,)) + whole[place:],
                whole[:place] + whole[place + 1 :],
            ):
                one = decoder()
                events = one.feed(spoilt, instant(0)) + one.tick(instant(300))
                events += one.feed(card("9H"), instant(1000)) + one.tick(instant(9000))
                assert {name for kind, name in kinds(events) if kind == "card"} <= {"8S", "9H"}
                assert kinds(events)[-1] == NINE


class TestSeveralPackets:
    """STATUS bit 1."""

    def test_a_code_in_two_packets_is_joined_and_each_is_acknowledged(self) -> None:
        one = decoder()
        assert one.feed(card("8", status=2), instant(0)) == []
        assert kinds(one.feed(card("S"), instant(10))) == [EIGHT]
        assert one.data_to_send() == ACK + ACK

    def test_one_whose_rest_never_comes_may_have_been_a_card(self) -> None:
        one = decoder()
        one.feed(card("8", status=2), instant(0))
        assert one.tick(instant(2499)) == []
        assert kinds(one.tick(instant(2500))) == [UNKNOWN]
        assert one.errors == {"parts": 1}
        assert kinds(one.feed(card("9H"), instant(3000))) == [NINE]

    def test_one_without_end_is_bounded(self) -> None:
        one = decoder()
        parts = [one.feed(card("7" * 200, status=2), instant(number)) for number in range(30)]
        assert [kinds(events) for events in parts if events] == [[UNKNOWN]]


class TestCommands:
    """What the reader is told."""

    def host(self, **settings: Any) -> Parser:
        return SsiPlugin().parser("r", SsiPlugin().check_without_port("r", settings))

    def ready(self) -> Parser:
        one = self.host()
        one.connected(instant(0))
        one.feed(READER_ACK + READER_ACK, instant(10))
        one.data_to_send()
        return one

    def test_a_fresh_line_is_told_the_parameters_then_to_scan(self) -> None:
        one = self.host()
        one.connected(instant(0))
        assert one.data_to_send() == PARAMETERS
        assert one.answers == 0
        one.feed(READER_ACK, instant(10))
        assert one.data_to_send() == SCAN
        one.feed(READER_ACK, instant(20))
        assert one.data_to_send() == b""
        assert one.answers == 2

    def test_the_parameters_are_the_sign_of_life(self) -> None:
        one = self.ready()
        one.tick(instant(4900))
        assert one.data_to_send() == b""
        one.tick(instant(5100))
        assert one.data_to_send() == PARAMETERS

    def test_a_command_without_an_answer_is_sent_again_marked_and_given_up(self) -> None:
        one = self.host()
        one.connected(instant(0))
        sent = [one.data_to_send()]
        for ms in (2000, 4000, 6000, 8000):
            one.tick(instant(ms))
            sent.append(one.data_to_send())
        assert [data[3:4] for data in sent] == [b"\x00", b"\x01", b"\x01", b"", b""]
        one.tick(instant(11_000))
        assert one.data_to_send() == PARAMETERS
        one.feed(READER_ACK, instant(11_010))
        assert one.data_to_send() == SCAN

    def test_a_refused_command_is_sent_again(self) -> None:
        one = self.host()
        one.connected(instant(0))
        one.data_to_send()
        one.feed(READER_NAK, instant(10))
        assert one.data_to_send()[:3] == PARAMETERS[:3]
        assert one.errors == {"nak": 1}

    def test_cards_are_taken_and_acknowledged_while_a_command_waits(self) -> None:
        one = self.host()
        one.connected(instant(0))
        one.data_to_send()
        assert kinds(one.feed(card("8S"), instant(10))) == [EIGHT]
        assert one.data_to_send() == ACK
        one.feed(READER_ACK, instant(20))
        assert one.data_to_send() == SCAN

    def test_a_damaged_answer_is_no_card(self) -> None:
        one = self.ready()
        one.tick(instant(5100))
        one.feed(READER_ACK[:-1] + b"\x00", instant(5110))
        events = [event for ms in range(5200, 12_000, 100) for event in one.tick(instant(ms))]
        assert events == []

    def test_damage_beside_an_answer_may_have_been_a_card(self) -> None:
        one = self.ready()
        one.tick(instant(5100))
        one.feed(card("8S")[:-1] + b"\x00", instant(5110))
        one.feed(READER_ACK, instant(5120))
        events = [event for ms in range(5200, 12_000, 100) for event in one.tick(instant(ms))]
        assert kinds(events) == [UNKNOWN]

    def test_without_commands_nothing_is_sent_but_answers(self) -> None:
        one = decoder()
        one.connected(instant(0))
        one.feed(READER_ACK + READER_NAK + packet(0xF6, b"\x01"), instant(10))
        one.tick(instant(60_000))
        assert one.data_to_send() == ACK
        assert one.errors == {"nak": 1, "type": 1}
