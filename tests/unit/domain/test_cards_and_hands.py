"""Cards, totals and naturals (rules.md section 2)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.tables import PlayedTable

from studio.domain.cards import DECK, Card, parse_card
from studio.domain.hands import is_two_card_21, total
from studio.domain.projections import dealer_view, table_view
from studio.domain.views import BACK


def test_c1_a_deck_has_52_cards_each_once_and_codes_read_back() -> None:
    assert len({card.code for card in DECK}) == 52
    assert [parse_card(card.code) for card in DECK] == list(DECK)
    assert [card.index for card in DECK] == list(range(52))


@pytest.mark.parametrize("code", ["", "1S", "10S", "SA", "as", "JK", "AX", "A"])
def test_what_is_no_card_is_refused_with_what_to_write(code: str) -> None:
    with pytest.raises(ValueError, match="rank then suit"):
        parse_card(code)


@pytest.mark.parametrize(
    ("codes", "text"),
    [
        ("AS 9H", "soft 20 (10/20)"),
        ("AS 9D 5C", "15"),
        ("AS AD", "soft 12 (2/12)"),
        ("KS QD JC", "30"),
        ("AS AD 9C", "soft 21 (11/21)"),
        ("2S", "2"),
    ],
)
def test_c1_an_ace_counts_11_unless_that_busts(codes: str, text: str) -> None:
    assert str(total([parse_card(code) for code in codes.split()])) == text


@given(st.lists(st.sampled_from(DECK), max_size=12))
def test_c1_a_total_is_the_best_that_does_not_bust(held: list[Card]) -> None:
    found = total(held)
    low = sum(card.value for card in held)
    assert found.points in {low, low + 10}
    assert found.soft == (found.points == low + 10)
    assert not (found.soft and found.is_bust)


def test_c3_a_natural_is_an_ace_with_a_ten_valued_card_and_beats_a_21_of_three() -> None:
    for ten in ("TS", "JS", "QS", "KS"):
        assert is_two_card_21([parse_card("AH"), parse_card(ten)])
    assert not is_two_card_21([parse_card("AH"), parse_card("9S")])
    played = PlayedTable().ready().round(1, 2).cards("AC 9C 6C KD 5D 5H")
    played.decide("hit").cards("7S TD").commit()
    # 21 against 21 pushes; the natural is paid 3:2.
    assert played.net() == {"P1": 1500, "P2": 0}


def test_c4_a_21_after_a_split_is_no_natural_and_pays_1_to_1() -> None:
    played = PlayedTable().ready().round(1).cards("AC 6C AD TH").decide("split").cards("KC KD TS").commit()
    assert played.net() == {"P1": 2000}


def test_m6_a_double_adds_the_stake_and_a_split_the_original_bet() -> None:
    played = PlayedTable().ready().round(1).cards("8C 6C 8D TH").decide("split").cards("3C 2D").decide("double")
    assert played.table.round is not None
    assert [hand.stake for hand in played.table.round.hands] == [2000, 1000]


def test_r2a_totals_are_shown_and_of_the_dealer_the_upcards_alone() -> None:
    played = PlayedTable().ready().round(1).cards("TC 9C 9D 8H")
    view = table_view(played.table, played.now)
    assert view.seats[0].hands[0].total == "19"
    assert (view.dealer_hand.cards, view.dealer_hand.total) == (("9C", BACK), "9")
    played.decide("stand")
    view = table_view(played.table, played.now)
    assert (view.dealer_hand.cards, view.dealer_hand.total) == (("9C", "8H"), "17")


def test_s3_burned_cards_are_backs_but_the_shown_one() -> None:
    played = PlayedTable().open().load_shoe().cards("2S KD QH")
    view = dealer_view(played.table, played.now, "2026-01-01")
    assert [card.card for card in view.last_cards] == [BACK, BACK, "2S"]


def test_r16_a_round_ends_though_nobody_answers_any_more() -> None:
    played = PlayedTable().ready().round(1, 2).cards("2C TC AC 3D 6D 9H")
    played.time_out()
    while played.table.round is not None and played.table.round.question is not None:
        played.time_out()
    played.cards("4S")
    while played.table.round is not None and not played.table.round.hole_revealed:
        played.time_out() if played.table.round.question else played.cards("TS")
    played.commit()
    assert set(played.net()) == {"P1", "P2"}
