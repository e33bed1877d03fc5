"""A stand-in for the studio's server: serves the built consoles and plays scripted views to them.

It keeps to the consoles' side of the API: views over one WebSocket, commands over HTTP, each recorded.
"""

from __future__ import annotations

import asyncio
import dataclasses
import socket
import threading
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI, Request, WebSocket, WebSocketDisconnect
from fastapi.responses import FileResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles

from studio.domain.correction_views import Preview

STATIC = Path(__file__).parents[3] / "studio" / "web" / "static"
TOKEN = "stub-token-0123456789"  # noqa: S105 - opens nothing but this stub
# What the consoles must live with: no inline script or style, no other host.
POLICY = "default-src 'self'; img-src 'self' data:; connect-src 'self' http://127.0.0.1:*; frame-ancestors 'self'"


_NOTHING_CHANGES: dict[str, Any] = dataclasses.asdict(
    Preview(
        lawful=True,
        code="",
        text="",
        needs_second=False,
        hands=(),
        money=(),
        staked_before=135_900,
        staked_after=135_900,
        refund_total=0,
        phase_before="decisions",
        phase_after="decisions",
        next_step="Wait for seat 1",
        message=None,
    )
)


@dataclasses.dataclass
class Received:
    """One command as it came in."""

    key: str
    body: dict[str, Any]
    path: str = "commands"


