"""Simulated runs: the same whatever the cores and interruptions, and near what can be computed by hand."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import pytest
from usual_table import constant_table, usual_table

from studio.adapters.variants import load_variant
from studio.odds import chances
from studio.odds.kernel_values import Sum
from studio.odds.simulation import (
    BLOCK_ROUNDS,
    CutCard,
    FreshShuffle,
    Plan,
    Progress,
    RoundsPerShoe,
    Shuffled,
    Totals,
    begin,
    counter_of,
    last_part,
    simulate,
)
from studio.odds.tails import binomial

DELUXE = load_variant("deluxe")
EUROPEAN = load_variant("european")
UNLIKELY = 1e-6
"""A seed is fixed; a correct kernel has it with a probability of one in a million that it looks wrong."""


def a_plan(shuffled: Shuffled = FreshShuffle(), seed: int = 1, auto_play: float = 0.0) -> Plan:  # noqa: B008 - frozen
    return Plan(DELUXE, usual_table(), seed, shuffled, auto_play)


def played(plan: Plan, rounds: int, cores: int = 2, begun: Progress | None = None) -> Progress:
    start = begun or begin(plan)
    *_, last = (start, *simulate(plan, rounds, start, cores))
    return last_part(plan, rounds, last)


@pytest.mark.parametrize("shuffled", [FreshShuffle(), CutCard(104), RoundsPerShoe(40)])
def test_a_run_is_the_same_on_any_number_of_cores_and_after_a_break(shuffled: Shuffled) -> None:
    plan, rounds = a_plan(shuffled), 3 * BLOCK_ROUNDS + 1000
    whole = played(plan, rounds, cores=1)
    assert played(plan, rounds, cores=3) == whole
    *_, first = simulate(plan, BLOCK_ROUNDS, begin(plan))
    assert played(plan, rounds, begun=first) == whole
    assert whole.totals[Sum.ROUNDS] == rounds
    assert [point.rounds for point in whole.points] == [BLOCK_ROUNDS * n for n in (1, 2, 3)] + [rounds]


def test_another_seed_plays_other_rounds() -> None:
    assert played(a_plan(seed=1), 1000).totals != played(a_plan(seed=2), 1000).totals


def test_blocks_never_share_random_numbers() -> None:
    """2**32 places lie between two blocks; a round takes a few dozen."""
    first, second = counter_of(5, 0), counter_of(5, 1)
    gamma_inverse = pow(0x9E3779B97F4A7C15, -1, 1 << 64)
    assert (second - first) * gamma_inverse % (1 << 64) == 1 << 32
    assert BLOCK_ROUNDS * 200 < 1 << 32


def test_naturals_come_as_often_as_they_should() -> None:
    """C3: the dealer's two cards, against the exact probability."""
    totals = played(a_plan(), 200_000).totals
    naturals = binomial(200_000, chances.natural(8))
    assert naturals.two_sided(totals[Sum.DEALER_NATURALS]) > UNLIKELY


def test_the_dealer_busts_as_often_as_from_a_full_shoe() -> None:
    """R12, ``european``: the dealer always draws, and a player who only stands does not care."""
    plan = Plan(EUROPEAN, constant_table("S"), 3)
    totals = played(plan, 200_000).totals
    busts = sum(
        chances.upcard(6, upcard) * chance
        for upcard in range(1, 11)
        for (final, _), chance in chances.dealer_hands(6, upcard, hits_soft_17=False).items()
        if final == chances.BUST
    )
    assert binomial(200_000, busts).two_sided(totals[Sum.DEALER_BUSTS]) > UNLIKELY


def test_a_fixed_number_of_rounds_per_shoe_is_kept() -> None:
    totals = played(a_plan(RoundsPerShoe(40)), 4000).totals
    assert totals[Sum.SHOES] == 100
    assert totals[Sum.SHOE_ROUNDS_ROUNDS] == 100 * 40 * 40
    assert totals[Sum.VOIDED] == 0


def test_a_shoe_ends_with_the_round_in_which_the_cut_card_comes() -> None:
    """S4: 312 cards lie before it; a round takes 4 to about 40, and the burn 2 to 11 (S2)."""
    totals = played(a_plan(CutCard(104)), 50_000).totals
    cards_per_shoe = totals[Sum.CARDS] / totals[Sum.SHOES]
    assert 312 - 11 < cards_per_shoe < 312 + 10
    assert totals[Sum.ROUNDS] == 50_000


