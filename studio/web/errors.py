"""Errors of the API: every one is a status with ``{"code", "text"}``; nothing else ever leaves the server.

It knows HTTP and no table.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from fastapi import FastAPI, Request
from fastapi.exceptions import HTTPException, RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException as StarletteHTTPException

_SHOWN_MISTAKES: Final = 3
"""How many of a body's mistakes are named; the first ones are what a person can act on."""


class Problem(BaseModel):
    """What an error says: ``code`` for machines, ``text`` for people."""

    code: str = Field(examples=["not-betting"])
    text: str = Field(examples=["Betting is closed. Wait for the next round."])


class ApiError(HTTPException):
    """A request that is not done: HTTP status, code in kebab-case, and a sentence that says what to do."""

    def __init__(self, status: HTTPStatus, code: str, text: str) -> None:
        super().__init__(status, text)
        self.code = code
        self.text = text


def malformed(text: str) -> ApiError:
    """Return the error for a body that is not of the agreed form."""
    return ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, "malformed", text)


def forbidden(text: str) -> ApiError:
    """Return the error for somebody who may not do or see this."""
    return ApiError(HTTPStatus.FORBIDDEN, "forbidden", text)


def unknown_table(table: str) -> ApiError:
    """Return the error for a table that this host does not have."""
    return ApiError(
        HTTPStatus.NOT_FOUND, "unknown-table", f"There is no table {table!r} here. See GET /v1/tables."
    )


def unknown_token() -> ApiError:
    """Return the error for a missing or unknown token; it does not say which."""
    return ApiError(
        HTTPStatus.UNAUTHORIZED, "unknown-token", "Sign in: send the header Authorization: Bearer TOKEN."
    )


def problem(status: int, code: str, text: str) -> JSONResponse:
    """Return the response of an error."""
    headers = {"WWW-Authenticate": "Bearer"} if status == HTTPStatus.UNAUTHORIZED else None
    return JSONResponse({"code": code, "text": text}, status, headers)


def install_error_answers(app: FastAPI) -> None:
    """Make ``app`` answer every expected error in the one form; unexpected ones are the middleware's."""

    @app.exception_handler(RequestValidationError)
    async def _on_malformed(_request: Request, error: RequestValidationError) -> JSONResponse:
        # The input is never repeated: it may be huge, or hold what JSON cannot say.
        mistakes = [f"{_place(item['loc'])}: {item['msg']}" for item in error.errors()]
        hidden = len(mistakes) - _SHOWN_MISTAKES
        more = f"; and {hidden} more" if hidden > 0 else ""
        found = malformed("; ".join(mistakes[:_SHOWN_MISTAKES]) + more)
        return problem(found.status_code, found.code, found.text)

    @app.exception_handler(StarletteHTTPException)
    async def _on_http_error(_request: Request, error: StarletteHTTPException) -> JSONResponse:
        if isinstance(error, ApiError):
            return problem(error.status_code, error.code, error.text)
        status = HTTPStatus(error.status_code)
        match status:
            case HTTPStatus.BAD_REQUEST:
                return problem(status, "malformed", "The body is no JSON in UTF-8.")
            case HTTPStatus.NOT_FOUND:
                return problem(status, "not-found", "There is nothing at this path. See /v1/openapi.json.")
            case _:
                return problem(status, status.phrase.lower().replace(" ", "-"), f"{status.phrase}.")


def _place(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in location)
