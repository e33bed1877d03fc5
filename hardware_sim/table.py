"""The simulated table: a physical shoe, the device that reads it, its cable, its faults and the dealer's pace.

The one object that the control API and the simulated dealer use, in the same process and event loop. It knows
nothing of the studio, of HTTP or of descriptors: bytes leave through a :class:`Port`, time comes from a
function given at the start.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol, TypeAlias

from hardware_sim.faults import FAULTS, OF_THE_SERVER, Fault, FaultKind, FaultPanel
from hardware_sim.line import Line
from hardware_sim.pacing import Pace
from hardware_sim.reader import SimulatedReader
from hardware_sim.seeds import seeded
from hardware_sim.server_process import ServerProcess
from hardware_sim.shoe import Marker, Shoe
from studio.domain.cards import DECK, Card

_LATE_CUT_CARDS_BEHIND: Final = 10
_QUALITY_RANGE: Final = (93, 99)


class Port(Protocol):
    """The end of the cable that the studio's driver opens."""

    def plug(self) -> None:
        """Make the port appear."""
        ...

    def unplug(self) -> None:
        """Make it vanish under whoever has it open."""
        ...

    def write(self, data: bytes) -> None:
        """Send what can be sent now; a wire does not wait for its reader."""
        ...


class Reading(StrEnum):
    """What the device made of a card."""

    READ = "read"
    UNREAD = "unread"
    UNKNOWN_CODE = "unknown_code"
    TWICE = "twice"
    MISSED = "missed"


@dataclass(frozen=True, slots=True)
class Pulled:
    """A card in the dealer's hand; ``cut_card`` says that the cut card came out before it and was set aside."""

    card: Card
    ordinal: int
    reading: Reading
    cut_card: bool = False


