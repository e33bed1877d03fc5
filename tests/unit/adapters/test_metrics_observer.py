"""Incidents in the metrics: opened, closed by way out, and how long they were open."""

from __future__ import annotations

from prometheus_client import CollectorRegistry
from support.tables import SUPERVISOR, PlayedTable

from studio.adapters.metrics import StudioMetrics
from studio.adapters.metrics_observer import MetricsObserver
from studio.domain.anomalies import WayOut
from studio.domain.answers import Decided, Rejected
from studio.domain.commands import Command, Suspend
from studio.domain.people import Actor


class Observed(PlayedTable):
    """A table whose steps an observer hears of; ``deaf`` until it is told to listen."""

    def __init__(self) -> None:
        super().__init__()
        self.registry = CollectorRegistry()
        self.observer: MetricsObserver | None = None

    def listen(self) -> None:
        self.observer = MetricsObserver(StudioMetrics(self.registry))

    def try_do(self, command: Command, actor: Actor) -> Decided | Rejected:
        answer = super().try_do(command, actor)
        for step in answer.steps if isinstance(answer, Decided) and self.observer else ():
            assert self.observer is not None
            self.observer.happened(step.before, step.event, step.after, self.now)
        return answer

    def value(self, name: str, **labels: str) -> float | None:
        return self.registry.get_sample_value(f"studio_{name}", {"table": "t1", **labels})


def observed(*, from_the_start: bool = True) -> Observed:
    table = Observed()
    table.ready()
    if from_the_start:
        table.listen()
    return table


def test_an_incident_is_counted_when_it_opens_and_when_it_is_closed_by_its_way_out() -> None:
    table = observed()
    for way in (WayOut.GO_ON, WayOut.GO_ON):
        table.do(Suspend("look"), SUPERVISOR)
        table.wait(40)
        table.resolve(way)
    assert table.value("incidents_total", kind="supervisor-stop") == 2
    assert table.value("incidents_resolved_total", kind="supervisor-stop", way_out="go-on") == 2
    assert table.value("incident_open_seconds_sum", kind="supervisor-stop") == 80
    assert table.value("incident_open_seconds_count", kind="supervisor-stop") == 2


def test_a_void_closes_each_incident_that_it_closes_in_the_counts() -> None:
    table = observed()
    table.round(3).cards("TC").wait(1).no_read()
    table.do(Suspend("look"), SUPERVISOR)
    table.resolve(WayOut.VOID)
    for kind in ("no-read", "supervisor-stop"):
        assert table.value("incidents_resolved_total", kind=kind, way_out="void") == 1


def test_what_was_open_before_the_process_began_is_counted_and_not_timed() -> None:
    table = observed(from_the_start=False)
    table.do(Suspend("look"), SUPERVISOR)
    table.listen()
    table.wait(40)
    table.resolve(WayOut.GO_ON)
    assert table.value("incidents_total", kind="supervisor-stop") is None
    assert table.value("incidents_resolved_total", kind="supervisor-stop", way_out="go-on") == 1
    assert table.value("incident_open_seconds_count", kind="supervisor-stop") is None
