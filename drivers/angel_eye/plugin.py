"""The plug-in ``angel_eye`` of the entry-point group ``studio.card_sources``.

The frames, letters, codes and checks are public: they were read in public code and manuals, and nothing of this
was ever tried on a device. The vote, what becomes of damaged bytes and what an error means at a table are ours.
"""

from __future__ import annotations

from drivers.angel_eye.protocol import AngelEyeParser
from drivers.angel_eye.settings import AngelEyeSettings
from drivers.serial_reader import ReaderPlugin


class AngelEyePlugin(ReaderPlugin[AngelEyeSettings]):
    """Opens Angel Eye shoes."""

    name = "angel_eye"
    settings = AngelEyeSettings
    prompt = "the port is open and the shoe has said nothing yet: switch it off and on, or show it a card"

    def parser(self, device: str, settings: AngelEyeSettings) -> AngelEyeParser:
        """Return the protocol of ``device``, without a port."""
        return AngelEyeParser(
            device,
            copies=settings.copies,
            window_ms=settings.window_ms,
            accept_outside_game=settings.accept_outside_game,
            commands=settings.commands,
        )
