"""A second reader at the same shoe: two witnesses of one card, absent told apart from different (anomalies.md)."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.camera_tables import a_camera_setup
from support.second_reader_tables import SECOND, SecondReaderTable, a_second_reader_setup
from support.tables import DEALER, SUPERVISOR, a_setup

from studio.adapters.variants import load_variant
from studio.domain.anomalies import AnomalyKind, Level, WayOut
from studio.domain.cards import parse_card
from studio.domain.commands import CommitResult, OpenBetting, ResolveIncident
from studio.domain.decide import next_alarm_ns
from studio.domain.events import (
    CardDealt,
    CardWitnessed,
    FeltCardScanned,
    RoundSettled,
    SingleSourceEnded,
    hides_card,
)
from studio.domain.incidents import ways_out
from studio.domain.people import SYSTEM, Role
from studio.domain.player_projection import player_view
from studio.domain.projections import dealer_view, supervisor_view, table_view
from studio.domain.record_commands import RecordReader, RecordRestart, RecordSighting, RecordWarning
from studio.domain.setup import SecondReaderSetup
from studio.domain.sightings import CardRead, Sighting, SightingId
from studio.domain.witness import Seen, Verdict

MS = 1_000_000
AGREED, ABSENT, DIFFERENT = Verdict.AGREED, Verdict.ABSENT, Verdict.DIFFERENT


def levels(played: SecondReaderTable) -> list[tuple[AnomalyKind, Level]]:
    return [(one.kind, one.level) for one in played.table.incidents]


def in_round(played: SecondReaderTable) -> list[Verdict | None]:
    """Return what was made of the cards after the two burned ones."""
    made = played.verdicts()
    return [made.get(draw) for draw in range(3, played.ordinal + 1)]


# One card, two witnesses


def test_each_card_is_confirmed_the_burned_and_the_hidden_ones_too() -> None:
    played = SecondReaderTable().ready().round(1).both("TC", "9C", "9D", "TH")
    assert played.verdicts() == dict.fromkeys(range(1, 7), AGREED)
    assert not played.kinds()
    assert played.table.witness.covered == 6


@pytest.mark.parametrize("offset_ms", [-500, -300, 0, 300, 500])
def test_either_reader_may_speak_first_up_to_half_a_second(offset_ms: int) -> None:
    played = SecondReaderTable().ready().round(1)
    start_ns = played.now.monotonic_ns + 1_000 * MS
    for at_ns, by_second in sorted([(start_ns, False), (start_ns + offset_ms * MS, True)]):
        played.turn_to(at_ns)
        if by_second:
            played.heard("TC")
        else:
            played.card("TC")
    played.let_time_pass(2)
    assert in_round(played) == [AGREED]
    assert not played.kinds()


@pytest.mark.parametrize("second_first", [False, True])
def test_natural_repeats_pair_one_to_one(*, second_first: bool) -> None:
    """Two eights of spades, one right after the other, are two cards with two witnesses each."""
    played = SecondReaderTable().ready().round(1, 2)
    for _ in range(2):
        played.wait(0.6)
        for say in (played.heard, played.card) if second_first else (played.card, played.heard):
            say("8S")
            played.wait(0.05)
    played.let_time_pass(2)
    assert in_round(played) == [AGREED, AGREED]
    assert [event.card.code for event in played.events if isinstance(event, CardDealt)] == ["8S", "8S"]
    assert not played.kinds()


def test_a_repeat_that_only_one_reader_told_is_absent_once_and_agreed_once() -> None:
    played = SecondReaderTable().ready().round(1, 2).both("8S", "8S/-")
    played.let_time_pass(2)
    assert in_round(played) == [AGREED, ABSENT]


def test_a_card_that_the_second_reader_reads_twice_in_a_row_is_no_second_card() -> None:
    played = SecondReaderTable().ready().round(1).both("TC")
    played.wait(0.1).heard("TC")
    played.let_time_pass(3)
    assert not played.kinds()
    played.both("9C")
    assert in_round(played) == [AGREED, AGREED]


def test_a_repetition_that_the_driver_suspects_confirms_a_natural_repeat_and_asks_for_no_other() -> None:
    played = SecondReaderTable().ready().round(1, 2)
    for repeated in (False, True):
        played.wait(1).card("8S")
        played.heard("8S", repeated=repeated)
    played.wait(1).heard("8S", repeated=True)
    played.let_time_pass(3)
    assert in_round(played) == [AGREED, AGREED]
    assert not played.kinds()


# Absent is not different


def test_a_card_without_a_second_reading_is_a_warning_and_not_covered() -> None:
    played = SecondReaderTable().ready().round(1).both("TC/-")
    assert in_round(played) == [None]
    played.let_time_pass(0.8)
    assert in_round(played) == [ABSENT]
    assert levels(played) == [(AnomalyKind.CAMERA_ABSENT, Level.WARN)]
    assert (played.table.witness.covered, played.table.witness.judged) == (2, 3)
    assert not played.table.is_stopped


def test_a_card_that_the_second_reader_could_not_read_is_absent_too() -> None:
    played = SecondReaderTable().ready().round(1).both("TC/?")
    played.let_time_pass(2)
    assert in_round(played) == [ABSENT]
    assert "could not read" in played.table.incidents[0].detail
    played.both("9C")
    assert in_round(played) == [ABSENT, AGREED]


def test_a_card_that_the_driver_of_the_second_reader_doubts_is_no_other_card() -> None:
    played = SecondReaderTable().ready().round(1)
    played.wait(1).card("TC")
    played.heard("9D", suspect=True)
    played.let_time_pass(2)
    assert in_round(played) == [ABSENT]


def test_another_card_holds_the_table_and_the_supervisor_chooses() -> None:
    played = SecondReaderTable().ready().round(1).both("TC/9D")
    assert not played.kinds()
    played.let_time_pass(1)
    assert levels(played) == [(AnomalyKind.SOURCE_DISAGREEMENT, Level.HOLD)]
    incident = played.table.incidents[0]
    assert incident.draw == played.ordinal
    assert not any(code in incident.detail for code in ("TC", "9D"))
    assert ways_out(played.table, incident, Role.DEALER) == ()
    assert {*ways_out(played.table, incident, Role.SUPERVISOR)} == {WayOut.KEEP_SCAN, WayOut.CORRECT, WayOut.VOID}
    played.resolve(WayOut.KEEP_SCAN)
    played.both("9C")
    assert in_round(played) == [DIFFERENT, AGREED]
    assert not played.kinds()


def test_a_burned_card_that_differs_holds_the_table_between_rounds_too() -> None:
    played = SecondReaderTable().open().load_shoe().both("AS", "2C/3C")
    played.let_time_pass(1)
    assert levels(played) == [(AnomalyKind.SOURCE_DISAGREEMENT, Level.HOLD)]
    assert WayOut.KEEP_SCAN in ways_out(played.table, played.table.incidents[0], Role.SUPERVISOR)
    played.resolve(WayOut.KEEP_SCAN)
    played.betting()


def test_three_absent_cards_in_a_row_let_no_further_round_begin_until_a_supervisor_accepts_one_source() -> None:
    played = SecondReaderTable().ready().round(1).both("TC/-", "9C/-", "9D/-", "TH").decide("stand")
    assert AnomalyKind.CAMERA_DEGRADED in played.kinds()
    played.let_time_pass(1)
    played.commit()
    assert played.refused(OpenBetting(), DEALER) == "table-stopped"
    degraded = played.table.find_incident(AnomalyKind.CAMERA_DEGRADED)
    assert degraded is not None
    played.do(ResolveIncident(degraded.number, WayOut.ACCEPT, "procedure", "accepted"), SUPERVISOR)
    played.resolve(WayOut.ACKNOWLEDGE)
    played.round(1).both("TC/-", "9C/-", "9D/-", "TH/-")
    played.let_time_pass(1)
    assert not played.kinds()
    assert in_round(played)[-4:] == [ABSENT] * 4


def test_while_one_source_is_accepted_another_card_still_holds_and_agreement_ends_that_time() -> None:
    setup = a_second_reader_setup(absent_in_a_row=1, agreed_in_a_row=2)
    played = SecondReaderTable(setup).ready().round(1, 2).both("TC/-")
    played.let_time_pass(1)
    degraded = played.table.find_incident(AnomalyKind.CAMERA_DEGRADED)
    assert degraded is not None
    played.do(ResolveIncident(degraded.number, WayOut.ACCEPT, "procedure", "accepted"), SUPERVISOR)
    played.both("9C/5D")
    played.let_time_pass(1)
    assert AnomalyKind.SOURCE_DISAGREEMENT in played.kinds()
    disagreement = played.table.find_incident(AnomalyKind.SOURCE_DISAGREEMENT)
    assert disagreement is not None
    played.do(ResolveIncident(disagreement.number, WayOut.KEEP_SCAN, "procedure", "seen"), SUPERVISOR)
    played.both("9D", "TH")
    assert SingleSourceEnded(2) in played.events


# Cards that the table's reader missed


def test_a_card_that_only_the_second_reader_told_holds_the_table_and_the_next_one_read_is_it() -> None:
    played = SecondReaderTable().ready().round(1).both("-/TC")
    played.let_time_pass(0.7)
    assert not played.kinds()
    played.let_time_pass(0.1)
    assert levels(played) == [(AnomalyKind.NO_READ, Level.HOLD)]
    assert "TC" not in played.table.incidents[0].detail
    played.both("TC")
    assert not played.kinds()
    assert in_round(played) == [AGREED]
    played.both("9C", "9D", "TH")
    played.let_time_pass(2)
    assert in_round(played) == [AGREED] * 4
    assert not played.kinds()


def test_a_missed_card_that_is_passed_over_the_tables_reader_alone_is_confirmed_by_what_was_read_before() -> None:
    played = SecondReaderTable().ready().round(1).both("-/TC")
    played.let_time_pass(5)
    played.both("TC/-")
    assert in_round(played) == [AGREED]
    assert not played.kinds()


def test_another_card_instead_of_the_missed_one_stops_the_table_again() -> None:
    """C07: the missed card lies before the one that was read now."""
    played = SecondReaderTable().ready().round(1).both("-/TC")
    played.let_time_pass(2)
    played.both("9C")
    played.let_time_pass(1)
    assert levels(played) == [(AnomalyKind.MISSCAN_LATE, Level.SUSPEND)]
    assert WayOut.VOID in ways_out(played.table, played.table.incidents[0], Role.SUPERVISOR)
    played.resolve(WayOut.VOID)
    played.let_time_pass(5)
    assert not played.kinds()


def test_c07_a_missed_card_with_another_after_it_suspends_the_table() -> None:
    setup = a_second_reader_setup(deadline_ms=1500)
    played = SecondReaderTable(setup).ready().round(1, 2).both("TC", "-/9C", "9D")
    played.let_time_pass(2)
    assert levels(played) == [(AnomalyKind.MISSCAN_LATE, Level.SUSPEND)]
    assert WayOut.RESCAN not in ways_out(played.table, played.table.incidents[0], Role.SUPERVISOR)


def test_a_person_who_says_that_no_card_was_missed_ends_it() -> None:
    played = SecondReaderTable().ready().round(1).both("-/TC")
    played.let_time_pass(2)
    played.resolve(WayOut.LAID)
    played.let_time_pass(5)
    assert not played.kinds()
    played.both("9C")
    assert in_round(played) == [AGREED]


def test_a_card_that_came_out_between_rounds_unread_holds_the_table_and_there_is_a_way_out() -> None:
    played = SecondReaderTable().ready().both("-/TC")
    played.let_time_pass(1)
    assert levels(played) == [(AnomalyKind.NO_READ, Level.HOLD)]
    played.resolve(WayOut.LAID)
    played.let_time_pass(2)
    played.betting()


# Cards that are passed again


@pytest.mark.parametrize("again", ["TC", "TC/-"])
@pytest.mark.parametrize("first", ["TC", "?", "-"])
def test_an_unread_card_has_one_verdict_however_often_it_is_passed(first: str, again: str) -> None:
    played = SecondReaderTable().ready().round(1).wait(1)
    played.no_read()
    if first != "-":
        played.wait(0.1).heard(first)
    for _ in range(2):
        played.wait(2).no_read(ordinal=played.ordinal)
        if first != "-":
            played.wait(0.1).heard(first)
    played.wait(2).card("TC", ordinal=played.ordinal)
    if again == "TC":
        played.wait(0.1).heard("TC")
    played.let_time_pass(3)
    confirmed = "TC" in {first, again.partition("/")[2] or "TC"} if again == "TC" else first == "TC"
    assert in_round(played) == [AGREED if confirmed else ABSENT]
    assert set(played.kinds()) <= {AnomalyKind.CAMERA_ABSENT}
    played.both("9C")
    assert in_round(played)[-1] is AGREED


def test_an_unread_card_that_is_read_at_last_as_another_one_than_the_second_reader_told_holds_the_table() -> None:
    played = SecondReaderTable().ready().round(1).wait(1)
    played.no_read()
    played.heard("TC")
    played.wait(2).card("TS", ordinal=played.ordinal)
    played.let_time_pass(1)
    assert played.kinds() == [AnomalyKind.SOURCE_DISAGREEMENT]


def test_an_unread_card_that_is_discarded_leaves_nothing_to_compare() -> None:
    played = SecondReaderTable().ready().round(1).wait(1)
    played.no_read()
    played.heard("TC")
    played.wait(2).no_read(ordinal=played.ordinal)
    played.heard("TC")
    played.resolve(WayOut.DISCARD)
    played.let_time_pass(3)
    assert not played.kinds()
    played.both("9C")
    assert played.verdicts()[played.ordinal] is AGREED


def test_a_held_card_is_compared_when_it_comes_and_not_again_when_it_is_dealt() -> None:
    played = SecondReaderTable().ready().betting()
    played.bet(1).both("TC")
    assert played.kinds() == [AnomalyKind.CARD_BEFORE_TIME]
    played.let_time_pass(20)
    played.resolve(WayOut.USE_NEXT)
    assert in_round(played) == [AGREED]
    played.close()
    played.let_time_pass(3)
    assert in_round(played) == [AGREED]
    assert not played.kinds()


def test_a_reading_that_was_the_same_card_twice_is_compared_once() -> None:
    played = SecondReaderTable().ready().round(1).both("TC")
    played.card("TC")
    assert played.kinds() == [AnomalyKind.DUPLICATE_READ]
    played.resolve(WayOut.MARK_DUPLICATE)
    played.let_time_pass(3)
    assert not played.kinds()
    assert played.verdicts() == {1: AGREED, 2: AGREED, 3: AGREED}


@pytest.mark.parametrize("order", [("?", "CUT!"), ("CUT!", "?")])
def test_the_cut_card_is_no_card_of_the_second_reader_either(order: tuple[str, str]) -> None:
    played = SecondReaderTable().ready().round(1).wait(1)
    for what in order:
        played.wait(0.1)
        if what == "?":
            played.heard("?")
        else:
            played.card("CUT")
    played.let_time_pass(3)
    assert AnomalyKind.NO_READ not in played.kinds()
    assert not played.table.is_stopped


def test_a_card_that_nobody_draws_is_not_asked_for() -> None:
    """Between shoes packs are counted and looked at."""
    played = SecondReaderTable().open()
    assert played.heard("TC") == ()
    played.load_shoe().both("AS", "2C").wait(10)
    assert played.verdicts() == {1: AGREED, 2: AGREED}


def test_a_card_of_another_load_is_compared_like_any_other() -> None:
    played = SecondReaderTable().ready()
    played.load = 2
    played.both("TC")
    assert played.kinds() == [AnomalyKind.CARD_BEFORE_TIME]
    played.resolve(WayOut.BURN)
    played.let_time_pass(3)
    assert not played.kinds()


def test_a_card_before_any_shoe_is_not_missed_by_a_reader_that_was_not_listened_to() -> None:
    played = SecondReaderTable().open().both("TC")
    assert played.kinds() == [AnomalyKind.CARD_BEFORE_TIME]
    played.resolve(WayOut.CHANGE_SHOE)
    played.let_time_pass(3)
    assert not played.kinds()
    assert played.verdicts() == {}


@pytest.mark.parametrize(("by_second", "kind"), [(False, AnomalyKind.CAMERA_ABSENT), (True, AnomalyKind.NO_READ)])
def test_after_a_reboot_nothing_waits_for_a_moment_of_the_clock_before_it(
    *, by_second: bool, kind: AnomalyKind
) -> None:
    """A monotonic clock begins anew with the machine: what waited then has had its time."""
    played = SecondReaderTable().ready().round(1).wait(1)
    if by_second:
        played.heard("TC")
    else:
        played.card("TC")
    played.do(RecordRestart(played.now.monotonic_ns), SYSTEM)
    played.now = replace(played.now, monotonic_ns=60_000 * MS)
    played.do(RecordReader("shoe-1", True, played.load, played.ordinal), SECOND)
    played.resolve(WayOut.GO_ON)
    assert played.kinds() == [kind]


def test_what_the_second_reader_reads_while_the_felt_is_read_again_is_no_card_of_it() -> None:
    """C07: every card of the round passes the reader again, and the second one beside it."""
    setup = a_second_reader_setup(deadline_ms=1500)
    played = SecondReaderTable(setup).ready().round(1, 2).both("TC", "-/9C", "9D")
    played.let_time_pass(2)
    played.resolve(WayOut.REBUILD)
    for code in ("TC", "9D"):
        assert played.wait(1).heard(code) == ()
        played.card(code)
    scanned = [event.card.code for event in played.events if isinstance(event, FeltCardScanned)]
    assert scanned == ["TC", "9D"]
    assert AnomalyKind.MISSCAN_LATE not in played.kinds()


def test_what_waited_at_the_end_of_a_shoe_waits_no_longer() -> None:
    played = SecondReaderTable().ready().wait(1)
    played.no_read()
    played.heard("TC")
    played.wait(2).heard("9D")
    played.resolve(WayOut.CHANGE_SHOE)
    assert played.table.shoe is None
    played.load_shoe()
    played.let_time_pass(3)
    assert not played.kinds()


# The result


def test_the_settlement_waits_for_the_last_cards_second_reading_up_to_the_deadline() -> None:
    played = SecondReaderTable().ready().round(1).both("5C", "9C", "5D", "TH").decide("hit")
    played.wait(1).card("TS")
    played.decide("stand") if played.table.open_round.question else None
    played.do(CommitResult(), DEALER)
    assert not any(isinstance(event, RoundSettled) for event in played.events)
    played.let_time_pass(1)
    assert any(isinstance(event, RoundSettled) for event in played.events)
    assert played.verdicts()[played.ordinal] is ABSENT


# Secrecy


def test_what_the_second_reader_says_of_a_card_is_sealed_in_the_journal() -> None:
    played = SecondReaderTable().ready().round(1).both("TC", "9C", "9D", "TH")
    heard = [event for event in played.events if isinstance(event, CardWitnessed)]
    assert len(heard) == 6
    assert all(hides_card(event) and event.slot is None and event.seen is Seen.READ for event in heard)


# What else the second reader says


def test_its_link_is_its_own_and_says_nothing_of_the_tables_reader() -> None:
    played = SecondReaderTable().ready().round(1)
    played.do(RecordReader("mat-1", False, reason="unplugged"), SECOND)
    assert played.table.reader.ready
    assert not played.kinds()
    played.both("TC")
    played.let_time_pass(1)
    assert in_round(played) == [ABSENT]
    assert "not connected" in played.table.incidents[0].detail


def test_its_jams_and_lids_stop_nothing() -> None:
    played = SecondReaderTable().ready().round(1)
    played.do(RecordWarning("mat-1", AnomalyKind.WRONG_MODE, True, "A card is jammed"), SECOND)
    played.do(RecordWarning("mat-1", AnomalyKind.SHOE_EMPTY, True, "The shoe is empty"), SECOND)
    assert not played.kinds()


def test_what_it_told_before_is_no_news() -> None:
    played = SecondReaderTable().ready().round(1).both("TC")
    played.heard("TC", ordinal=played.told)
    played.heard("AS", ordinal=1)
    played.let_time_pass(3)
    assert not played.kinds()


def test_after_a_restart_it_is_listened_to_once_it_is_in_step_again() -> None:
    played = SecondReaderTable().ready()
    played.do(RecordRestart(played.now.monotonic_ns), SYSTEM)
    assert not played.table.witness.ready
    played.heard("TC")
    played.do(RecordReader("shoe-1", True, played.load, played.ordinal), SECOND)
    played.do(RecordReader("mat-1", True, 1, played.told), SECOND)
    played.let_time_pass(3)
    assert not played.kinds()
    played.round(1).both("TC")
    assert in_round(played) == [AGREED]


def test_a_reader_that_begins_to_count_anew_is_listened_to() -> None:
    played = SecondReaderTable().ready()
    played.do(RecordReader("mat-1", False, reason="unplugged"), SECOND)
    played.do(RecordReader("mat-1", True, 1, 0), SECOND)
    played.told = 0
    played.round(1).both("TC")
    assert in_round(played) == [AGREED]


def test_cards_that_the_tables_reader_tells_late_are_paired_in_their_order() -> None:
    """hardware.md: after a lost link a reader tells again what it read meanwhile, at another time."""
    played = SecondReaderTable().ready().round(1)
    played.do(RecordReader("shoe-1", False, reason="unplugged"), SECOND)
    for code in ("TC", "9C"):
        played.wait(1).heard(code)
    played.wait(5)
    for code in ("TC", "9C"):
        played.card(code)
    played.do(RecordReader("shoe-1", True, 1, played.ordinal), SECOND)
    played.resolve(WayOut.GO_ON)
    played.let_time_pass(2)
    assert in_round(played) == [AGREED, AGREED]
    assert not played.kinds()


def test_a_device_that_is_not_the_tables_says_nothing() -> None:
    played = SecondReaderTable().ready().round(1)
    sighting = Sighting(SightingId("mat-9", 1, 1), CardRead(parse_card("TC")), played.now.monotonic_ns)
    assert played.do(RecordSighting(sighting), SECOND) == ()


# The set-up


def test_a_table_has_one_second_witness() -> None:
    with pytest.raises(ValueError, match="one second witness"):
        a_second_reader_setup(a_camera_setup())


def test_a_virtual_shoe_has_no_second_reader() -> None:
    with pytest.raises(ValueError, match="virtual shoe"):
        a_second_reader_setup(a_setup(load_variant("european")))


def test_a_deadline_under_the_offset_is_refused() -> None:
    with pytest.raises(ValueError, match="deadline_ms"):
        SecondReaderSetup("mat-1", offset_ms=500, deadline_ms=499)


# Any sequence, any offsets


class Dealt(NamedTuple):
    """A card: when it comes after the one before, what the second reader makes of it, and how much later."""

    code: str
    gap_ms: int
    second: str
    offset_ms: int


CODES = st.sampled_from(["8S", "8S", "8H", "5D"])
"""Natural repeats are frequent."""
OFFSETS = st.integers(-500, 500)
SECONDS = st.sampled_from(["same", "same", "none", "?", "KD"])
APART = st.builds(Dealt, CODES, st.integers(1301, 2500), SECONDS, OFFSETS)
"""So far apart that no reading could be another card's."""
FAST = st.builds(Dealt, CODES, st.integers(350, 900), st.just("same"), OFFSETS)
MADE = {"same": AGREED, "none": ABSENT, "?": ABSENT, "KD": DIFFERENT}


