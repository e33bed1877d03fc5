"""The plug-in ``angel_eye`` of the entry-point group ``studio.card_sources``.

The frames, letters, codes and checks are public: they were read in public code and manuals, and nothing of this
was ever tried on a device. The vote, what becomes of damaged bytes and what an error means at a table are ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from drivers.angel_eye.protocol import AngelEyeParser
from drivers.angel_eye.settings import AngelEyeSettings, parse_settings
from drivers.serial_port import parse_address
from drivers.serial_reader import ReaderSession, SerialSource

if TYPE_CHECKING:
    from collections.abc import Mapping

    from studio.ports.devices import RawCapture, Resume

_PROMPT: Final = "the port is open and the shoe has said nothing yet: switch it off and on, or show it a card"


class AngelEyePlugin:
    """Opens Angel Eye shoes; it keeps nothing."""

    name = "angel_eye"
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

    def decoder(self, device: str, settings: Mapping[str, Any]) -> AngelEyeParser:
        """Return the protocol of ``device`` without a port; wrong ``settings`` raise ``ValueError``.

        A recording has no port: one that is not given is none.
        """
        return _parser(device, parse_settings(device, {"port": "/dev/serial/by-id/none", **settings}))


def _parser(device: str, settings: AngelEyeSettings) -> AngelEyeParser:
    return AngelEyeParser(
        device,
        copies=settings.copies,
        window_ms=settings.window_ms,
        accept_outside_game=settings.accept_outside_game,
        commands=settings.commands,
    )
