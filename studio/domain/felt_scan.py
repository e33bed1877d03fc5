"""The re-scan of the felt: every card of the round once more over the exit reader, in order, and compared (C07).

It fills the one card that nobody read, and lets the round go on if everything else is as the screen has it.
Otherwise it says which draws differ, and the supervisor corrects or voids.
"""

from __future__ import annotations

from studio.domain.anomalies import AnomalyKind, WayOut
from studio.domain.answers import Accepted
from studio.domain.cards import Card
from studio.domain.correctable import felt_draws
from studio.domain.events import (
    Event,
    FeltCardScanned,
    FeltReadFailed,
    FeltScanEnded,
    HeldCardReleased,
    IncidentResolved,
)
from studio.domain.evolve import evolve
from studio.domain.incidents import extended_deadline_ns
from studio.domain.readings import placed
from studio.domain.rulings import FeltScan
from studio.domain.sightings import CardRead, CutCardRead, Sighting, SightingId
from studio.domain.table import Draw, Incident, Table

_REASON = "felt-scan"


def is_scanning(table: Table) -> bool:
    """Tell whether what passes the exit reader now are cards of the felt."""
    return table.scan is not None and table.scan.differing is None


def is_scanned(table: Table, sighting: Sighting) -> bool:
    """Tell whether a reading is one of the re-scan: the table's own reader says it, not its second witness."""
    return is_scanning(table) and sighting.id.device == table.setup.reader


def record_scanned(table: Table, scan: FeltScan, sighting: Sighting, now_ns: int) -> Accepted:
    """Take a reading of a card of the felt; after the last one compare. Readings told before change nothing."""
    shoe, identity = table.shoe, sighting.id
    if isinstance(sighting.reading, CutCardRead) or shoe is None or identity.load != shoe.load:
        return Accepted()
    if identity.ordinal <= shoe.drawn and not _is_unread_and_due(table, scan, identity):
        return Accepted()
    missed = (SightingId(identity.device, identity.load, one) for one in range(shoe.drawn + 1, identity.ordinal))
    events: tuple[Event, ...] = tuple(FeltReadFailed(one) for one in missed)
    if not isinstance(sighting.reading, CardRead):
        return Accepted((*events, FeltReadFailed(identity)))
    events += (FeltCardScanned(identity, sighting.reading.card),)
    read = (*scan.read, sighting.reading.card)
    return Accepted(
        (*events, *_compared(_after(table, events), scan, read, now_ns)) if _is_all(scan, read) else events
    )


def _is_unread_and_due(table: Table, scan: FeltScan, identity: SightingId) -> bool:
    """A device tells a card that it could not read under its first ordinal, once it reads."""
    draw = table.loose_draw(scan.draws[len(scan.read)])
    return draw is not None and draw.card is None and draw.sighting == identity


def _is_all(scan: FeltScan, read: tuple[Card, ...]) -> bool:
    return len(read) == len(scan.draws)


def _after(table: Table, events: tuple[Event, ...]) -> Table:
    for event in events:
        table = evolve(table, event)
    return table


def _compared(table: Table, scan: FeltScan, read: tuple[Card, ...], now_ns: int) -> tuple[Event, ...]:
    known = dict(felt_draws(table))
    pairs = dict(zip(scan.draws, read, strict=True))
    unknown = [draw for draw in scan.draws if known.get(draw) is None]
    differing = [draw for draw, card in pairs.items() if known.get(draw) not in {None, card}]
    if len(unknown) > 1:
        differing = sorted({*differing, *unknown})
    events: tuple[Event, ...] = (FeltScanEnded(tuple(differing)),)
    if differing:
        return events
    after = _after(table, events)
    for draw in [one for one in after.loose if one.number in pairs]:
        more = _filled(after, draw, pairs[draw.number], now_ns)
        after, events = _after(after, more), events + more
    incident = after.incident(scan.incident)
    return events if incident is None else (*events, _closed(after, incident, now_ns))


def _filled(table: Table, draw: Draw, card: Card, now_ns: int) -> tuple[Event, ...]:
    """Give the unread card its place, and the one that came meanwhile the next."""
    incident = next((one for one in table.incidents if one.draw == draw.number), None)
    if incident is None:
        return ()
    if draw.card is None:
        closed = _closed(table, incident, now_ns)
        sighting = Sighting(draw.sighting, CardRead(card), now_ns)
        return (closed, *placed(evolve(table, closed), sighting, card, now_ns))
    if incident.kind is not AnomalyKind.CARD_BEFORE_TIME:
        return ()
    released = HeldCardReleased(draw.number)
    return (released, _closed(evolve(table, released), incident, now_ns))


def _closed(table: Table, incident: Incident, now_ns: int) -> IncidentResolved:
    text = "The cards on the felt were read again and agree"
    deadline_ns = extended_deadline_ns(table, incident, now_ns)
    return IncidentResolved(incident.number, WayOut.REBUILD, _REASON, text, deadline_ns)