def deal(
    cards: list[Dealt], seats: int, hidden: str = "2C", hole: str | None = None
) -> tuple[SecondReaderTable, list[object]]:
    """Deal the first cards of a round; return the table and every view of it, as often as it changed."""
    setup = a_second_reader_setup(absent_in_a_row=99)
    played = SecondReaderTable(setup).ready(f"AS {hidden}").round(*range(1, seats + 1))
    cards = cards[: 2 * seats + 2]
    if hole is not None and len(cards) == 2 * seats + 2:
        cards = [*cards[:-1], cards[-1]._replace(code=hole)]
    moments: list[tuple[int, int, str]] = []
    at_ms = 600
    for card in cards:
        at_ms += card.gap_ms
        moments.append((at_ms, 0, card.code))
        if card.second != "none":
            moments.append((at_ms + card.offset_ms, 1, card.code if card.second == "same" else card.second))
    start_ns = played.now.monotonic_ns
    seen: list[object] = []
    for ms, by_second, what in sorted(moments, key=lambda one: one[0]):
        _rule_until(played, start_ns + ms * MS)
        if by_second:
            played.heard(what)
        else:
            played.card(what)
        seen.append(_views(played))
    _rule_until(played, played.now.monotonic_ns + 2_000 * MS)
    return played, [*seen, _views(played)]


