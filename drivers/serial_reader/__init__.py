"""What every serial reader shares above the transport: plug-in, settings, the state of its link, its source."""

from drivers.serial_reader.parser import Parser
from drivers.serial_reader.plugin import ReaderPlugin, SerialPlugin
from drivers.serial_reader.session import ReaderSession, SerialSession
from drivers.serial_reader.settings import PortSettings, SerialSettings, check_settings
from drivers.serial_reader.source import SerialSource

__all__ = [
    "Parser",
    "PortSettings",
    "ReaderPlugin",
    "ReaderSession",
    "SerialPlugin",
    "SerialSession",
    "SerialSettings",
    "SerialSource",
    "check_settings",
]
