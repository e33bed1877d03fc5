"""The camera's page with a simulated camera, its real process and the real API."""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from console_audit import serious_findings
from console_checks import box, wait_until
from live_console import LiveStudio, live_studio
from playwright.sync_api import Page, expect
from support.camera_stream import Streamed, streamed

from hardware_sim.camera.camera import layout
from hardware_sim.camera.faults import CameraFault
from hardware_sim.camera.felt import REACH_NS, TABLE_HEIGHT_MM, TABLE_WIDTH_MM
from studio.domain.cards import DECK, Card, parse_card
from studio.ports.devices import Camera
from vision.capture.settings import CameraSettings
from vision.source import CameraSource

Pixels = npt.NDArray[np.uint8]
PATIENCE_MS = 60_000
SHOTS = os.environ.get("STUDIO_SHOTS", "")
"""A folder to keep pictures of the page in, for people who judge how it looks."""


@dataclass
class Rig:
    """The page's other side: the studio and what lies on the felt before the camera."""

    folder: Path
    is_calibrated: bool
    _found: list[Streamed] = field(default_factory=list)
    _cameras: list[CameraSource] = field(default_factory=list)

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Camera]:
        async with streamed() as one:
            calibration = one.calibrated(self.folder) if self.is_calibrated else self.folder / "calibration.json"
            settings = CameraSettings(
                one.address,
                str(calibration),
                layout=str(one.layout_file(self.folder)),
                enrolment=str(self.enrolment),
                simulated=True,
            )
            source = CameraSource("cam-1", settings)
            self._found.append(one)
            self._cameras.append(source)
            try:
                yield source
            finally:
                await source.close()

    @property
    def enrolment(self) -> Path:
        return self.folder / "enrolment"

    @property
    def table(self) -> Streamed:
        return self._found[0]

    @property
    def starts(self) -> int:
        """How often the camera's process was started."""
        return self._cameras[0].starts

    def lay(self, card: Card | None, *, is_up: bool = True) -> None:
        """Let this card lie alone in the dealer's place, no hand near it; ``None`` clears the table."""
        felt, long_ago = self.table.felt, self.table.now_ns() - 2 * REACH_NS
        felt.collect(long_ago)
        if card is not None:
            felt.lay(card, 0, 1, long_ago, is_up=is_up)

    def picture(self) -> Pixels:
        data = self._cameras[0].picture()
        return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8)


@contextmanager
def opened(folder: Path, *, is_calibrated: bool) -> Iterator[tuple[LiveStudio, Rig]]:
    rig = Rig(folder, is_calibrated)
    with live_studio(folder, camera=rig.opened) as studio:
        yield studio, rig


@pytest.fixture
def calibrated(built_consoles: None, tmp_path: Path) -> Iterator[tuple[LiveStudio, Rig]]:  # noqa: ARG001
    with opened(tmp_path, is_calibrated=True) as one:
        yield one


@pytest.fixture
def uncalibrated(built_consoles: None, tmp_path: Path) -> Iterator[tuple[LiveStudio, Rig]]:  # noqa: ARG001
    with opened(tmp_path, is_calibrated=False) as one:
        yield one


def look(page: Page, studio: LiveStudio, who: str, words: str) -> None:
    """Open the page as somebody and wait for what it says of the camera."""
    page.goto(studio.url("camera", who))
    expect(page.get_by_test_id("camera-state")).to_contain_text(words, timeout=PATIENCE_MS)


def kept(page: Page, name: str) -> None:
    if SHOTS:
        page.screenshot(path=f"{SHOTS}/camera-{name}.png")


def touch(page: Page, rig: Rig) -> None:
    """Touch the table's four corners in the live picture, some of which are on its very edge."""
    live = page.get_by_test_id("live").get_by_role("img")
    shown = box(live)
    width = live.evaluate("image => image.naturalWidth")
    for number, (x, y) in enumerate(rig.table.camera.corners, start=1):
        scale = shown.width / width
        page.mouse.click(shown.left + x * scale, shown.top + y * scale)
        expect(page.get_by_test_id(f"corner-{number}")).to_be_attached()


