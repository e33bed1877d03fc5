"""Where the cards of a lock-step table come from: readings alone, a shoe on a wire, or the server's own shoe.

Each implements :class:`support.lockstep.Cards`. They know nothing of rounds, players and money.
"""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass

from drivers.serial_port import PortState
from drivers.smartshoe.session import Session
from drivers.virtual_shoe.source import VirtualShoeSource
from hardware_sim.faults import Fault
from hardware_sim.pacing import Pace
from hardware_sim.shoe import Marker, Shoe
from hardware_sim.smartshoe.device import DeviceConfig
from hardware_sim.smartshoe.reader import SmartshoeReader
from hardware_sim.table import Pulled, Rescanned, SimulatedTable
from studio.domain.cards import Card
from studio.domain.phases import Phase, expected_slot, phase
from studio.domain.record_commands import (
    RecordReader,
    RecordSighting,
)
from studio.domain.rules import Shuffling
from studio.domain.sightings import CardRead, CutCardRead, Reading, Sighting, SightingId, Unreadable
from studio.ports.devices import DeviceEvent
from studio.runtime.ingest import Ingest
from studio.runtime.translation import Translation
from studio.runtime.virtual_dealer import VirtualDealer
from support.lockstep import LockStepTable
from support.tables import READER

_UNREAD_SHARE = 0.02
_LINE_FAULT_SHARE = 0.02
_PATIENCE_SECONDS = 60
_ONE_SHOT_FAULTS = (Fault.DROP, Fault.LOST_ACKNOWLEDGEMENT)


class ReadCards:
    """Readings as the reader's commands, without a device: the core's side alone."""

    def __init__(self, table: LockStepTable, seed: int) -> None:
        self._table = table
        self._chance = random.Random(f"{seed}/readings")  # noqa: S311 - reproducible
        self._shoe = Shoe(seed, table.setup.rules.decks, table.setup.cut_position)
        self._load = 1
        self._ordinal = 0
        self._unread: Card | None = None
        self.next_due_ns: int | None = None

    async def come(self) -> None:
        await self._table.do(RecordReader(READER.id, True, self._load, self._ordinal), READER)

    async def settle(self) -> None:
        pass

    async def load(self) -> None:
        if self._table.actor.table.used_load is not None:
            self._load += 1
            self._shoe.reshuffle()
        self._ordinal = 0
        await self.come()

    async def return_cards(self) -> None:
        self._shoe.return_cards()

    async def pull(self) -> None:
        drawn = self._shoe.pull()
        if drawn is Marker.CUT_CARD:
            await self._see(CutCardRead())
            drawn = self._shoe.pull()
        assert isinstance(drawn, Card)
        self._ordinal += 1
        if self._chance.random() < _UNREAD_SHARE:
            self._unread = drawn
            await self._see(Unreadable())
        else:
            await self._see(CardRead(drawn))

    async def rescan(self) -> None:
        assert self._unread is not None
        card, self._unread = self._unread, None
        await self._see(CardRead(card))

    async def close(self) -> None:
        pass

    async def _see(self, reading: Reading) -> None:
        identity = SightingId(READER.id, self._load, self._ordinal)
        sighting = Sighting(identity, reading, self._table.clock.now().monotonic_ns)
        await self._table.do(RecordSighting(sighting), READER)


@dataclass(frozen=True, slots=True)
class LeftShoe:
    """A card that left the shoe, as the simulated table knows it: no more, no less."""

    load: int
    ordinal: int
    card: Card


