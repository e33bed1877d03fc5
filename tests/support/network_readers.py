"""Network serial servers on loopback, and a source that reads one: what it told, and how its link is."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Callable
from typing import Any, Self

import serial
import serial.rfc2217

from studio.domain.instants import Instant
from studio.ports.devices import CardSource, CardSourcePlugin, DeviceEvent, EventKind, LinkState

_WAIT_SECONDS = 15.0


async def until(is_so: Callable[[], object]) -> None:
    """Wait for a condition, looking again and again."""
    async with asyncio.timeout(_WAIT_SECONDS):
        while not is_so():  # noqa: ASYNC110 - polls what other threads and the kernel change
            await asyncio.sleep(0.002)


class TcpServer:
    """A serial server in raw mode: what it is told to say goes to whoever is connected."""

    def __init__(self) -> None:
        self.accepted = 0
        self.heard = b""
        self._writers: list[asyncio.StreamWriter] = []
        self._server: asyncio.Server | None = None
        self.number = 0

    @property
    def address(self) -> str:
        return f"socket://127.0.0.1:{self.number}"

    async def __aenter__(self) -> Self:
        await self.come_back()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.go_away()

    async def come_back(self) -> None:
        """Listen, on the same port as before."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.number)
        self.number = self._server.sockets[0].getsockname()[1]

    async def go_away(self) -> None:
        """Listen no more, and end every connection."""
        assert self._server is not None
        self._server.close()
        self.hang_up()
        await self._server.wait_closed()

    def hang_up(self) -> None:
        """End every connection."""
        for writer in self._writers:
            writer.close()
        self._writers.clear()

    def say(self, data: bytes) -> None:
        """Send to whoever is connected."""
        for writer in self._writers:
            writer.write(data)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.append(writer)
        self.accepted += 1
        while data := await reader.read(1024):
            self.heard += data
        writer.close()


class Rfc2217Server:
    """A serial server that speaks RFC 2217, by pyserial's own server side; one client at a time."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._port: serial.SerialBase = serial.serial_for_url("loop://", timeout=0)
        self._connection: socket.socket | None = None
        self._manager: Any = None
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        self.accepted = 0

    @property
    def address(self) -> str:
        return f"rfc2217://127.0.0.1:{self._listener.getsockname()[1]}"

    @property
    def baud(self) -> int:
        """The speed that the client has set the far port to."""
        return int(self._port.baudrate)

    def say(self, data: bytes) -> None:
        """Send what the device behind the server says."""
        assert self._connection is not None
        self._connection.sendall(b"".join(self._manager.escape(data)))

    def hang_up(self) -> None:
        """End the connection."""
        if self._connection is not None:
            with contextlib.suppress(OSError):  # the client was quicker
                self._connection.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.hang_up()
        self._thread.join()
        self._port.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with connection, contextlib.suppress(OSError):  # a client may go in mid sentence
                # Its types name the client's class where any port and any writer will do.
                manager: Any = serial.rfc2217.PortManager(self._port, _Writer(connection))  # type: ignore[arg-type]
                self._connection, self._manager = connection, manager
                self.accepted += 1
                while data := connection.recv(1024):
                    self._port.write(b"".join(manager.filter(data)))
            self._connection = None


class _Writer:
    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection

    def write(self, data: bytes) -> None:
        self._connection.sendall(data)


class ReadingSource:
    """A source opened by its plug-in, read and acknowledged as ingest does it."""

    def __init__(self, plugin: CardSourcePlugin, address: str, **settings: object) -> None:
        self.events: list[DeviceEvent] = []
        self.captured = b""
        self._open: Callable[[], CardSource] = lambda: plugin.open(
            "shoe-1", {"port": address, **settings}, resume=None, capture=self._capture
        )

    async def __aenter__(self) -> Self:
        self.source = self._open()
        self._reading = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.source.close()
        await self._reading

    @property
    def link(self) -> LinkState:
        return self.source.health().link

    @property
    def reason(self) -> str:
        return self.source.health().reason

    def links(self) -> list[str]:
        """Return the states that the link has been told to be in, repeats left out."""
        states = [str(one.details["state"]) for one in self.events if one.kind is EventKind.LINK]
        return [state for place, state in enumerate(states) if states[place - 1 : place] != [state]]

    def cards(self) -> list[str]:
        """Return the cards told that are not suspect."""
        return [str(one.card) for one in self.events if one.card is not None and not one.suspect]

    def count(self, kind: EventKind) -> int:
        return sum(one.kind is kind for one in self.events)

    async def _read(self) -> None:
        async for event in self.source.events():
            self.events.append(event)
            await self.source.acknowledge(event)

    def _capture(self, device: str, data: bytes, received: Instant) -> None:
        assert device
        assert received
        self.captured += data
