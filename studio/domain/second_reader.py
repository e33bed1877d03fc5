"""The second reader: another reader at the same shoe, which reads each card as it leaves and knows no place.

It never places a card. Its readings are paired with those of the table's reader by time
(:mod:`studio.domain.pairing`): the same card confirms, another one stops the table, none in time is counted as not
covered; a reading that nothing answers is a card that the table's reader missed. :func:`findings` says what
follows from the pairing at a given moment, :func:`next_due_ns` when to look again though nothing happened.
"""

from __future__ import annotations

from collections.abc import Iterator

from studio.domain.anomalies import AnomalyKind
from studio.domain.answers import Accepted
from studio.domain.cards import Card
from studio.domain.events import (
    AnomalyDetected,
    CardBurned,
    CardDealt,
    CardHeld,
    CardUnread,
    CardWitnessed,
    CutCardSeen,
    DuplicateMarked,
    Event,
    ReaderChanged,
    ShoeClosed,
    WitnessJudged,
)
from studio.domain.loads import Position
from studio.domain.pairing import Pairing, Pass, Reading
from studio.domain.setup import SecondReaderSetup
from studio.domain.sightings import CardRead, ForeignCard, Sighting, SightingId, UnknownCode, Unreadable
from studio.domain.table import Incident, Table
from studio.domain.witness import Seen, Verdict

_MS = 1_000_000
_MOST_WAITING = 64
"""More readings than this wait for no card: the table has long stood still."""
_MISSED = frozenset({AnomalyKind.NO_READ, AnomalyKind.MISSCAN_LATE})


def record_reading(table: Table, second: SecondReaderSetup, sighting: Sighting) -> Accepted:
    """Record what the second reader says of a card; nothing for what it said before, or says late.

    Cards that are counted between shoes, or read again on the felt, are no draws: nobody compares them.
    """
    seen, card = _seen(sighting)
    if seen is None or sighting.id.device != second.device or not table.witness.ready or not _is_dealt_from(table):
        return Accepted()
    pairing = table.witness.pairing
    newest = pairing.newest
    told = newest is not None and newest.load == sighting.id.load and sighting.id.ordinal <= newest.ordinal
    if told or len(pairing.readings) >= _MOST_WAITING or _is_passed_again(pairing, second, card, sighting.at_ns):
        return Accepted()
    permille, frame = sighting.confidence_permille, sighting.frame
    return Accepted((CardWitnessed(sighting.id, seen, None, card, permille, frame, sighting.at_ns),))


def _seen(sighting: Sighting) -> tuple[Seen | None, Card | None]:
    """Return what a reading says; frames that the device lost say nothing of when their cards came.

    A claim about a place is a camera's: nothing here.
    """
    match sighting.reading:
        case _ if sighting.slot is not None:
            return None, None
        case CardRead(card) if not sighting.suspect:
            return (Seen.READ_AGAIN if sighting.repeated else Seen.READ), card
        case UnknownCode(""):
            return None, None
        case CardRead() | Unreadable() | UnknownCode() | ForeignCard():
            return Seen.UNREAD, None
        case _:
            return None, None


def _is_dealt_from(table: Table) -> bool:
    return table.shoe is not None and table.scan is None


def _is_passed_again(pairing: Pairing, second: SecondReaderSetup, card: Card | None, at_ns: int) -> bool:
    """Tell whether the reading is of the card that has just been passed again, and is confirmed already."""
    if pairing.passed is None:
        return False
    passed, again_ns = pairing.passed
    return card in {None, passed} and abs(at_ns - again_ns) <= second.offset_ms * _MS


def position(table: Table) -> Position:
    """Return where a second reader that counts nothing stands: the table counts what it has recorded of it."""
    newest = table.witness.pairing.newest
    load, ordinal = (newest.load, newest.ordinal) if newest else (0, 0)
    return Position(load, ordinal, None, in_use=table.shoe is not None)


def is_waiting(table: Table) -> bool:
    """Tell whether a card or a reading still waits for its other half."""
    pairing = table.witness.pairing
    return bool(pairing.passes) or any(not one.repeated for one in pairing.readings)


