"""The judge sees what the engine got wrong: a campaign that counts no error has looked for one."""

from __future__ import annotations

import pytest

from studio.adapters.variants import load_variant
from studio.campaign.campaign import Run, open_game
from studio.campaign.core import READER
from studio.campaign.felt import Felt, Paper, Stake
from studio.campaign.game import Game
from studio.campaign.tally import Tally
from studio.domain.cards import parse_card
from studio.domain.record_commands import RecordSighting
from studio.domain.rules import RuleSet
from studio.domain.sightings import CardRead, Sighting
from studio.domain.slots import HandId

_SEAT = HandId(1, 1)


@pytest.fixture
def rules() -> RuleSet:
    return load_variant("deluxe")


def _felt(dealer: str, hand: str, stake: int = 200) -> Felt:
    felt = Felt(stakes={_SEAT: Stake("ann", stake)})
    for place, codes in ((None, dealer), (_SEAT, hand)):
        for code in codes.split():
            felt.lay(Paper(parse_card(code)), place)
    return felt


@pytest.mark.parametrize(
    ("dealer", "hand", "owed"),
    [
        ("TS 7H", "TD 8C", 400),
        ("TS 8H", "TD 8C", 200),
        ("TS 9H", "TD 8C", 0),
        ("TS 9H", "AD KC", 500),  # R14: 3 to 2
        ("AS KH", "AD KC", 200),
        ("AS KH", "7D 7C 7H", 0),  # C3: a natural beats any other 21
        ("TS 6H KC", "TD 2C", 400),
        ("TS 6H KC", "TD 6C 9H", 0),  # R14: bust first
    ],
)
def test_the_plain_rules_pay(rules: RuleSet, dealer: str, hand: str, owed: int) -> None:
    assert _felt(dealer, hand).returned(rules) == {"ann": owed}


def test_a_split_ace_and_ten_is_no_natural(rules: RuleSet) -> None:
    felt = _felt("TS 9H", "AD AC")
    felt.split(_SEAT, HandId(1, 2))
    felt.lay(Paper(parse_card("KH")), _SEAT)
    felt.lay(Paper(parse_card("5H")), HandId(1, 2))
    assert felt.returned(rules) == {"ann": 400}


def test_a_dealer_who_stops_short_is_seen(rules: RuleSet) -> None:
    assert _felt("TS 6H", "TD 8C").is_dealer_short(rules)
    assert not _felt("TS 7H", "TD 8C").is_dealer_short(rules)
    assert not _felt("TS 6H", "TD 6C 9H").is_dealer_short(rules)  # R12: nothing depends on it


class _Liar(Game):
    """A game whose reader tells aces for everything, and nobody looks."""

    def sight(self, identity, reading) -> None:  # type: ignore[no-untyped-def]
        told = CardRead(parse_card("5S")) if isinstance(reading, CardRead) and self.felt.hands else reading
        self.core.send(RecordSighting(Sighting(identity, told, self.core.now.monotonic_ns)), READER)

    def _notices(self) -> bool:
        return False


def test_wrong_cards_that_were_accepted_are_counted() -> None:
    tally = Tally()
    game = open_game(Run("continuous", "realistic", False, 1, 4), load_variant("continuous"), tally, kind=_Liar)
    for _ in range(3):
        game.due.clear()
        game.play_round()
        if tally.wrong_cards:
            break
    assert tally.wrong_cards > 0
    assert not tally.is_clean
    assert tally.failures[0].startswith("continuous realistic no camera seed")