class ConsoleStub:
    """The server's state as a test scripts it; only the server's own loop touches the sockets."""

    def __init__(self) -> None:
        self.views: dict[str, object] = {}
        self.sequence = 0
        self.beating = True
        self.shut = False
        self.received: list[Received] = []
        self.painted: list[int] = []
        self.connections = 0
        self.subscriptions = 0
        self.answers: list[tuple[int, dict[str, Any]]] = []
        self.answer_after_seconds = 0.0
        self.documents: dict[str, Any] = {}
        self.preview: dict[str, Any] = dict(_NOTHING_CHANGES)
        self.read: list[str] = []
        self.control_state: dict[str, Any] = {}
        self.controls: list[tuple[str, dict[str, Any]]] = []
        self.port = 0
        self._feeds: dict[WebSocket, set[str]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    def reset(self) -> None:
        """Forget what a test scripted and saw."""
        self.beating = True
        self.shut = False
        self.answer_after_seconds = 0.0
        for kept in (self.received, self.painted, self.answers, self.controls, self.read):
            kept.clear()
        self.views.clear()
        self.documents.clear()
        self.preview = dict(_NOTHING_CHANGES)

    def show(self, topic: str, view: object) -> int:
        """Make ``view`` the newest of ``topic``, send it, and return its sequence."""
        return self.show_all({topic: view})

    def show_all(self, views: dict[str, object]) -> int:
        """Make these the newest views of their topics, send them as one change, and return its sequence."""
        self.sequence += 1
        for topic, view in views.items():
            self.views[topic] = dataclasses.asdict(view)  # type: ignore[call-overload]
        for topic in views:
            self._run(self._broadcast(topic))
        return self.sequence

    def drop_connections(self) -> None:
        """Close every feed, as a server that goes down does."""
        self._run(self._close_feeds())

    def url(self, page: str) -> str:
        """Return the address of a console with its table and sign-in."""
        return f"http://127.0.0.1:{self.port}/{page}#table=t1&token={TOKEN}"

    def _run(self, work: Coroutine[None, None, None]) -> None:
        assert self._loop is not None
        asyncio.run_coroutine_threadsafe(work, self._loop).result(5)

    def _message(self, topic: str) -> dict[str, Any]:
        return {
            "topic": topic,
            "sequence": self.sequence,
            "server_wall_ns": time.time_ns(),
            "view": self.views[topic],
        }

    async def _broadcast(self, topic: str) -> None:
        for feed, topics in list(self._feeds.items()):
            if topic in topics:
                await feed.send_json(self._message(topic))

    async def _close_feeds(self) -> None:
        for feed in list(self._feeds):
            await feed.close(1012)

    async def _beat(self) -> None:
        while True:
            for feed in list(self._feeds) if self.beating else ():
                await feed.send_json({"heartbeat": time.time_ns()})
            await asyncio.sleep(0.5)

    async def serve_feed(self, feed: WebSocket) -> None:
        """Authenticate, subscribe, send the newest view; note what was painted."""
        if self.shut:
            await feed.close()
            return
        await feed.accept()
        if (await feed.receive_json()).get("token") != TOKEN:
            await feed.close(4401)
            return
        self.connections += 1
        self._feeds[feed] = set()
        try:
            while True:
                message = await feed.receive_json()
                for topic in message.get("subscribe", ()):
                    self._feeds[feed].add(topic)
                    self.subscriptions += 1
                    if topic in self.views:
                        await feed.send_json(self._message(topic))
                if "painted" in message:
                    self.painted.append(message["painted"]["sequence"])
        except WebSocketDisconnect:
            pass
        finally:
            del self._feeds[feed]

    async def take_command(self, request: Request) -> Response:
        """Record a command and give the next scripted answer, or success."""
        if request.headers.get("authorization") != f"Bearer {TOKEN}":
            return JSONResponse({"code": "unauthorized", "text": "No token"}, 401)
        path = request.url.path.removeprefix("/v1/tables/t1/")
        if path == "previews":
            return JSONResponse({"sequence": self.sequence, "preview": self.preview})
        self.received.append(Received(request.headers["idempotency-key"], await request.json(), path))
        # Taken as it comes: an answer that is slow must not be that of a later request, of another test perhaps.
        scripted = self.answers.pop(0) if self.answers else None
        await asyncio.sleep(self.answer_after_seconds)
        status, body = scripted or (200, {"sequence": self.sequence})
        return JSONResponse(body, status)

    async def read_document(self, path: str, request: Request) -> Response:
        """Answer what a console reads: a view by its audience, or a document that the test laid down."""
        if request.headers.get("authorization") != f"Bearer {TOKEN}":
            return JSONResponse({"code": "unauthorized", "text": "No token"}, 401)
        self.read.append(f"{path}?{request.url.query}" if request.url.query else path)
        topic = f"tables/t1/{path.removeprefix('tables/t1/views/')}"
        if topic in self.views:
            return JSONResponse(self._message(topic))
        if f"{path}?{request.url.query}" in self.documents:
            return JSONResponse(self.documents[f"{path}?{request.url.query}"])
        if path in self.documents:
            return JSONResponse(self.documents[path])
        return JSONResponse({"code": "not-found", "text": "Not scripted"}, 404)

    async def control(self, name: str, request: Request) -> Response:
        """Play the simulator's control API."""
        if request.method == "POST":
            body = await request.body()
            self.controls.append((name, await request.json() if body else {}))
        return JSONResponse(self.control_state)

    def app(self) -> FastAPI:
        """Return the stub as an application."""
        app = FastAPI(openapi_url=None)

        @app.get("/{page}")
        async def page(page: str) -> Response:
            return FileResponse(STATIC / f"{page}.html", headers={"Content-Security-Policy": POLICY})

        app.add_api_route("/v1/tables/t1/{path:path}", self.take_command, methods=["POST"])
        app.add_api_route("/v1/{path:path}", self.read_document, methods=["GET"])
        app.add_api_route("/control/{name:path}", self.control, methods=["GET", "POST"])
        app.add_api_websocket_route("/v1/feed", self.serve_feed)
        app.mount("/static", StaticFiles(directory=STATIC))
        return app

    @contextmanager
    def running(self) -> Iterator[ConsoleStub]:
        """Serve on a free port of the loopback while the context lasts."""
        listener = socket.create_server(("127.0.0.1", 0))
        self.port = listener.getsockname()[1]
        config = uvicorn.Config(self.app(), log_level="error", ws="websockets-sansio", lifespan="off")
        server = uvicorn.Server(config)
        started = threading.Event()

        async def main() -> None:
            self._loop = asyncio.get_running_loop()
            beat = asyncio.create_task(self._beat())
            started.set()
            await server.serve([listener])
            beat.cancel()

        thread = threading.Thread(target=lambda: asyncio.run(main()))
        thread.start()
        try:
            assert started.wait(10)
            yield self
        finally:
            server.should_exit = True
            server.force_exit = True
            thread.join(10)
            listener.close()
