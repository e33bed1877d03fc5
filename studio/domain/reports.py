"""What the dealer reports beside the cards, and what the shell finds out about the table.

A misdeal, a boxed card, a card read by the camera alone; a step that takes too long, rules that differ.
"""

from __future__ import annotations

from studio.domain.anomalies import AnomalyKind, Level
from studio.domain.answers import Accepted, Answer, Rejected
from studio.domain.commands import ConfirmCard, ReportConcern, ReportMisdeal
from studio.domain.events import (
    AnomalyDetected,
    CardDealt,
    CardExposed,
    CauseCleared,
    CauseReturned,
    Event,
    IncidentEscalated,
    MisdealReported,
    SupervisorCalled,
    WitnessJudged,
)
from studio.domain.fusion import proposed_card
from studio.domain.incidents import open_incident
from studio.domain.instants import Instant
from studio.domain.phases import expected_slot, is_dealt, phase
from studio.domain.record_commands import (
    RecordOverrun,
    RecordRules,
)
from studio.domain.steps import dealer_step
from studio.domain.table import Incident, Table
from studio.domain.tiles import TILE_KINDS, TILE_WORDS, Tile
from studio.domain.witness import Verdict

_ABOUT_A_HELD_CARD = frozenset({AnomalyKind.EXTRA_CARD, AnomalyKind.CARD_BEFORE_TIME, AnomalyKind.DUPLICATE_READ})
_UNREAD = frozenset({AnomalyKind.NO_READ, AnomalyKind.UNKNOWN_CODE, AnomalyKind.HOLE_UNREAD})


def report_misdeal(table: Table, command: ReportMisdeal, at: Instant) -> Answer:
    """Stop the table and ask for the supervisor; what is open already about the same card is raised (D14)."""
    seats = table.setup.rules.seats
    if command.seat is not None and not 0 <= command.seat <= seats:
        return Rejected("no-such-seat", f"Seats are 1 to {seats}, 0 is the dealer's place")
    called: tuple[Event, ...] = () if table.call else (SupervisorCalled(at.wall_ns),)
    known = _known(table, command.tile)
    if known is None:
        kind, draw, words = _kind(table, command.tile), _draw(table, command.tile), _words(command)
        opened = AnomalyDetected(table.incident_count + 1, kind, draw, words, at.monotonic_ns, Level.SUSPEND)
        reported: tuple[Event, ...] = (opened, MisdealReported(opened.incident, command.tile, command.seat))
    else:
        reported = tuple(_raised(known, command))
    return Accepted((*reported, *called))


def _known(table: Table, tile: Tile) -> Incident | None:
    """Return the open incident that a tile is about, if there is one."""
    kinds = {Tile.EXPOSED: _ABOUT_A_HELD_CARD, Tile.SURPLUS_CARD: _ABOUT_A_HELD_CARD, Tile.UNREADABLE: _UNREAD}
    wanted = kinds.get(tile, frozenset({TILE_KINDS[tile]}))
    return next((one for one in table.incidents if one.kind in wanted and one.stops), None)


def _raised(known: Incident, command: ReportMisdeal) -> list[Event]:
    events: list[Event] = []
    if known.level is not Level.SUSPEND:
        events.append(IncidentEscalated(known.number, Level.SUSPEND, f"{known.detail}; {_words(command)}"))
    if known.tile is not command.tile or known.seat != command.seat:
        events.append(MisdealReported(known.number, command.tile, command.seat))
    if command.tile is Tile.EXPOSED and known.draw is not None and known.revealed is not True:
        events.append(CardExposed(known.draw))
    return events


def _kind(table: Table, tile: Tile) -> AnomalyKind:
    """The tile *exposed* with the hole card on the felt and nothing in hand is about the hole card."""
    current = table.round
    if tile is Tile.EXPOSED and current is not None and is_dealt(current) and not current.hole_revealed:
        return AnomalyKind.HOLE_EXPOSED
    return TILE_KINDS[tile]


