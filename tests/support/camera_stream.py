"""A simulated camera on a port of this machine, and a program that stands for the capture process."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import uvicorn
from fastapi import FastAPI

from hardware_sim.camera.camera import SimulatedCamera, layout
from hardware_sim.camera.felt import Felt
from hardware_sim.camera.stream import stream_routes
from studio.ports.devices import DeviceEvent, EventKind
from vision.source import CameraSource
from vision.table.calibration import calibrate, save_calibration
from vision.table.layout import parse_layout

FPS = 6
RECOGNISER = "support.camera_reader:template_recogniser"


class Streamed:
    """The camera, and its stream's address."""

    def __init__(self, port: int) -> None:
        self.felt = Felt(1)
        self.camera = SimulatedCamera(self.felt, 1, time.monotonic_ns)
        self.address = f"http://127.0.0.1:{port}/camera.mjpg"

    def now_ns(self) -> int:
        return time.monotonic_ns()

    def layout_file(self, folder: Path) -> Path:
        file = folder / "layout.json"
        file.write_text(json.dumps(layout()))
        return file

    def calibrated(self, folder: Path) -> Path:
        image = self.camera.scene.render(time.monotonic_ns())
        file = folder / "calibration.json"
        save_calibration(calibrate(image, self.camera.corners, parse_layout(layout())), file)
        return file


@contextlib.asynccontextmanager
async def streamed() -> AsyncIterator[Streamed]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        one = Streamed(listener.getsockname()[1])
        app = FastAPI()
        app.include_router(stream_routes(one.camera, FPS))
        config = uvicorn.Config(app, log_config=None, lifespan="off", ws="none", timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            yield one
        finally:
            server.should_exit = True
            await serving


async def until(source: CameraSource, wanted: Callable[[DeviceEvent], bool], seconds: float = 90) -> DeviceEvent:
    """Read events until one is wanted."""
    async with asyncio.timeout(seconds):
        async for event in source.events():
            if wanted(event):
                return event
    raise AssertionError


def link(state: str, words: str = "") -> Callable[[DeviceEvent], bool]:
    """Return what tells a link of this state whose reason has these words."""
    return lambda event: (
        event.kind is EventKind.LINK and event.details["state"] == state and words in event.details["reason"]
    )


def seen(what: str) -> Callable[[DeviceEvent], bool]:
    return lambda event: event.kind is EventKind.SLOT and event.details["seen"] == what
