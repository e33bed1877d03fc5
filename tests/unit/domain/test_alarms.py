"""Alarms raised lately, and where they probably come from (consoles.md S3)."""

from __future__ import annotations

import pytest
from support.tables import SUPERVISOR, PlayedTable

from studio.domain.alarms import KEPT, SOURCES, Alarm, with_alarm
from studio.domain.anomalies import AnomalyKind, WayOut
from studio.domain.commands import Suspend
from studio.domain.projections import supervisor_view
from studio.domain.views import RaisedView

TODAY = "2026-03-01"


@pytest.mark.parametrize("kind", AnomalyKind)
def test_every_kind_has_a_probable_source(kind: AnomalyKind) -> None:
    assert kind in SOURCES


def test_an_alarm_is_told_with_its_time_after_it_was_closed_too() -> None:
    played = PlayedTable().ready().round(1).cards("TC")
    played.do(Suspend("a quarrel"), SUPERVISOR)
    raised_wall_ns = played.now.wall_ns
    played.wait(5)
    played.resolve(WayOut.GO_ON)
    played.wait(5).no_read()
    view = supervisor_view(played.table, played.now, TODAY)
    assert view.raised == (
        RaisedView("supervisor-stop", "people", raised_wall_ns),
        RaisedView("no-read", "reader", played.now.wall_ns),
    )


def test_the_oldest_are_forgotten() -> None:
    alarms: tuple[Alarm, ...] = ()
    for at_ns in range(KEPT + 2):
        alarms = with_alarm(alarms, AnomalyKind.NO_READ, at_ns)
    assert [one.at_ns for one in alarms] == list(range(2, KEPT + 2))
