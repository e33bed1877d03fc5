from __future__ import annotations

import pytest
from smartshoe_peer import CODES

from drivers.smartshoe.frames import Cause, Frame
from drivers.smartshoe.messages import (
    CardRead,
    Cleared,
    Fault,
    Gate,
    Jam,
    Lid,
    Malformed,
    MessageType,
    NakReason,
    Result,
    card_of,
    parse_message,
)
from studio.domain.cards import DECK, parse_card


def test_the_52_card_bytes_are_those_of_the_specification_and_no_other_is_a_card() -> None:
    assert {code: card.code for code in range(256) if (card := card_of(code))} == {
        code: name for name, code in CODES.items()
    }
    assert len(DECK) == len(CODES)
    assert (card_of(0x38), card_of(0x4D)) == (parse_card("8S"), parse_card("KH"))


@pytest.mark.parametrize(
    ("kind", "payload", "message"),
    [
        (MessageType.GATE, b"\x00", Gate(is_open=False)),
        (MessageType.LID, b"\x01", Lid(is_open=True)),
        (MessageType.JAM, b"", Jam()),
        (MessageType.ERROR, b"\x05\x02", Fault(5, 2)),
        (MessageType.CLEARED, b"\x05", Cleared(5)),
        (MessageType.RESULT, b"\x09\x03", Result(9, 3)),
        (MessageType.CARD, b"\x00\x01\x5f\xff", CardRead(1, 0x5F, None, 100)),
    ],
)
def test_messages_that_no_vector_shows(kind: MessageType, payload: bytes, message: object) -> None:
    assert parse_message(Frame(kind, 0, 0, payload)) == message


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        (MessageType.CARD, b"\x00\x01\x38"),
        (MessageType.CARD, b"\x00\x01\x38\x61\x00"),
        (MessageType.CARD, b"\x00\x00\x38\x61"),
        (MessageType.NOREAD, b"\x00\x00"),
        (MessageType.LID, b"\x02"),
        (MessageType.JAM, b"\x00"),
        (MessageType.HELLO, b""),
    ],
)
def test_a_payload_must_be_exact(kind: MessageType, payload: bytes) -> None:
    assert parse_message(Frame(kind, 0, 0, payload)) == Malformed(Cause.FORMAT, NakReason.FORMAT)


def test_a_type_of_the_host_or_of_nobody_is_unknown() -> None:
    for kind in (MessageType.ACK, 0x77):
        assert parse_message(Frame(kind, 0, 0)) == Malformed(Cause.TYPE, NakReason.UNKNOWN_TYPE)
