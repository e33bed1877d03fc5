"""How the fields of an older version of an event become those of the next: plain JSON in and out, no classes.

What is written here once is never changed: somewhere lies a journal that needs it.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any


def results_in_groups(fields: dict[str, Any]) -> dict[str, Any]:
    """``round-settled`` 1 had six columns; 2 has groups of one seat, hand and kind, in the same order."""
    results = fields["results"]
    rows = zip(
        *(results[name] for name in ("seats", "hands", "kinds", "players", "stakes", "returned")), strict=True
    )
    groups = []
    for (seat, hand, kind), some in groupby(rows, key=lambda row: row[:3]):
        players, stakes, returned = map(list, zip(*(row[3:] for row in some), strict=True))
        alike = {"seat": seat, "hand": hand, "kind": kind}
        groups.append({**alike, "players": players, "stakes": stakes, "returned": returned})
    return fields | {"results": {"groups": groups}}
