"""The simulator's control API on loopback: the demo page's buttons.

It translates HTTP into calls of :class:`~hardware_sim.table.SimulatedTable` and decides nothing itself. Every
request needs the bearer token; only one origin may call it from a browser. It never names a card: the page
that calls it is a browser, and a hidden card leaves by no channel.
"""

from __future__ import annotations

import secrets
from typing import Annotated, Final

from fastapi import APIRouter, Depends, FastAPI, HTTPException, Request, status
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from hardware_sim.camera.camera import SimulatedCamera
from hardware_sim.camera.stream import fault_routes, stream_routes
from hardware_sim.faults import FAULTS, OF_THE_SERVER, ONLY_OF_A_SHOE, Fault, FaultKind
from hardware_sim.pacing import MAX_SECONDS_PER_CARD
from hardware_sim.pty_line import PtyLine
from hardware_sim.table import Empty, Pulled, Reading, Refused, Rescanned, SimulatedTable
from studio.domain.cards import parse_card

MIN_TOKEN_LENGTH: Final = 16


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class FaultSwitch(_Body):
    """Switch or arm a fault, or take it back."""

    active: bool


class PaceSetting(_Body):
    """The dealer's pace."""

    seconds_per_card: Annotated[float, Field(ge=0, le=MAX_SECONDS_PER_CARD, allow_inf_nan=False)]


class StackedCard(_Body):
    """The card to deal next, as a code such as ``8S``."""

    card: Annotated[str, Field(max_length=2)]


class PullView(BaseModel):
    """What came out of the shoe, its face untold; ``ordinal`` is None when it was empty."""

    ordinal: int | None
    reading: Reading | None
    cut_card: bool


class RescanView(BaseModel):
    """A card passed over the exit reader again."""

    ordinal: int
    read: bool


class ShoeView(BaseModel):
    """The physical shoe."""

    seed: int
    decks: int
    load: int
    dealt: int
    left: int
    cut_card_inside: bool
    continuous: bool
    waiting_for_rescan: list[int]


class LinkView(BaseModel):
    """The device and its port; ``refusal`` says why no card can be pulled now."""

    path: str
    plugged: bool
    serial: str
    boot: int
    ordinal: int
    state: str
    refusal: str | None
    lost_bytes: int


class FaultView(BaseModel):
    """A fault, what the studio should do about it, and whether it is on (for a one-shot: armed)."""

    name: Fault
    kind: FaultKind
    caption: str
    active: bool


class StateView(BaseModel):
    """Everything the demo page shows of the simulator."""

    shoe: ShoeView
    link: LinkView
    faults: list[FaultView]
    seconds_per_card: float
    paused: bool


def build_control(
    table: SimulatedTable,
    line: PtyLine,
    *,
    token: str,
    allowed_origin: str | None,
    camera: SimulatedCamera | None = None,
) -> FastAPI:
    """Return the control API of ``table``; raise ``ValueError`` for a token shorter than 16 characters."""
    if len(token) < MIN_TOKEN_LENGTH:
        message = f"the control token must have at least {MIN_TOKEN_LENGTH} characters"
        raise ValueError(message)
    app = FastAPI(title="Simulated table", docs_url=None, redoc_url=None, openapi_url=None)
    app.add_exception_handler(RequestValidationError, _explain_bad_input)
    if allowed_origin is not None:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=[allowed_origin],
            allow_methods=["GET", "POST"],
            allow_headers=["Authorization", "Content-Type"],
        )

    def require_token(request: Request) -> None:
        scheme, _, given = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not secrets.compare_digest(given.encode(), token.encode()):
            raise HTTPException(
                status.HTTP_401_UNAUTHORIZED,
                "Send the simulator's token: Authorization: Bearer <token>.",
                headers={"WWW-Authenticate": "Bearer"},
            )

    def require_key(key: str = "") -> None:
        # A camera's reader and a browser's picture send no header.
        if not secrets.compare_digest(key.encode(), token.encode()):
            raise HTTPException(status.HTTP_401_UNAUTHORIZED, "Give the simulator's token: ?key=<token>.")

    routes = APIRouter(dependencies=[Depends(require_token)])
    _add_shoe_routes(routes, table, line)
    _add_load_routes(routes, table, line)
    _add_tampering_routes(routes, table, line)
    _add_pace_routes(routes, table, line)
    app.include_router(routes)
    if camera is not None:
        app.include_router(fault_routes(camera), dependencies=[Depends(require_token)])
        app.include_router(stream_routes(camera), dependencies=[Depends(require_key)])
    return app


