"""The endpoints of ``/v1``: from a request to a table's command or view, and back.

Nothing is decided here but who may ask; the table decides the rest.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Any, Final

from fastapi import APIRouter, Body, Depends, Header, Request, Response
from fastapi.security import HTTPBearer
from pydantic import BaseModel, Field

from studio.domain import projections
from studio.domain.commands import ALLOWED_ROLES, AnswerInsurance, Command, Decide, PlaceBets
from studio.domain.people import Actor, Role
from studio.domain.rules import RuleSet
from studio.domain.setup import Limits
from studio.rule_sheet.forms import Language
from studio.runtime.inbox import ReceiptRequest, Submission
from studio.web import bodies
from studio.web.answers import answer
from studio.web.errors import ApiError, Problem, forbidden, malformed, unknown_table, unknown_token
from studio.web.floor import Floor
from studio.web.live_table import LiveTable
from studio.web.sign_in import Session
from studio.web.views import Audience, Topic, View, day_of

_KEY: Final = re.compile(r"[\x21-\x7e]{1,128}")


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


class ViewMessage(BaseModel):
    """A whole view; the feed sends the same."""

    topic: str = Field(examples=["tables/t1/dealer"])
    sequence: int
    server_wall_ns: int
    view: View


class Item(BaseModel):
    """The answer to one bet of a batch."""

    accepted: bool
    code: str | None = None
    text: str | None = None


class Accepted(BaseModel):
    """The command is on disk; ``sequence`` is the table's after it. ``items`` answer bets one by one."""

    sequence: int
    items: list[Item] | None = None


class Conflict(Problem):
    """Refused by the table; for ``stale-view`` with where it is now and the events since."""

    sequence: int | None = None
    changed: list[str] | None = None


def _signed_in(request: Request) -> Session:
    # The gate has put it there; a route that the gate let through without one is denied all the same.
    session = getattr(request.state, "session", None)
    if not isinstance(session, Session):
        raise unknown_token()
    return session


def _floor(request: Request) -> Floor:
    floor: Floor = request.app.state.floor
    return floor


def _table(table: str, floor: Annotated[Floor, Depends(_floor)]) -> LiveTable:
    try:
        return floor.tables[table]
    except KeyError as error:
        raise unknown_table(table) from error


def _idempotency_key(
    idempotency_key: Annotated[
        str | None, Header(description="1 to 128 visible ASCII characters; the same for every repeat.")
    ] = None,
) -> str:
    if idempotency_key is None:
        raise ApiError(
            HTTPStatus.BAD_REQUEST,
            "key-missing",
            "Send a header Idempotency-Key with a new value for each intent, the same for its repeats.",
        )
    if not _KEY.fullmatch(idempotency_key):
        raise ApiError(
            HTTPStatus.BAD_REQUEST, "key-malformed", "An Idempotency-Key is 1 to 128 visible ASCII characters."
        )
    return idempotency_key


@dataclass(frozen=True, slots=True)
class _Desk:
    """Where a command comes in: the request, the person, the floor, and the key of the intent."""

    request: Request
    session: Annotated[Session, Depends(_signed_in)]
    floor: Annotated[Floor, Depends(_floor)]
    key: Annotated[str, Depends(_idempotency_key)]

    def actor(self, command: type[Command]) -> Actor:
        """Return the person in a role that may send ``command``; raise :class:`ApiError` if there is none."""
        actor = self.session.actor(ALLOWED_ROLES.get(command, frozenset()))
        if actor is None:
            message = "This command is not for your role."
            raise forbidden(message)
        return actor

    async def submit(
        self,
        table: LiveTable,
        command: Command,
        actor: Actor,
        body: BaseModel,
        seen_sequence: int | None = None,
    ) -> Response:
        """Hand a command to the table and answer with what comes of it."""
        # Keys are a person's own: nobody can block or learn anything by using another's.
        key = f"{self.session.id}/{self.key}"
        outcome = await table.submit(
            Submission(
                command,
                actor,
                cause=key,
                receipt=ReceiptRequest(key, self._fingerprint(body), answer),
                seen_sequence=seen_sequence,
            )
        )
        status, text = answer(outcome)
        return _json(text, status)

    def _fingerprint(self, body: BaseModel) -> str:
        where = json.dumps([self.session.id, self.request.method, self.request.url.path])
        return hashlib.sha256(f"{where}\n{body.model_dump_json()}".encode()).hexdigest()


def _player(actor: Actor, named: str | None) -> str:
    """Return for whom ``actor`` plays: a player for themselves only, an operator for whom they name."""
    match actor.role:
        case Role.PLAYER if named in {None, actor.id}:
            return actor.id
        case Role.OPERATOR if named is not None:
            return named
        case Role.OPERATOR:
            message = "Name the player: an operator plays for others."
            raise malformed(message)
        case _:
            message = "You can only play for yourself."
            raise forbidden(message)


