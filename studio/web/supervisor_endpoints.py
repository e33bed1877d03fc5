"""The supervisor's own endpoints: whether a table's results are odd. For nobody else."""

from __future__ import annotations

import asyncio
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Query
from pydantic import BaseModel, ConfigDict, Field

from studio.domain.people import Role
from studio.odds.statistics import Statistics, statistics
from studio.web.desk import ERRORS, Live, Who, bearer, floor_of
from studio.web.errors import forbidden
from studio.web.floor import Floor
from studio.web.live_table import LiveTable

_LOOKING: Final = frozenset({Role.SUPERVISOR})
MOST_ROUNDS: Final = 2000
"""Rounds in one answer of the statistics: about a second of reading."""

router = APIRouter(prefix="/v1/tables/{table}", dependencies=[Depends(bearer)])


class Range(BaseModel):
    """How many of the newest rounds are looked at."""

    model_config = ConfigDict(extra="forbid")

    rounds: int = Field(default=500, ge=1, le=MOST_ROUNDS)


class TableStatistics(BaseModel):
    """Expected against observed for a table."""

    table: str = Field(examples=["t1"])
    statistics: Statistics


@router.get("/statistics", responses=ERRORS)
async def table_statistics(
    table: Live, session: Who, floor: Annotated[Floor, Depends(floor_of)], query: Annotated[Range, Query()]
) -> TableStatistics:
    """Compare what the cards of a table's newest rounds did with what was to be expected, with exact tails."""
    if session.actor(_LOOKING) is None:
        message = "The statistics are for supervisors."
        raise forbidden(message)
    async with floor.looking_back:
        found = await asyncio.to_thread(_compare, floor, table, query.rounds)
    return TableStatistics(table=table.setup.table, statistics=found)


def _compare(floor: Floor, table: LiveTable, rounds: int) -> Statistics:
    return statistics(table.setup.rules, floor.settled.settled(table.setup.table, limit=rounds))
