"""The plug-in ``smartshoe`` of the entry-point group ``studio.card_sources``.

The protocol is our own and was tried with the simulator and with pseudo-terminals only, never on a device.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from drivers.serial_reader import SerialPlugin
from drivers.smartshoe.mapping import Decoder
from drivers.smartshoe.session import Session
from drivers.smartshoe.settings import SmartshoeSettings

if TYPE_CHECKING:
    from studio.ports.devices import Resume


class SmartshoePlugin(SerialPlugin[SmartshoeSettings]):
    """Opens smartshoe/1 sources."""

    name = "smartshoe"
    counts = True
    settings = SmartshoeSettings

    def parser(self, device: str, settings: SmartshoeSettings) -> Decoder:  # noqa: ARG002 - nothing to set
        """Return the protocol of ``device``, without a port."""
        return Decoder(device)

    def session(self, device: str, settings: SmartshoeSettings, resume: Resume | None) -> Session:
        """Return the state of ``device`` over all its connections."""
        return Session(device, serial=settings.serial, resume=resume)

    def host_peer(self, device: str, *, resume: Resume | None) -> Session:
        """Return the driver's half alone, for who carries the bytes: it takes the first reader that answers."""
        return Session(device, resume=resume)
