"""The camera's pictures: the still behind a reading, the live picture, and the calibration by four points.

They never say a card; a still that may show a hidden one is withheld like the card.
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Body, Depends, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, Field

from studio.domain.people import Role
from studio.domain.table import Table
from studio.ports.devices import Camera
from studio.ports.stills import Still, Stills
from studio.web.desk import ERRORS, Live, Who, bearer
from studio.web.errors import ApiError, forbidden
from studio.web.ruling_endpoints import Looking

_DEALER: Final = 0
_CALIBRATING: Final = frozenset({Role.SUPERVISOR, Role.TECHNICIAN})
_PICTURE: Final = "image/jpeg"
_UNCACHED: Final = {"Cache-Control": "no-store"}

router = APIRouter(prefix="/v1", dependencies=[Depends(bearer)])


class Calibration(BaseModel):
    """The table's corners in the picture, clockwise from the top left, the dealer at the top."""

    corners: list[tuple[float, float]] = Field(min_length=4, max_length=4)


Corners = Annotated[
    Calibration,
    Body(openapi_examples={"corners": {"value": {"corners": [[310, 42], [1610, 40], [1890, 1010], [35, 1014]]}}}),
]


class Calibrated(BaseModel):
    """What is wrong with the calibration; empty where it was taken."""

    problem: str


class EnrolmentStep(BaseModel):
    """One step of the guided pass over the deck; ``take`` names what is ``due``: a repetition does nothing."""

    step: Literal["begin", "take", "finish"]
    due: str = Field("", max_length=5)


Step = Annotated[
    EnrolmentStep,
    Body(
        openapi_examples={"begin": {"value": {"step": "begin"}}, "take": {"value": {"step": "take", "due": "AD"}}}
    ),
]


class Enrolled(BaseModel):
    """How far it is: ``due`` is to be laid into the dealer's place next; ``problem`` is why a step failed.

    Nothing taken and nothing due: no enrolment is under way.
    """

    problem: str
    taken: int
    due: str


class CameraState(BaseModel):
    """A camera's condition: ``link`` is ready or says how far it is, ``reason`` what to do."""

    device: str
    link: str
    reason: str


def _cameras(request: Request) -> Mapping[str, Camera]:
    found: Mapping[str, Camera] = request.app.state.cameras
    return found


def _stills(request: Request) -> Stills | None:
    found: Stills | None = request.app.state.stills
    return found


Cameras = Annotated[Mapping[str, Camera], Depends(_cameras)]


def _camera(table: Live, cameras: Cameras, session: Who) -> Camera:
    if not session.may(_CALIBRATING):
        message = "This is for supervisors and technicians."
        raise forbidden(message)
    camera = cameras.get(table.setup.table)
    if camera is None:
        raise ApiError(HTTPStatus.NOT_FOUND, "no-such-record", "This table has no camera.")
    return camera


TheCamera = Annotated[Camera, Depends(_camera)]


@router.get("/tables/{table}/stills/{frame}", responses=ERRORS, response_class=Response)
async def still(
    table: Live, frame: str, stills: Annotated[Stills | None, Depends(_stills)], _session: Looking
) -> Response:
    """Return the picture behind a reading, JPEG; one that may show a hidden card is refused until it is turned."""
    name = table.setup.table
    found = await run_in_threadpool(stills.open, name, frame) if stills is not None else None
    if found is None:
        raise ApiError(HTTPStatus.NOT_FOUND, "no-such-record", "There is no such still, or it is too old.")
    if may_show_hidden(table.table, found):
        message = "This still may show the hole card: it is opened when the card is turned."
        raise forbidden(message)
    return Response(found.jpeg, media_type=_PICTURE, headers=_UNCACHED)


@router.get("/tables/{table}/camera", responses=ERRORS)  # noqa: FAST003 - the dependency takes it
async def camera_state(camera: TheCamera) -> CameraState:
    """Return how the table's camera is."""
    health = camera.health()
    return CameraState(device=health.device, link=health.link.value, reason=health.reason)


@router.get("/tables/{table}/camera/picture", responses=ERRORS, response_class=Response)  # noqa: FAST003 - so here
async def camera_picture(camera: TheCamera) -> Response:
    """Return the newest picture with the slots and what was read drawn on it, JPEG."""
    picture = camera.picture()
    if not picture:
        raise ApiError(HTTPStatus.NOT_FOUND, "no-such-record", "The camera has given no picture yet.")
    return Response(picture, media_type=_PICTURE, headers=_UNCACHED)


@router.post("/tables/{table}/camera/calibration", responses=ERRORS)
async def calibrate(table: Live, camera: TheCamera, body: Corners) -> Calibrated:
    """Calibrate the camera by four points in its present picture; the table must be empty."""
    current = table.table.round
    if current is not None and current.hands:
        raise ApiError(HTTPStatus.CONFLICT, "wrong-phase", "Cards may lie on the table: calibrate between rounds.")
    return Calibrated(problem=await camera.calibrate(body.corners))


@router.get("/tables/{table}/camera/enrolment", responses=ERRORS)  # noqa: FAST003 - the dependency takes it
async def enrolment(camera: TheCamera) -> Enrolled:
    """Return how far the enrolment is."""
    found = await camera.enrol("look")
    return Enrolled(problem=found.problem, taken=found.taken, due=found.due)


@router.post("/tables/{table}/camera/enrolment", responses=ERRORS)
async def enrol(table: Live, camera: TheCamera, body: Step) -> Enrolled:
    """Enrol the deck in use, step by step, between rounds; at 52 of 52 right it is taken."""
    current = table.table.round
    if current is not None and current.hands:
        raise ApiError(HTTPStatus.CONFLICT, "wrong-phase", "Cards may lie on the table: enrol between rounds.")
    found = await camera.enrol(body.step, body.due)
    return Enrolled(problem=found.problem, taken=found.taken, due=found.due)


def may_show_hidden(table: Table, found: Still) -> bool:
    """Tell whether a still may show a hole card that is not turned: any of the dealer's of that round may."""
    current = table.open_round if table.round is not None else None
    if found.seat != _DEALER or current is None or current.hole_revealed or not current.dealer:
        return False
    begun_ns = min((one.at_ns for one in table.witness.watched), default=0)
    return found.at_ns >= begun_ns
