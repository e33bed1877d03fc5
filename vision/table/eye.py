"""The table's eye: every slot of one calibrated table, frame by frame."""

from __future__ import annotations

from typing import Final

from vision.image import Points
from vision.table.calibration import Calibration
from vision.table.frames import Frame, FrameCheck
from vision.table.reading import Cut, Reader
from vision.table.slots import SlotKeeper, SlotSeen
from vision.table.watch import Motion

OLDEST_NS: Final = 300_000_000
"""An older frame is not used."""

_DRIFT_EVERY_NS: Final = 2_000_000_000
_MANY: Final = 0.5


class TableEye:
    """Looks at every frame and tells what changed; :attr:`reason` says why it sees nothing, empty when it does."""

    def __init__(self, calibration: Calibration, reader: Reader, cut: Cut) -> None:
        self._calibration = calibration
        self._check = FrameCheck(calibration.size)
        self._motion = Motion(calibration)
        self.keepers = tuple(
            SlotKeeper(view, calibration.card_px, view.cut(calibration.empty), reader, cut)
            for view in calibration.views
        )
        self.reason = "no-frame"
        self._drift_at_ns = 0
        self._is_drifted = False

    def look(self, frame: Frame, now_ns: int) -> tuple[SlotSeen, ...]:
        """Return what is to be told after a frame; nothing of a bad one, an old one or one of another view."""
        self.reason = self._reason(frame, now_ns)
        if self.reason:
            self._motion.forget()
            for keeper in self.keepers:
                keeper.doubt()
            return ()
        moved = self._motion.moved(frame.image)
        if sum(moved) > _MANY * len(moved):
            # No hand is everywhere: it may be the camera that moved. Nothing settles before that is known.
            self._drift_at_ns = 0
        return tuple(
            seen
            for keeper, stirs in zip(self.keepers, moved, strict=True)
            for seen in keeper.look(frame, moved=stirs)
        )

    def polygons(self) -> tuple[tuple[str, Points], ...]:
        """Return each slot's name and its corners in the picture."""
        return tuple((view.area.name, self._calibration.polygon(view.area)) for view in self._calibration.views)

    def _reason(self, frame: Frame, now_ns: int) -> str:
        at_ns = frame.received.monotonic_ns
        if now_ns - at_ns > OLDEST_NS:
            return "old"
        if reason := self._check.reason(frame):
            return reason
        if at_ns >= self._drift_at_ns:
            self._is_drifted = self._calibration.is_drifted(frame.image)
            self._drift_at_ns = at_ns + (0 if self._is_drifted else _DRIFT_EVERY_NS)
        return "drifted" if self._is_drifted else ""
