"""What is shown: topics, who may see which, and each view as JSON, made once for all who look.

It decides nothing about what a view holds: the domain's projections do, and they alone.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus
from typing import Any, Final, NamedTuple, assert_never

from pydantic import TypeAdapter

from studio.domain import player_projection, projections
from studio.domain.correction_views import PresenceView
from studio.domain.instants import Instant
from studio.domain.money import player_account
from studio.domain.people import SUPERVISING, Role
from studio.domain.views import DealerView, DeviceView, PlayerView, SupervisorView, TableView
from studio.ports.clock import Clock
from studio.ports.wallet import Wallet
from studio.web.errors import ApiError, forbidden, unknown_table
from studio.web.live_table import LiveTable
from studio.web.presence import Presence
from studio.web.sign_in import ROLES_OF_PEOPLE, Session

View = TableView | DealerView | SupervisorView | PlayerView

_CLOCK_STEP_NS: Final = 100_000_000
"""Deadlines are shown in wall time: when the wall clock moves by this much, views are made anew."""


class Audience(StrEnum):
    """Who a view is for."""

    PUBLIC = "public"
    DEALER = "dealer"
    SUPERVISOR = "supervisor"
    PLAYER = "player"


ROLES_THAT_SEE: Final[dict[Audience, frozenset[Role]]] = {
    Audience.PUBLIC: ROLES_OF_PEOPLE,
    Audience.DEALER: SUPERVISING | {Role.DEALER, Role.TECHNICIAN, Role.AUDITOR},
    Audience.SUPERVISOR: SUPERVISING | {Role.AUDITOR},
    Audience.PLAYER: frozenset({Role.PLAYER}),
}
"""Who may see what; what is not here is refused (deny by default)."""

_SHOWN_DEVICES: Final = frozenset({Audience.DEALER, Audience.SUPERVISOR})

_JSON: Final[dict[Audience, TypeAdapter[Any]]] = {
    Audience.PUBLIC: TypeAdapter(TableView),
    Audience.DEALER: TypeAdapter(DealerView),
    Audience.SUPERVISOR: TypeAdapter(SupervisorView),
    Audience.PLAYER: TypeAdapter(PlayerView),
}


@dataclass(frozen=True, slots=True)
class Topic:
    """One audience's view of one table; as text ``tables/t1/dealer``."""

    table: str
    audience: Audience

    def __str__(self) -> str:
        return f"tables/{self.table}/{self.audience}"


def parse_topic(text: str) -> Topic:
    """Read a topic; raise :class:`ApiError` when it is none."""
    match text.split("/"):
        case ["tables", table, audience] if audience in set(Audience):
            return Topic(table, Audience(audience))
        case _:
            names = "|".join(Audience)
            raise ApiError(HTTPStatus.NOT_FOUND, "unknown-topic", f"A topic is tables/TABLE/{names}.")


class Basis(NamedTuple):
    """All that a view depends on: two views on the same basis are the same."""

    sequence: int
    day: str
    clock_step: int
    balance: int
    present: tuple[PresenceView, ...] = ()
    devices: tuple[DeviceView, ...] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """A view as JSON text, and what it was made from."""

    topic: Topic
    basis: Basis
    text: str

    def message(self, now: Instant) -> str:
        """Return the whole message; its time is when it is sent, so that clients can set their clocks by it."""
        head = f'"topic":"{self.topic}","sequence":{self.basis.sequence},"server_wall_ns":{now.wall_ns}'
        return f'{{{head},"view":{self.text}}}'


def day_of(now: Instant) -> str:
    """Return the ISO date (UTC) of a moment."""
    return dt.datetime.fromtimestamp(now.wall_ns // 1_000_000_000, tz=dt.UTC).date().isoformat()


def no_devices(_table: str) -> tuple[DeviceView, ...]:
    """Return the devices of a table that has none."""
    return ()


class Views:
    """The newest view of each topic; a player's private one per player."""

    def __init__(
        self,
        tables: Mapping[str, LiveTable],
        wallets: Mapping[str, Wallet],
        clock: Clock,
        devices: Callable[[str], tuple[DeviceView, ...]] = no_devices,
    ) -> None:
        self._devices = devices
        self._tables = tables
        self._wallets = wallets
        self._clock = clock
        self.presence = Presence()
        self._newest: dict[tuple[Topic, str], Shown] = {}

    def check(self, topic: Topic, session: Session) -> None:
        """Raise :class:`ApiError` unless the table exists and the person may see this view of it."""
        if not session.may(ROLES_THAT_SEE.get(topic.audience, frozenset())):
            message = f"The {topic.audience} view is not for your role. Ask for one that is."
            raise forbidden(message)
        if topic.table not in self._tables:
            raise unknown_table(topic.table)

    def _balance(self, currency: str, player: str) -> int:
        return self._wallets[currency].available(player_account(player))

    def show(self, topic: Topic, session: Session) -> Shown:
        """Return the newest view of a topic for a person; raise :class:`ApiError` as :meth:`check` does."""
        self.check(topic, session)
        table = self._tables[topic.table]
        player = session.id if topic.audience is Audience.PLAYER else ""
        now = self._clock.now()
        basis = Basis(
            table.sequence,
            day_of(now),
            (now.wall_ns - now.monotonic_ns) // _CLOCK_STEP_NS,
            self._balance(table.setup.limits.currency, player) if player else 0,
            self.presence.at(topic.table, now.monotonic_ns) if topic.audience is Audience.SUPERVISOR else (),
            self._devices(topic.table) if topic.audience in _SHOWN_DEVICES else (),
        )
        known = self._newest.get((topic, player))
        if known and known.basis == basis:
            return known
        view = _project(topic.audience, table, player, basis, now)
        shown = Shown(topic, basis, _JSON[topic.audience].dump_json(view).decode())
        self._newest[topic, player] = shown
        return shown


def _project(audience: Audience, table: LiveTable, player: str, basis: Basis, now: Instant) -> View:
    match audience:
        case Audience.PUBLIC:
            return projections.table_view(table.table, now)
        case Audience.DEALER:
            return projections.dealer_view(table.table, now, basis.day, basis.devices)
        case Audience.SUPERVISOR:
            return projections.supervisor_view(table.table, now, basis.day, basis.present, basis.devices)
        case Audience.PLAYER:
            return player_projection.player_view(table.table, player, basis.balance, now)
        case _:
            assert_never(audience)
