"""Alarms on the shelf: for a time, with a reason, never a suspension (consoles.md S2)."""

from __future__ import annotations

import pytest
from support.tables import COLLEAGUE, DEALER, SUPERVISOR, PlayedTable

from studio.domain.commands import Suspend
from studio.domain.correction_commands import ClaimIncident, ShelveIncident
from studio.domain.projections import supervisor_view
from studio.domain.views import ShelfView

TODAY = "2026-03-01"
WAITING = ShelveIncident(1, 10, "the technician is on the way")


def unread() -> PlayedTable:
    played = PlayedTable().ready().round(1).cards("TC")
    played.wait(1).no_read()
    return played


def shelf(played: PlayedTable) -> ShelfView | None:
    return supervisor_view(played.table, played.now, TODAY).incidents[0].shelf


def test_a_shelved_alarm_says_until_when_by_whom_and_why_and_comes_back_by_itself() -> None:
    played = unread()
    played.do(WAITING, SUPERVISOR)
    assert shelf(played) == ShelfView(played.now.wall_ns + 600_000_000_000, "Sam", "the technician is on the way")
    played.wait(599)
    assert shelf(played) is not None
    played.wait(1)
    assert shelf(played) is None


def test_a_shelf_lets_nothing_go_on_and_the_dealer_does_not_see_it() -> None:
    played = unread()
    played.do(WAITING, SUPERVISOR)
    assert played.table.is_stopped
    assert supervisor_view(played.table, played.now, TODAY).dealer.incidents[0].shelf is None


def test_it_can_be_taken_back_before() -> None:
    played = unread()
    played.do(WAITING, SUPERVISOR)
    played.do(ShelveIncident(1, 0, "he is here"), SUPERVISOR)
    assert shelf(played) is None


def test_a_suspension_is_not_shelved() -> None:
    played = PlayedTable().ready().round(1).cards("TC")
    played.do(Suspend("a quarrel"), SUPERVISOR)
    assert played.refused(WAITING, SUPERVISOR) == "critical"


def test_an_alarm_that_rises_to_a_suspension_falls_off_the_shelf() -> None:
    played = unread()
    played.do(WAITING, SUPERVISOR)
    for _ in range(played.table.setup.profile.rescan_tries + 1):
        played.wait(1).no_read(ordinal=played.ordinal)
        if played.table.is_suspended:
            break
    assert played.table.is_suspended
    assert shelf(played) is None


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (ShelveIncident(9, 10, "x"), "no-such-incident"),
        (ShelveIncident(1, 61, "x"), "shelved-too-long"),
        (ShelveIncident(1, -1, "x"), "shelved-too-long"),
        (ShelveIncident(1, 10, " "), "reason-missing"),
    ],
)
def test_what_is_no_shelf_is_refused(command: ShelveIncident, code: str) -> None:
    assert unread().refused(command, SUPERVISOR) == code


def test_only_who_may_rule_on_it_shelves_it() -> None:
    played = unread()
    assert played.refused(WAITING, DEALER) == "forbidden"
    played.do(ClaimIncident(1), COLLEAGUE)
    assert played.refused(WAITING, SUPERVISOR) == "claimed"
