"""Custody: what was done to the journal itself, each act with who and when, never edited.

The set-up that a table's events are to be read with, legal holds and their release, raw bytes taken out when their
years were over, upgrades, changes of keys, restores. Each act is a row with a record of its own. It knows what
acts look like and does none of them.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import asdict
from enum import StrEnum
from typing import Any, Final, NamedTuple

from pydantic import TypeAdapter, ValidationError

from studio.adapters.codec import canonical
from studio.adapters.sqlite_records import RecordKind, record
from studio.adapters.sqlite_writer import Layer
from studio.domain.setup import TableSetup
from studio.ports.custody import Hold

_INSERT: Final = "INSERT INTO custody VALUES (NULL, ?, ?, ?, ?)"
_SELECT: Final = "SELECT number, wall_ns, kind, person, body FROM custody"
_SETUPS: Final = TypeAdapter(TableSetup)


class ActKind(StrEnum):
    """What was done."""

    SETUP = "setup"
    HOLD = "hold"
    RELEASE = "release"
    RETENTION = "retention"
    UPGRADE = "upgrade"
    KEYS = "keys"
    RESTORE = "restore"


class Act(NamedTuple):
    """One act: ``person`` is the id of who did it, ``body`` JSON that depends on the kind."""

    number: int
    wall_ns: int
    kind: str
    person: str
    body: str

    @property
    def fields(self) -> dict[str, Any]:
        """The body, read; raises ``ValueError`` where it is no JSON object."""
        fields = json.loads(self.body)
        if not isinstance(fields, dict):
            message = f"the body of act {self.number} is no object"
            raise ValueError(message)  # noqa: TRY004 - wrong data, not a wrong type
        return fields


def enact(  # noqa: PLR0913, PLR0917 - the columns of an act
    connection: sqlite3.Connection, layer: Layer, kind: ActKind, person: str, wall_ns: int, fields: dict[str, Any]
) -> None:
    """Write an act and its record."""
    body = canonical(fields)
    number = connection.execute(_INSERT, (wall_ns, kind.value, person, body)).lastrowid
    record(connection, layer, RecordKind.CUSTODY, str(number), [(number, wall_ns, kind.value, person, body)])


def read_acts(connection: sqlite3.Connection, *kinds: ActKind) -> Iterator[Act]:
    """Yield the acts of some kinds in their order; without a kind, all."""
    for row in connection.execute(f"{_SELECT} ORDER BY number"):
        act = Act(*row)
        if not kinds or act.kind in kinds:
            yield act


def open_holds(connection: sqlite3.Connection) -> dict[tuple[str, int], Hold]:
    """Return the holds that were placed and not released, by table and round."""
    holds: dict[tuple[str, int], Hold] = {}
    for act in read_acts(connection, ActKind.HOLD, ActKind.RELEASE):
        fields = act.fields
        place = (fields["table"], fields["round"])
        if act.kind == ActKind.HOLD:
            holds[place] = Hold(*place, act.person, fields["reason"], act.wall_ns)
        else:
            holds.pop(place, None)
    return holds


def keep_setup(connection: sqlite3.Connection, layer: Layer, setup: TableSetup, person: str, wall_ns: int) -> None:
    """Write a table's set-up where it is not the last one kept: its events are read with it years later."""
    fields = {"table": setup.table, "setup": asdict(setup)}
    last = None
    for act in read_acts(connection, ActKind.SETUP):
        if act.fields["table"] == setup.table:
            last = {"table": setup.table, "setup": act.fields["setup"]}
    if last is None or canonical(last) != canonical(fields):
        after = layer.head(setup.table).sequence
        enact(connection, layer, ActKind.SETUP, person, wall_ns, {**fields, "after": after})


def read_setups(connection: sqlite3.Connection) -> dict[str, list[tuple[int, TableSetup]]]:
    """Return each table's set-ups in their order, each with the sequence after which it holds.

    Raises ``ValueError`` for one that is none.
    """
    setups: dict[str, list[tuple[int, TableSetup]]] = {}
    for act in read_acts(connection, ActKind.SETUP):
        fields = act.fields
        try:
            setup = _SETUPS.validate_json(canonical(fields["setup"]))
        except ValidationError as error:
            message = f"act {act.number} holds no set-up that this version reads: {error}"
            raise ValueError(message) from error
        setups.setdefault(fields["table"], []).append((fields["after"], setup))
    return setups
