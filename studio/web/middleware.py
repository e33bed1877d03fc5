"""What stands before every route: the gate, the answer to unexpected faults, and the security headers.

Plain ASGI: nothing here buffers, and context variables pass through.
"""

from __future__ import annotations

import logging
from collections.abc import MutableMapping
from http import HTTPStatus
from typing import Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from studio.domain.people import Role
from studio.ports.journal import JournalError
from studio.web.errors import ApiError, problem, unknown_token
from studio.web.sign_in import Session, SignIn

LARGEST_BODY: Final = 1_048_576
LARGEST_BATCH: Final = 16_777_216
"""Bytes of an operator's batch: 100,000 bets with long names are 11 million."""

API_DESCRIPTION: Final = "/v1/openapi.json"
_API: Final = "/v1/"
_BATCHES: Final = ("/bets", "/decisions", "/insurance")

_log = logging.getLogger(__name__)


class Gate:
    """Lets nobody into the API without a token, before a byte of the body is read; limits the body's size."""

    def __init__(self, app: ASGIApp, sign_in: SignIn) -> None:
        self._app = app
        self._sign_in = sign_in

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection; the feed's signs in by its first message."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        limit = LARGEST_BODY
        if scope["path"].startswith(_API) and scope["path"] != API_DESCRIPTION:
            session = self._sign_in.bearer(headers.get("authorization", ""))
            if session is None:
                await _refuse(unknown_token(), scope, receive, send)
                return
            scope.setdefault("state", {})["session"] = session
            limit = _limit(session, scope)
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:20]) > limit:
            await _refuse(_too_large(limit), scope, receive, send)
            return
        await self._app(scope, _limited(receive, limit), send)


class FaultAnswers:
    """Answers what nobody expected without telling how it came about; the log does."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def watched(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except Exception as error:
            _log.exception("%s %s failed", scope["method"], scope["path"])
            if started:
                raise
            await _fault(error)(scope, receive, send)


class SecurityHeaders:
    """Puts the security headers on every answer.

    ``simulated`` lets the demo page frame the consoles and reach its simulator.
    """

    def __init__(self, app: ASGIApp, *, simulated: bool) -> None:
        self._app = app
        self._headers = security_headers(simulated=simulated)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""

        async def with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self._headers)
            await send(message)

        await self._app(scope, receive, with_headers if scope["type"] == "http" else send)


def security_headers(*, simulated: bool) -> dict[str, str]:
    """Return the headers of every answer."""
    simulator, framed_by = ("http://127.0.0.1:*", "'self'") if simulated else ("", "'none'")
    policy = (
        "default-src 'self'",
        f"connect-src 'self' ws: wss: {simulator}".rstrip(),
        # The pages' empty icon is a data URL.
        "img-src 'self' data:",
        f"frame-ancestors {framed_by}",
        "base-uri 'none'",
        "form-action 'none'",
        "object-src 'none'",
    )
    return {
        "content-security-policy": "; ".join(policy),
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
    }


def _limit(session: Session, scope: Scope) -> int:
    is_batch = session.may({Role.OPERATOR}) and scope["path"].endswith(_BATCHES)
    return LARGEST_BATCH if is_batch else LARGEST_BODY


def _limited(receive: Receive, limit: int) -> Receive:
    """Return ``receive`` that raises when more than ``limit`` bytes of a body without a length have come."""
    left = limit

    async def counted() -> Message:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        if left < 0:
            raise _too_large(limit)
        return message

    return counted


def _too_large(limit: int) -> ApiError:
    return ApiError(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too-large", f"A body is {limit} bytes at most. Send less at a time."
    )


async def _refuse(error: ApiError, scope: Scope, receive: Receive, send: Send) -> None:
    await problem(error.status_code, error.code, error.text)(scope, receive, send)


def _fault(error: Exception) -> ASGIApp:
    if isinstance(error, JournalError):
        return problem(
            HTTPStatus.SERVICE_UNAVAILABLE,
            "not-recorded",
            "This could not be recorded and changed nothing. Repeat it with the same Idempotency-Key.",
        )
    return problem(
        HTTPStatus.INTERNAL_SERVER_ERROR,
        "internal",
        "The server met a fault. Look at the table before you repeat; the technician finds it in the log.",
    )
