"""The camera's plug-in: its process is watched over, and nothing of it reaches the table but events."""

from __future__ import annotations

import asyncio
import os
import sys
import textwrap
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from support.camera_stream import RECOGNISER, link, seen, streamed, until

from hardware_sim.camera.faults import CameraFault
from studio.domain.cards import parse_card
from studio.ports.devices import DeviceEvent, EventKind, LinkState
from vision.capture.settings import CameraSettings, parse_settings
from vision.plugin import CameraPlugin
from vision.source import CameraSource

ANY = CameraSettings("file:nowhere", "nowhere.json")
SLOT = (
    '{"kind":"slot","load":7,"ordinal":3,"seat":2,"hand":1,"position":2,"seen":"read","card":"8S",'
    '"confidence":0.973,"reason":"","outline":[[1,2],[3,4],[5,6],[7,8]],"frames":[4,5,6],'
    '"monotonic_ns":5,"wall_ns":6,"still":"/9j/2Q=="}'
)


@asynccontextmanager
async def a_source(program: str, settings: CameraSettings = ANY) -> AsyncIterator[CameraSource]:
    """A source whose process is this program."""
    source = CameraSource("cam-1", settings, (sys.executable, "-c", textwrap.dedent(program)))
    try:
        yield source
    finally:
        await source.close()


async def test_a_claim_becomes_a_slot_event_with_its_place_confidence_frame_outline_and_still() -> None:
    async with a_source(f"print({SLOT!r}, flush=True); input(); input()") as source:
        event = await until(source, lambda one: one.kind is EventKind.SLOT)
    assert (event.card, event.load, event.ordinal, event.quality) == (parse_card("8S"), 7, 3, 97)
    assert event.received.monotonic_ns == 5
    assert event.raw == b"\xff\xd8\xff\xd9"
    details = {name: event.details[name] for name in ("seat", "hand", "position", "frame", "frames")}
    assert details == {"seat": 2, "hand": 1, "position": 2, "frame": "7-3", "frames": (4, 5, 6)}
    assert event.details["outline"] == ((1, 2), (3, 4), (5, 6), (7, 8))


@pytest.mark.parametrize(
    "text",
    [
        "no json",
        "[]",
        '{"kind":"other"}',
        '{"kind":"slot"}',
        SLOT.replace("8S", "9X"),
        SLOT.replace("0.973", '"much"'),
        '{"kind":"link","state":"odd","reason":"","load":0,"ordinal":0}',
        '{"kind":"picture","jpeg":"%"}',
        "\xff\x00",
    ],
)
async def test_a_line_that_is_no_message_is_counted_and_never_an_event_or_an_exception(text: str) -> None:
    program = f"print({text!r}, flush=True); print({SLOT!r}, flush=True); input(); input()"
    async with a_source(program) as source:
        event = await until(source, lambda one: one.kind is EventKind.SLOT)
        assert event.ordinal == 3
        assert sum(source.health().errors.values()) == 1


async def test_a_camera_that_never_comes_is_told_as_down_from_the_start() -> None:
    async with a_source("raise SystemExit(1)") as source:
        first = await until(source, lambda _: True)
        assert first.details["state"] == LinkState.OPENING
        lost = await until(source, link("lost"))
        assert "started anew" in lost.details["reason"]
        assert source.health().link is LinkState.LOST


async def test_a_process_that_hangs_is_ended_and_started_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.source.SILENCE_SECONDS", 0.3)
    ready = '{"kind":"link","state":"ready","reason":"","load":1,"ordinal":0}'
    program = f"""
        import time, signal
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        print({ready!r}, flush=True)
        time.sleep(600)
    """
    async with a_source(program) as source:
        await until(source, link("ready"))
        lost = await until(source, link("lost"))
        assert "hangs" in lost.details["reason"]
        await until(source, link("ready"))
        assert source.health().losses == 1
    assert source.starts == 2


