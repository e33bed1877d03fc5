"""The endpoints of legal holds, for supervisors: nothing of a held round is ever taken out of the journal."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Depends, Path
from pydantic import BaseModel, ConfigDict, Field

from studio.domain.people import Role
from studio.ports.custody import Hold
from studio.web.desk import COMMAND_ERRORS, ERRORS, Desk, Live, Who, bearer, floor_of
from studio.web.errors import forbidden, malformed
from studio.web.floor import Floor
from studio.web.sign_in import Session

router = APIRouter(prefix="/v1", dependencies=[Depends(bearer)])

Number = Annotated[int, Path(ge=1, le=2**53)]


class Reason(BaseModel):
    """Why; it goes into the record with the person's id and the time."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    reason: str = Field(min_length=1, max_length=1000, examples=["Dispute 12"])


Asked = Annotated[Reason, Body(openapi_examples={"dispute": {"value": {"reason": "Dispute 12"}}})]


class HeldRound(BaseModel):
    """A hold that lasts."""

    table: str = Field(examples=["t1"])
    round: int
    person: str = Field(examples=["sam"])
    reason: str = Field(examples=["Dispute 12"])
    since_wall_ns: int


@router.get("/holds", responses={key: ERRORS[key] for key in (401, 403)})
def holds(session: Who, floor: Annotated[Floor, Depends(floor_of)]) -> list[HeldRound]:
    """List the rounds under a legal hold."""
    _supervisor(session)
    return _shown(floor)


@router.post("/tables/{table}/rounds/{number}/hold", responses=COMMAND_ERRORS)
async def hold(table: Live, number: Number, desk: Desk, body: Asked) -> list[HeldRound]:
    """Place a legal hold on a round; placing it again changes nothing. Answers with all holds."""
    asked = Hold(table.setup.table, number, _supervisor(desk.session), body.reason, desk.floor.clock.now().wall_ns)
    try:
        await desk.floor.custody.hold(asked, desk.floor.clock.now())
    except ValueError as error:
        raise malformed(str(error)) from error
    return _shown(desk.floor)


@router.post("/tables/{table}/rounds/{number}/release", responses=COMMAND_ERRORS)
async def release(table: Live, number: Number, desk: Desk, body: Asked) -> list[HeldRound]:
    """Release a legal hold; releasing it again changes nothing. Answers with all holds."""
    asked = Hold(table.setup.table, number, _supervisor(desk.session), body.reason, desk.floor.clock.now().wall_ns)
    try:
        await desk.floor.custody.release(asked, desk.floor.clock.now())
    except ValueError as error:
        raise malformed(str(error)) from error
    return _shown(desk.floor)


def _supervisor(session: Session) -> str:
    actor = session.actor(frozenset({Role.SUPERVISOR}))
    if actor is None:
        message = "Legal holds are the supervisors'."
        raise forbidden(message)
    return actor.id


def _shown(floor: Floor) -> list[HeldRound]:
    return [
        HeldRound(
            table=one.table, round=one.round, person=one.person, reason=one.reason, since_wall_ns=one.wall_ns
        )
        for one in floor.custody.holds()
    ]
