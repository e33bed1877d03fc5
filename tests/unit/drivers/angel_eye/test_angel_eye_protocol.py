"""Copies, votes, damage, errors and commands of an Angel Eye shoe (hardware.md, angel_eye)."""

from __future__ import annotations

from itertools import pairwise

import pytest
from angel_eye_bench import Bench, at_ms, card_frame, short
from hypothesis import given
from hypothesis import strategies as st

from drivers.angel_eye.frames import Command, encode_frame
from drivers.angel_eye.protocol import AngelEyeParser
from hardware_sim.seeds import seeded
from studio.domain.cards import DECK
from studio.ports.devices import DeviceEvent, EventKind

EIGHT = card_frame("3", "8S")


def broken(frame: bytes, place: int = 4) -> bytes:
    return frame[:place] + bytes((frame[place] ^ 1,)) + frame[place + 1 :]


def test_three_copies_are_one_card_told_at_the_second() -> None:
    bench = Bench()
    assert bench.feed(EIGHT) == []
    (card,) = bench.feed(EIGHT)
    assert (str(card.card), card.suspect, card.details["confirmed"], card.sequence) == (
        "8S",
        False,
        True,
        ord("3"),
    )
    bench.feed(EIGHT)
    bench.wait(2000)
    assert bench.told() == ["8S"]


def test_a_single_copy_is_suspect_when_the_window_is_over() -> None:
    bench = Bench(window_ms=400)
    bench.feed(EIGHT)
    bench.wait(399, step_ms=399)
    assert bench.told() == []
    bench.wait(1)
    assert bench.told() == ["8S?"]


def test_the_same_card_twice_in_a_row_is_two_cards_by_its_sequence() -> None:
    bench = Bench()
    bench.feed(*[card_frame("3", "8S")] * 3, *[card_frame("4", "8S")] * 3)
    assert bench.told() == ["8S", "8S"]


def test_copies_of_two_cards_that_cross_are_two_cards_in_the_order_of_their_first_copies() -> None:
    bench = Bench()
    one, two = card_frame("3", "8S"), card_frame("4", "KH")
    bench.feed(one, two, two, one, two, one)
    assert bench.told() == ["8S", "KH"]


def test_a_sequence_that_comes_round_is_a_new_card() -> None:
    bench = Bench()
    bench.feed(*[EIGHT] * 3)
    bench.wait(401)
    bench.feed(*[EIGHT] * 3)
    assert bench.told() == ["8S", "8S"]


def test_a_sequence_that_comes_round_at_once_with_another_card_is_a_new_card() -> None:
    bench = Bench()
    bench.feed(*[EIGHT] * 3, *[card_frame("3", "KH")] * 3)
    assert bench.told() == ["8S", "KH"]


@pytest.mark.parametrize("lost", range(3))
def test_in_a_burst_in_which_sequences_come_round_no_card_joins_an_older_one(lost: int) -> None:
    # A stalled host reads seconds of cards at one instant.
    bench = Bench()
    cards = [DECK[7], *DECK[:9], DECK[7], *DECK[20:40]]
    frames = [[card_frame(chr(0x30 + number % 10), card)] * 3 for number, card in enumerate(cards)]
    del frames[0][lost]
    bench.feed(b"".join(frame for copies in frames for frame in copies))
    bench.wait(1000)
    assert bench.told() == [str(card) for card in cards]
    assert bench.parser.errors == {}


def test_a_host_that_stalls_between_two_copies_hears_a_doubtful_card_and_then_the_card() -> None:
    bench = Bench()
    bench.feed(EIGHT)
    bench.now_ms += 800
    bench.feed(EIGHT, EIGHT, *[card_frame("4", "KH")] * 3)
    bench.wait(1000)
    assert bench.told() == ["8S?", "8S", "KH"]


def test_more_copies_than_the_setting_says_are_the_same_card() -> None:
    bench = Bench()
    bench.feed(*[EIGHT] * 6)
    assert bench.told() == ["8S"]


@pytest.mark.parametrize("place", [0, 1, 2])
def test_one_damaged_copy_costs_nothing_but_a_count(place: int) -> None:
    bench = Bench()
    copies = [EIGHT] * 3
    copies[place] = broken(EIGHT)
    bench.feed(*copies)
    bench.wait(1000)
    assert bench.told() == ["8S"]
    assert bench.parser.errors == {"check": 1}


def test_two_damaged_copies_leave_one_suspect_card() -> None:
    bench = Bench()
    bench.feed(broken(EIGHT), EIGHT, broken(EIGHT, 3))
    bench.wait(1000)
    assert bench.told() == ["8S?"]


def test_damage_that_nothing_repairs_may_have_been_a_card() -> None:
    bench = Bench()
    bench.feed(*[broken(EIGHT)] * 3)
    bench.wait(399)
    assert bench.told() == []
    (event,) = bench.wait(1000)
    assert event.kind is EventKind.UNKNOWN_CODE
    assert event.details == {"raw": "", "damaged": True}
    assert bench.parser.errors == {"check": 3}


