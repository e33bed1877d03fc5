"""The shared hand, the European and the continuous game, and the side bets, clause by clause."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from support.tables import DEALER, PlayedTable, RefusedError, a_setup, player

from studio.adapters.variants import load_variant
from studio.domain import side_bets
from studio.domain.actions import Action
from studio.domain.anomalies import WayOut
from studio.domain.answers import Decided
from studio.domain.bets import Bet, BetKind
from studio.domain.betting import Planner, side_bet_rounds_left
from studio.domain.cards import parse_card
from studio.domain.commands import (
    OpenBetting,
    PlanAction,
)
from studio.domain.events import CardDealt, HoleRevealed, ShuffleCommitted, ShuffleOpened
from studio.domain.people import SYSTEM
from studio.domain.phases import Phase, expected_slot, phase
from studio.domain.rules import Odds, RuleSet, SideBet
from studio.domain.setup import Limits
from studio.domain.shared_commands import (
    Choosing,
    DecideAll,
    InsureAll,
    Insuring,
)
from studio.domain.shoe_commands import (
    LoadShuffle,
    ReturnCards,
)
from studio.domain.slots import HandId


def of(variant: str, **changes: object) -> PlayedTable:
    return PlayedTable(a_setup(load_variant(variant), **changes))


def choose(played: PlayedTable, **actions: str) -> None:
    """Answer the open window of the shared hand."""
    current = played.table.round
    assert current is not None
    assert current.question is not None
    choices = tuple(Choosing(name, Action(action), funded=True) for name, action in actions.items())
    answer = played.try_do(DecideAll(current.question.number, choices), SYSTEM_OPERATOR)
    assert isinstance(answer, Decided)
    assert not any(answer.items), answer.items


SYSTEM_OPERATOR = replace(player("operator"))


def destinations(played: PlayedTable) -> list[str]:
    return [f"{event.card.code}>{event.slot}" for event in played.events if isinstance(event, CardDealt)]


# The shared hand


def a_shared_round(cards: str, *names: str) -> PlayedTable:
    played = of("infinite").ready().betting()
    for name in names or ("anna", "ben"):
        played.bet(1, 1000, name)
    return played.close().cards(cards)


def test_i1_everybody_decides_at_the_same_time_each_for_the_own_bet() -> None:
    played = a_shared_round("TC 6H 6D TD")
    choose(played, anna="stand")
    assert played.table.round is not None
    assert expected_slot(played.setup.rules, played.table.round) is None
    choose(played, ben="surrender")
    played.cards("9C").commit()
    assert played.net() == {"anna": 1000, "ben": -500}


def test_i1_one_deadline_closes_the_window_for_all() -> None:
    played = a_shared_round("TC 6H 6D TD")
    choose(played, anna="hit")
    played.time_out().cards("5C 9C").commit()
    assert played.net() == {"anna": 1000, "ben": 1000}


def test_i2_who_stopped_keeps_the_cards_so_far_and_a_card_is_drawn_only_while_somebody_needs_it() -> None:
    played = a_shared_round("5C 6H 4D TD", "anna", "ben", "cleo")
    choose(played, anna="stand", ben="double", cleo="hit")
    played.cards("2C")
    choose(played, cleo="hit")
    played.cards("KS")
    # 9, 11 for ben, 21 for cleo; the dealer has 16 and draws to 17.
    played.cards("AS").commit()
    assert played.net() == {"anna": -1000, "ben": -2000, "cleo": 1000}


def test_i3_second_cards_of_both_split_lines_then_unsplit_then_split_one_then_split_two() -> None:
    played = a_shared_round("8C 6H 8D TD")
    choose(played, anna="split", ben="hit")
    played.events.clear()
    played.cards("2C 3C 4C")
    assert destinations(played) == ["2C>seat1.hand2", "3C>seat1.hand3", "4C>seat1.hand1"]
    choose(played, ben="stand")
    choose(played, anna="double")
    played.cards("TH")
    choose(played, anna="stand")
    assert destinations(played)[-1] == "TH>seat1.hand2"
    played.cards("5H").commit()
    assert played.net() == {"anna": -2000 - 1000, "ben": -1000}


def test_i4_a_card_is_the_same_for_everyone_on_the_line() -> None:
    played = a_shared_round("5C 6H 4D TD")
    choose(played, anna="double", ben="double")
    played.events.clear()
    played.cards("TS")
    assert destinations(played) == ["TS>seat1.hand1"]


def test_i5_with_only_side_bets_the_shared_hand_keeps_its_two_cards() -> None:
    played = of("infinite").ready().betting().bet(1, 500, "anna", BetKind.PAIR).close().cards("5C 6H 5D TD")
    assert phase(played.table) is Phase.COMMIT
    played.commit()
    assert played.net() == {"anna": 500 * 5}


def test_shared_insurance_is_half_of_each_bet() -> None:
    played = of("infinite").ready().betting().bet(1, 1000, "anna").bet(1, 600, "ben").close()
    played.cards("TC AH 9D KD")
    assert phase(played.table) is Phase.INSURANCE
    answers = (Insuring("anna", take=True, funded=True), Insuring("ben", take=True, funded=False))
    answer = played.try_do(InsureAll(answers), SYSTEM_OPERATOR)
    assert isinstance(answer, Decided)
    assert [item and item.code for item in answer.items] == [None, "insufficient-balance"]
    played.time_out().commit()
    assert played.net() == {"anna": 0, "ben": -600}


@pytest.mark.parametrize(("cards", "net"), [("AC 6H 4D TD", -1000), ("TC 6H 2D TD", -1000)])
def test_r10_infinite_double_without_balance_hits_to_11_else_stands(cards: str, net: int) -> None:
    played = a_shared_round(cards, "anna")
    assert played.table.round is not None
    choices = (Choosing("anna", Action.DOUBLE, funded=False),)
    played.do(DecideAll(1, choices), SYSTEM_OPERATOR)
    # 15 soft and 12 stand: the next card is the dealer's.
    played.cards("2S").commit()
    assert played.net() == {"anna": net}


# European


def european() -> PlayedTable:
    rules: RuleSet = load_variant("european")
    played = PlayedTable(a_setup(rules, commits_itself=False)).open()
    played.do(LoadShuffle(1, "c0ffee", "5eed"), SYSTEM)
    return played


def test_a_virtual_shuffle_is_committed_before_and_opened_after_the_round() -> None:
    played = european()
    assert isinstance(played.events[-1], ShuffleCommitted)
    played.round(1).cards("TC 9C 9D TH").decide("stand").commit()
    opened = next(event for event in played.events if isinstance(event, ShuffleOpened))
    assert (opened.round, opened.commitment, opened.seed) == (1, "c0ffee", "5eed")
    assert played.refused(OpenBetting(), DEALER) == "no-shoe"
    played.load = 2
    played.ordinal = 0
    played.do(LoadShuffle(2, "c0ffee2", "5eed2"), SYSTEM)
    played.round(1)


def test_r4_r13_european_no_peek_a_late_natural_takes_doubles_splits_and_three_card_21s() -> None:
    played = european().round(1, 2).cards("8C 5D KC 8D 6D AH")
    played.decide("split").cards("3C TD").decide("double").cards("9S").decide("stand")
    played.decide("hit").cards("TH").decide("stand")
    assert any(isinstance(event, HoleRevealed) for event in played.events)
    played.commit()
    assert played.net() == {"P1": -3000, "P2": -1000}


def test_european_resplits_to_four_hands_aces_once_and_may_draw_on_21() -> None:
    played = european().round(1).cards("8C 6C 8D TH")
    played.decide("split").cards("8H 8S").decide("split").cards("2C 3C").decide("stand")
    played.decide("stand").decide("split").cards("TD 9D")
    assert played.table.round is not None
    assert len(played.table.round.hands) == 4
    played = european().round(1).cards("AC 6C AD TH").decide("split").cards("AH 9C")
    assert phase(played.table) is Phase.DEALER
    played = european().round(1).cards("TC 6C 5D TH").decide("hit").cards("6H")
    assert played.table.round is not None
    assert played.table.round.question is not None


def test_r10_european_an_uncovered_double_is_refused_and_the_hand_asked_again() -> None:
    played = european().round(1).cards("6C 6H 5D TH")
    with pytest.raises(RefusedError, match="insufficient-balance"):
        played.decide("double", funded=False)


def test_r12_european_dealer_always_draws() -> None:
    played = european().round(1).cards("TC 6C 6D TH").decide("hit").cards("KD")
    assert phase(played.table) is Phase.DEALER


def test_european_with_a_real_shoe_is_burned_and_cut() -> None:
    from_data = load_variant("european")
    rules = replace(from_data, shuffling=load_variant("deluxe").shuffling)
    played = PlayedTable(a_setup(rules)).ready().cards("CUT").round(1).cards("TC 9C 9D TH").decide("stand")
    played.commit()
    assert played.table.shoe is None


# Continuous


def continuous(**changes: object) -> PlayedTable:
    return of("continuous", opens_itself=True, **changes).open().load_shoe()


def test_s8_every_round_starts_from_the_full_composition_once_the_cards_are_returned() -> None:
    played = continuous().betting().bet(1, 1000, "anna").cards("TC 9C 9D TH").decide("stand").commit()
    assert played.table.shoe is not None
    assert played.table.shoe.left == 416 - 4
    assert played.refused(OpenBetting(), DEALER) == "cards-not-returned"
    played.do(ReturnCards(), DEALER)
    assert played.table.shoe.left == 416
    assert played.refused(ReturnCards(), DEALER) == "nothing-to-return"
    played.betting()


def test_r1_continuous_the_confirmed_bet_starts_the_hand() -> None:
    played = continuous().betting()
    assert played.table.round is not None
    assert played.table.round.betting_deadline_ns is None
    played.bet(1, 1000, "anna")
    assert phase(played.table) is Phase.DEALING


def test_m2_continuous_raises_a_bet_under_the_minimum_and_says_so() -> None:
    played = continuous(limits=Limits("EUR", 500, 10_000, 100)).betting()
    planned = Planner(played.table).plan(Bet("anna", 1, BetKind.MAIN, 100), 10_000)
    assert (planned.bets[0].amount, planned.note) == (500, "raised-to-minimum")


def test_m2_a_second_bet_of_the_same_batch_counts_the_first() -> None:
    planner = Planner(continuous(limits=Limits("EUR", 500, 10_000, 100)).betting().table)
    first = planner.plan(Bet("anna", 1, BetKind.MAIN, 100), 10_000)
    planner.take(first._replace(funded=True))
    assert planner.plan(Bet("anna", 1, BetKind.MAIN, 100), 9_500).bets[0].amount == 100


def test_s8_a_held_card_goes_back_with_the_others() -> None:
    played = continuous().betting().bet(1, 1000, "anna").cards("TC 9C 9D TH").decide("stand").commit().cards("5C")
    played.resolve(WayOut.USE_NEXT)
    played.do(ReturnCards(), DEALER)
    assert not played.table.loose


def test_r8_the_shared_hand_has_no_turns_to_choose_ahead_for() -> None:
    played = a_shared_round("TC 6H 6D TD")
    assert played.refused(PlanAction("anna", HandId(1, 1), Action.HIT), player("anna")) == "no-turns"


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"natural_pays": Odds(6, 5)}, "6:5"),
        ({"side_bets": {"pair": SideBet({"mixed": 5})}}, "pair must pay"),
        ({"side_bets": {"par": SideBet({"mixed": 5})}}, "no side bet"),
    ],
)
def test_m1_what_could_not_be_settled_does_not_load(change: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        a_setup(replace(load_variant("deluxe"), **change))


def test_a_cut_position_must_leave_cards_before_the_cut_card() -> None:
    with pytest.raises(ValueError, match="cut_position"):
        a_setup(cut_position=416)


def test_r3_r4_continuous_peeks_under_a_ten_and_insures_under_an_ace() -> None:
    played = continuous().betting().bet(1, 1000, "anna").cards("TC KC 9D AH")
    assert phase(played.table) is Phase.COMMIT
    played = continuous().betting().bet(1, 1000, "anna").cards("TC AC 9D 5H")
    assert phase(played.table) is Phase.INSURANCE


# Side bets


@pytest.mark.parametrize(
    ("cards", "names"),
    [
        ("7H 7H", ["perfect"]),
        ("7H 7D", ["coloured"]),
        ("7H 7S", ["mixed"]),
        ("KH QH", []),
    ],
)
def test_pair_looks_at_rank_colour_and_suit(cards: str, names: list[str]) -> None:
    assert list(side_bets.pair(*map(parse_card, cards.split()))) == names


@pytest.mark.parametrize(
    ("cards", "best"),
    [
        ("6H 7H 8H", "six-seven-eight-suited"),
        ("6H 7H 8D", "six-seven-eight"),
        ("7H 7D 7H", "three-sevens"),
        ("7H 7H 7H", "three-sevens-suited"),
        ("AH 2D 6C", "nineteen-or-twenty"),
        ("AH AD 9C", "twenty-one"),
        ("AH KH TH", "twenty-one-suited"),
        ("TH 5D 4C", "nineteen-or-twenty"),
    ],
)
def test_p1_p2_lucky_three(cards: str, best: str) -> None:
    pays = load_variant("infinite").side_bets["lucky-three"].pays
    found = list(side_bets.lucky_three([parse_card(code) for code in cards.split()]))
    assert max(found, key=pays.__getitem__) == best


@pytest.mark.parametrize(
    ("cards", "names"),
    [
        ("AH 2D 3C", ["straight"]),
        ("QH KD AC", ["straight"]),
        ("KH AD 2C", []),
        ("2H 7H 9H", ["flush"]),
        ("9H TH JH", ["straight-flush", "flush"]),
        ("9H 9D 9C", ["three-of-a-kind"]),
        ("9H 9H 9H", ["three-of-a-kind-suited", "flush"]),
    ],
)
def test_p1_p3_poker_three(cards: str, names: list[str]) -> None:
    assert list(side_bets.poker_three([parse_card(code) for code in cards.split()])) == names


def test_p4_side_bets_without_a_main_bet_are_settled_on_the_shared_hand() -> None:
    played = of("infinite").ready().betting().bet(1, 500, "anna", BetKind.BUST).close().cards("5C 6H 5D TD")
    assert phase(played.table) is Phase.DEALER
    played.cards("TS").commit()
    assert played.net() == {"anna": 500}


def test_placings_of_one_kind_on_the_shared_hand_are_settled_as_one_wager_each() -> None:
    played = of("infinite").ready().betting().bet(1, 1000, "anna").bet(1, 500, "anna", BetKind.PAIR)
    played.bet(1, 1000, "ben").bet(1, 500, "anna").bet(1, 300, "ben", BetKind.PAIR).bet(
        1, 200, "anna", BetKind.PAIR
    )
    played.close().cards("8H TH 9C 9D")
    choose(played, anna="stand", ben="stand")
    played.commit()

    assert played.table.results is not None
    assert [
        (group.kind, group.players, group.stakes, group.returned) for group in played.table.results.groups
    ] == [
        (BetKind.MAIN, ("anna", "ben"), (1500, 1000), (0, 0)),
        (BetKind.PAIR, ("anna", "ben"), (700, 300), (0, 0)),
    ]


def test_p5_a_dealers_natural_loses_bust_bonus_and_settles_the_others_by_the_cards() -> None:
    played = of("infinite").ready().betting().bet(1, 1000, "anna").bet(1, 500, "anna", BetKind.BUST)
    played.bet(1, 500, "anna", BetKind.PAIR).close().cards("7H KH 7D AD").commit()
    assert played.net() == {"anna": -1000 - 500 + 5000}


def test_s9_a_side_bet_is_closed_once_its_rounds_of_the_shoe_have_begun() -> None:
    played = of("infinite").ready()
    assert played.table.shoe is not None
    played.table = played.table.with_shoe(rounds=39)
    assert side_bet_rounds_left(played.table, BetKind.PAIR) == 1
    played.betting().bet(1, 500, "anna", BetKind.PAIR)
    assert side_bet_rounds_left(played.table, BetKind.PAIR) == 1
    played.table = played.table.with_shoe(rounds=41)
    with pytest.raises(RefusedError, match="side-bet-closed"):
        played.bet(1, 500, "anna", BetKind.PAIR)
    played.bet(1, 500, "anna", BetKind.LUCKY_THREE)


def test_r6_in_turn_a_split_hand_gets_its_second_card_when_its_turn_comes() -> None:
    from_data = load_variant("deluxe")
    rules = replace(from_data, split_deal=type(from_data.split_deal).IN_TURN)
    played = PlayedTable(a_setup(rules)).ready().round(1).cards("8C 6C 8D TH").decide("split").cards("3C")
    assert played.table.round is not None
    assert played.table.round.question is not None
    played.decide("double")
    played.events.clear()
    played.cards("TD 9D")
    assert destinations(played) == ["TD>seat1.hand1", "9D>seat1.hand2"]
