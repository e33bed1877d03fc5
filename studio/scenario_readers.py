"""The readers that scenarios can be played with: the core's own words, or an installed simulator by its driver.

It joins what the scenarios may not know: plug-ins, and the running studio's translation.
"""

from __future__ import annotations

from typing import Final

from studio.adapters.plugins import load_card_source, load_simulator
from studio.ports.devices import Resume
from studio.ports.peers import HostPeerPlugin, SimulatorPlugin
from studio.runtime.translation import Translation
from studio.scenarios.reader import DirectReader, MakeReader, Reader, ReaderPlace
from studio.scenarios.wired import WiredReader

DIRECT: Final = "direct"


def find_reader(name: str) -> MakeReader:
    """Return what makes the readers of a name; raise ``ValueError`` for one that is not installed or not whole."""
    if name == DIRECT:
        return DirectReader
    simulator, driver = load_simulator(name), load_card_source(name)
    if not isinstance(driver, HostPeerPlugin):
        message = f"the driver {name!r} offers no half without a port (host_peer): use --reader {DIRECT}"
        raise ValueError(message)  # noqa: TRY004 - wrong is the installed driver, not an argument's type
    return wired(driver, simulator)


def wired(driver: HostPeerPlugin, simulator: SimulatorPlugin) -> MakeReader:
    """Return what makes readers of bytes from a driver and its simulator."""

    def make(place: ReaderPlace) -> Reader:
        device = simulator.device_peer(decks=place.decks, load=place.load, ordinal=place.ordinal)
        host = driver.host_peer(place.device, resume=Resume(place.load, place.ordinal))
        return WiredReader(place, device, host, Translation().commands)

    return make