def test_a_damaged_frame_is_a_card_of_its_own_where_its_neighbours_have_all_their_copies() -> None:
    bench = Bench(copies=1)
    bench.feed(card_frame("3", "8S"), broken(card_frame("4", "KH")), card_frame("5", "2C"))
    bench.wait(1000)
    assert bench.told() == ["8S", "unknown_code", "2C"]


def test_half_a_frame_that_never_goes_on_may_have_been_a_card() -> None:
    bench = Bench(copies=1)
    bench.feed(EIGHT[:6])
    bench.wait(2000)
    assert bench.told() == ["unknown_code"]
    assert bench.parser.errors == {"cut_off": 1}


def test_a_byte_of_noise_is_counted_and_no_card() -> None:
    bench = Bench()
    bench.feed(b"\xff", *[EIGHT] * 3, b"\x00\x06")
    bench.wait(1000)
    assert bench.told() == ["8S"]
    assert bench.parser.errors == {"junk": 2}


def test_what_comes_before_the_first_frame_of_a_line_may_be_its_noise() -> None:
    bench = Bench()
    bench.parser.connected(at_ms(0))
    bench.feed(broken(EIGHT), b"\xff" * 9)
    bench.wait(1000)
    bench.feed(broken(EIGHT))
    bench.feed(*[card_frame("4", "KH")] * 3)
    bench.wait(1000)
    assert bench.told() == ["unknown_code", "unknown_code", "KH"]
    assert [event.details.get("proof", False) for event in bench.events] == [True, True, False]


def test_copies_that_contradict_each_other_without_a_majority_are_no_card() -> None:
    bench = Bench()
    bench.feed(card_frame("3", "8S"), card_frame("3", "9S"))
    bench.wait(1000)
    assert bench.told() == ["unknown_code"]


def test_a_stray_copy_beside_an_event_that_lacks_one_is_no_card_but_may_have_been() -> None:
    bench = Bench()
    bench.feed(EIGHT, card_frame("2", "9S"), EIGHT)
    bench.wait(1000)
    assert bench.told() == ["8S", "suspect_discarded"]


def test_a_single_copy_beside_a_whole_event_is_a_suspect_card() -> None:
    bench = Bench()
    bench.feed(card_frame("2", "9S"), *[EIGHT] * 3)
    assert bench.told() == []
    bench.wait(1000)
    assert bench.told() == ["9S?", "8S"]


def test_what_comes_behind_an_undecided_card_waits_for_it() -> None:
    bench = Bench()
    bench.feed(card_frame("2", "9S"), *[encode_frame(ord("3"), b"C")] * 3)
    assert bench.told() == []
    bench.wait(400)
    assert bench.told() == ["9S?", "cut_card"]


def test_other_events_than_cards_are_told_at_the_first_copy_and_once() -> None:
    bench = Bench()
    bench.feed(*[encode_frame(ord("3"), b"C")] * 3)
    bench.wait(1000)
    assert bench.told() == ["cut_card"]


def test_a_retransmission_is_evidence_and_never_a_card() -> None:
    bench = Bench()
    bench.feed(*[EIGHT] * 3, *[card_frame("3", "KH", "R")] * 3)
    bench.wait(1000)
    assert bench.told() == ["8S", "retransmission"]


def test_a_mark_that_is_no_card_is_unknown() -> None:
    bench = Bench()
    bench.feed(*[encode_frame(ord("3"), b"D\x81\xde")] * 3)
    (event,) = bench.events
    assert (event.kind, event.card, event.details["raw"]) == (EventKind.UNKNOWN_CODE, None, "DE")


@pytest.mark.parametrize(("accepts", "told"), [(False, "8S?"), (True, "8S")])
def test_a_card_outside_a_game_is_suspect_unless_the_settings_accept_it(accepts: bool, told: str) -> None:  # noqa: FBT001 - a parameter
    bench = Bench(accept_outside_game=accepts)
    bench.feed(*[card_frame("3", "8S", "d")] * 3)
    assert bench.told() == [told]


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (1, ["error"]),
        (2, ["error"]),
        (4, ["error", "card_return"]),
        (5, ["error", "card_return"]),
        (6, ["error", "unknown_code"]),
    ],
)
def test_an_error_about_a_card_is_told_as_such_too(code: int, told: list[str]) -> None:
    bench = Bench()
    bench.feed(*[encode_frame(ord("3"), b"E" + bytes((0xC0 | code,)))] * 3)
    assert bench.told() == told
    assert bench.events[0].details["code"] == code


def test_only_what_the_shoe_told_proves_it() -> None:
    parser = AngelEyeParser("shoe-1")
    parser.feed(EIGHT, at_ms(0))
    parser.feed(b"\x05garbage", at_ms(1))
    assert parser.answers == 0
    parser.feed(EIGHT, at_ms(2))
    assert parser.answers == 1


def test_a_reader_that_may_not_be_commanded_says_how_to_allow_it() -> None:
    bench = Bench()
    with pytest.raises(ValueError, match="commands = true"):
        bench.parser.command(Command.LOCK, 2, at_ms(0))
    assert bench.parser.data_to_send() == b""


