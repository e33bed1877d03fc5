"""What a text stands for: maps, patterns, decks, and nothing repaired (hardware.md, ``barcode_line``)."""

from __future__ import annotations

import pytest

from drivers.card_codes.book import (
    CardCode,
    CutCode,
    ForeignCode,
    Meaning,
    NoReadText,
    PassageText,
    UnmappedText,
)
from drivers.card_codes.settings import CodeSettings
from studio.domain.cards import DECK, parse_card

EIGHT = parse_card("8S")


def meaning(text: str, **settings: object) -> Meaning:
    return CodeSettings.model_validate(settings).book().meaning(text)


@pytest.mark.parametrize("card", DECK, ids=str)
def test_without_a_map_a_code_is_the_cards_own(card: object) -> None:
    assert meaning(str(card)) == CardCode(parse_card(str(card)), None)


def test_a_ten_may_have_two_digits() -> None:
    assert meaning("10H") == CardCode(parse_card("TH"), None)


@pytest.mark.parametrize("text", ["8s", " 8S", "8S ", "8", "S8", "8SX", "", "110H"])
def test_nothing_is_trimmed_folded_or_repaired(text: str) -> None:
    assert meaning(text) == UnmappedText()


def test_a_map_alone_decides_where_there_is_one() -> None:
    assert meaning("0417", map={"0417": "8S"}) == CardCode(EIGHT, None)
    assert meaning("0417", map={"0417": "8S 3"}) == CardCode(EIGHT, 3)
    assert meaning("8S", map={"0417": "8S"}) == UnmappedText()


def test_a_pattern_names_card_and_deck_or_rank_and_suit() -> None:
    assert meaning("D3-8S", pattern=r"D(?P<deck>\d+)-(?P<card>..)") == CardCode(EIGHT, 3)
    assert meaning("S/8", pattern="(?P<suit>.)/(?P<rank>.+)") == CardCode(EIGHT, None)
    assert meaning("x0417x", pattern="x(?P<card>.+)x", map={"0417": "8S"}) == CardCode(EIGHT, None)
    assert meaning("D3-8S!", pattern=r"D(?P<deck>\d+)-(?P<card>..)") == UnmappedText()
    assert meaning("DX-8S", pattern=r"D(?P<deck>.)-(?P<card>..)") == UnmappedText()


@pytest.mark.parametrize("deck", [0, 9, 12])
def test_a_deck_that_is_none_of_ours_is_foreign(deck: int) -> None:
    pattern = r"D(?P<deck>\d+)-(?P<card>..)"
    assert meaning(f"D{deck}-8S", pattern=pattern, decks=8) == ForeignCode(deck)
    assert meaning("D8-8S", pattern=pattern, decks=8) == CardCode(EIGHT, 8)


def test_the_other_texts() -> None:
    settings = {"no_read": ["??"], "cut_codes": ["CUT"], "duplicates": "gate", "gate_codes": ["GO"]}
    assert meaning("??", **settings) == NoReadText()
    assert meaning("CUT", **settings) == CutCode()
    assert meaning("GO", **settings) == PassageText()
    assert meaning("NR", **settings) == UnmappedText()
    assert meaning("NR") == meaning("NOREAD") == NoReadText()