@dataclass(frozen=True, slots=True)
class Empty:
    """Nothing was left to pull, except perhaps the cut card."""

    cut_card: bool = False


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing happened; ``reason`` is a sentence."""

    reason: str


@dataclass(frozen=True, slots=True)
class Rescanned:
    """A card passed over the exit reader again."""

    card: Card
    ordinal: int
    is_read: bool


@dataclass(frozen=True, slots=True)
class _Unread:
    card: Card
    is_readable: bool


PullResult: TypeAlias = Pulled | Empty | Refused
RescanResult: TypeAlias = Rescanned | Refused


class SimulatedTable:
    """A dealer's hands on a simulated shoe.

    Call :meth:`start` once; then give it the host's bytes (:meth:`host_bytes`) and call :meth:`pump` at
    :meth:`next_deadline_ns` (:meth:`run` does). ``now_ns`` must be monotonic nanoseconds. One event loop only.
    """

    def __init__(
        self, shoe: Shoe, device: SimulatedReader, port: Port, now_ns: Callable[[], int], pace: Pace
    ) -> None:
        self.shoe = shoe
        self.device = device
        self.faults = FaultPanel()
        self.pace = pace
        self.server: ServerProcess | None = None
        """The studio's server, for the faults outside the table, where the simulation knows its process."""
        self._port = port
        self._now_ns = now_ns
        self._line = Line(self.faults, device.seed)
        self._chance = seeded(device.seed, "readings")
        self._load = device.load
        self._unread: dict[int, _Unread] = {}
        self._overfull: Card | None = None
        self._changed = asyncio.Event()

    # Running

    def start(self) -> None:
        """Plug the cable in, which gives the device its power."""
        self._port.plug()
        self._power_on()
        self.pump()

    def host_bytes(self, data: bytes) -> None:
        """Take what the studio wrote; fresh cards are loaded when it begins a new load on a used stack."""
        self.device.host_bytes(self.device.spoil(data, self.faults), self._now_ns())
        if self.device.load != self._load:
            self._on_new_load()
        self.pump()

    def pump(self) -> None:
        """Let time pass and send what is due."""
        now_ns = self._now_ns()
        self.device.tick(now_ns)
        for packet in self.device.packets():
            self._line.send(packet, now_ns)
        for data in self._line.due(now_ns):
            self._port.write(data)
        self._notify()

    def next_deadline_ns(self) -> int | None:
        """Return when :meth:`pump` has something to do, if nothing else happens."""
        deadlines = (self.device.next_deadline_ns(), self._line.next_deadline_ns())
        return min((deadline for deadline in deadlines if deadline is not None), default=None)

    async def run(self) -> None:
        """Pump for ever, each time when it is due."""
        while True:
            self.pump()
            deadline_ns = self.next_deadline_ns()
            rest = None if deadline_ns is None else max(0, deadline_ns - self._now_ns()) / 1e9
            try:
                async with asyncio.timeout(rest):
                    await self.wait_change()
            except TimeoutError:
                pass

    async def wait_change(self) -> None:
        """Wait until anything was done to the table or by it."""
        await self._changed.wait()

    # The dealer's hands

    async def wait_turn(self) -> None:
        """Wait for the dealer's next turn at the set pace."""
        await self.pace.wait_turn()

    async def wait_open(self) -> None:
        """Wait until a card can leave the shoe."""
        while self.device.refusal() is not None:
            await self.wait_change()

    def pull(self) -> PullResult:
        """Draw one card; a cut card on the way is reported, set aside, and the next card drawn."""
        refusal = self.device.refusal()
        if refusal is not None:
            return Refused(f"No card can be pulled: {refusal}.")
        self._tamper()
        drawn = self.shoe.pull()
        is_cut = drawn is Marker.CUT_CARD and not self.faults.is_on(Fault.MISSING_CUT_CARD)
        if is_cut:
            self.device.see_cut_card(self._now_ns())
        if drawn is Marker.CUT_CARD:
            drawn = self.shoe.pull()
        result: PullResult
        if isinstance(drawn, Card):
            result = self._pass_exit(drawn, is_cut=is_cut)
        else:
            self.device.see_empty(self._now_ns())
            result = Empty(is_cut)
        self.pump()
        return result

    def rescan(self) -> RescanResult:
        """Pass the oldest card that was not read over the exit reader again."""
        if not self.device.is_powered:
            return Refused("Nothing can be rescanned: the shoe has no power.")
        if not self._unread:
            return Refused("Nothing can be rescanned: every card of this shoe was read.")
        ordinal, unread = next(iter(self._unread.items()))
        card = unread.card if unread.is_readable else None
        self.device.rescan(ordinal, card, self._quality(), self._now_ns())
        if unread.is_readable:
            del self._unread[ordinal]
        self.pump()
        return Rescanned(unread.card, ordinal, is_read=unread.is_readable)

    def show_card(self) -> None:
        """Pass a card from outside the shoe over the reader, to hear whether it lives."""
        self.device.show_card(DECK[0], self._now_ns())
        self.pump()

    def give_up_rescan(self) -> None:
        """Take the oldest unread card away from the reader for good: it was discarded, or entered by hand."""
        if self._unread:
            del self._unread[next(iter(self._unread))]
            self.device.free_exit(self._now_ns())
            self.pump()

    def new_shoe(self) -> Refused | None:
        """Load the next shuffled stack and press the shoe's load button; None when done."""
        if not self.device.load_shoe(self.shoe.decks, self._now_ns()):
            return Refused(
                "The shoe takes no new load: it has no power, or it still tells the studio of this one."
            )
        self.shoe.reshuffle()
        self._on_new_load()
        self.pump()
        return None

    def return_cards(self) -> Refused | None:
        """Put every card on the felt back into the continuous shuffler; the load and its count go on."""
        if not self.shoe.is_continuous:
            return Refused("No cards are returned to a shoe: it is loaded anew when it has ended.")
        self.shoe.return_cards()
        if self._unread:
            self._unread.clear()
            self.device.free_exit(self._now_ns())
        self.pump()
        return None

    def stack_next(self, card: Card) -> Refused | None:
        """Make ``card`` the next one, in exchange with a later copy; None when done."""
        if self.shoe.bring_up(card):
            return None
        return Refused(f"{card} cannot be dealt next: no copy of it is left in the shoe.")

    # Faults

    def set_fault(self, fault: Fault, *, is_on: bool) -> None:
        """Switch, arm or carry out ``fault``, or take it back; a dealer's wait for :meth:`take_dealer_fault`."""
        if fault in OF_THE_SERVER:
            self._harm_server(fault, is_on=is_on)
        elif FAULTS[fault].kind is not FaultKind.AT_ONCE:
            if self.faults.is_on(fault) == is_on:
                return
            self.faults.set(fault, is_on=is_on)
            self._on_switch(fault, is_on=is_on)
        elif is_on:
            self._do_at_once(fault)
        self.pump()

    def is_on(self, fault: Fault) -> bool:
        """Return whether a fault is switched on or armed; of the server, as its process is found."""
        server = self.server
        match fault:
            case Fault.DISK_FULL:
                return server is not None and server.is_disk_full
            case Fault.SERVER_CLOCK:
                return server is not None and server.is_clock_ahead
            case _:
                return self.faults.is_on(fault)

    def take_dealer_fault(self, fault: Fault) -> bool:
        """Return whether the dealer should now make this mistake, once."""
        return self.faults.take(fault)

    @property
    def unread(self) -> tuple[int, ...]:
        """The ordinals of the cards that wait for a rescan, oldest first."""
        return tuple(self._unread)

    def _on_switch(self, fault: Fault, *, is_on: bool) -> None:
        now_ns = self._now_ns()
        match fault:
            case Fault.UNPLUG:
                self._unplug() if is_on else self.start()
            case Fault.SWAPPED_READER:
                self.device.switch(fault, is_on=is_on, now_ns=now_ns)
                self._replug()
            case Fault.GARBAGE if is_on:
                self._line.send_garbage(now_ns)
            case Fault.IMPOSSIBLE_COPY:
                self._overfull = self.shoe.most_dealt() if is_on else None
            case _:
                # Of others than the device's own the panel is asked when their occasion comes.
                self.device.switch(fault, is_on=is_on, now_ns=now_ns)

    def _do_at_once(self, fault: Fault) -> None:
        match fault:
            case Fault.REBOOT if self.device.is_powered:
                self._power_on()
            case Fault.CLOCK_JUMP:
                self.device.switch(fault, is_on=True, now_ns=self._now_ns())
            case Fault.SHORT_SHOE:
                self.shoe.take_out()
            case _:
                pass  # a shoe without power cannot restart

    def _harm_server(self, fault: Fault, *, is_on: bool) -> None:
        server = self.server
        if server is None:
            return
        match fault:
            case Fault.DISK_FULL:
                server.set_disk_full(is_full=is_on)
            case Fault.SERVER_CLOCK:
                server.set_clock_ahead(is_ahead=is_on)
            case Fault.KILL_SERVER if is_on:
                server.kill()
            case _:
                pass

    # Inside

    def _tamper(self) -> None:
        if self.shoe.has_cut_card and self.faults.take(Fault.EARLY_CUT_CARD):
            self.shoe.move_cut_card(self.shoe.left)
        if self.shoe.has_cut_card and self.faults.take(Fault.LATE_CUT_CARD):
            self.shoe.move_cut_card(_LATE_CUT_CARDS_BEHIND)
        overfull = self._overfull
        if overfull is not None and not self.shoe.bring_up(overfull) and self.shoe.substitute(overfull):
            self.faults.take(Fault.IMPOSSIBLE_COPY)
            self._overfull = None

    def _pass_exit(self, card: Card, *, is_cut: bool) -> Pulled:
        now_ns = self._now_ns()
        reading = Reading.READ
        if self.faults.take(Fault.MISSED):
            reading, ordinal = Reading.MISSED, self.device.lose_card()
        elif (is_unreadable := self.faults.take(Fault.UNREADABLE)) or self.faults.take(Fault.NO_READ):
            reading, ordinal = Reading.UNREAD, self.device.fail_to_read(now_ns)
            self._unread[ordinal] = _Unread(card, is_readable=not is_unreadable)
        elif self.faults.take(Fault.UNKNOWN_CODE):
            ordinal = self.device.read_foreign(self._chance, self._quality(), now_ns)
            reading = Reading.UNKNOWN_CODE
            self._unread[ordinal] = _Unread(card, is_readable=True)
        else:
            ordinal = self.device.read_card(card, self._quality(), now_ns)
            if self.faults.take(Fault.DOUBLE_READ):
                reading = Reading.TWICE
                self.device.read_card(card, self._quality(), now_ns)
        if self.faults.take(Fault.CARD_RETURN):
            self.device.see_card_return(now_ns)
        return Pulled(card, ordinal, reading, is_cut)

    def _quality(self) -> int:
        return self._chance.randint(*_QUALITY_RANGE)

    def _on_new_load(self) -> None:
        self._load = self.device.load
        self._unread.clear()
        if self.shoe.dealt:
            self.shoe.reshuffle()

    def _power_on(self) -> None:
        self.device.power_on(self._now_ns())
        if self.faults.is_on(Fault.GARBAGE):
            self._line.send_garbage(self._now_ns())

    def _unplug(self) -> None:
        self.device.power_off()
        self._line.cut()
        self._port.unplug()

    def _replug(self) -> None:
        if self.device.is_powered:
            self._unplug()
            self.start()

    def _notify(self) -> None:
        # Wakes those who wait now; clearing at once leaves the event ready for the next change.
        self._changed.set()
        self._changed.clear()
