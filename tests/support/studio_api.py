"""A stand-in for the studio's API, for its clients' tests: shows what a test tells it to, keeps what it gets."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator, Coroutine, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

import uvicorn
from fastapi import FastAPI, Request, WebSocket, WebSocketDisconnect
from fastapi.responses import JSONResponse

TOKEN = "a-token-that-is-known"  # noqa: S105 - of a server that lives as long as a test


@dataclass(frozen=True, slots=True)
class Post:
    """A command that arrived."""

    path: str
    key: str
    body: Mapping[str, Any]


class _Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class StudioStub:
    """Use it as an async context manager; ``answers`` are given to the next commands, then 200s."""

    def __init__(self) -> None:
        self.posts: list[Post] = []
        self.answers: list[tuple[int, Mapping[str, Any]]] = []
        self.strategies: dict[str, Mapping[str, Any]] = {}
        self.sequence = 0
        self.connections = 0
        self.url = ""
        self._views: dict[str, Mapping[str, Any]] = {}
        self._sockets: dict[WebSocket, list[str]] = {}
        self._arrived = asyncio.Event()

    def show(self, topic: str, view: Mapping[str, Any]) -> None:
        """Show a view from now on, to those connected at once."""
        self.sequence += 1
        self._views[topic] = view
        for websocket, topics in self._sockets.items():
            if topic in topics:
                self._later(websocket.send_text(json.dumps(self._message(topic))))

    def close_feeds(self, code: int = 1012) -> None:
        """End every feed."""
        for websocket in tuple(self._sockets):
            self._later(websocket.close(code))

    async def wait_for_posts(self, count: int) -> list[Post]:
        """Return the commands, once there are so many."""
        async with asyncio.timeout(10):
            while len(self.posts) < count:
                await self._arrived.wait()
        return self.posts

    async def wait_for_connections(self, count: int) -> None:
        """Wait until so many feeds have been opened, ended ones counted too."""
        async with asyncio.timeout(10):
            while self.connections < count:
                await self._arrived.wait()

    async def __aenter__(self) -> Self:
        listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        self._pending: set[asyncio.Task[None]] = set()
        self._server = _Server(
            uvicorn.Config(
                self._app(), log_config=None, lifespan="off", ws="websockets-sansio", timeout_graceful_shutdown=1
            )
        )
        self._serving = asyncio.create_task(self._server.serve(sockets=[listener]))
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close_feeds()
        self._server.should_exit = True
        await self._serving
        await asyncio.gather(*self._pending, return_exceptions=True)

    def _later(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(coroutine)
        self._pending.add(task)
        task.add_done_callback(self._pending.discard)

    def _message(self, topic: str) -> dict[str, Any]:
        return {"topic": topic, "sequence": self.sequence, "server_wall_ns": 0, "view": self._views[topic]}

    def _notify(self) -> None:
        self._arrived.set()
        self._arrived.clear()

    def _app(self) -> FastAPI:
        app = FastAPI()

        @app.get("/v1/tables/{table}/views/{audience}")
        async def view(table: str, audience: str, request: Request) -> JSONResponse:
            if request.headers.get("Authorization") != f"Bearer {TOKEN}":
                return JSONResponse({"code": "unknown-token", "text": ""}, 401)
            topic = f"tables/{table}/{audience}"
            if topic not in self._views:
                return JSONResponse({"code": "forbidden", "text": "This is not for you."}, 403)
            return JSONResponse(self._message(topic))

        @app.get("/v1/tables/{table}/strategy.json")
        async def strategy(table: str) -> JSONResponse:
            if table not in self.strategies:
                return JSONResponse({"code": "no-such-table", "text": "There is no such table."}, 404)
            return JSONResponse(dict(self.strategies[table]))

        @app.post("/v1/{path:path}")
        async def post(path: str, request: Request) -> JSONResponse:
            self.posts.append(Post(path, request.headers["Idempotency-Key"], await request.json()))
            status, body = self.answers.pop(0) if self.answers else (200, {"sequence": self.sequence})
            self._notify()
            return JSONResponse(dict(body), status)

        @app.websocket("/v1/feed")
        async def feed(websocket: WebSocket) -> None:
            await websocket.accept()
            self.connections += 1
            with contextlib.suppress(WebSocketDisconnect):
                await self._serve(websocket)
            self._sockets.pop(websocket, None)

        return app

    async def _serve(self, websocket: WebSocket) -> None:
        if (await websocket.receive_json()) != {"token": TOKEN}:
            await websocket.close(4401)
            return
        topics: list[str] = (await websocket.receive_json())["subscribe"]
        self._sockets[websocket] = topics
        for topic in topics:
            if topic in self._views:
                await websocket.send_text(json.dumps(self._message(topic)))
            else:
                await websocket.send_json({"refused": topic, "code": "forbidden", "text": "Not for you."})
        self._notify()
        while True:
            await websocket.receive_text()


@contextlib.asynccontextmanager
async def studio_stub() -> AsyncIterator[StudioStub]:
    """Run a stub for the length of a test."""
    async with StudioStub() as stub:
        yield stub