def findings(table: Table, second: SecondReaderSetup, at_ns: int, *, accepted: bool) -> Iterator[Event]:
    """Yield what follows at ``at_ns``; while one source is ``accepted``, silence is counted and nothing more."""
    pairing, offset_ns = table.witness.pairing, second.offset_ms * _MS
    for one in pairing.passes:
        if one.card is None:
            # A person has closed its incident without a value: there is nothing to compare.
            yield WitnessJudged(one.draw, Verdict.RULED)
        elif pairing.equal(one, offset_ns) is not None:
            yield WitnessJudged(one.draw, Verdict.AGREED)
    for one in pairing.passes:
        if not one.since_ns <= at_ns < _due_ns(one, second):
            yield from _unconfirmed(table, second, one, at_ns, accepted=accepted)
    missed = _missed(pairing, second, at_ns)
    if missed:
        is_late = pairing.latest_ns is not None and pairing.latest_ns > missed[0].at_ns
        kind = AnomalyKind.MISSCAN_LATE if is_late else AnomalyKind.NO_READ
        detail = "The second reader saw a card leave the shoe that the reader never told"
        yield _incident(table, kind, None, detail, at_ns)


def _due_ns(one: Pass, second: SecondReaderSetup) -> int:
    return one.since_ns + second.deadline_ms * _MS


def _unconfirmed(
    table: Table, second: SecondReaderSetup, one: Pass, at_ns: int, *, accepted: bool
) -> Iterator[Event]:
    """What a card means that nothing has confirmed in time: absent is not different."""
    other = table.witness.pairing.other(one, second.offset_ms * _MS)
    if other is not None and other.card is not None:
        detail = f"Draw {one.draw}: the second reader reads another card"
        yield _incident(table, AnomalyKind.SOURCE_DISAGREEMENT, one.draw, detail, at_ns)
        return
    if not accepted and table.find_incident(AnomalyKind.CAMERA_ABSENT) is None:
        silent = "said nothing in time" if table.witness.ready else "is not connected"
        why = "could not read it" if other else silent
        detail = f"Draw {one.draw}: the second reader {why}"
        yield _incident(table, AnomalyKind.CAMERA_ABSENT, one.draw, detail, at_ns)
    yield WitnessJudged(one.draw, Verdict.ABSENT)


def _missed(pairing: Pairing, second: SecondReaderSetup, at_ns: int) -> tuple[Reading, ...]:
    """Return the readings that the table's reader has left without an answer for too long."""
    alone = pairing.alone(second.offset_ms * _MS)
    return tuple(one for one in alone if not one.at_ns <= at_ns < one.at_ns + second.deadline_ms * _MS)


def next_due_ns(table: Table, second: SecondReaderSetup) -> int | None:
    """Return the first moment at which the silence of either reader becomes a finding."""
    pairing = table.witness.pairing
    readings = pairing.alone(second.offset_ms * _MS)
    return min(
        (
            *(_due_ns(one, second) for one in pairing.passes),
            *(one.at_ns + second.deadline_ms * _MS for one in readings),
        ),
        default=None,
    )


def _incident(table: Table, kind: AnomalyKind, draw: int | None, detail: str, at_ns: int) -> AnomalyDetected:
    return AnomalyDetected(table.incident_count + 1, kind, draw, detail, at_ns)


# The fold


def heard(table: Table, second: SecondReaderSetup, event: CardWitnessed) -> Pairing:
    """Return the pairing after a reading of the second reader."""
    pairing = table.witness.pairing._replace(newest=event.sighting)
    card, at_ns = event.card, event.at_ns
    if card is None and pairing.cut_passed:
        return pairing._replace(cut_passed=False)
    interval_ns = table.setup.profile.minimum_draw_interval_ms * _MS
    is_soon = pairing.last is not None and pairing.last[0] == card and at_ns - pairing.last[1] < interval_ns
    repeated = event.seen is Seen.READ_AGAIN or is_soon
    oldest_ns = at_ns - second.deadline_ms * _MS
    kept = tuple(one for one in pairing.readings if not one.repeated or one.at_ns >= oldest_ns)
    last = pairing.last if card is None else (card, at_ns)
    readings = (*kept, Reading(card, at_ns, repeated))
    return pairing._replace(readings=readings, last=last, cut_passed=pairing.cut_passed and card is None)


