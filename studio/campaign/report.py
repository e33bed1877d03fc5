"""The campaign's answer in words: a row for each kind of fault."""

from __future__ import annotations

from collections.abc import Iterator

from studio.campaign.faults import HARMLESS, Fault
from studio.campaign.tally import Row, Tally

_HEAD = ("injected", "detected", "missed", "false alarms", "wrong cards", "money errors", "unwitnessed")


def lines(tally: Tally) -> Iterator[str]:
    """Yield the lines of the report."""
    yield f"{'fault':24}" + "".join(f"{name:>14}" for name in _HEAD)
    for fault in Fault:
        row = tally.rows[fault]
        if row.injected or row.false_alarms:
            yield _row(fault, row)
    yield ""
    yield f"{tally.rounds} rounds: {tally.settled} settled, {tally.voided} void, {tally.failed} failed"
    alarms = ", ".join(f"{kind} {count}" for kind, count in sorted(tally.alarms.items())) or "none"
    yield f"{tally.quiet_rounds} rounds without a fault; false alarms there and of harmless play: {alarms}"
    yield f"wrong accepted cards: {tally.wrong_cards}"
    yield f"money errors: {tally.money_errors}"
    yield f"settled on a card that no device saw and no eye caught: {tally.unwitnessed}"
    yield from tally.failures


def _row(fault: Fault, row: Row) -> str:
    found = ("-", "-") if fault in HARMLESS else (row.detected, row.missed)
    cells = (row.injected, *found, row.false_alarms, row.wrong_cards, row.money_errors, row.unwitnessed)
    return f"{fault.value:24}" + "".join(f"{cell:>14}" for cell in cells)
