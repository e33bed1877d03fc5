"""A console as a simulated person has it: the newest view of the table, and the buttons.

A client of the studio's public API `/v1` and nothing else. It knows how to look and to press across lost
connections and server restarts, not what to press.
"""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

RETRY_PAUSES_SECONDS: Final = (0.1, 0.2, 0.5, 1.0, 1.0)
SILENCE_SECONDS: Final = 3.0
"""Heartbeats come every second; after this long without one the console is off line."""

_WRONG_TOKEN: Final = 4401


class ConsoleRefusedError(Exception):
    """The studio does not let this dealer in; trying again is no use."""


@dataclass(frozen=True, slots=True)
class Glance:
    """The view as JSON (``studio.domain.views``) and the table's sequence at it."""

    sequence: int
    view: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Pressed:
    """What came of a button: done at ``sequence``, or refused with ``code``."""

    is_done: bool
    sequence: int = 0
    code: str = ""


class DealerConsole:
    """One person's console at one table, as ``audience`` sees it; :meth:`follow` must run beside its user."""

    def __init__(
        self,
        url: str,
        table: str,
        token: str,
        *,
        audience: str = "dealer",
        retry_pauses_seconds: Sequence[float] = RETRY_PAUSES_SECONDS,
    ) -> None:
        self.newest: Glance | None = None
        """The newest view, or ``None`` while the console is off line: nobody deals by an old screen."""
        self._token = token
        self._pauses = tuple(retry_pauses_seconds)
        self._audience = audience
        self._topic = f"tables/{table}/{audience}"
        self._table_path = f"/tables/{table}"
        self._feed_url = f"ws{url.rstrip('/').removeprefix('http')}/v1/feed"
        self._http = httpx.AsyncClient(
            base_url=f"{url.rstrip('/')}/v1",
            headers={"Authorization": f"Bearer {token}"},
            timeout=5.0,
            trust_env=False,
        )
        self._changed = asyncio.Event()

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def follow(self) -> None:
        """Keep :attr:`newest` up to date for ever; raise :class:`ConsoleRefusedError`."""
        failures = 0
        while True:
            try:
                async with connect(self._feed_url, proxy=None) as connection:
                    await connection.send(json.dumps({"token": self._token}))
                    await connection.send(json.dumps({"subscribe": [self._topic]}))
                    while True:
                        async with asyncio.timeout(SILENCE_SECONDS):
                            self._on_message(json.loads(await connection.recv()))
                        failures = 0
            except (OSError, TimeoutError, ConnectionClosed, InvalidHandshake) as error:
                if isinstance(error, ConnectionClosed) and error.rcvd and error.rcvd.code == _WRONG_TOKEN:
                    message = "the studio refuses the dealer's token: take the one of its people file"
                    raise ConsoleRefusedError(message) from error
            self._show(None)
            await asyncio.sleep(self._pauses[min(failures, len(self._pauses) - 1)])
            failures += 1

    async def wait_moved(self, glance: Glance | None, seconds: float) -> None:
        """Wait until another view than ``glance`` is shown, at most ``seconds``."""
        try:
            async with asyncio.timeout(seconds):
                while self.newest is glance:
                    await self._changed.wait()
        except TimeoutError:
            pass

    async def look_again(self) -> None:
        """Read the view on request, in case one was lost; without an answer nothing changes."""
        try:
            response = await self._http.get(f"{self._table_path}/views/{self._audience}")
            if response.status_code == HTTPStatus.OK and self.newest is not None:
                self._on_message(response.json())
        except (httpx.TransportError, ValueError):
            return

    async def press(
        self, command: str, arguments: Mapping[str, Any], *, seen_sequence: int | None = None
    ) -> Pressed:
        """Send a command, again and under the same key when the network fails: it is done once.

        With ``seen_sequence``, that of the view it was decided on, it is refused where the table has moved since.
        Raises :class:`ConsoleRefusedError` when the token is unknown.
        """
        body: dict[str, Any] = {"command": command, "arguments": dict(arguments)}
        if seen_sequence is not None:
            body["seen_sequence"] = seen_sequence
        headers = {"Idempotency-Key": uuid.uuid4().hex}
        for pause_seconds in self._pauses:
            try:
                response = await self._http.post(f"{self._table_path}/commands", json=body, headers=headers)
                answer = response.json()
            except (httpx.TransportError, ValueError):
                await asyncio.sleep(pause_seconds)
                continue
            match response.status_code:
                case HTTPStatus.OK:
                    return Pressed(is_done=True, sequence=answer["sequence"])
                case HTTPStatus.UNAUTHORIZED:
                    message = "the studio does not know the dealer's token: take the one of its people file"
                    raise ConsoleRefusedError(message)
                case HTTPStatus.SERVICE_UNAVAILABLE:
                    await asyncio.sleep(pause_seconds)
                case _:
                    return Pressed(is_done=False, code=str(answer.get("code", response.status_code)))
        return Pressed(is_done=False, code="no-answer")

    def _on_message(self, message: Mapping[str, Any]) -> None:
        if "refused" in message:
            text = f"the studio refuses {message['refused']}: {message.get('text', '')}"
            raise ConsoleRefusedError(text)
        if "view" in message and (self.newest is None or message["sequence"] >= self.newest.sequence):
            self._show(Glance(message["sequence"], message["view"]))

    def _show(self, glance: Glance | None) -> None:
        self.newest = glance
        # Wakes those who wait now; clearing at once leaves the event ready for the next change.
        self._changed.set()
        self._changed.clear()
