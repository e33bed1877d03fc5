"""Dealers and shifts: roster, relief, the burns that go with it, errors above the peers' (C22, C32 to C34)."""

from __future__ import annotations

import pytest
from support.tables import DEALER, SECOND, SUPERVISOR, PlayedTable, a_setup

from studio.domain.anomalies import AnomalyKind, Level, WayOut
from studio.domain.commands import OpenBetting, SignOff, SignOn, Suspend
from studio.domain.error_rates import outlier
from studio.domain.events import (
    BurnOrdered,
    CardBurned,
    CardDealt,
    CardHeld,
    CardUnread,
    DealerSignedOff,
    DealerSignedOn,
    IncidentResolved,
)
from studio.domain.incidents import ways_out
from studio.domain.instants import Instant, iso_date
from studio.domain.instructions import instruction, primary_button
from studio.domain.people import Actor, Role
from studio.domain.profile import BurnOn, RulingProfile
from studio.domain.projections import dealer_view
from studio.domain.table import MisdealRecord

ELSE = Actor("eva", "Eva", Role.DEALER)
FOREVER = SignOn("2099-12-31", licence_valid=True)
MINUTE = 60


def a_table(burn_on: BurnOn = BurnOn.SHUFFLE, rotation_minutes: int = 30) -> PlayedTable:
    return PlayedTable(a_setup(profile=RulingProfile(rotation_minutes=rotation_minutes, burn_on=burn_on))).ready()


def relieve(table: PlayedTable) -> PlayedTable:
    table.do(SignOff(), DEALER)
    table.do(FOREVER, ELSE)
    return table


def a_round(table: PlayedTable, cards: str = "TS TD 9S 8D", dealer: Actor = DEALER) -> PlayedTable:
    """One seat stands on its first two cards."""
    table.do(OpenBetting(), dealer)
    table.bet(1)
    table.time_out()
    table.cards(cards).decide("stand")
    return table


# Sign-on


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (SignOn("2020-01-01", licence_valid=False), "licence-expired"),
        (SignOn("2099-12-31", licence_valid=True, games=("infinite",)), "game-not-allowed"),
        (SignOn("2099-12-31", licence_valid=True, elsewhere="t2"), "signed-on-elsewhere"),
    ],
)
def test_the_roster_is_asked_at_the_sign_on(command: SignOn, code: str) -> None:
    """C33: licence, certificate for the game, and one table at a time."""
    assert PlayedTable().open().refused(command, ELSE) == code
    assert PlayedTable().open().refused(FOREVER, ELSE) == "dealer-on-duty"


@pytest.mark.parametrize("games", [(), ("deluxe",), ("deluxe", "infinite")])
def test_a_fit_dealer_signs_on(games: tuple[str, ...]) -> None:
    table = PlayedTable().open()
    table.do(SignOff(), DEALER)

    events = table.do(SignOn("2099-12-31", licence_valid=True, games=games), ELSE)

    assert events == (DealerSignedOn("eva", "Eva", "2099-12-31", table.now.wall_ns),)
    assert table.do(SignOn("2099-12-31", licence_valid=True), ELSE) == ()


def test_a_dealer_signs_off_between_rounds() -> None:
    table = a_table().round(1)
    assert table.refused(SignOff(), DEALER) == "round-open"

    table.cards("TS TD 9S 8D").decide("stand").commit()

    assert table.do(SignOff(), DEALER) == (DealerSignedOff("dora", table.now.wall_ns),)
    assert instruction(table.table).code == "sign-on"


# Every card has its dealer


def test_every_card_event_names_the_dealer() -> None:
    """C34."""
    table = a_table()
    table.round(1).cards("TS TD 9S 8D").decide("stand").commit()
    relieve(table).wait(10).do(OpenBetting(), ELSE)
    table.bet(1)
    table.time_out()
    table.cards("TC").no_read()

    cards = [one for one in table.events if isinstance(one, (CardBurned, CardDealt, CardUnread, CardHeld))]
    assert [one.dealer for one in cards] == ["dora"] * 6 + ["eva"] * 2


def test_no_card_is_accepted_while_nobody_is_signed_on() -> None:
    table = a_table()
    table.do(SignOff(), DEALER)

    table.card("TS")

    assert table.kinds() == [AnomalyKind.DEALER_UNFIT]
    assert table.table.incidents[0].level is Level.HOLD
    assert instruction(table.table).code == "call-supervisor"
    table.resolve(WayOut.BURN)
    assert table.kinds() == []


