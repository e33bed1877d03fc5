"""Where requests come in: who asks, at which table, under which key, and how a command is handed on and answered.

It knows HTTP and submissions; which commands there are and what they ask is the endpoints'.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Any, Final

from fastapi import Depends, Header, Request, Response
from fastapi.security import HTTPBearer
from pydantic import BaseModel

from studio.domain.commands import ALLOWED_ROLES, Command
from studio.domain.people import Actor, Role
from studio.runtime.inbox import Outcome, ReceiptRequest, Submission
from studio.web.answers import answer, answer_item, answer_items, answer_with_card
from studio.web.errors import ApiError, Problem, forbidden, malformed, unknown_table, unknown_token
from studio.web.floor import Floor
from studio.web.live_table import LiveTable
from studio.web.sign_in import Session

_KEY: Final = re.compile(r"[\x21-\x7e]{1,128}")

bearer: Final = HTTPBearer(auto_error=False)
"""For the description only: the gate has asked for the token before."""


class PlacedBet(BaseModel):
    """A bet that lies on the table now."""

    seat: int
    amount: int


class Item(BaseModel):
    """The answer to one bet or decision of a batch.

    ``bets`` are what a placing came to, ``note`` how that differs from what was asked: ``raised-to-minimum`` or
    ``shared-between-seats``.
    """

    accepted: bool
    bets: list[PlacedBet] | None = None
    note: str | None = None
    code: str | None = None
    text: str | None = None


class Accepted(BaseModel):
    """The command is on disk; ``sequence`` is the table's after it. ``items`` answer a batch one by one.

    ``proposal`` where it only became one that a second person approves; ``card`` is the hidden card that was
    opened, in no other answer.
    """

    sequence: int
    items: list[Item] | None = None
    proposal: int | None = None
    card: str | None = None


class Conflict(Problem):
    """Refused by the table; for ``stale-view`` with where it is now and the events since."""

    sequence: int | None = None
    changed: list[str] | None = None


def signed_in(request: Request) -> Session:
    """Return who asks; raise :class:`ApiError` where nobody is signed in."""
    # The gate has put it there; a route that the gate let through without one is denied all the same.
    session = getattr(request.state, "session", None)
    if not isinstance(session, Session):
        raise unknown_token()
    return session


def floor_of(request: Request) -> Floor:
    """Return the floor of this application."""
    floor: Floor = request.app.state.floor
    return floor


def table_of(table: str, floor: Annotated[Floor, Depends(floor_of)]) -> LiveTable:
    """Return the table that the path names; raise :class:`ApiError` where there is none."""
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


Respond = Callable[[Outcome], tuple[int, str]]
"""Turns an outcome into the status and the JSON text that answer it, and a kept answer into itself."""


@dataclass(frozen=True, slots=True)
class Incoming:
    """Where a command comes in: the request, the person, the floor, and the key of the intent."""

    request: Request
    session: Annotated[Session, Depends(signed_in)]
    floor: Annotated[Floor, Depends(floor_of)]
    key: Annotated[str, Depends(_idempotency_key)]

    def actor(self, command: type[Command]) -> Actor:
        """Return the person in a role that may send ``command``; raise :class:`ApiError` if there is none."""
        actor = self.session.actor(ALLOWED_ROLES.get(command, frozenset()))
        if actor is None:
            message = "This command is not for your role."
            raise forbidden(message)
        return actor

    async def submit(  # noqa: PLR0913 - what a submission is made of
        self,
        table: LiveTable,
        command: Command,
        actor: Actor,
        body: BaseModel,
        *,
        seen_sequence: int | None = None,
        respond: Respond = answer,
    ) -> Response:
        """Hand a command to the table and answer with what comes of it."""
        submission = self._submission(command, actor, body, seen_sequence=seen_sequence, respond=respond)
        outcome = await table.submit(submission)
        status, text = answer_with_card(outcome) if respond is answer else respond(outcome)
        return json_answer(text, status)

    async def submit_each(
        self, table: LiveTable, each: Sequence[Command], actor: Actor, body: BaseModel
    ) -> Response:
        """Hand commands to the table one after another, and answer each on its own.

        Each has a receipt of its own, so a repeat after a broken connection goes on where it stopped.
        """
        answers: list[str] = []
        for place, command in enumerate(each):
            submission = self._submission(command, actor, body, respond=answer_item, place=place)
            status, text = answer_item(await table.submit(submission))
            if status != HTTPStatus.OK:
                return json_answer(text, status)
            answers.append(text)
        return json_answer(answer_items(answers))

    def _submission(  # noqa: PLR0913 - what a submission is made of
        self,
        command: Command,
        actor: Actor,
        body: BaseModel,
        *,
        respond: Respond,
        seen_sequence: int | None = None,
        place: int = 0,
    ) -> Submission:
        # Keys are a person's own: nobody can block or learn anything by using another's. No key has a space, so
        # the later commands of a batch cannot meet one either.
        key = f"{self.session.id}/{self.key}" + (f" {place}" if place else "")
        receipt = ReceiptRequest(key, self._fingerprint(body), respond)
        return Submission(command, actor, cause=key, receipt=receipt, seen_sequence=seen_sequence)

    def _fingerprint(self, body: BaseModel) -> str:
        where = json.dumps([self.session.id, self.request.method, self.request.url.path])
        return hashlib.sha256(f"{where}\n{body.model_dump_json()}".encode()).hexdigest()


def player_of(actor: Actor, named: str | None) -> str:
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


def json_answer(text: str, status: int = HTTPStatus.OK) -> Response:
    """Return a response that is JSON already."""
    return Response(text, status, media_type="application/json")


ERRORS: Final[dict[int | str, dict[str, Any]]] = {
    401: {"model": Problem, "description": "No token, or nobody's."},
    403: {"model": Problem, "description": "Not for your role."},
    404: {"model": Problem, "description": "No such table."},
    422: {"model": Problem, "description": "Not of the agreed form; nothing changed."},
}
COMMAND_ERRORS: Final[dict[int | str, dict[str, Any]]] = ERRORS | {
    400: {"model": Problem, "description": "No usable Idempotency-Key, or no JSON."},
    409: {"model": Conflict, "description": "Refused by the table; nothing changed."},
    413: {"model": Problem, "description": "The body is too large."},
    503: {"model": Problem, "description": "Not recorded; nothing changed."},
}

Who = Annotated[Session, Depends(signed_in)]
Desk = Annotated[Incoming, Depends()]
Live = Annotated[LiveTable, Depends(table_of)]
