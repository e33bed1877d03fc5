"""A client of the feed that keeps every byte it was sent, and the code that it was closed with."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed


class Listener:
    """One connection; :meth:`run` until the server closes it."""

    def __init__(self, url: str, token: str, topics: Sequence[str]) -> None:
        self._url = f"ws{url.removeprefix('http')}/v1/feed"
        self._token = token
        self._topics = list(topics)
        self.heard: list[bytes] = []
        self.close_code: int | None = None
        self.is_served = asyncio.Event()
        """Set by the first view."""

    async def run(self) -> None:
        """Listen to the end."""
        async with connect(self._url, proxy=None) as connection:
            await connection.send(json.dumps({"token": self._token}))
            await connection.send(json.dumps({"subscribe": self._topics}))
            try:
                while True:
                    message = await connection.recv(decode=False)
                    self.heard.append(message)
                    if b'"view"' in message:
                        self.is_served.set()
            except ConnectionClosed as closed:
                self.close_code = closed.rcvd.code if closed.rcvd else None
