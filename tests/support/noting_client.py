"""A client of the public API that notes what it asked for and what was answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from studio.players.client import Answer, ApiClient

RETRY_PAUSES_SECONDS = (0.1,) * 100
"""Of a client that outlives every crash of the server."""


@dataclass(slots=True)
class Asked:
    """A command with its idempotency key; ``answer`` is ``None`` while nothing came back."""

    person: str
    path: str
    key: str
    body: Mapping[str, Any]
    answer: Answer | None = field(default=None)

    @property
    def cause(self) -> str:
        """What the journal gives as the cause of this command's events: keys are a person's own."""
        return f"{self.person}/{self.key}"


class NotingClient(ApiClient):
    """One signed-in person's client; ``asked`` holds every command, oldest first."""

    def __init__(self, url: str, token: str, person: str) -> None:
        super().__init__(url, token, repeat_pauses_seconds=RETRY_PAUSES_SECONDS)
        self._person = person
        self.asked: list[Asked] = []
        self.on_success: Callable[[], None] = lambda: None
        """Called at the very moment that a command was accepted."""

    async def _ask(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        if method != "POST" or body is None or headers is None:
            return await super()._ask(method, path, body, headers)
        asked = Asked(self._person, path, headers["Idempotency-Key"], body)
        self.asked.append(asked)
        asked.answer = await super()._ask(method, path, body, headers)
        if asked.answer.is_success:
            self.on_success()
        return asked.answer
