"""Random scripts are complete, fit the naive round, and reach the rare cases."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import pytest
from reference.naive_round import play
from reference.naive_rules import RULES
from reference.scripts import random_script

from studio.domain.cards import parse_card

ROUNDS = 250


def _scripts(variant: str) -> list[dict[str, Any]]:
    return [
        random_script(variant, Random(f"{variant}/{number}"))  # noqa: S311 - reproducible
        for number in range(ROUNDS)
    ]


@pytest.mark.parametrize("variant", RULES)
def test_the_same_seed_gives_the_same_script_and_it_is_plain_data(variant: str) -> None:
    first, second = (random_script(variant, Random(5)) for _ in range(2))  # noqa: S311 - reproducible
    assert first == second
    assert json.loads(json.dumps(first)) == first


@pytest.mark.parametrize("variant", RULES)
def test_just_the_marked_actions_are_refused_and_every_bet_is_settled(variant: str) -> None:
    for script in _scripts(variant):
        result = play(script)
        assert result["refused"] == [action for action in script["actions"] if "expect" in action]
        assert result["cards_used"] < len(script["shoe"])
        mains = [(bet["player"], bet["seat"]) for bet in result["bets"] if bet["kind"] == "main"]
        assert sorted(mains) == sorted((entry["player"], entry["seat"]) for entry in script["seats"])
        for player, net in result["net_by_player"].items():
            assert net == sum(bet["net"] for bet in result["bets"] if bet["player"] == player)


@pytest.mark.parametrize("variant", RULES)
def test_no_player_spends_more_than_the_balance(variant: str) -> None:
    for script in _scripts(variant):
        first: Counter[str] = Counter()
        balances: dict[str, int] = {}
        for place in script["seats"]:
            for entry in (place, *place.get("behind", [])):
                first[entry["player"]] += entry["bet"] + sum(entry.get("side", {}).values())
                balances |= {entry["player"]: entry["balance"]} if "balance" in entry else {}
        spent: Counter[str] = Counter()
        for bet in play(script)["bets"]:
            spent[bet["player"]] += bet["stake"]
        for player, balance in balances.items():
            assert spent[player] - first[player] <= balance


@pytest.mark.parametrize("variant", RULES)
def test_no_shoe_holds_more_copies_than_its_decks(variant: str) -> None:
    for script in _scripts(variant):
        copies = Counter(parse_card(code) for code in script["shoe"] if code != "CUT")
        assert max(copies.values()) <= RULES[variant].decks


def _features(script: dict[str, Any]) -> set[str]:
    result = play(script)
    found = {f"bet {bet['kind']}" for bet in result["bets"]}
    found |= {f"act {action['act']}" for action in script["actions"] if "expect" not in action}
    found |= {f"refused {action['act']}" for action in result["refused"]}
    found |= {f"dealer {result['dealer']['outcome']}"}
    found |= {f"{len(hands)} hands" for hands in result["hands"].values()}
    found |= {f"{key}" for key in ("early_end", "reshuffle_after") if result[key]}
    found |= {"burn"} if script["burn"] else set()
    found |= {"two seats"} if len({seat["player"] for seat in script["seats"]}) < len(script["seats"]) else set()
    for bet in result["bets"]:
        if bet["kind"] == "main" and bet["net"] * 2 == bet["stake"] * 3:
            found.add("natural")
    if result["dealer"]["outcome"] == "bust" and result["dealer"]["ncards"] >= 5:
        found.add("bust of five cards")
    return found


_EVERYWHERE = {
    *("act hit", "act stand", "act double", "act split", "act timeout", "act disconnect", "bet split"),
    *("refused split", "refused double", "dealer stand", "dealer bust", "dealer blackjack", "natural"),
    *("2 hands", "bust of five cards"),
}
_PEEK = {"act insurance", "bet insurance", "refused insurance", "early_end", "dealer not_played_out"}
_SHOE = {"burn", "reshuffle_after", "act surrender", "bet pair"}
_FEATURES = {
    "deluxe": _EVERYWHERE
    | _PEEK
    | _SHOE
    | {"bet behind", "bet behind_split", "bet behind_insurance", "two seats", "refused surrender"},
    "infinite": _EVERYWHERE | _PEEK | _SHOE | {"bet bust", "bet lucky3", "bet poker3"},
    "european": _EVERYWHERE | {"3 hands", "4 hands", "refused surrender"},
    "continuous": _EVERYWHERE | _PEEK | {"refused surrender"},
}


@pytest.mark.parametrize("variant", RULES)
def test_the_rare_cases_are_among_them(variant: str) -> None:
    found: set[str] = set()
    for script in _scripts(variant):
        found |= _features(script)
    assert _FEATURES[variant] - found == set()
