"""Fusion: what follows from the claims of the second witness, one finding at a time.

Theory of operation. The reader alone puts cards in their places, and never waits. Beside each card of the round
stands what the camera claims of its place (:mod:`studio.domain.witness`). :func:`next_finding` compares the two
and returns the next thing that follows at a given moment: a card is confirmed, or was not seen in time, or
something is wrong. :func:`next_due_ns` says when to look again though nothing happened. Both are pure; a table
without a camera never comes here.
"""

from __future__ import annotations

from collections.abc import Iterator

from studio.domain import second_reader
from studio.domain.anomalies import AnomalyKind
from studio.domain.answers import Accepted
from studio.domain.cards import Card
from studio.domain.events import AnomalyDetected, CardWitnessed, Event, SingleSourceEnded, WitnessJudged
from studio.domain.evolve_witness import card_at, is_face_down
from studio.domain.hands import total
from studio.domain.phases import Phase, expected_slot, phase
from studio.domain.setup import CameraSetup, SecondReaderSetup, WitnessSetup
from studio.domain.sightings import (
    CardRead,
    FaceUpInShoe,
    Reading,
    Sighting,
    SlotCleared,
    SlotOccluded,
    SlotOccupied,
    TwoCards,
    Unreadable,
)
from studio.domain.table import Play, Round, RoundEnd, Table
from studio.domain.witness import Claim, Place, Seen, Verdict, Watched, place_of

_MS = 1_000_000
_PERCENT = 100
_RESULT = frozenset({Phase.COMMIT, Phase.SETTLEMENT})


def record_witness(table: Table, sighting: Sighting) -> Accepted:
    """Record what the witness claims; a claim that changes nothing, or comes from another device, is nothing."""
    if table.setup.second_reader is not None:
        return second_reader.record_reading(table, table.setup.second_reader, sighting)
    camera, seen = table.setup.camera, _seen(sighting.reading)
    if camera is None or sighting.id.device != camera.device or seen is None:
        return Accepted()
    if sighting.slot is None and seen is not Seen.FACE_UP_IN_SHOE:
        return Accepted()
    if sighting.suspect and seen is Seen.READ:
        seen = Seen.OCCUPIED
    card = sighting.reading.card if isinstance(sighting.reading, CardRead) and seen is Seen.READ else None
    before = table.witness.claim(place_of(sighting.slot) if sighting.slot else None)
    if before is not None and (before.seen, before.card) == (seen, card):
        return Accepted()
    if before is None and seen is Seen.CLEARED:
        return Accepted()
    if before is not None and before.seen is Seen.READ and seen in {Seen.OCCUPIED, Seen.OCCLUDED}:
        # A hand over a card that was read takes nothing back.
        return Accepted()
    permille, frame = sighting.confidence_permille, sighting.frame
    return Accepted((CardWitnessed(sighting.id, seen, sighting.slot, card, permille, frame, sighting.at_ns),))


def _seen(reading: Reading) -> Seen | None:
    match reading:
        case CardRead():
            return Seen.READ
        case SlotOccupied() | Unreadable():
            return Seen.OCCUPIED
        case SlotOccluded():
            return Seen.OCCLUDED
        case SlotCleared():
            return Seen.CLEARED
        case FaceUpInShoe():
            return Seen.FACE_UP_IN_SHOE
        case TwoCards():
            return Seen.TWO_CARDS
        case _:
            return None


def is_waiting(table: Table) -> bool:
    """Tell whether the settlement still waits for the witness; its deadline ends that."""
    current = table.round
    if table.setup.second_reader is not None:
        return second_reader.is_waiting(table)
    if table.setup.camera is None or current is None:
        return False
    unexplained = any(one.place and _is_unexplained(current, one) for one in table.witness.claims)
    return unexplained or any(one.verdict is None for one in table.witness.watched)


