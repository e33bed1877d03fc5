"""Incidents: opened by the system, closed by a named person through a lawful way out (anomalies.md)."""

from __future__ import annotations

from studio.domain import counting, duty, remedies
from studio.domain.anomalies import CATALOGUE, AnomalyKind, Level, WayOut
from studio.domain.answers import Accepted, Answer, Rejected
from studio.domain.bets import batch_of
from studio.domain.commands import ResolveIncident
from studio.domain.correctable import can_correct, can_enter
from studio.domain.events import (
    AnomalyDetected,
    CardBurned,
    CardDiscarded,
    CauseCleared,
    CauseReturned,
    DealerSignedOff,
    DiscardsLoaded,
    DuplicateMarked,
    Event,
    HeldCardReleased,
    IncidentEscalated,
    IncidentResolved,
    PackQuarantined,
    ReaderChanged,
    RecountOrdered,
    RescanAsked,
    RoundsBlocked,
    RoundVoided,
    ShoeClosed,
    ShoeEnd,
)
from studio.domain.evolve import evolve
from studio.domain.instants import Instant
from studio.domain.loads import fresh_load
from studio.domain.misdeals import facts_of, offered
from studio.domain.people import Actor, Role
from studio.domain.phases import Phase, expected_slot, open_deadline_ns, phase
from studio.domain.profile import InsufficientCards
from studio.domain.record_commands import (
    RecordReader,
    RecordRestart,
    RecordWarning,
)
from studio.domain.refunds import can_void, refunds
from studio.domain.rules import Shuffling
from studio.domain.shoe_commands import ReportForeignCard
from studio.domain.slots import Face
from studio.domain.table import Draw, Incident, Table

_MS = 1_000_000
_CONDITIONS = frozenset({AnomalyKind.SCANNER_DOWN, AnomalyKind.WRONG_MODE, AnomalyKind.RECORDING_LOST})
"""Incidents about a condition of reader or recorder: they outlive a void while the cause is there."""


def open_incident(  # noqa: PLR0913, PLR0917 - the facts of an incident
    table: Table, kind: AnomalyKind, draw: int | None, detail: str, stopped_ns: int, level: Level | None = None
) -> AnomalyDetected:
    """Return the event that opens the table's next incident, at the catalogue's level or another."""
    return AnomalyDetected(table.incident_count + 1, kind, draw, detail, stopped_ns, level)


def extended_deadline_ns(table: Table, closing: Incident, now_ns: int) -> int | None:
    """Return the open window's new deadline when the last incident closes: what was left, or the grace (E1)."""
    deadline_ns = open_deadline_ns(table.round)
    goes_on = closing.stops and not any(one.stops for one in table.incidents if one != closing)
    if deadline_ns is None or table.stopped_ns is None or not goes_on:
        return None
    return now_ns + max(deadline_ns - table.stopped_ns, table.setup.profile.resume_grace_ms * _MS)


def ways_out(table: Table, incident: Incident, role: Role) -> tuple[WayOut, ...]:
    """Return the lawful ways out of an incident for a role, as things stand."""
    allowed = CATALOGUE[incident.kind].ways_out(role)
    if role is Role.DEALER and incident.level is Level.SUSPEND:
        return ()
    facts = facts_of(table, incident)
    if facts is not None:
        allowed &= offered(facts, table.setup.profile)
    found = tuple(way for way in WayOut if way in allowed and _is_lawful(table, incident, way))
    if found or role is Role.DEALER or not allowed:
        return found
    return _last_resort(table, incident)


def _last_resort(table: Table, incident: Incident) -> tuple[WayOut, ...]:
    """Return the way out where none of the kind's own is left, so that no table stands still for ever.

    A condition that is still there has none between rounds: it ends when its cause is gone. No round is voided for
    a warning, which stops nothing.
    """
    if incident.stops and can_void(table):
        return (WayOut.VOID,)
    latched = CATALOGUE[incident.kind].latches and not incident.cleared
    return () if latched else (WayOut.GO_ON if incident.stops else WayOut.ACKNOWLEDGE,)


