"""What every serial reader shares above the transport: its settings, the state of its link, the running source."""

from drivers.serial_reader.parser import Parser
from drivers.serial_reader.session import ReaderSession, SerialSession
from drivers.serial_reader.settings import SerialSettings, check_settings
from drivers.serial_reader.source import SerialSource

__all__ = ["Parser", "ReaderSession", "SerialSession", "SerialSettings", "SerialSource", "check_settings"]
