"""The kernel against the engine, card by card and unit by unit: a short form of ``--check-engine``."""

from __future__ import annotations

import dataclasses
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import naive_round as naive

from studio.adapters.variants import load_variant
from studio.adjudication.command import adjudicate
from studio.adjudication.script import parse_script
from studio.domain.rules import DealerDraws, Layout, Odds, Peek, RuleSet, SplitDeal, Surrender
from studio.odds import engine_check
from studio.odds.encoding import kernel_rules
from studio.odds.engine_check import Checked, check_engine, random_table
from studio.odds.kernel_values import KernelRules, Sum
from studio.odds.strategy import PAIRS, StrategyTable

FIFTH = Path(__file__).parents[3] / "docs/how-to/add-a-variant.md"
ROUNDS = 1000


def checked(rules: RuleSet, rounds: int, seed: int = 1, processes: int = 1) -> Checked:
    return list(check_engine(rules, rounds, seed, processes))[-1]


def fifth_variant(tmp_path: Path) -> RuleSet:
    path = tmp_path / "six-five.toml"
    path.write_text(FIFTH.read_text(encoding="utf-8").split("```toml\n")[1].split("```")[0], encoding="utf-8")
    return load_variant(path)


@pytest.mark.parametrize("variant", ["deluxe", "infinite", "european", "continuous", "fifth"])
def test_random_rounds_agree_in_every_card_and_unit(variant: str, tmp_path: Path) -> None:
    """R2 to R14 as both know them."""
    rules = fifth_variant(tmp_path) if variant == "fifth" else load_variant(variant)
    seen = checked(rules, ROUNDS)
    assert seen.differences == ()
    assert seen.rounds == ROUNDS
    may_surrender = {Sum.SURRENDERED} if rules.surrender is Surrender.BEFORE_ANY_ACTION else set()
    rare = {Sum.SPLITS, Sum.DOUBLES, Sum.NATURAL, Sum.DEALER_NATURALS, Sum.DEALER_BUSTS, Sum.SILENT, Sum.PUSHED}
    assert all(seen.sums[one] > 0 for one in rare | may_surrender)


@settings(max_examples=25, deadline=None)
@given(
    layout=st.sampled_from(Layout),
    peek=st.sampled_from(Peek),
    draws=st.sampled_from(DealerDraws),
    soft_17=st.booleans(),
    pays=st.sampled_from([Odds(3, 2), Odds(6, 5), Odds(1, 1), Odds(7, 5)]),
    surrender=st.sampled_from(Surrender),
    at_21=st.booleans(),
    after_split=st.booleans(),
    hands=st.integers(1, 4),
    aces_again=st.booleans(),
    deal=st.sampled_from(SplitDeal),
    decks=st.integers(1, 8),
)
def test_any_rule_set_is_played_alike(  # noqa: PLR0913, PLR0917 - the parameters of a rule set
    layout: Layout,
    peek: Peek,
    draws: DealerDraws,
    soft_17: bool,  # noqa: FBT001 - drawn by name
    pays: Odds,
    surrender: Surrender,
    at_21: bool,  # noqa: FBT001 - drawn by name
    after_split: bool,  # noqa: FBT001 - drawn by name
    hands: int,
    aces_again: bool,  # noqa: FBT001 - drawn by name
    deal: SplitDeal,
    decks: int,
) -> None:
    rules = dataclasses.replace(
        load_variant("continuous"),
        layout=layout,
        peek=peek,
        insurance=False,
        dealer_draws=draws,
        dealer_hits_soft_17=soft_17,
        natural_pays=pays,
        surrender=surrender,
        closes_at_21=at_21,
        double_after_split=after_split,
        split_hands=hands,
        split_aces_again=aces_again,
        split_deal=deal,
        decks=decks,
    )
    assert checked(rules, 60, seed=decks).differences == ()


@pytest.mark.parametrize("variant", ["deluxe", "infinite", "european", "continuous"])
def test_the_naive_engine_of_the_tests_agrees_too(variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A third witness, which shares no code with either."""
    monkeypatch.setattr(engine_check, "parse_script", lambda script: script)
    monkeypatch.setattr(engine_check, "adjudicate", lambda script, _rules: {**naive.play(script), "refused": []})
    assert checked(load_variant(variant), 400, seed=3).differences == ()


def test_a_kernel_that_plays_by_other_rules_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """R12: it draws on soft 17 where the table stands."""

    def wrong(rules: RuleSet) -> KernelRules:
        return kernel_rules(rules)._replace(dealer_hits_soft_17=True)

    monkeypatch.setattr(engine_check, "kernel_rules", wrong)
    european = load_variant("european")
    differences = checked(european, 500).differences
    assert differences
    monkeypatch.undo()
    script = differences[0].script
    assert adjudicate(parse_script(script), european)["dealer"]["cards"] != script["shoe"]


def test_a_kernel_that_pays_otherwise_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """R14: a natural pays 3:2 and not 6:4 of a chip less."""

    def wrong(rules: RuleSet) -> KernelRules:
        return kernel_rules(rules)._replace(natural_wins=5)

    monkeypatch.setattr(engine_check, "kernel_rules", wrong)
    differences = checked(load_variant("deluxe"), 500).differences
    assert differences
    assert all(one.text.startswith("net: engine 6, kernel 5") for one in differences)


def test_the_same_seed_checks_the_same_rounds_in_any_number_of_processes() -> None:
    rules = load_variant("deluxe")
    assert checked(rules, 250, processes=2) == checked(rules, 250)
    assert checked(rules, 100, seed=2).sums != checked(rules, 100, seed=1).sums


def test_a_random_table_is_a_table() -> None:
    table = random_table(random.Random(1))  # noqa: S311 - seeded on purpose
    assert StrategyTable.from_json(table.as_json()) == table
    assert set(table.pairs) == set(PAIRS)