@pytest.mark.parametrize(("answer", "said"), [(b"\x06", "done"), (b"\x15\x31", "refused")])
def test_a_command_is_answered(answer: bytes, said: str) -> None:
    bench = Bench(commands=True)
    bench.parser.command(Command.CANCEL_ERROR, 4, at_ms(0))
    assert bench.parser.data_to_send() == b"\x02OPEC04\x03" + b"1C"
    (event,) = bench.feed(answer)
    assert (event.kind, event.details["answer"]) == (EventKind.INFO, said)


def test_a_command_without_an_answer_is_counted() -> None:
    bench = Bench(commands=True)
    bench.parser.command(Command.LOCK, 1, at_ms(0))
    bench.wait(1000)
    assert bench.parser.errors == {"unanswered": 1}


@pytest.mark.parametrize("number", [-1, 100])
def test_a_command_has_two_digits(number: int) -> None:
    with pytest.raises(ValueError, match="two digits"):
        Bench(commands=True).parser.command(Command.CANCEL_ERROR, number, at_ms(0))


# Properties


def stream_of(seed: int, cards: int) -> tuple[bytes, list[str]]:
    """Return the bytes of ``cards`` random cards, many of them twice in a row, and their codes."""
    chance = seeded(seed, "cards")
    dealt = [chance.choice(DECK)]
    while len(dealt) < cards:
        dealt.append(dealt[-1] if chance.random() < 0.3 else chance.choice(DECK))
    frames = [card_frame(chr(0x30 + number % 10), card) * 3 for number, card in enumerate(dealt)]
    return b"".join(frames), [str(card) for card in dealt]


def test_a_thousand_cards_with_immediate_repeats_are_a_thousand_cards() -> None:
    data, dealt = stream_of(1, 1000)
    bench = Bench()
    for start in range(0, len(data), 24):
        bench.feed(data[start : start + 24])
        bench.wait(50)
    assert bench.told() == dealt


@given(data=st.binary(max_size=120), cuts=st.lists(st.integers(0, 400), max_size=20), seed=st.integers(0, 99))
def test_any_chunks_of_any_bytes_give_the_same_events(data: bytes, cuts: list[int], seed: int) -> None:
    stream = stream_of(seed, 3)[0]
    stream = stream[:20] + data + stream[20:]
    places = [0, *sorted({min(cut, len(stream)) for cut in cuts}), len(stream)]
    whole, cut = Bench(), Bench()
    whole.feed(stream)
    cut.feed(*[stream[start:end] for start, end in pairwise(places)])
    whole.wait(2000)
    cut.wait(2000)
    assert whole.events == cut.events
    assert whole.parser.errors == cut.parser.errors


@given(chunks=st.lists(st.tuples(st.binary(max_size=30), st.integers(0, 500)), max_size=20))
def test_no_bytes_raise_and_every_time_is_allowed(chunks: list[tuple[bytes, int]]) -> None:
    bench = Bench(copies=2)
    for data, gap_ms in chunks:
        bench.feed(data, gap_ms=gap_ms)
    bench.wait(3000)
    assert bench.parser.errors.total() + len(bench.events) >= bool(b"".join(data for data, _ in chunks))


def wrong(events: list[DeviceEvent], right: list[str]) -> bool:
    """Tell whether a card was told, as sure or suspect, that was none of ``right`` in their order."""
    rest = iter(right)
    return not all(card in rest for card in short(one for one in events if one.kind is EventKind.CARD))


def after(stream: bytes) -> list[DeviceEvent]:
    bench = Bench()
    bench.feed(stream)
    bench.wait(500)
    bench.feed(*[card_frame("7", "KH")] * 3)
    bench.wait(1000)
    return bench.events


def test_no_one_byte_corruption_of_a_voted_card_gives_another_card_or_loses_it() -> None:
    good = EIGHT * 3
    streams = [good[:place] + good[place + 1 :] for place in range(len(good))]
    for place in range(len(good)):
        streams += [good[:place] + bytes((value,)) + good[place + 1 :] for value in range(256)]
        streams += [good[:place] + bytes((value,)) + good[place:] for value in range(256)]
    for stream in streams:
        assert short(after(stream)) == ["8S", "KH"], stream.hex(" ")


def test_no_two_byte_corruption_of_a_voted_card_gives_another_card() -> None:
    chance = seeded(1, "places")
    good = EIGHT * 3
    for _ in range(4000):
        stream = bytearray(good)
        for place in chance.sample(range(len(good)), 2):
            stream[place] = chance.randrange(256)
        assert not wrong(after(bytes(stream)), ["8S", "8S?", "KH"]), stream.hex(" ")


def test_no_corruption_of_two_bytes_that_leaves_the_check_right_gives_another_card() -> None:
    # The same bits in two bytes of one copy: the XOR does not see it.
    for copy in range(3):
        for first in range(1, 5):
            for second in range(first + 1, 5):
                for bits in range(1, 256):
                    stream = bytearray(EIGHT * 3)
                    stream[8 * copy + first] ^= bits
                    stream[8 * copy + second] ^= bits
                    events = after(bytes(stream))
                    assert not wrong(events, ["8S", "KH"]), stream.hex(" ")
                    assert "8S" in short(events)
