"""The look-back for supervisors, managers and auditors: the rounds of a shoe, a pack, a batch or a time.

It answers as JSON or CSV.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Depends, Query, Response
from pydantic import BaseModel, ConfigDict, Field

from studio.look_back.report import Form, wall_ns_of, written
from studio.ports.look_back import LookBackQuery
from studio.web.desk import ERRORS, Who, bearer, floor_of
from studio.web.errors import forbidden, malformed
from studio.web.evidence_endpoints import READERS
from studio.web.floor import Floor

_MEDIA: Final = {Form.JSON: "application/json", Form.CSV: "text/csv; charset=utf-8"}

router = APIRouter(prefix="/v1", dependencies=[Depends(bearer)])


class Asked(BaseModel):
    """Which rounds; what is left out does not restrict. Times are ISO 8601, UTC where no zone is named."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    table: str = Field(default="", max_length=64)
    shoe: str = Field(default="", max_length=64)
    pack: str = Field(default="", max_length=64)
    batch: str = Field(default="", max_length=64)
    since: str = Field(default="", alias="from", max_length=40)
    until: str = Field(default="", alias="to", max_length=40)
    form: Literal["json", "csv"] = Field(default="json", alias="format")

    def query(self) -> LookBackQuery:
        """Return the port's query; raise ``ValueError`` for what is no time."""
        return LookBackQuery(
            self.table,
            self.shoe,
            self.pack,
            self.batch,
            wall_ns_of(self.since) if self.since else None,
            wall_ns_of(self.until) if self.until else None,
        )


@router.get("/look-back", responses={key: ERRORS[key] for key in (401, 403, 422)})
async def look_back(
    session: Who, floor: Annotated[Floor, Depends(floor_of)], asked: Annotated[Asked, Query()]
) -> Response:
    """Return every round that a doubtful shoe, batch or time touched, with each player's stakes and returns."""
    if not session.may(READERS):
        message = "The look-back is for supervisors, managers and auditors."
        raise forbidden(message)
    try:
        query = asked.query()
    except ValueError as error:
        raise malformed(str(error)) from error
    form = Form(asked.form)
    async with floor.looking_back:
        text = await asyncio.to_thread(lambda: written(tuple(floor.look_back.rounds(query)), form))
    return Response(text, media_type=_MEDIA[form])
