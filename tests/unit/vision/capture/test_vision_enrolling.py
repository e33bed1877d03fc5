"""The guided pass over the deck: what is due, not taken, due again; and the process that learns it."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from support.camera_reader import TemplateReader, cut
from support.camera_rig import CameraRig

from hardware_sim.camera.camera import layout
from hardware_sim.camera.felt import REACH_NS
from studio.domain.cards import DECK, Card
from studio.domain.instants import Instant
from vision.capture.enrolling import EnrolError, Enrolling
from vision.capture.grabber import Grabbed
from vision.capture.settings import CameraSettings
from vision.capture.worker import Worker
from vision.image import Image
from vision.recogniser import Learnt, Recogniser
from vision.table.frames import Frame


@dataclass
class Pass:
    """Lays cards into the dealer's place and takes their pictures."""

    rig: CameraRig = field(default_factory=CameraRig)

    def __post_init__(self) -> None:
        self.enrolling = Enrolling(self.rig.calibration, cut)

    def shown(self, card: Card | None, *, is_up: bool = True) -> Image:
        """Return the picture with this card alone in the dealer's place."""
        rig = self.rig
        rig.felt.collect(rig.now_ns)
        if card is not None:
            rig.felt.lay(card, 0, 1, rig.now_ns, is_up=is_up)
        rig.now_ns += 2 * REACH_NS
        image = rig.camera.picture()
        assert image is not None
        return image

    def all(self) -> None:
        """Take every picture."""
        for card in DECK:
            self.enrolling.take(self.shown(card))
        self.enrolling.take(self.shown(DECK[0], is_up=False))
        self.enrolling.take(self.shown(None))


def test_a_card_that_was_not_exchanged_is_not_taken_for_the_next() -> None:
    one = Pass()
    picture = one.shown(DECK[0])
    one.enrolling.take(picture)
    for again in (picture, one.rig.camera.picture()):
        assert again is not None
        with pytest.raises(EnrolError, match=f"still lies there: lay {DECK[1].code}"):
            one.enrolling.take(again)
    assert (one.enrolling.taken, one.enrolling.due) == (1, DECK[1].code)


def test_what_was_not_read_right_is_due_again_and_nothing_else() -> None:
    one = Pass()
    one.all()
    assert (one.enrolling.taken, one.enrolling.due) == (54, "")
    one.enrolling.again((DECK[4], DECK[40], None))
    assert one.enrolling.taken == 50
    due = []
    for card, is_up in ((DECK[4], True), (DECK[40], True), (DECK[0], False), (None, True)):
        due.append(one.enrolling.due)
        one.enrolling.take(one.shown(card, is_up=is_up))
    assert due == [DECK[4].code, DECK[40].code, "back", "empty"]
    assert (one.enrolling.taken, one.enrolling.due) == (54, "")


class Process:
    """The capture process's worker on a table of the simulator, learning as long as the test wants."""

    def __init__(self) -> None:
        self.one = Pass()
        self.said: list[dict[str, Any]] = []
        self.may_end, self.learnt = Event(), Learnt("not enrolled: 5D", (DECK[4],))
        settings = CameraSettings("file:none", "none.json", recogniser="support.camera_reader:template_recogniser")
        recogniser = Recogniser(TemplateReader(), cut, self._learn)
        self.worker = Worker(settings, recogniser, lambda data: self.said.append(json.loads(data)), 1)
        self.worker.calibration = self.one.rig.calibration
        self.number = 0

    def _learn(self, cards: Mapping[Card, Sequence[Image]], rejects: Sequence[Image]) -> Learnt:
        assert (len(cards), len(rejects)) == (52, 2)
        assert self.may_end.wait(20)
        return self.learnt

    def step(self, image: Image | None = None) -> None:
        picture = self.one.shown(None) if image is None else image
        self.number += 1
        now_ns = self.one.rig.now_ns
        self.worker.step(Grabbed(Frame(picture, self.number, Instant(now_ns, now_ns)), "", now_ns), now_ns)

    def ask(self, step: str, due: str = "") -> dict[str, Any] | None:
        """Ask for a step; return the answer, if there is one at once."""
        before = len(self.answers)
        self.worker.answer({"do": "enrol", "id": before + 1, "step": step, "due": due})
        return self.answers[-1] if len(self.answers) > before else None

    @property
    def answers(self) -> list[dict[str, Any]]:
        return [one for one in self.said if one["kind"] == "answer"]


def test_a_repeated_request_takes_no_second_picture() -> None:
    process = Process()
    process.ask("begin")
    process.step(process.one.shown(DECK[0]))
    for step in ("take", "take", "look"):
        answer = process.ask(step, DECK[0].code)
        assert answer is not None
        assert (answer["error"], answer["taken"], answer["due"]) == ("", 1, DECK[1].code)


@pytest.mark.parametrize("step", ["take", "finish"])
def test_a_process_that_was_started_anew_says_that_no_enrolment_is_under_way(step: str) -> None:
    answer = Process().ask(step, DECK[7].code)
    assert answer is not None
    assert (answer["error"], answer["taken"], answer["due"]) == ("no enrolment is under way: begin it", 0, "")


def test_a_process_that_learns_goes_on_giving_signs_of_life_and_answers_when_it_is_done() -> None:
    process = Process()
    process.ask("begin")
    process.one.enrolling = process.worker.enrolling or process.one.enrolling
    process.one.all()
    assert process.ask("finish") is None
    process.said.clear()
    for _ in range(4):
        process.step()
    assert {one["kind"] for one in process.said} >= {"heartbeat", "picture"}
    assert process.answers == []
    busy = process.ask("take", "")
    assert busy is not None
    assert "is being learnt" in busy["error"]
    process.may_end.set()
    deadline = time.monotonic() + 20
    while len(process.answers) == 1:
        assert time.monotonic() < deadline
        process.step()
    last = process.answers[-1]
    assert (last["error"], last["taken"], last["due"]) == ("not enrolled: 5D", 53, DECK[4].code)


def test_a_calibration_in_mid_enrolment_keeps_what_was_taken_and_holds_for_the_rest(tmp_path: Path) -> None:
    process = Process()
    process.ask("begin")
    process.step(process.one.shown(DECK[0]))
    process.ask("take", DECK[0].code)
    (tmp_path / "layout.json").write_text(json.dumps(layout()), "utf-8")
    process.worker.settings = replace(
        process.worker.settings, calibration=str(tmp_path / "new.json"), layout=str(tmp_path / "layout.json")
    )
    process.step(process.one.shown(None))
    corners = [list(one) for one in process.one.rig.camera.corners]
    process.worker.answer({"do": "calibrate", "id": 9, "corners": corners})
    assert (process.answers[-1]["error"], process.answers[-1]["taken"]) == ("", 1)
    assert process.worker.enrolling is not None
    assert process.worker.enrolling.calibration is process.worker.calibration
