"""The count of a campaign: what was injected, what became of it, and the errors that must not be."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

from studio.campaign.faults import HARMLESS, RULES, Fault
from studio.domain.anomalies import AnomalyKind

_KEPT: Final = 20


@dataclass(slots=True)
class Injected:
    """One fault that was injected, until its round is over."""

    fault: Fault
    detected: bool = False
    lasts: bool = False
    """Whether it can still be found after its round: a shoe without its cut card."""


@dataclass(slots=True)
class Row:
    """What became of one kind of fault."""

    injected: int = 0
    detected: int = 0
    missed: int = 0
    false_alarms: int = 0
    wrong_cards: int = 0
    money_errors: int = 0
    unwitnessed: int = 0
    """Rounds settled on another card than lay there, which no device had seen: part of what was missed."""
    kinds: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class Tally:
    """All counts. ``failures`` are rounds that stood still or raised, with what reproduces them."""

    rows: dict[Fault, Row] = field(default_factory=lambda: {fault: Row() for fault in Fault})
    rounds: int = 0
    settled: int = 0
    voided: int = 0
    quiet_rounds: int = 0
    alarms: Counter[str] = field(default_factory=Counter)
    """False alarms by anomaly: incidents in rounds without a fault, or of what is none."""
    ways: Counter[str] = field(default_factory=Counter)
    wrong_cards: int = 0
    money_errors: int = 0
    unwitnessed: int = 0
    failed: int = 0
    failures: list[str] = field(default_factory=list)

    @property
    def is_clean(self) -> bool:
        """Whether no wrong card was accepted, no money wrong, and no round stood still."""
        return not (self.wrong_cards or self.money_errors or self.failed)

    def alarm(self, kind: AnomalyKind, active: list[Injected], *, stops: bool) -> None:
        """Count an incident for the fault that it names, for another that is active, or as a false alarm."""
        real = [one for one in active if one.fault not in HARMLESS]
        named = next((one for one in real if kind in RULES[one.fault].named and not one.detected), None)
        found = named or next((one for one in real if not (one.detected or one.lasts) and stops), None)
        if found is not None:
            found.detected = True
            self.rows[found.fault].detected += 1
            self.rows[found.fault].kinds[kind] += 1
        elif not real:
            self.alarms[kind] += 1
            blamed = (
                active[0].fault
                if active
                else next((fault for fault, rule in RULES.items() if kind in rule.named), None)
            )
            if blamed is not None:
                self.rows[blamed].false_alarms += 1

    def close(self, active: list[Injected]) -> list[Injected]:
        """Count what nobody found; return the faults that can still be."""
        for one in active:
            if not one.detected and not one.lasts and one.fault not in HARMLESS:
                self.rows[one.fault].missed += 1
        return [one for one in active if one.lasts and not one.detected]

    def fail(self, where: str, what: str) -> None:
        """Note a round that must not be, with what reproduces it."""
        if len(self.failures) < _KEPT:
            self.failures.append(f"{where}: {what}")

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return {
            "rounds": self.rounds,
            "settled": self.settled,
            "voided": self.voided,
            "quiet_rounds": self.quiet_rounds,
            "wrong_accepted_cards": self.wrong_cards,
            "money_errors": self.money_errors,
            "unwitnessed": self.unwitnessed,
            "failed_rounds": self.failed,
            "failures": self.failures,
            "false_alarms": dict(self.alarms),
            "ways_out": dict(self.ways),
            "faults": {
                fault.value: {
                    "injected": row.injected,
                    "detected": row.detected,
                    "missed": row.missed,
                    "false_alarms": row.false_alarms,
                    "wrong_accepted_cards": row.wrong_cards,
                    "money_errors": row.money_errors,
                    "unwitnessed": row.unwitnessed,
                    "anomalies": dict(row.kinds),
                }
                for fault, row in self.rows.items()
            },
        }

    def merge(self, other: Tally) -> None:
        """Add another tally's counts to this one."""
        for fault, row in other.rows.items():
            mine = self.rows[fault]
            for name in (
                "injected",
                "detected",
                "missed",
                "false_alarms",
                "wrong_cards",
                "money_errors",
                "unwitnessed",
            ):
                setattr(mine, name, getattr(mine, name) + getattr(row, name))
            mine.kinds += row.kinds
        for name in (
            "rounds",
            "settled",
            "voided",
            "quiet_rounds",
            "wrong_cards",
            "money_errors",
            "unwitnessed",
            "failed",
        ):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.alarms += other.alarms
        self.ways += other.ways
        self.failures = (self.failures + other.failures)[:_KEPT]
