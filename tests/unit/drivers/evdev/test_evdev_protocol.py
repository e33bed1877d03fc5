"""Keys to codes: shift, Enter, people, lost events (hardware.md, ``evdev``)."""

from __future__ import annotations

from typing import Any

import pytest
from support.code_vectors import instant
from support.key_events import ENTER, SHIFT, dropped, event, key, typed

from drivers.evdev.keys import PLAIN, SHIFTED
from drivers.evdev.plugin import EvdevPlugin
from drivers.serial_reader import Parser
from hardware_sim.evdev.reader import keystrokes
from studio.domain.cards import DECK, Card
from studio.ports.devices import DeviceEvent

CAPS_LOCK, KEYPAD_8, KEYPAD_ENTER, KEY_8, KEY_S, RIGHT_SHIFT = 58, 72, 96, 9, 31, 54


def parser(**settings: Any) -> Parser:
    return EvdevPlugin().decoder("reader-1", settings)


def kinds(events: list[DeviceEvent]) -> list[tuple[str, str | None]]:
    return [(event.kind.value, event.card.code if event.card else None) for event in events]


@pytest.mark.parametrize("card", DECK, ids=str)
def test_every_card_can_be_typed(card: Card) -> None:
    assert kinds(parser().feed(typed(card.code), instant(0))) == [("card", card.code)]
    assert kinds(parser().feed(keystrokes(card.code, 10**9), instant(0))) == [("card", card.code)]


def test_the_layout_has_each_printable_character_once_or_on_the_keypad() -> None:
    assert {*PLAIN.values(), *SHIFTED.values()} == {chr(code) for code in range(0x20, 0x7F)}
    assert (PLAIN[41], SHIFTED[41], PLAIN[43], SHIFTED[53], PLAIN[57]) == ("`", "~", "\\", "?", " ")


def test_the_keypad_and_its_enter_type_too() -> None:
    keys = key(KEYPAD_8, 1) + key(RIGHT_SHIFT, 1) + key(KEY_S, 1) + key(RIGHT_SHIFT, 0) + key(KEYPAD_ENTER, 1)
    assert kinds(parser().feed(keys, instant(0))) == [("card", "8S")]


def test_a_prefix_is_typed_like_anything_else() -> None:
    bracket = key(27, 1) + key(SHIFT, 1) + key(46, 1) + key(SHIFT, 0) + key(11, 1)
    (one,) = parser().feed(bracket + typed("8S"), instant(0))
    assert (str(one.card), one.details) == ("8S", {"symbology": "code128"})


def test_a_key_that_types_nothing_damages_the_code() -> None:
    one = parser()
    (told,) = one.feed(key(CAPS_LOCK, 1) + typed("8S"), instant(0))
    assert (told.kind.value, told.details["damaged"]) == ("unknown_code", True)
    assert one.errors == {"damaged": 1}
    assert kinds(one.feed(typed("9H"), instant(500))) == [("card", "9H")]


@pytest.mark.parametrize("broken", [event(7, 0, 0), key(SHIFT, 9), b"\x00" * 5])
def test_a_shift_whose_release_was_damaged_does_not_spoil_the_next_card(broken: bytes) -> None:
    one = parser()
    one.feed(key(SHIFT, 1) + key(KEY_S, 1) + broken, instant(0))
    one.tick(instant(5000))
    assert kinds(one.feed(typed("9H"), instant(6000))) == [("card", "9H")]


