"""The plug-in ``ssi`` of the entry-point group ``studio.card_sources``.

Packets, opcodes, parameters and symbologies are in public manuals and public code for Zebra and Symbol readers.
They were tried with the simulator and with pseudo-terminals only, never on a device.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from drivers.serial_reader import ReaderPlugin, ReaderSession
from drivers.ssi.commands import Commands
from drivers.ssi.packets import PacketReader
from drivers.ssi.protocol import SsiParser, Timing
from drivers.ssi.settings import MS, SsiSettings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from drivers.serial_reader import Parser
    from studio.ports.devices import Resume


_SILENT_SIGNS: Final = 2


class SsiPlugin(ReaderPlugin[SsiSettings]):
    """Opens readers that speak SSI."""

    name = "ssi"
    settings = SsiSettings
    prompt = "the reader has not answered yet: check its power, its cable, `baud`, and that it speaks SSI"

    def parser(self, device: str, settings: SsiSettings) -> SsiParser:
        """Return the protocol of ``device``, without a port."""
        alive_ns = settings.alive_seconds * 1000 * MS or None
        return SsiParser(
            device,
            PacketReader(settings.quiet_ms * MS),
            Timing(settings.retry_ms * MS, settings.answer_ms * MS),
            settings.code_reader(device),
            Commands(settings.answer_ms * MS, alive_ns) if settings.commands else None,
        )

    def session(
        self,
        device: str,
        settings: SsiSettings,
        resume: Resume | None,  # noqa: ARG002 - the reader counts nothing, and has nothing to replay
    ) -> ReaderSession:
        """Return the state of ``device``: stale once it owes the signs of life that it is asked for."""
        is_asked = settings.commands and settings.alive_seconds > 0
        # Two signs of life may go unanswered, and the answer to the last may take its time.
        stale = _SILENT_SIGNS * settings.alive_seconds + settings.answer_ms / 1000 if is_asked else None
        return ReaderSession(device, self.parser(device, settings), prompt=self.prompt, stale_seconds=stale)

    def decoder(self, device: str, settings: Mapping[str, Any]) -> Parser:
        """Return the protocol without a port: it sends answers, and no commands."""
        return super().decoder(device, {**settings, "commands": False})
