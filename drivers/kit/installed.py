"""Cases of installed drivers: the plug-in and a peer for it, both found by entry point."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, Protocol, cast

from drivers.kit.rig import DriverCase, Peer
from studio.ports.devices import DecodingPlugin

DRIVERS: Final = "studio.card_sources"
PEERS: Final = "studio.simulated_readers"


class Peers(Protocol):
    """What an entry point of the group ``studio.simulated_readers`` is called with a driver's name to give."""

    settings: Mapping[str, Any]

    def make(self, seed: int) -> Peer:
        """Return a device without power."""
        ...


def peer_names() -> tuple[str, ...]:
    """Return the drivers for which a simulated reader is installed, sorted."""
    return tuple(sorted({point.name for point in entry_points(group=PEERS)}))


def installed_case(driver: str) -> DriverCase:
    """Return the case of an installed driver; raise ``ValueError`` where there is none or it has no peer."""
    plugin = _one(DRIVERS, driver, "driver").load()()
    if not isinstance(plugin, DecodingPlugin):
        message = f"the driver {driver!r} reads no bytes: there is nothing to try without a device"
        raise ValueError(message)  # noqa: TRY004 - a name that does not fit, like one that is unknown
    peers = cast(Peers, _one(PEERS, driver, "simulated reader").load()(driver))
    return DriverCase(plugin, peers.make, peers.settings)


def _one(group: str, name: str, what: str) -> EntryPoint:
    found = tuple(entry_points(group=group, name=name))
    if len(found) != 1:
        known = ", ".join(sorted({point.name for point in entry_points(group=group)}))
        message = f"there is no {what} {name!r}, or more than one; installed: {known}"
        raise ValueError(message)
    return found[0]
