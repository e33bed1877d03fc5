"""An automated supervisor: closes whatever incident the dealer may not, by a lawful way out."""

from __future__ import annotations

import random
from collections.abc import Mapping
from contextlib import aclosing
from typing import Any

from studio.players.client import ApiClient, UnreachableError

_PREFERRED = ("use-next", "go-on", "rescan", "mark-duplicate", "burn", "change-shoe", "discard", "void")


class AutomatedSupervisor:
    """A supervisor that works until cancelled; ``void_share`` of the incidents end in a void, where one can."""

    def __init__(self, api: ApiClient, table: str, *, seed: int, void_share: float) -> None:
        self._api = api
        self._table = table
        self._random = random.Random(f"{seed}/supervisor")  # noqa: S311 - reproducible
        self._void_share = void_share
        self._choices: dict[int, bool] = {}
        self.closed: list[str] = []
        """What was closed, as ``kind way-out``."""

    async def run(self) -> None:
        """Close incidents for ever."""
        async with aclosing(self._api.updates(f"tables/{self._table}/supervisor")) as updates:
            async for update in updates:
                await self._look(update.view, update.sequence)

    async def _look(self, view: Mapping[str, Any], sequence: int) -> None:
        for incident in view["incidents"]:
            dealer_may = any(
                each["number"] == incident["number"] and each["ways_out"] for each in view["dealer"]["incidents"]
            )
            if incident["ways_out"] and not dealer_may and not _waits_for_its_cause(incident):
                await self._close(incident, sequence)
                return

    async def _close(self, incident: Mapping[str, Any], sequence: int) -> None:
        way_out = self._way_out(incident)
        arguments = {"incident": incident["number"], "way_out": way_out, "reason": "procedure", "text": "As ruled"}
        body = {"command": "resolve-incident", "arguments": arguments, "seen_sequence": sequence}
        try:
            answer = await self._api.post(f"/tables/{self._table}/commands", body)
        except UnreachableError:
            return
        if answer.is_success:
            self.closed.append(f"{incident['kind']} {way_out}")

    def _way_out(self, incident: Mapping[str, Any]) -> str:
        ways = incident["ways_out"]
        voids = self._choices.setdefault(incident["number"], self._random.random() < self._void_share)
        if voids and "void" in ways:
            return "void"
        return next(way for way in _PREFERRED if way in ways)


def _waits_for_its_cause(incident: Mapping[str, Any]) -> bool:
    """A lost reader comes back by itself: nothing is voided for it."""
    return incident["kind"] in {"scanner-down", "wrong-mode", "crash-recovery"} and incident["level"] == "hold"
