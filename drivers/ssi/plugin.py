"""The plug-in ``ssi`` of the entry-point group ``studio.card_sources``.

Packets, opcodes, parameters and symbologies are in public manuals and public code for Zebra and Symbol readers.
They were tried with the simulator and with pseudo-terminals only, never on a device.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from drivers.serial_port import parse_address
from drivers.serial_reader import ReaderSession, SerialSource
from drivers.ssi.commands import Commands
from drivers.ssi.packets import PacketReader
from drivers.ssi.protocol import SsiParser, Timing
from drivers.ssi.settings import MS, SsiSettings, parse_settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from studio.ports.devices import RawCapture, Resume

PROMPT: Final = "the reader has not answered yet: check its power, its cable, `baud`, and that it speaks SSI"
_NO_PORT: Final = {"port": "/dev/null"}
_SILENT_SIGNS: Final = 2


class SsiPlugin:
    """Opens readers that speak SSI; it keeps nothing."""

    name = "ssi"
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

        Must be called inside a running event loop. The port may be absent: it is looked for until closing.
        """
        checked = parse_settings(device, settings)
        is_asked = checked.commands and checked.alive_seconds > 0
        # Two signs of life may go unanswered, and the answer to the last may take its time.
        stale = _SILENT_SIGNS * checked.alive_seconds + checked.answer_ms / 1000 if is_asked else None
        source = SerialSource(
            ReaderSession(device, _parser(device, checked), prompt=PROMPT, stale_seconds=stale),
            device,
            parse_address(checked.port),
            checked.line,
            capture=capture,
            simulated=checked.simulated,
        )
        source.start()
        return source

    def decoder(self, device: str, settings: Mapping[str, Any]) -> SsiParser:
        """Return the protocol of ``device`` without a port; wrong ``settings`` raise ``ValueError``.

        It sends answers, and no commands.
        """
        return _parser(device, parse_settings(device, {**_NO_PORT, **settings, "commands": False}))


def _parser(device: str, settings: SsiSettings) -> SsiParser:
    alive_ns = settings.alive_seconds * 1000 * MS or None
    return SsiParser(
        device,
        PacketReader(settings.quiet_ms * MS),
        Timing(settings.retry_ms * MS, settings.answer_ms * MS),
        settings.code_reader(device),
        Commands(settings.answer_ms * MS, alive_ns) if settings.commands else None,
    )
