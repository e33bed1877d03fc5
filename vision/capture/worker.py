"""The capture process's work: newest frame in, claims out, and always a word on how the camera is.

It holds no thread but the grabber's and, while a deck is learnt, one for that. It ends when its input does: a
studio that is gone leaves no process behind.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Final

import cv2

from studio.ports.devices import LinkState
from vision.capture.drawing import drawn
from vision.capture.enrolling import Enrolling
from vision.capture.grabber import Grabbed, Grabber
from vision.capture.messages import base64_of, jpeg, line, slot_line
from vision.capture.settings import CameraSettings
from vision.capture.sources import open_source
from vision.deck_watch import DeckWatch
from vision.recogniser import Learnt, Recogniser, load_recogniser
from vision.table.calibration import Calibration, CalibrationError, calibrate, load_calibration, save_calibration
from vision.table.eye import TableEye
from vision.table.frames import Frame
from vision.table.layout import Layout, parse_layout
from vision.table.slots import SlotSeen

HEARTBEAT_NS: Final = 500_000_000
_PATIENCE_NS: Final = 1_500_000_000
"""So long a camera may give nothing usable before it counts as down."""
_LOOKS_NS: Final = 1_500_000_000
"""So long it looks before it is ready: by then it has told what lies in every slot, or that it is covered."""
_PICTURE_NS: Final = 500_000_000
_PICTURE_QUALITY: Final = 70
_HUNG: Final = 3

WORDS: Final[Mapping[str, str]] = {
    "opening": "the camera is being opened",
    "no-frame": "no picture comes: check the camera and its cable",
    "old": "pictures come too late: check the network and the load of this machine",
    "wrong-size": "the pictures have another size than calibrated: set the camera back, or calibrate again",
    "black": "the picture is black: uncover the lens, switch the light on",
    "grey": "the picture is grey: restart the camera",
    "torn": "pictures come damaged: check the cable or the network",
    "unreadable": "pictures come damaged: check the cable or the network",
    "too-large": "pictures come damaged: check the cable or the network",
    "frozen": "the picture stands still: restart the camera",
    "other-deck": "another deck than the enrolled one lies on the table: enrol the deck in use",
    "learning": "the camera learns the deck: it reads again in a few seconds",
    "drifted": "the camera or the table was moved: put it back, or calibrate again",
}


@dataclass(slots=True)
class Worker:
    """Works on the newest frame; ``say`` writes a line, ``load`` is the number of this start."""

    settings: CameraSettings
    recogniser: Recogniser
    say: Callable[[bytes], None]
    load: int
    eye: TableEye | None = None
    uncalibrated: str = ""
    enrolling: Enrolling | None = None
    calibration: Calibration | None = None
    decks: DeckWatch = field(default_factory=DeckWatch)
    _learning: Future[Learnt] | None = None
    _learner: int | None = None
    _ordinal: int = 0
    _last_number: int = 0
    _good_ns: int = 0
    _looks_ns: int = 0
    """Since when every picture was good; 0 after one that was not."""
    _link: tuple[LinkState, str] = (LinkState.OPENING, "")
    _picture_ns: int = 0
    _heartbeat_ns: int = 0
    _frames: int = 0
    _bad: dict[str, int] = field(default_factory=dict)
    _newest: Frame | None = None
    _last_reason: str = ""

    def begin(self, now_ns: int) -> None:
        """Load the calibration; without one pictures are shown and nothing is read."""
        self._good_ns = now_ns
        try:
            self._see_with(load_calibration(self.settings.calibration_file))
        except CalibrationError as error:
            self.uncalibrated = str(error)

    def step(self, grabbed: Grabbed, now_ns: int) -> None:
        """Work on what was grabbed last."""
        frame, reason = grabbed.frame, grabbed.reason
        if frame is not None and frame.number != self._last_number:
            self._last_number, self._newest = frame.number, frame
            reason = self._look(frame, now_ns)
            self._frames += 1
        elif frame is not None:
            # A camera slower than this loop: what was made of its newest picture still holds.
            is_late = now_ns - frame.received.monotonic_ns >= _PATIENCE_NS
            reason = "no-frame" if is_late else self._last_reason
        self._last_reason = reason
        self._end_learning()
        if reason:
            self._bad[reason] = self._bad.get(reason, 0) + 1
        elif frame is not None:
            self._good_ns = frame.received.monotonic_ns
        self._looks_ns = 0 if reason else self._looks_ns or now_ns
        self._tell_link(reason, now_ns)
        self._tell_picture(now_ns)
        if now_ns - self._heartbeat_ns >= HEARTBEAT_NS:
            self._heartbeat_ns = now_ns
            self.say(line("heartbeat", frames=self._frames, bad=self._bad))

    def answer(self, request: Mapping[str, Any]) -> None:
        """Do what is asked for; a wrong request is answered with the reason."""
        try:
            match request.get("do"):
                case "calibrate":
                    self._calibrate(request)
                case "enrol" if self._learning is not None:
                    message = "the deck is being learnt: wait a few seconds"
                    raise ValueError(message)  # noqa: TRY301 - answered below like all others
                case "enrol":
                    self._enrol(request)
                case _:
                    message = "there is no such request"
                    raise ValueError(message)  # noqa: TRY301 - answered below like all others
        except (ValueError, KeyError, TypeError, OSError, cv2.error) as error:
            problem = str(error)
        else:
            problem = ""
        if self._learning is None or problem:
            self._say_answer(request.get("id"), problem)

    def _say_answer(self, number: int | None, problem: str) -> None:
        taken, due = (self.enrolling.taken, self.enrolling.due) if self.enrolling else (0, "")
        self.say(line("answer", id=number, error=problem, taken=taken, due=due))

    def _enrol(self, request: Mapping[str, Any]) -> None:
        """Look how far it is, begin a pass over the deck, take the picture that is due, or finish."""
        step = request.get("step")
        if step == "look":
            return
        if self.calibration is None:
            message = "calibrate the camera first"
            raise ValueError(message)
        if self.recogniser.enrol is None:
            message = "this recogniser learns no deck"
            raise ValueError(message)
        if step == "begin":
            self.enrolling = Enrolling(self.calibration, self.recogniser.cut)
            return
        if self.enrolling is None:
            message = "no enrolment is under way: begin it"
            raise ValueError(message)
        if step == "take":
            # A repeated request, or a second press, names what was due before, and takes nothing.
            if self._newest is not None and request.get("due") == self.enrolling.due:
                self.enrolling.take(self._newest.image)
            return
        if self.enrolling.due:
            message = f"not every picture is taken: {self.enrolling.due} is due"
            raise ValueError(message)
        # It takes some seconds, in which the studio must not take this process for hung.
        pool = ThreadPoolExecutor(1, thread_name_prefix="learning")
        self._learning = pool.submit(self.recogniser.enrol, dict(self.enrolling.cards), [*self.enrolling.rejects])
        self._learner = request.get("id")
        pool.shutdown(wait=False)

    def _end_learning(self) -> None:
        """Take the deck that has been learnt, or make due again what was not read right; answer who asked."""
        learning = self._learning
        if learning is None or not learning.done():
            return
        self._learning = None
        try:
            learnt = learning.result()
            if not learnt.problem and self.calibration is not None:
                self.recogniser, self.enrolling = load_recogniser(self.settings), None
                self.decks = DeckWatch()
                self._see_with(self.calibration)
        except (ValueError, OSError, cv2.error) as error:
            learnt = Learnt(str(error))
        if self.enrolling is not None:
            self.enrolling.again(learnt.again)
        self._say_answer(self._learner, learnt.problem)

    def _calibrate(self, request: Mapping[str, Any]) -> None:
        if self._newest is None:
            message = "there is no picture yet"
            raise ValueError(message)
        corners = [(float(x), float(y)) for x, y in request["corners"]]
        found = calibrate(self._newest.image.copy(), corners, self._layout())
        save_calibration(found, self.settings.calibration_file)
        self._see_with(found)
        if self.enrolling is not None:
            self.enrolling.calibration = found

    def _layout(self) -> Layout:
        if not self.settings.layout:
            if self.eye is None:
                message = "set layout in the camera's settings: the file that says where the slots lie"
                raise ValueError(message)
            return load_calibration(self.settings.calibration_file).layout
        return parse_layout(json.loads(Path(self.settings.layout).read_text(encoding="utf-8")))

    def _see_with(self, calibration: Calibration) -> None:
        self.eye = TableEye(calibration, self.recogniser.reader, self.recogniser.cut)
        self.calibration, self.uncalibrated = calibration, ""

    def _look(self, frame: Frame, now_ns: int) -> str:
        if self.eye is None:
            return self.uncalibrated
        if self._learning is not None:
            # The network serves one thread at a time.
            return "learning"
        for seen in self.eye.look(frame, now_ns):
            if self.recogniser.is_enrolled and self._is_other_deck(seen):
                continue
            self._ordinal += 1
            self.say(slot_line(seen, self.load, self._ordinal))
        return self.eye.reason or ("other-deck" if self.decks.is_other_deck else "")

    def _is_other_deck(self, seen: SlotSeen) -> bool:
        """Look on in silence while another deck lies there; who is back begins as at a start."""
        was_other = self.decks.is_other_deck
        if seen.is_face:
            self.decks.note(seen.card, seen.reason)
        if was_other and not self.decks.is_other_deck and self.calibration is not None:
            self._see_with(self.calibration)
        return was_other or self.decks.is_other_deck

    def _tell_link(self, reason: str, now_ns: int) -> None:
        state, before = LinkState.READY, self._link
        if reason:
            if now_ns - self._good_ns < _PATIENCE_NS and before[0] is not LinkState.OPENING:
                return
            is_young = before[0] is LinkState.OPENING and now_ns - self._good_ns < _PATIENCE_NS
            state = LinkState.OPENING if is_young else LinkState.LOST
        elif before[0] is not LinkState.READY and now_ns - self._looks_ns < _LOOKS_NS:
            return
        link = (state, WORDS.get(reason, reason))
        if link != before:
            self._link = link
            self.say(line("link", state=state.value, reason=link[1], load=self.load, ordinal=self._ordinal))

    def _tell_picture(self, now_ns: int) -> None:
        newest = self._newest
        if newest is None or now_ns - self._picture_ns < _PICTURE_NS:
            return
        self._picture_ns = now_ns
        image = (
            newest.image
            if self.eye is None or self.eye.reason
            else drawn(newest.image, self.eye, hide=self.decks.is_other_deck)
        )
        self.say(line("picture", number=newest.number, jpeg=base64_of(jpeg(image, _PICTURE_QUALITY))))


def run() -> int:
    """Run the process: settings in the first line of its input, requests in the others."""
    # One core is enough, and the table needs the others.
    cv2.setNumThreads(1)
    settings = CameraSettings(**json.loads(sys.stdin.buffer.readline()))
    output = sys.stdout.buffer

    def say(data: bytes) -> None:
        output.write(data)
        output.flush()

    try:
        worker = Worker(settings, load_recogniser(settings), say, time.time_ns() // 1_000_000_000)
    except ValueError as error:
        say(line("link", state=LinkState.LOST.value, reason=str(error), load=0, ordinal=0))
        sys.stdin.buffer.read()
        return 1
    requests: SimpleQueue[Mapping[str, Any] | None] = SimpleQueue()
    threading.Thread(target=_listen, args=(requests,), name="requests", daemon=True).start()
    grabber = Grabber(lambda: open_source(settings.source, settings.fps))
    worker.begin(time.monotonic_ns())
    grabber.start()
    return _work(worker, grabber, requests)


def _work(worker: Worker, grabber: Grabber, requests: SimpleQueue[Mapping[str, Any] | None]) -> int:
    between_ns = round(1e9 / worker.settings.fps)
    restart_ns = round(worker.settings.restart_seconds * 1e9)
    due_ns = 0
    while True:
        try:
            request = requests.get_nowait()
        except Empty:
            pass
        else:
            if request is None:
                return 0
            worker.answer(request)
        now_ns = time.monotonic_ns()
        if now_ns < due_ns:
            time.sleep((due_ns - now_ns) / 1e9)
        due_ns = max(time.monotonic_ns(), due_ns) + between_ns
        grabbed = grabber.wait(between_ns / 1e9)
        now_ns = time.monotonic_ns()
        worker.step(grabbed, now_ns)
        if now_ns - grabbed.alive_ns > restart_ns:
            # The grabbing thread hangs in a driver: nothing but a new process helps.
            return _HUNG


def _listen(requests: SimpleQueue[Mapping[str, Any] | None]) -> None:
    for text in sys.stdin.buffer:
        try:
            request = json.loads(text)
        except ValueError:
            continue
        if isinstance(request, dict):
            requests.put(request)
    requests.put(None)
