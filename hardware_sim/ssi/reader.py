"""A reader that speaks SSI: it waits for the answer to each packet, and sends it again without one."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from random import Random
from typing import Final

from hardware_sim.coded_captions import CODED
from hardware_sim.faults import Fault, FaultPanel
from hardware_sim.plain_reader import PlainReader
from hardware_sim.ssi.wire import HOST, READER, Code, Message, cut, pack, unpack
from studio.domain.cards import Card

ANSWER_NS: Final = 2_000_000_000
TRIES: Final = 4
CUT_CODE: Final = "CUT"
NO_READ: Final = "NR"
FOREIGN: Final = ("XX", "1S", "JOKER", "8Z")
_CODE_39, _CODE_128 = 0x01, 0x03
_RESEND, _UNKNOWN = 0x01, 0x02
_NO_READ_PARAMETER: Final = 0x5E
_MOST_HOST_BYTES: Final = 512
_CAPTIONS: Final = {
    **CODED,
    Fault.DROP: "The next packet is lost on the line: the reader sends it again after 2 s, and it is dealt.",
    Fault.DUPLICATE: "Each packet arrives twice, unmarked: duplicate-read, hold, for every card.",
    Fault.BIT_FLIP: "In every third packet one bit flips: refused, sent again and dealt; seldom unknown-code.",
    Fault.GARBAGE: "Random bytes now and at each start: unknown-code while a shoe is in play.",
    Fault.LOST_ACKNOWLEDGEMENT: "The next answer is lost: the packet comes again, marked, and is dealt once.",
    Fault.NAK_STORM: "Each answer turns into a refusal: the packet comes again and again, and is dealt once.",
}


class SsiReader(PlainReader):
    """Sends DECODE_DATA of Code 128; it says that it could read nothing only once parameter 5E is 1."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed, _CAPTIONS, "SSI reader")
        self.parameters: dict[int, int] = {}
        """What the host has set; temporary, so that it is gone with the power."""
        self.is_scanning = True
        self._queue: deque[bytes] = deque()
        self._sent: bytes | None = None
        self._tries = 0
        self._sent_ns = 0
        self._host = b""

    def card(self, card: Card) -> tuple[bytes, ...]:
        """Return the data of its code."""
        return (bytes((_CODE_128,)) + card.code.encode("ascii"),)

    def unread(self) -> tuple[bytes, ...]:
        """Return the no-read message, where it was switched on."""
        is_told = self.parameters.get(_NO_READ_PARAMETER) == 1
        return (bytes((_CODE_39,)) + NO_READ.encode("ascii"),) if is_told else ()

    def foreign(self, chance: Random) -> tuple[bytes, ...]:
        """Return a code that is no card's."""
        return (bytes((_CODE_39,)) + chance.choice(FOREIGN).encode("ascii"),)

    def cut_card(self) -> tuple[bytes, ...]:
        """Return the cut card's code."""
        return (bytes((_CODE_128,)) + CUT_CODE.encode("ascii"),)

    def refusal(self) -> str | None:
        """Return why no card can leave the shoe now; a hand waits until the reader beeps."""
        if self._sent is not None or self._queue:
            return "the reader still waits for the answer to the last card"
        return super().refusal()

    def tick(self, now_ns: int) -> None:
        """Send the next packet, or the last again when no answer came; give up after four tries."""
        if self._sent is not None and now_ns - self._sent_ns >= ANSWER_NS:
            self._again(now_ns)
        if self._sent is None and self._queue:
            self._sent, self._tries = self._queue.popleft(), 0
            self._transmit(now_ns)
        super().tick(now_ns)

    def next_deadline_ns(self) -> int | None:
        """Return when the next packet or try is due."""
        own = None if self._sent is None else self._sent_ns + ANSWER_NS
        return min((one for one in (own, super().next_deadline_ns()) if one is not None), default=None)

    def host_bytes(self, data: bytes, now_ns: int) -> None:
        """Take answers and commands; what is no packet by its check is refused."""
        packets, self._host = cut((self._host + data)[-_MOST_HOST_BYTES:])
        for packet in packets:
            message = unpack(packet)
            if message is None or message.source != HOST:
                self._answer(Code.NAK, bytes((_RESEND,)), now_ns)
            else:
                self._take(message, now_ns)
        self.tick(now_ns)

    def spoil(self, data: bytes, faults: FaultPanel) -> bytes:
        """Lose or turn the host's acknowledgements, where these faults are on."""
        packets, rest = cut(data)
        return b"".join(_spoilt(packet, faults) for packet in packets) + rest

    def _say(self, packets: Sequence[bytes], now_ns: int, *, is_event: bool = True) -> None:
        """Queue data for a packet each: only the answer to one lets the next go."""
        if self._is_powered and self.is_scanning and is_event:
            self._queue += packets
            self.tick(now_ns)

    def _forget(self) -> None:
        super()._forget()
        self._queue.clear()
        self._sent = None
        self._host = b""
        self.parameters.clear()
        self.is_scanning = True

    def _take(self, message: Message, now_ns: int) -> None:
        match message.code:
            case Code.ACK:
                self._sent = None
            case Code.NAK:
                if self._sent is not None:
                    self._again(now_ns)
            case Code.PARAMETERS:
                pairs = message.data[1:]
                self.parameters.update(zip(pairs[::2], pairs[1::2], strict=False))
                self._answer(Code.ACK, b"", now_ns)
            case Code.ENABLE | Code.DISABLE:
                self.is_scanning = message.code == Code.ENABLE
                self._answer(Code.ACK, b"", now_ns)
            case _:
                self._answer(Code.NAK, bytes((_UNKNOWN,)), now_ns)

    def _again(self, now_ns: int) -> None:
        self._tries += 1
        if self._tries >= TRIES:
            self._sent = None
        else:
            self._transmit(now_ns)

    def _transmit(self, now_ns: int) -> None:
        if self._sent is None:
            return
        self._sent_ns = now_ns
        super()._say((pack(Message(Code.DECODE, READER, int(self._tries > 0), self._sent)),), now_ns)

    def _answer(self, code: Code, data: bytes, now_ns: int) -> None:
        super()._say((pack(Message(code, READER, 0, data)),), now_ns, is_event=False)


def _spoilt(packet: bytes, faults: FaultPanel) -> bytes:
    message = unpack(packet)
    if message is None or message.code != Code.ACK:
        return packet
    if faults.take(Fault.LOST_ACKNOWLEDGEMENT):
        return b""
    if faults.is_on(Fault.NAK_STORM):
        return pack(message._replace(code=Code.NAK, data=bytes((_RESEND,))))
    return packet