class WiredShoe:
    """The simulated shoe and its device, its bytes handed to the driver's session, both without a port.

    Some cards are not read, some events and acknowledgements are lost on the line.
    """

    def __init__(self, table: LockStepTable, seed: int) -> None:
        rules, self._table = table.setup.rules, table
        self._chance = random.Random(f"{seed}/line")  # noqa: S311 - reproducible
        is_continuous = rules.shuffling is Shuffling.CONTINUOUS
        cut = None if is_continuous else table.setup.cut_position
        self.shoe = Shoe(seed, rules.decks, cut, is_continuous=is_continuous)
        reader = SmartshoeReader(DeviceConfig(decks=rules.decks, seed=seed))
        self._felt = SimulatedTable(self.shoe, reader, self, lambda: table.clock.now().monotonic_ns, Pace(0.0))
        self._session = Session(READER.id)
        self._translation = Translation()
        self._bytes = bytearray()
        self.left: list[LeftShoe] = []
        """Every card that left the shoe; whoever reads it clears it."""

    # The cable's end: the device's port.

    def plug(self) -> None:
        pass

    def unplug(self) -> None:
        self._bytes.clear()

    def write(self, data: bytes) -> None:
        self._bytes += data

    # Cards

    @property
    def next_due_ns(self) -> int | None:
        return self._felt.next_deadline_ns() if self._felt.device.is_powered else None

    async def come(self) -> None:
        if not self._felt.device.is_powered:
            self._felt.start()
            await self._carry(self._session.on_port(PortState.OPEN, "", self._table.clock.now()))
        await self.settle()

    async def settle(self) -> None:
        if not self._felt.device.is_powered:
            return
        self._felt.pump()
        while True:
            at = self._table.clock.now()
            data = bytes(self._bytes)
            self._bytes.clear()
            await self._carry(self._session.feed(data, at) if data else self._session.tick(at))
            answer = self._session.data_to_send()
            if answer:
                self._felt.host_bytes(answer)
            elif not self._bytes:
                return

    async def load(self) -> None:
        if self._table.actor.table.used_load is not None:
            refused = self._felt.new_shoe()
            assert refused is None, refused
            await self.settle()

    async def return_cards(self) -> None:
        refused = self._felt.return_cards()
        assert refused is None, refused

    async def pull(self) -> None:
        if self._chance.random() < _UNREAD_SHARE:
            self._felt.set_fault(Fault.NO_READ, is_on=True)
        if self._chance.random() < _LINE_FAULT_SHARE:
            self._felt.set_fault(self._chance.choice(_ONE_SHOT_FAULTS), is_on=True)
        pulled = self._felt.pull()
        assert isinstance(pulled, Pulled), pulled
        self.left.append(LeftShoe(self._felt.device.load, pulled.ordinal, pulled.card))
        await self.settle()

    async def rescan(self) -> None:
        rescanned = self._felt.rescan()
        assert isinstance(rescanned, Rescanned), rescanned
        await self.settle()

    async def close(self) -> None:
        pass

    async def _carry(self, events: list[DeviceEvent]) -> None:
        """As ingest does: what an event means is on disk before the device hears of it."""
        for event in events:
            for command in self._translation.commands(event):
                await self._table.do(
                    command, READER, f"{event.kind.value} {event.load}:{event.ordinal}", event.raw
                )
            self._session.acknowledge(event)


class ServerShoe:
    """The virtual shoe as the studio runs it: source, ingest and virtual dealer, a card as soon as it is due."""

    def __init__(self, table: LockStepTable, seed: int) -> None:
        self._table = table
        self._chance = random.Random(f"{seed}/shuffles")  # noqa: S311 - reproducible
        self._changed = asyncio.Event()
        self._running: list[asyncio.Task[None]] = []
        self.next_due_ns: int | None = None

    async def come(self) -> None:
        table, clock = self._table, self._table.clock
        if not self._running:
            decks, device = table.setup.rules.decks, table.setup.reader
            seeds = self._chance.randbytes
            source = VirtualShoeSource(device, decks, now=clock.now, new_seed=lambda: seeds(32))
            dealer = VirtualDealer(table.actor, source, clock, 0)
            ingest = Ingest(source, table.actor.submit, clock)
            table.actor.watch(self._changed.set)
            self._running = [asyncio.create_task(dealer.run()), asyncio.create_task(ingest.run())]

    async def settle(self) -> None:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            while self._running and self._is_due():
                self._changed.clear()
                await self._changed.wait()

    def _is_due(self) -> bool:
        """Whether the server has a shuffle or a card to come before anybody else can act."""
        table = self._table.actor.table
        if not table.reader.ready or table.is_stopped:
            return not table.is_stopped
        if table.shoe is None and phase(table) is Phase.IDLE:
            return True
        return table.round is not None and expected_slot(table.setup.rules, table.round) is not None

    async def load(self) -> None:
        message = "nobody loads the server's shoe"
        raise AssertionError(message)

    return_cards = pull = rescan = load

    async def close(self) -> None:
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        self._running.clear()
