"""What kind of case a record is, and which clauses it rests on. Kinds and ways out go by name: new ones fit in."""

from __future__ import annotations

from typing import Final, NamedTuple

from studio.domain.anomalies import AnomalyKind, Level, WayOut
from studio.domain.people import Role

_INTEGRITY: Final = frozenset(
    {
        *("impossible-copy", "foreign-card", "shoe-count", "missing-card-suspected", "order-not-random"),
        *("shoe-unverified", "reverse-movement", "rules-mismatch", "journal-broken", "commit-failed", "disk-low"),
        *("clock-jump", "recording-lost", "internal-fault", "crash-recovery", "manual-abuse", "dealer-unfit"),
        *("cut-card-position", "misdeal-rate", "rules-changed"),
    }
)
"""Anomalies that question the cards, the people, the rules or the record, rather than one step of play."""

_CLASS_OF_WAY: Final = {
    "void": "void",
    "correct": "correct",
    "move": "correct",
    "rebuild": "correct",
    "out-of-play": "correct",
    "draw-now": "correct",
    "camera-value": "correct",
    "dead-hand": "correct",
    "enter": "manual-entry",
    "use-next": "override",
    "accept": "override",
    "keep-scan": "override",
    "by-camera": "override",
    "mark-duplicate": "override",
}
"""``override``: somebody decided that the table goes on against what the system objected to."""

_CLASS_OF_EVENT: Final = {
    "round-voided": "void",
    "round-corrected": "correct",
    "round-revised": "correct",
    "hands-died": "correct",
    "hidden-card-opened": "opening",
    "card-entered": "manual-entry",
    "dispute-opened": "dispute",
    "pack-quarantined": "integrity",
    "recount-ordered": "integrity",
    "misdeal-reported": "report",
}

_CLAUSES_OF_KIND: Final = {
    "impossible-copy": ("rules.md S6",),
    "shoe-empty": ("rules.md S7",),
    "cut-card-missing": ("rules.md S4",),
    "wrong-burn": ("rules.md S2",),
    "card-before-time": ("rules.md R1", "rules.md R2"),
    "extra-card": ("rules.md R2", "rules.md R12"),
    "result-mismatch": ("rules.md R14",),
    "crash-recovery": ("rules.md R16",),
}
_CLAUSES_OF_CLASS: Final = {
    "hold": ("rules.md E1",),
    "suspend": ("rules.md E1",),
    "void": ("rules.md R15",),
    "dispute": ("rules.md R16",),
}
_PLAYER_CONCERN: Final = "player-concern"


class Course(NamedTuple):
    """How a case went: ``by`` closed it, ``cleared`` says that its cause was gone then.

    ``events`` are the names of its own events.
    """

    kind: str
    level: str
    way_out: str
    by: Role | None
    cleared: bool
    events: frozenset[str]


def classes_of(course: Course) -> set[str]:
    """Return the classes of a case: its level, and what was done in it."""
    found = {_CLASS_OF_EVENT[name] for name in course.events & _CLASS_OF_EVENT.keys()}
    if course.level in set(Level):
        found.add(course.level)
    if course.kind in _INTEGRITY:
        found.add("integrity")
    if course.kind == _PLAYER_CONCERN:
        found.add(_PLAYER_CONCERN)
    if course.way_out in _CLASS_OF_WAY:
        found.add(_CLASS_OF_WAY[course.way_out])
    is_stop_of_their_own = course.kind == AnomalyKind.SUPERVISOR_STOP
    goes_on = course.way_out == WayOut.GO_ON and course.by is Role.SUPERVISOR
    if goes_on and not course.cleared and not is_stop_of_their_own:
        found.add("override")
    return found


def clauses_of(kind: str, classes: set[str]) -> tuple[str, ...]:
    """Return the clauses of the reference that say what is to be done in such a case."""
    of_kind = _CLAUSES_OF_KIND.get(kind, ())
    of_classes = [clause for name in sorted(classes) for clause in _CLAUSES_OF_CLASS.get(name, ())]
    row = (f"anomalies.md {kind}",) if kind in set(AnomalyKind) else ()
    return tuple(dict.fromkeys((*row, *of_kind, *of_classes)))
