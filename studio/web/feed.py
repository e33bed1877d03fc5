"""The feed: whole views over a WebSocket, newest only.

There is no queue. On a change each client's writer is woken; it sends, of each topic, the newest view if that is
not the one it sent last. Whatever happened during a slow send is skipped, so a slow client costs no memory and no
other client's time. It carries no commands: those have one way in (:mod:`studio.web.endpoints`).
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Annotated, Any, Final

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr, TypeAdapter, ValidationError

from studio.web.errors import ApiError
from studio.web.floor import Floor
from studio.web.sign_in import Session
from studio.web.views import Audience, Basis, Topic, parse_topic

RESTARTING: Final = 1012
UNKNOWN_TOKEN: Final = 4401
TOO_SLOW: Final = 4408
TOO_BIG: Final = 1009
FAULT: Final = 1011

_GONE: Final = None
"""The client closed: there is nobody left to send a close code to."""

_HEARTBEAT_NS: Final = 1_000_000_000
_LARGEST_MESSAGE: Final = 65_536
_WAITING_REPLIES: Final = 16

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long the feed waits for a client, in seconds: to prove who it is, to take a message, to close."""

    sign_in_seconds: float = 5.0
    send_seconds: float = 10.0
    close_seconds: float = 1.0


PATIENCE: Final = Patience()


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Token(_Message):
    token: StrictStr


class _Subscribe(_Message):
    subscribe: Annotated[list[StrictStr], Field(max_length=1000)]


class _PaintedView(_Message):
    topic: StrictStr
    sequence: StrictInt


class _Painted(_Message):
    painted: _PaintedView


_TOKEN: Final[TypeAdapter[_Token]] = TypeAdapter(_Token)
_AFTER_SIGN_IN: Final[TypeAdapter[_Subscribe | _Painted]] = TypeAdapter(_Subscribe | _Painted)


class Feed:
    """Every client's feed; :meth:`stop` ends them all."""

    def __init__(self, floor: Floor, patience: Patience = PATIENCE) -> None:
        self._floor = floor
        self._patience = patience
        self._stopping = asyncio.Event()
        self._clients: set[_Client] = set()

    @property
    def clients(self) -> int:
        """How many signed-in clients are connected."""
        return len(self._clients)

    def subscribers(self, topic: Topic) -> int:
        """Return how many clients look at a topic."""
        return sum(topic in client.topics for client in self._clients)

    def stop(self) -> None:
        """Close every client, and every one that still comes, with code 1012: come back after the restart."""
        self._stopping.set()

    async def serve(self, socket: WebSocket) -> None:
        """Serve one client until it goes or must go."""
        try:
            await socket.accept()
        except WebSocketDisconnect:
            return
        try:
            code = await _first(self._attend(socket), self._wait_for_stop())
        except Exception:  # noqa: BLE001 - whatever it was, this client alone is closed, and the log tells
            _log.exception("a feed failed")
            code = FAULT
        if code is not _GONE:
            await self._close(socket, code)

    async def _attend(self, socket: WebSocket) -> int | None:
        try:
            async with asyncio.timeout(self._patience.sign_in_seconds):
                session = await self._sign_in(socket)
        except TimeoutError:
            session = None
        except WebSocketDisconnect as closed:
            return _code_of(closed)
        if session is None:
            return UNKNOWN_TOKEN
        client = _Client(socket, session, self._floor, self._patience)
        self._clients.add(client)
        try:
            return await client.run()
        finally:
            self._clients.discard(client)
            client.unsubscribe()

    async def _sign_in(self, socket: WebSocket) -> Session | None:
        try:
            message = _TOKEN.validate_json(await _receive(socket))
        except ValidationError:
            return None
        return self._floor.sign_in.session(message.token)

    async def _wait_for_stop(self) -> int | None:
        await self._stopping.wait()
        return RESTARTING

    async def _close(self, socket: WebSocket, code: int) -> None:
        try:
            async with asyncio.timeout(self._patience.close_seconds):
                await socket.close(code)
        except (TimeoutError, WebSocketDisconnect, RuntimeError):
            # It does not take even that, or has gone meanwhile; the server drops the connection.
            _log.info("a client did not take its close code %d", code)