class TestPeople:
    """A gap over 100 ms means a person typing."""

    @pytest.mark.parametrize(
        ("gap_ms", "kind"), [(50, "card"), (100, "card"), (101, "typed_rejected"), (300, "typed_rejected")]
    )
    def test_the_kernels_times_decide(self, gap_ms: float, kind: str) -> None:
        (one,) = parser().feed(key(KEY_8, 1, 1000) + typed("S", 1000 + gap_ms), instant(0))
        assert one.kind.value == kind

    def test_a_slow_machine_makes_no_person_of_a_reader(self) -> None:
        one = parser()
        one.feed(key(KEY_8, 1, 1000), instant(0))
        assert kinds(one.feed(typed("S", 1010), instant(1500))) == [("card", "8S")]

    def test_a_pause_before_enter_is_a_persons_too(self) -> None:
        keys = key(KEY_8, 1, 1000) + key(SHIFT, 1, 1001) + key(KEY_S, 1, 1002) + key(ENTER, 1, 1200)
        assert kinds(parser().feed(keys, instant(0))) == [("typed_rejected", None)]

    def test_the_pause_between_two_codes_is_none(self) -> None:
        keys = typed("8S", 1000) + typed("8S", 9000)
        assert [kind for kind, _ in kinds(parser(duplicates="gate").feed(keys, instant(0)))] == ["card", "card"]

    def test_what_is_never_ended_is_told_and_the_next_code_is_heard(self) -> None:
        one = parser()
        one.feed(key(KEY_8, 1, 1000), instant(0))
        assert one.tick(instant(1999)) == []
        assert kinds(one.tick(instant(2000))) == [("typed_rejected", None)]
        assert kinds(one.feed(typed("9H", 4000), instant(3000))) == [("card", "9H")]
        assert one.tick(instant(9000)) == []


class TestLostEvents:
    """SYN_DROPPED: the code is discarded to the next Enter."""

    def test_the_next_code_is_heard_again(self) -> None:
        one = parser()
        events = one.feed(key(KEY_8, 1) + dropped() + typed("S") + typed("9H"), instant(0))
        assert kinds(events) == [("suspect_discarded", None), ("card", "9H")]
        assert one.errors == {"dropped": 1}

    def test_a_shift_whose_release_was_lost_is_forgotten(self) -> None:
        one = parser()
        one.feed(key(SHIFT, 1) + dropped() + key(ENTER, 1), instant(0))
        assert kinds(one.feed(typed("8S"), instant(500))) == [("card", "8S")]

    def test_without_an_enter_it_is_told_after_a_while(self) -> None:
        one = parser()
        one.feed(dropped(), instant(0))
        assert kinds(one.tick(instant(2000))) == [("suspect_discarded", None)]


def test_too_long_a_code_is_told_once_and_skipped_to_enter() -> None:
    one = parser()
    events = one.feed(typed("7" * 70) + typed("8S"), instant(0))
    assert kinds(events) == [("overflow", None), ("card", "8S")]
    assert one.errors == {"overflow": 1}


@pytest.mark.parametrize("wrong", [event(99, 1, 1), event(1, KEY_8, 7)])
def test_a_code_with_an_event_that_no_keyboard_sends_is_not_trusted(wrong: bytes) -> None:
    one = parser()
    (told,) = one.feed(key(KEY_8, 1) + wrong + typed("S"), instant(0))
    assert (told.kind.value, told.details["damaged"]) == ("unknown_code", True)
    assert one.errors.total() == 2


def test_a_recording_that_is_cut_within_an_event_is_heard_again_after_a_silence() -> None:
    one = parser()
    assert one.feed(typed("8S")[:-10] + typed("9H")[7:], instant(0))[-1:] != []
    assert {kind for kind, _ in kinds(one.tick(instant(2000)))} == {"unknown_code"}
    assert kinds(one.feed(typed("9H"), instant(3000))) == [("card", "9H")]
    assert one.errors["partial"] == 1


def test_a_fresh_device_has_no_key_pressed_and_nothing_typed() -> None:
    one = parser()
    one.feed(key(SHIFT, 1) + key(KEY_8, 1) + event(1, 5, 1)[:10], instant(0))
    one.connected(instant(100))
    assert kinds(one.feed(typed("8S"), instant(200))) == [("card", "8S")]
    assert one.answers == 1
