"""The plug-in ``barcode_line`` of the entry-point group ``studio.card_sources``.

Text lines with an end, AIM prefixes (ISO/IEC 15424) and 06/15 answers are in the public manuals of most barcode
readers. They were tried with the simulator and with pseudo-terminals only, never on a device.
"""

from __future__ import annotations

from drivers.barcode_line.protocol import BarcodeLineParser
from drivers.barcode_line.settings import BarcodeLineSettings
from drivers.serial_reader import ReaderPlugin


class BarcodeLinePlugin(ReaderPlugin[BarcodeLineSettings]):
    """Opens barcode readers that send lines."""

    name = "barcode_line"
    settings = BarcodeLineSettings
    prompt = "pass a card before the reader: it says nothing by itself"

    def parser(self, device: str, settings: BarcodeLineSettings) -> BarcodeLineParser:
        """Return the protocol of ``device``, without a port."""
        return BarcodeLineParser(device, settings.framing(), settings.code_reader(device))