def _is_lawful(  # noqa: C901, PLR0911, PLR0912 - one case per way out
    table: Table, incident: Incident, way: WayOut
) -> bool:
    draw = None if incident.draw is None else table.loose_draw(incident.draw)
    match way:
        case WayOut.ACKNOWLEDGE:
            return not incident.stops and not incident.blocks_rounds
        case WayOut.GO_ON if not remedies.is_possible(table, incident, way):
            return False
        case WayOut.GO_ON:
            return _can_go_on(table, incident)
        case WayOut.RESCAN | WayOut.DISCARD:
            return draw is not None and draw.card is None
        case WayOut.USE_NEXT | WayOut.MARK_DUPLICATE:
            # A card of another load is no card of this shoe.
            shoe = table.shoe
            return draw is not None and draw.card is not None and shoe is not None and draw.is_of(shoe)
        case WayOut.BURN:
            return draw is not None and draw.card is not None and table.shoe is not None
        case WayOut.CHANGE_SHOE:
            if incident.kind is AnomalyKind.CARD_BEFORE_TIME:
                return phase(table) is Phase.IDLE and table.shoe is None
            return phase(table) is Phase.IDLE
        case WayOut.RECOUNT | WayOut.QUARANTINE | WayOut.REPLACE_DEALER:
            return _is_lawful_beside_cards(table, incident, way)
        case WayOut.LOAD_DISCARDS:
            return _are_discards_loaded(table)
        case WayOut.VOID:
            return can_void(table)
        case WayOut.ENTER:
            return can_enter(table, incident)
        case (
            WayOut.CORRECT | WayOut.MOVE | WayOut.OUT_OF_PLAY | WayOut.REBUILD | WayOut.DRAW_NOW | WayOut.DEAD_HAND
        ):
            return can_correct(table, incident, way)
        case _:
            return remedies.is_possible(table, incident, way)


def _can_go_on(table: Table, incident: Incident) -> bool:
    if CATALOGUE[incident.kind].latches:
        return incident.cleared and (incident.stops or incident.blocks_rounds)
    return incident.stops and (incident.kind is not AnomalyKind.CRASH_RECOVERY or table.reader.ready)


def _is_lawful_beside_cards(table: Table, incident: Incident, way: WayOut) -> bool:
    """Tell whether a way out about a pack of cards, or about the dealer, is lawful."""
    if way is WayOut.REPLACE_DEALER:
        # A card that came meanwhile is ruled on first: nothing else would ask about it again.
        return table.dealer is not None and (incident.draw is None or table.loose_draw(incident.draw) is None)
    return way is WayOut.QUARANTINE or _can_recount(table, incident)


def _can_recount(table: Table, incident: Incident) -> bool:
    """Between rounds always; in mid-round where the shoe is in doubt, and only a pack that can be told apart."""
    if counting.doubted_pack(table, incident.kind) is None:
        return False
    return phase(table) is Phase.IDLE or (incident.level is Level.SUSPEND and can_void(table))


def _are_discards_loaded(table: Table) -> bool:
    """S7: the profile allows it, the reader counts a new load in mid-round, and no held card waits."""
    allowed = table.setup.profile.insufficient_cards is InsufficientCards.LOAD_DISCARDS
    shoe, reader = table.shoe, table.reader
    is_loaded = shoe is not None and reader.ready and reader.load != shoe.load
    return allowed and is_loaded and not table.loose and phase(table) is not Phase.IDLE


def resolve(table: Table, incident: Incident, command: ResolveIncident, at: Instant) -> Accepted:
    """Close an incident by a way out that is lawful and corrects nothing, or ask for another rescan."""
    if command.way_out is WayOut.VOID:
        return Accepted(void_events(table, command.reason, command.text))
    if command.way_out is WayOut.RESCAN:
        return Accepted((RescanAsked(incident.number, 0),))
    if command.way_out is WayOut.CHANGE_SHOE:
        return Accepted(_change_shoe(table, incident, command))
    if command.way_out is WayOut.RECOUNT:
        return Accepted(_recount(table, incident, command))
    effects = _effects(table, incident, command.way_out) or remedies.effects(
        table, incident, command.way_out, at.monotonic_ns
    )
    if remedies.keeps_open(table, command.way_out):
        return Accepted(effects)
    deadline_ns = extended_deadline_ns(table, incident, at.monotonic_ns)
    closing = IncidentResolved(incident.number, command.way_out, command.reason, command.text, deadline_ns)
    return Accepted(
        (*effects, *_staff_effects(table, incident, command, at), closing, *_burn_after(table, incident, command))
    )


def _staff_effects(table: Table, incident: Incident, command: ResolveIncident, at: Instant) -> tuple[Event, ...]:
    if command.way_out is WayOut.REPLACE_DEALER and table.dealer is not None:
        return (DealerSignedOff(table.dealer.dealer, at.wall_ns),)
    put_away = command.way_out is WayOut.QUARANTINE
    doubted = counting.doubted_pack(table, incident.kind) if put_away else None
    return (PackQuarantined(doubted.id, command.reason),) if doubted is not None else ()


def _burn_after(table: Table, incident: Incident, command: ResolveIncident) -> tuple[Event, ...]:
    owed = table.shoe is not None and not table.shoe.is_burnt
    return () if owed else duty.burn_after(table, incident.kind, command.way_out)


