"""A table whose reader counts nothing: device events through the real translation, the table's own count."""

from __future__ import annotations

from typing import Any, Self

from studio.domain.cards import parse_card
from studio.domain.commands import OpenTable, SignOn
from studio.domain.events import Event
from studio.domain.loads import position
from studio.domain.people import SYSTEM
from studio.domain.setup import TableSetup
from studio.ports.devices import DeviceEvent, EventKind
from studio.runtime.translation import Translation
from support.tables import DEALER, READER, PlayedTable


class UncountedTable(PlayedTable):
    """Like :class:`PlayedTable`; cards come as events without load and ordinal."""

    def __init__(self, setup: TableSetup | None = None) -> None:
        super().__init__(setup)
        self.translation = Translation(position=lambda: position(self.table))

    def told(self, kind: EventKind, code: str = "", **fields: Any) -> tuple[Event, ...]:
        card = parse_card(code) if code else None
        event = DeviceEvent("shoe-1", kind, self.now, b"raw", card=card, **fields)
        commands = self.translation.commands(event)
        return tuple(done for command in commands for done in self.do(command, READER))

    def link(self, state: str) -> Self:
        self.told(EventKind.LINK, details={"state": state, "reason": ""})
        return self

    def open(self) -> Self:
        self.do(OpenTable(), SYSTEM)
        self.link("ready")
        self.do(SignOn("2099-12-31", licence_valid=True), DEALER)
        return self

    def load_shoe(self) -> Self:
        return self.confirm_steps()

    def card(self, code: str, *, ordinal: int | None = None) -> tuple[Event, ...]:
        assert ordinal is None
        return self.told(EventKind.CUT_CARD) if code == "CUT" else self.told(EventKind.CARD, code)
