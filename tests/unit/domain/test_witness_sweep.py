"""Whatever camera and reader say, in any order: nothing raises, nothing is dealt by the camera, money adds up."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from support.camera_tables import READINGS, CameraTable
from support.tables import DEALER, SUPERVISOR

from studio.domain.anomalies import WayOut
from studio.domain.answers import Decided, Rejected
from studio.domain.commands import CommitResult, ReportMisdeal, ResolveIncident
from studio.domain.events import CardDealt, RoundSettled
from studio.domain.incidents import ways_out
from studio.domain.people import Role
from studio.domain.refunds import refunds
from studio.domain.tiles import Tile

CODES = ("TC", "9C", "9D", "TH", "5S", "2D", "AH")
PLACES = ("s1c1", "s1c2", "s1c3", "s2c1", "s2c2", "dc1", "dc2", "dc3")
ACTS = st.one_of(
    st.tuples(st.just("card"), st.sampled_from(CODES)),
    st.tuples(st.just("no-read"), st.just("")),
    st.tuples(st.just("see"), st.tuples(st.sampled_from(PLACES), st.sampled_from((*CODES, *READINGS)))),
    st.tuples(st.just("wait"), st.sampled_from((0.1, 1.0, 2.0, 4.0))),
    st.tuples(st.just("report"), st.sampled_from(Tile)),
    st.tuples(st.just("rule"), st.integers(0, 7)),
    st.tuples(st.just("decide"), st.sampled_from(("hit", "stand"))),
    st.tuples(st.just("commit"), st.just("")),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(ACTS, max_size=25))
def test_any_order_of_claims_readings_reports_and_rulings(acts: list[tuple[str, object]]) -> None:
    played = CameraTable().ready().round(1, 2)
    for name, what in acts:
        act(played, name, what)
        for incident in played.table.incidents:
            assert ways_out(played.table, incident, Role.SUPERVISOR)
    dealt = [event for event in played.events if isinstance(event, CardDealt)]
    assert all(event.sighting.device == "shoe-1" for event in dealt)
    settled = any(isinstance(event, RoundSettled) for event in played.events)
    assert settled or sum(bet.amount for bet in refunds(played.table)) in {0, 2000}


def act(played: CameraTable, name: str, what: object) -> None:  # noqa: C901 - one case per act
    match name, what:
        case "card", str(code):
            played.wait(0.5).card(code)
        case "no-read", _:
            played.wait(0.5).no_read()
        case "see", (str(where), str(seen)):
            played.seen(where, seen)
        case "wait", float(seconds):
            played.let_time_pass(seconds)
        case "report", Tile() as tile:
            played.try_do(ReportMisdeal(tile, 1), DEALER)
        case "rule", int(choice) if played.table.incidents:
            incident = played.table.incidents[0]
            ways = ways_out(played.table, incident, Role.SUPERVISOR)
            way = ways[choice % len(ways)]
            if way is not WayOut.REBUILD:
                answer = played.try_do(ResolveIncident(incident.number, way, "procedure", "as ruled"), SUPERVISOR)
                assert isinstance(answer, Decided | Rejected)
        case "decide", str(action) if played.table.round is not None and played.table.round.question is not None:
            if not played.table.is_stopped:
                played.decide(action)
        case "commit", _:
            played.try_do(CommitResult(), DEALER)
        case _:
            pass
