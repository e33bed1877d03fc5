"""Cards as they come: each is placed, burned or held, none is ever refused or lost (system.md principle 2)."""

from __future__ import annotations

from typing import assert_never

from studio.domain import counting, duty
from studio.domain.anomalies import AnomalyKind, Level, WayOut
from studio.domain.answers import Accepted
from studio.domain.cards import Card
from studio.domain.events import (
    CardBurned,
    CardDealt,
    CardHeld,
    CardUnread,
    CutCardSeen,
    Event,
    IncidentEscalated,
    IncidentResolved,
    RescanAsked,
)
from studio.domain.evolve import evolve
from studio.domain.fusion import record_witness
from studio.domain.incidents import extended_deadline_ns, open_incident
from studio.domain.phases import Phase, expected_slot, is_betting, phase
from studio.domain.profile import CutCardTiming
from studio.domain.rules import Shuffling
from studio.domain.shoe import Shoe
from studio.domain.sightings import (
    CardRead,
    CutCardRead,
    FaceUpInShoe,
    ForeignCard,
    Sighting,
    SightingId,
    SlotCleared,
    SlotOccluded,
    SlotOccupied,
    TwoCards,
    UnknownCode,
    Unreadable,
)
from studio.domain.slots import Face
from studio.domain.table import Draw, Incident, RoundEnd, Table

_MS = 1_000_000
MOST_MISSED = 8
"""More cards missed at once than this are one incident, not one each."""
_LINK_LOST = frozenset({AnomalyKind.SCANNER_DOWN, AnomalyKind.CRASH_RECOVERY})


def record_sighting(table: Table, sighting: Sighting, now_ns: int) -> Accepted:
    """Return what a sighting leads to; nothing for one that was recorded before.

    Only the table's own reader puts cards in their places; what another device saw is evidence beside it.
    """
    if sighting.id.device != table.setup.reader:
        return record_witness(table, sighting)
    if table.witness.takes_over:
        # The camera reads the rest of this round; what the reader tells now it told of cards that lie there.
        return Accepted()
    if counting.is_counting(table, sighting.id):
        return counting.count_sighting(table, sighting)
    return _taken(table, sighting, now_ns)


def _taken(table: Table, sighting: Sighting, now_ns: int) -> Accepted:
    shoe = table.shoe
    known = shoe if shoe is not None and shoe.load == sighting.id.load else None
    match sighting.reading:
        case CutCardRead():
            return _cut_card(table, known, sighting.id, now_ns)
        case CardRead(card):
            loose = _loose(table, sighting.id)
            if loose is not None and loose.card is None:
                failed = sighting.suspect or sighting.repeated
                return _rescan_failed(table, loose) if failed else _rescanned(table, loose, sighting, card, now_ns)
            if loose is not None or _is_drawn(known, sighting.id):
                return Accepted()
            gap = _gap(table, known, sighting.id, now_ns)
            after = _after(table, gap)
            if sighting.suspect:
                return Accepted((*gap, *_new_unread(after, sighting.id, "", AnomalyKind.NO_READ, now_ns)))
            return Accepted((*gap, *_awaited(after, sighting, card, now_ns)))
        case Unreadable():
            return _unreadable(table, known, sighting.id, "", AnomalyKind.NO_READ, now_ns)
        case ForeignCard(code):
            return _unreadable(table, known, sighting.id, code, AnomalyKind.FOREIGN_CARD, now_ns)
        case UnknownCode(code):
            return _unreadable(table, known, sighting.id, code, AnomalyKind.UNKNOWN_CODE, now_ns)
        case SlotOccupied() | SlotCleared() | SlotOccluded() | FaceUpInShoe() | TwoCards():
            return Accepted()
        case _:
            assert_never(sighting.reading)


def _after(table: Table, events: tuple[Event, ...]) -> Table:
    for event in events:
        table = evolve(table, event)
    return table


def _loose(table: Table, identity: SightingId) -> Draw | None:
    for draw in table.loose:
        if draw.sighting == identity:
            return draw
    return None


def _is_drawn(known: Shoe | None, identity: SightingId) -> bool:
    return known is not None and identity.ordinal <= known.drawn


def _gap(table: Table, known: Shoe | None, identity: SightingId, now_ns: int) -> tuple[Event, ...]:
    """Return the unread draws before this one: the order of cards has no holes.

    Very many at once are no cards on the felt but a reader or a shoe that cannot be trusted: one incident for all.
    """
    if known is None:
        return ()
    first, last = known.drawn + 1, identity.ordinal - 1
    if last - first >= MOST_MISSED:
        missing = SightingId(identity.device, identity.load, last)
        detail = f"Draws {first} to {last} were never told"
        incident = open_incident(table, AnomalyKind.UNKNOWN_CODE, last, detail, now_ns)
        return (CardUnread(last, missing, ""), incident)
    events: tuple[Event, ...] = ()
    for ordinal in range(first, last + 1):
        missing = SightingId(identity.device, identity.load, ordinal)
        after = _after(table, events)
        events += _new_unread(after, missing, "", AnomalyKind.UNKNOWN_CODE, now_ns)
    return events


