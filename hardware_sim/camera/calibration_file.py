"""The simulated camera's calibration, in the format that the documentation of the camera gives.

A real one is clicked by a person; the simulator knows where its table lies.
"""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Final

import cv2

from hardware_sim.camera.camera import layout
from hardware_sim.camera.felt import Felt
from hardware_sim.camera.scene import Scene

_FORMAT: Final = "vision-calibration-1"


def write_calibration(path: Path, seed: int) -> None:
    """Write the calibration of a camera with this seed; raise ``OSError``."""
    scene = Scene(Felt(seed), seed)
    _, png = cv2.imencode(".png", scene.render(0))
    content = {
        "format": _FORMAT,
        "size": list(scene.size),
        "corners": [list(corner) for corner in scene.corners],
        "layout": layout(),
        "empty_png": base64.b64encode(png.tobytes()).decode("ascii"),
    }
    path.write_text(json.dumps(content), encoding="utf-8")
