"""The simulated camera on the network: motion JPEG, as network cameras offer it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from fastapi import APIRouter, HTTPException
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel, ConfigDict

from hardware_sim.camera.camera import SimulatedCamera
from hardware_sim.camera.faults import CAMERA_FAULTS, CameraFault, Kind

FRAMES_A_SECOND: Final = 10
BOUNDARY: Final = "picture"


async def parts(camera: SimulatedCamera, fps: float = FRAMES_A_SECOND) -> AsyncIterator[bytes]:
    """Yield the stream's parts for ever, at the camera's pace; a camera that hangs yields nothing."""
    while True:
        data = camera.jpeg()
        if data is not None:
            head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
            yield head.encode() + data + b"\r\n"
        await asyncio.sleep(1 / fps)


class CameraSwitch(BaseModel):
    """Switch or arm a fault of the camera, or take it back."""

    model_config = ConfigDict(extra="forbid", strict=True)
    active: bool


class CameraFaultView(BaseModel):
    """A fault, what the studio should do about it, and whether it is on (of a dealer's mistake: armed)."""

    name: CameraFault
    kind: Kind
    caption: str
    active: bool


def fault_routes(camera: SimulatedCamera) -> APIRouter:
    """Return the routes that list and switch what goes wrong before the lens."""
    routes = APIRouter()

    def listed() -> list[CameraFaultView]:
        return [
            CameraFaultView(name=name, kind=spec.kind, caption=spec.caption, active=camera.is_on(name))
            for name, spec in CAMERA_FAULTS.items()
        ]

    @routes.get("/camera/faults")
    async def faults() -> list[CameraFaultView]:
        return listed()

    @routes.post("/camera/faults/{name}")
    async def switch(name: str, body: CameraSwitch) -> list[CameraFaultView]:
        try:
            fault = CameraFault(name)
        except ValueError as error:
            message = "There is no fault of that name: GET /camera/faults lists them."
            raise HTTPException(404, message) from error
        camera.set_fault(fault, is_on=body.active)
        return listed()

    return routes


def stream_routes(camera: SimulatedCamera, fps: float = FRAMES_A_SECOND) -> APIRouter:
    """Return the camera's routes: the stream, and one picture."""
    routes = APIRouter()

    @routes.get("/camera.mjpg")
    async def stream() -> StreamingResponse:
        return StreamingResponse(parts(camera, fps), media_type=f"multipart/x-mixed-replace; boundary={BOUNDARY}")

    @routes.get("/camera.jpg")
    async def picture() -> Response:
        data = camera.jpeg()
        return Response(data or b"", 200 if data else 503, media_type="image/jpeg")

    return routes
