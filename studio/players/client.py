"""A small client of the studio's public API `/v1`: HTTP with safe repeats, and the feed of views.

It knows addresses, tokens and JSON; what a view means and what to do about it is its user's business.
"""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final, Self

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

WRONG_TOKEN: Final = 4401
"""The close code with which the feed refuses a token."""

REPEAT_PAUSES_SECONDS: Final = (0.1, 0.3, 1.0, 2.0, 4.0)
SILENCE_SECONDS: Final = 5.0
"""The feed sends a heartbeat every second; after this long without one the line is taken for dead."""

_MAX_VIEW_BYTES: Final = 1 << 20


class NotLetInError(Exception):
    """The token is unknown, or its owner may not see this table; trying again is no use."""


class UnreachableError(Exception):
    """The server gave no usable answer after all repeats; what was asked may or may not have happened."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server said: the HTTP status and the JSON object with it."""

    status: int
    body: Mapping[str, Any]

    @property
    def is_success(self) -> bool:
        """Whether it was done, or had been done under the same key before."""
        return self.status == HTTPStatus.OK

    @property
    def code(self) -> str:
        """Why it was refused, in kebab-case; empty when it was not."""
        return str(self.body.get("code", ""))


@dataclass(frozen=True, slots=True)
class Update:
    """One view out of the feed, or read on request; whole, so that a missed one costs nothing.

    ``server_wall_ns`` is the server's clock at sending; deadlines in the view are by the same clock.
    """

    topic: str
    sequence: int
    server_wall_ns: int
    view: Mapping[str, Any]


class ApiClient:
    """One signed-in person's client. Close it with :meth:`aclose`, or use it as a context manager."""

    def __init__(
        self, url: str, token: str, *, repeat_pauses_seconds: Sequence[float] = REPEAT_PAUSES_SECONDS
    ) -> None:
        self._token = token
        self._pauses = tuple(repeat_pauses_seconds)
        self._feed_url = f"ws{url.rstrip('/').removeprefix('http')}/v1/feed"
        self._http = httpx.AsyncClient(
            base_url=f"{url.rstrip('/')}/v1",
            headers={"Authorization": f"Bearer {token}"},
            timeout=5.0,
            trust_env=False,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def get(self, path: str) -> Answer:
        """Read ``path`` (below ``/v1``).

        Raises :class:`NotLetInError`, :class:`UnreachableError`.
        """
        return await self._ask("GET", path)

    async def post(self, path: str, body: Mapping[str, Any]) -> Answer:
        """Ask for something once, however often the network has to be tried.

        Every repeat carries the key of the first try, so that the server does it once.
        Raises :class:`NotLetInError`, :class:`UnreachableError`.
        """
        return await self._ask("POST", path, body, {"Idempotency-Key": uuid.uuid4().hex})

    async def view(self, table: str, audience: str) -> Update:
        """Read a table's present view.

        Raises :class:`NotLetInError`, :class:`UnreachableError`.
        """
        answer = await self.get(f"/tables/{table}/views/{audience}")
        if answer.is_success:
            return _update(answer.body)
        message = f"no {audience} view of table {table}: {answer.body.get('text') or answer.status}"
        if answer.status in {HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND}:
            raise NotLetInError(message)
        raise UnreachableError(message)

    async def updates(self, *topics: str) -> AsyncGenerator[Update, None]:
        """Yield the newest views of ``topics`` for ever, across lost connections and server restarts.

        Raises :class:`NotLetInError` when the token or a topic is refused.
        """
        failures = 0
        while True:
            try:
                async with connect(self._feed_url, max_size=_MAX_VIEW_BYTES, proxy=None) as connection:
                    await connection.send(json.dumps({"token": self._token}))
                    await connection.send(json.dumps({"subscribe": topics}))
                    async for update in _received(connection):
                        failures = 0
                        yield update
            except (OSError, TimeoutError, ConnectionClosed, InvalidHandshake) as error:
                if isinstance(error, ConnectionClosed) and error.rcvd and error.rcvd.code == WRONG_TOKEN:
                    message = "the feed refused the token: take the one that belongs to this people file"
                    raise NotLetInError(message) from error
            await asyncio.sleep(self._pauses[min(failures, len(self._pauses) - 1)])
            failures += 1

    async def _ask(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        problem = ""
        for pause_seconds in (*self._pauses, None):
            try:
                response = await self._http.request(method, path, json=body, headers=headers)
            except httpx.TransportError as error:
                problem = str(error) or type(error).__name__
            else:
                if response.status_code == HTTPStatus.UNAUTHORIZED:
                    message = "the server does not know this token: take the one that belongs to its people file"
                    raise NotLetInError(message)
                if response.status_code != HTTPStatus.SERVICE_UNAVAILABLE:
                    return Answer(response.status_code, _json_object(response))
                problem = "it answers 503"
            if pause_seconds is not None:
                await asyncio.sleep(pause_seconds)
        message = f"no answer from {self._http.base_url} ({problem}): see that the server runs there"
        raise UnreachableError(message)


async def _received(connection: ClientConnection) -> AsyncGenerator[Update, None]:
    while True:
        async with asyncio.timeout(SILENCE_SECONDS):
            message = json.loads(await connection.recv())
        if "refused" in message:
            text = f"topic {message['refused']} was refused: {message.get('text', '')}"
            raise NotLetInError(text)
        if "topic" in message:
            yield _update(message)


def _update(message: Mapping[str, Any]) -> Update:
    return Update(message["topic"], message["sequence"], message["server_wall_ns"], message["view"])


def _json_object(response: httpx.Response) -> Mapping[str, Any]:
    try:
        found = response.json()
    except ValueError:
        found = None
    return found if isinstance(found, dict) else {"code": "no-json", "text": response.text[:200]}
