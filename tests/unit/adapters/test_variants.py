"""The four games as data, and a fifth that nobody foresaw (rules.md sections 1 and 6)."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.adapters.variants import load_variant, variant_names
from studio.domain.rules import (
    DealerDraws,
    Layout,
    Money,
    Odds,
    Peek,
    Shuffling,
    SideBet,
    Surrender,
    UnderMinimum,
    WithoutFunds,
)

SIXTH_DECK = """
variant = "downtown"
version = "3.1"
decks = 6
shuffling = "shoe"
layout = "seats"
seats = 5
seats_per_player = 3
start = "countdown"
peek = "ace-or-ten"
dealer_draws = "when-needed"
dealer_hits_soft_17 = true
natural_pays = "6:5"
insurance = true
surrender = "none"
closes_at_21 = true
double_after_split = false
split_hands = 4
split_aces_again = true
split_deal = "in-turn"
ends_when_all_natural = false
double_without_funds = "hit"
split_without_funds = "hit-to-11"
under_minimum = "refuse"
bet_behind = false
money = "currency"
[side_bets.pair]
pays = { mixed = 5, coloured = 10, perfect = 30 }
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "downtown.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_package_holds_the_four_games() -> None:
    assert variant_names() == ("continuous", "deluxe", "european", "infinite")


@pytest.mark.parametrize("name", ["continuous", "deluxe", "european", "infinite"])
def test_each_file_carries_its_own_name_and_the_common_rules(name: str) -> None:
    rules = load_variant(name)

    assert rules.variant == name
    assert rules.version == "1.0.0"
    assert rules.natural_pays == Odds(3, 2)
    assert not rules.dealer_hits_soft_17
    assert rules.double_after_split
    assert not rules.split_aces_again


def test_deluxe() -> None:
    rules = load_variant("deluxe")

    assert (rules.decks, rules.seats, rules.seats_per_player) == (8, 7, 2)
    assert (rules.layout, rules.shuffling) == (Layout.SEATS, Shuffling.SHOE)
    assert rules.ends_when_all_natural
    assert rules.surrender is Surrender.BEFORE_ANY_ACTION
    assert (rules.double_without_funds, rules.split_without_funds) == (WithoutFunds.HIT, WithoutFunds.HIT_TO_11)
    assert rules.under_minimum is UnderMinimum.REFUSE
    assert rules.bet_behind
    assert rules.side_bets == {"pair": SideBet({"mixed": 5, "coloured": 10, "perfect": 30}, 40)}
    assert rules.published_rtp == "99.53"


def test_infinite_has_four_side_bets() -> None:
    rules = load_variant("infinite")

    assert (rules.layout, rules.seats) == (Layout.SHARED_HAND, 1)
    assert {name: (sum(bet.pays.values()), bet.rounds_per_shoe) for name, bet in rules.side_bets.items()} == {
        "pair": (45, 40),
        "bust-bonus": (412, 45),
        "lucky-three": (395, 45),
        "poker-three": (185, 45),
    }


def test_european_has_no_peek_and_plays_for_virtual_units() -> None:
    rules = load_variant("european")

    assert (rules.decks, rules.split_hands) == (6, 4)
    assert (rules.peek, rules.dealer_draws) == (Peek.NONE, DealerDraws.ALWAYS)
    assert (rules.insurance, rules.closes_at_21, rules.side_bets) == (False, False, {})
    assert (rules.money, rules.shuffling) == (Money.VIRTUAL, Shuffling.VIRTUAL)


def test_continuous_raises_small_bets() -> None:
    rules = load_variant("continuous")

    assert (rules.layout, rules.shuffling) == (Layout.SINGLE_HAND, Shuffling.CONTINUOUS)
    assert (rules.under_minimum, rules.surrender) == (UnderMinimum.RAISE, Surrender.NONE)
    assert rules.insurance


def test_a_fifth_game_is_a_file_and_nothing_else(tmp_path: Path) -> None:
    rules = load_variant(written(tmp_path, SIXTH_DECK))

    assert (rules.decks, rules.dealer_hits_soft_17, rules.split_aces_again) == (6, True, True)
    assert rules.natural_pays == Odds(6, 5)
    assert rules.side_bets == {"pair": SideBet({"mixed": 5, "coloured": 10, "perfect": 30})}


def test_the_hash_is_stable_and_tells_variants_apart() -> None:
    hashes = {name: load_variant(name).hash for name in variant_names()}

    assert hashes == {name: load_variant(name).hash for name in variant_names()}
    assert len(set(hashes.values())) == 4


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        ("decks = 6", "decks = 6\ndeck = 6", "deck is no key of a variant"),
        ("decks = 6", "", "decks is missing"),
        ("decks = 6", 'decks = "6"', "decks: Input should be a valid integer"),
        ("decks = 6", "decks = 17", "decks must be 1 to 16"),
        ('"6:5"', "1.2", 'natural_pays: write odds as text such as "3:2"'),
        ('"6:5"', '"6:0"', "natural_pays: write odds"),
        ('peek = "ace-or-ten"', 'peek = "none"', "insurance needs a peek"),
        ('peek = "ace-or-ten"', 'peek = "sometimes"', "peek: Input should be 'ace-or-ten' or 'none'"),
        ("mixed = 5", "mixed = 0", "side_bets.pair.pays.mixed: Input should be greater than or equal to 1"),
        ("pays = {", "odds = {", "side_bets.pair.odds is no key of a variant"),
        ('version = "3.1"', "version = 3", "version: Input should be a valid string"),
        ("seats = 5", "seats =", "is not TOML"),
    ],
)
def test_a_wrong_file_is_refused_with_its_name_and_the_key(
    tmp_path: Path, before: str, after: str, sentence: str
) -> None:
    path = written(tmp_path, SIXTH_DECK.replace(before, after))

    with pytest.raises(ValueError, match=r"downtown\.toml") as refused:
        load_variant(path)

    assert sentence in str(refused.value)


def test_an_unknown_name_lists_those_there_are() -> None:
    with pytest.raises(ValueError, match="no variant 'vegas': name one of continuous, deluxe, european, infinite"):
        load_variant("vegas")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"absent\.toml cannot be read"):
        load_variant(tmp_path / "absent.toml")
