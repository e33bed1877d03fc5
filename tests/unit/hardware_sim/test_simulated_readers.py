"""Every simulated reader that counts no cards, through its real driver: no card lost, none doubled."""

from __future__ import annotations

import asyncio
import tempfile
import time
from itertools import pairwise
from pathlib import Path

import pytest
from support.read_table import UNCOUNTED, ReadTable

from hardware_sim.faults import Fault
from hardware_sim.pacing import Pace
from hardware_sim.protocols import PROTOCOLS, ReaderOptions
from hardware_sim.pty_line import PtyLine
from hardware_sim.shoe import Shoe
from hardware_sim.table import Pulled, Refused, Rescanned, SimulatedTable
from studio.domain.cards import Card
from studio.domain.instants import Instant
from studio.ports.devices import DecodingPlugin, EventKind

each_reader = pytest.mark.parametrize("plugin", UNCOUNTED, ids=lambda plugin: plugin.name)
TOLD_UNREAD = {EventKind.NO_READ, EventKind.ERROR}


def test_every_simulated_shoe_but_the_counting_one_is_tested_here() -> None:
    # Readers of printed codes: test_code_readers_simulated.py.
    assert {plugin.name for plugin in UNCOUNTED} == set(PROTOCOLS) - {"smartshoe", "barcode_line", "evdev", "ssi"}


@each_reader
@pytest.mark.parametrize("faults", [(), (Fault.SPLIT,), (Fault.MERGE,), (Fault.LATENCY,)], ids=str)
def test_a_thousand_cards_with_their_repeats_are_told_once_each(
    plugin: DecodingPlugin, faults: tuple[Fault, ...]
) -> None:
    table = ReadTable(plugin, seed=3)
    for fault in faults:
        table.fault(fault)
    pulled: list[Card] = []
    for number in range(1000):
        if not table.table.shoe.left:
            assert table.table.new_shoe() is None
        if number % 5 == 4:
            table.table.stack_next(pulled[-1])  # the same card again, as n decks have it
        pulled.append(table.pull())
    table.wait(1000)
    assert table.cards() == pulled
    assert any(first == second for first, second in pairwise(pulled))


@each_reader
def test_the_same_seed_gives_the_same_bytes(plugin: DecodingPlugin) -> None:
    streams = []
    for _ in range(2):
        table = ReadTable(plugin, seed=5)
        table.fault(Fault.SPLIT)
        table.fault(Fault.BIT_FLIP)
        table.fault(Fault.UNKNOWN_CODE)
        for _ in range(20):
            table.pull()
        streams.append(bytes(table.written))
    assert streams[0] == streams[1]


@each_reader
def test_a_card_that_is_not_read_is_told_and_can_be_read_again(plugin: DecodingPlugin) -> None:
    table = ReadTable(plugin)
    table.fault(Fault.NO_READ)
    card = table.pull()
    assert table.cards() == []
    assert set(table.kinds()) & TOLD_UNREAD
    again = table.table.rescan()
    assert isinstance(again, Rescanned)
    table.wait(1000)
    assert (again.card, table.cards()) == (card, [card])


@each_reader
def test_a_card_that_can_never_be_read_fails_again(plugin: DecodingPlugin) -> None:
    table = ReadTable(plugin)
    table.fault(Fault.UNREADABLE)
    table.pull()
    table.events.clear()
    table.table.rescan()
    table.wait(1000)
    assert set(table.kinds()) & TOLD_UNREAD
    table.table.give_up_rescan()
    table.wait(500)
    card = table.pull()
    assert table.cards() == [card]


@each_reader
def test_a_mark_that_is_no_card_is_never_told_as_one(plugin: DecodingPlugin) -> None:
    table = ReadTable(plugin)
    table.fault(Fault.UNKNOWN_CODE)
    table.pull()
    assert table.cards() == []
    assert EventKind.UNKNOWN_CODE in table.kinds()


@each_reader
def test_a_card_that_is_shown_to_prove_the_reader_is_told_and_not_counted(plugin: DecodingPlugin) -> None:
    table = ReadTable(plugin)
    dealt, ordinal = table.table.shoe.dealt, table.table.device.ordinal
    table.table.show_card()
    table.wait(500)
    assert len(table.cards()) == 1
    assert (table.table.shoe.dealt, table.table.device.ordinal) == (dealt, ordinal)


