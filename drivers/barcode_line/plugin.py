"""The plug-in ``barcode_line`` of the entry-point group ``studio.card_sources``.

Text lines with an end, AIM prefixes (ISO/IEC 15424) and 06/15 answers are in the public manuals of most barcode
readers. They were tried with the simulator and with pseudo-terminals only, never on a device.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from drivers.barcode_line.protocol import BarcodeLineParser
from drivers.barcode_line.settings import BarcodeLineSettings, parse_settings
from drivers.serial_port import parse_address
from drivers.serial_reader import ReaderSession, SerialSource

if TYPE_CHECKING:
    from collections.abc import Mapping

    from studio.ports.devices import RawCapture, Resume

PROMPT: Final = "pass a card before the reader: it says nothing by itself"
_NO_PORT: Final = {"port": "/dev/null"}


class BarcodeLinePlugin:
    """Opens barcode readers that send lines; it keeps nothing."""

    name = "barcode_line"
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
        source = SerialSource(
            ReaderSession(device, _parser(device, checked), prompt=PROMPT),
            device,
            parse_address(checked.port),
            checked.line,
            capture=capture,
            simulated=checked.simulated,
        )
        source.start()
        return source

    def decoder(self, device: str, settings: Mapping[str, Any]) -> BarcodeLineParser:
        """Return the protocol of ``device`` without a port; wrong ``settings`` raise ``ValueError``."""
        return _parser(device, parse_settings(device, {**_NO_PORT, **settings}))


def _parser(device: str, settings: BarcodeLineSettings) -> BarcodeLineParser:
    return BarcodeLineParser(device, settings.framing(), settings.code_reader(device))
