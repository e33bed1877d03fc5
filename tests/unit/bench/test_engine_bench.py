from __future__ import annotations

import pytest
from support.tables import a_setup

from studio.bench.engine import PlayedTable, decide_all, measure_engine
from studio.domain.commands import (
    CommitResult,
    Decide,
    PlaceBets,
)
from studio.domain.instants import Instant
from studio.domain.people import SYSTEM
from studio.domain.record_commands import RecordSighting
from studio.domain.table import RoundEnd


def test_a_round_has_a_bet_on_every_seat_and_is_settled() -> None:
    played = PlayedTable(a_setup(), seed=3)
    played.prepare_shoe()
    script = played.play_round()
    current = played.table.round
    assert current is not None
    assert current.end is RoundEnd.CLOSED
    assert {hand.id.seat for hand in current.hands} == set(range(1, 8))
    assert played.table.results is not None
    kinds = [type(command) for command, _, _ in script]
    assert kinds.count(PlaceBets) == 7
    assert kinds.count(RecordSighting) >= 16
    assert Decide in kinds


def test_the_same_seed_plays_the_same_rounds() -> None:
    scripts = []
    for _ in range(2):
        played = PlayedTable(a_setup(), seed=7)
        played.prepare_shoe()
        scripts.append(played.play_round())
    assert scripts[0] == scripts[1]


def test_shoe_after_shoe_is_played_to_its_cut_card() -> None:
    played = PlayedTable(a_setup(), seed=3)
    for _ in range(40):
        played.prepare_shoe()
        played.play_round()
    assert played.table.shoes == 3
    assert not played.table.incidents


def test_figures_count_what_was_timed() -> None:
    figures = measure_engine(a_setup(), 3)
    assert figures.rounds == 3
    assert figures.events > figures.commands > 3 * 25
    assert figures.rounds_per_second == pytest.approx(3 / figures.cpu_seconds)


def test_a_refused_command_is_no_figure() -> None:
    played = PlayedTable(a_setup(), seed=1)
    played.prepare_shoe()
    with pytest.raises(ValueError, match="was refused"):
        decide_all(played.table, ((CommitResult(), SYSTEM, Instant(0, 0)),))
