"""The table as the control API and the simulated dealer use it: new shoes, waiting, and its own clockwork."""

from __future__ import annotations

import asyncio
import time

import pytest

from hardware_sim.faults import Fault
from hardware_sim.pacing import Pace
from hardware_sim.shoe import Shoe
from hardware_sim.smartshoe.device import DeviceConfig
from hardware_sim.smartshoe.reader import SmartshoeReader
from hardware_sim.smartshoe.wire import DeviceType, Frame, FrameDecoder, HostType, encode_frame
from hardware_sim.table import Pulled, Refused, SimulatedTable


class RecordingPort:
    """A port whose writes a test can await."""

    def __init__(self) -> None:
        self.frames: asyncio.Queue[Frame] = asyncio.Queue()
        self._decoder = FrameDecoder()

    def plug(self) -> None: ...

    def unplug(self) -> None: ...

    def write(self, data: bytes) -> None:
        for frame in self._decoder.feed(data):
            self.frames.put_nowait(frame)


@pytest.fixture
def port() -> RecordingPort:
    return RecordingPort()


@pytest.fixture
def table(port: RecordingPort) -> SimulatedTable:
    reader = SmartshoeReader(DeviceConfig(decks=1, seed=1))
    return SimulatedTable(Shoe(1, 1), reader, port, time.monotonic_ns, Pace(0))


def host_frame(table: SimulatedTable, kind: HostType, payload: bytes) -> bytes:
    return encode_frame(Frame(kind, 1, table.device.boot, payload, wants_acknowledgement=kind >= HostType.STATUS))


async def test_running_it_keeps_the_heart_beating(table: SimulatedTable, port: RecordingPort) -> None:
    table.start()
    running = asyncio.create_task(table.run())
    async with asyncio.timeout(10):
        while (await port.frames.get()).type != DeviceType.HEARTBEAT:
            pass
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


async def test_a_dealer_waits_until_the_gate_is_open(table: SimulatedTable) -> None:
    table.start()
    waiting = asyncio.create_task(table.wait_open())
    await asyncio.sleep(0)
    assert isinstance(table.pull(), Refused)
    table.host_bytes(host_frame(table, HostType.ACK, b"\x00"))
    async with asyncio.timeout(5):
        await waiting
        await table.wait_turn()
    assert isinstance(table.pull(), Pulled)


async def test_a_new_load_begun_by_the_host_brings_fresh_cards_only_where_some_were_dealt(
    table: SimulatedTable,
) -> None:
    table.start()
    table.host_bytes(host_frame(table, HostType.ACK, b"\x00"))
    table.host_bytes(host_frame(table, HostType.NEW_SHOE, b"\x01"))
    assert (table.device.load, table.shoe.loads) == (2, 1)
    table.host_bytes(host_frame(table, HostType.ACK, b"\x00"))
    table.pull()
    table.host_bytes(host_frame(table, HostType.ACK, b"\x01"))
    table.host_bytes(host_frame(table, HostType.NEW_SHOE, b"\x01"))
    assert (table.device.load, table.shoe.loads, table.shoe.left) == (3, 2, 52)


async def test_a_new_shoe_at_the_table_begins_a_load_of_the_next_cards(table: SimulatedTable) -> None:
    table.start()
    table.host_bytes(host_frame(table, HostType.ACK, b"\x00"))
    table.pull()
    assert isinstance(table.new_shoe(), Refused)
    table.host_bytes(host_frame(table, HostType.ACK, b"\x01"))
    assert table.new_shoe() is None
    assert (table.device.load, table.device.ordinal, table.shoe.loads) == (2, 0, 2)
    assert isinstance(table.pull(), Refused)


def test_returned_cards_begin_no_load_and_the_count_goes_on(port: RecordingPort) -> None:
    shuffler = Shoe(1, 1, is_continuous=True)
    table = SimulatedTable(
        shuffler, SmartshoeReader(DeviceConfig(decks=1, seed=1)), port, time.monotonic_ns, Pace(0)
    )
    table.start()
    table.host_bytes(host_frame(table, HostType.ACK, b"\x00"))
    table.pull()
    table.set_fault(Fault.NO_READ, is_on=True)
    table.pull()
    load = table.device.load
    assert table.unread
    assert table.return_cards() is None
    assert (table.device.load, table.device.ordinal) == (load, 2)
    assert (table.shoe.dealt, table.shoe.left, table.unread) == (0, 52, ())
    later = table.pull()
    assert isinstance(later, Pulled)
    assert later.ordinal == 3


def test_a_shoe_refuses_its_cards_back(table: SimulatedTable) -> None:
    table.start()
    assert isinstance(table.return_cards(), Refused)
