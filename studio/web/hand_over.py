"""The hand-over report between shifts (S15): what is open at every table, on one page. Read-only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic import BaseModel

from studio.domain.instants import Instant
from studio.domain.people import SUPERVISING, Role
from studio.domain.phases import phase
from studio.domain.proposals import words
from studio.domain.shelving import shelf_of
from studio.domain.table import Incident
from studio.web.desk import ERRORS, Who, bearer, floor_of
from studio.web.errors import forbidden
from studio.web.floor import Floor
from studio.web.live_table import LiveTable

_MINUTE_NS = 60_000_000_000
_READING = SUPERVISING | {Role.AUDITOR}


class OpenIncident(BaseModel):
    """An incident that is handed over; ``owner`` is empty where nobody holds it, ``shelved`` says why it waits."""

    incident: int
    kind: str
    level: str
    detail: str
    minutes_open: int
    owner: str
    offered_to: str
    shelved_until_wall_ns: int | None = None
    shelved: str = ""


class OpenProposal(BaseModel):
    """What waits for a second person."""

    proposal: int
    words: str
    reason: str
    text: str
    by: str


class TableHandedOver(BaseModel):
    """One table: who deals and since when, where the round stands, and what is open."""

    table: str
    name: str
    phase: str
    round: int
    dealer: str
    minutes_at_table: int | None
    incidents: list[OpenIncident]
    proposals: list[OpenProposal]


class HandOver(BaseModel):
    """The report; tables with something open come first."""

    at_wall_ns: int
    tables: list[TableHandedOver]


router = APIRouter(prefix="/v1", dependencies=[Depends(bearer)])


@router.get("/hand-over", responses={key: ERRORS[key] for key in (401, 403)})
async def hand_over(session: Who, floor: Annotated[Floor, Depends(floor_of)]) -> HandOver:
    """Return what a shift hands over: open incidents and proposals, tables, how long their dealers sit there."""
    if not session.may(_READING):
        message = "The hand-over report is for supervisors, managers and auditors."
        raise forbidden(message)
    return report(floor.tables.values(), floor.clock.now())


def report(tables: Iterable[LiveTable], now: Instant) -> HandOver:
    """Put the report together."""
    lines = [_line(live, now) for live in tables]
    lines.sort(key=lambda line: (not line.incidents and not line.proposals, line.table))
    return HandOver(at_wall_ns=now.wall_ns, tables=lines)


def _line(live: LiveTable, now: Instant) -> TableHandedOver:
    table = live.table
    duty = table.dealer
    return TableHandedOver(
        table=live.setup.table,
        name=live.setup.name,
        phase=phase(table),
        round=table.rounds,
        dealer=duty.name if duty else "",
        minutes_at_table=(now.wall_ns - duty.since_wall_ns) // _MINUTE_NS if duty else None,
        incidents=[_incident(one, now) for one in table.incidents],
        proposals=[
            OpenProposal(
                proposal=one.number, words=words(one.act), reason=one.act.reason, text=one.act.text, by=one.name
            )
            for one in table.proposals
        ],
    )


def _incident(one: Incident, now: Instant) -> OpenIncident:
    shelf = shelf_of(one, now)
    return OpenIncident(
        incident=one.number,
        kind=one.kind,
        level=one.level,
        detail=one.detail,
        minutes_open=max(0, now.monotonic_ns - one.since_ns) // _MINUTE_NS,
        owner=one.owner_name,
        offered_to=one.offered_to,
        shelved_until_wall_ns=shelf.until_wall_ns if shelf else None,
        shelved=shelf.text if shelf else "",
    )
