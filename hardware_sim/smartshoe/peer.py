"""The simulated shoe as a machine of bytes, with everything that hands do to it.

For who deals chosen cards on a clock of its own: scenarios. It knows no stack, no cable and no fault of a line.
"""

from __future__ import annotations

from typing import Final

from hardware_sim.smartshoe.device import DeviceConfig, SmartShoe
from hardware_sim.smartshoe.payloads import FOREIGN_CODES, ResultCode
from hardware_sim.smartshoe.wire import encode_frame
from studio.domain.cards import Card

_QUALITY: Final = 98


class ShoePeer:
    """A simulated shoe, unplugged at first; :meth:`give` after each call says what went over its line."""

    def __init__(self, config: DeviceConfig) -> None:
        self._shoe = SmartShoe(config)

    def plug(self, at_ns: int) -> None:
        """Plug the cable in, which gives it its power."""
        self._shoe.power_on(at_ns)

    def unplug(self) -> None:
        """Pull the cable, which takes its power."""
        self._shoe.power_off()

    def restart(self, at_ns: int) -> None:
        """Cut the power for a moment: another BOOT, the same count."""
        self._shoe.power_on(at_ns)

    def new_load(self, at_ns: int) -> None:
        """Load fresh cards; raise ``ValueError`` while an event of the old load is not acknowledged."""
        result = self._shoe.new_load(self._shoe.decks, at_ns)
        if result is not ResultCode.DONE:
            message = f"the shoe takes no new load: {result.name.lower()}"
            raise ValueError(message)

    def read_card(self, card: Card, at_ns: int) -> None:
        """Read a card at the exit."""
        self._let_out()
        self._shoe.read_card(card, _QUALITY, at_ns)

    def read_code(self, code: str, at_ns: int) -> None:
        """Read the byte ``code``, a number that is no card."""
        if not code.isdecimal() or int(code) not in FOREIGN_CODES:
            message = f"{code!r} is no byte that smartshoe/1 has left free: give a number such as 0 or 255"
            raise ValueError(message)
        self._let_out()
        self._shoe.read_code(int(code), _QUALITY, at_ns)

    def miss_card(self, at_ns: int) -> None:
        """See a card pass without being able to read it."""
        self._let_out()
        self._shoe.fail_to_read(at_ns)

    def rescan(self, ordinal: int, card: Card | None, at_ns: int) -> None:
        """Read the card of ``ordinal`` again at the exit, or fail to."""
        self._shoe.rescan(ordinal, card, _QUALITY, at_ns)

    def see_cut_card(self, at_ns: int) -> None:
        """See the cut card come out."""
        self._let_out()
        self._shoe.see_cut_card(at_ns)

    def set_condition(self, condition: str, *, is_on: bool, at_ns: int) -> None:
        """Let a condition begin or end; a movement and an empty stack only begin. Raises ``ValueError``."""
        match condition, is_on:
            case "lid", _:
                self._shoe.set_lid(is_open=is_on, now_ns=at_ns)
            case "jam", True:
                self._shoe.jam(at_ns)
            case "jam", False:
                self._shoe.free_jam(at_ns)
            case "gate", _:
                self._shoe.set_gate_stuck(is_stuck=is_on, now_ns=at_ns)
            case "reverse-movement", True:
                self._shoe.see_card_return(at_ns)
            case "shoe-empty", True:
                self._shoe.see_empty(at_ns)
            case _:
                message = f"smartshoe/1 cannot say {condition}{'' if is_on else ' over'}"
                raise ValueError(message)

    def take(self, data: bytes, at_ns: int) -> None:
        """Take what the host sent."""
        self._shoe.host_bytes(data, at_ns)

    def give(self, at_ns: int) -> bytes:
        """Return the bytes that it sends by now."""
        self._shoe.tick(at_ns)
        return b"".join(map(encode_frame, self._shoe.output()))

    def next_deadline_ns(self) -> int | None:
        """Return when it speaks by itself: the next heartbeat, HELLO or resend."""
        return self._shoe.next_deadline_ns()

    def _let_out(self) -> None:
        refusal = self._shoe.refusal()
        if refusal is not None:
            message = f"no card can leave the shoe: {refusal}"
            raise ValueError(message)


def shoe_peer(decks: int, load: int, ordinal: int) -> ShoePeer:
    """Return an unplugged shoe of ``decks`` that has counted up to ``ordinal`` cards of ``load``."""
    return ShoePeer(DeviceConfig(decks=decks, first_load=load, first_ordinal=ordinal))
