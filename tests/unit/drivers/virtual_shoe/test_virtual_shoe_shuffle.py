from __future__ import annotations

import hashlib
import hmac
import struct
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

import drivers.virtual_shoe
from drivers.virtual_shoe.shuffle import commitment, order, uniform, words
from studio.domain.cards import DECK

SEED = bytes(range(32))
SPEC = Path(drivers.virtual_shoe.__file__).with_name("spec.md").read_text(encoding="utf-8")
FIRST_BLOCK = "59e881c5302ac5fc860a205ceee16c47227935f33d95bf5147359d49ab08186d"
ONE_DECK = """
TC QH JS 8H JH 8S 2S TH QC 5H QD 2H KS
7H TD 2C 3H AC 6S 6D KH AH QS 5D 2D 4D
TS AS 9C 7D 8D 4C 3D JD 3S 9S AD 9H 5C
4S JC 3C 9D KC 6H 7C KD 4H 6C 5S 8C 7S
"""
ONE_DECK_DIGEST = "47640913d1a712adeefd54948f8f366a7b45fd4d00030ff69b1ba359c97f4541"
SIX_DECKS = """
QD AC KS TH JC QS AS 8H 7S TH 8D AD 2D
QC 6D QD 3H KC 2C 5D 6C 6S 7H QC JS 2C
9C 8D TD 8C TD TD KH 4H TC 9D KH 9H 7S
"""
SIX_DECKS_DIGEST = "d6eb95c073f1646ef13970a6ab4fd6b647da99aad223ac3c76e17dbf625d91d7"
COMMITMENT = "5ba1612d7f38d1fbfcb7b2cf789607008cba61bc53e3d90c5ea56963aed163b8"


def codes(seed: bytes, decks: int) -> list[str]:
    return [card.code for card in order(seed, decks)]


def digest(cards: list[str]) -> str:
    return hashlib.sha256(" ".join(cards).encode()).hexdigest()


def seeds(number: int) -> list[bytes]:
    return [hashlib.sha256(str(one).encode()).digest() for one in range(number)]


def order_by_the_page(seed: bytes, decks: int, *, throws_away: bool = True) -> list[str]:
    """Shuffle as spec.md says, sharing nothing with the driver."""
    cards = [rank + suit for suit in "DCSH" for rank in "A23456789TJQK"] * decks
    label = b"live-dealer-studio/virtual-shoe/1/order\x00"
    stream = b"".join(
        hmac.new(seed, label + struct.pack(">Q", k), hashlib.sha256).digest() for k in range(4 * decks + 4)
    )
    place = 0
    for i in reversed(range(1, len(cards))):
        m = i + 1
        (word,) = struct.unpack_from(">H", stream, place)
        place += 2
        while throws_away and word >= 65536 - 65536 % m:
            (word,) = struct.unpack_from(">H", stream, place)
            place += 2
        cards[i], cards[word % m] = cards[word % m], cards[i]
    return cards


def test_the_golden_vectors() -> None:
    assert b"".join(word.to_bytes(2, "big") for word in islice(words(SEED), 16)).hex() == FIRST_BLOCK
    one, six = codes(SEED, 1), codes(SEED, 6)
    assert one == ONE_DECK.split()
    assert digest(one) == ONE_DECK_DIGEST
    assert six[:26] + six[-13:] == SIX_DECKS.split()
    assert digest(six) == SIX_DECKS_DIGEST
    assert commitment(SEED, 6, "t3", 17) == COMMITMENT


@pytest.mark.parametrize(
    "vector",
    [SEED.hex(), FIRST_BLOCK, ONE_DECK, ONE_DECK_DIGEST, SIX_DECKS + SIX_DECKS_DIGEST, f"```\n{COMMITMENT}\n```"],
)
def test_the_page_states_the_golden_vectors(vector: str) -> None:
    assert vector in SPEC


def test_an_implementation_from_the_page_finds_the_same_cards() -> None:
    for seed in seeds(40):
        assert codes(seed, 6) == order_by_the_page(seed, 6)
    assert codes(SEED, 8) == order_by_the_page(SEED, 8)


def test_the_vector_of_six_decks_needs_the_rejection() -> None:
    assert order_by_the_page(SEED, 6) == codes(SEED, 6)
    assert order_by_the_page(SEED, 6, throws_away=False) != codes(SEED, 6)