async def test_closing_ends_the_events_and_the_process() -> None:
    async with a_source("import sys; print('{}', flush=True); sys.stdin.read()") as source:
        pass
    with suppress(TimeoutError):
        async with asyncio.timeout(5):
            events = [event async for event in source.events()]
    assert events == []


async def test_closing_again_and_again_leaves_no_process_that_does_not_want_to_go() -> None:
    program = f"""
        import signal, sys, time
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        print({SLOT!r}, flush=True)
        sys.stdin.read()
        time.sleep(600)
    """
    async with a_source(program) as source:
        await until(source, lambda one: one.kind is EventKind.SLOT)
        process = source._process
        assert process is not None
        await asyncio.gather(source.close(), source.close())
        assert process.returncode is not None


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "source and calibration"),
        ({"source": "rtsp://x"}, "calibration"),
        ({"source": "ftp://x", "calibration": "c"}, "must begin"),
        ({"source": "rtsp://x", "calibration": "c", "speed": 1}, "unknown setting 'speed'"),
        ({"source": "rtsp://x", "calibration": "c", "fps": "10"}, "fps must be of type float"),
        ({"source": "rtsp://x", "calibration": "c", "fps": 0}, "above 0"),
        ({"source": "rtsp://x", "calibration": "c", "simulated": 1}, "simulated must be of type bool"),
        ({"source": "rtsp://x", "calibration": "c", "recogniser": "x"}, "module:name"),
    ],
)
def test_settings_that_cannot_be_say_why(given: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        parse_settings(given)


# The whole process, at a simulated camera's stream


@pytest.fixture(autouse=True)
def _reader_of_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the camera's process find the tests' recogniser, as this process does."""
    tests = Path(__file__).parents[2]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(tests), os.environ.get("PYTHONPATH", ""))))


async def test_a_streamed_table_is_read_and_each_fault_of_the_camera_is_told(tmp_path: Path) -> None:
    async with streamed() as one:
        settings = {
            "source": one.address,
            "calibration": str(one.calibrated(tmp_path)),
            "recogniser": RECOGNISER,
            "simulated": True,
        }
        source = CameraPlugin().open("cam-1", settings, resume=None, capture=lambda *_: None)
        try:
            await until(source, link("ready"))
            one.felt.lay(parse_card("QH"), 2, 1, one.now_ns())
            event = await until(source, seen("read"))
            assert (event.card, event.details["seat"]) == (parse_card("QH"), 2)
            assert event.raw.startswith(b"\xff\xd8")
            assert source.picture().startswith(b"\xff\xd8")
            for fault, words in (
                (CameraFault.BLACK, "black"),
                (CameraFault.TORN, "damaged"),
                (CameraFault.FROZEN, "stands still"),
                (CameraFault.TURNED, "moved"),
                (CameraFault.SILENT, "no picture"),
            ):
                one.camera.set_fault(fault, is_on=True)
                await until(source, link("lost", words))
                one.camera.set_fault(fault, is_on=False)
                await until(source, link("ready"))
            one.felt.lay(parse_card("7D"), 2, 1, one.now_ns())
            event = await until(source, seen("read"))
            assert (event.card, event.details["position"]) == (parse_card("7D"), 2)
        finally:
            await source.close()


async def test_a_camera_without_calibration_shows_its_picture_and_is_calibrated_by_four_points(
    tmp_path: Path,
) -> None:
    async with streamed() as one:
        settings = {
            "source": one.address,
            "calibration": str(tmp_path / "new.json"),
            "layout": str(one.layout_file(tmp_path)),
            "recogniser": RECOGNISER,
        }
        source = CameraPlugin().open("cam-1", settings, resume=None, capture=lambda *_: None)
        try:
            await until(source, link("lost", "calibrate the camera first"))
            assert "no table" in await source.calibrate([(0, 0), (9, 0), (9, 9), (0, 9)])
            assert not await source.calibrate(one.camera.corners)
            await until(source, link("ready"))
            one.felt.lay(parse_card("QH"), 2, 1, one.now_ns())
            event: DeviceEvent = await until(source, seen("read"))
            assert event.card == parse_card("QH")
        finally:
            await source.close()