def test_a_round_that_empties_the_shoe_is_voided_and_counts_for_nothing() -> None:
    """S7: no shoe of 416 cards lasts for 200 rounds."""
    totals = played(a_plan(RoundsPerShoe(200)), 10_000).totals
    hands = [Sum.NATURAL, Sum.WON, Sum.PUSHED, Sum.LOST, Sum.BUST, Sum.SURRENDERED]
    assert totals[Sum.VOIDED] == pytest.approx(totals[Sum.SHOES], abs=1)
    assert totals[Sum.ROUNDS] == 10_000
    assert sum(totals[one] for one in hands) == 10_000 + totals[Sum.SPLITS]
    assert totals[Sum.WAGERED] == 4 * (10_000 + totals[Sum.SPLITS] + totals[Sum.DOUBLES])


def test_nobody_answering_plays_as_the_rules_say() -> None:
    """R9: to 11 a card is drawn, then the hand stands; so no table matters, and nothing is doubled or split."""
    silent = played(a_plan(auto_play=1.0), 20_000).totals
    other = dataclasses.replace(a_plan(auto_play=1.0), strategy=constant_table("D"))
    assert played(other, 20_000).totals == silent
    assert silent[Sum.SILENT] == silent[Sum.DECISIONS] > 0
    assert silent[Sum.DOUBLES] == silent[Sum.SPLITS] == silent[Sum.BUST] == 0


def test_a_share_of_silence_is_met() -> None:
    totals = played(a_plan(auto_play=0.25), 100_000).totals
    assert binomial(totals[Sum.DECISIONS], 0.25).two_sided(totals[Sum.SILENT]) > UNLIKELY


def test_silence_costs_the_player() -> None:
    answered, silent = played(a_plan(), 300_000).totals, played(a_plan(auto_play=1.0), 300_000).totals
    gap = answered.per_initial_bet.mean - silent.per_initial_bet.mean
    assert gap > 5 * (answered.per_initial_bet.error + silent.per_initial_bet.error)


def test_the_error_of_shuffling_every_round_is_that_of_independent_rounds() -> None:
    totals = played(a_plan(), 10_000).totals
    spread = Fraction(totals[Sum.NET_SQUARED], 10_000) - Fraction(totals[Sum.NET], 10_000) ** 2
    expected = float(spread / 9_999) ** 0.5 / totals.unit
    assert totals.per_initial_bet.error == pytest.approx(expected, rel=1e-12)
    assert totals.deviation == pytest.approx(float(spread) ** 0.5 / totals.unit, rel=1e-12)
    assert totals.per_initial_bet.mean == totals[Sum.NET] / totals.unit / 10_000


def test_the_return_per_unit_wagered_is_the_one_per_bet_over_the_average_bet() -> None:
    totals = played(a_plan(), 10_000).totals
    assert totals.per_total_wagered.mean * totals.average_bet == pytest.approx(totals.per_initial_bet.mean)


def test_nothing_played_estimates_nothing() -> None:
    nothing = Totals(4)
    assert (nothing.per_initial_bet.mean, nothing.per_initial_bet.error) == (0.0, 0.0)
    assert nothing.average_bet == nothing.deviation == 0.0


def test_points_are_thinned_and_stay_in_order() -> None:
    progress = begin(a_plan())
    one = (100, 100, 5, 400, 800, 5, 100, 20, 1600, *([0] * (len(Sum) - 9)))
    for _ in range(2500):
        progress = progress.after(one)
    rounds = [point.rounds for point in progress.points]
    assert rounds == sorted(set(rounds))
    assert 400 < len(rounds) <= 1000
    assert progress.stride == 4
    assert rounds[0] == 400


@pytest.mark.parametrize(
    ("shuffled", "auto_play", "sentence"),
    [
        (CutCard(0), 0.0, "write 1 to 390"),
        (CutCard(391), 0.0, "write 1 to 390"),
        (RoundsPerShoe(0), 0.0, "write 1 or more"),
        (FreshShuffle(), 1.1, "from 0 to 1"),
        (FreshShuffle(), -0.1, "from 0 to 1"),
    ],
)
def test_what_cannot_be_played_is_refused(shuffled: Shuffled, auto_play: float, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        a_plan(shuffled, auto_play=auto_play)


def test_the_fingerprint_is_of_all_that_decides_what_is_played() -> None:
    others = [
        a_plan(seed=2),
        a_plan(CutCard(104)),
        a_plan(auto_play=0.1),
        dataclasses.replace(a_plan(), strategy=constant_table("S")),
        dataclasses.replace(a_plan(), rules=EUROPEAN),
    ]
    assert len({plan.fingerprint for plan in (a_plan(), *others)}) == len(others) + 1
    assert a_plan().fingerprint == a_plan().fingerprint