def next_finding(table: Table, at_ns: int) -> Event | None:
    """Return the next thing that follows from the claims at ``at_ns``; nothing is found on a stopped table."""
    witness = table.setup.witness
    if witness is None or table.is_stopped or table.witness.muted:
        return None
    return next(_findings(table, witness, at_ns), None)


def next_due_ns(table: Table) -> int | None:
    """Return the first moment at which silence becomes a finding, or the time of a single source is up."""
    witness = table.setup.witness
    if witness is None or table.is_stopped:
        return None
    if isinstance(witness, SecondReaderSetup):
        silence_ns = second_reader.next_due_ns(table, witness)
    else:
        silence_ns = _silence_due_ns(table, witness)
    due = (silence_ns, table.witness.single_source_until_ns)
    return min((one for one in due if one is not None), default=None)


def _silence_due_ns(table: Table, camera: CameraSetup) -> int | None:
    current = table.round
    if current is None or not _is_dealing(current):
        return None
    return min(
        (
            *(_due_ns(table, camera, one) for one in table.witness.watched if one.verdict is None),
            *(
                one.at_ns + camera.occupied_ms * _MS
                for one in table.witness.claims
                if _is_unexplained(current, one) and not table.witness.takes_over
            ),
        ),
        default=None,
    )


def _is_dealing(current: Round) -> bool:
    return not current.is_betting and current.end in {RoundEnd.NOT_YET, RoundEnd.COMMITTED}


def _findings(table: Table, witness: WitnessSetup, at_ns: int) -> Iterator[Event]:
    if _ends_single_source(table, witness, at_ns):
        yield SingleSourceEnded(table.witness.agreed)
    if isinstance(witness, SecondReaderSetup):
        yield from second_reader.findings(table, witness, at_ns, accepted=_is_single_source(table, at_ns))
        yield from _degraded(table, witness, at_ns)
    else:
        yield from _about_felt(table, witness, at_ns)


def _about_felt(table: Table, camera: CameraSetup, at_ns: int) -> Iterator[Event]:
    boxed = table.witness.claim(None)
    if boxed is not None and not boxed.ruled:
        yield _incident(table, AnomalyKind.BOXED_CARD, None, "At the shoe's mouth", at_ns)
    current = table.round
    if current is None or not _is_dealing(current):
        return
    for claim in table.witness.claims:
        if not claim.ruled:
            yield from _about_claim(table, current, claim, at_ns)
    for watched in table.witness.watched:
        if watched.verdict is None:
            yield from _about_card(table, camera, current, watched, at_ns)
    if not table.witness.takes_over:
        yield from _about_unexplained(table, camera, current, at_ns)
    yield from _degraded(table, camera, at_ns)


def _about_claim(table: Table, current: Round, claim: Claim, at_ns: int) -> Iterator[Event]:
    """What a claim says by itself, at once."""
    if claim.place is None:
        return
    watched = table.witness.watch(claim.place)
    draw = watched.draw if watched else None
    where = _words(claim.place)
    if claim.seen is Seen.TWO_CARDS:
        yield _incident(table, AnomalyKind.TWO_CARDS, draw, f"{where}: two cards where one was read", at_ns)
    elif claim.seen is Seen.READ and is_face_down(current, claim.place) and card_at(current, claim.place):
        yield _incident(table, AnomalyKind.HOLE_EXPOSED, draw, "The camera sees the hole card's face", at_ns)
    elif watched is not None and _is_collected_early(current, claim, watched):
        yield _incident(table, AnomalyKind.EARLY_COLLECT, draw, f"{where} is empty before the result", at_ns)
    elif watched is not None and _differs(current, claim, watched):
        is_result = phase(table) in _RESULT
        kind = AnomalyKind.RESULT_MISMATCH if is_result else AnomalyKind.SOURCE_DISAGREEMENT
        yield _incident(table, kind, draw, f"{where}: the camera reads another card", at_ns)


