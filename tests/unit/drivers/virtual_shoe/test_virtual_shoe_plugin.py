from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from drivers.virtual_shoe.plugin import VirtualShoePlugin
from studio.domain.instants import Instant
from studio.ports.devices import CardSource, CardSourcePlugin, DrawnSource, EventKind, Resume


def refuse(device: str, data: bytes, received: Instant) -> None:
    """Stand in for the raw capture: a shoe without a wire has no bytes for it."""
    pytest.fail(f"{device} captured {len(data)} bytes at {received}")


def test_the_entry_point_makes_a_plug_in_without_arguments() -> None:
    point = EntryPoint("virtual_shoe", "drivers.virtual_shoe.plugin:VirtualShoePlugin", "studio.card_sources")
    plugin: CardSourcePlugin = point.load()()
    assert plugin.name == "virtual_shoe"


async def test_wrong_settings_are_refused() -> None:
    with pytest.raises(ValueError, match="'seed' is no setting"):
        VirtualShoePlugin().open("virtual-1", {"seed": "00"}, resume=None, capture=refuse)


async def test_it_opens_a_running_source_with_what_is_configured() -> None:
    plugin: CardSourcePlugin = VirtualShoePlugin()
    source: CardSource = plugin.open("virtual-1", {"decks": 8}, resume=Resume(3, 14), capture=refuse)
    hello = await anext(aiter(source.events()))
    assert (hello.kind, hello.device, hello.load, hello.ordinal) == (EventKind.HELLO, "virtual-1", 3, 14)
    assert hello.details["decks"] == 8
    assert isinstance(source, DrawnSource)
    assert (await source.load("t3", 1)).load == 4
    await source.close()
