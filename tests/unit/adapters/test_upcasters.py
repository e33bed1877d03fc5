"""Older versions of events, as they lie in journals (system.md principle 8)."""

from __future__ import annotations

import pytest

from studio.adapters.codec import decode
from studio.domain.bets import BetKind, Result, results_of
from studio.domain.events import RoundSettled

MAIN, INSURANCE = BetKind.MAIN.value, BetKind.INSURANCE.value


def test_results_in_columns_become_groups_in_the_same_order() -> None:
    columns = {
        "players": ["ann", "bo", "cy", "ann"],
        "seats": [3, 3, 5, 3],
        "hands": [1, 1, 1, 0],
        "kinds": [MAIN, MAIN, MAIN, INSURANCE],
        "stakes": [100, 200, 300, 50],
        "returned": [250, 0, 300, 0],
    }
    assert decode("round-settled", 1, {"results": columns}) == RoundSettled(
        results_of(
            Result("ann", 3, 1, BetKind.MAIN, 100, 250),
            Result("bo", 3, 1, BetKind.MAIN, 200, 0),
            Result("cy", 5, 1, BetKind.MAIN, 300, 300),
            Result("ann", 3, 0, BetKind.INSURANCE, 50, 0),
        )
    )


def test_a_round_without_wagers_has_no_groups() -> None:
    names = ("players", "seats", "hands", "kinds", "stakes", "returned")
    assert decode("round-settled", 1, {"results": {name: [] for name in names}}) == RoundSettled(results_of())


@pytest.mark.parametrize("fields", [{}, {"results": {}}, {"results": None}, {"results": {"players": ["ann"]}}])
def test_fields_that_are_not_of_that_version_are_said(fields: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="event 'round-settled' version 1: its fields are not those of version 1"):
        decode("round-settled", 1, fields)
