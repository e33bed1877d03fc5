"""The plug-in ``evdev`` of the entry-point group ``studio.card_sources``.

The event's layout, the key codes and the two ioctls are those of the kernel's public headers. The stream of
events was tried through a pseudo-terminal that stands in for the device; a real input device, and so the grab,
was never tried.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from drivers.evdev.line import InputLine
from drivers.evdev.protocol import EvdevParser, Timing
from drivers.evdev.settings import EvdevSettings, parse_settings
from drivers.serial_port import LineSettings
from drivers.serial_reader import ReaderSession, SerialSource

if TYPE_CHECKING:
    from collections.abc import Mapping

    from studio.ports.devices import RawCapture, Resume

PROMPT: Final = "pass a card before the reader: it says nothing by itself"
_NO_PORT: Final = {"port": "/dev/input/by-id/none"}
_MS: Final = 1_000_000


class EvdevPlugin:
    """Opens readers that type; it keeps nothing."""

    name = "evdev"
    simulated = False
    counts = False

    def open(
        self,
        device: str,
        settings: Mapping[str, Any],
        *,
        resume: Resume | None,  # noqa: ARG002 - the reader counts nothing, and has nothing to replay
        capture: RawCapture,
    ) -> SerialSource:
        """Start the source ``device``; wrong ``settings`` raise ``ValueError`` with a sentence.

        Must be called inside a running event loop. The device may be absent: it is looked for until closing.
        """
        checked = parse_settings(device, settings)
        source = SerialSource(
            ReaderSession(device, _parser(device, checked), prompt=PROMPT),
            device,
            checked.address,
            LineSettings(),
            capture=capture,
            simulated=checked.simulated,
            opener=lambda wake_fd: InputLine(checked.address.text, wake_fd, is_device=not checked.simulated),
        )
        source.start()
        return source

    def decoder(self, device: str, settings: Mapping[str, Any]) -> EvdevParser:
        """Return the protocol of ``device`` without a device; wrong ``settings`` raise ``ValueError``."""
        return _parser(device, parse_settings(device, {**_NO_PORT, **settings}))


def _parser(device: str, settings: EvdevSettings) -> EvdevParser:
    timing = Timing(settings.gap_ms * _MS, settings.abandon_ms * _MS)
    return EvdevParser(device, timing, settings.code_reader(device))
