"""The web application, put together from what it is given. It starts nothing and opens nothing itself."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from fastapi import FastAPI, WebSocket
from prometheus_client import CollectorRegistry
from starlette.middleware import Middleware

from studio.domain.views import DeviceView
from studio.evidence.timecode import USUAL_RATE
from studio.ports.clock import Clock
from studio.ports.custody import Custody
from studio.ports.devices import Camera
from studio.ports.evidence import Evidence
from studio.ports.history import History
from studio.ports.look_back import LookBack
from studio.ports.settled import SettledRounds
from studio.ports.stills import Stills
from studio.ports.wallet import Wallet
from studio.settings import People
from studio.web import (
    camera_endpoints,
    endpoints,
    evidence_endpoints,
    hand_over,
    hold_endpoints,
    look_back_endpoints,
    player_endpoints,
    ruling_endpoints,
    supervisor_endpoints,
)
from studio.web.errors import install_error_answers
from studio.web.feed import PATIENCE, Feed, Patience
from studio.web.floor import Floor
from studio.web.live_table import LiveTable
from studio.web.middleware import API_DESCRIPTION, FaultAnswers, Gate, SecurityHeaders
from studio.web.pages import STATIC, install_pages, install_reports, install_rule_sheets
from studio.web.sign_in import SignIn
from studio.web.views import Views, no_devices

NO_CAMERAS: Final[Mapping[str, Camera]] = MappingProxyType({})
_DESCRIPTION: Final = """Tables of a live-dealer studio.

Every request carries `Authorization: Bearer TOKEN`; every POST an `Idempotency-Key`, new for each intent and the
same for its repeats, which get the first answer again. Errors are `{"code", "text"}`. Amounts are minor units.

Views come over the WebSocket `/v1/feed`: send `{"token": "..."}`, then `{"subscribe": ["tables/t1/public"]}`;
each message is a whole view, newest only, beside a `{"heartbeat": server_wall_ns}` each second. Close codes: 4401
unknown token, 4408 too slow, 1009 message too big, 1012 the server is restarting.
"""


def create_app(  # noqa: PLR0913 - the parts it is put together from, each by name
    *,
    tables: Mapping[str, LiveTable],
    people: People,
    wallets: Mapping[str, Wallet],
    clock: Clock,
    history: History,
    settled: SettledRounds,
    custody: Custody,
    look_back: LookBack,
    evidence: Evidence,
    health: Callable[[], dict[str, Any]],
    registry: CollectorRegistry,
    simulated: bool,
    on_painted: Callable[[str, int], None],
    devices: Callable[[str], tuple[DeviceView, ...]] = no_devices,
    frames_per_second: int = USUAL_RATE,
    cameras: Mapping[str, Camera] = NO_CAMERAS,
    stills: Stills | None = None,
    static: Path = STATIC,
    patience: Patience = PATIENCE,
) -> FastAPI:
    """Return the application; ``app.state.feed`` is its :class:`studio.web.feed.Feed`.

    ``tables`` are by id, ``wallets`` by currency. The feed is stopped at the end of the application's lifespan;
    whoever runs the server may stop it before. ``frames_per_second`` is the rate of the recorder's video.
    ``static`` need not exist. Raises :class:`studio.settings.SettingsError` for people who cannot be told apart
    or have a role that is none.
    """
    sign_in = SignIn(people)
    floor = Floor(
        tables,
        sign_in,
        Views(tables, wallets, clock, devices),
        clock,
        history,
        settled,
        look_back,
        evidence,
        on_painted,
        custody,
        frames_per_second,
    )
    feed = Feed(floor, patience)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        yield
        feed.stop()

    app = FastAPI(
        title="Live-dealer studio",
        version="1",
        description=_DESCRIPTION,
        openapi_url=API_DESCRIPTION,
        docs_url=None,  # its page would load scripts from a network
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
        middleware=[
            Middleware(SecurityHeaders, simulated=simulated),
            Middleware(FaultAnswers),
            Middleware(Gate, sign_in=sign_in),
        ],
    )
    app.state.floor = floor
    app.state.feed = feed
    app.state.cameras, app.state.stills = cameras, stills
    install_error_answers(app)
    app.include_router(endpoints.router)
    app.include_router(ruling_endpoints.router)
    app.include_router(player_endpoints.router)
    app.include_router(supervisor_endpoints.router)
    app.include_router(hold_endpoints.router)
    app.include_router(evidence_endpoints.router)
    app.include_router(hand_over.router)
    app.include_router(look_back_endpoints.router)
    app.include_router(camera_endpoints.router)

    @app.websocket("/v1/feed")
    async def _feed(socket: WebSocket) -> None:
        await feed.serve(socket)

    install_reports(app, health, registry)
    install_rule_sheets(app, tables)
    install_pages(app, static, simulated=simulated)
    return app
