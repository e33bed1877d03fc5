"""A bet behind: its optimum beside the seat's (B8, B9)."""

from __future__ import annotations

import pytest

from studio.odds.analysis import analyse
from studio.odds.behind import bet_behind
from studio.odds.composition import VALUES, whole_shoe
from studio.odds.game import Game, SurrenderTo
from studio.odds.optimum import Choice
from studio.odds.splitting import first_hand_values, split_values

DELUXE = analyse(Game(surrender=SurrenderTo.TWO_TO_NINE), whole_shoe(8))


def test_with_one_split_the_first_hand_is_worth_half_of_both() -> None:
    played = DELUXE.optimum.played
    both = split_values(DELUXE.states, played.values)
    assert first_hand_values(DELUXE.states, played.values) == pytest.approx(both / 2, abs=1e-15)


def test_b9_it_declines_exactly_the_splits_that_lose() -> None:
    seat = DELUXE.optimum
    found = bet_behind(DELUXE, seat)
    split = seat.options.values[Choice.SPLIT]
    losing = {
        (VALUES[pair], VALUES[upcard])
        for row, pair in enumerate(DELUXE.deal.pair)
        for upcard in range(10)
        if seat.choices[row, upcard] == Choice.SPLIT and split[row, upcard] < 0
    }
    assert {(pair, upcard) for pair, upcards in found.declines.items() for upcard in upcards} == losing
    assert found.total.gain > seat.total.gain
    assert found.total.stake < seat.total.stake


def test_b8_a_seat_doubles_only_where_a_double_wins_so_it_is_always_followed() -> None:
    for seat in (DELUXE.optimum, DELUXE.best_table()[1]):
        doubled = seat.choices == Choice.DOUBLE
        assert doubled.any()
        assert (seat.options.values[Choice.DOUBLE][doubled] > 0).all()


def test_without_splits_it_gets_what_the_seat_gets() -> None:
    analysis = analyse(Game(split_hands=1), whole_shoe(8))
    found = bet_behind(analysis, analysis.optimum)
    assert found.total == analysis.optimum.total
    assert found.declines == {}
