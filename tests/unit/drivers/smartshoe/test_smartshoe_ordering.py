from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.smartshoe.facts import Fact, Missing, Overflowed, Received, Unrecovered
from drivers.smartshoe.frames import Frame
from drivers.smartshoe.messages import CardRead, CutCard, DeviceMessage, Lid, NoRead
from drivers.smartshoe.ordering import Ordering
from studio.domain.instants import Instant

AT = Instant(0, 0)


def received(message: DeviceMessage) -> Received:
    return Received(message, Frame(0, 0, 0), 7, AT)


def card(ordinal: int) -> Received:
    return received(CardRead(ordinal, 0x38, None, 90))


def missing(first: int, last: int) -> Missing:
    return Missing(7, (range(first, last + 1),), is_skipped=True, at=AT)


def lost(*spans: range) -> Unrecovered:
    return Unrecovered(7, spans, AT)


def test_without_a_gap_everything_passes_at_once() -> None:
    facts: list[Fact] = [card(1), received(CutCard(1)), card(2), received(Lid(is_open=True)), card(1)]
    assert Ordering().push(facts) == facts


def test_a_card_beyond_a_gap_waits_until_the_gap_is_filled() -> None:
    ordering = Ordering()
    assert ordering.push([card(1), missing(2, 3), card(4)]) == [card(1)]
    assert ordering.held == 1
    assert ordering.push([card(2)]) == [card(2)]
    assert ordering.push([card(3)]) == [card(3), card(4)]
    assert ordering.held == 0


def test_what_was_given_up_is_told_in_its_place() -> None:
    ordering = Ordering()
    assert ordering.push([missing(2, 5), card(6), card(4)]) == []
    assert ordering.push([lost(range(2, 4), range(5, 6))]) == [
        lost(range(2, 4)),
        card(4),
        lost(range(5, 6)),
        card(6),
    ]
    assert ordering.push([card(3)]) == [card(3)]


def test_a_cut_card_stays_behind_the_card_it_followed() -> None:
    ordering = Ordering()
    cut = received(CutCard(3))
    assert ordering.push([missing(2, 3), cut, card(4)]) == []
    assert ordering.push([card(3), card(2)]) == [card(2), card(3), cut, card(4)]


def test_a_rescan_follows_its_no_read() -> None:
    ordering = Ordering()
    no_read = received(NoRead(3))
    assert ordering.push([missing(2, 2), no_read, card(3)]) == []
    assert ordering.push([card(2)]) == [card(2), no_read, card(3)]


def test_lid_and_overflow_never_wait() -> None:
    lid, overflow = received(Lid(is_open=True)), Overflowed(b"x", AT)
    assert Ordering().push([missing(2, 2), lid, overflow, card(3)]) == [lid, overflow]


@settings(deadline=None)
@given(st.permutations(range(2, 9)))
def test_any_order_of_arrival_leaves_in_order(arrival: list[int]) -> None:
    ordering = Ordering()
    out = ordering.push([missing(1, 8)])
    for ordinal in [*arrival, 1]:
        out += ordering.push([card(ordinal)])
    assert out == [card(ordinal) for ordinal in range(1, 9)]