class _Client:
    """One signed-in client: what it looks at and what it was sent last."""

    def __init__(self, socket: WebSocket, session: Session, floor: Floor, patience: Patience) -> None:
        self._socket = socket
        self._session = session
        self._floor = floor
        self._patience = patience
        self._look = asyncio.Event()
        self._heartbeat_due = False
        self._replies: asyncio.Queue[str] = asyncio.Queue(_WAITING_REPLIES)
        self._watches: dict[str, Callable[[], None]] = {}
        self._painted: dict[Topic, int] = {}
        self.topics: dict[Topic, Basis | None] = {}
        """The basis of what was sent last, ``None`` before the first."""

    async def run(self) -> int | None:
        """Serve the client; return the code to close it with, ``None`` when it has gone."""
        try:
            return await _first(self._read(), self._write(), self._beat())
        except WebSocketDisconnect as closed:
            return _code_of(closed)

    def unsubscribe(self) -> None:
        """Stop watching every table."""
        for stop in self._watches.values():
            stop()
        self._watches.clear()
        for topic in self.topics:
            if topic.audience is Audience.SUPERVISOR:
                self._floor.views.presence.leave(topic.table, self._session)
        self.topics.clear()

    async def _read(self) -> int | None:
        while True:
            text = await _receive(self._socket)
            try:
                message = _AFTER_SIGN_IN.validate_json(text)
            except ValidationError:
                await self._reply(
                    {"code": "malformed", "text": 'Send {"subscribe": [...]} or {"painted": {...}} as JSON.'}
                )
                continue
            match message:
                case _Subscribe(subscribe=topics):
                    for topic in topics:
                        await self._subscribe(topic)
                case _Painted(painted=painted):
                    await self._on_painted(painted)

    async def _subscribe(self, text: str) -> None:
        try:
            topic = parse_topic(text)
            self._floor.views.check(topic, self._session)
        except ApiError as error:
            await self._reply({"refused": text, "code": error.code, "text": error.text})
            return
        # Watched before the first look: a change in between is seen by the one or the other.
        if topic.table not in self._watches:
            self._watches[topic.table] = self._floor.tables[topic.table].watch(self._look.set)
        if topic not in self.topics and topic.audience is Audience.SUPERVISOR:
            self._floor.views.presence.enter(topic.table, self._session)
        self.topics.setdefault(topic, None)
        self._look.set()

    async def _on_painted(self, painted: _PaintedView) -> None:
        try:
            topic = parse_topic(painted.topic)
        except ApiError as error:
            await self._reply({"code": error.code, "text": error.text})
            return
        sent = self.topics.get(topic)
        if topic.audience is not Audience.DEALER or sent is None:
            await self._reply({"code": "not-subscribed", "text": "Only a dealer view that was sent is painted."})
        elif self._painted.get(topic, -1) < painted.sequence <= sent.sequence:
            self._painted[topic] = painted.sequence
            self._floor.on_painted(topic.table, painted.sequence)

    async def _write(self) -> int | None:
        try:
            while True:
                await self._look.wait()
                self._look.clear()
                await self._send_what_is_new()
        except TimeoutError:
            return TOO_SLOW

    async def _send_what_is_new(self) -> None:
        while not self._replies.empty():
            await self._send(self._replies.get_nowait())
        if self._heartbeat_due:
            self._heartbeat_due = False
            await self._send(json.dumps({"heartbeat": self._floor.clock.now().wall_ns}))
        for topic in tuple(self.topics):
            shown = self._floor.views.show(topic, self._session)
            if shown.basis != self.topics[topic]:
                self.topics[topic] = shown.basis
                await self._send(shown.message(self._floor.clock.now()))

    async def _send(self, text: str) -> None:
        async with asyncio.timeout(self._patience.send_seconds):
            await self._socket.send_text(text)

    async def _beat(self) -> int | None:
        # Looking once a second finds what changes without an event: a balance, the day, a set clock.
        while True:
            await self._floor.clock.sleep_until(self._floor.clock.now().monotonic_ns + _HEARTBEAT_NS)
            self._heartbeat_due = True
            self._look.set()

    async def _reply(self, body: dict[str, str]) -> None:
        # A client that asks faster than it reads is not read from any more until it has.
        self._look.set()
        await self._replies.put(json.dumps(body))
        self._look.set()


async def _receive(socket: WebSocket) -> str:
    """Return the next message; raise ``WebSocketDisconnect`` when the client has gone or sent too much."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1005))
    text: str | None = message.get("text")
    if text is None:
        # Bytes are no form of ours; an empty text is refused as malformed.
        return ""
    if len(text) > _LARGEST_MESSAGE:
        raise _TooBig
    return text


class _TooBig(WebSocketDisconnect):
    def __init__(self) -> None:
        super().__init__(TOO_BIG)


def _code_of(closed: WebSocketDisconnect) -> int | None:
    return TOO_BIG if isinstance(closed, _TooBig) else _GONE


async def _first(*coroutines: Coroutine[Any, Any, int | None]) -> int | None:
    """Run coroutines together until the first ends; end the others and return, or raise, what it did."""
    tasks = [asyncio.create_task(coroutine) for coroutine in coroutines]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        return next(task for task in tasks if task in done).result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
