"""The transport under every serial reader: bytes in, bytes out, for ever. It knows no protocol."""

from drivers.serial_port.address import Address, parse_address
from drivers.serial_port.backoff import Timing
from drivers.serial_port.port import Opener, PortListener, PortState, SerialPort
from drivers.serial_port.wire import LineSettings

__all__ = [
    "Address",
    "LineSettings",
    "Opener",
    "PortListener",
    "PortState",
    "SerialPort",
    "Timing",
    "parse_address",
]
