"""Whatever two readers say, in any order: nothing raises or waits for ever, no card is lost, money adds up."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from support.second_reader_tables import SECOND, SecondReaderTable
from support.tables import DEALER, SUPERVISOR

from studio.domain.answers import Decided, Rejected
from studio.domain.commands import CommitResult, ResolveIncident
from studio.domain.events import CardBurned, CardDealt, CardHeld, RoundSettled
from studio.domain.incidents import ways_out
from studio.domain.people import Role
from studio.domain.record_commands import RecordReader
from studio.domain.refunds import refunds
from studio.domain.table import RoundEnd

CODES = ("8S", "8S", "9C", "TH", "5S", "2D", "AH")
ACTS = st.one_of(
    st.tuples(st.just("card"), st.sampled_from(CODES)),
    st.tuples(st.just("heard"), st.sampled_from((*CODES, "?", "CUT"))),
    st.tuples(st.just("both"), st.sampled_from(CODES)),
    st.tuples(st.just("no-read"), st.booleans()),
    st.tuples(st.just("link"), st.booleans()),
    st.tuples(st.just("wait"), st.sampled_from((0.1, 0.4, 1.0, 4.0))),
    st.tuples(st.just("rule"), st.integers(0, 7)),
    st.tuples(st.just("decide"), st.sampled_from(("hit", "stand"))),
    st.tuples(st.just("commit"), st.just("")),
)


@settings(max_examples=100)
@given(st.lists(ACTS, max_size=30))
def test_any_order_of_readings_links_and_rulings(acts: list[tuple[str, object]]) -> None:
    played = SecondReaderTable().ready().round(1, 2)
    for name, what in acts:
        act(played, name, what)
        for incident in played.table.incidents:
            assert ways_out(played.table, incident, Role.SUPERVISOR)
    placed = [event for event in played.events if isinstance(event, CardDealt | CardBurned | CardHeld)]
    assert all(event.sighting.device == "shoe-1" for event in placed)
    known = {event.draw for event in placed} | {draw.number for draw in played.table.loose}
    assert known <= {*range(1, played.ordinal + 1)}
    played.verdicts()
    waits(played)
    settled = any(isinstance(event, RoundSettled) for event in played.events)
    assert settled or sum(bet.amount for bet in refunds(played.table)) in {0, 2000}


def waits(played: SecondReaderTable) -> None:
    """A table that nothing stops waits for no reading longer than its deadline: every card has its verdict."""
    played.let_time_pass(2)
    current = played.table.round
    if not played.table.is_stopped:
        assert played.table.witness.pairing.passes == ()
        assert all(one.repeated for one in played.table.witness.pairing.readings)
        assert current is None or current.end is not RoundEnd.COMMITTED


def act(played: SecondReaderTable, name: str, what: object) -> None:  # noqa: C901 - one case per act
    match name, what:
        case "card", str(code):
            played.wait(0.3).card(code)
        case "heard", str(code):
            played.wait(0.1).heard(code)
        case "both", str(code):
            played.both(code)
        case "no-read", bool(again):
            played.wait(0.5).no_read(ordinal=played.ordinal if again else None)
        case "link", bool(ready):
            load, ordinal = (1, played.told) if ready else (None, None)
            played.do(RecordReader("mat-1", ready, load, ordinal), SECOND)
        case "wait", float(seconds):
            played.let_time_pass(seconds)
        case "rule", int(choice) if played.table.incidents:
            incident = played.table.incidents[0]
            ways = ways_out(played.table, incident, Role.SUPERVISOR)
            way = ways[choice % len(ways)]
            answer = played.try_do(ResolveIncident(incident.number, way, "procedure", "as ruled"), SUPERVISOR)
            assert isinstance(answer, Decided | Rejected)
        case "decide", str(action) if played.table.round is not None and played.table.round.question is not None:
            if not played.table.is_stopped:
                played.decide(action)
        case "commit", _:
            played.try_do(CommitResult(), DEALER)
        case _:
            pass
