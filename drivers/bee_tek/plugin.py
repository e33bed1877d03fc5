"""The plug-in ``bee_tek`` of the entry-point group ``studio.card_sources``.

The messages and modes are public: they were read in public code and manuals, and nothing of this was ever tried
on a device. What becomes of broken and unknown messages is ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from drivers.bee_tek.protocol import BeeTekParser
from drivers.bee_tek.settings import BeeTekSettings, parse_settings
from drivers.serial_port import parse_address
from drivers.serial_reader import ReaderSession, SerialSource

if TYPE_CHECKING:
    from collections.abc import Mapping

    from studio.ports.devices import RawCapture, Resume

_PROMPT: Final = "the port is open and the shoe has said nothing yet: show it a card, which is not counted"


class BeeTekPlugin:
    """Opens Bee-Tek shoes; it keeps nothing."""

    name = "bee_tek"
    simulated = False
    counts = False

    def open(
        self,
        device: str,
        settings: Mapping[str, Any],
        *,
        resume: Resume | None,  # noqa: ARG002 - the shoe replays nothing
        capture: RawCapture,
    ) -> SerialSource:
        """Start the source ``device``; wrong ``settings`` raise ``ValueError`` with a sentence.

        Must be called inside a running event loop. The port may be absent: it is looked for until closing.
        """
        checked = parse_settings(device, settings)
        source = SerialSource(
            ReaderSession(device, _parser(device, checked), prompt=_PROMPT),
            device,
            parse_address(checked.port),
            checked.line,
            capture=capture,
            simulated=checked.simulated,
        )
        source.start()
        return source

    def decoder(self, device: str, settings: Mapping[str, Any]) -> BeeTekParser:
        """Return the protocol of ``device`` without a port; wrong ``settings`` raise ``ValueError``.

        A recording has no port: one that is not given is none.
        """
        return _parser(device, parse_settings(device, {"port": "/dev/serial/by-id/none", **settings}))


def _parser(device: str, settings: BeeTekSettings) -> BeeTekParser:
    return BeeTekParser(device, modes=settings.modes, notes=settings.notes)
