"""Two readers' readings as pairs: who is near, who is left over."""

from __future__ import annotations

import pytest

from studio.domain.cards import Card, parse_card
from studio.domain.pairing import Pairing, Pass, Reading, is_near

OFFSET = 500
S8, D9 = parse_card("8S"), parse_card("9D")


def readings(*told: tuple[Card | None, int]) -> tuple[Reading, ...]:
    return tuple(Reading(card, at_ns) for card, at_ns in told)


@pytest.mark.parametrize(("at_ns", "near"), [(499, False), (500, True), (1000, True), (1500, True), (1501, False)])
def test_a_reading_is_near_up_to_the_offset_on_either_side(at_ns: int, near: bool) -> None:  # noqa: FBT001 - a case
    assert is_near(Pass(3, S8, 1000), Reading(S8, at_ns), OFFSET) is near


@pytest.mark.parametrize("at_ns", [0, 4000, 4500])
def test_a_card_that_was_passed_again_is_confirmed_by_any_earlier_try(at_ns: int) -> None:
    one = Pass(3, S8, 1000, again_ns=4000)
    assert is_near(one, Reading(S8, at_ns), OFFSET)
    assert not is_near(one, Reading(S8, 4501), OFFSET)


def test_the_earliest_of_equal_readings_confirms_and_the_other_one_is_left() -> None:
    pairing = Pairing((Pass(3, S8, 1000), Pass(4, S8, 1300)), readings((S8, 1100), (S8, 1200)))
    assert pairing.equal(pairing.passes[0], OFFSET) == Reading(S8, 1100)
    assert pairing.without(3, OFFSET) == Pairing((Pass(4, S8, 1300),), readings((S8, 1200)))


def test_another_value_goes_before_a_failure_and_a_card_that_was_asked_for_is_neither() -> None:
    one = Pass(3, S8, 1000, again_ns=5000)
    asked = Reading(D9, 100, asked=True)
    pairing = Pairing((one,), (asked, *readings((None, 1000), (D9, 1200))))
    assert pairing.other(one, OFFSET) == Reading(D9, 1200)
    assert Pairing((one,), (asked,)).other(one, OFFSET) is None


def test_every_try_of_a_card_goes_with_it_and_no_other_card_does() -> None:
    one = Pass(3, S8, 1000, again_ns=5000)
    tried = Pairing((one,), readings((None, 1000), (S8, 3000), (D9, 4000), (S8, 5100)))
    left = tried.without(3, OFFSET)
    assert left.readings == readings((D9, 4000))
    assert left.passed == (S8, 5000)


def test_alone_is_what_no_waiting_card_could_answer_and_no_repetition() -> None:
    told = (Reading(D9, 1400), Reading(D9, 1600), Reading(D9, 1700, repeated=True))
    pairing = Pairing((Pass(3, S8, 1000),), told)
    assert pairing.alone(OFFSET) == (Reading(D9, 1600),)


def test_a_verdict_on_a_card_that_does_not_wait_changes_nothing() -> None:
    pairing = Pairing((), readings((S8, 1000)))
    assert pairing.without(3, OFFSET) == pairing
