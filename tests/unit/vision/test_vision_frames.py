"""Which frames can be used, and the calibration of a table (vision.md, parts 1 and 2)."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from support.camera_rig import CameraRig

from hardware_sim.camera.camera import layout
from hardware_sim.camera.faults import CameraFault
from hardware_sim.camera.felt import Place, spot
from studio.domain.cards import DECK
from studio.domain.instants import Instant
from vision.image import Image
from vision.table.calibration import CalibrationError, calibrate, load_calibration, save_calibration
from vision.table.frames import BadFrameError, Frame, FrameCheck, decode
from vision.table.layout import parse_layout

SIZE = (320, 240)


@pytest.fixture(scope="module")
def rig() -> CameraRig:
    return CameraRig()


def a_picture(seed: int = 1) -> Image:
    return np.random.default_rng(seed).integers(0, 255, (SIZE[1], SIZE[0], 3)).astype(np.uint8)


def jpeg(image: Image) -> bytes:
    return cv2.imencode(".jpg", image)[1].tobytes()


def test_a_whole_jpeg_is_a_picture() -> None:
    assert decode(jpeg(a_picture())).shape == (240, 320, 3)


@pytest.mark.parametrize("part", [0, 1, 10, 100, 1000, -2, -1])
def test_a_jpeg_that_was_cut_off_is_no_picture(part: int) -> None:
    with pytest.raises(BadFrameError, match="torn"):
        decode(jpeg(a_picture())[:part])


def test_bytes_between_the_marks_of_a_jpeg_that_are_none_are_no_picture() -> None:
    with pytest.raises(BadFrameError, match="unreadable"):
        decode(b"\xff\xd8" + bytes(500) + b"\xff\xd9")


def test_a_new_picture_each_time_is_good() -> None:
    check = FrameCheck(SIZE)
    assert {check.reason(Frame(a_picture(n), n, Instant(n * 10**8, 0))) for n in range(30)} == {""}


def test_one_picture_for_longer_than_a_second_and_a_half_stands_still() -> None:
    check = FrameCheck(SIZE)
    reasons = [check.reason(Frame(a_picture(), n, Instant(n * 10**8, 0))) for n in range(20)]
    assert reasons == [""] * 15 + ["frozen"] * 5


@pytest.mark.parametrize(
    ("image", "reason"),
    [
        (np.zeros((240, 320, 3), np.uint8), "black"),
        (np.full((240, 320, 3), 128, np.uint8), "grey"),
        (np.full((240, 320, 3), 255, np.uint8), "grey"),
        (np.zeros((2160, 3840, 3), np.uint8), "wrong-size"),
        (np.zeros((320, 240, 3), np.uint8), "wrong-size"),
        (np.zeros((240, 320), np.uint8), "wrong-size"),
    ],
)
def test_what_shows_nothing_has_its_reason(image: Image, reason: str) -> None:
    assert FrameCheck(SIZE).reason(Frame(image, 1, Instant(1, 1))) == reason


def test_the_grey_that_a_decoder_puts_where_data_is_missing_is_torn() -> None:
    image = a_picture()
    image[120:] = 128
    assert FrameCheck(SIZE).reason(Frame(image, 1, Instant(1, 1))) == "torn"


# Calibration


def test_a_place_in_the_picture_is_the_same_place_on_the_table(rig: CameraRig) -> None:
    x, y = spot(Place(3, 1, 1))
    view = next(one for one in rig.calibration.views if one.area.name == "seat3.hand1")
    left, top, _, _ = view.area.box
    in_view = np.array([[(x - left) * 2, (y - top) * 2]], np.float64)
    in_picture = view.to_picture(in_view)
    back = cv2.perspectiveTransform(in_picture[None], rig.calibration.plane)[0][0]
    assert back == pytest.approx((x, y), abs=0.01)


def test_a_calibration_that_was_written_is_read_back_the_same(rig: CameraRig, tmp_path: Path) -> None:
    save_calibration(rig.calibration, tmp_path / "c.json")
    again = load_calibration(tmp_path / "c.json")
    assert again.corners == rig.calibration.corners
    assert again.layout == rig.calibration.layout
    assert np.array_equal(again.empty, rig.calibration.empty)


def test_a_table_full_of_cards_is_no_drift() -> None:
    rig = CameraRig()
    for number in range(28):
        rig.felt.lay(DECK[number], 1 + number % 7, 1 + number % 2, 0)
    assert not rig.calibration.is_drifted(rig.camera.scene.render(rig.now_ns, {CameraFault.NOISE}))


@pytest.mark.parametrize(
    "fault", [None, CameraFault.SHADOW, CameraFault.DIM, CameraFault.GLARE, CameraFault.NOISE]
)
def test_neither_cards_nor_light_are_drift(rig: CameraRig, fault: CameraFault | None) -> None:
    image = rig.camera.scene.render(rig.now_ns, {fault} if fault else set())
    assert not rig.calibration.is_drifted(image)


def test_a_turned_or_shifted_camera_is_drift(rig: CameraRig) -> None:
    image = rig.camera.scene.render(rig.now_ns)
    assert rig.calibration.is_drifted(rig.camera.scene.render(rig.now_ns, {CameraFault.TURNED}))
    assert rig.calibration.is_drifted(np.roll(image, 12, axis=1))
    assert rig.calibration.is_drifted(image[::-1, ::-1].copy())


@pytest.mark.parametrize(
    ("corners", "words"),
    [
        ([(0, 0), (1280, 0), (1280, 720)], "four corners"),
        ([(0, 0), (1280, 720), (1280, 0), (0, 720)], "no table"),
        ([(0, 0), (50, 0), (50, 50), (0, 50)], "no table"),
        ([(0, 0), (0, 720), (1280, 720), (1280, 0)], "wrong way round"),
        ([(0, 0), (float("nan"), 0), (1280, 720), (0, 720)], "four corners"),
    ],
)
def test_corners_that_are_no_table_are_refused(
    rig: CameraRig, corners: list[tuple[float, float]], words: str
) -> None:
    with pytest.raises(CalibrationError, match=words):
        calibrate(rig.calibration.empty, corners, rig.calibration.layout)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "other"}', '{"format": "vision-calibration-1"}'])
def test_a_damaged_calibration_says_what_to_do(tmp_path: Path, text: str) -> None:
    (tmp_path / "c.json").write_text(text)
    with pytest.raises(CalibrationError, match="calibrate the camera again"):
        load_calibration(tmp_path / "c.json")


def test_a_calibration_that_is_not_there_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(CalibrationError, match="calibrate the camera first"):
        load_calibration(tmp_path / "c.json")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"slots": []}, "1 to 64"),
        ({"table_mm": None}, "needs table_mm"),
        ({"slots": [{"seat": 1, "polygon": [[0, 0], [1, 1]]}]}, "three corners"),
        ({"slots": [{"seat": 1, "polygon": [[0, 0], [9999, 0], [9, 9]]}]}, "does not lie"),
        ({"slots": [{"seat": 1, "polygon": [[0, 0], [9, 0], [9, 9]]}] * 2}, "same seat"),
    ],
)
def test_a_layout_that_cannot_be_says_why(change: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        parse_layout(json.loads(json.dumps({**layout(), **change})))