def _recount(table: Table, incident: Incident, command: ResolveIncident) -> tuple[Event, ...]:
    """Have all cards of the doubted pack counted: the round is void, the shoe closed, not yet quarantined."""
    pack, shoe = counting.doubted_pack(table, incident.kind), table.shoe
    voided = void_events(table, command.reason, command.text) if can_void(table) else ()
    closed = (ShoeClosed(shoe.id, ShoeEnd.CHANGED),) if shoe is not None else ()
    ordered = (RecountOrdered(pack.id),) if pack is not None else ()
    resolved = tuple(
        IncidentResolved(one.number, command.way_out, command.reason, command.text, None)
        for one in table.incidents
        if one == incident or one.draw is not None
    )
    return (*voided, *closed, *ordered, *resolved)


def report_foreign_card(table: Table, command: ReportForeignCard, actor: Actor, now_ns: int) -> Answer:
    """A person saw a card that is not of this shoe: with the shoe, or before one is loaded."""
    kind = AnomalyKind.SHOE_UNVERIFIED if table.shoe is None else AnomalyKind.FOREIGN_CARD
    if table.find_incident(kind):
        return Accepted()
    if table.shoe is None and not table.life.packs:
        return Rejected("no-shoe", "There is no shoe and no pack of cards that it could be about")
    return Accepted((open_incident(table, kind, None, f"{actor.name}: {command.text}", now_ns),))


def _change_shoe(table: Table, incident: Incident, command: ResolveIncident) -> tuple[Event, ...]:
    """Close the shoe, and with it every incident about one of its cards."""
    quarantine = CATALOGUE[incident.kind].quarantines
    shoe = table.shoe.id if table.shoe else ""
    closed = (one for one in table.incidents if one == incident or one.draw is not None)
    return (
        ShoeClosed(shoe, ShoeEnd.QUARANTINED if quarantine else ShoeEnd.CHANGED),
        *(IncidentResolved(one.number, WayOut.CHANGE_SHOE, command.reason, command.text, None) for one in closed),
    )


def _effects(table: Table, incident: Incident, way: WayOut) -> tuple[Event, ...]:
    if way is WayOut.LOAD_DISCARDS and (load := fresh_load(table)) is not None:
        return (DiscardsLoaded(load),)
    draw = None if incident.draw is None else table.loose_draw(incident.draw)
    if draw is None:
        return ()
    match way:
        case WayOut.USE_NEXT:
            return (HeldCardReleased(draw.number),)
        case WayOut.BURN:
            owed = table.shoe is not None and not table.shoe.is_burnt
            return (HeldCardReleased(draw.number),) if owed else _put_away(draw)
        case WayOut.MARK_DUPLICATE:
            return (DuplicateMarked(draw.number),)
        case WayOut.DISCARD:
            return (CardDiscarded(draw.number),)
        case _:
            return ()


def _put_away(draw: Draw) -> tuple[Event, ...]:
    if draw.card is None:
        return (CardDiscarded(draw.number),)
    return (CardBurned(draw.number, draw.sighting, draw.card, Face.DOWN, draw.at_ns),)


def void_events(table: Table, reason: str, text: str) -> tuple[Event, ...]:
    """Return what a void of the open round leads to: a full refund, and all incidents closed that can be (R15)."""
    closed = tuple(
        IncidentResolved(one.number, WayOut.VOID, reason, text, None)
        for one in table.incidents
        if one.stops and (one.kind not in _CONDITIONS or one.cleared)
    )
    shoe, end = table.shoe, _end_of_shoe(table)
    ended = (ShoeClosed(shoe.id, end),) if end and shoe else ()
    return (*_voided(table, reason, text), *closed, *ended)


def _end_of_shoe(table: Table) -> ShoeEnd | None:
    """Return how the shoe ends with a void: one that cannot be trusted is not dealt from again."""
    if any(CATALOGUE[one.kind].quarantines for one in table.incidents):
        return ShoeEnd.QUARANTINED
    return ShoeEnd.CHANGED if table.find_incident(AnomalyKind.ORDER_NOT_RANDOM) else None


def _voided(table: Table, reason: str, text: str) -> tuple[Event, ...]:
    quarantine = _end_of_shoe(table) is ShoeEnd.QUARANTINED
    away = () if quarantine else tuple(event for draw in table.loose for event in _put_away(draw))
    return (*away, RoundVoided(batch_of(*refunds(table)), reason, text))


