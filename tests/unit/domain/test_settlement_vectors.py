"""The deluxe rounds of the settlement vectors, their main bets and insurance, through the core."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.tables import PlayedTable

from studio.domain.bets import BetKind
from studio.domain.events import CardDealt, HoleRevealed
from studio.domain.phases import Phase, expected_slot, is_insurance_open, phase
from studio.domain.slots import Face

_FILE = Path(__file__).parents[2] / "vectors" / "settlement.json"
_VECTORS = [one for one in json.loads(_FILE.read_text())["vectors"] if one["variant"] == "deluxe"]
_KINDS = {BetKind.MAIN.value, BetKind.SPLIT.value, BetKind.INSURANCE.value}


def _play(vector: dict[str, Any]) -> PlayedTable:
    played = PlayedTable().ready().betting()
    played.events.clear()
    balances = {one["seat"]: one.get("balance", 10**9) for one in vector["seats"]}
    for one in vector["seats"]:
        played.bet(one["seat"], one["bet"], one["player"])
    played.close()
    shoe, actions = list(vector["shoe"]), list(vector["actions"])
    while phase(played.table) is not Phase.COMMIT:
        current = played.table.round
        assert current is not None
        if expected_slot(played.setup.rules, current) is not None:
            played.cards(shoe.pop(0))
        elif is_insurance_open(current):
            _insure(played, actions)
        else:
            assert current.question is not None
            seat = current.question.hand.seat
            if not actions or actions[0]["seat"] != seat:
                played.time_out()
                continue
            action = actions.pop(0)["act"]
            cost = current.main_bets()[seat].amount if action in {"double", "split"} else 0
            played.decide(action, funded=cost <= balances[seat])
            balances[seat] -= cost
    assert not shoe, "every card of the script must be asked for"
    return played.commit()


def _insure(played: PlayedTable, actions: list[dict[str, Any]]) -> None:
    while actions and actions[0]["act"] in {"insurance", "no_insurance"}:
        action = actions.pop(0)
        played.insure(action["seat"], take=action["act"] == "insurance")
    current = played.table.round
    if current is not None and is_insurance_open(current):
        played.time_out()


def _destinations(played: PlayedTable) -> list[dict[str, str]]:
    found = []
    for event in played.events:
        if isinstance(event, CardDealt):
            face = "down" if event.slot.face is Face.DOWN else "up"
            found.append({"card": event.card.code, "to": str(event.slot), "face": face})
        elif isinstance(event, HoleRevealed):
            found.append({"card": event.card.code, "to": "dealer_reveal_hole", "face": "up"})
    return found


@pytest.mark.parametrize("vector", _VECTORS, ids=[one["id"] for one in _VECTORS])
def test_cards_go_where_the_vector_says_and_main_bets_pay_what_it_says(vector: dict[str, Any]) -> None:
    played = _play(vector)
    expect = vector["expect"]
    assert _destinations(played) == expect["card_destinations"]
    assert played.table.results is not None
    wanted = {
        (bet["player"], bet["kind"], bet["seat"], bet.get("hand", 1)): (bet["stake"], bet["net"])
        for bet in expect["bets"]
        if bet["kind"] in _KINDS
    }
    got = {
        (one.player, one.kind.value, one.seat, one.hand): (one.stake, one.returned - one.stake)
        for one in played.table.results
    }
    assert got == wanted
    assert played.table.round is not None
    assert [card.code for card in played.table.round.dealer] == expect["dealer"]["cards"]