def _cut_card(table: Table, known: Shoe | None, identity: SightingId, now_ns: int) -> Accepted:
    """S4: the cut card fills no slot; it says which round is the last."""
    if known is None or known.last_round is not None:
        return Accepted()
    current = table.round
    in_play = current is not None and phase(table) is not Phase.IDLE
    strange = _strange_position(table, known, now_ns)
    if in_play and current is not None and not is_betting(current):
        return Accepted((CutCardSeen(identity, current.number), *strange))
    reshuffle = table.setup.profile.cut_card_timing is CutCardTiming.RESHUFFLE_FIRST
    last = table.rounds if in_play or reshuffle else table.rounds + 1
    return Accepted((CutCardSeen(identity, last), *strange))


def _strange_position(table: Table, shoe: Shoe, now_ns: int) -> tuple[Event, ...]:
    """C24: the cut card lay far from its place, or was the first to come out."""
    away = shoe.left - shoe.cut_position
    if abs(away) <= table.setup.profile.cut_card_tolerance:
        return ()
    detail = f"{shoe.left} cards behind it, {shoe.cut_position} were declared"
    level = Level.WARN if shoe.drawn else Level.HOLD
    return (open_incident(table, AnomalyKind.CUT_CARD_POSITION, None, detail, now_ns, level),)


def _unreadable(  # noqa: PLR0913, PLR0917 - the facts of a reading, all needed
    table: Table, known: Shoe | None, identity: SightingId, code: str, kind: AnomalyKind, now_ns: int
) -> Accepted:
    loose = _loose(table, identity)
    if loose is not None and loose.card is None:
        return _rescan_failed(table, loose)
    if loose is not None or _is_drawn(known, identity):
        return Accepted()
    gap = _gap(table, known, identity, now_ns)
    return Accepted((*gap, *_new_unread(_after(table, gap), identity, code, kind, now_ns)))


def _new_unread(
    table: Table, identity: SightingId, code: str, kind: AnomalyKind, now_ns: int
) -> tuple[Event, ...]:
    draw = identity.ordinal
    detail = f"Draw {draw}" + (f", code {code}" if code else "")
    slot = expected_slot(table.setup.rules, table.round) if table.round is not None else None
    if slot is not None and slot.face is Face.DOWN and not table.is_stopped:
        kind = AnomalyKind.HOLE_UNREAD
    return (CardUnread(draw, identity, code), open_incident(table, kind, draw, detail, now_ns))


def _rescan_failed(table: Table, unread: Draw) -> Accepted:
    incident = _incident_of(table, unread)
    if incident is None or incident.level is Level.SUSPEND:
        return Accepted()
    tries = incident.tries + 1
    asked = RescanAsked(incident.number, tries)
    if tries < table.setup.profile.rescan_tries:
        return Accepted((asked,))
    detail = f"{incident.detail}; {tries} rescans failed"
    return Accepted((asked, IncidentEscalated(incident.number, Level.SUSPEND, detail)))


def _incident_of(table: Table, draw: Draw) -> Incident | None:
    return next((one for one in table.incidents if one.draw == draw.number), None)


def _rescanned(table: Table, unread: Draw, sighting: Sighting, card: Card, now_ns: int) -> Accepted:
    incident = _incident_of(table, unread)
    if incident is None:
        return Accepted(_place(table, sighting, card, now_ns))
    deadline_ns = extended_deadline_ns(table, incident, now_ns)
    resolved = IncidentResolved(incident.number, WayOut.RESCAN, "rescan", "The card was read again", deadline_ns)
    placed = _place(evolve(table, resolved), sighting, card, now_ns, is_rescan=True)
    return Accepted((resolved, *placed))


def _awaited(table: Table, sighting: Sighting, card: Card, now_ns: int) -> tuple[Event, ...]:
    """Place a new card; where the table stands still for just this card, that is over with it."""
    stopping = [one for one in table.incidents if one.stops]
    waits = stopping[0] if len(stopping) == 1 else None
    if waits is None or not _is_waiting_for_a_card(waits):
        return _place(table, sighting, card, now_ns)
    deadline_ns = extended_deadline_ns(table, waits, now_ns)
    boxed = waits.kind is AnomalyKind.BOXED_CARD
    way, words = (WayOut.OUT_OF_PLAY, "It was drawn") if boxed else (WayOut.RESCAN, "The card was read")
    resolved = IncidentResolved(waits.number, way, "rescan", words, deadline_ns)
    if boxed:
        return (CardBurned(sighting.id.ordinal, sighting.id, card, Face.UP, sighting.at_ns), resolved)
    return (resolved, *_place(evolve(table, resolved), sighting, card, now_ns, is_rescan=True))


