"""Incidents in the metrics: opened, closed by way out, and how long they were open."""

from __future__ import annotations

from prometheus_client import CollectorRegistry
from support.second_reader_tables import SecondReaderTable
from support.tables import SUPERVISOR, PlayedTable

from studio.adapters.metrics import StudioMetrics
from studio.adapters.metrics_observer import MetricsObserver
from studio.domain.anomalies import AnomalyKind, WayOut
from studio.domain.answers import Decided, Rejected
from studio.domain.commands import Command, ResolveIncident, Suspend
from studio.domain.people import Actor
from studio.domain.witness import Verdict


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


class ObservedReaders(SecondReaderTable):
    """A table with a second reader, whose steps an observer hears of from the start."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.observer = MetricsObserver(StudioMetrics(self.registry))
        super().__init__()

    def try_do(self, command: Command, actor: Actor) -> Decided | Rejected:
        answer = super().try_do(command, actor)
        for step in answer.steps if isinstance(answer, Decided) else ():
            self.observer.happened(step.before, step.event, step.after, self.now)
        return answer

    def value(self, name: str, **labels: str) -> float | None:
        return self.registry.get_sample_value(f"studio_{name}", {"table": "t1", **labels})


def test_coverage_and_agreement_of_a_second_witness_carry_its_devices_name() -> None:
    table = ObservedReaders()
    table.ready().round(1).both("TC", "9C/-", "9D/5D")
    table.let_time_pass(1)
    found = {one.value: table.value("witnessed_total", witness="mat-1", verdict=one.value) for one in Verdict}
    assert found == {"agreed": 3, "absent": 1, "different": 1, "ruled": None}
    assert table.value("witness_coverage_ratio", witness="mat-1") == 0.8
    disagreement = table.table.find_incident(AnomalyKind.SOURCE_DISAGREEMENT)
    assert disagreement is not None
    table.do(ResolveIncident(disagreement.number, WayOut.KEEP_SCAN, "procedure", "seen"), SUPERVISOR)
    assert table.value("wrong_source_total", source="second-reader") == 1
