"""Who errs more than their peers: errors counted by dealer and by pack of cards, and the test between them."""

from __future__ import annotations

from typing import Final, NamedTuple

from studio.domain.anomalies import AnomalyKind
from studio.domain.events import AnomalyDetected, DealerSignedOff, DealerSignedOn, Event, RoundClosed
from studio.domain.order_evidence import HIGHEST_P, binomial_tail
from studio.domain.table import Duty, LastDuty, MisdealRecord, Table

DEALER_ERRORS: Final = frozenset({AnomalyKind.EXTRA_CARD, AnomalyKind.CARD_BEFORE_TIME, AnomalyKind.WRONG_BURN})
"""Misdeals that are counted for the dealer on duty."""
SHOE_ERRORS: Final = frozenset({AnomalyKind.NO_READ, AnomalyKind.UNKNOWN_CODE, AnomalyKind.DUPLICATE_READ})
"""Misreadings that are counted for the cards in the shoe."""
DEALER: Final = "dealer"
PACK: Final = "pack"


class Outlier(NamedTuple):
    """A dealer or a pack that errs far above the others."""

    record: MisdealRecord
    p: float


def outlier(records: tuple[MisdealRecord, ...]) -> Outlier | None:
    """Return who errs far above their peers of the same sort at this table; ``None`` where nobody does.

    Given all errors of two parties, each is as likely to be in any round of theirs if both are alike; how many
    of them fall to one is then binomial (the conditional test of two Poisson rates).
    """
    found = [one for one in (_against_peers(record, records) for record in records) if one.p < HIGHEST_P]
    return min(found, key=lambda one: one.p, default=None)


def _against_peers(record: MisdealRecord, records: tuple[MisdealRecord, ...]) -> Outlier:
    peers = [one for one in records if one.sort == record.sort and one != record]
    rounds, errors = sum(one.rounds for one in peers), sum(one.misdeals for one in peers)
    if not rounds or not record.rounds:
        return Outlier(record, 1.0)
    share = record.rounds / (record.rounds + rounds)
    return Outlier(record, binomial_tail(errors + record.misdeals, record.misdeals, share))


def followed(before: Table, event: Event, after: Table) -> Table:
    """Return the table after an event, with what the record of its dealers and packs takes from it."""
    match event:
        case DealerSignedOn(dealer):
            last = before.duty.last
            kept = last if last is not None and last.dealer == dealer else None
            return after._replace(duty=after.duty._replace(last=kept))
        case DealerSignedOff(dealer, at_wall_ns) if before.dealer is not None:
            last = LastDuty(dealer, before.dealer.since_wall_ns, at_wall_ns)
            return after._replace(duty=after.duty._replace(last=last))
        case RoundClosed():
            return _counted(after, rounds=1, misdeals={DEALER: 0, PACK: 0})
        case AnomalyDetected(kind=AnomalyKind.MISDEAL_RATE):
            found = outlier(after.duty.records)
            records = tuple(one for one in after.duty.records if found is None or one != found.record)
            return after._replace(duty=after.duty._replace(records=records))
        case AnomalyDetected(kind=kind) if kind in DEALER_ERRORS:
            return _counted(after, rounds=0, misdeals={DEALER: 1})
        case AnomalyDetected(kind=kind) if kind in SHOE_ERRORS:
            return _counted(after, rounds=0, misdeals={PACK: 1})
        case _:
            return after


def _counted(table: Table, *, rounds: int, misdeals: dict[str, int]) -> Table:
    duty = table.duty
    names = {DEALER: table.dealer.dealer if table.dealer else "", PACK: table.life.loaded}
    for sort, many in misdeals.items():
        if names[sort]:
            duty = _added(duty, sort, names[sort], rounds, many)
    return table._replace(duty=duty)


def _added(duty: Duty, sort: str, name: str, rounds: int, misdeals: int) -> Duty:
    known = next((one for one in duty.records if (one.sort, one.name) == (sort, name)), None)
    record = known or MisdealRecord(sort, name)
    more = record._replace(rounds=record.rounds + rounds, misdeals=record.misdeals + misdeals)
    return duty._replace(records=(*(one for one in duty.records if one != known), more))
