"""The misdeal table of anomalies.md, row by row, and every ruling of the profile in it."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import pytest

from studio.domain.anomalies import WayOut as W
from studio.domain.misdeals import Facts, Situation, offered
from studio.domain.profile import (
    STUDIO_DEFAULT,
    BadScan,
    CardBeforeTime,
    DealerOverdraw,
    ExposedCard,
    ExtraHand,
    FlawedCard,
    HoleExposed,
    MisplacedCard,
    MissedDealerCard,
    NoCardHand,
    OneCardHand,
    RulingProfile,
    UnbetSeat,
)

ALWAYS = {W.CHANGE_SHOE, W.ACKNOWLEDGE, W.LOAD_DISCARDS}
S = Situation
UNSEEN, SEEN = False, True


def ways(facts: Facts, profile: RulingProfile = STUDIO_DEFAULT) -> set[W]:
    return {*offered(facts, profile)} - ALWAYS


@pytest.mark.parametrize(
    ("situation", "read", "revealed", "later", "expected"),
    [
        (S.BEFORE_TIME, False, UNSEEN, False, {W.RESCAN, W.DISCARD, W.VOID}),
        (S.BEFORE_TIME, False, SEEN, False, {W.DISCARD, W.ENTER, W.VOID}),
        (S.BEFORE_TIME, True, UNSEEN, False, {W.USE_NEXT, W.VOID}),
        (S.BEFORE_TIME, True, SEEN, False, {W.BURN, W.VOID}),
        (S.EXTRA_CARD, True, UNSEEN, False, {W.USE_NEXT, W.VOID}),
        (S.EXTRA_CARD, True, SEEN, False, {W.USE_NEXT, W.VOID}),
        (S.EXTRA_CARD, True, SEEN, True, {W.VOID}),
        (S.WRONG_SEAT, True, SEEN, False, {W.LAID, W.VOID}),
        (S.WRONG_SEAT, True, SEEN, True, {W.MOVE, W.REBUILD, W.VOID}),
        (S.MISREAD, False, SEEN, False, {W.RESCAN, W.CAMERA_VALUE, W.ENTER, W.DISCARD, W.LAID, W.VOID}),
        (S.MISREAD, False, SEEN, True, {W.REBUILD, W.LAID, W.VOID}),
        (S.SHOWN_WRONG, True, SEEN, False, {W.KEEP_SCAN, W.CORRECT, W.VOID}),
        (S.SHOWN_WRONG, True, SEEN, True, {W.KEEP_SCAN, W.VOID}),
        (S.HOLE_EXPOSED, True, SEEN, False, {W.GO_ON}),
        (S.HOLE_EXPOSED, True, SEEN, True, {W.GO_ON}),
        (S.FLAWED_CARD, True, SEEN, False, {W.GO_ON, W.OUT_OF_PLAY, W.VOID}),
        (S.FLAWED_CARD, False, SEEN, True, {W.GO_ON, W.OUT_OF_PLAY, W.VOID}),
        (S.SHOE_WRONG, True, SEEN, False, {W.RECOUNT, W.VOID}),
    ],
)
def test_the_misdeal_table(situation: S, *, read: bool, revealed: bool, later: bool, expected: set[W]) -> None:
    assert ways(Facts(situation, read, revealed, later)) == expected


def test_the_order_after_later_cards_is_kept_only_where_a_still_proves_it() -> None:
    assert W.USE_NEXT in ways(Facts(S.EXTRA_CARD, later=True, has_still=True))


@pytest.mark.parametrize("situation", [S.BEFORE_TIME, S.EXTRA_CARD])
def test_while_nobody_said_whether_a_card_was_seen_both_rows_are_offered(situation: S) -> None:
    both = ways(Facts(situation, revealed=False)) | ways(Facts(situation, revealed=True))
    assert ways(Facts(situation, revealed=None)) == both


RULINGS: list[tuple[str, Any, Facts, set[W]]] = [
    ("unbet_seat", UnbetSeat.DEAD_HAND, Facts(S.UNBET_SEAT), {W.OUT_OF_PLAY, W.VOID}),
    ("unbet_seat", UnbetSeat.SHIFT, Facts(S.UNBET_SEAT), {W.LAID, W.VOID}),
    ("unbet_seat", UnbetSeat.WITHDRAW, Facts(S.UNBET_SEAT), {W.LAID, W.DEAD_HAND, W.VOID}),
    ("one_card_hand", OneCardHand.DEAL_AFTER, Facts(S.ONE_CARD_HAND), {W.MOVE, W.DRAW_NOW, W.VOID}),
    ("one_card_hand", OneCardHand.DEAD_HAND, Facts(S.ONE_CARD_HAND), {W.DEAD_HAND, W.VOID}),
    ("no_card_hand", NoCardHand.DEAD_HAND, Facts(S.NO_CARD_HAND), {W.DEAD_HAND, W.VOID}),
    ("no_card_hand", NoCardHand.DEAL_AFTER, Facts(S.NO_CARD_HAND), {W.MOVE, W.DRAW_NOW, W.VOID}),
    ("no_card_hand", NoCardHand.VOID, Facts(S.NO_CARD_HAND), {W.VOID}),
    ("extra_hand", ExtraHand.BURN, Facts(S.EXTRA_HAND), {W.OUT_OF_PLAY, W.VOID}),
    ("extra_hand", ExtraHand.SHIFT, Facts(S.EXTRA_HAND), {W.LAID, W.VOID}),
    ("extra_hand", ExtraHand.VOID, Facts(S.EXTRA_HAND), {W.VOID}),
    ("exposed_card", ExposedCard.NEXT, Facts(S.EXTRA_CARD), {W.USE_NEXT, W.VOID}),
    ("exposed_card", ExposedCard.BURN, Facts(S.EXTRA_CARD), {W.BURN, W.VOID}),
    ("exposed_card", ExposedCard.OFFER, Facts(S.EXTRA_CARD), {W.USE_NEXT, W.REFUSED, W.VOID}),
    ("exposed_card", ExposedCard.VOID, Facts(S.EXTRA_CARD), {W.VOID}),
    ("dealer_overdraw", DealerOverdraw.BURN, Facts(S.DEALER_OVERDRAW), {W.BURN}),
    ("dealer_overdraw", DealerOverdraw.VOID, Facts(S.DEALER_OVERDRAW), {W.VOID}),
    ("missed_dealer_card", MissedDealerCard.DEAL_AFTER, Facts(S.SKIPPED_DEALER), {W.MOVE, W.DRAW_NOW, W.VOID}),
    ("missed_dealer_card", MissedDealerCard.VOID, Facts(S.SKIPPED_DEALER), {W.VOID}),
    ("misplaced_card", MisplacedCard.MOVE, Facts(S.WRONG_SEAT), {W.LAID, W.VOID}),
    ("misplaced_card", MisplacedCard.STAY, Facts(S.WRONG_SEAT), {W.MOVE, W.VOID}),
    ("misplaced_card", MisplacedCard.VOID, Facts(S.WRONG_SEAT), {W.VOID}),
    (
        "bad_scan",
        BadScan.RESCAN,
        Facts(S.MISREAD, has_natural=True),
        {W.RESCAN, W.CAMERA_VALUE, W.ENTER, W.DISCARD, W.LAID, W.VOID},
    ),
    ("bad_scan", BadScan.VOID, Facts(S.MISREAD), {W.VOID}),
    (
        "bad_scan",
        BadScan.KEEP_NATURALS,
        Facts(S.MISREAD, has_natural=True),
        {W.RESCAN, W.CAMERA_VALUE, W.ENTER, W.DISCARD, W.LAID, W.VOID, W.DEAD_HAND},
    ),
    ("flawed_card", FlawedCard.DISCARD, Facts(S.FLAWED_CARD), {W.GO_ON, W.OUT_OF_PLAY, W.VOID}),
    ("flawed_card", FlawedCard.SUBSTITUTE, Facts(S.FLAWED_CARD), {W.GO_ON, W.SUBSTITUTE, W.VOID}),
    ("flawed_card", FlawedCard.SHOE_CHANGE, Facts(S.FLAWED_CARD), {W.VOID}),
    ("hole_exposed", HoleExposed.PLAY_ON, Facts(S.HOLE_EXPOSED), {W.GO_ON}),
    ("hole_exposed", HoleExposed.VOID, Facts(S.HOLE_EXPOSED), {W.VOID}),
    ("card_before_time", CardBeforeTime.NEXT, Facts(S.BEFORE_TIME, revealed=False), {W.USE_NEXT, W.VOID}),
    ("card_before_time", CardBeforeTime.BURN, Facts(S.BEFORE_TIME, revealed=False), {W.BURN, W.VOID}),
]


@pytest.mark.parametrize(("setting", "value", "facts", "expected"), RULINGS)
def test_each_value_of_a_ruling_offers_its_own_ways_out(
    setting: str, value: Any, facts: Facts, expected: set[W]
) -> None:
    assert ways(facts, replace(STUDIO_DEFAULT, **{setting: value})) == expected


def test_every_value_of_these_rulings_is_in_the_table() -> None:
    named = {setting for setting, *_ in RULINGS}
    for setting in named:
        values = {value for name, value, *_ in RULINGS if name == setting}
        assert values == set(type(getattr(STUDIO_DEFAULT, setting)).__members__.values())


def test_every_combination_offers_something() -> None:
    answers = itertools.product((True, False), (True, False, None), (True, False), (True, False), (True, False))
    for read, revealed, later, still, natural in answers:
        for situation in Situation:
            assert ways(Facts(situation, read, revealed, later, still, natural))
