from __future__ import annotations

import asyncio
import tempfile
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from smartshoe_peer import Peer

from drivers.smartshoe.plugin import SmartshoePlugin
from studio.domain.instants import Instant
from studio.ports.devices import CardSource, CardSourcePlugin, EventKind


@pytest.fixture(autouse=True)
def locks_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep lock files out of the machine's folder, where they would stay."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def ignore(device: str, data: bytes, received: Instant) -> None:
    """Stand in for the raw capture."""


def test_the_entry_point_makes_a_plug_in_without_arguments() -> None:
    point = EntryPoint("smartshoe", "drivers.smartshoe.plugin:SmartshoePlugin", "studio.card_sources")
    plugin: CardSourcePlugin = point.load()()
    assert plugin.name == "smartshoe"


async def test_wrong_settings_are_refused_before_anything_is_opened() -> None:
    with pytest.raises(ValueError, match="'prot' is no setting"):
        SmartshoePlugin().open("shoe-1", {"prot": "/dev/shoe"}, resume=None, capture=ignore)


async def test_it_opens_a_running_source_with_what_is_configured(tmp_path: Path) -> None:
    peer = Peer(tmp_path / "shoe")
    peer.plug()
    settings = {"port": str(peer.link), "serial": "00a1b2c3", "simulated": True}
    opened = SmartshoePlugin().open("shoe-1", settings, resume=None, capture=ignore)
    source: CardSource = opened
    async with asyncio.timeout(10):
        async for event in source.events():
            if event.kind is EventKind.HELLO:
                assert event.details["serial"] == "00A1B2C3"
                break
    assert opened.simulated
    await source.close()
    peer.unplug()
