"""Another deck than the enrolled one: the watch over claims, and the camera that tells it and reads no more."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.camera_rig import FRAME_NS
from support.camera_stream import link, streamed, until
from support.camera_stream import seen as is_seen
from support.enrolled_deck import enrolled_recogniser
from support.other_deck import lay_other_deck

from hardware_sim.camera.camera import SimulatedCamera, layout
from hardware_sim.camera.deck_pictures import write_deck
from hardware_sim.camera.felt import Felt
from studio.domain.cards import DECK, Card
from studio.domain.instants import Instant
from vision.capture.grabber import Grabbed
from vision.capture.settings import CameraSettings
from vision.capture.worker import Worker
from vision.deck_watch import LEAST_WATCHED, WATCHED, DeckWatch
from vision.plugin import CameraPlugin
from vision.recognise.enrolment import enrol
from vision.recognise.enrolment_file import About, enrolment_bytes
from vision.recognise.evaluate import card_pictures
from vision.recognise.labels import read_labels
from vision.recognise.model import load_model
from vision.table.calibration import calibrate, save_calibration
from vision.table.frames import Frame
from vision.table.layout import parse_layout
from vision.table.slots import SlotSeen

_PICTURE = np.zeros((1, 1, 3), np.uint8)
_FRAME = Frame(_PICTURE, 1, Instant(0, 0))


def claim(
    card: Card | None, reason: str = "", what: str = "", seat: int | None = 3, position: int = 1
) -> SlotSeen:
    what = what or ("read" if card else "occupied")
    return SlotSeen(seat, 1, position, what, card, 0.9, reason, None, (1,), _PICTURE, _FRAME)


@pytest.mark.parametrize("reason", ["prototype", "low-confidence", "corners-differ", "pips", "not-a-card"])
def test_a_quarter_of_the_last_cards_unlike_the_enrolled_deck_raises_the_alarm(reason: str) -> None:
    watch = DeckWatch()
    for number in range(LEAST_WATCHED):
        assert not watch.is_other_deck
        watch.note(*((None, reason) if number % 4 == 0 else (DECK[0], "")))
    assert watch.is_other_deck


def test_the_enrolled_deck_raises_none_with_a_few_cards_unread() -> None:
    watch = DeckWatch()
    for number in range(200):
        watch.note(*((None, "prototype") if number % 5 == 4 else (DECK[0], "")))
        assert not watch.is_other_deck


def test_covered_cards_say_nothing_about_the_deck() -> None:
    watch = DeckWatch()
    for _ in range(50):
        watch.note(None, "occluded")
    assert not watch.is_other_deck


@pytest.mark.parametrize(
    ("seen", "is_face"),
    [
        (claim(DECK[0]), True),
        (claim(None, "prototype"), True),
        (claim(DECK[0], seat=0, position=2), True),
        (claim(None, "not-a-card", seat=0, position=2), False),
        (claim(None, "motion", "occluded"), False),
        (claim(None, "", "cleared"), False),
        (claim(None, "two-cards", "two-cards"), False),
        (claim(DECK[0], seat=None), False),
    ],
    ids=["read", "unread", "hole turned", "hole card", "hand", "cleared", "two cards", "mouth"],
)
def test_only_the_faces_of_dealt_cards_tell_of_the_deck(seen: SlotSeen, *, is_face: bool) -> None:
    assert seen.is_face is is_face


def test_the_alarm_stays_until_a_whole_window_of_cards_was_like_the_enrolled_deck() -> None:
    watch = DeckWatch()
    for _ in range(WATCHED):
        watch.note(None, "prototype")
    for _ in range(WATCHED - 1):
        watch.note(DECK[0], "")
        assert watch.is_other_deck
    watch.note(DECK[0], "")
    assert not watch.is_other_deck


class Table:
    """The capture process's work, without the process, over the simulated table."""

    def __init__(self, folder: Path, *, is_enrolled: bool = True) -> None:
        self.now_ns = 10**9
        self.number = 0
        self.said: list[dict[str, Any]] = []
        self.felt = Felt(3)
        self.camera = SimulatedCamera(self.felt, 3, lambda: self.now_ns)
        file = folder / "calibration.json"
        view = self.camera.scene.render(self.now_ns)
        save_calibration(calibrate(view, self.camera.corners, parse_layout(layout())), file)
        recogniser = enrolled_recogniser()._replace(is_enrolled=is_enrolled)
        settings = CameraSettings("file:none", str(file))
        self.worker = Worker(settings, recogniser, lambda data: self.said.append(json.loads(data)), 1)
        self.worker.begin(self.now_ns)
        self.run(2.5)

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds * 10**9 / FRAME_NS)):
            self.now_ns += FRAME_NS
            self.number += 1
            image = self.camera.picture()
            assert image is not None
            frame = Frame(image, self.number, Instant(self.now_ns, self.now_ns))
            self.worker.step(Grabbed(frame, "", self.now_ns), self.now_ns)

    def lay(self, *cards: Card) -> None:
        """Lay a card on each place in turn, and clear the felt."""
        for seat, card in enumerate(cards, 1):
            self.felt.lay(card, seat, 1, self.now_ns)
        self.run(2)
        self.felt.collect(self.now_ns)
        self.run(1.5)

    @property
    def read(self) -> list[str]:
        return [one["card"] for one in self.said if one["kind"] == "slot" and one["seen"] == "read"]

    @property
    def link(self) -> tuple[str, str]:
        last = [one for one in self.said if one["kind"] == "link"][-1]
        return last["state"], last["reason"]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