# Time at the table, licence, relief


def test_a_dealer_too_long_at_the_table_deals_no_further_round() -> None:
    """C32, dealer-unfit."""
    table = a_table().wait(31 * MINUTE)

    table.do(OpenBetting(), DEALER)

    assert table.kinds() == [AnomalyKind.DEALER_UNFIT]
    assert instruction(table.table).words == "Hand over to the next dealer"
    button = primary_button(table.table)
    assert button is not None
    assert button.command == "sign-off"


def test_a_round_in_progress_is_finished() -> None:
    table = a_table().round(1).wait(31 * MINUTE)

    table.cards("TS TD 9S 8D")

    assert table.kinds() == []


def test_the_next_dealer_closes_the_case() -> None:
    table = a_table().wait(31 * MINUTE)
    table.do(OpenBetting(), DEALER)
    table.do(SignOff(), DEALER)
    assert primary_button(table.table) is not None
    assert instruction(table.table).code == "sign-on"

    events = table.do(FOREVER, ELSE)

    assert isinstance(events[1], IncidentResolved)
    assert table.kinds() == []
    table.do(OpenBetting(), ELSE)


def test_the_supervisor_can_replace_a_dealer() -> None:
    table = a_table().wait(31 * MINUTE)
    table.do(OpenBetting(), DEALER)

    events = table.resolve(WayOut.REPLACE_DEALER)

    assert events[0] == DealerSignedOff("dora", table.now.wall_ns)
    assert table.table.dealer is None
    assert table.refused(OpenBetting(), DEALER) == "not-signed-on"


def test_signing_off_for_a_moment_is_no_break() -> None:
    table = a_table().wait(29 * MINUTE)
    table.do(SignOff(), DEALER)
    table.wait(MINUTE / 2).do(FOREVER, DEALER)
    assert table.table.dealer is not None
    assert table.now.wall_ns - table.table.dealer.since_wall_ns > 29 * MINUTE * SECOND

    table.wait(MINUTE).do(SignOff(), DEALER)
    assert table.refused(FOREVER, DEALER) == "rest-due"
    table.wait(11 * MINUTE).do(FOREVER, DEALER)
    assert table.table.dealer.since_wall_ns == table.now.wall_ns
    table.do(OpenBetting(), DEALER)
    assert table.kinds() == []


def test_a_licence_that_ends_during_the_shift() -> None:
    today = iso_date(PlayedTable().now.wall_ns)
    table = PlayedTable(a_setup(profile=RulingProfile(rotation_minutes=10_000))).ready()
    table.do(SignOff(), DEALER)
    table.do(SignOn(today, licence_valid=True), ELSE)

    table.wait(24 * 60 * MINUTE).do(OpenBetting(), ELSE)

    assert table.kinds() == [AnomalyKind.DEALER_UNFIT]
    assert "licence" in table.table.incidents[0].detail


def test_the_view_says_when_the_time_is_over() -> None:
    table = a_table()

    on_duty = dealer_view(table.table, table.now, "2026-01-01").on_duty

    assert on_duty is not None
    assert on_duty.relief_wall_ns - on_duty.since_wall_ns == 30 * MINUTE * SECOND


# Burns


@pytest.mark.parametrize(
    ("burn_on", "burns"), [(BurnOn.SHUFFLE, False), (BurnOn.RELIEF, True), (BurnOn.ALL, True)]
)
def test_relief_burns_a_card_where_the_profile_says_so(burn_on: BurnOn, burns: bool) -> None:  # noqa: FBT001 - a case
    """C22: the burn is a state, and no bet opens before it."""
    table = relieve(a_table(burn_on))

    assert (BurnOrdered("relief") in table.events) is burns
    if burns:
        assert table.refused(OpenBetting(), ELSE) == "burn-owed"
        assert instruction(table.table).words == "Burn 1 face down"
        table.cards("5C").wait(10)
        assert isinstance(table.events[-1], CardBurned)
    table.do(OpenBetting(), ELSE)


def test_the_same_dealer_back_from_a_moment_burns_nothing() -> None:
    table = a_table(BurnOn.ALL)
    table.do(SignOff(), DEALER)
    table.do(FOREVER, DEALER)

    assert BurnOrdered("relief") not in table.events