def _json(text: str, status: int = HTTPStatus.OK) -> Response:
    return Response(text, status, media_type="application/json")


_ERRORS: Final[dict[int | str, dict[str, Any]]] = {
    401: {"model": Problem, "description": "No token, or nobody's."},
    403: {"model": Problem, "description": "Not for your role."},
    404: {"model": Problem, "description": "No such table."},
    422: {"model": Problem, "description": "Not of the agreed form; nothing changed."},
}
_COMMAND_ERRORS: Final[dict[int | str, dict[str, Any]]] = _ERRORS | {
    400: {"model": Problem, "description": "No usable Idempotency-Key, or no JSON."},
    409: {"model": Conflict, "description": "Refused by the table; nothing changed."},
    413: {"model": Problem, "description": "The body is too large."},
    503: {"model": Problem, "description": "Not recorded; nothing changed."},
}

router = APIRouter(prefix="/v1", dependencies=[Depends(HTTPBearer(auto_error=False))])

Desk = Annotated[_Desk, Depends()]
Live = Annotated[LiveTable, Depends(_table)]


@router.get("/me", responses={401: _ERRORS[401]})
async def me(session: Annotated[Session, Depends(_signed_in)]) -> Me:
    """Say who is signed in, and in which roles."""
    return Me(id=session.id, name=session.name, roles=list(session.roles))


@router.get("/tables", responses={401: _ERRORS[401]})
async def tables(
    _session: Annotated[Session, Depends(_signed_in)], floor: Annotated[Floor, Depends(_floor)]
) -> list[TableLine]:
    """List this host's tables."""
    now = floor.clock.now()
    views = [projections.table_view(live.table, now) for live in floor.tables.values()]
    return [
        TableLine(
            table=view.table, name=view.name, variant=view.variant, phase=view.phase, simulated=view.simulated
        )
        for view in views
    ]


@router.get("/tables/{table}/rules.json", responses={key: _ERRORS[key] for key in (401, 404)})
async def rules(_session: Annotated[Session, Depends(_signed_in)], table: Live) -> TableRules:
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


@router.get("/tables/{table}/views/{audience}", responses=_ERRORS, response_model=ViewMessage)
async def view(
    table: str,
    audience: Audience,
    session: Annotated[Session, Depends(_signed_in)],
    floor: Annotated[Floor, Depends(_floor)],
) -> Response:
    """Return the newest view for an audience."""
    shown = floor.views.show(Topic(table, audience), session)
    return _json(shown.message(floor.clock.now()))


@router.post("/tables/{table}/bets", responses=_COMMAND_ERRORS, response_model=Accepted)
async def place_bets(
    table: Live, desk: Desk, body: Annotated[bodies.Bets, Body(openapi_examples=bodies.BETS_EXAMPLES)]
) -> Response:
    """Place bets; each is answered on its own."""
    actor = desk.actor(PlaceBets)
    return await desk.submit(table, body.asked(actor, _player), actor, body)


@router.post("/tables/{table}/decisions", responses=_COMMAND_ERRORS, response_model=Accepted)
async def decide(
    table: Live, desk: Desk, body: Annotated[bodies.Decision, Body(openapi_examples=bodies.DECISION_EXAMPLES)]
) -> Response:
    """Play a hand that was asked."""
    actor = desk.actor(Decide)
    return await desk.submit(table, body.asked(actor, _player), actor, body)


@router.post("/tables/{table}/insurance", responses=_COMMAND_ERRORS, response_model=Accepted)
async def answer_insurance(
    table: Live, desk: Desk, body: Annotated[bodies.Insurance, Body(openapi_examples=bodies.INSURANCE_EXAMPLES)]
) -> Response:
    """Take or decline insurance."""
    actor = desk.actor(AnswerInsurance)
    return await desk.submit(table, body.asked(actor, _player), actor, body)


@router.post("/tables/{table}/commands", responses=_COMMAND_ERRORS, response_model=Accepted)
async def command(
    table: Live, desk: Desk, body: Annotated[bodies.AnyDeskCommand, Body(openapi_examples=bodies.DESK_EXAMPLES)]
) -> Response:
    """Send a dealer's or a supervisor's command."""
    asked = body.asked(desk.session.licence(day_of(desk.floor.clock.now())))
    actor = desk.actor(type(asked))
    if actor.role is Role.SUPERVISOR and body.supervisor_says_what_they_saw and body.seen_sequence is None:
        message = "Send seen_sequence: the sequence of the view that this was decided on."
        raise malformed(message)
    return await desk.submit(table, asked, actor, body, body.seen_sequence)
