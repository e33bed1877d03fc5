"""Each reader of printed codes, from the simulated device through a pseudo-terminal to the driver's own source."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from hardware_sim.faults import Fault
from hardware_sim.pacing import Pace
from hardware_sim.protocols import PROTOCOLS, ReaderOptions
from hardware_sim.pty_line import PtyLine
from hardware_sim.shoe import Shoe
from hardware_sim.table import Pulled, SimulatedTable
from studio.domain.cards import Card
from studio.domain.instants import Instant
from studio.ports.devices import CardSource, DecodingPlugin, DeviceEvent, EventKind, LinkState

PLUGINS = {
    "barcode_line": "drivers.barcode_line.plugin:BarcodeLinePlugin",
    "ssi": "drivers.ssi.plugin:SsiPlugin",
    "evdev": "drivers.evdev.plugin:EvdevPlugin",
}
drivers = pytest.mark.parametrize("driver", PLUGINS)


@pytest.fixture(autouse=True)
def locks_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep lock files out of the machine's folder, where they would stay."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def plugin_of(driver: str) -> DecodingPlugin:
    point = EntryPoint(driver, PLUGINS[driver], "studio.card_sources")
    plugin = point.load()()
    assert isinstance(plugin, DecodingPlugin)
    assert plugin.name == driver
    assert not plugin.counts
    return plugin


class Bench:
    """A simulated table, and a source that reads it."""

    def __init__(self, table: SimulatedTable, source: CardSource, captured: bytearray) -> None:
        self.table = table
        self.source = source
        self.captured = captured
        self.events: list[DeviceEvent] = []

    async def until(self, is_met: Callable[[DeviceEvent], bool]) -> DeviceEvent:
        async with asyncio.timeout(60):
            async for event in self.source.events():
                self.events.append(event)
                if is_met(event):
                    return event
        raise AssertionError

    async def link(self, state: LinkState) -> DeviceEvent:
        return await self.until(lambda event: event.details.get("state") == state.value)

    async def pull(self) -> Card:
        await self.table.wait_open()
        pulled = self.table.pull()
        assert isinstance(pulled, Pulled)
        return pulled.card


@asynccontextmanager
async def bench(driver: str, tmp_path: Path) -> AsyncIterator[Bench]:
    simulated = PROTOCOLS[driver]
    line = PtyLine(tmp_path / "reader")
    table = SimulatedTable(
        Shoe(1, 8), simulated.make(ReaderOptions()), line, time.monotonic_ns, Pace(0, is_paused=True)
    )
    line.listen(table.host_bytes)
    table.start()
    running = asyncio.create_task(table.run())
    captured = bytearray()

    def capture(device: str, data: bytes, received: Instant) -> None:  # noqa: ARG001 - the port's own names
        captured.extend(data)

    # Cards are pulled as fast as they can be: every reading is a card.
    settings = {"port": str(line.link), "simulated": True, "duplicates": "gate", **simulated.settings}
    source = plugin_of(driver).open("reader-1", settings, resume=None, capture=capture)
    try:
        yield Bench(table, source, captured)
    finally:
        await source.close()
        running.cancel()
        line.unplug()


@drivers
async def test_cards_come_as_they_were_pulled(driver: str, tmp_path: Path) -> None:
    async with bench(driver, tmp_path) as one:
        await one.link(LinkState.SYNCING)
        pulled: list[Card] = []
        for _ in range(30):
            pulled.append(await one.pull())
            await one.until(lambda event: event.kind is EventKind.CARD)
        assert [event.card for event in one.events if event.kind is EventKind.CARD] == pulled
        assert one.source.health().link is LinkState.READY
        assert one.source.health().errors == {}
        assert one.source.simulated
        assert one.captured


@drivers
async def test_the_first_thing_heard_proves_the_reader(driver: str, tmp_path: Path) -> None:
    async with bench(driver, tmp_path) as one:
        await one.link(LinkState.SYNCING)
        if driver == "ssi":
            await one.link(LinkState.READY)  # by its answer to the parameters
        await one.pull()
        card = await one.until(lambda event: event.kind is EventKind.CARD)
        assert card.suspect is (driver != "ssi")
        assert card.details.get("proof", False) is (driver != "ssi")
        states = [event.details["state"] for event in one.events if event.kind is EventKind.LINK]
        assert states[-1] == LinkState.READY.value


@drivers
async def test_an_unplugged_reader_is_lost_once_and_comes_back_by_itself(driver: str, tmp_path: Path) -> None:
    async with bench(driver, tmp_path) as one:
        await one.link(LinkState.SYNCING)
        await one.pull()
        await one.until(lambda event: event.kind is EventKind.CARD)
        one.table.set_fault(Fault.UNPLUG, is_on=True)
        await one.link(LinkState.LOST)
        await one.link(LinkState.ABSENT)
        one.table.set_fault(Fault.UNPLUG, is_on=False)
        await one.link(LinkState.SYNCING)
        card = await one.pull()
        assert (await one.until(lambda event: event.kind is EventKind.CARD)).card == card
        assert one.source.health().losses == 1


@drivers
async def test_what_could_not_be_read_and_what_is_no_card_is_told(driver: str, tmp_path: Path) -> None:
    async with bench(driver, tmp_path) as one:
        await one.link(LinkState.SYNCING)
        await one.pull()
        await one.until(lambda event: event.kind is EventKind.CARD)
        one.table.set_fault(Fault.NO_READ, is_on=True)
        await one.pull()
        await one.until(lambda event: event.kind is EventKind.NO_READ)
        one.table.set_fault(Fault.UNKNOWN_CODE, is_on=True)
        await one.pull()
        unknown = await one.until(lambda event: event.kind is EventKind.UNKNOWN_CODE)
        assert unknown.details["raw"]
        one.table.set_fault(Fault.EARLY_CUT_CARD, is_on=True)
        await one.pull()
        await one.until(lambda event: event.kind is EventKind.CUT_CARD)


@drivers
def test_wrong_settings_are_refused_with_a_sentence(driver: str) -> None:
    with pytest.raises(ValueError, match=f"settings of the {driver} source 'reader-1': 'prot' is no setting"):
        plugin_of(driver).decoder("reader-1", {"prot": "/dev/reader"})
    with pytest.raises(ValueError, match=r"'port' is missing"):
        plugin_of(driver).open("reader-1", {}, resume=None, capture=lambda *_: None)