def _rule_until(played: SecondReaderTable, end_ns: int) -> None:
    """Turn the clock on; a supervisor keeps the reader's card wherever the second reader differs."""
    while played.now.monotonic_ns < end_ns:
        due_ns = next_alarm_ns(played.table)
        played.turn_to(end_ns if due_ns is None else min(end_ns, due_ns))
        if (different := played.table.find_incident(AnomalyKind.SOURCE_DISAGREEMENT)) is not None:
            played.do(ResolveIncident(different.number, WayOut.KEEP_SCAN, "procedure", "seen"), SUPERVISOR)
    assert not played.table.is_stopped, played.table.incidents


def _views(played: SecondReaderTable) -> object:
    table, now = played.table, played.now
    return [
        asdict(table_view(table, now)),
        asdict(dealer_view(table, now, "2024-01-01")),
        asdict(supervisor_view(table, now, "2024-01-01")),
        asdict(player_view(table, "P1", 10_000, now)),
    ]


@settings(max_examples=40)
@given(st.lists(APART, min_size=2, max_size=8), st.integers(1, 3))
def test_any_offsets_any_missing_any_different_are_judged_as_they_were(cards: list[Dealt], seats: int) -> None:
    played, _ = deal(cards, seats)
    dealt = cards[: 2 * seats + 2]
    events = [event for event in played.events if isinstance(event, CardDealt)]
    assert [event.card.code for event in events] == [card.code for card in dealt]
    assert [event.draw for event in events] == list(range(3, 3 + len(dealt)))
    assert all(event.sighting.device == "shoe-1" for event in events)
    assert in_round(played) == [MADE[card.second] for card in dealt]
    assert played.table.witness.pairing.passes == ()
    assert played.table.witness.judged == len(dealt) + 2


@settings(max_examples=40)
@given(st.lists(FAST, min_size=2, max_size=8), st.integers(1, 3))
def test_where_both_read_every_card_no_pace_and_no_offset_alarms(cards: list[Dealt], seats: int) -> None:
    played, _ = deal(cards, seats)
    assert {*played.verdicts().values()} == {AGREED}
    assert not played.kinds()


@settings(max_examples=20)
@given(st.lists(APART, min_size=4, max_size=8), st.integers(1, 3))
def test_no_view_tells_a_hidden_card_by_what_the_second_reader_says(cards: list[Dealt], seats: int) -> None:
    """system.md principle 7: with another burned and another hole card everybody is shown the same."""
    _, shown = deal(cards, seats)
    _, otherwise = deal(cards, seats, hidden="7C", hole="6D")
    assert shown == otherwise
