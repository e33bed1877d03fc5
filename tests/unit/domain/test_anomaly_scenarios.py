"""One scenario for each kind of the catalogue: how it comes about, and that it can be put right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from support.camera_tables import CameraTable, a_camera_setup
from support.controlled_tables import controlled, ended, never_shown, playing, rest_of
from support.manual_entries import enter_by_hand
from support.tables import DEALER, READER, SUPERVISOR, PlayedTable, a_setup, whole_pack

from studio.domain.anomalies import CATALOGUE, AnomalyKind, Level, WayOut
from studio.domain.answers import Rejected
from studio.domain.commands import (
    CommitResult,
    Disagree,
    OpenBetting,
    OpenTable,
    PassDeadline,
    ReportBoxedCard,
    ReportConcern,
    ReportMisdeal,
    ResolveIncident,
    SignOff,
    Suspend,
)
from studio.domain.events import CauseCleared
from studio.domain.evolve import evolve
from studio.domain.incidents import ways_out
from studio.domain.people import SYSTEM, Role
from studio.domain.profile import RulingProfile
from studio.domain.record_commands import (
    RecordFault,
    RecordOverrun,
    RecordReader,
    RecordRestart,
    RecordRules,
    RecordWarning,
)
from studio.domain.shoe_commands import ReportForeignCard
from studio.domain.steps import dealer_step
from studio.domain.table import Incident, MisdealRecord, Table
from studio.domain.tiles import TILE_KINDS, Concern, Tile

K = AnomalyKind


def a_round(*seats: int) -> PlayedTable:
    return PlayedTable().ready().round(*(seats or (1,)))


def between_rounds() -> PlayedTable:
    return PlayedTable().ready()


def done(played: PlayedTable, *acts: Callable[[PlayedTable], object]) -> PlayedTable:
    for act in acts:
        act(played)
    return played


def by_warning(kind: AnomalyKind) -> Callable[[], PlayedTable]:
    return lambda: done(a_round(), lambda it: it.do(RecordWarning("shoe-1", kind, True, "x"), READER))


def by_tile(tile: Tile) -> Callable[[], PlayedTable]:
    return lambda: done(a_round(1, 2).cards("TC 9C"), lambda it: it.do(ReportMisdeal(tile), DEALER))


def unread_hole() -> PlayedTable:
    return done(a_round().cards("TC 9C 9D"), lambda it: it.no_read())


def eight_copies() -> PlayedTable:
    played = PlayedTable().open().load_shoe().cards("8S " + "8H " * 8).wait(10).round(1)
    return done(played, lambda it: it.card("8H"))


def empty_shoe_before_the_cut_card() -> PlayedTable:
    setup = a_setup(cut_position=415, profile=RulingProfile(cut_card_tolerance=0))
    return PlayedTable(setup).ready()


def camera_absent(times: int) -> PlayedTable:
    played = CameraTable().ready().round(1)
    for code, where in [("TC", "s1c1"), ("9C", "dc1"), ("9D", "s1c2")][:times]:
        played.dealt(code).seen(where, "occluded")
        played.let_time_pass(2)
    return played


def peek_left_out() -> PlayedTable:
    played = a_round().cards("TC KC 9D")
    current = played.table.open_round
    hands = tuple(hand._replace(acted=True) for hand in current.hands)
    played.table = played.table._replace(round=current._replace(hands=hands))
    return played.cards("5H")


def a_burst() -> PlayedTable:
    played = a_round(1, 2, 3).wait(10)
    for code in ("TC", "9C", "8D", "7H"):
        played.card(code)
        played.wait(0.02)
    return played


def many_entries() -> PlayedTable:
    played = PlayedTable(a_setup(profile=RulingProfile(manual_entries_per_hour=1))).ready().round(1, 2)
    return enter_by_hand(enter_by_hand(played, "TC"), "9C")


def camera(*cards: str, then: tuple[str, str], seats: tuple[int, ...] = (1, 2), wait: float = 0) -> PlayedTable:
    played = CameraTable().ready().round(*seats).dealt(*cards)
    played.seen(*then)
    return played.let_time_pass(wait)


def late_misscan() -> PlayedTable:
    played = CameraTable().ready().round(1, 2).dealt("TC@s1c1")
    played.seen("s2c2", "5H")
    return played.dealt("9C@s2c1").let_time_pass(1.6)


def overrun() -> PlayedTable:
    played = a_round()
    step = dealer_step(played.table)
    assert step is not None
    return done(played, lambda it: it.do(RecordOverrun(step, 1), SYSTEM))


def nobody_came() -> PlayedTable:
    played = done(a_round(), lambda it: it.do(Suspend("x"), SUPERVISOR)).wait(60)
    return done(played, lambda it: it.do(PassDeadline(), SYSTEM))


def new_rules() -> PlayedTable:
    return done(PlayedTable(), lambda it: it.do(OpenTable(rules="R-17"), SYSTEM))


def on_the_machine(
    kind: AnomalyKind, start: Callable[[], PlayedTable] = a_round, *, blocks: bool = False
) -> Callable[[], PlayedTable]:
    return lambda: done(start(), lambda it: it.do(RecordWarning("server", kind, True, "x", blocks), SYSTEM))


def two_packs() -> PlayedTable:
    return playing(controlled().verified("red-1", "red").verified("blue-1", "blue"))


def in_the_order_of_a_new_deck() -> PlayedTable:
    return controlled().verified("red-1", "red").load_shoe().cards("7D 8D 9D TD JD QD")


def in_order_during_a_round() -> PlayedTable:
    played = controlled().verified("red-1", "red").load_shoe().cards("AS 3H").wait(10).round(1)
    return played.cards("2S 3S 4S 5S").decide("hit").cards("6S").decide("hit").cards("7S")


def a_card_never_seen() -> PlayedTable:
    played = never_shown(playing(controlled().verified("red-1", "red")), "7H", "red-1")
    return played.round(1).cards("TS TD CUT 9S 8D").decide("stand").commit()


def a_short_pack() -> PlayedTable:
    played = controlled().register("red-1", "red").count(whole_pack(1)[1:], pack="red-1")
    return done(played, lambda it: it.sign(DEALER))


def a_shoe_that_does_not_add_up() -> PlayedTable:
    played = ended(two_packs())
    return done(played.count(rest_of(played, "red-1")[1:], pack="red-1"), lambda it: it.sign(DEALER))


def strange_backs() -> PlayedTable:
    return done(controlled().verified("red-1", "red"), lambda it: it.do(ReportForeignCard("blue backs"), DEALER))


def a_joker(played: PlayedTable) -> PlayedTable:
    return done(played, lambda it: it.do(ReportForeignCard("a joker"), DEALER))


def too_long_at_the_table() -> PlayedTable:
    played = PlayedTable(a_setup(profile=RulingProfile(rotation_minutes=30))).ready().wait(31 * 60)
    return done(played, lambda it: it.do(OpenBetting(), DEALER))


def a_card_while_nobody_is_signed_on() -> PlayedTable:
    return done(PlayedTable().ready(), lambda it: it.do(SignOff(), DEALER), lambda it: it.card("TS"))


def one_who_errs_more_than_the_others() -> PlayedTable:
    played = PlayedTable().ready()
    records = (MisdealRecord("dealer", "eva", 5000, 2), MisdealRecord("dealer", "dora", 9, 6))
    played.table = played.table._replace(duty=played.table.duty._replace(records=records))
    played.betting().bet(1).card("5C")  # one more of dora's: a card before its time
    played.resolve(WayOut.BURN)
    return played.close().cards("TS TD 9S 8D").decide("stand").commit()


SCENARIOS: dict[AnomalyKind, Callable[[], PlayedTable]] = {
    K.UNKNOWN_CODE: lambda: done(a_round(), lambda it: it.unknown()),
    K.NO_READ: lambda: done(a_round(), lambda it: it.no_read()),
    K.DUPLICATE_READ: lambda: done(a_round().cards("TC"), lambda it: it.wait(0.1).card("TC")),
    K.IMPOSSIBLE_COPY: eight_copies,
    K.CARD_BEFORE_TIME: lambda: PlayedTable().ready().betting().bet(1).cards("TC"),
    K.EXTRA_CARD: lambda: a_round().cards("TC 9C 6D TH 3C"),
    K.WRONG_BURN: lambda: PlayedTable().open().load_shoe().cards("AS 2C 3C"),
    K.CUT_CARD_MISSING: empty_shoe_before_the_cut_card,
    K.SCANNER_DOWN: lambda: done(a_round(), lambda it: it.do(RecordReader("shoe-1", False), READER)),
    K.CRASH_RECOVERY: lambda: done(a_round(), lambda it: it.do(RecordRestart(it.now.monotonic_ns), SYSTEM)),
    K.REVERSE_MOVEMENT: by_warning(K.REVERSE_MOVEMENT),
    K.WRONG_MODE: by_warning(K.WRONG_MODE),
    K.RESULT_MISMATCH: lambda: done(
        a_round().cards("TC 9C 9D TH").decide("stand"), lambda it: it.do(Disagree(), DEALER)
    ),
    K.SHOE_EMPTY: by_warning(K.SHOE_EMPTY),
    K.MISSCAN_LATE: late_misscan,
    K.READ_NOT_DEALT: lambda: CameraTable().ready().round(1).dealt("TC").let_time_pass(3.1),
    K.WRONG_POSITION: lambda: camera("TC", then=("s3c1", "TC"), seats=(1, 2, 3)),
    K.SKIPPED_DRAW: lambda: camera("TC@s1c1", "9C@s2c1", "5D", then=("s1c2", "5D")),
    K.DEALER_SHORT: lambda: done(
        a_round().cards("TC 9C 9D 2H").decide("stand"), lambda it: it.do(CommitResult(), DEALER)
    ),
    K.HOLE_EXPOSED: lambda: done(CameraTable().a_round(), lambda it: it.seen("dc2", "TH")),  # type: ignore[attr-defined]
    K.HOLE_UNREAD: unread_hole,
    K.PEEK_OMITTED: peek_left_out,
    K.BOXED_CARD: lambda: done(a_round(), lambda it: it.do(ReportBoxedCard(), DEALER)),
    K.TWO_CARDS: lambda: camera("TC", then=("s1c1", "two")),
    K.DAMAGED_CARD: by_tile(Tile.ON_FLOOR),
    K.SOURCE_DISAGREEMENT: lambda: camera("TC", then=("s1c1", "TS")),
    K.CAMERA_ABSENT: lambda: camera_absent(1),
    K.DISK_LOW: on_the_machine(K.DISK_LOW),
    K.COMMIT_FAILED: on_the_machine(K.COMMIT_FAILED),
    K.JOURNAL_BROKEN: on_the_machine(K.JOURNAL_BROKEN),
    K.CLOCK_JUMP: on_the_machine(K.CLOCK_JUMP),
    K.RECORDING_LOST: on_the_machine(K.RECORDING_LOST),
    K.CAMERA_DEGRADED: lambda: camera_absent(3),
    K.STALE_BURST: a_burst,
    K.PHASE_OVERRUN: overrun,
    K.SUPERVISOR_ABSENT: nobody_came,
    K.EARLY_COLLECT: lambda: done(CameraTable().a_round(), lambda it: it.seen("s1c2", "cleared")),  # type: ignore[attr-defined]
    K.RULES_MISMATCH: lambda: done(a_round(), lambda it: it.do(RecordRules("00" * 32, "00" * 32), SYSTEM)),
    K.RULES_CHANGED: new_rules,
    K.MANUAL_ABUSE: many_entries,
    K.DEALER_REPORT: by_tile(Tile.OTHER),
    K.CUT_CARD_POSITION: lambda: a_round().cards("CUT"),
    K.FOREIGN_CARD: lambda: a_joker(two_packs().round(1)),
    K.ORDER_NOT_RANDOM: in_order_during_a_round,
    K.MISSING_CARD_SUSPECTED: a_card_never_seen,
    K.SHOE_UNVERIFIED: a_short_pack,
    K.SHOE_COUNT: a_shoe_that_does_not_add_up,
    K.DEALER_UNFIT: too_long_at_the_table,
    K.MISDEAL_RATE: one_who_errs_more_than_the_others,
    K.PLAYER_CONCERN: lambda: done(a_round(), lambda it: it.do(ReportConcern(Concern.AT_RISK, 1), DEALER)),
    K.SUPERVISOR_STOP: lambda: done(a_round(), lambda it: it.do(Suspend("x"), SUPERVISOR)),
    K.INTERNAL_FAULT: lambda: done(a_round(), lambda it: it.do(RecordFault("x"), SYSTEM)),
}

ELSEWHERE: list[tuple[AnomalyKind, Callable[[], PlayedTable]]] = [
    (K.IMPOSSIBLE_COPY, lambda: two_packs().round(1).cards("AS")),
    (K.DISK_LOW, on_the_machine(K.DISK_LOW, between_rounds)),
    (K.COMMIT_FAILED, on_the_machine(K.COMMIT_FAILED, between_rounds)),
    (K.JOURNAL_BROKEN, on_the_machine(K.JOURNAL_BROKEN, between_rounds)),
    (K.CLOCK_JUMP, on_the_machine(K.CLOCK_JUMP, blocks=True)),
    (K.CLOCK_JUMP, on_the_machine(K.CLOCK_JUMP, between_rounds, blocks=True)),
    (K.RECORDING_LOST, on_the_machine(K.RECORDING_LOST, between_rounds)),
    (K.CUT_CARD_POSITION, lambda: PlayedTable().open().load_shoe().cards("CUT")),
    (K.FOREIGN_CARD, lambda: a_joker(two_packs())),
    (K.FOREIGN_CARD, lambda: a_joker(a_round())),
    (K.ORDER_NOT_RANDOM, in_the_order_of_a_new_deck),
    (K.SHOE_UNVERIFIED, strange_backs),
    (K.DEALER_UNFIT, a_card_while_nobody_is_signed_on),
]
"""The same kinds at another moment, where other ways out are possible."""


def test_every_kind_has_its_scenario() -> None:
    assert set(SCENARIOS) == set(AnomalyKind)


@pytest.mark.parametrize("kind", AnomalyKind)
def test_it_is_detected_at_its_level_and_says_what_happened_and_what_to_do(kind: AnomalyKind) -> None:
    played = SCENARIOS[kind]()
    incident = played.table.find_incident(kind)
    assert incident is not None
    # The dealer's own report always suspends; everything else comes at its catalogue level.
    assert incident.level in {CATALOGUE[kind].level, Level.SUSPEND if incident.tile else CATALOGUE[kind].level}
    assert CATALOGUE[kind].cause
    assert len(CATALOGUE[kind].next_step.split()) <= 10
    assert played.table.is_stopped == any(one.level is not Level.WARN for one in played.table.incidents)


def can_be_ended(table: Table, incident: Incident) -> bool:
    """Tell whether a supervisor has a way out; for a condition that is still there, once its cause is gone."""
    rule = CATALOGUE[incident.kind]
    if rule.latches and not incident.cleared:
        if rule.heals:
            return True
        table = evolve(table, CauseCleared(incident.number))
    found = table.incident(incident.number)
    return found is not None and bool(ways_out(table, found, Role.SUPERVISOR))


@pytest.mark.parametrize(("kind", "scenario"), [*SCENARIOS.items(), *ELSEWHERE])
def test_no_way_out_leads_to_a_state_without_a_way_out(
    kind: AnomalyKind, scenario: Callable[[], PlayedTable]
) -> None:
    start = scenario()
    incident = start.table.find_incident(kind)
    assert incident is not None
    assert can_be_ended(start.table, incident)
    for role, actor in ((Role.SUPERVISOR, SUPERVISOR), (Role.DEALER, DEALER)):
        for way in ways_out(start.table, incident, role):
            played = scenario()
            answer = played.try_do(ResolveIncident(incident.number, way, "procedure", "as ruled"), actor)
            if isinstance(answer, Rejected):
                # It wants to know which card, place or seat.
                assert answer.code in {"wrong-changes", "unknown-draw", "not-signed-on", "no-such-hand"}, way
            for open_still in played.table.incidents:
                assert can_be_ended(played.table, open_still), (way, open_still)


@pytest.mark.parametrize("tile", Tile)
def test_d14_each_tile_of_the_misdeal_helper_suspends_and_calls_the_supervisor(tile: Tile) -> None:
    played = a_round(1, 2).cards("TC 9C")
    played.do(ReportMisdeal(tile, 2), DEALER)
    assert played.kinds() == [TILE_KINDS[tile]]
    assert played.table.is_suspended
    assert played.table.call is not None
    assert ways_out(played.table, played.table.incidents[0], Role.DEALER) == ()
    assert "seat 2" in played.table.incidents[0].detail


def test_d14_the_tile_exposed_says_of_a_held_card_that_it_was_seen() -> None:
    played = PlayedTable().ready().betting().bet(1).cards("TC")
    assert WayOut.USE_NEXT in ways_out(played.table, played.table.incidents[0], Role.SUPERVISOR)
    played.do(ReportMisdeal(Tile.EXPOSED), DEALER)
    assert len(played.table.incidents) == 1
    assert {*ways_out(played.table, played.table.incidents[0], Role.SUPERVISOR)} == {WayOut.BURN, WayOut.VOID}


def test_c23_a_cut_card_that_was_dealt_makes_this_round_the_last() -> None:
    played = by_tile(Tile.CUT_CARD)()
    played.resolve(WayOut.LAST_ROUND)
    assert played.table.shoe is not None
    assert played.table.shoe.last_round == played.table.rounds


def test_c13_dealer_short_lets_the_dealer_draw_and_the_result_waits() -> None:
    played = SCENARIOS[K.DEALER_SHORT]()
    assert played.table.results is None
    played.resolve(WayOut.DRAW_NOW, DEALER)
    played.cards("8S").commit()
    assert played.table.results is not None


def test_a_second_replaced_card_ends_the_shoe_as_quarantined() -> None:
    setup = a_setup(profile=replace(a_setup().profile, flawed_card=type(a_setup().profile.flawed_card).SUBSTITUTE))
    played = PlayedTable(setup).ready().round(1).cards("TC")
    for _ in range(2):
        played.do(ReportMisdeal(Tile.ON_FLOOR), DEALER)
        played.resolve(WayOut.SUBSTITUTE)
    played.cards("9C 9D TH").decide("stand").commit()
    assert played.table.shoe is None


def test_a_camera_setup_is_what_these_tables_need() -> None:
    assert a_camera_setup().camera is not None
