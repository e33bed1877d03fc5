"""The pay tables of the side bets (rules.md section 6, P1 to P3)."""

from __future__ import annotations

import pytest
from reference.naive_side_bets import bust_bonus_pays, lucky_three_pays, pair_pays, poker_three_pays

from studio.domain.cards import Card, parse_card


def _cards(codes: str) -> list[Card]:
    return [parse_card(code) for code in codes.split()]


@pytest.mark.parametrize(
    ("codes", "pays"),
    [("8S 8S", 30), ("8S 8C", 10), ("8D 8H", 10), ("8S 8D", 5), ("KS QS", 0), ("8S 9S", 0)],
)
def test_pair_goes_by_rank_then_colour_then_suit(codes: str, pays: int) -> None:
    assert pair_pays(*_cards(codes)) == pays


@pytest.mark.parametrize(
    ("codes", "pays"),
    [
        ("6H TC TD", 1),
        ("6H 5C 2D TC", 2),
        ("2H 3H 4H 5H TD", 9),
        ("2H 2C 3H 3C 4D TC", 50),
        ("AH AC 2H 2C 3D 5H TC", 100),
        ("AH AC AD 2H 2C 2D 6H TC", 250),
        ("AH AC AD AS 2H 2C 2D 4H TC", 250),
        ("TH 9C", 0),
        ("AH KC", 0),
        ("6H 5C TD", 0),
    ],
)
def test_bust_bonus_goes_by_the_number_of_cards_of_a_bust_dealer(codes: str, pays: int) -> None:
    assert bust_bonus_pays(_cards(codes)) == pays


@pytest.mark.parametrize(
    ("codes", "pays"),
    [
        ("7S 7S 7S", 200),
        ("7S 7S 7C", 50),
        ("8H 6H 7H", 100),
        ("8H 6C 7H", 30),
        ("TH 9H 2H", 10),
        ("TH 9C 2H", 3),
        ("TH 7C 2H", 2),
        ("TH 8C 2H", 2),
        ("TH 6C 2H", 0),
        ("TH TC 2H", 0),
        # Each ace is 1 or 11, whichever pays more (P2).
        ("AH 9C AD", 3),
        ("AH 9H AH", 10),
        ("AH 8C AD", 2),
        ("AH 7C AD", 2),
        ("AH 6C AD", 0),
        ("AH TC KD", 3),
        ("AH TC 9D", 2),
        ("AH TC 8D", 2),
        ("AH 2C 7D", 2),
        ("AH 4C 6D", 3),
        ("AH AC AD", 0),
    ],
)
def test_lucky_three(codes: str, pays: int) -> None:
    assert lucky_three_pays(_cards(codes)) == pays


@pytest.mark.parametrize(
    ("codes", "pays"),
    [
        ("KS KS KS", 100),
        ("KS KS KC", 30),
        ("4D 3D 5D", 40),
        ("4D 3D 5C", 10),
        ("2S AC 3D", 10),
        ("QS AC KD", 10),
        ("QS AS KS", 40),
        ("9S JC TD", 10),
        ("KS AC 2D", 0),
        ("KS AS 2S", 5),
        ("9H 2H TH", 5),
        ("QS KC QD", 0),
        ("AS AC 2D", 0),
    ],
)
def test_poker_three_has_no_straight_over_the_ace(codes: str, pays: int) -> None:
    assert poker_three_pays(_cards(codes)) == pays