def record_reader(table: Table, command: RecordReader, now_ns: int) -> Accepted:
    """Record that a reader came or went; losing the primary one holds the table (scanner-down)."""
    witness = table.setup.witness
    if witness is not None and command.device == witness.device:
        gone = ReaderChanged(command.device, command.ready, command.load, command.ordinal, command.reason)
        return Accepted((gone,) if command.ready is not table.witness.ready else ())
    reader = table.reader
    changed = ReaderChanged(command.device, command.ready, command.load, command.ordinal, command.reason)
    if command.load is None and not command.ready:
        changed = ReaderChanged(command.device, command.ready, reader.load, reader.ordinal, command.reason)
    down = table.find_incident(AnomalyKind.SCANNER_DOWN)
    if command.ready:
        same = reader.ready and changed.load == reader.load
        events: tuple[Event, ...] = () if same else (changed,)
        return Accepted((*events, CauseCleared(down.number)) if down and not down.cleared else events)
    if not reader.ready:
        return Accepted()
    if down is not None:
        return Accepted((changed, CauseReturned(down.number)))
    return Accepted((changed, open_incident(table, AnomalyKind.SCANNER_DOWN, None, command.reason, now_ns)))


def record_warning(table: Table, command: RecordWarning, now_ns: int) -> Accepted:
    """Record a condition of a device or of the machine: it latches until its cause is gone and somebody says so.

    A condition whose rule heals is closed by the studio itself.
    """
    second = table.setup.second_reader
    if second is not None and command.device == second.device:
        # Its own trouble stops nothing: the cards that it does not read are counted as not covered.
        return Accepted()
    incident = table.find_incident(command.kind)
    if command.kind is AnomalyKind.SHOE_EMPTY and not _is_card_owed(table):
        return Accepted()
    if command.active:
        if incident is None:
            opened = open_incident(table, command.kind, None, command.text, now_ns)
            return Accepted((opened, *_blocking(opened.incident, command)))
        grown = () if incident.blocks_rounds else _blocking(incident.number, command)
        return Accepted((*((CauseReturned(incident.number),) if incident.cleared else ()), *grown))
    if incident is None or incident.cleared:
        return Accepted()
    cleared = CauseCleared(incident.number)
    if not CATALOGUE[incident.kind].heals:
        return Accepted((cleared,))
    deadline_ns = extended_deadline_ns(table, incident, now_ns)
    return Accepted(
        (cleared, IncidentResolved(incident.number, WayOut.GO_ON, "healed", command.text, deadline_ns))
    )


def _blocking(incident: int, command: RecordWarning) -> tuple[Event, ...]:
    return (RoundsBlocked(incident, command.text),) if command.blocks else ()


def _is_card_owed(table: Table) -> bool:
    if table.shoe is None or not table.shoe.is_burnt:
        return table.shoe is not None
    return table.round is not None and expected_slot(table.setup.rules, table.round) is not None


def record_restart(table: Table, command: RecordRestart, now_ns: int) -> Accepted:
    """After a restart the link is unproven, and an open round waits until the felt is compared."""
    reader = table.reader
    events: tuple[Event, ...] = ()
    if reader.ready:
        events = (ReaderChanged(table.setup.reader, False, reader.load, reader.ordinal, "Restarted"),)
    second = table.setup.second_reader
    if second is not None and table.witness.ready:
        events = (*events, ReaderChanged(second.device, False, None, None, "Restarted"))
    if phase(table) is Phase.IDLE or table.find_incident(AnomalyKind.CRASH_RECOVERY) is not None:
        return Accepted(events)
    detail = "Confirm what lies on the felt before the next card"
    opened = open_incident(table, AnomalyKind.CRASH_RECOVERY, None, detail, command.stopped_ns)
    if table.setup.rules.shuffling is not Shuffling.VIRTUAL:
        return Accepted((*events, opened))
    # Nothing lies on a felt: the virtual shoe goes on where it stood, with the deadlines extended.
    stopped = evolve(table, opened)
    deadline_ns = extended_deadline_ns(stopped, stopped.incidents[-1], now_ns)
    resolved = IncidentResolved(opened.incident, WayOut.GO_ON, "virtual-shoe", "No felt to compare", deadline_ns)
    return Accepted((*events, opened, resolved))


def disagree(table: Table, now_ns: int) -> Answer:
    """The dealer says that screen and felt differ: settlement or resumption waits for the supervisor."""
    restarted = table.find_incident(AnomalyKind.CRASH_RECOVERY)
    if restarted is not None and restarted.level is not Level.SUSPEND:
        detail = "The felt differs from the screen"
        return Accepted((IncidentEscalated(restarted.number, Level.SUSPEND, detail),))
    if phase(table) is Phase.COMMIT and not table.is_stopped:
        detail = "The dealer disagrees with the result on the screen"
        return Accepted((open_incident(table, AnomalyKind.RESULT_MISMATCH, None, detail, now_ns),))
    return Rejected("nothing-to-disagree", "There is no result to disagree with; call the supervisor instead")
