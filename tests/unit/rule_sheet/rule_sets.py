"""Rule sets for the rule sheets' tests: the package's, each with one parameter changed, and any that is valid."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator
from dataclasses import replace
from enum import Enum
from itertools import cycle
from typing import Any

from hypothesis import strategies as st

from studio.adapters.variants import load_variant, variant_names
from studio.domain.rules import (
    DealerDraws,
    Layout,
    Money,
    Odds,
    Peek,
    RuleSet,
    Shuffling,
    SideBet,
    SplitDeal,
    Start,
    Surrender,
    UnderMinimum,
    WithoutFunds,
)
from studio.domain.setup import Limits
from studio.odds.figures import figures_of
from studio.odds.strategy import HARD, PAIR_CODES, PAIRS, SOFT, TOTAL_CODES, UPCARDS, StrategyTable
from studio.rule_sheet.forms import Chart, Points, Section, Sheet, Table, Terms

VARIANTS = {name: load_variant(name) for name in variant_names()}
ODDS = {name: figures_of(rules) for name, rules in VARIANTS.items()}
EVERY_CODE = replace(
    ODDS["deluxe"],
    strategy=StrategyTable(
        hard={row: dict.fromkeys(UPCARDS, code) for row, code in zip(HARD, cycle(TOTAL_CODES), strict=False)},
        soft={row: dict.fromkeys(UPCARDS, code) for row, code in zip(SOFT, cycle(TOTAL_CODES), strict=False)},
        pairs={row: dict.fromkeys(UPCARDS, code) for row, code in zip(PAIRS, cycle(PAIR_CODES), strict=False)},
    ),
)
"""Figures whose table has each code somewhere."""
LIMITS = Limits("EUR", 500, 100_000, 100)
PAYS = {name: bet.pays for name, bet in VARIANTS["infinite"].side_bets.items()}


def words_of(sheet: Sheet) -> tuple[str, ...]:
    """Every text of a sheet, in the order in which it is read."""
    return (sheet.title, sheet.lead, *(text for section in sheet.sections for text in _texts(section)))


def _texts(section: Section) -> Iterator[str]:
    yield section.heading
    for block in section.blocks:
        match block:
            case Points(sentences):
                yield from sentences
            case Terms(entries):
                for name, sentences in entries:
                    yield from (name, *sentences)
            case Table(caption, head, rows):
                yield from (caption, *head, *(cell for row in rows for cell in row))
            case Chart(caption, across, columns, parts, meanings):
                yield from (caption, across, *columns)
                for title, chart_rows in parts:
                    yield from (title, *(text for name, codes in chart_rows for text in (name, *codes)))
                for code, meaning in meanings:
                    yield from (code, meaning)


def changes(rules: RuleSet) -> Iterator[tuple[str, RuleSet]]:
    """Yield the rules with one parameter changed, and its name: every other value, or a few of too many."""
    for field in dataclasses.fields(rules):
        for value in _others(field.name, getattr(rules, field.name)):
            with contextlib.suppress(ValueError):  # contradicts the other parameters
                yield field.name, dataclasses.replace(rules, **{field.name: value})


def _others(name: str, value: Any) -> tuple[Any, ...]:
    match name, value:
        case "side_bets", dict():
            return tuple(_other_side_bets(value))
        case "split_hands", int():
            return tuple(number for number in range(1, 5) if number != value)
        case "published_rtp", _:
            return tuple(rate for rate in (None, "97.10") if rate != value)
        case _, bool():
            return (not value,)
        case _, int():
            return (value + 1, value - 1)
        case _, Odds():
            return (Odds(6, 5), Odds(2, 1))
        case _, Enum():
            return tuple(other for other in type(value) if other is not value)
        case _, str():
            return (f"{value}-changed",)
        case _:
            raise AssertionError((name, value))


def _other_side_bets(bets: dict[str, SideBet]) -> Iterator[dict[str, SideBet]]:
    for name, pays in PAYS.items():
        if name not in bets:
            yield bets | {name: SideBet(pays, 45)}
    for name, bet in bets.items():
        yield {other: kept for other, kept in bets.items() if other != name}
        yield bets | {name: dataclasses.replace(bet, rounds_per_shoe=12)}
        yield bets | {name: dataclasses.replace(bet, rounds_per_shoe=None)}
        for combination, odds in bet.pays.items():
            yield bets | {name: dataclasses.replace(bet, pays=bet.pays | {combination: odds + 1})}


@st.composite
def rule_sets(draw: st.DrawFn) -> RuleSet:
    """Any valid rule set."""
    layout = draw(st.sampled_from(Layout))
    seats = draw(st.integers(1, 9)) if layout is Layout.SEATS else 1
    peek = draw(st.sampled_from(Peek))
    names = draw(st.lists(st.sampled_from([*PAYS]), unique=True))
    rounds = st.none() | st.integers(1, 80)
    return RuleSet(
        variant=draw(st.sampled_from([*VARIANTS, "downtown"])),
        version="1",
        decks=draw(st.integers(1, 16)),
        shuffling=draw(st.sampled_from(Shuffling)),
        layout=layout,
        seats=seats,
        seats_per_player=draw(st.integers(1, seats)),
        start=draw(st.sampled_from(Start)),
        peek=peek,
        dealer_draws=draw(st.sampled_from(DealerDraws)),
        dealer_hits_soft_17=draw(st.booleans()),
        natural_pays=Odds(draw(st.integers(1, 9)), draw(st.integers(1, 9))),
        insurance=peek is not Peek.NONE and draw(st.booleans()),
        surrender=draw(st.sampled_from(Surrender)),
        closes_at_21=draw(st.booleans()),
        double_after_split=draw(st.booleans()),
        split_hands=draw(st.integers(1, 4)),
        split_aces_again=draw(st.booleans()),
        split_deal=draw(st.sampled_from(SplitDeal)),
        ends_when_all_natural=draw(st.booleans()),
        double_without_funds=draw(st.sampled_from(WithoutFunds)),
        split_without_funds=draw(st.sampled_from(WithoutFunds)),
        under_minimum=draw(st.sampled_from(UnderMinimum)),
        bet_behind=layout is Layout.SEATS and draw(st.booleans()),
        money=draw(st.sampled_from(Money)),
        side_bets={name: SideBet(PAYS[name], draw(rounds)) for name in names},
        published_rtp=draw(st.none() | st.just("99.10")),
    )
