"""What every plug-in of a serial reader does alike: check the settings, make the source, decode without a port."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from drivers.serial_reader.session import ReaderSession
from drivers.serial_reader.settings import PortSettings, check_settings
from drivers.serial_reader.source import SerialSource

if TYPE_CHECKING:
    from collections.abc import Mapping

    from drivers.serial_port import Opener
    from drivers.serial_reader.parser import Parser
    from drivers.serial_reader.session import SerialSession
    from studio.ports.devices import Decoder, RawCapture, Resume

_Settings = TypeVar("_Settings", bound=PortSettings)


class SerialPlugin(ABC, Generic[_Settings]):
    """Opens the readers of one protocol; it keeps nothing. Most are a :class:`ReaderPlugin`."""

    name: str
    """The driver's name in a configuration."""
    counts: bool = False
    """Whether its devices count their cards; else the table does."""
    settings: type[_Settings]
    """What a configuration may say."""
    no_port: str = "/dev/null"
    """The port of a recording, which has none: any that :attr:`settings` takes."""

    @abstractmethod
    def parser(self, device: str, settings: _Settings) -> Decoder:
        """Return the protocol of ``device``, without a port."""

    @abstractmethod
    def session(self, device: str, settings: _Settings, resume: Resume | None) -> SerialSession:
        """Return the state of ``device`` over all its connections."""

    def opener(self, settings: _Settings) -> Opener | None:  # noqa: ARG002 - for those that open otherwise
        """Return what opens the line, ``None`` for a serial port or a serial server."""
        return None

    def check(self, device: str, settings: Mapping[str, Any]) -> _Settings:
        """Return checked settings; raise ``ValueError`` with a sentence that names each wrong one."""
        return check_settings(self.settings, self.name, device, settings)

    def check_without_port(self, device: str, settings: Mapping[str, Any]) -> _Settings:
        """Check the settings of a recording, which need name no port; raise ``ValueError`` as :meth:`check`."""
        return self.check(device, {"port": self.no_port, **settings})

    def open(
        self, device: str, settings: Mapping[str, Any], *, resume: Resume | None, capture: RawCapture
    ) -> SerialSource:
        """Start the source ``device``; wrong ``settings`` raise ``ValueError`` with a sentence.

        Must be called inside a running event loop. The port may be absent: it is looked for until closing.
        """
        checked = self.check(device, settings)
        source = SerialSource(
            self.session(device, checked, resume),
            device,
            checked.address,
            checked.line,
            capture=capture,
            simulated=checked.simulated,
            opener=self.opener(checked),
        )
        source.start()
        return source

    def decoder(self, device: str, settings: Mapping[str, Any]) -> Decoder:
        """Return the protocol of ``device`` without a port; wrong ``settings`` raise ``ValueError``."""
        return self.parser(device, self.check_without_port(device, settings))


class ReaderPlugin(SerialPlugin[_Settings]):
    """Opens readers that count no cards and replay none: such a plug-in says its names, and makes its parser."""

    prompt: str
    """What to do to make a silent reader speak, for the table's people."""

    @abstractmethod
    def parser(self, device: str, settings: _Settings) -> Parser:
        """Return the protocol of ``device``, without a port."""

    def session(
        self,
        device: str,
        settings: _Settings,
        resume: Resume | None,  # noqa: ARG002 - nothing is replayed
    ) -> SerialSession:
        """Return the state of ``device`` over all its connections; it may be silent for hours."""
        return ReaderSession(device, self.parser(device, settings), prompt=self.prompt)

    def decoder(self, device: str, settings: Mapping[str, Any]) -> Parser:
        """Return the protocol of ``device`` without a port; wrong ``settings`` raise ``ValueError``."""
        return self.parser(device, self.check_without_port(device, settings))