def _differs(current: Round, claim: Claim, watched: Watched) -> bool:
    if claim.seen is not Seen.READ or watched.verdict in {Verdict.RULED, Verdict.DIFFERENT}:
        return False
    return card_at(current, watched.place) not in {None, claim.card}


def _is_collected_early(current: Round, claim: Claim, watched: Watched) -> bool:
    """A card that lay there is gone before the result; bust and surrendered hands may be cleared away."""
    if claim.seen is not Seen.CLEARED or watched.verdict is None or claim.at_ns < watched.at_ns:
        return False
    if current.end is not RoundEnd.NOT_YET or watched.slot.hand is None:
        return current.end is RoundEnd.NOT_YET
    hand = current.hand(watched.slot.hand)
    return hand.play is not Play.SURRENDERED and not total(hand.cards).is_bust


def _about_card(
    table: Table, camera: CameraSetup, current: Round, watched: Watched, at_ns: int
) -> Iterator[Event]:
    """Whether a card of the round is confirmed, and what its silence means once it has lasted."""
    claim, covered = table.witness.claim(watched.place), table.witness.is_covered(watched.place)
    present = table.witness.is_present(watched.place)
    if claim is not None and _confirms(current, claim, watched):
        yield WitnessJudged(watched.draw, Verdict.AGREED)
    elif not present and (elsewhere := _elsewhere(table, current, watched)) is not None:
        yield _misplaced(table, current, watched, elsewhere, at_ns)
    elif at_ns < _due_ns(table, camera, watched):
        return
    elif table.witness.ready and not present and not _is_single_source(table, at_ns):
        detail = f"Draw {watched.draw} was read, {_words(watched.place)} is empty"
        yield _incident(table, AnomalyKind.READ_NOT_DEALT, watched.draw, detail, at_ns)
    else:
        known = table.find_incident(AnomalyKind.CAMERA_ABSENT)
        if known is None and not _is_single_source(table, at_ns):
            why = "something covers it" if covered else "no value in time"
            detail = f"{_words(watched.place)}: {why}"
            yield _incident(table, AnomalyKind.CAMERA_ABSENT, watched.draw, detail, at_ns)
        yield WitnessJudged(watched.draw, Verdict.ABSENT)


def _confirms(current: Round, claim: Claim, watched: Watched) -> bool:
    if is_face_down(current, watched.place):
        return claim.seen is Seen.OCCUPIED
    return claim.seen is Seen.READ and claim.card == card_at(current, watched.place)


def _due_ns(table: Table, camera: CameraSetup, watched: Watched) -> int:
    present, is_ready = table.witness.is_present(watched.place), table.witness.ready
    waits_ms = camera.deadline_ms if present or not is_ready else camera.empty_ms
    # A hole card that lies there and shows no face yet waits for the dealer's hand, not for the camera.
    turn_ms = camera.turn_ms if watched.turned and present and is_ready else 0
    return watched.at_ns + (turn_ms + waits_ms) * _MS


def _is_single_source(table: Table, at_ns: int) -> bool:
    until_ns = table.witness.single_source_until_ns
    return until_ns is not None and at_ns < until_ns


def _ends_single_source(table: Table, setup: WitnessSetup, at_ns: int) -> bool:
    """Tell whether the witness counts again: its cards agreed for long enough, or the time is up.

    Meanwhile only its silence means nothing; whatever it does claim was compared all the time.
    """
    witness = table.witness
    if witness.single_source_until_ns is None:
        return False
    return witness.agreed >= setup.agreed_in_a_row or not _is_single_source(table, at_ns)


def _elsewhere(table: Table, current: Round, watched: Watched) -> Claim | None:
    """Return the claim that this very card lies at a place where the round has none."""
    card = card_at(current, watched.place)
    for claim in table.witness.claims:
        same = claim.seen is Seen.READ and claim.card == card and not claim.ruled
        if same and claim.place and card_at(current, claim.place) is None and claim.at_ns >= watched.at_ns:
            return claim
    return None