def _is_waiting_for_a_card(incident: Incident) -> bool:
    """Tell whether the next card out of the shoe is the one that an incident is about."""
    if incident.kind is AnomalyKind.NO_READ:
        return incident.draw is None
    return incident.kind in {AnomalyKind.BOXED_CARD, AnomalyKind.TWO_CARDS} and incident.level is Level.HOLD


def placed(table: Table, sighting: Sighting, card: Card, now_ns: int) -> tuple[Event, ...]:
    """Put a card that lay aside unread where it belongs, now that it is known."""
    return _place(table, sighting, card, now_ns, is_rescan=True)


def _place(
    table: Table, sighting: Sighting, card: Card, now_ns: int, *, is_rescan: bool = False
) -> tuple[Event, ...]:
    """Put a read card where it belongs, or hold it with the reason why it belongs nowhere."""
    identity, draw, at_ns = sighting.id, sighting.id.ordinal, sighting.at_ns
    found = _objection(table, sighting, card, is_rescan=is_rescan)
    if found is not None:
        kind, detail = found
        return (CardHeld(draw, identity, card, at_ns), open_incident(table, kind, draw, detail, now_ns))
    shoe, current = table.shoe, table.round
    if shoe is not None and not shoe.is_burnt:
        face = Face.UP if shoe.burn_owed is None else Face.DOWN
        return (CardBurned(draw, identity, card, face, at_ns),)
    slot = expected_slot(table.setup.rules, current) if current is not None else None
    if slot is None:
        held = CardHeld(draw, identity, card, at_ns)
        detail = f"Draw {draw}: no hand is owed a card"
        return (held, open_incident(table, AnomalyKind.EXTRA_CARD, draw, detail, now_ns))
    return (CardDealt(draw, identity, card, slot, at_ns),)


def _objection(table: Table, sighting: Sighting, card: Card, *, is_rescan: bool) -> tuple[AnomalyKind, str] | None:
    """Return why a card may not be placed, whatever is expected; its face is never named here."""
    shoe, draw, profile = table.shoe, sighting.id.ordinal, table.setup.profile
    if shoe is None or shoe.load != sighting.id.load:
        return AnomalyKind.CARD_BEFORE_TIME, f"Draw {draw} came from a shoe that is not in play"
    if table.dealer is None and duty.is_hand_dealt(table):
        return AnomalyKind.DEALER_UNFIT, f"Draw {draw} came while nobody is signed on"
    if shoe.copies_out(card) >= shoe.decks:
        return AnomalyKind.IMPOSSIBLE_COPY, f"Draw {draw} would be copy {shoe.decks + 1} of {shoe.decks}"
    if sighting.repeated or _came_right_after(table, sighting, card):
        return AnomalyKind.DUPLICATE_READ, f"Draw {draw} came right after the same card"
    if not is_rescan and _is_burst(table, sighting):
        return AnomalyKind.STALE_BURST, f"Draw {draw} came faster than hands can deal, after a silence"
    # A rescanned or replayed card left the shoe before whatever stopped the table since.
    if table.is_stopped and not is_rescan and not _is_replaying(table):
        return AnomalyKind.CARD_BEFORE_TIME, f"Draw {draw} came while the table is stopped"
    if shoe.is_burnt and _is_before_deal(table):
        ended_ns = shoe.burn_ended_ns
        if ended_ns is not None and 0 <= sighting.at_ns - ended_ns < profile.quiet_after_burn_ms * _MS:
            return AnomalyKind.WRONG_BURN, f"Draw {draw} came right after the last burned card"
        return AnomalyKind.CARD_BEFORE_TIME, f"Draw {draw} came while betting was not closed"
    return None


def _is_replaying(table: Table) -> bool:
    """Tell whether the reader is still saying what was drawn before the link, or the process, was lost."""
    return not table.reader.ready and all(one.kind in _LINK_LOST for one in table.incidents if one.stops)


def _came_right_after(table: Table, sighting: Sighting, card: Card) -> bool:
    """Tell whether the same code came within the minimum draw interval.

    The clock starts anew when the machine does: a card from before then is no measure. A virtual shoe reads
    nothing, and so nothing twice.
    """
    last = table.last_card
    if last is None or last.card != card or table.setup.rules.shuffling is Shuffling.VIRTUAL:
        return False
    return 0 <= sighting.at_ns - last.at_ns < table.setup.profile.minimum_draw_interval_ms * _MS


def _is_burst(table: Table, sighting: Sighting) -> bool:
    """Tell whether cards came faster than hands can deal after a silence: bytes that were kept somewhere."""
    last, profile = table.last_card, table.setup.profile
    if last is None or table.setup.rules.shuffling is Shuffling.VIRTUAL or not table.reader.ready:
        return False
    is_fast = 0 <= sighting.at_ns - last.at_ns < profile.minimum_draw_interval_ms * _MS
    return is_fast and last.run + 1 >= profile.burst_cards


def _is_before_deal(table: Table) -> bool:
    return table.round is None or table.round.end is RoundEnd.CLOSED or is_betting(table.round)
