"""A simulated table under a simulated camera, and the table's eye looking at it, on one clock that tests turn."""

from __future__ import annotations

from collections.abc import Collection

from hardware_sim.camera.camera import SimulatedCamera, layout
from hardware_sim.camera.faults import CameraFault
from hardware_sim.camera.felt import Felt
from studio.domain.instants import Instant
from support.camera_reader import TemplateReader, cut
from vision.image import Image
from vision.table.calibration import Calibration, calibrate
from vision.table.eye import TableEye
from vision.table.frames import Frame
from vision.table.layout import parse_layout
from vision.table.reading import Cut, Reader
from vision.table.slots import SlotSeen

FRAME_NS = 100_000_000
Told = tuple[str, int, str, str]
"""Slot, position, what is seen, and the card's code."""


class CameraRig:
    """Ten frames a second; :meth:`run` returns what was told meanwhile."""

    def __init__(self, reader: Reader | None = None, seed: int = 1, cut: Cut = cut) -> None:
        self.now_ns = 10**9
        self.number = 0
        self.felt = Felt(seed)
        self.camera = SimulatedCamera(self.felt, seed, lambda: self.now_ns)
        self.calibration: Calibration = calibrate(
            self.camera.scene.render(self.now_ns), self.camera.corners, parse_layout(layout())
        )
        self.eye = TableEye(self.calibration, reader or TemplateReader(), cut)
        self.seen: list[SlotSeen] = []
        self.run(0.6)

    def run(self, seconds: float, faults: Collection[CameraFault] = ()) -> list[Told]:
        for fault in faults:
            self.camera.set_fault(fault, is_on=True)
        begin = len(self.seen)
        for _ in range(round(seconds * 1e9 / FRAME_NS)):
            self.now_ns += FRAME_NS
            image = self.camera.picture()
            if image is not None:
                self.show(image)
        for fault in faults:
            self.camera.set_fault(fault, is_on=False)
        return [told(one) for one in self.seen[begin:]]

    def show(self, image: Image) -> None:
        self.number += 1
        frame = Frame(image, self.number, Instant(self.now_ns, self.now_ns))
        self.seen += self.eye.look(frame, self.now_ns)


def told(one: SlotSeen) -> Told:
    slot = "mouth" if one.seat is None else f"s{one.seat}h{one.hand}" if one.seat else "d"
    return slot, one.position, one.seen, one.card.code if one.card else ""