@each_reader
def test_a_double_read_is_two_cards_to_a_driver(plugin: DecodingPlugin) -> None:
    table = ReadTable(plugin)
    table.fault(Fault.DOUBLE_READ)
    card = table.pull()
    assert table.cards() == [card, card]


@each_reader
def test_silence_and_then_a_burst_loses_no_card(plugin: DecodingPlugin) -> None:
    table = ReadTable(plugin)
    table.fault(Fault.SILENCE)
    pulled = [table.pull(), table.pull()]
    assert table.events == []
    table.fault(Fault.SILENCE, is_on=False)
    table.wait(1000)
    assert table.cards() == pulled


@each_reader
def test_garbage_is_no_card(plugin: DecodingPlugin) -> None:
    table = ReadTable(plugin)
    table.fault(Fault.GARBAGE)
    table.wait(1000)
    assert table.cards() == []
    assert sum(table.decoder.errors.values()) > 0


@each_reader
def test_a_shoe_without_power_gives_no_card_and_comes_back(plugin: DecodingPlugin) -> None:
    table = ReadTable(plugin)
    table.fault(Fault.UNPLUG)
    refused = table.table.pull()
    assert isinstance(refused, Refused)
    assert "no power" in refused.reason
    table.fault(Fault.UNPLUG, is_on=False)
    table.wait(2000)
    assert table.pull() == table.cards()[-1]


def test_three_copies_hide_a_lost_one_and_damage_from_the_table() -> None:
    table = ReadTable(UNCOUNTED[0])
    table.fault(Fault.DROP)
    table.fault(Fault.BIT_FLIP)
    pulled = [table.pull() for _ in range(50)]
    table.wait(1000)
    assert table.cards() == pulled
    assert set(table.kinds()) == {EventKind.CARD}


def test_copies_that_arrive_twice_are_still_one_card() -> None:
    table = ReadTable(UNCOUNTED[0])
    table.fault(Fault.DUPLICATE)
    pulled = [table.pull() for _ in range(50)]
    assert table.cards() == pulled


def test_an_angel_eye_shoe_tells_of_the_cut_card_of_a_card_that_moves_back_and_of_its_lock() -> None:
    table = ReadTable(UNCOUNTED[0])
    table.fault(Fault.EARLY_CUT_CARD)
    table.pull()
    assert table.kinds() == [EventKind.CUT_CARD, EventKind.CARD]
    table.fault(Fault.CARD_RETURN)
    table.pull()
    assert EventKind.CARD_RETURN in table.kinds()
    table.fault(Fault.GATE_STUCK)
    table.wait(500)
    assert isinstance(table.table.pull(), Refused)
    table.fault(Fault.GATE_STUCK, is_on=False)
    table.wait(500)
    assert [event.details["locked"] for event in table.events if event.kind is EventKind.LOCKED] == [True, False]
    assert isinstance(table.table.pull(), Pulled)


@each_reader
async def test_a_simulated_device_on_a_pseudo_terminal_is_read_by_the_real_driver(
    plugin: DecodingPlugin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # the port's lock file
    line = PtyLine(tmp_path / "shoe")
    protocol = PROTOCOLS[plugin.name]
    device = protocol.make(ReaderOptions(seed=2))
    table = SimulatedTable(Shoe(2, 8), device, line, time.monotonic_ns, Pace(0))
    line.listen(table.host_bytes)
    table.start()
    captured = bytearray()

    def capture(device: str, data: bytes, received: Instant) -> None:
        assert device == "shoe-1"
        assert received.monotonic_ns > 0
        captured.extend(data)

    settings = {"port": str(line.link), "simulated": True, **protocol.settings}
    source = plugin.open("shoe-1", settings, resume=None, capture=capture)
    running = asyncio.create_task(table.run())
    pulled: list[Card] = []
    told: list[Card] = []
    links: list[str] = []
    async with asyncio.timeout(20):
        async for event in source.events():
            if event.kind is EventKind.LINK:
                links.append(event.details["state"])
            if event.kind is EventKind.CARD and event.card is not None:
                told.append(event.card)
            is_open = links[-1:] in (["syncing"], ["ready"])
            if len(told) == 5:
                break
            if is_open and len(told) == len(pulled):
                await table.wait_turn()
                while not isinstance(result := table.pull(), Pulled):
                    await table.wait_change()
                pulled.append(result.card)
    running.cancel()
    await source.close()
    line.unplug()
    assert told == pulled
    assert links[-2:] == ["syncing", "ready"]
    assert source.health().errors == {}
    assert captured