def test_the_same_seed_gives_the_same_order_and_another_seed_another() -> None:
    assert order(SEED, 6) == order(bytes(range(32)), 6)
    flipped = SEED[:-1] + bytes([SEED[-1] ^ 1])
    assert order(SEED, 6) != order(flipped, 6)


@pytest.mark.parametrize("decks", [1, 2, 6, 8, 16])
def test_every_card_is_there_as_often_as_there_are_decks(decks: int) -> None:
    assert Counter(order(SEED, decks)) == dict.fromkeys(DECK, decks)


def test_every_card_reaches_every_place() -> None:
    reached = {(place, card.index) for seed in seeds(800) for place, card in enumerate(order(seed, 1))}
    assert len(reached) == 52 * 52


def test_a_number_is_every_remainder_of_the_usable_words_equally_often() -> None:
    for bound in (1, 2, 3, 312, 832, 40_000, 65_536):
        usable = 65_536 - 65_536 % bound
        counts = Counter(uniform(iter([word]), bound) for word in range(usable))
        assert counts == dict.fromkeys(range(bound), usable // bound)


@pytest.mark.parametrize(("bound", "first_refused"), [(3, 65_535), (312, 65_520), (40_000, 40_000)])
def test_the_words_beyond_the_last_whole_run_are_thrown_away(bound: int, first_refused: int) -> None:
    assert uniform(iter([first_refused - 1]), bound) == (first_refused - 1) % bound
    refused = range(first_refused, 65_536)
    stream = iter([*refused, 5, 1])
    assert uniform(stream, bound) == 5 % bound
    assert next(stream) == 1


def test_a_bound_that_divides_the_words_throws_none_away() -> None:
    assert uniform(iter([65_535]), 256) == 255


def test_the_words_follow_each_other_without_a_seam() -> None:
    label = b"live-dealer-studio/virtual-shoe/1/order\x00"
    blocks = b"".join(hmac.new(SEED, label + struct.pack(">Q", k), hashlib.sha256).digest() for k in range(3))
    assert list(islice(words(SEED), 48)) == list(struct.unpack(">48H", blocks))


def test_the_commitment_binds_seed_decks_table_and_round() -> None:
    other_seed = bytes(32)
    promises = {
        commitment(seed, decks, table, round_number)
        for seed in (SEED, other_seed)
        for decks in (6, 8)
        for table in ("t3", "t31", "t")
        for round_number in (1, 17, 256, 2**64 - 1)
    }
    assert len(promises) == 2 * 2 * 3 * 4


def test_the_commitment_is_the_digest_of_the_documented_bytes() -> None:
    promised = b"live-dealer-studio/virtual-shoe/1/commitment\x00\x06\x02t3\0\0\0\0\0\0\0\x11" + bytes(range(32))
    assert commitment(SEED, 6, "t3", 17) == hashlib.sha256(promised).hexdigest()


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33)])
def test_a_seed_of_another_length_is_refused(seed: bytes) -> None:
    with pytest.raises(ValueError, match=f"32 bytes, not {len(seed)}"):
        order(seed, 6)
    with pytest.raises(ValueError, match=f"32 bytes, not {len(seed)}"):
        commitment(seed, 6, "t3", 17)


@pytest.mark.parametrize("decks", [-1, 0, 17])
def test_a_shoe_of_no_or_too_many_decks_is_refused(decks: int) -> None:
    with pytest.raises(ValueError, match=f"1 to 16 decks, not {decks}"):
        order(SEED, decks)
    with pytest.raises(ValueError, match=f"1 to 16 decks, not {decks}"):
        commitment(SEED, decks, "t3", 17)


@pytest.mark.parametrize("table", ["", "t" * 256])
def test_a_table_name_that_has_no_encoding_is_refused(table: str) -> None:
    with pytest.raises(ValueError, match="1 to 255 bytes"):
        commitment(SEED, 6, table, 17)


@pytest.mark.parametrize("round_number", [-1, 0, 2**64])
def test_a_number_that_is_no_round_is_refused(round_number: int) -> None:
    with pytest.raises(ValueError, match="rounds are numbered from 1"):
        commitment(SEED, 6, "t3", round_number)