def _misplaced(table: Table, current: Round, watched: Watched, claim: Claim, at_ns: int) -> Event:
    """At the place that is due next somebody was left out; anywhere else the card lies wrong."""
    due = expected_slot(table.setup.rules, current)
    skipped = due is not None and place_of(due) == claim.place and due.hand != watched.slot.hand
    kind = AnomalyKind.SKIPPED_DRAW if skipped else AnomalyKind.WRONG_POSITION
    there = _words(claim.place) if claim.place else ""
    detail = f"Draw {watched.draw} is due at {_words(watched.place)} and lies at {there}"
    return _incident(table, kind, watched.draw, detail, at_ns)


def _is_unexplained(current: Round, claim: Claim) -> bool:
    """Tell whether a card lies where the round has none."""
    lies = claim.seen in {Seen.READ, Seen.OCCUPIED} and not claim.ruled
    return lies and claim.place is not None and card_at(current, claim.place) is None


def _about_unexplained(table: Table, camera: CameraSetup, current: Round, at_ns: int) -> Iterator[Event]:
    """A card on the felt that the reader never told."""
    for claim in table.witness.claims:
        if not _is_unexplained(current, claim) or at_ns < claim.at_ns + camera.occupied_ms * _MS:
            continue
        newest = table.witness.watched[-1] if table.witness.watched else None
        due = expected_slot(table.setup.rules, current)
        where = _words(claim.place) if claim.place else ""
        detail = f"A card lies at {where} that the reader never told"
        if newest is not None and newest.at_ns > claim.at_ns:
            yield _incident(table, AnomalyKind.MISSCAN_LATE, None, detail, at_ns)
        elif newest is not None and _is_beside(newest, claim) and (due is None or place_of(due) != claim.place):
            yield _incident(table, AnomalyKind.TWO_CARDS, newest.draw, detail, at_ns)
        else:
            yield _incident(table, AnomalyKind.NO_READ, None, detail, at_ns)


def _is_beside(newest: Watched, claim: Claim) -> bool:
    return claim.place == Place(newest.slot.hand, newest.slot.position + 1)


def _degraded(table: Table, setup: WitnessSetup, at_ns: int) -> Iterator[Event]:
    """Too many cards without a value: the table needs a supervisor's word to go on with one source."""
    witness = table.witness
    full = witness.judged >= setup.coverage_cards
    poor = full and witness.covered * _PERCENT < setup.coverage_percent * witness.judged
    open_already = table.find_incident(AnomalyKind.CAMERA_DEGRADED) is not None
    is_bad = poor or witness.absent >= setup.absent_in_a_row
    if is_bad and not open_already and not _is_single_source(table, at_ns):
        detail = f"{witness.absent} missed in a row, {witness.covered} of the last {witness.judged} with a value"
        yield _incident(table, AnomalyKind.CAMERA_DEGRADED, None, detail, at_ns)


def _incident(table: Table, kind: AnomalyKind, draw: int | None, detail: str, at_ns: int) -> AnomalyDetected:
    return AnomalyDetected(table.incident_count + 1, kind, draw, detail, at_ns)


def _words(place: Place) -> str:
    hand = place.hand
    if hand is None:
        return f"dealer, card {place.position}"
    return (
        f"seat {hand.seat}, card {place.position}"
        if hand.number == 1
        else (f"seat {hand.seat}, hand {hand.number}, card {place.position}")
    )


def proposed_card(table: Table) -> tuple[Claim, Card] | None:
    """Return the card that the camera reads at the place that is due, while it stands in for the reader."""
    current = table.round
    if current is None or not table.witness.takes_over or table.is_stopped:
        return None
    due = expected_slot(table.setup.rules, current)
    claim = table.witness.claim(place_of(due)) if due else None
    if claim is None or claim.seen is not Seen.READ or claim.card is None or claim.ruled:
        return None
    return claim, claim.card
