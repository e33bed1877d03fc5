"""The smartshoe/1 shoe as the simulated table's reader: frames as packets, faults, the host's direction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Final

from hardware_sim.faults import FAULTS, Fault, FaultPanel
from hardware_sim.reader import Packet
from hardware_sim.smartshoe.device import DeviceConfig, SmartShoe
from hardware_sim.smartshoe.payloads import FOREIGN_CODES, NakReason, ResultCode
from hardware_sim.smartshoe.wire import DeviceType, Frame, HostType, WireError, decode_frame, encode_frame
from studio.domain.cards import Card

_MAX_HOST_BLOCK: Final = 256
_SWAPPED_SERIAL_BIT: Final = 0x8000_0000
_CLOCK_JUMP_SECONDS: Final = 3600
_CAPTIONS: Final = {fault: spec.caption for fault, spec in FAULTS.items()}


class SmartshoeReader(SmartShoe):
    """A :class:`~hardware_sim.reader.SimulatedReader` that can have every fault."""

    def __init__(self, config: DeviceConfig) -> None:
        super().__init__(config)
        self._own_serial = config.serial
        self._seed = config.seed
        self._host_block = bytearray()

    @property
    def seed(self) -> int:
        """The seed of all chance about this device."""
        return self._seed

    @property
    def captions(self) -> Mapping[Fault, str]:
        """All faults, in the catalogue's words."""
        return _CAPTIONS

    @property
    def label(self) -> str:
        """Its serial number, eight hex digits."""
        return f"{self.serial:08X}"

    @property
    def state_name(self) -> str:
        """The state that its heartbeat tells."""
        return self.state.name.lower()

    def packets(self) -> list[Packet]:
        """Return the frames to send, in order, and forget them."""
        return [Packet(encode_frame(frame), is_event=_is_event(frame)) for frame in self.output()]

    def power_off(self) -> None:
        """Cut the power; what was not sent yet stays in storage."""
        super().power_off()
        self._host_block.clear()

    def load_shoe(self, decks: int, now_ns: int) -> bool:
        """Begin a new load; return whether every event of the old one is acknowledged, so that it could."""
        return self.new_load(decks, now_ns) is ResultCode.DONE

    def read_foreign(self, chance: Random, quality: int, now_ns: int) -> int:
        """Read a byte that is no card; return the ordinal."""
        return self.read_code(chance.choice(FOREIGN_CODES), quality, now_ns)

    def show_card(self, card: Card, now_ns: int) -> None:
        """Read nothing: a card passes the exit once, and HELLO has said that the shoe lives."""

    def switch(self, fault: Fault, *, is_on: bool, now_ns: int) -> None:
        """Have or lose a fault of the device itself."""
        match fault:
            case Fault.LID_OPEN:
                self.set_lid(is_open=is_on, now_ns=now_ns)
            case Fault.GATE_STUCK:
                self.set_gate_stuck(is_stuck=is_on, now_ns=now_ns)
            case Fault.JAM:
                (self.jam if is_on else self.free_jam)(now_ns)
            case Fault.SWAPPED_READER:
                self.serial = self._own_serial ^ (_SWAPPED_SERIAL_BIT if is_on else 0)
            case Fault.STUCK_HEARTBEAT:
                self.is_heartbeat_stopped = is_on
            case Fault.CLOCK_JUMP:
                self.jump_uptime(_CLOCK_JUMP_SECONDS)
            case _:
                pass  # of the cable, the stack or the dealer

    def spoil(self, data: bytes, faults: FaultPanel) -> bytes:
        """Return whole blocks of the host, its acknowledgements lost or turned into refusals by a fault."""
        arrived = bytearray()
        for byte in data:
            self._host_block.append(byte)
            if byte == 0 or len(self._host_block) >= _MAX_HOST_BLOCK:
                arrived += _pass_block(bytes(self._host_block), faults)
                self._host_block.clear()
        return bytes(arrived)


def _is_event(frame: Frame) -> bool:
    return frame.wants_acknowledgement and frame.type != DeviceType.HELLO


def _pass_block(block: bytes, faults: FaultPanel) -> bytes:
    try:
        frame = decode_frame(block[:-1])
    except WireError:
        return block
    if frame.type != HostType.ACK:
        return block
    if faults.take(Fault.LOST_ACKNOWLEDGEMENT):
        return b""
    if faults.is_on(Fault.NAK_STORM):
        payload = frame.payload + bytes((NakReason.CHECK,))
        return encode_frame(replace(frame, type=HostType.NAK, payload=payload))
    return block
