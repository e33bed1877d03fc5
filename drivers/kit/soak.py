"""The soak: many readers at once, each on a real port, in one process, for as long as wanted.

Another process (``python -m hardware_sim.feeder``) plays the devices and says at the end what it dealt and when;
both read the same monotonic clock.
"""

from __future__ import annotations

import asyncio
import json
import resource
import sys
import time
from array import array
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from studio.domain.cards import DECK
from studio.ports.devices import CardSource, EventKind, LinkState

if TYPE_CHECKING:
    from drivers.kit.rig import DriverCase
    from studio.domain.instants import Instant

FEEDER: Final = (sys.executable, "-m", "hardware_sim.feeder")
_READY_SECONDS: Final = 60.0
_PROVEN: Final = frozenset({LinkState.SYNCING, LinkState.READY})
_KIB: Final = 1024


@dataclass(frozen=True, slots=True)
class _Heard:
    """The cards that one reader's driver told, by their index, and when: nine bytes a card.

    The memory that the soak finds is then the drivers', not its own account of them.
    """

    cards: bytearray = field(default_factory=bytearray)
    at_ns: array[int] = field(default_factory=lambda: array("q"))


@dataclass(frozen=True, slots=True)
class Soaked:
    """What a soak found. Times are from the last byte of a card written to its event in the reader's hands.

    ``missing`` counts cards that were dealt and never told, ``surplus`` those told and never dealt; memory is the
    process's resident size in MiB when the cards began, and at its peak.
    """

    readers: int
    dealt: int
    missing: int
    surplus: int
    lost_bytes: int
    milliseconds_p50: float
    milliseconds_p99: float
    memory_before_mib: float = 0.0
    memory_peak_mib: float = 0.0


async def soak(  # noqa: PLR0913 - what is run, and how much of it
    driver: str,
    case: DriverCase,
    *,
    readers: int,
    cards_a_second: float,
    seconds: float,
    tick: Callable[[float], None] = lambda _seconds: None,
) -> Soaked:
    """Run ``readers`` drivers at once; ``tick`` hears every second how many have passed."""
    with TemporaryDirectory(prefix="studio-soak-") as folder:
        feeder = await asyncio.create_subprocess_exec(
            *FEEDER,
            *("--protocol", driver, "--folder", folder, "--count", str(readers)),
            *("--rate", str(cards_a_second), "--seconds", str(seconds)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=1 << 28,
        )
        try:
            return await _soak(feeder, case, Path(folder), readers, tick)
        finally:
            if feeder.returncode is None:
                feeder.kill()
            await feeder.wait()


async def _soak(
    feeder: asyncio.subprocess.Process,
    case: DriverCase,
    folder: Path,
    readers: int,
    tick: Callable[[float], None],
) -> Soaked:
    if feeder.stdout is None or feeder.stdin is None or await feeder.stdout.readline() != b"ready\n":
        message = "the simulated readers did not start"
        raise RuntimeError(message)
    told = [_Heard() for _ in range(readers)]
    sources = [
        case.plugin.open(
            f"reader-{number}",
            {**case.settings, "port": str(folder / f"reader-{number}"), "simulated": True},
            resume=None,
            capture=_forget,
        )
        for number in range(readers)
    ]
    reading = [asyncio.create_task(_read(source, told[number])) for number, source in enumerate(sources)]
    try:
        async with asyncio.timeout(_READY_SECONDS):
            while not all(source.health().link in _PROVEN for source in sources):  # noqa: ASYNC110 - many links
                await asyncio.sleep(0.1)
        before = peak = _resident_mib()
        feeder.stdin.write(b"begin\n")
        ended = asyncio.create_task(feeder.stdout.readline())
        began = time.monotonic()
        while not ended.done():
            await asyncio.wait({ended}, timeout=1.0)
            tick(time.monotonic() - began)
            peak = max(peak, _resident_mib())
        return replace(_compare(json.loads(ended.result()), told), memory_before_mib=before, memory_peak_mib=peak)
    finally:
        await asyncio.gather(*(source.close() for source in sources))
        await asyncio.gather(*reading)


async def _read(source: CardSource, told: _Heard) -> None:
    async for event in source.events():
        if event.kind is EventKind.CARD and event.card is not None:
            told.cards.append(event.card.index)
            told.at_ns.append(time.monotonic_ns())
        await source.acknowledge(event)


def _compare(fed: list[dict[str, object]], told: list[_Heard]) -> Soaked:
    spans: list[float] = []
    dealt = missing = surplus = lost = 0
    for one, heard in zip(fed, told, strict=True):
        cards, lost_bytes = one["cards"], one["lost_bytes"]
        if not isinstance(cards, list) or not isinstance(lost_bytes, int):
            message = "the simulated readers' account cannot be read"
            raise TypeError(message)
        heard_in_order = [DECK[index].code for index in heard.cards]
        codes, heard_codes = Counter(code for code, _ in cards), Counter(heard_in_order)
        dealt += len(cards)
        lost += lost_bytes
        missing += (codes - heard_codes).total()
        surplus += (heard_codes - codes).total()
        if [code for code, _ in cards] == heard_in_order:
            spans += [(at - sent) / 1e6 for (_, sent), at in zip(cards, heard.at_ns, strict=True)]
        else:
            missing = missing or 1  # same cards in another order are no less wrong
    spans.sort()
    return Soaked(
        readers=len(told),
        dealt=dealt,
        missing=missing,
        surplus=surplus,
        lost_bytes=lost,
        milliseconds_p50=spans[len(spans) // 2] if spans else float("nan"),
        milliseconds_p99=spans[int(len(spans) * 0.99)] if spans else float("nan"),
    )


def _resident_mib() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / _KIB / _KIB


def _forget(device: str, data: bytes, received: Instant) -> None:
    """Take raw bytes as a capture does that keeps nothing."""
