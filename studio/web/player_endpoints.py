"""The players' endpoints: bets, seats, decisions, insurance, what is chosen ahead, and what was played.

Nothing is decided here but for whom somebody may play; the table decides the rest.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Annotated, Final

from fastapi import APIRouter, Body, Depends, Query, Response
from pydantic import BaseModel, ConfigDict, Field

from studio.domain.commands import (
    AnswerFollow,
    AnswerInsurance,
    Command,
    Decide,
    LeaveSeat,
    PlaceBets,
    PlanAction,
    SetFollowing,
    TakeSeat,
)
from studio.domain.people import Role
from studio.domain.rules import Layout
from studio.domain.shared_commands import (
    DecideAll,
    InsureAll,
)
from studio.ports.history import PlayedRound
from studio.settings import Slug
from studio.web import player_bodies as bodies
from studio.web.answers import answer_one
from studio.web.desk import COMMAND_ERRORS, ERRORS, Accepted, Desk, Live, Who, bearer, floor_of, player_of
from studio.web.errors import forbidden, malformed
from studio.web.floor import Floor
from studio.web.live_table import LiveTable

_PLAYING: Final = frozenset({Role.PLAYER, Role.OPERATOR})
MOST_ROUNDS: Final = 100
"""Rounds in one answer of the history."""

router = APIRouter(prefix="/v1/tables/{table}", dependencies=[Depends(bearer)])


class Looking(BaseModel):
    """Which rounds of the history are asked for."""

    model_config = ConfigDict(extra="forbid")

    player: Slug | None = None
    limit: int = Field(default=50, ge=1, le=MOST_ROUNDS)
    before: int | None = Field(default=None, ge=1, le=2**53)


class Played(BaseModel):
    """Rounds that a player had a bet in, newest first."""

    rounds: tuple[PlayedRound, ...]


def _is_shared(table: LiveTable) -> bool:
    return table.setup.rules.layout is Layout.SHARED_HAND


@router.post("/bets", responses=COMMAND_ERRORS, response_model=Accepted)
async def place_bets(
    table: Live, desk: Desk, body: Annotated[bodies.Bets, Body(openapi_examples=bodies.BETS_EXAMPLES)]
) -> Response:
    """Place bets; each is answered on its own."""
    actor = desk.actor(PlaceBets)
    if actor.role is Role.PLAYER and len(body.bets) > bodies.MOST_BETS_OF_ONE:
        text = f"A player places up to {bodies.MOST_BETS_OF_ONE} bets at once; split the batch"
        raise malformed(text)
    asked = body.asked(partial(player_of, actor), desk.floor.sign_in.is_trial)
    return await desk.submit(table, asked, actor, body)


@router.post("/seats", responses=COMMAND_ERRORS, response_model=Accepted)
async def sit(
    table: Live, desk: Desk, body: Annotated[bodies.Seat, Body(openapi_examples=bodies.SEAT_EXAMPLES)]
) -> Response:
    """Take a seat, or give it back."""
    actor = desk.actor(LeaveSeat if body.action == "leave" else TakeSeat)
    asked = body.asked(partial(player_of, actor), desk.floor.sign_in.is_trial)
    return await desk.submit(table, asked, actor, body)


@router.post("/decisions", responses=COMMAND_ERRORS, response_model=Accepted)
async def decide(
    table: Live, desk: Desk, body: Annotated[bodies.AnyDecision, Body(openapi_examples=bodies.DECISION_EXAMPLES)]
) -> Response:
    """Play a hand that was asked, for one player or for many."""
    return await _answer(table, desk, body, DecideAll if _is_shared(table) else Decide)


@router.post("/insurance", responses=COMMAND_ERRORS, response_model=Accepted)
async def insure(
    table: Live, desk: Desk, body: Annotated[bodies.AnyInsurance, Body(openapi_examples=bodies.INSURANCE_EXAMPLES)]
) -> Response:
    """Take or decline insurance, for one player or for many."""
    return await _answer(table, desk, body, InsureAll if _is_shared(table) else AnswerInsurance)


async def _answer(
    table: LiveTable,
    desk: Desk,
    body: bodies.Decision | bodies.Decisions | bodies.Insurance | bodies.Insurances,
    kind: type[Command],
) -> Response:
    """Hand one answer or a batch to a table of either layout; one is answered alike on both."""
    actor = desk.actor(kind)
    who = partial(player_of, actor)
    match body:
        case bodies.Decisions() | bodies.Insurances() if _is_shared(table):
            return await desk.submit(table, body.asked_together(who), actor, body)
        case bodies.Decisions() | bodies.Insurances():
            return await desk.submit_each(table, body.asked(who), actor, body)
        case _ if _is_shared(table):
            return await desk.submit(table, body.asked_together(who), actor, body, respond=answer_one)
        case _:
            return await desk.submit(table, body.asked(who), actor, body)


@router.post("/plans", responses=COMMAND_ERRORS, response_model=Accepted)
async def plan(
    table: Live, desk: Desk, body: Annotated[bodies.PlannedAction, Body(openapi_examples=bodies.PLAN_EXAMPLES)]
) -> Response:
    """Choose ahead what to do with a hand."""
    return await _own(table, desk, body, PlanAction, body.asked)


@router.post("/following", responses=COMMAND_ERRORS, response_model=Accepted)
async def set_following(
    table: Live, desk: Desk, body: Annotated[bodies.Following, Body(openapi_examples=bodies.FOLLOWING_EXAMPLES)]
) -> Response:
    """Say for all rounds whether bets behind follow."""
    return await _own(table, desk, body, SetFollowing, body.asked)


@router.post("/follow", responses=COMMAND_ERRORS, response_model=Accepted)
async def follow(
    table: Live, desk: Desk, body: Annotated[bodies.FollowAnswer, Body(openapi_examples=bodies.FOLLOW_EXAMPLES)]
) -> Response:
    """Say whether a bet behind follows the double or split that is asked about."""
    return await _own(table, desk, body, AnswerFollow, body.asked)


async def _own(
    table: LiveTable,
    desk: Desk,
    body: BaseModel,
    kind: type[Command],
    asked: Callable[[bodies.WhoPlays], Command],
) -> Response:
    actor = desk.actor(kind)
    return await desk.submit(table, asked(partial(player_of, actor)), actor, body)


@router.get("/history", responses=ERRORS)
async def history(
    table: Live, session: Who, floor: Annotated[Floor, Depends(floor_of)], query: Annotated[Looking, Query()]
) -> Played:
    """Return the rounds that a player had a bet in, newest first; ``before`` a round's number goes on from there.

    A player reads their own, an operator names the player. A card that nobody was shown is in none.
    """
    actor = session.actor(_PLAYING)
    if actor is None:
        message = "The history is for players and their operators."
        raise forbidden(message)
    player = player_of(actor, query.player)
    read = partial(floor.history.rounds, table.setup.table, player, before=query.before, limit=query.limit)
    async with floor.looking_back:
        return Played(rounds=await asyncio.to_thread(read))
