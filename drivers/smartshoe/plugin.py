"""The plug-in ``smartshoe`` of the entry-point group ``studio.card_sources``.

The protocol is our own and was tried with the simulator and with pseudo-terminals only, never on a device.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drivers.serial_port import LineSettings, parse_address
from drivers.smartshoe.session import Session
from drivers.smartshoe.settings import parse_settings
from drivers.smartshoe.source import SmartshoeSource

if TYPE_CHECKING:
    from collections.abc import Mapping

    from studio.ports.devices import RawCapture, Resume


class SmartshoePlugin:
    """Opens smartshoe/1 sources; it keeps nothing."""

    name = "smartshoe"
    simulated = False

    def open(
        self,
        device: str,
        settings: Mapping[str, Any],
        *,
        resume: Resume | None,
        capture: RawCapture,
    ) -> SmartshoeSource:
        """Start the source ``device``; wrong ``settings`` raise ``ValueError`` with a sentence.

        Must be called inside a running event loop. The port may be absent: it is looked for until closing.
        """
        checked = parse_settings(device, settings)
        source = SmartshoeSource(
            Session(device, serial=checked.serial, resume=resume),
            device,
            parse_address(checked.port),
            LineSettings(baud=checked.baud),
            capture=capture,
            simulated=checked.simulated,
        )
        source.start()
        return source
