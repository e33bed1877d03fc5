"""A hand-dealt studio with a camera over its felt: a real capture process, the picture streamed from here."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from hardware_sim.camera.felt import Felt
from hardware_sim.camera.felt import Place as FeltPlace
from studio.domain.cards import parse_card
from support.camera_stream import RECOGNISER, Streamed, streamed
from support.hand_dealt import HandDealtStudio, hand_dealt_studio
from support.studio_folder import DEALER, SUPERVISOR

CAMERA = "cam-1"
_WAIT_SECONDS = 30.0


class SeenTable:
    """Deals cards through the reader and lays them before the camera."""

    def __init__(self, studio: HandDealtStudio, stream: Streamed) -> None:
        self.studio = studio
        self._stream = stream

    @property
    def felt(self) -> Felt:
        return self._stream.felt

    def lay(self, card: str, seat: int, *, is_up: bool = True) -> None:
        """Lay a card as the next of a seat's hand; seat 0 is the dealer."""
        self.felt.lay(parse_card(card), seat, 1, self._stream.now_ns(), is_up=is_up)

    def turn_hole(self) -> None:
        self.felt.turn(FeltPlace(0, 1, 2), self._stream.now_ns())

    def collect(self) -> None:
        self.felt.collect(self._stream.now_ns())

    async def bets(self) -> None:
        """Have a shoe in play, its cards burned, and anna's bet of 1000 on seat 1."""
        await self.studio.ready()
        await self.studio.deal("2C", "KD", "KH")
        await self.studio.press("open-betting")
        await self.studio.post("anna", "bets", {"bets": [{"seat": 1, "amount": 1000}]})
        await self.studio.press("close-betting")

    async def deal(self, card: str, seat: int, *, is_up: bool = True) -> None:
        await self.studio.deal(card)
        self.lay(card, seat, is_up=is_up)

    async def first_cards(self) -> None:
        """Deal anna 8S 9C against the dealer's 8C and a hole card QH, each seen before the next one comes."""
        for count, (card, seat) in enumerate((("8S", 1), ("8C", 0), ("9C", 1), ("QH", 0)), 1):
            await self.deal(card, seat, is_up=card != "QH")
            await self.counts(agreed=count)

    async def health(self) -> Mapping[str, Any]:
        """Return what ``/health`` tells of the table."""
        table: Mapping[str, Any] = (await self.studio.get(DEALER, "/health"))["tables"]["t1"]
        return table

    async def is_camera(self, state: str, words: str = "") -> None:
        """Wait until ``/health``, the console and the metrics say so of the camera, and with these words."""
        async with asyncio.timeout(_WAIT_SECONDS):
            while not self._is(state, words, (await self.health())["devices"]["camera"]):  # noqa: ASYNC110 - a poll
                await asyncio.sleep(0.05)
        shown = next(one for one in (await self.studio.dealers_view())["devices"] if one["role"] == "camera")
        assert self._is(state, words, shown), shown
        await self.metric(f'studio_link_state{{device="{CAMERA}",state="{state}"}}', 1)

    async def counts(self, **verdicts: int) -> None:
        """Wait until so many cards have each verdict of the camera."""
        for verdict, count in verdicts.items():
            labels = f'table="t1",verdict="{verdict}",witness="{CAMERA}"'
            await self.metric(f"studio_witnessed_total{{{labels}}}", count)

    async def metric(self, name: str, value: int) -> None:
        async with asyncio.timeout(_WAIT_SECONDS):
            while f"\n{name} {value}.0" not in await self.studio.get(DEALER, "/metrics"):  # noqa: ASYNC110 - a poll
                await asyncio.sleep(0.05)

    async def incidents(self) -> list[str]:
        return [one["kind"] for one in (await self.studio.dealers_view())["incidents"]]

    async def resolve(self, kind: str, way: str, person: str = SUPERVISOR) -> None:
        view = await self.studio.dealers_view(lambda view: any(one["kind"] == kind for one in view["incidents"]))
        (number,) = [one["number"] for one in view["incidents"] if one["kind"] == kind]
        arguments = {"incident": number, "way_out": way, "reason": "procedure", "text": "As ruled"}
        await self.studio.press("resolve-incident", person, **arguments)

    def capture_process(self) -> int:
        """Return the id of the server's child that captures."""
        children = [
            int(process.name)
            for process in Path("/proc").glob("[0-9]*")
            if b"vision.capture" in _read(process / "cmdline") and _parent(process) == self.studio.server.pid
        ]
        (pid,) = children
        return pid

    def kill_capture(self) -> None:
        os.kill(self.capture_process(), signal.SIGKILL)

    @staticmethod
    def _is(state: str, words: str, told: Mapping[str, Any]) -> bool:
        return bool(told["link"] == state and words in told["reason"])


@asynccontextmanager
async def seen_table(path: Path, recogniser: str = RECOGNISER) -> AsyncIterator[SeenTable]:
    """Run a studio whose table has a camera that may stand in for the reader."""
    async with streamed() as stream:
        settings = {
            "source": stream.address,
            "calibration": str(stream.calibrated(path)),
            "recogniser": recogniser,
            "simulated": True,
        }
        written = ", ".join(f"{name} = {json.dumps(value)}" for name, value in settings.items())
        camera = f"""
[tables.camera]
driver = "camera"
device = "{CAMERA}"
mode = "fallback"
deadline_ms = 6000
empty_ms = 8000
occupied_ms = 6000
settings = {{ {written} }}
"""
        async with hand_dealt_studio(path, camera=camera) as studio:
            yield SeenTable(studio, stream)


def _read(file: Path) -> bytes:
    """Return what a file of the process list holds; nothing once the process is gone."""
    try:
        return file.read_bytes()
    except OSError:
        return b""


def _parent(process: Path) -> int | None:
    fields = _read(process / "stat").rpartition(b") ")[2].split()
    return int(fields[1]) if fields else None
