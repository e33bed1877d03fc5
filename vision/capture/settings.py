"""The camera's settings in a studio's configuration, checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final

SHIPPED: Final = "vision.recogniser:shipped"
_FASTEST: Final = 60.0
_SCHEMES: Final = ("http://", "rtsp://", "v4l2:", "file:")
_SECONDS: Final = 60.0
_TYPES: Final[Mapping[str, tuple[type, ...]]] = {"str": (str,), "bool": (bool,), "float": (int, float)}


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """``source`` is ``rtsp://``, ``http://`` (motion JPEG), ``v4l2:/dev/video0`` or ``file:PATH``.

    ``calibration`` and ``enrolment`` are files; ``layout`` is the table's, needed only to calibrate.
    ``recogniser`` names a function as ``module:name`` that makes one from these settings. ``fps`` is how many
    frames a second are looked at; ``restart_seconds`` after how long without a frame the process is started anew.

    Raises
    ------
    ``ValueError`` for settings that cannot be.

    """

    source: str
    calibration: str
    layout: str = ""
    enrolment: str = ""
    recogniser: str = SHIPPED
    simulated: bool = False
    fps: float = 10.0
    restart_seconds: float = 10.0

    def __post_init__(self) -> None:
        for wrong, message in (
            (not self.source.startswith(_SCHEMES), f"source must begin with one of {', '.join(_SCHEMES)}"),
            (not self.calibration, "calibration must name a file"),
            (":" not in self.recogniser, "recogniser must be written module:name"),
            (not 0 < self.fps <= _FASTEST, f"fps must be above 0 and at most {_FASTEST:g}"),
            (not 1 <= self.restart_seconds <= _SECONDS, f"restart_seconds must be from 1 to {_SECONDS:g}"),
        ):
            if wrong:
                text = f"camera: {message}"
                raise ValueError(text)

    @property
    def calibration_file(self) -> Path:
        """Where the calibration lies."""
        return Path(self.calibration)

    def as_json(self) -> dict[str, Any]:
        """Return the settings as JSON has them."""
        return asdict(self)


def parse_settings(given: Mapping[str, Any]) -> CameraSettings:
    """Return the settings; raise ``ValueError`` naming the key that is unknown, missing or of a wrong type."""
    kinds = {one.name: one.type for one in fields(CameraSettings)}
    for name, value in given.items():
        if name not in kinds:
            message = f"camera: unknown setting {name!r}; there are {', '.join(kinds)}"
            raise ValueError(message)
        wanted = _TYPES[str(kinds[name])]
        if not isinstance(value, wanted) or (bool not in wanted and isinstance(value, bool)):
            message = f"camera: {name} must be of type {kinds[name]}, not {value!r}"
            raise ValueError(message)
    missing = [name for name in ("source", "calibration") if name not in given]
    if missing:
        message = f"camera: {' and '.join(missing)} must be set"
        raise ValueError(message)
    return CameraSettings(**given)
