"""The dealer's present step, as a name that changes with each: for the limit on how long one takes."""

from __future__ import annotations

from studio.domain.phases import Phase, expected_slot, phase
from studio.domain.rules import Shuffling
from studio.domain.table import Table


def dealer_step(table: Table) -> str | None:
    """Return the dealer's present step, ``None`` while the table waits for others, is stopped, or has no round."""
    current, shoe = table.round, table.shoe
    if current is None or shoe is None or table.is_stopped or table.setup.rules.shuffling is Shuffling.VIRTUAL:
        return None
    now = phase(table)
    is_due = now is Phase.COMMIT or expected_slot(table.setup.rules, current) is not None
    return f"{current.number}:{now}:{shoe.out}" if is_due else None
