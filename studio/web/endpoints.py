"""The endpoints of ``/v1`` for everybody and for the desk: who, which tables, rules, views, commands.

Nothing is decided here but who may ask; the table decides the rest.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Depends, Response
from pydantic import BaseModel, Field

from studio.domain import projections
from studio.domain.commands import ALLOWED_ROLES, ResolveIncident
from studio.domain.correction_commands import HandOverIncident
from studio.domain.correction_views import Preview
from studio.domain.people import SUPERVISING, Role
from studio.domain.rules import RuleSet
from studio.domain.setup import Limits
from studio.odds.figures import figures_of
from studio.rule_sheet.forms import Language
from studio.web import bodies
from studio.web.desk import (
    COMMAND_ERRORS,
    ERRORS,
    Accepted,
    Desk,
    Incoming,
    Live,
    Who,
    bearer,
    floor_of,
    json_answer,
)
from studio.web.errors import forbidden, malformed
from studio.web.floor import Floor
from studio.web.live_table import LiveTable
from studio.web.views import Audience, Topic, View, day_of


class Me(BaseModel):
    """Who is signed in."""

    id: str = Field(examples=["ada"])
    name: str = Field(examples=["Ada"])
    roles: list[Role]


class TableLine(BaseModel):
    """One table of this host."""

    table: str = Field(examples=["t1"])
    name: str = Field(examples=["Table 1"])
    variant: str = Field(examples=["deluxe"])
    phase: str = Field(examples=["betting"])
    simulated: bool


class TableRules(BaseModel):
    """The rules of a table, as the engine has them.

    ``hash`` is the SHA-256 of ``parameters`` as JSON with sorted keys and no spaces; ``sheets`` are the addresses
    of the pages for people, by language. ``limits`` are minor units.
    """

    table: str = Field(examples=["t1"])
    line: str = Field(examples=["8 decks · S17 · 3:2 · rules 4f2a"])
    hash: str
    parameters: RuleSet
    limits: Limits
    sheets: dict[Language, str] = Field(examples=[{"en": "/rules/t1?lang=en"}])


class TableStrategy(BaseModel):
    """The best fixed strategy for a table's rules, calculated for exactly these.

    ``strategy`` has ``hard``, ``soft`` and ``pairs``, each by total or pair card and upcard. ``follow_split`` says
    by pair card and upcard what a bet behind does when the seat splits: ``F`` follow, ``1`` the first hand only.
    """

    table: str = Field(examples=["t1"])
    hash: str
    strategy: dict[str, dict[str, dict[str, str]]] = Field(examples=[{"hard": {"16": {"T": "H"}}}])
    follow_split: dict[str, dict[str, str]] = Field(examples=[{"8": {"T": "1"}}])


class ViewMessage(BaseModel):
    """A whole view; the feed sends the same."""

    topic: str = Field(examples=["tables/t1/dealer"])
    sequence: int
    server_wall_ns: int
    view: View


class Previewed(BaseModel):
    """What a command would do; ``sequence`` is the table's that it was decided on, for ``seen_sequence``."""

    sequence: int
    preview: Preview


router = APIRouter(prefix="/v1", dependencies=[Depends(bearer)])


@router.get("/me", responses={401: ERRORS[401]})
async def me(session: Who) -> Me:
    """Say who is signed in, and in which roles."""
    return Me(id=session.id, name=session.name, roles=list(session.roles))


@router.get("/tables", responses={401: ERRORS[401]})
async def tables(_session: Who, floor: Annotated[Floor, Depends(floor_of)]) -> list[TableLine]:
    """List this host's tables."""
    now = floor.clock.now()
    views = [projections.table_view(live.table, now) for live in floor.tables.values()]
    return [
        TableLine(
            table=view.table, name=view.name, variant=view.variant, phase=view.phase, simulated=view.simulated
        )
        for view in views
    ]


@router.get("/tables/{table}/rules.json", responses={key: ERRORS[key] for key in (401, 404)})
async def rules(_session: Who, table: Live) -> TableRules:
    """Return a table's rules and limits."""
    setup = table.setup
    return TableRules(
        table=setup.table,
        line=setup.rules.line,
        hash=setup.rules.hash,
        parameters=setup.rules,
        limits=setup.limits,
        sheets={language: f"/rules/{setup.table}?lang={language}" for language in Language},
    )


@router.get("/tables/{table}/strategy.json", responses={key: ERRORS[key] for key in (401, 404)})
async def strategy(_session: Who, table: Live) -> TableStrategy:
    """Return the best strategy table for a table's rules."""
    setup = table.setup
    figures = figures_of(setup.rules)
    return TableStrategy(
        table=setup.table,
        hash=setup.rules.hash,
        strategy=figures.strategy.as_json(),
        follow_split={pair: dict(cells) for pair, cells in figures.follow_split.items()},
    )


@router.get("/tables/{table}/views/{audience}", responses=ERRORS, response_model=ViewMessage)
async def view(
    table: str,
    audience: Audience,
    session: Who,
    floor: Annotated[Floor, Depends(floor_of)],
) -> Response:
    """Return the newest view for an audience."""
    shown = floor.views.show(Topic(table, audience), session)
    return json_answer(shown.message(floor.clock.now()))


@router.post("/tables/{table}/commands", responses=COMMAND_ERRORS, response_model=Accepted)
async def command(
    table: Live, desk: Desk, body: Annotated[bodies.AnyDeskCommand, Body(openapi_examples=bodies.DESK_EXAMPLES)]
) -> Response:
    """Send a dealer's or a supervisor's command."""
    if isinstance(body, bodies.SignOn):
        async with desk.floor.signing_on:
            return await _submit(table, desk, body)
    return await _submit(table, desk, body)


async def _submit(table: LiveTable, desk: Incoming, body: bodies.AnyDeskCommand) -> Response:
    licence = desk.session.licence(day_of(desk.floor.clock.now()))
    asked = body.asked(licence._replace(elsewhere=desk.floor.where_signed_on(desk.session.id, but=table)))
    actor = desk.actor(type(asked))
    if isinstance(asked, HandOverIncident) and not desk.floor.sign_in.supervises(asked.to):
        message = "Hand it over to a supervisor or a manager: give their id."
        raise malformed(message)
    if actor.role in SUPERVISING and body.supervisor_says_what_they_saw and body.seen_sequence is None:
        message = "Send seen_sequence: the sequence of the view that this was decided on."
        raise malformed(message)
    desk.floor.views.presence.corrected(table.setup.table, desk.session)
    return await desk.submit(table, asked, actor, body, seen_sequence=body.seen_sequence)


@router.post("/tables/{table}/previews", responses=ERRORS)
async def preview(
    table: Live,
    session: Who,
    floor: Annotated[Floor, Depends(floor_of)],
    body: Annotated[bodies.AnyDeskCommand, Body(openapi_examples=bodies.PREVIEW_EXAMPLES)],
) -> Previewed:
    """Say what a supervisor's command would do now: per seat cards, totals, bets and money; nothing happens."""
    asked = body.asked(session.licence(day_of(floor.clock.now())))
    actor = session.actor(SUPERVISING & ALLOWED_ROLES.get(type(asked), frozenset()))
    if actor is None:
        message = "Previews are for supervisors, of commands that a supervisor may send."
        raise forbidden(message)
    incident = asked.incident if isinstance(asked, ResolveIncident) else 0
    floor.views.presence.corrects(table.setup.table, session, incident, floor.clock.now().monotonic_ns)
    sequence = table.sequence
    return Previewed(sequence=sequence, preview=await table.preview(asked, actor))