def newly_drawn(rig: Rig, before: Pixels) -> float:
    """Return how much of the dealer's slot's upper line is in the live picture, and was not ``before``."""
    size = TABLE_WIDTH_MM, TABLE_HEIGHT_MM
    table = np.array([[0, 0], [size[0], 0], size, [0, size[1]]], np.float32)
    to_picture = cv2.getPerspectiveTransform(table, np.array(rig.table.camera.corners, np.float32))
    (slot,) = (one["polygon"] for one in layout()["slots"] if one.get("seat") == 0)
    points = np.array([[[x, slot[0][1]]] for x in np.linspace(slot[0][0] + 5, slot[1][0] - 5, 60)], np.float32)
    change = np.abs(rig.picture().astype(int) - before).max(axis=2)
    line = [
        change[int(y) - 1 : int(y) + 2, int(x)].max()
        for x, y in cv2.perspectiveTransform(points, to_picture)[:, 0]
    ]
    return float(np.mean(np.array(line) > 50))


def test_four_touched_corners_calibrate_and_the_slots_are_drawn(
    page: Page, uncalibrated: tuple[LiveStudio, Rig]
) -> None:
    studio, rig = uncalibrated
    look(page, studio, "tess", "The camera does not read: there is no calibration yet: calibrate the camera first")
    page.get_by_test_id("live").get_by_role("img").wait_for()
    before = rig.picture()
    assert newly_drawn(rig, before) < 0.1
    said, due = page.get_by_test_id("calibration-said"), page.get_by_test_id("corners")
    expect(due).to_have_text("1 of 4: touch the top left corner")
    expect(page.get_by_test_id("calibrate")).to_be_disabled()
    kept(page, "down-uncalibrated")

    page.get_by_test_id("live").focus()
    for key in ("ArrowRight", "Enter", "Shift+ArrowDown", "Enter", "ArrowLeft", "Enter", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    page.get_by_test_id("calibrate").click()
    expect(said).to_contain_text("no table", timeout=PATIENCE_MS)
    kept(page, "calibration-wrong")

    touch(page, rig)
    page.get_by_test_id("corner-undo").click()
    expect(due).to_have_text("4 of 4: touch the bottom left corner")
    while page.get_by_test_id("corner-1").count():
        page.get_by_test_id("corner-undo").click()
    touch(page, rig)
    expect(due).to_contain_text("All four")
    kept(page, "corners-touched")
    assert serious_findings(page) == []
    page.get_by_test_id("calibrate").click()
    expect(said).to_contain_text("Calibrated", timeout=PATIENCE_MS)
    expect(page.get_by_test_id("camera-state")).to_contain_text("The camera reads", timeout=PATIENCE_MS)
    wait_until(page, lambda: newly_drawn(rig, before) > 0.8)
    page.wait_for_timeout(600)
    kept(page, "calibrated")


def test_the_page_says_why_the_camera_is_down_and_when_it_reads_again(
    page: Page, calibrated: tuple[LiveStudio, Rig]
) -> None:
    studio, rig = calibrated
    look(page, studio, "sam", "The camera reads")
    state = page.get_by_test_id("camera-state")
    for fault, words in ((CameraFault.BLACK, "uncover the lens"), (CameraFault.TURNED, "was moved")):
        rig.table.camera.set_fault(fault, is_on=True)
        expect(state).to_contain_text(words, timeout=PATIENCE_MS)
        expect(state).to_have_attribute("data-tone", "down")
        kept(page, f"down-{fault.value}")
        rig.table.camera.set_fault(fault, is_on=False)
        expect(state).to_contain_text("The camera reads", timeout=PATIENCE_MS)


@pytest.mark.parametrize("who", ["dora", "anna"])
def test_dealers_and_players_are_told_that_it_is_not_for_them(
    page: Page, calibrated: tuple[LiveStudio, Rig], who: str
) -> None:
    studio, _ = calibrated
    look(page, studio, who, "This is for supervisors and technicians.")
    expect(page.get_by_role("button")).to_have_count(0)
    expect(page.get_by_test_id("live")).to_have_count(0)
    kept(page, f"refused-{who}")


def test_nothing_is_calibrated_or_enrolled_while_cards_lie_on_the_table(
    page: Page, calibrated: tuple[LiveStudio, Rig]
) -> None:
    studio, rig = calibrated
    studio.dealt()
    before = (rig.folder / "calibration.json").read_bytes()
    look(page, studio, "sam", "The camera reads")
    page.get_by_test_id("enrol-begin").click()
    expect(page.get_by_test_id("enrolment-said")).to_contain_text("Cards may lie on the table")
    touch(page, rig)
    page.get_by_test_id("calibrate").click()
    expect(page.get_by_test_id("calibration-said")).to_contain_text("Cards may lie on the table")
    expect(page.get_by_test_id("enrol-take")).to_have_count(0)
    assert (rig.folder / "calibration.json").read_bytes() == before
    kept(page, "refused-cards")


def take(page: Page, rig: Rig, card: Card | None, count: int, *, is_up: bool = True) -> None:
    """Lay what is due and press until the camera's picture shows it and it is taken."""
    rig.lay(card, is_up=is_up)
    button, taken = page.get_by_test_id("enrol-take"), page.get_by_test_id("taken")
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while taken.inner_text() != f"{count} of 54 taken":
        assert time.monotonic() < deadline, page.get_by_test_id("enrolment-said").inner_text()
        if button.count():
            button.click()
            wait_until(page, lambda: not page.locator("button.wide[aria-disabled=true]").count())


def test_a_deck_is_enrolled_card_by_card_and_what_is_not_read_right_is_taken_again(
    page: Page, calibrated: tuple[LiveStudio, Rig]
) -> None:
    studio, rig = calibrated
    look(page, studio, "sam", "The camera reads")
    kept(page, "ready")
    said, due, taken = (page.get_by_test_id(one) for one in ("enrolment-said", "due", "taken"))
    page.get_by_test_id("enrol-begin").click()
    expect(due).to_have_attribute("data-due", DECK[0].code)
    page.get_by_test_id("enrol-take").click()
    expect(said).to_contain_text("Lay one card alone into the dealer's place")
    kept(page, "enrolling-nothing-there")

    take(page, rig, DECK[0], 1)
    expect(due).to_have_attribute("data-due", DECK[1].code)
    page.get_by_test_id("enrol-take").dblclick()
    expect(said).to_contain_text("The card of the last picture still lies there")
    rig.lay(DECK[1])
    page.wait_for_timeout(800)
    page.get_by_test_id("enrol-take").dblclick()
    expect(taken).to_have_text("2 of 54 taken")
    expect(due).to_have_attribute("data-due", DECK[2].code)

    page.reload()
    expect(taken).to_have_text("2 of 54 taken")
    expect(said).to_have_text("The enrolment goes on where it was.")
    kept(page, "enrolling-reloaded")
    assert serious_findings(page) == []

    mistaken = DECK.index(parse_card("5D"))
    for place in range(2, 52):
        # Once the wrong card is laid: two pictures of one card then stand for two.
        take(page, rig, DECK[place - 1 if place == mistaken else place], place + 1)
        if place == 30:
            kept(page, "enrolling-half")
    expect(due).to_contain_text("face down")
    take(page, rig, DECK[0], 53, is_up=False)
    take(page, rig, None, 54)
    kept(page, "enrolling-all-taken")
    page.get_by_test_id("enrol-finish").click()
    expect(said).to_contain_text("Not enrolled, these are not read right:", timeout=PATIENCE_MS)
    expect(said).to_contain_text("5D")
    assert not rig.enrolment.exists()
    kept(page, "enrolment-again")

    while page.get_by_test_id("enrol-take").count():
        count = int(taken.inner_text().split()[0])
        code = due.get_attribute("data-due")
        assert code is not None
        take(page, rig, parse_card(code), count + 1)
    rig.lay(None)
    page.get_by_test_id("enrol-finish").click()
    expect(said).to_have_text("Enrolled: 52 of 52.", timeout=PATIENCE_MS)
    expect(page.get_by_test_id("enrol-begin")).to_be_visible()
    assert rig.enrolment.exists()
    assert rig.starts == 1
    kept(page, "enrolled")


def test_beginning_anew_takes_a_second_press(page: Page, calibrated: tuple[LiveStudio, Rig]) -> None:
    studio, rig = calibrated
    look(page, studio, "sam", "The camera reads")
    rig.lay(DECK[0])
    page.wait_for_timeout(800)
    page.get_by_test_id("enrol-begin").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("enrol-take")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("taken")).to_have_text("1 of 54 taken")
    expect(page.get_by_test_id("enrol-take")).to_be_focused()
    anew = page.get_by_test_id("enrol-anew")
    anew.click()
    expect(anew).to_have_text("1 taken will be lost. Begin anew?")
    kept(page, "anew-asked")
    assert page.get_by_test_id("taken").inner_text() == "1 of 54 taken"
    anew.click()
    expect(page.get_by_test_id("taken")).to_have_text("0 of 54 taken")
    expect(page.get_by_test_id("due")).to_have_attribute("data-due", DECK[0].code)
