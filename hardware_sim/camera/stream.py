"""The simulated camera on the network: motion JPEG, as network cameras offer it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from fastapi import APIRouter
from fastapi.responses import Response, StreamingResponse

from hardware_sim.camera.camera import SimulatedCamera

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
