"""The plug-in ``camera`` (entry-point group ``studio.card_sources``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from studio.ports.devices import RawCapture, Resume
from vision.capture.settings import parse_settings
from vision.source import CameraSource


class CameraPlugin:
    """Opens cameras; see :class:`studio.ports.devices.CardSourcePlugin`."""

    name = "camera"

    def open(
        self,
        device: str,
        settings: Mapping[str, Any],
        *,
        resume: Resume | None,  # noqa: ARG002 - a camera keeps nothing to send again
        capture: RawCapture,  # noqa: ARG002 - its bytes are pictures; the stills are kept
    ) -> CameraSource:
        """Start the capture process; raise ``ValueError`` for settings that cannot be."""
        return CameraSource(device, parse_settings(settings))
