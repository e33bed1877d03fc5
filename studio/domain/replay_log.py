"""Reading a round's log for a replay: which changes it holds, and which of its events follow by themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from studio.domain.changes import CardValue, Change, OutOfPlay, Placed
from studio.domain.events import (
    AnomalyDetected,
    CardBurned,
    CardDealt,
    Cause,
    DecisionAsked,
    DecisionTaken,
    Event,
    FollowAsked,
    FollowClosed,
    HoleRevealed,
    IncidentEscalated,
    IncidentResolved,
    InsuranceClosed,
    InsuranceOffered,
    PeekDone,
    RescanAsked,
    RoundCorrected,
    SharedWindowClosed,
)
from studio.domain.table import Table

Fold = Callable[[Table, Event], Table]
"""The fold of events, given by the caller."""

_INCIDENTS = AnomalyDetected | IncidentResolved | IncidentEscalated | RescanAsked


def corrections_in(log: Iterable[Event]) -> tuple[Change, ...]:
    """Return the changes that a round's log has made already, oldest first."""
    return tuple(change for event in log if isinstance(event, RoundCorrected) for change in event.changes)


def merged(changes: tuple[Change, ...]) -> tuple[Change, ...]:
    """Let the newest change of a draw's value, and of its place, stand for the older ones."""
    found: dict[tuple[int, bool], Change] = {}
    for change in changes:
        if isinstance(change, CardValue | OutOfPlay | Placed):
            found[change.draw, isinstance(change, CardValue)] = change
    return tuple(found.values())


def fresh_times(start: Table, log: tuple[Event, ...], fold: Fold, end_ns: int) -> tuple[int, ...]:
    """Return, for each event and the end, since when time stood still at the correction that comes next.

    A window that only the replay opens has its whole time from then on.
    """
    table, stops = start, []
    for event in log:
        if isinstance(event, _INCIDENTS):
            table = fold(table, event)
        stops.append(table.stopped_ns or 0 if isinstance(event, RoundCorrected) else None)
    times = [end_ns]
    for stop in reversed(stops):
        times.append(times[-1] if stop is None else stop)
    return tuple(reversed(times))


def is_same(step: Event, event: Event) -> bool:
    """Tell whether what follows by itself is what the log has here, values and deadlines aside."""
    if type(step) is not type(event):
        return False
    match step, event:
        case (DecisionTaken() as one, DecisionTaken() as other):
            return one.hand == other.hand and other.cause is Cause.NO_ANSWER
        case (DecisionAsked() as one, DecisionAsked() as other) | (FollowAsked() as one, FollowAsked() as other):
            return one.hand == other.hand
        case (CardDealt() as one, CardDealt() as other) | (CardBurned() as one, CardBurned() as other):
            return one.draw == other.draw
        case (SharedWindowClosed() as one, SharedWindowClosed() as other):
            return one.decision == other.decision
        case (InsuranceOffered() | InsuranceClosed() | FollowClosed() | PeekDone() | HoleRevealed(), _):
            return True
        case _:
            return step == event


def with_deadline_of(step: Event, event: Event) -> Event:
    """Return what follows by itself, a window with the deadline that it had."""
    match step, event:
        case (InsuranceOffered(), InsuranceOffered()):
            return event
        case (DecisionAsked(), DecisionAsked(deadline_ns=deadline_ns)):
            return replace(step, deadline_ns=deadline_ns)
        case (FollowAsked(), FollowAsked(deadline_ns=deadline_ns)):
            return replace(step, deadline_ns=deadline_ns)
        case _:
            return step