def judged(table: Table, second: SecondReaderSetup, draw: int) -> Pairing:
    """Return the pairing after a verdict on a draw."""
    return table.witness.pairing.without(draw, second.offset_ms * _MS)


def followed(before: Table, pairing: Pairing, second: SecondReaderSetup, event: Event) -> Pairing:
    """Return the pairing after any other event, ``before`` being the table before it."""
    match event:
        case CardDealt() | CardBurned() | CardHeld() if _is_drawn(before, event.sighting):
            return _passed(before, pairing, event)
        case CardUnread(draw, sighting) if _is_drawn(before, sighting):
            return pairing._replace(passes=(*pairing.passes, Pass(draw, None, None)))
        case AnomalyDetected():
            return _detected(pairing, second, event)
        case CutCardSeen():
            return _cut_card(pairing)
        case DuplicateMarked(draw):
            return pairing._replace(passes=tuple(one for one in pairing.passes if one.draw != draw))
        case ReaderChanged(device, True, int(load), ordinal) if device == second.device:
            return pairing._replace(newest=SightingId(device, load, ordinal or 0))
        case ShoeClosed():
            return Pairing(newest=pairing.newest)
        case _:
            return pairing


def _is_drawn(before: Table, sighting: SightingId) -> bool:
    """Tell whether a card came out while the second reader was listened to; also one of another load did."""
    return before.shoe is not None and sighting.device == before.setup.reader


def _passed(before: Table, pairing: Pairing, event: CardDealt | CardBurned | CardHeld) -> Pairing:
    """A card of the table's reader: a new one, or one at last that lay there unread; else it is known."""
    draw, card, at_ns = event.draw, event.card, event.at_ns
    known, waiting = before.loose_draw(draw), pairing.pass_of(draw)
    if known is not None:
        is_read_now = known.card is None and waiting is not None
        return pairing.changed(waiting._replace(card=card, again_ns=at_ns)) if waiting and is_read_now else pairing
    if any(one.asked and one.card == card for one in pairing.readings):
        return pairing._replace(passes=(*pairing.passes, Pass(draw, card, at_ns, again_ns=at_ns)))
    one = Pass(draw, card, at_ns, untimed=not before.reader.ready)
    return pairing._replace(passes=(*pairing.passes, one), latest_ns=at_ns)


def _detected(pairing: Pairing, second: SecondReaderSetup, event: AnomalyDetected) -> Pairing:
    if event.kind is AnomalyKind.SOURCE_DISAGREEMENT and event.draw is not None:
        return pairing.without(event.draw, second.offset_ms * _MS)
    if event.kind in _MISSED and event.draw is None:
        missed = _missed(pairing, second, event.stopped_ns)
        readings = tuple(one._replace(asked=True) if one in missed else one for one in pairing.readings)
        return pairing._replace(readings=readings)
    waiting = None if event.draw is None else pairing.pass_of(event.draw)
    if waiting is not None and waiting.at_ns is None:
        return pairing.changed(waiting._replace(at_ns=event.stopped_ns))
    return pairing


def _cut_card(pairing: Pairing) -> Pairing:
    """The second reader cannot read the cut card either: that reading came already, or is still to come."""
    unread = next((one for one in pairing.readings if one.card is None), None)
    if unread is None:
        return pairing._replace(cut_passed=True)
    place = pairing.readings.index(unread)
    return pairing._replace(readings=(*pairing.readings[:place], *pairing.readings[place + 1 :]))


def closed(table: Table, incident: Incident, *, is_rescan: bool) -> Pairing:
    """Return the pairing after an incident: a person has ruled on a missed card, unless it is read at last."""
    pairing = table.witness.pairing
    if incident.kind not in _MISSED or incident.draw is not None or is_rescan:
        return pairing
    return pairing._replace(readings=tuple(one for one in pairing.readings if not one.asked))