def test_another_deck_puts_the_camera_down_with_what_to_do_and_nothing_more_is_read(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.lay(*DECK[:6])
    assert len(table.read) == 6
    assert table.link == ("ready", "")
    lay_other_deck(monkeypatch)
    for first in range(6, 24, 6):
        table.lay(*DECK[first : first + 6])
    state, reason = table.link
    assert state == "lost"
    assert "another deck" in reason
    assert "enrol the deck in use" in reason
    told = len(table.said), table.read
    table.lay(*DECK[24:30])
    assert table.read == told[1]
    assert {one["kind"] for one in table.said[told[0] :]} <= {"picture", "heartbeat"}


def test_the_camera_is_back_once_the_enrolled_deck_is(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as changed:
        lay_other_deck(changed)
        for first in range(0, 18, 6):
            table.lay(*DECK[first : first + 6])
    assert table.link[0] == "lost"
    for first in range(0, 24, 6):
        table.lay(*DECK[first : first + 6])
    assert table.link == ("ready", "")
    before = len(table.read)
    table.lay(*DECK[30:36])
    assert table.read[before:] == [card.code for card in DECK[30:36]]


def test_without_an_enrolment_no_deck_is_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(tmp_path, is_enrolled=False)
    lay_other_deck(monkeypatch)
    for first in range(0, 18, 6):
        table.lay(*DECK[first : first + 6])
    assert table.link == ("ready", "")


async def test_the_whole_process_with_a_kept_enrolment_tells_another_deck(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_deck(tmp_path / "deck", 7)
    model = load_model()
    found = enrol(model, card_pictures(read_labels(tmp_path / "deck")))
    file = tmp_path / "enrolment.npz"
    file.write_bytes(enrolment_bytes(About("t1", "simulated", "cam-1", ""), found, None))
    lay_other_deck(monkeypatch)
    async with streamed() as one:
        settings = {
            "source": one.address,
            "calibration": str(one.calibrated(tmp_path)),
            "enrolment": str(file),
            "simulated": True,
        }
        source = CameraPlugin().open("cam-1", settings, resume=None, capture=lambda *_: None)
        try:
            await until(source, link("ready"))
            for card, seat in zip(DECK, range(1, 8), strict=False):
                one.felt.lay(card, seat, 1, time.monotonic_ns())
            for _ in range(7):
                await until(source, lambda event: is_seen("read")(event) or is_seen("occupied")(event))
            for card, seat in zip(DECK[7:], range(1, 8), strict=False):
                one.felt.lay(card, seat, 1, time.monotonic_ns())
            await until(source, link("lost", "another deck"))
        finally:
            await source.close()
