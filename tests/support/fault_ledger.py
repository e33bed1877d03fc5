"""What a running studio has written, read from its file as anybody may: incidents, rounds, cards and money."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from studio.adapters.sqlite_store import open_read_only
from studio.domain.money import table_account
from support.studio_folder import TABLE, StudioFolder

_CARDS = ("card-dealt", "card-burned")
_DRAWS = (*_CARDS, "card-held", "card-unread")


@dataclass(frozen=True, slots=True)
class Closed:
    """An incident with how and by whom it was closed; ``way_out`` is empty while it is open."""

    kind: str
    way_out: str = ""
    by: str = ""


class Ledger:
    """One table's stream; ``since`` is a sequence, and what came after it is looked at."""

    def __init__(self, folder: StudioFolder) -> None:
        self.folder = folder

    def sequence(self) -> int:
        """Return the sequence of the last event."""
        return self._number("SELECT max(sequence) FROM events WHERE table_id = ?", TABLE)

    def cards(self, since: int) -> int:
        """Return how many cards were dealt or burned."""
        query = "SELECT count(*) FROM events WHERE table_id = ? AND sequence > ? AND name IN (?, ?)"
        return self._number(query, TABLE, since, *_CARDS)

    def last_draw(self) -> int:
        """Return the ordinal of the last card on record, read or not."""
        query = """
            SELECT json_extract(payload, '$.draw') FROM events WHERE table_id = ? AND name IN (?, ?, ?, ?)
            ORDER BY sequence DESC LIMIT 1
        """
        return self._number(query, TABLE, *_DRAWS)

    def incidents(self, since: int) -> list[Closed]:
        """Return the incidents opened, in order."""
        found: dict[int, Closed] = {}
        for name, actor, payload in self._events(since):
            if name == "anomaly-detected":
                found[payload["incident"]] = Closed(payload["kind"])
            elif name == "incident-resolved" and payload["incident"] in found:
                kind = found[payload["incident"]].kind
                found[payload["incident"]] = Closed(kind, payload["way_out"], actor)
        return list(found.values())

    def rounds(self, since: int) -> list[str]:
        """Return how the rounds ended that were closed: settled, voided, or without a bet."""
        ends = {"round-settled": "settled", "round-voided": "voided"}
        found: list[str] = []
        end = "without a bet"
        for name, _, _ in self._events(since):
            if name in ends:
                end = ends[name]
            elif name == "round-closed":
                found.append(end)
                end = "without a bet"
        return found

    def names(self, since: int) -> list[str]:
        """Return the names of the events."""
        return [name for name, _, _ in self._events(since)]

    def check_money(self) -> None:
        """Check that no unit was made or lost, and that no stake lay on the table after the last round."""
        assert self._number("SELECT sum(amount) FROM balances") == 0
        stakes = table_account(TABLE)
        # Of the transfers up to the last round's end; their id is "{table}:{sequence}:{index}".
        lying = self._number(
            """
            WITH ended AS (
                SELECT max(sequence) AS sequence FROM events WHERE table_id = ? AND name = 'round-closed'
            ),
            moved AS (
                SELECT source, target, amount, CAST(substr(id, length(?) + 2) AS INTEGER) AS sequence
                FROM transfers WHERE id GLOB ? || ':*'
            )
            SELECT coalesce(sum(CASE ? WHEN target THEN amount WHEN source THEN -amount ELSE 0 END), 0)
            FROM moved JOIN ended ON moved.sequence <= ended.sequence
            """,
            *(TABLE, TABLE, TABLE, stakes),
        )
        assert lying == 0, f"{lying} minor units lay on the table between rounds"

    def _events(self, since: int) -> Iterator[tuple[str, str, dict[str, Any]]]:
        query = "SELECT name, actor_id, payload FROM events WHERE table_id = ? AND sequence > ? ORDER BY sequence"
        with closing(open_read_only(self.folder.journal)) as connection:
            for name, actor, payload in connection.execute(query, (TABLE, since)).fetchall():
                yield name, actor, json.loads(payload)

    def _number(self, query: str, *arguments: str | int) -> int:
        with closing(open_read_only(self.folder.journal)) as connection:
            (found,) = connection.execute(query, arguments).fetchone()
        return int(found or 0)
