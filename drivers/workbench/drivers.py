"""Installed drivers by name, and a table's settings for one, read from a settings file."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Final

from studio.ports.devices import DecodingPlugin

_GROUP: Final = "studio.card_sources"
_SOURCES: Final = ("reader", "second_reader", "camera")


@dataclass(frozen=True, slots=True)
class ConfiguredSource:
    """A card source of a table, as a settings file names it."""

    table: str
    place: str
    driver: str
    device: str
    settings: Mapping[str, Any]


def driver_names() -> tuple[str, ...]:
    """Return the names of the installed drivers, sorted."""
    return tuple(sorted({point.name for point in entry_points(group=_GROUP)}))


def decoding_plugin(driver: str) -> DecodingPlugin:
    """Return the plug-in of a driver that reads bytes; raise ``ValueError`` where there is none such."""
    found = tuple(entry_points(group=_GROUP, name=driver))
    plugin = found[0].load()() if found else None
    if not isinstance(plugin, DecodingPlugin):
        known = ", ".join(name for name in driver_names())
        message = f"{driver!r} is no installed driver that reads bytes; installed: {known}"
        raise ValueError(message)  # noqa: TRY004 - a name that does not fit
    return plugin


def configured_sources(path: Path) -> tuple[ConfiguredSource, ...]:
    """Return the card sources that a settings file names; raise ``ValueError`` where it cannot be read.

    Only what is needed here is looked at: whether the file is right as a whole is for ``studio serve`` to say.
    """
    try:
        read = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        message = f"{path}: cannot be read as settings: {error}"
        raise ValueError(message) from error
    tables = read.get("tables", [])
    return tuple(source for table in tables if isinstance(table, dict) for source in _sources_of(table))


def _sources_of(table: Mapping[str, Any]) -> Iterator[ConfiguredSource]:
    for place in _SOURCES:
        source = table.get(place)
        if isinstance(source, dict):
            settings = source.get("settings", {})
            yield ConfiguredSource(
                str(table.get("id", "?")),
                place,
                str(source.get("driver", "")),
                str(source.get("device", "")),
                settings if isinstance(settings, dict) else {},
            )


def settings_for(driver: str, path: Path | None) -> Mapping[str, Any]:
    """Return the settings of the first source of ``driver`` in a file, or those of a file with nothing else in it.

    Raises ``ValueError`` where the file names no such source.
    """
    if path is None:
        return {}
    sources = configured_sources(path)
    for source in sources:
        if source.driver == driver:
            return source.settings
    if sources:
        message = f"{path}: no table has a reader with the driver {driver!r}"
        raise ValueError(message)
    plain: Mapping[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    return plain
