"""The plug-in ``virtual_shoe`` of the entry-point group ``studio.card_sources``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drivers.virtual_shoe.settings import parse_settings
from drivers.virtual_shoe.source import VirtualShoeSource
from studio.ports.devices import RawCapture, Resume


class VirtualShoePlugin:
    """Opens the server's virtual shoes; it keeps nothing."""

    name = "virtual_shoe"
    counts = True

    def open(
        self,
        device: str,
        settings: Mapping[str, Any],
        *,
        resume: Resume | None,
        capture: RawCapture,  # noqa: ARG002 - the port's; no bytes come from a shoe without a wire
    ) -> VirtualShoeSource:
        """Start the source ``device``; wrong ``settings`` raise ``ValueError`` with a sentence.

        Must be called inside a running event loop. No shoe is loaded yet.
        """
        return VirtualShoeSource(device, parse_settings(device, settings).decks, resume=resume)
