"""What a supervisor reads before a ruling: the last readings, a settled round's cards, who else may rule.

These only read; what is hidden stays so.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends
from pydantic import BaseModel, Field

from studio.domain.correction_views import DrawView, ReadingView
from studio.domain.people import SUPERVISING
from studio.web.desk import ERRORS, Live, Who, bearer, floor_of
from studio.web.errors import ApiError, Problem, forbidden
from studio.web.floor import Floor
from studio.web.sign_in import Session
from studio.web.views import ROLES_THAT_SEE, Audience

_NO_ROUND: Final[dict[int | str, dict[str, Any]]] = {
    404: {"model": Problem, "description": "No such table, or no settled round of that number."}
}


class Colleague(BaseModel):
    """Somebody who may rule."""

    id: str = Field(examples=["sue"])
    name: str = Field(examples=["Sue"])


router = APIRouter(prefix="/v1", dependencies=[Depends(bearer)])


def _looking(session: Who) -> Session:
    if not session.may(ROLES_THAT_SEE[Audience.SUPERVISOR]):
        message = "This is for supervisors, managers and auditors."
        raise forbidden(message)
    return session


Looking = Annotated[Session, Depends(_looking)]


@router.get("/supervisors", responses={key: ERRORS[key] for key in (401, 403)})
async def supervisors(session: Who, floor: Annotated[Floor, Depends(floor_of)]) -> list[Colleague]:
    """List who may put tables right: to whom an incident can be handed over."""
    if not session.may(SUPERVISING):
        message = "Only a supervisor hands incidents over."
        raise forbidden(message)
    return [Colleague(id=one.id, name=one.name) for one in floor.sign_in.supervising()]


@router.get("/tables/{table}/readings", responses=ERRORS)
async def readings(table: Live, _session: Looking) -> list[ReadingView]:
    """Return the last readings with the bytes behind them, newest first; what is hidden is sealed."""
    return list(table.readings())


@router.get("/tables/{table}/rounds/{number}/draws", responses=ERRORS | _NO_ROUND)
async def draws(
    table: Live, number: int, floor: Annotated[Floor, Depends(floor_of)], _session: Looking
) -> list[DrawView]:
    """Return the cards of a settled round by their draws, to name them in a revision."""
    async with floor.looking_back:
        found = await table.settled_draws(number)
    if found is None:
        raise ApiError(HTTPStatus.NOT_FOUND, "no-such-record", f"Round {number} of this table is not settled.")
    return list(found)
