"""``python -m hardware_sim.feeder``: many simulated readers, each on a port of its own, told to read at a pace.

For the soak of the drivers: the studio's side runs in another process and opens the ports. The readers are
those of the entry-point group ``studio.simulated_readers``. It prints ``ready`` when the ports are there,
begins at a line on its standard input, and at the end prints a line of JSON: per port, what was dealt and the
monotonic nanosecond at which the last byte of each card was written.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from importlib.metadata import entry_points
from pathlib import Path
from random import Random
from typing import Final, Protocol

from hardware_sim.pty_line import PtyLine
from studio.domain.cards import DECK, Card

_PEERS: Final = "studio.simulated_readers"
_PUMP_SECONDS: Final = 0.02
_LAST_SECONDS: Final = 5.0
_NS: Final = 1_000_000_000


class _Peer(Protocol):
    """What the feeder needs of a simulated reader."""

    @property
    def is_free(self) -> bool: ...

    def start(self, now_ns: int) -> None: ...

    def card(self, card: Card, now_ns: int) -> None: ...

    def host_bytes(self, data: bytes, now_ns: int) -> None: ...

    def packets(self, now_ns: int) -> list[bytes]: ...


class _Feed:
    """One reader at one port: it reads a card of its own shoe whenever one is due and the device is free."""

    def __init__(self, peer: _Peer, line: PtyLine, seed: int, interval_ns: int) -> None:
        self._peer = peer
        self._line = line
        self._chance = Random(seed)  # noqa: S311 - a trial that can be repeated
        self._interval_ns = interval_ns
        self._due_ns = 0
        self.dealt: list[tuple[str, int]] = []
        line.listen(lambda data: peer.host_bytes(data, time.monotonic_ns()))
        line.plug()
        peer.start(time.monotonic_ns())

    def begin(self, now_ns: int) -> None:
        """Set when the first card is due: the readers do not march in step."""
        self._due_ns = now_ns + self._chance.randrange(self._interval_ns)

    def pump(self, now_ns: int, until_ns: int) -> None:
        """Read the next card if it is due, and write what there is to say."""
        if self._due_ns and self._due_ns <= now_ns < until_ns and self._is_free:
            card = self._chance.choice(DECK)
            self._peer.card(card, now_ns)
            self.dealt.append((card.code, 0))
            self._due_ns += self._interval_ns
        for packet in self._peer.packets(now_ns):
            self._line.write(packet)
            if self.dealt and not self.dealt[-1][1]:
                self.dealt[-1] = (self.dealt[-1][0], time.monotonic_ns())

    @property
    def _is_free(self) -> bool:
        """Whether the last card is on the line: each has the time of its own bytes."""
        return self._peer.is_free and (not self.dealt or self.dealt[-1][1] > 0)

    @property
    def lost_bytes(self) -> int:
        """Bytes that no reader had made room for."""
        return self._line.lost_bytes

    def close(self) -> None:
        """Unplug it."""
        self._line.unplug()


async def _run(arguments: argparse.Namespace) -> None:
    (found,) = entry_points(group=_PEERS, name=arguments.protocol)
    peers = found.load()(arguments.protocol)
    feeds = [
        _Feed(
            peers.make(seed),
            PtyLine(arguments.folder / f"reader-{seed}"),
            seed,
            int(_NS / arguments.rate),
        )
        for seed in range(arguments.count)
    ]
    print("ready", flush=True)  # noqa: T201 - the protocol with the parent process
    begin = asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    while not begin.done():
        now_ns = time.monotonic_ns()
        for feed in feeds:
            feed.pump(now_ns, now_ns)
        await asyncio.sleep(_PUMP_SECONDS)
    now_ns = time.monotonic_ns()
    for feed in feeds:
        feed.begin(now_ns)
    until_ns = now_ns + int(arguments.seconds * _NS)
    while now_ns < until_ns + _LAST_SECONDS * _NS:
        for feed in feeds:
            feed.pump(now_ns, until_ns)
        await asyncio.sleep(_PUMP_SECONDS)
        now_ns = time.monotonic_ns()
    told = [{"cards": feed.dealt, "lost_bytes": feed.lost_bytes} for feed in feeds]
    print(json.dumps(told), flush=True)  # noqa: T201 - the protocol with the parent process
    for feed in feeds:
        feed.close()


def main() -> None:
    """Run the feeder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--protocol", required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--rate", type=float, required=True, help="cards a second of each reader")
    parser.add_argument("--seconds", type=float, required=True)
    asyncio.run(_run(parser.parse_args()))


if __name__ == "__main__":
    main()
