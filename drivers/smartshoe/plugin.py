"""The plug-in ``smartshoe`` of the entry-point group ``studio.card_sources``.

The protocol is our own and was tried with the simulator and with pseudo-terminals only, never on a device.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drivers.serial_port import parse_address
from drivers.serial_reader import SerialSource
from drivers.smartshoe.mapping import Decoder
from drivers.smartshoe.session import Session
from drivers.smartshoe.settings import parse_settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from studio.ports.devices import RawCapture, Resume


class SmartshoePlugin:
    """Opens smartshoe/1 sources; it keeps nothing."""

    name = "smartshoe"
    simulated = False
    counts = True

    def open(
        self,
        device: str,
        settings: Mapping[str, Any],
        *,
        resume: Resume | None,
        capture: RawCapture,
    ) -> SerialSource:
        """Start the source ``device``; wrong ``settings`` raise ``ValueError`` with a sentence.

        Must be called inside a running event loop. The port may be absent: it is looked for until closing.
        """
        checked = parse_settings(device, settings)
        source = SerialSource(
            Session(device, serial=checked.serial, resume=resume),
            device,
            parse_address(checked.port),
            checked.line,
            capture=capture,
            simulated=checked.simulated,
        )
        source.start()
        return source

    def decoder(self, device: str, settings: Mapping[str, Any]) -> Decoder:
        """Return the protocol of ``device`` without a port; wrong ``settings`` raise ``ValueError``.

        A recording has no port: one that is not given is none.
        """
        parse_settings(device, {"port": "/dev/serial/by-id/none", **settings})
        return Decoder(device)

    def host_peer(self, device: str, *, resume: Resume | None) -> Session:
        """Return the driver's half alone, for who carries the bytes: it takes the first reader that answers."""
        return Session(device, resume=resume)
