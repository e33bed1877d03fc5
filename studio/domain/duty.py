"""Dealers and shifts: who may take a table, relief, the burn that goes with it, and who errs more than others.

What is on the roster (licence, games) comes with the sign-on, from the people file; how long a dealer may stay is
the ruling profile's (``rotation_minutes``).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from studio.domain.anomalies import AnomalyKind, WayOut
from studio.domain.answers import Accepted, Answer, Rejected
from studio.domain.commands import SignOn
from studio.domain.error_rates import DEALER_ERRORS, outlier
from studio.domain.events import (
    AnomalyDetected,
    BurnOrdered,
    DealerSignedOff,
    DealerSignedOn,
    Event,
    IncidentResolved,
)
from studio.domain.instants import Instant, iso_date
from studio.domain.people import Actor
from studio.domain.phases import Phase, phase
from studio.domain.profile import BurnOn
from studio.domain.rules import Shuffling
from studio.domain.table import Table

_MINUTE_NS: Final = 60_000_000_000
BREAK_MINUTES: Final = 10
"""Less than this away from the table is no break: the dealer's time there goes on."""
_EXPOSED: Final = frozenset({WayOut.BURN, WayOut.USE_NEXT})


class Occasion(StrEnum):
    """What an extra burn is for (C22)."""

    RELIEF = "relief"
    EXPOSED_CARD = "exposed-card"
    DEAD_TABLE = "dead-table"


def is_hand_dealt(table: Table) -> bool:
    """Tell whether a dealer draws this table's cards."""
    return table.setup.rules.shuffling is not Shuffling.VIRTUAL


def sign_on(table: Table, command: SignOn, actor: Actor, at: Instant) -> Answer:
    """Put the acting dealer at the table, if the roster and the table's own rules let them."""
    refused = _not_fit_to_start(table, command, actor, at)
    if refused is not None:
        return refused
    on_duty = table.dealer
    if on_duty is not None and on_duty.dealer == actor.id:
        return Accepted()
    signed_on = DealerSignedOn(actor.id, actor.name, command.licence_until, _since_wall_ns(table, actor, at))
    last = table.duty.last
    is_relief = last is not None and last.dealer != actor.id
    return Accepted((signed_on, *_relieved(table), *(burn_due(table, Occasion.RELIEF) if is_relief else ())))


def _not_fit_to_start(table: Table, command: SignOn, actor: Actor, at: Instant) -> Rejected | None:
    variant, on_duty = table.setup.rules.variant, table.dealer
    if not command.licence_valid:
        return Rejected("licence-expired", f"The licence ended on {command.licence_until}; call the supervisor")
    if command.games and variant not in command.games:
        return Rejected("game-not-allowed", f"You have no certificate for {variant}; call the supervisor")
    if command.elsewhere:
        return Rejected("signed-on-elsewhere", f"You are signed on at table {command.elsewhere}; sign off there")
    if on_duty is not None and on_duty.dealer != actor.id:
        return Rejected("dealer-on-duty", f"{on_duty.name} is signed on; the hand-over begins with their sign-off")
    if on_duty is None and at.wall_ns - _since_wall_ns(table, actor, at) >= _longest_ns(table):
        return Rejected("rest-due", f"Your time at this table is over; come back after {BREAK_MINUTES} minutes")
    return None


def _since_wall_ns(table: Table, actor: Actor, at: Instant) -> int:
    """Return when the dealer's time at the table began: signing off for a moment does not begin it anew."""
    last = table.duty.last
    if last is None or last.dealer != actor.id or at.wall_ns - last.until_wall_ns >= BREAK_MINUTES * _MINUTE_NS:
        return at.wall_ns
    return last.since_wall_ns


def _longest_ns(table: Table) -> int:
    return table.setup.profile.rotation_minutes * _MINUTE_NS


def _relieved(table: Table) -> tuple[Event, ...]:
    """Close what was open about the dealer before; a card that came meanwhile is still to be ruled on."""
    return tuple(
        IncidentResolved(one.number, WayOut.REPLACE_DEALER, "relief", "Another sign-on", None)
        for one in table.incidents
        if one.kind is AnomalyKind.DEALER_UNFIT and one.draw is None
    )


def sign_off(table: Table, at: Instant) -> Answer:
    """Take the dealer on duty from the table: between rounds, or while the table is stopped."""
    if table.dealer is None:
        return Accepted()
    if phase(table) is not Phase.IDLE and not table.is_stopped:
        return Rejected("round-open", "The round in progress must end first")
    return Accepted((DealerSignedOff(table.dealer.dealer, at.wall_ns),))


def unfit(table: Table, at: Instant) -> str:
    """Return why the dealer on duty may begin no further round; empty while they may."""
    on_duty = table.dealer
    if on_duty is None or not is_hand_dealt(table):
        return ""
    if on_duty.licence_until < iso_date(at.wall_ns):
        return f"The licence of {on_duty.name} ended on {on_duty.licence_until}"
    minutes = (at.wall_ns - on_duty.since_wall_ns) // _MINUTE_NS
    if minutes >= table.setup.profile.rotation_minutes:
        return f"{on_duty.name} is at the table for {minutes} minutes"
    return ""


def burn_due(table: Table, occasion: Occasion) -> tuple[Event, ...]:
    """Return the burn that the profile asks for on an occasion, none where it asks for none or one is owed."""
    shoe, wanted = table.shoe, table.setup.profile.burn_on
    asked = wanted is BurnOn.ALL or (wanted is BurnOn.RELIEF and occasion is Occasion.RELIEF)
    is_shoe = table.setup.rules.shuffling is Shuffling.SHOE
    if not asked or not is_shoe or shoe is None or not shoe.is_burnt:
        return ()
    return (BurnOrdered(occasion.value),)


def burn_after(table: Table, kind: AnomalyKind, way: WayOut) -> tuple[Event, ...]:
    """Return the burn after an exposed or misdealt card was ruled on."""
    return burn_due(table, Occasion.EXPOSED_CARD) if kind in DEALER_ERRORS and way in _EXPOSED else ()


def is_dead(table: Table, now_ns: int) -> bool:
    """Tell whether the table lay still for so long that a card is burned before it goes on."""
    last = table.last_card
    return last is not None and now_ns - last.at_ns >= table.setup.dead_table_minutes * _MINUTE_NS


def misdeal_rate(table: Table, now_ns: int) -> Event | None:
    """Return the report about who errs far above their peers; their record begins anew with it."""
    found = outlier(table.duty.records)
    if found is None:
        return None
    who = found.record
    detail = f"{who.sort} {who.name}: {who.misdeals} errors in {who.rounds} rounds, far above the others here"
    return AnomalyDetected(table.incident_count + 1, AnomalyKind.MISDEAL_RATE, None, detail, now_ns)