def _draw(table: Table, tile: Tile) -> int | None:
    """The newest card of the round is what a misplaced card, or one on the floor, is."""
    about_newest = {Tile.WRONG_SEAT, Tile.MISSED_SEAT, Tile.ON_FLOOR}
    if tile not in about_newest or table.round is None or not table.round.draws:
        return None
    return table.round.draws[-1].draw


def _words(command: ReportMisdeal) -> str:
    where = {None: "", 0: ", dealer"}.get(command.seat, f", seat {command.seat}")
    return f"The dealer reports: {TILE_WORDS[command.tile]}{where}"


def report_concern(table: Table, command: ReportConcern, now_ns: int) -> Answer:
    """Put what a player said before a supervisor; each flag is a case of its own (C37)."""
    seats = table.setup.rules.seats
    if command.seat is not None and not 1 <= command.seat <= seats:
        return Rejected("no-such-seat", f"Seats are 1 to {seats}")
    where = "" if command.seat is None else f", seat {command.seat}"
    return Accepted((open_incident(table, AnomalyKind.PLAYER_CONCERN, None, f"{command.concern}{where}", now_ns),))


def report_boxed_card(table: Table, now_ns: int) -> Answer:
    """Hold the table until the card is drawn and put away."""
    if table.shoe is None:
        return Rejected("no-shoe", "No shoe is in play")
    if table.is_stopped:
        return Rejected("table-stopped", "Resolve the open incident first")
    detail = "The dealer sees it"
    return Accepted((open_incident(table, AnomalyKind.BOXED_CARD, None, detail, now_ns),))


def confirm_card(table: Table, command: ConfirmCard, now_ns: int) -> Answer:
    """Deal the card that the camera reads at the place that is due, with the dealer's word for it."""
    proposed, current = proposed_card(table), table.round
    if proposed is None or current is None:
        return Rejected("no-camera-card", "The camera has no card for the place that is due")
    claim, card = proposed
    if claim.sighting != command.sighting:
        return Rejected("no-camera-card", "The camera reads another card now; look again")
    slot = expected_slot(table.setup.rules, current)
    if slot is None or table.shoe is None:
        return Rejected("no-camera-card", "No card is due")
    if table.shoe.copies_out(card) >= table.shoe.decks:
        detail = f"The camera reads copy {table.shoe.decks + 1} of {table.shoe.decks}"
        return Accepted((open_incident(table, AnomalyKind.IMPOSSIBLE_COPY, None, detail, now_ns),))
    # Below zero: the reader's own numbers belong to the cards that it counted.
    draw = -claim.sighting.ordinal
    return Accepted((CardDealt(draw, claim.sighting, card, slot, now_ns), WitnessJudged(draw, Verdict.RULED)))


def record_overrun(table: Table, command: RecordOverrun, at: Instant) -> Accepted:
    """Cue the dealer whose step lasts too long; the second time the supervisor is called."""
    if dealer_step(table) != command.step:
        return Accepted()
    if command.stage > 1:
        return Accepted(() if table.call else (SupervisorCalled(at.wall_ns),))
    if table.find_incident(AnomalyKind.PHASE_OVERRUN):
        return Accepted()
    detail = f"{phase(table)}: longer than {table.setup.profile.phase_limit_seconds} s"
    return Accepted((open_incident(table, AnomalyKind.PHASE_OVERRUN, None, detail, at.monotonic_ns),))


def record_rules(table: Table, command: RecordRules, now_ns: int) -> Accepted:
    """Compare the rules that the table plays with those that are shown and published (C27)."""
    own, incident = table.setup.rules.hash, table.find_incident(AnomalyKind.RULES_MISMATCH)
    differing = [name for name in ("console", "published") if getattr(command, name) != own]
    if not differing:
        cleared = incident is not None and not incident.cleared
        return Accepted((CauseCleared(incident.number),) if incident is not None and cleared else ())
    if incident is not None:
        return Accepted((CauseReturned(incident.number),) if incident.cleared else ())
    shown = ", ".join(f"{name} {getattr(command, name)[:8]}" for name in differing)
    detail = f"The table plays by {own[:8]}; {shown}"
    return Accepted((open_incident(table, AnomalyKind.RULES_MISMATCH, None, detail, now_ns),))
