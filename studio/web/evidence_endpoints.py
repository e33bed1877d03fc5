"""The evidence's endpoints: search of past rounds, their replay, and the records of incidents. They only read.

For supervisors, managers and auditors, and nobody else. One looks back at a time, in a thread, so that the tables
keep the machine.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any, Final, TypeVar

from fastapi import APIRouter, Depends, Query, Response
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from studio.domain.people import Role
from studio.domain.setup import TableSetup
from studio.evidence.document import Document, document
from studio.evidence.records import NoSuchRecordError, record_at
from studio.evidence.replay import NoSuchRoundError, Replay, replay
from studio.ports.evidence import MOST_FOUND, Evidence, Found, Wanted
from studio.settings import Slug
from studio.web.desk import ERRORS, Live, Who, bearer, floor_of, json_answer
from studio.web.errors import ApiError, Problem, forbidden, malformed
from studio.web.floor import Floor

READERS: Final = frozenset({Role.SUPERVISOR, Role.MANAGER, Role.AUDITOR})
"""Who may look back on everybody's rounds; all others are refused (deny by default)."""

_LARGEST: Final = 2**63 - 1
_FOUND: Final[TypeAdapter[Any]] = TypeAdapter(Found)
_REPLAY: Final[TypeAdapter[Any]] = TypeAdapter(Replay)
_ERRORS: Final = ERRORS | {500: {"model": Problem, "description": "The journal is wrong; the text says where."}}
_REACHED: Final = r"^([a-z0-9-]+:[0-9]{1,18}(,[a-z0-9-]+:[0-9]{1,18})*)?$"
"""How far a search has come at each table, such as ``t1:1042,t2:77``."""

T = TypeVar("T")

router = APIRouter(prefix="/v1", dependencies=[Depends(bearer)])


class Searching(BaseModel):
    """Which rounds are looked for; every condition given must hold.

    Times are wall nanoseconds, of the beginning of a round's betting; ``until`` is not included. ``kind`` is an
    anomaly's, ``any`` for any, ``dispute``, or an act such as ``round-voided``. ``after`` is of the answer before.
    """

    model_config = ConfigDict(extra="forbid")

    table: Slug | None = None
    player: Slug | None = None
    since: int | None = Field(default=None, ge=0, le=_LARGEST)
    until: int | None = Field(default=None, ge=0, le=_LARGEST)
    card: str | None = Field(default=None, pattern=r"^[2-9TJQKA][SHDC]$")
    kind: Slug | None = None
    incident: int | None = Field(default=None, ge=1, le=2**53)
    after: str = Field(
        default="", max_length=10_000, pattern=r"^([a-z0-9-]+:[0-9]{1,18}(,[a-z0-9-]+:[0-9]{1,18})*)?$"
    )
    limit: int = Field(default=25, ge=1, le=MOST_FOUND)

    def wanted(self) -> Wanted:
        """Return what is to be looked for; raise :class:`ApiError` for an incident of no table."""
        if self.incident is not None and self.table is None:
            message = "Name the table: incidents are numbered per table."
            raise malformed(message)
        reached = (part.split(":") for part in self.after.split(",") if part)
        return Wanted(
            table=self.table,
            player=self.player,
            since_wall_ns=self.since,
            until_wall_ns=self.until,
            card=self.card,
            kind=self.kind,
            incident=self.incident,
            after={table: int(sequence) for table, sequence in reached},
            limit=self.limit,
        )


class LookingBack:
    """One who may look back; deny by default."""

    def __init__(self, session: Who, floor: Annotated[Floor, Depends(floor_of)]) -> None:
        if not session.may(READERS):
            message = "Past rounds and records are for supervisors, managers and auditors."
            raise forbidden(message)
        self._floor = floor
        self.frames_per_second = floor.frames_per_second

    async def read(self, work: Callable[[Evidence], T]) -> T:
        """Do reading ``work`` in a thread; raise :class:`ApiError` where there is nothing, or nothing sound."""
        async with self._floor.looking_back:
            try:
                return await asyncio.to_thread(work, self._floor.evidence)
            except (NoSuchRoundError, NoSuchRecordError) as error:
                raise ApiError(HTTPStatus.NOT_FOUND, "no-such-record", _sentence(error)) from error
            except ValueError as error:
                raise ApiError(HTTPStatus.INTERNAL_SERVER_ERROR, "journal-wrong", _sentence(error)) from error


Back = Annotated[LookingBack, Depends()]


@router.get("/evidence/rounds", responses=_ERRORS, response_model=Found)
async def search(back: Back, query: Annotated[Searching, Query()]) -> Response:
    """Find past rounds, newest first; go on with ``after`` while it is not null."""
    wanted = query.wanted()
    return json_answer(await back.read(lambda evidence: _json(_FOUND, evidence.search(wanted))))


@router.get("/evidence/kinds", responses=_ERRORS)
async def kinds(back: Back) -> list[str]:
    """Return every kind that a search knows: any incident, each anomaly, acts by their name, disputes."""
    return await back.read(lambda evidence: [*evidence.kinds()])


@router.get("/tables/{table}/rounds/{number}/replay", responses=_ERRORS, response_model=Replay)
async def replay_of(table: Live, number: int, back: Back) -> Response:
    """Return a round step by step: the dealer's screen, the players', and what was recorded."""
    setup = table.setup
    return json_answer(await back.read(lambda evidence: _json(_REPLAY, replay(evidence, setup, number))))


@router.get("/tables/{table}/records/{sequence}", responses=_ERRORS)
async def record(table: Live, sequence: int, back: Back) -> Response:
    """Return the record that begins with an event, with its hash and that of its PDF."""
    made = await back.read(partial(_document, table.setup, sequence, back.frames_per_second))
    return json_answer(made.json)


@router.get("/tables/{table}/records/{sequence}/pdf", responses=_ERRORS, response_class=Response)
async def record_pdf(table: Live, sequence: int, back: Back) -> Response:
    """Return the same record as a PDF."""
    made = await back.read(partial(_document, table.setup, sequence, back.frames_per_second))
    name = f"record-{table.setup.table}-{sequence}.pdf"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(made.pdf, media_type="application/pdf", headers=headers)


def _document(setup: TableSetup, sequence: int, frames_per_second: int, evidence: Evidence) -> Document:
    return document(record_at(evidence, setup, sequence, frames_per_second))


def _json(form: TypeAdapter[Any], value: object) -> str:
    return form.dump_json(value).decode()


def _sentence(error: Exception) -> str:
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}."
