"""The plug-in ``evdev`` of the entry-point group ``studio.card_sources``.

The event's layout, the key codes and the two ioctls are those of the kernel's public headers. The stream of
events was tried through a pseudo-terminal that stands in for the device; a real input device, and so the grab,
was never tried.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drivers.evdev.line import InputLine
from drivers.evdev.protocol import EvdevParser, Timing
from drivers.evdev.settings import EvdevSettings
from drivers.serial_reader import ReaderPlugin

if TYPE_CHECKING:
    from drivers.serial_port import Opener


_MS: Final = 1_000_000


class EvdevPlugin(ReaderPlugin[EvdevSettings]):
    """Opens readers that type."""

    name = "evdev"
    settings = EvdevSettings
    prompt = "pass a card before the reader: it says nothing by itself"
    no_port = "/dev/input/by-id/none"

    def parser(self, device: str, settings: EvdevSettings) -> EvdevParser:
        """Return the protocol of ``device``, without the device."""
        timing = Timing(settings.gap_ms * _MS, settings.abandon_ms * _MS)
        return EvdevParser(device, timing, settings.code_reader(device))

    def opener(self, settings: EvdevSettings) -> Opener:
        """Return what opens the input device, and takes it from every other program."""
        path, is_device = settings.address.text, not settings.simulated
        return lambda wake_fd: InputLine(path, wake_fd, is_device=is_device)
