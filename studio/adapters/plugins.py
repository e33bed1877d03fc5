"""Plug-ins by entry point: card sources, simulators and sub-commands of this and any other installed package.

A studio adds its own reader by installing a package; nothing here knows one by name.
"""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, cast

from studio.ports.devices import CardSourcePlugin
from studio.ports.peers import SimulatorPlugin

CARD_SOURCES: Final = "studio.card_sources"
COMMANDS: Final = "studio.commands"
SIMULATORS: Final = "studio.simulated_readers"


def card_source_names() -> tuple[str, ...]:
    """Return the names of the installed drivers, sorted."""
    return _names(CARD_SOURCES)


def load_card_source(driver: str) -> CardSourcePlugin:
    """Return the plug-in of a driver by its name in the configuration.

    Raises ``ValueError`` listing the installed ones where there is none such, or saying why it does not load.
    """
    return cast(CardSourcePlugin, _load(CARD_SOURCES, driver, "driver"))


def load_simulator(driver: str) -> SimulatorPlugin:
    """Return the simulated reader of a driver; raise ``ValueError`` as :func:`load_card_source` does."""
    return cast(SimulatorPlugin, _load(SIMULATORS, driver, "simulated reader", driver))


def command_names() -> tuple[str, ...]:
    """Return the names of the sub-commands that installed packages offer, sorted."""
    return _names(COMMANDS)


def load_command(name: str) -> Any:  # noqa: ANN401 - what a command must offer is for the command line to say
    """Return the sub-command object behind a name; raise ``ValueError`` as :func:`load_card_source` does."""
    return _load(COMMANDS, name, "command")


def _names(group: str) -> tuple[str, ...]:
    return tuple(sorted({point.name for point in entry_points(group=group)}))


def _load(group: str, name: str, what: str, *arguments: str) -> object:
    """Return the object behind a name; a class is called with ``arguments``."""
    found = {(point.value, _package(point)): point for point in entry_points(group=group, name=name)}
    if not found:
        known = ", ".join(_names(group)) or "none"
        message = f"there is no {what} {name!r}; installed: {known}"
        raise ValueError(message)
    if len(found) > 1:
        offered = ", ".join(sorted(package for _, package in found))
        message = f"the {what} {name!r} is offered by several packages ({offered}): uninstall all but one"
        raise ValueError(message)
    (point,) = found.values()
    try:
        loaded: object = point.load()
        return loaded(*arguments) if isinstance(loaded, type) else loaded
    except Exception as error:
        message = f"the {what} {name!r} of {_package(point)} does not load ({point.value}): {error!r}"
        raise ValueError(message) from error


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist else "an unknown package"
