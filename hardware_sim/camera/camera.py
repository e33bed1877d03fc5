"""The simulated camera: the felt's pictures as bytes, by the table's clock, and what can go wrong with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import cv2

from hardware_sim.camera.art import CARD_HEIGHT_MM, CARD_WIDTH_MM, Image
from hardware_sim.camera.faults import CAMERA_FAULTS, CameraFault, Kind
from hardware_sim.camera.felt import DEALER, HANDS, SEATS, TABLE_HEIGHT_MM, TABLE_WIDTH_MM, Felt, area, mouth
from hardware_sim.camera.scene import Scene

_QUALITY: Final = 88
_LARGE: Final = (3840, 2160)


class SimulatedCamera:
    """A camera over ``felt``; ``now_ns`` is the clock of the simulated table."""

    def __init__(self, felt: Felt, seed: int, now_ns: Callable[[], int]) -> None:
        self.felt = felt
        self.scene = Scene(felt, seed)
        self._now_ns = now_ns
        self._on: set[CameraFault] = set()
        self._last: Image | None = None

    def set_fault(self, fault: CameraFault, *, is_on: bool) -> None:
        """Switch or arm a fault, or take it back."""
        (self._on.add if is_on else self._on.discard)(fault)

    def is_on(self, fault: CameraFault) -> bool:
        """Tell whether a fault is on, or armed."""
        return fault in self._on

    def take(self, fault: CameraFault) -> bool:
        """Return whether the dealer should now make this mistake, once."""
        if fault not in self._on or CAMERA_FAULTS[fault].kind is not Kind.DEALER:
            return False
        self._on.discard(fault)
        return True

    def picture(self) -> Image | None:
        """Return the present picture; ``None`` while the stream hangs."""
        if CameraFault.SILENT in self._on:
            return None
        if CameraFault.FROZEN in self._on and self._last is not None:
            return self._last
        image = self.scene.render(self._now_ns(), self._on)
        if CameraFault.BLACK in self._on:
            image[:] = 0
        if CameraFault.GREY in self._on:
            image[:] = 128
        if CameraFault.WRONG_SIZE in self._on:
            return cv2.resize(image, _LARGE).astype(image.dtype, copy=False)
        self._last = image
        return image

    def jpeg(self) -> bytes | None:
        """Return the present picture as JPEG; ``None`` while the stream hangs."""
        image = self.picture()
        if image is None:
            return None
        _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        whole = data.tobytes()
        return whole[: len(whole) // 2] if CameraFault.TORN in self._on else whole

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        """Where the table's corners lie in the picture, for the calibration."""
        return self.scene.corners


def layout() -> Mapping[str, Any]:
    """Return where the slots lie on the simulated table, as a studio's layout file has it."""
    hands = [(DEALER, 1), *((seat, hand) for seat in range(1, SEATS + 1) for hand in range(1, HANDS + 1))]
    slots = [{"seat": seat, "hand": hand, "polygon": area(seat, hand).polygon} for seat, hand in hands]
    return {
        "table_mm": [TABLE_WIDTH_MM, TABLE_HEIGHT_MM],
        "card_mm": [CARD_WIDTH_MM, CARD_HEIGHT_MM],
        "slots": [*slots, {"mouth": True, "polygon": mouth().polygon}],
    }
