"""A table's statistics: counted rightly, and odd only where something is odd."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from studio.adapters.variants import load_variant
from studio.domain.cards import DECK, Card, parse_card
from studio.domain.hands import is_two_card_21, total
from studio.odds.observed import observe
from studio.odds.statistics import Line, Statistics, statistics
from studio.odds.statistics_report import statistics_lines
from studio.ports.settled import SettledHand, SettledRound

DELUXE, EUROPEAN = load_variant("deluxe"), load_variant("european")


def cards(codes: str) -> tuple[Card, ...]:
    return tuple(parse_card(code) for code in codes.split())


def a_round(dealer: str, *hands: str, number: int = 1) -> SettledRound:
    """Hands that were not split: their first two cards are their position's."""
    held = [cards(codes) for codes in hands]
    positions = tuple((one[0], one[1]) for one in held)
    return SettledRound(number, cards(dealer), positions, tuple(SettledHand(one) for one in held))


def line(found: Statistics, what: str) -> Line:
    (one,) = [each for each in found.lines if each.what == what]
    return one


def played(rounds: int, seed: int, seats: int = 3) -> list[SettledRound]:
    """Fair rounds from a full shoe each: hands are hit to 15, the dealer plays if any hand is left (R12)."""
    rng = random.Random(seed)  # noqa: S311 - seeded on purpose
    return [_fair(rng, seats, number) for number in range(1, rounds + 1)]


def _fair(rng: random.Random, seats: int, number: int) -> SettledRound:
    shoe = rng.sample(DECK * 8, 100)
    hands = [[shoe.pop(), shoe.pop()] for _ in range(seats)]
    dealer = [shoe.pop(), shoe.pop()]
    positions = tuple((hand[0], hand[1]) for hand in hands)
    if not is_two_card_21(dealer):
        for hand in hands:
            while total(hand).points < 15:
                hand.append(shoe.pop())
        if any(total(hand).points <= 21 and not is_two_card_21(hand) for hand in hands):
            while total(dealer).points < 17:
                dealer.append(shoe.pop())
    return SettledRound(number, tuple(dealer), positions, tuple(SettledHand(tuple(hand)) for hand in hands))


def test_naturals_pairs_and_upcards_are_counted() -> None:
    """C3, section 6: the position's first two cards."""
    seen = observe(
        DELUXE, [a_round("AS 9D", "AD KD", "8D 8H", "8D 8S", "KD KD", "KD QD"), a_round("TS AD", "9D 9C")]
    )
    assert (seen.rounds, seen.positions, seen.naturals, seen.dealer_naturals) == (2, 6, 1, 1)
    assert seen.pairs == {"coloured": 1, "mixed": 2, "perfect": 1}
    assert seen.upcards == {1: 1, 10: 1}


def test_only_hands_that_the_dealers_decided_are_results() -> None:
    """R14: not a bust, a natural, a surrendered hand; a 21 after a split is compared (C4)."""
    one = a_round("7S TD", "TS TH", "TS 7H", "TS 6H", "TS 6H TD", "AS KD", "TS 5H")
    *others, last = one.hands
    hands = (*others, replace(last, surrendered=True), SettledHand(cards("AH KH"), from_split=True))
    seen = observe(DELUXE, [replace(one, hands=hands)])
    assert (seen.won, seen.pushed, seen.lost) == (2, 1, 1)
    assert seen.contests == {(7, (16, 17, 20, 21)): 1}
    assert seen.drawn == {}


def test_a_dealers_natural_decides_nothing_after_a_peek_and_everything_without_one() -> None:
    """R4; R13: it beats a 21 of three cards too."""
    one = [a_round("TS AD", "7S 7H 7D", "TS 9H")]
    assert observe(DELUXE, one).contests == {}
    seen = observe(EUROPEAN, one)
    assert (seen.won, seen.pushed, seen.lost) == (0, 0, 2)
    assert seen.contests == {(10, (19, 21)): 1}


def test_hands_that_the_dealer_drew_are_counted_by_total_and_cards() -> None:
    rounds = [a_round("6S TD 9H", "TS 9H"), a_round("6S TD 5H", "TS 9H"), a_round("6S TD", "TS 6H TD")]
    assert observe(DELUXE, rounds).drawn == {6: {(22, 3): 1, (21, 3): 1}}


def test_expected_naturals_are_the_hands_times_their_chance() -> None:
    found = line(statistics(DELUXE, [a_round("9S 9D 2D", "AD KD")] * 40), "player-naturals")
    assert (found.trials, found.observed) == (40, 40)
    assert found.expected == pytest.approx(40 * 2 * 32 * 128 / (416 * 415))
    assert found.at_least == pytest.approx((2 * 32 * 128 / (416 * 415)) ** 40, rel=1e-9)
    assert found.at_most == 1


def test_the_hands_of_a_round_are_taken_together() -> None:
    """Seven hands of 20 win or lose with one dealer's hand: all seven won is nothing rare."""
    alone = line(statistics(DELUXE, [a_round("6S TD TH", "TS TH")] * 7), "hands-won")
    together = line(statistics(DELUXE, [a_round("6S TD TH", *["TS TH"] * 7)]), "hands-won")
    assert alone.trials == together.trials == 7
    assert alone.expected == pytest.approx(together.expected)
    assert together.at_least == pytest.approx(alone.at_least ** (1 / 7))


@pytest.mark.parametrize("seed", range(3))
def test_fair_rounds_are_not_odd(seed: int) -> None:
    """Deterministic by its seed; a fair table is taken for odd once in a thousand seeds."""
    found = statistics(DELUXE, played(1500, seed))
    assert found.least > 0.001
    assert found.rounds == 1500
    assert (found.first_round, found.last_round) == (1, 1500)
    assert len(found.lines) == 21
    for one in found.lines:
        assert one.at_most + one.at_least > 1
        assert one.two_sided <= 1


def test_a_dealer_who_never_busts_is_odd() -> None:
    rounds = [one for one in played(1500, 1) if total(one.dealer).points <= 21]
    found = statistics(DELUXE, rounds)
    assert line(found, "dealer-drew-and-bust").at_most < 1e-50
    assert found.least < 1e-50


def test_a_shoe_without_aces_is_odd() -> None:
    rounds = [one for one in played(3000, 2, seats=1) if all(card.value > 1 for card in one.dealer)]
    found = statistics(DELUXE, rounds)
    assert line(found, "aces-up").observed == 0
    assert line(found, "aces-up").two_sided < 1e-30
    assert line(found, "dealer-naturals").at_most < 1e-30


def test_no_rounds_say_nothing() -> None:
    found = statistics(DELUXE, [])
    assert (found.lines, found.least, found.first_round) == ((), 1.0, None)
    assert "nothing to compare yet" in "\n".join(statistics_lines("t1", DELUXE.line, found))


def test_the_printed_table_has_a_line_for_each_comparison() -> None:
    found = statistics(DELUXE, played(300, 4))
    text = "\n".join(statistics_lines("t1", DELUXE.line, found))
    assert text.startswith("Table t1 (8 decks · S17 · 3:2")
    assert "300 settled rounds, 1 to 300" in text
    for one in found.lines:
        assert one.what.replace("-", " ") in text
    assert len(text.splitlines()) == len(found.lines) + 3
