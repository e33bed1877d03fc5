"""The numbers of the sheet that no variant sets are those that the engine and the automated players play by."""

from __future__ import annotations

import pytest
from support.tables import PlayedTable

from studio.domain.bets import BetKind
from studio.domain.cards import parse_card
from studio.domain.phases import default_action, expected_slot
from studio.domain.slots import HandId
from studio.domain.table import Hand
from studio.players.strategies import STRATEGIES
from studio.rule_sheet.writer import DEALER_STANDS_ON, DRAWS_TO, EASY_STANDS_ON, INSURANCE_PAYS, WIN_PAYS


@pytest.mark.parametrize(("hole", "points", "draws"), [("9C", 16, True), ("TC", 17, False)])
def test_the_dealer_stands_on_what_the_sheet_says(hole: str, points: int, *, draws: bool) -> None:
    played = PlayedTable().ready().round(1).cards(f"9H 7D 9C {hole}").decide("stand")
    assert played.table.round is not None
    assert (expected_slot(played.setup.rules, played.table.round) is not None) is draws
    assert draws == (points < DEALER_STANDS_ON)


@pytest.mark.parametrize(("cards", "points"), [("2C 9D", 11), ("3C 9D", 12)])
def test_a_hand_without_an_answer_draws_up_to_what_the_sheet_says(cards: str, points: int) -> None:
    hand = Hand(HandId(1, 1), "anna", 1000, tuple(map(parse_card, cards.split())))
    assert (default_action(hand) == "hit") == (points <= DRAWS_TO)


@pytest.mark.parametrize(("cards", "points"), [("7C 9D", 16), ("8C 9D", 17)])
def test_the_easy_player_stands_on_what_the_sheet_says(cards: str, points: int) -> None:
    action = STRATEGIES["easy"](cards.split(), "5D", ("hit", "stand"))
    assert (action == "stand") == (points >= EASY_STANDS_ON)


def test_wins_and_insurance_pay_what_the_sheet_says() -> None:
    played = PlayedTable().ready().round(1).cards("9H AD 9C TC").insure(1).commit()
    assert played.table.results is not None
    (insured,) = (one for one in played.table.results if one.kind is BetKind.INSURANCE)
    assert insured.returned - insured.stake == INSURANCE_PAYS.of(500)
    won = PlayedTable().ready().round(1).cards("9H 7D 9C TC").decide("stand").commit()
    assert won.net() == {"P1": WIN_PAYS.of(1000)}
