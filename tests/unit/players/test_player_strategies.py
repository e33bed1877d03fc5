"""Known cells of the strategies (rules.md A1, A2)."""

from __future__ import annotations

import pytest

from studio.domain.cards import DECK, parse_card
from studio.domain.hands import total
from studio.players.strategies import STRATEGIES, play_easy, play_normal

FIRST = ("hit", "stand", "double", "split", "surrender")
LATER = ("hit", "stand")


@pytest.mark.parametrize(
    ("cards", "upcard", "legal", "action"),
    [
        ("TS 6H", "TD", FIRST, "surrender"),
        ("TS 6H", "TD", LATER, "hit"),
        ("TS 6H", "KD", FIRST, "surrender"),
        ("TS 6H", "7D", FIRST, "hit"),
        ("TS 6H", "6D", FIRST, "stand"),
        ("TS 5H", "TD", FIRST, "surrender"),
        ("TS 5H", "9D", FIRST, "hit"),
        ("AS 7H", "9D", FIRST, "hit"),
        ("AS 7H", "2D", FIRST, "stand"),
        ("AS 7H", "3D", FIRST, "double"),
        ("AS 3H 4D", "3D", LATER, "stand"),
        ("AS 6H", "2D", FIRST, "hit"),
        ("AS 6H", "3D", FIRST, "double"),
        ("AS 2H", "4D", FIRST, "hit"),
        ("8S 8H", "AD", FIRST, "split"),
        ("8S 8H", "TD", FIRST, "split"),
        ("8S 8H", "TD", LATER, "hit"),
        ("AS AH", "AD", FIRST, "split"),
        ("AS AH", "6D", LATER, "hit"),
        ("TS QH", "6D", FIRST, "stand"),
        ("9S 9H", "7D", FIRST, "stand"),
        ("9S 9H", "8D", FIRST, "split"),
        ("5S 5H", "9D", FIRST, "double"),
        ("5S 5H", "TD", FIRST, "hit"),
        ("4S 4H", "5D", FIRST, "split"),
        ("4S 4H", "7D", FIRST, "hit"),
        ("6S 6H", "7D", FIRST, "hit"),
        ("7S 4H", "TD", FIRST, "double"),
        ("7S 4H", "AD", FIRST, "hit"),
        ("7S 2H 2D", "6D", LATER, "hit"),
        ("7S 2H", "2D", FIRST, "hit"),
        ("7S 2H", "3D", FIRST, "double"),
        ("TS 2H", "3D", FIRST, "hit"),
        ("TS 2H", "4D", FIRST, "stand"),
        ("TS 7H", "AD", FIRST, "stand"),
        ("2S 3H", "6D", FIRST, "hit"),
    ],
)
def test_a2_normal_plays_basic_strategy(cards: str, upcard: str, legal: tuple[str, ...], action: str) -> None:
    assert play_normal(cards.split(), upcard, legal) == action


@pytest.mark.parametrize(
    ("cards", "action"), [("TS 6H", "hit"), ("TS 7H", "stand"), ("AS 5H", "hit"), ("AS 6H", "stand")]
)
def test_a1_easy_draws_below_17(cards: str, action: str) -> None:
    assert play_easy(cards.split(), "6D", FIRST) == action


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_two_card_hand_has_a_legal_answer_to_every_upcard(name: str) -> None:
    for first in DECK[:13]:
        for second in DECK[13:26]:
            for upcard in DECK[26:39]:
                for legal in (FIRST, LATER):
                    assert STRATEGIES[name]((first.code, second.code), upcard.code, legal) in legal


def test_a_bust_hand_has_nothing_to_decide() -> None:
    assert total([parse_card(code) for code in ("TS", "9H", "5D")]).is_bust
    with pytest.raises(ValueError, match="24 points"):
        play_normal(("TS", "9H", "5D"), "6D", LATER)


def test_without_a_known_action_it_says_so() -> None:
    with pytest.raises(ValueError, match="there are none"):
        play_easy(("TS", "6H"), "6D", ())
