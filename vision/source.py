"""The card source ``camera``: starts the capture process, passes on what it says, starts it anew when it hangs.

Nothing of the camera runs in the studio's process: a hung driver, a crash in a codec or a full core cannot hold up
the table. It knows no pictures, only messages.
"""

from __future__ import annotations

import asyncio
import base64
import json
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from studio.domain.instants import Instant
from studio.ports.devices import DeviceEvent, DeviceHealth, Enrolment, EventKind, LinkState
from vision.capture.messages import MOST_LINE_BYTES, line, link_event, parse_line, slot_event
from vision.capture.settings import CameraSettings

FIRST_SECONDS: Final = 45.0
"""How long the process may take to say its first word: it loads OpenCV and the model."""
SILENCE_SECONDS: Final = 4.0
_PAUSES_SECONDS: Final = (0.5, 1.0, 2.0, 5.0)
_ANSWER_SECONDS: Final = 60.0
_STOP_SECONDS: Final = 2.0
_MOST_EVENTS: Final = 4096
_STARTING: Final = "the camera's process is being started"


class CameraSource:
    """A running camera; see :class:`studio.ports.devices.Camera`."""

    def __init__(
        self,
        device: str,
        settings: CameraSettings,
        program: Sequence[str] = (sys.executable, "-m", "vision.capture"),
    ) -> None:
        self._device = device
        self._settings = settings
        self._program = tuple(program)
        self._events: asyncio.Queue[DeviceEvent | None] = asyncio.Queue(_MOST_EVENTS)
        self._link, self._reason = LinkState.OPENING, _STARTING
        self._errors: dict[str, int] = {}
        self._losses = 0
        self.starts = 0
        """How often the process was started."""
        self._last: Instant | None = None
        self._picture = b""
        self._process: Process | None = None
        self._answers: dict[int, asyncio.Future[Enrolment]] = {}
        self._requests = 0
        self._is_closed = False
        # Visible from the start: a camera that never comes is a camera that is down.
        self._tell_link(LinkState.OPENING, _STARTING)
        self._task = asyncio.create_task(self._run(), name=f"camera {device}")

    @property
    def device(self) -> str:
        """The device id from the configuration."""
        return self._device

    @property
    def simulated(self) -> bool:
        """Whether the settings say that it looks at a simulated table."""
        return self._settings.simulated

    async def events(self) -> AsyncIterator[DeviceEvent]:
        """Yield events in order until :meth:`close`; for one reader at a time."""
        while not self._is_closed:
            event = await self._events.get()
            if event is None:
                return
            yield event

    async def acknowledge(self, event: DeviceEvent) -> None:
        """Do nothing: a camera keeps nothing to send again."""

    def health(self) -> DeviceHealth:
        """Return the present condition."""
        return DeviceHealth(self._device, self._link, self._reason, dict(self._errors), self._losses, self._last)

    def picture(self) -> bytes:
        """Return the newest picture with its slots drawn on it, JPEG; empty while there is none."""
        return self._picture

    async def calibrate(self, corners: Sequence[tuple[float, float]]) -> str:
        """Calibrate by the corners of the empty table in the present picture; return what is wrong, or nothing."""
        answer = await self._ask("calibrate", corners=[list(one) for one in corners])
        return answer.problem

    async def enrol(self, step: str, due: str = "") -> Enrolment:
        """Look how far the enrolment of the deck in use is, begin it, take a picture of ``due``, or finish."""
        return await self._ask("enrol", step=step, due=due)

    async def _ask(self, what: str, **content: Any) -> Enrolment:  # noqa: ANN401 - JSON
        process = self._process
        if process is None or process.stdin is None:
            return Enrolment("the camera does not run", 0, "")
        self._requests += 1
        number = self._requests
        answer: asyncio.Future[Enrolment] = asyncio.get_running_loop().create_future()
        self._answers[number] = answer
        try:
            process.stdin.write(line("request", do=what, id=number, **content))
            async with asyncio.timeout(_ANSWER_SECONDS):
                await process.stdin.drain()
                return await answer
        except (TimeoutError, OSError):
            return Enrolment("the camera does not answer", 0, "")
        finally:
            self._answers.pop(number, None)

    async def close(self) -> None:
        """End the process and :meth:`events`; calling it twice is allowed."""
        self._is_closed = True
        self._task.cancel()
        await asyncio.wait({self._task})
        self._put(None)

    async def _run(self) -> None:
        failures = 0
        while True:
            lines = 0
            try:
                lines = await self._follow()
            except (OSError, ValueError, asyncio.LimitOverrunError) as error:
                self._tell_link(LinkState.LOST, f"the camera's process failed: {error}")
            failures = 0 if lines > 1 else failures + 1
            await asyncio.sleep(_PAUSES_SECONDS[min(failures, len(_PAUSES_SECONDS) - 1)])

    async def _follow(self) -> int:
        """Run the process until it ends or falls silent; return how many lines it said."""
        process = await asyncio.create_subprocess_exec(
            *self._program, stdin=PIPE, stdout=PIPE, limit=MOST_LINE_BYTES
        )
        self._process, lines = process, 0
        self.starts += 1
        try:
            if process.stdin is None or process.stdout is None:
                message = "it has no pipes"
                raise ValueError(message)
            process.stdin.write(json.dumps(self._settings.as_json()).encode() + b"\n")
            while True:
                patience = SILENCE_SECONDS if lines else FIRST_SECONDS
                try:
                    # Not wait_for: a line that comes in the moment of a cancellation makes it forget the latter.
                    async with asyncio.timeout(patience):
                        data = await process.stdout.readline()
                except TimeoutError:
                    self._tell_link(LinkState.LOST, "the camera's process hangs; it is started anew")
                    return lines
                if not data:
                    self._tell_link(LinkState.LOST, "the camera's process ended; it is started anew")
                    return lines
                lines += 1
                self._take(data)
        finally:
            self._process = None
            await _ended(process)

    def _take(self, data: bytes) -> None:
        """Pass on one line; a line that is no message is counted, never raised."""
        try:
            message = parse_line(data)
            self._act_on(message)
        except (ValueError, KeyError, TypeError) as error:
            self._count(f"message: {type(error).__name__}")

    def _act_on(self, message: Mapping[str, Any]) -> None:
        match message["kind"]:
            case "slot":
                event = slot_event(self._device, message)
                self._last = event.received
                self._put(event)
            case "link":
                load, ordinal = int(message["load"]), int(message["ordinal"])
                state, reason = LinkState(message["state"]), str(message["reason"])
                self._put(DeviceEvent(self._device, EventKind.HELLO, _now(), load=load, ordinal=ordinal))
                self._tell_link(state, reason)
            case "picture":
                self._picture = base64.b64decode(message["jpeg"], validate=True)
                self._last = _now()
            case "heartbeat":
                self._errors |= {str(name): int(count) for name, count in message["bad"].items()}
            case "answer":
                waiting = self._answers.get(int(message["id"]))
                if waiting is not None and not waiting.done():
                    due = str(message.get("due", ""))
                    waiting.set_result(Enrolment(str(message["error"]), int(message.get("taken", 0)), due))
            case _:
                self._count("message: unknown")

    def _tell_link(self, state: LinkState, reason: str) -> None:
        if self._link is LinkState.READY and state is not LinkState.READY:
            self._losses += 1
        self._link, self._reason = state, reason
        self._put(link_event(self._device, state, reason, _now()))

    def _put(self, event: DeviceEvent | None) -> None:
        while self._events.full():
            # The newest say what is; a table that takes nothing for so long has other troubles.
            self._events.get_nowait()
            self._count("overflow")
        self._events.put_nowait(event)

    def _count(self, what: str) -> None:
        self._errors[what] = self._errors.get(what, 0) + 1


async def _ended(process: Process) -> None:
    """End the process, by force where it does not go by itself or where there is no time to wait for it."""
    if process.stdin is not None:
        process.stdin.close()
    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(_STOP_SECONDS):
                await process.wait()
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def _now() -> Instant:
    return Instant(time.monotonic_ns(), time.time_ns())