@pytest.mark.parametrize(("burn_on", "burns"), [(BurnOn.RELIEF, False), (BurnOn.ALL, True)])
def test_an_exposed_card_is_followed_by_a_burn(burn_on: BurnOn, burns: bool) -> None:  # noqa: FBT001 - a case
    table = a_table(burn_on).betting().bet(1)
    table.card("5C")
    assert table.kinds() == [AnomalyKind.CARD_BEFORE_TIME]

    table.resolve(WayOut.BURN)

    assert (BurnOrdered("exposed-card") in table.events) is burns
    table.close()
    if burns:
        assert instruction(table.table).words == "Burn 1 face down"
        table.cards("6C")
        assert isinstance(table.events[-1], CardBurned)
    table.cards("TS")
    assert isinstance(table.events[-1], CardDealt)


def test_a_dead_table_burns_before_it_goes_on() -> None:
    table = PlayedTable(a_setup(profile=RulingProfile(burn_on=BurnOn.ALL, rotation_minutes=600))).ready()
    table.wait(31 * MINUTE)

    assert table.do(OpenBetting(), DEALER) == (BurnOrdered("dead-table"),)
    table.cards("5C").wait(10)
    table.do(OpenBetting(), DEALER)
    assert table.table.round is not None


# Errors above the peers'


def records(*each: tuple[str, str, int, int]) -> tuple[MisdealRecord, ...]:
    return tuple(MisdealRecord(*one) for one in each)


def test_a_dealer_far_above_the_others_is_told() -> None:
    found = outlier(records(("dealer", "dora", 100, 12), ("dealer", "eva", 900, 9), ("pack", "red-1", 500, 90)))

    assert found is not None
    assert found.record.name == "dora"


@pytest.mark.parametrize(
    "each",
    [
        [("dealer", "dora", 100, 12)],
        [("dealer", "dora", 100, 3), ("dealer", "eva", 900, 9)],
        [("dealer", "dora", 0, 3), ("dealer", "eva", 900, 9)],
        [("dealer", "dora", 100, 12), ("pack", "red-1", 900, 9)],
    ],
    ids=["nobody to compare with", "a little above", "no round yet", "another sort"],
)
def test_others_are_not(each: list[tuple[str, str, int, int]]) -> None:
    assert outlier(records(*each)) is None


def test_the_rate_is_reported_between_rounds_and_begins_anew() -> None:
    """misdeal-rate: a report, which stops nobody."""
    table = a_table(rotation_minutes=10_000)
    duty = table.table.duty._replace(records=records(("dealer", "eva", 5000, 2), ("dealer", "dora", 9, 6)))
    table.table = table.table._replace(duty=duty)
    table.betting().bet(1).card("5C")  # one more of dora's: a card before its time

    table.resolve(WayOut.BURN)
    table.close().cards("TS TD 9S 8D").decide("stand").commit()

    assert table.kinds() == [AnomalyKind.MISDEAL_RATE]
    assert table.table.incidents[0].detail == "dealer dora: 7 errors in 10 rounds, far above the others here"
    assert not table.table.is_stopped
    assert [one.name for one in table.table.duty.records] == ["eva"]
    table.resolve(WayOut.ACKNOWLEDGE, SUPERVISOR)


@pytest.mark.parametrize(
    ("seconds", "date"),
    [(0, "1970-01-01"), (951_782_399, "2000-02-28"), (951_782_400, "2000-02-29"), (4_102_444_799, "2099-12-31")],
)
def test_dates_of_wall_times(seconds: int, date: str) -> None:
    assert iso_date(Instant(0, seconds * SECOND).wall_ns) == date


def test_a_card_that_came_while_nobody_was_signed_on_is_ruled_on_before_the_dealer_is_replaced() -> None:
    """dealer-unfit: with its incident closed nobody would ask about the card again, and the round stood still."""
    table = a_table().round(1)
    table.do(Suspend("relief"), SUPERVISOR)
    table.do(SignOff(), DEALER)
    table.resolve(WayOut.GO_ON)
    table.card("TS")
    assert table.kinds() == [AnomalyKind.DEALER_UNFIT]
    table.do(FOREVER, DEALER)
    offered = ways_out(table.table, table.table.incidents[0], Role.SUPERVISOR)
    assert WayOut.REPLACE_DEALER not in offered
    assert WayOut.USE_NEXT in offered
    table.resolve(WayOut.USE_NEXT)
    assert not table.table.loose
    assert not table.kinds()
