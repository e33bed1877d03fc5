"""A tiny smartshoe/1 device for tests, written from the specification and sharing no code with the driver.

It keeps one event in flight, replays from an ordinal, and sends again only when told to: tests have no waits.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import struct
import tty
from pathlib import Path

HELLO, CARD, CUT_CARD, CARD_RETURN, NOREAD, LID, GATE = 1, 0x10, 0x11, 0x12, 0x13, 0x20, 0x21
EMPTY, HEARTBEAT = 0x22, 0x3F
ACK, NAK, RESULT, STATUS, REPLAY_FROM = 0x80, 0x81, 0x84, 0x90, 0x93
CODES = {
    rank + suit: (s << 4) | r for s, suit in enumerate("DCSH", 1) for r, rank in enumerate("A23456789TJQK", 1)
}


def crc(data: bytes) -> int:
    value = 0xFFFF
    for byte in data:
        value ^= byte << 8
        for _ in range(8):
            value = ((value << 1) ^ 0x1021 if value & 0x8000 else value << 1) & 0xFFFF
    return value ^ 0xFFFF


def stuff(body: bytes) -> bytes:
    out, run = bytearray(), bytearray()
    for byte in body + b"\x00":
        if byte:
            run.append(byte)
        else:
            out += bytes([len(run) + 1]) + run
            run.clear()
    return bytes(out)


def unstuff(coded: bytes) -> bytes:
    out, rest = bytearray(), coded
    while rest:
        out += rest[1 : rest[0]] + b"\x00"
        rest = rest[rest[0] :]
    return bytes(out[:-1])


def frame(kind: int, payload: bytes = b"", *, seq: int = 0, boot: int = 0x5A, flags: int = 0) -> bytes:
    body = bytes([0x10 | flags, kind, seq, boot, len(payload)]) + payload
    return stuff(body + crc(body).to_bytes(2, "big")) + b"\x00"


def hello(  # noqa: PLR0913 - every field of the frame
    *,
    load: int = 7,
    ordinal: int = 0,
    serial: int = 0x00A1B2C3,
    boot: int = 0x5A,
    caps: int = 0x1F,
    flags: int = 2,
) -> bytes:
    payload = struct.pack(">BHBBBIHH", 1, caps, 8, 1, 2, serial, load, ordinal)
    return frame(HELLO, payload, boot=boot, flags=flags)


def card(code: str, ordinal: int, seq: int, *, boot: int = 0x5A, flags: int = 2) -> bytes:
    return frame(CARD, struct.pack(">HBB", ordinal, CODES[code], 97), seq=seq, boot=boot, flags=flags)


def heartbeat(ordinal: int, *, state: int = 2, last_seq: int = 0, boot: int = 0x5A) -> bytes:
    return frame(HEARTBEAT, struct.pack(">IBBH", 9, state, last_seq, ordinal), boot=boot)


def host_frames(sent: bytes) -> list[tuple[int, int, int, bytes]]:
    """Return (type, seq, boot, payload) of what a host sent, checking each frame."""
    frames = []
    for coded in sent.split(b"\x00"):
        if coded:
            body = unstuff(coded)
            assert int.from_bytes(body[-2:], "big") == crc(body[:-2])
            assert body[4] == len(body) - 7
            frames.append((body[1], body[2], body[3], body[5:-2]))
    return frames


class Peer:
    """The device on a pty under a stable link, driven by the test's own event loop."""

    def __init__(self, link: Path, *, serial: int = 0x00A1B2C3, load: int = 7) -> None:
        self.link = link
        self.serial = serial
        self.load = load
        self.boot = 0x5A
        self.ordinal = 0
        self.log: list[tuple[int, bytes, int]] = []
        self.heard: list[tuple[int, int, int, bytes]] = []
        self.is_mute = False
        self._next = 0
        self._sequence = 0
        self._in_flight: bytes | None = None
        self._buffer = b""
        self._fds: tuple[int, int] | None = None

    def plug(self) -> None:
        master, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(master, False)
        self._fds = master, slave
        asyncio.get_running_loop().add_reader(master, self._read)
        self.link.symlink_to(os.ttyname(slave))

    def unplug(self) -> None:
        if self._fds is not None:
            asyncio.get_running_loop().remove_reader(self._fds[0])
            self.link.unlink()
            for fd in self._fds:
                os.close(fd)
            self._fds = None
            self._buffer = b""

    def reboot(self, boot: int) -> None:
        self.boot, self._sequence, self._in_flight = boot, 0, None
        self.say_hello()

    def say_hello(self) -> None:
        self.write(hello(load=self.load, ordinal=self.ordinal, serial=self.serial, boot=self.boot))

    def deal(self, code: str, *, unheard: bool = False) -> None:
        """Let a card out; ``unheard``: the device has given it up already and keeps it for replay."""
        self.ordinal += 1
        self._append(CARD, struct.pack(">HBB", self.ordinal, CODES[code], 97), unheard=unheard)

    def fail_to_read(self) -> None:
        self.ordinal += 1
        self._append(NOREAD, struct.pack(">H", self.ordinal))

    def rescan(self, code: str) -> None:
        self._append(CARD, struct.pack(">HBB", self.ordinal, CODES[code], 97))

    def open_lid(self) -> None:
        self._append(LID, b"\x01")

    def resend(self) -> None:
        if self._in_flight is not None:
            self.write(self._in_flight)

    def beat(self) -> None:
        self.write(heartbeat(self.ordinal, boot=self.boot))

    def write(self, data: bytes) -> None:
        if self._fds is not None and not self.is_mute:
            os.write(self._fds[0], data)

    def acknowledged(self) -> list[int]:
        return [payload[0] for kind, _, _, payload in self.heard if kind == ACK]

    def _append(self, kind: int, payload: bytes, *, unheard: bool = False) -> None:
        self.log.append((kind, payload, self.ordinal))
        if unheard:
            self._next = len(self.log)
        self._send_next()

    def _send_next(self) -> None:
        if self._in_flight is None and self._next < len(self.log):
            kind, payload, _ = self.log[self._next]
            self._next += 1
            self._sequence = (self._sequence + 1) % 256
            self._in_flight = frame(kind, payload, seq=self._sequence, boot=self.boot, flags=2)
            self.write(self._in_flight)

    def _read(self) -> None:
        data = b""
        with contextlib.suppress(OSError):
            data = os.read(self._fds[0], 4096) if self._fds is not None else b""
        *whole, self._buffer = (self._buffer + data).split(b"\x00")
        for coded in whole:
            for heard in host_frames(coded):
                self.heard.append(heard)
                if not self.is_mute:
                    self._answer(*heard)

    def _answer(self, kind: int, seq: int, boot: int, payload: bytes) -> None:
        if kind == STATUS:
            self.say_hello()
        elif boot == self.boot and kind == ACK and payload[0] == self._sequence:
            self._in_flight = None
            self._send_next()
        elif boot == self.boot and kind == REPLAY_FROM:
            first = int.from_bytes(payload, "big")
            self.write(frame(RESULT, bytes([seq, 0]), boot=self.boot))
            self._in_flight = None
            self._next = next((i for i, event in enumerate(self.log) if event[2] >= first), len(self.log))
            self._send_next()