def _add_shoe_routes(routes: APIRouter, table: SimulatedTable, line: PtyLine) -> None:
    # Handlers are async so that they run in the table's own event loop, never in a thread.
    @routes.get("/state")
    async def state() -> StateView:
        return _state(table, line)

    @routes.post("/pull")
    async def pull() -> PullView:
        match table.pull():
            case Pulled(_, ordinal, reading, cut_card):
                return PullView(ordinal=ordinal, reading=reading, cut_card=cut_card)
            case Empty(cut_card):
                return PullView(ordinal=None, reading=None, cut_card=cut_card)
            case Refused(reason):
                raise _conflict(reason)

    @routes.post("/rescan")
    async def rescan() -> RescanView:
        match table.rescan():
            case Rescanned(_, ordinal, is_read):
                return RescanView(ordinal=ordinal, read=is_read)
            case Refused(reason):
                raise _conflict(reason)


def _add_load_routes(routes: APIRouter, table: SimulatedTable, line: PtyLine) -> None:
    @routes.post("/new-shoe")
    async def new_shoe() -> StateView:
        _raise_if_refused(table.new_shoe())
        return _state(table, line)

    @routes.post("/return-cards")
    async def return_cards() -> StateView:
        _raise_if_refused(table.return_cards())
        return _state(table, line)


def _add_tampering_routes(routes: APIRouter, table: SimulatedTable, line: PtyLine) -> None:
    @routes.post("/stack")
    async def stack(body: StackedCard) -> StateView:
        try:
            card = parse_card(body.card)
        except ValueError as error:
            raise HTTPException(status.HTTP_422_UNPROCESSABLE_CONTENT, f"{error}.") from error
        _raise_if_refused(table.stack_next(card))
        return _state(table, line)

    @routes.post("/faults/{name}")
    async def switch_fault(name: str, body: FaultSwitch) -> StateView:
        try:
            fault = Fault(name)
        except ValueError as error:
            raise HTTPException(
                status.HTTP_404_NOT_FOUND, "There is no fault of that name: GET /state lists them."
            ) from error
        if fault not in _possible(table):
            message = (
                "The server's process is not known here."
                if fault in OF_THE_SERVER
                else "This cannot happen to this reader, or not to a continuous shuffler: see GET /state."
            )
            raise _conflict(message)
        table.set_fault(fault, is_on=body.active)
        return _state(table, line)


def _add_pace_routes(routes: APIRouter, table: SimulatedTable, line: PtyLine) -> None:
    @routes.post("/pace")
    async def set_pace(body: PaceSetting) -> StateView:
        table.pace.set(body.seconds_per_card)
        return _state(table, line)

    @routes.post("/pause")
    async def pause() -> StateView:
        table.pace.pause()
        return _state(table, line)

    @routes.post("/resume")
    async def resume() -> StateView:
        table.pace.resume()
        return _state(table, line)

    @routes.post("/step")
    async def step() -> StateView:
        table.pace.step()
        return _state(table, line)


def _state(table: SimulatedTable, line: PtyLine) -> StateView:
    shoe, device = table.shoe, table.device
    return StateView(
        shoe=ShoeView(
            seed=shoe.seed,
            decks=shoe.decks,
            load=device.load,
            dealt=shoe.dealt,
            left=shoe.left,
            cut_card_inside=shoe.has_cut_card,
            continuous=shoe.is_continuous,
            waiting_for_rescan=list(table.unread),
        ),
        link=LinkView(
            path=str(line.link),
            plugged=line.is_plugged,
            serial=device.label,
            boot=device.boot,
            ordinal=device.ordinal,
            state=device.state_name if device.is_powered else "off",
            refusal=device.refusal(),
            lost_bytes=line.lost_bytes,
        ),
        faults=[
            FaultView(name=fault, kind=FAULTS[fault].kind, caption=caption, active=table.is_on(fault))
            for fault, caption in _possible(table).items()
        ],
        seconds_per_card=table.pace.seconds_per_card,
        paused=table.pace.is_paused,
    )


def _possible(table: SimulatedTable) -> dict[Fault, str]:
    hidden = set(ONLY_OF_A_SHOE) if table.shoe.is_continuous else set()
    if table.server is None:
        hidden |= OF_THE_SERVER
    elif not table.server.has_clock:
        hidden.add(Fault.SERVER_CLOCK)
    return {fault: caption for fault, caption in table.device.captions.items() if fault not in hidden}


def _conflict(reason: str) -> HTTPException:
    return HTTPException(status.HTTP_409_CONFLICT, reason)


def _raise_if_refused(refused: Refused | None) -> None:
    if refused is not None:
        raise _conflict(refused.reason)


async def _explain_bad_input(_request: Request, error: Exception) -> JSONResponse:
    problems = error.errors() if isinstance(error, RequestValidationError) else []
    sentences = [
        f"{'.'.join(str(part) for part in problem['loc'][1:]) or 'body'}: {problem['msg']}."
        for problem in problems
    ]
    return JSONResponse({"detail": " ".join(sentences)}, status.HTTP_422_UNPROCESSABLE_CONTENT)
