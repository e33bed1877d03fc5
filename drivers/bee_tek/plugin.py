"""The plug-in ``bee_tek`` of the entry-point group ``studio.card_sources``.

The messages and modes are public: they were read in public code and manuals, and nothing of this was ever tried
on a device. What becomes of broken and unknown messages is ours.
"""

from __future__ import annotations

from drivers.bee_tek.protocol import BeeTekParser
from drivers.bee_tek.settings import BeeTekSettings
from drivers.serial_reader import ReaderPlugin


class BeeTekPlugin(ReaderPlugin[BeeTekSettings]):
    """Opens Bee-Tek shoes."""

    name = "bee_tek"
    settings = BeeTekSettings
    prompt = "the port is open and the shoe has said nothing yet: show it a card, which is not counted"

    def parser(self, device: str, settings: BeeTekSettings) -> BeeTekParser:
        """Return the protocol of ``device``, without a port."""
        return BeeTekParser(device, modes=settings.modes, notes=settings.notes)
