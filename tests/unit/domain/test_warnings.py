"""Warnings: logged, shown, play goes on; somebody acknowledges them (anomalies.md, levels)."""

from __future__ import annotations

import pytest
from support.tables import DEALER, SUPERVISOR, PlayedTable, a_setup

from studio.domain.actions import Action
from studio.domain.anomalies import CATALOGUE, AnomalyKind, AnomalyRule, Level, WayOut
from studio.domain.commands import Suspend, VoidRound
from studio.domain.events import AnomalyDetected
from studio.domain.evolve import evolve
from studio.domain.incidents import ways_out
from studio.domain.instructions import instruction
from studio.domain.people import Actor, Role
from studio.domain.phases import open_deadline_ns

WARNED = AnomalyKind.CAMERA_ABSENT


def warned(played: PlayedTable) -> PlayedTable:
    event = AnomalyDetected(played.table.incident_count + 1, WARNED, None, "draw 4", played.now.monotonic_ns)
    played.table = evolve(played.table, event)
    return played


def asked() -> PlayedTable:
    return warned(PlayedTable(a_setup()).ready().round(1).cards("TC 9C 6D TH"))


def test_a_warning_stops_neither_cards_nor_decisions_nor_the_clock() -> None:
    played = asked()
    assert not played.table.is_stopped
    assert instruction(played.table).code == "wait-decision"
    deadline_ns = open_deadline_ns(played.table.round)
    played.decide(Action.HIT).cards("2C")
    assert deadline_ns is not None
    played.time_out()
    assert [one.kind for one in played.table.incidents] == [WARNED]


@pytest.mark.parametrize("actor", [DEALER, SUPERVISOR])
def test_dealer_or_supervisor_acknowledges_it_and_no_deadline_moves(actor: Actor) -> None:
    played = asked()
    deadline_ns = open_deadline_ns(played.table.round)
    played.wait(3).resolve(WayOut.ACKNOWLEDGE, actor)
    assert not played.table.incidents
    assert open_deadline_ns(played.table.round) == deadline_ns


def test_a_hold_beside_a_warning_stops_the_table_and_its_end_starts_the_clock_again() -> None:
    played = asked()
    deadline_ns = open_deadline_ns(played.table.round)
    played.do(Suspend("stop"), SUPERVISOR)
    assert played.table.is_stopped
    played.wait(60)
    stop = played.table.incidents[1]
    assert WayOut.ACKNOWLEDGE not in ways_out(played.table, stop, Role.SUPERVISOR)
    played.table = played.table._replace(incidents=(stop, played.table.incidents[0]))
    played.resolve(WayOut.GO_ON)
    assert not played.table.is_stopped
    assert deadline_ns is not None
    assert open_deadline_ns(played.table.round) == deadline_ns + 60 * 10**9


def test_a_void_leaves_a_warning_for_somebody_to_see() -> None:
    played = asked()
    played.do(VoidRound("procedure", "as ruled"), SUPERVISOR)
    assert played.kinds() == [WARNED]


def test_a_warning_that_blocks_rounds_holds_the_table_once_the_round_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rule = CATALOGUE[WARNED]
    blocking = AnomalyRule(rule.level, rule.cause, rule.next_step, rule.supervisor, blocks_rounds=True)
    monkeypatch.setitem(CATALOGUE, WARNED, blocking)
    played = asked().decide(Action.STAND)
    played.commit()
    assert [one.level for one in played.table.incidents] == [Level.HOLD]
    assert played.table.is_stopped
