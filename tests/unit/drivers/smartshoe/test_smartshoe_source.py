"""The real source on a real pseudo-terminal, against a peer written from the specification."""

from __future__ import annotations

import asyncio
import tempfile
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
from smartshoe_peer import NAK, REPLAY_FROM, Peer, card, frame, heartbeat

from drivers.serial_port import LineSettings, Timing, parse_address
from drivers.serial_reader.source import QUEUE_LIMIT, SerialSource
from drivers.smartshoe.session import Liveness, Session
from studio.domain.instants import Instant
from studio.ports.devices import DeviceEvent, EventKind, LinkState, Resume

FAST = Timing(look_every=0.005, backoff_first=0.005, backoff_most=0.02)


class Table:
    """Reads a source to its end, journals what has an ordinal and acknowledges it, as the port asks."""

    def __init__(self, link: Path, *, serial: str | None = None, resume: Resume | None = None) -> None:
        self.captured = b""
        self.session = Session("shoe-1", serial=serial, resume=resume, liveness=Liveness())
        self.source = SerialSource(
            self.session,
            "shoe-1",
            parse_address(str(link)),
            LineSettings(),
            capture=self._capture,
            simulated=True,
            timing=FAST,
        )
        self.events: list[DeviceEvent] = []
        self.is_journalling = True
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self.source.start()
        self._task = asyncio.create_task(self._read())

    async def close(self) -> None:
        await self.source.close()
        if self._task is not None:
            await self._task

    async def _read(self) -> None:
        async for event in self.source.events():
            self.events.append(event)
            if event.ordinal is not None and self.is_journalling:
                await self.source.acknowledge(event)

    def _capture(self, device: str, data: bytes, received: Instant) -> None:
        assert device == "shoe-1"
        assert received.wall_ns > 0
        self.captured += data

    def links(self) -> list[str]:
        return [event.details["state"] for event in self.events if event.kind is EventKind.LINK]

    def cards(self) -> list[str]:
        return [event.card.code for event in self.events if event.card is not None]

    def is_ready(self) -> bool:
        return self.links()[-1:] == ["ready"]


async def until(is_so: Callable[[], object]) -> None:
    async with asyncio.timeout(10):
        while not is_so():  # noqa: ASYNC110 - polls what other threads and the kernel change
            await asyncio.sleep(0.002)


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.fixture
async def peer(tmp_path: Path) -> AsyncIterator[Peer]:
    peer = Peer(tmp_path / "shoe")
    yield peer
    peer.unplug()


@pytest.fixture(autouse=True)
def locks_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep lock files out of the machine's folder, where they would stay."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


@pytest.fixture(autouse=True)
def nothing_leaks() -> Iterator[None]:
    threads = threading.active_count()
    yield
    assert threading.active_count() == threads


async def test_cards_come_in_order_each_acknowledged_and_every_byte_captured(peer: Peer) -> None:
    table = Table(peer.link)
    peer.plug()
    table.start()
    await until(table.is_ready)
    assert table.links() == ["opening", "syncing", "ready"]
    for code in ("8S", "KH", "8S"):
        peer.deal(code)
    await until(lambda: table.cards() == ["8S", "KH", "8S"])
    await until(lambda: peer.acknowledged()[-3:] == [1, 2, 3])
    assert [event.ordinal for event in table.events if event.card] == [1, 2, 3]
    for event in table.events:
        assert event.raw in table.captured
    assert table.source.device == "shoe-1"
    assert table.source.simulated
    await table.close()


async def test_no_card_is_acknowledged_before_it_is_journalled(peer: Peer) -> None:
    table = Table(peer.link)
    peer.plug()
    table.start()
    await until(table.is_ready)
    table.is_journalling = False
    peer.deal("8S")
    await until(table.cards)
    peer.resend()
    peer.beat()
    await until(lambda: table.events[-1].kind is EventKind.HEARTBEAT)
    assert 1 not in peer.acknowledged()
    await table.source.acknowledge(next(event for event in table.events if event.card))
    await until(lambda: peer.acknowledged()[-1:] == [1])
    peer.resend()
    assert table.cards() == ["8S"]
    await table.close()


async def test_an_event_without_ordinal_is_acknowledged_when_the_reader_comes_back(peer: Peer) -> None:
    table = Table(peer.link)
    peer.plug()
    table.start()
    await until(table.is_ready)
    peer.open_lid()
    peer.deal("8S")
    await until(table.cards)
    await until(lambda: peer.acknowledged()[-2:] == [1, 2])
    assert EventKind.LID in {event.kind for event in table.events}
    await table.close()


async def test_a_replug_is_noticed_and_the_unheard_cards_are_fetched(peer: Peer) -> None:
    table = Table(peer.link)
    table.start()
    await until(lambda: table.links() == ["absent"])
    peer.plug()
    await until(table.is_ready)
    peer.deal("8S")
    await until(table.cards)
    peer.unplug()
    await until(lambda: table.links()[-1] == "absent")
    peer.deal("KH", unheard=True)
    peer.deal("2C", unheard=True)
    peer.plug()
    await until(table.is_ready)
    assert table.cards() == ["8S", "KH", "2C"]
    assert table.links().count("lost") == table.source.health().losses == 1
    await table.close()


async def test_a_reboot_in_mid_round_loses_and_repeats_no_card(peer: Peer) -> None:
    table = Table(peer.link)
    peer.plug()
    table.start()
    await until(table.is_ready)
    peer.deal("8S")
    await until(table.cards)
    peer.reboot(0x77)
    peer.deal("KH")
    await until(lambda: table.cards() == ["8S", "KH"])
    assert "lost" not in table.links()
    await table.close()


async def test_a_restarted_studio_fetches_what_its_journal_lacks(peer: Peer) -> None:
    peer.plug()
    first = Table(peer.link)
    first.start()
    await until(first.is_ready)
    for code in ("8S", "KH"):
        peer.deal(code)
    await until(lambda: first.cards() == ["8S", "KH"])
    await until(lambda: peer.acknowledged()[-1:] == [2])
    await first.close()
    peer.deal("2C", unheard=True)
    peer.deal("3D", unheard=True)
    second = Table(peer.link, resume=Resume(load=7, ordinal=2))
    second.start()
    await until(second.is_ready)
    assert second.cards() == ["2C", "3D"]
    assert [payload for kind, _, _, payload in peer.heard if kind == REPLAY_FROM] == [b"\x00\x03"]
    await second.close()


async def test_a_card_lost_on_the_line_is_replayed_in_its_place(peer: Peer) -> None:
    table = Table(peer.link)
    peer.plug()
    table.start()
    await until(table.is_ready)
    peer.deal("8S")
    await until(lambda: peer.acknowledged()[-1:] == [1])
    peer.deal("KH", unheard=True)
    peer.deal("2C")
    await until(lambda: len(table.cards()) == 3)
    assert table.cards() == ["8S", "KH", "2C"]
    assert EventKind.MISSED not in {event.kind for event in table.events}
    await table.close()


async def test_a_rescan_brings_the_card_of_the_no_read(peer: Peer) -> None:
    table = Table(peer.link)
    peer.plug()
    table.start()
    await until(table.is_ready)
    peer.fail_to_read()
    peer.rescan("9H")
    await until(table.cards)
    assert [(event.kind, event.ordinal) for event in table.events[-2:]] == [
        (EventKind.NO_READ, 1),
        (EventKind.CARD, 1),
    ]
    await table.close()


async def test_two_swapped_readers_are_both_refused_by_name(peer: Peer, tmp_path: Path) -> None:
    other = Peer(tmp_path / "other", serial=0x00000B0B)
    tables = [Table(peer.link, serial="00000B0B"), Table(other.link, serial="00A1B2C3")]
    for device, table in zip((peer, other), tables, strict=True):
        device.plug()
        table.start()
        device.deal("8S")
    await until(lambda: all("answers where" in table.source.health().reason for table in tables))
    assert "00A1B2C3 answers where 00000B0B is expected" in tables[0].source.health().reason
    for device, table in zip((peer, other), tables, strict=True):
        device.resend()
        await until(lambda table=table: table.source.health().errors.get("wrong_reader"))  # type: ignore[misc]
        assert table.cards() == []
        assert device.acknowledged() == []
        await table.close()
    other.unplug()


@pytest.mark.parametrize("state", ["syncing", "replaying", "ready", "in flight", "half a frame"])
async def test_unplugged_in_any_state_it_is_lost_once_and_comes_back(peer: Peer, state: str) -> None:
    table = Table(peer.link)
    peer.is_mute = state == "syncing"
    if state == "replaying":
        peer.deal("8S", unheard=True)
        table.is_journalling = False
        peer.deal("KH", unheard=True)
    peer.plug()
    table.start()
    await until(lambda: "syncing" in table.links())
    if state not in ("syncing", "replaying"):
        await until(table.is_ready)
    match state:
        case "replaying":
            await until(table.cards)
        case "in flight":
            table.is_journalling = False
            peer.deal("8S")
            await until(table.cards)
        case "half a frame":
            peer.write(card("8S", 1, 1)[:6])
            await until(lambda: table.captured.endswith(card("8S", 1, 1)[:6]))
        case _:
            pass
    peer.unplug()
    await until(lambda: table.links()[-1] == "absent")
    assert table.links().count("lost") == table.source.health().losses == 1
    peer.is_mute, table.is_journalling = False, True
    peer.plug()
    peer.reboot(0x77)
    await until(table.is_ready)
    assert table.cards() == {"replaying": ["8S", "KH"], "in flight": ["8S"]}.get(state, [])
    await table.close()


async def test_a_reader_too_far_behind_is_spared_and_nothing_is_lost(peer: Peer) -> None:
    table = Table(peer.link)
    peer.plug()
    table.source.start()
    events = table.source.events()
    while table.source.health().link is not LinkState.READY:
        event = await anext(events)
        if event.ordinal is not None:
            await table.source.acknowledge(event)
    for _ in range(QUEUE_LIMIT + 40):
        peer.beat()
        await asyncio.sleep(0)
        if len(table.source._events) >= QUEUE_LIMIT:
            break
    await until(lambda: len(table.source._events) >= QUEUE_LIMIT)
    peer.deal("8S")
    await until(lambda: table.source._refused_bytes)
    assert len(table.source._events) <= QUEUE_LIMIT + 4096 // len(heartbeat(0))  # and those of one read
    seen = [await anext(events) for _ in range(QUEUE_LIMIT)]
    peer.resend()
    while seen[-1].card is None:
        seen.append(await anext(events))
    overflows = [event for event in seen if event.kind is EventKind.OVERFLOW]
    assert overflows
    assert table.source.health().errors["overflow"] == len(overflows)
    await table.source.close()


async def test_the_newest_link_event_replaces_the_last_in_a_full_queue(peer: Peer) -> None:
    table = Table(peer.link)
    link = DeviceEvent("shoe-1", EventKind.LINK, Instant(0, 0))
    table.source._events.extend([link] * QUEUE_LIMIT)
    newest = DeviceEvent("shoe-1", EventKind.LINK, Instant(1, 1))
    table.source._deliver([newest])
    assert len(table.source._events) == QUEUE_LIMIT
    assert table.source._events[-1] is newest


async def test_a_malformed_event_is_refused_on_the_wire_and_counted(peer: Peer) -> None:
    table = Table(peer.link)
    peer.plug()
    table.start()
    await until(table.is_ready)
    peer.write(frame(0x77, b"", seq=9, flags=2))
    await until(lambda: (NAK, 0, 0x5A, b"\x09\x03") in peer.heard)
    assert table.source.health().errors == {"type": 1}
    await table.close()


async def test_a_failing_capture_shows_in_health_and_stops_nothing(
    peer: Peer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full_disk(*_: object) -> None:
        raise OSError

    table = Table(peer.link)
    monkeypatch.setattr(table.source._port, "_capture", full_disk)
    peer.plug()
    table.start()
    await until(table.is_ready)
    assert table.source.health().errors["capture"] >= 1
    await table.close()


async def test_silence_loses_the_link_and_the_port_is_reopened(peer: Peer) -> None:
    table = Table(peer.link)
    moved = Instant(0, 0)

    def clock() -> Instant:
        return moved

    table.source._now = clock
    peer.plug()
    table.start()
    await until(table.is_ready)
    heard = table.source.health().last_frame
    assert heard is not None
    moved = Instant(heard.monotonic_ns + 3_000_000_000, 0)
    await until(lambda: "lost" in table.links())
    moved = Instant(0, 0)
    await until(lambda: table.links()[-4:] == ["lost", "opening", "syncing", "ready"])
    assert table.links().count("lost") == 1
    await table.close()


async def test_a_thousand_flaps_of_the_whole_source_leak_nothing(peer: Peer) -> None:
    table = Table(peer.link)
    peer.plug()
    table.start()
    await until(table.is_ready)
    tasks, threads = asyncio.all_tasks(), threading.active_count()
    before = descriptors()
    for flap in range(1, 1001):
        peer.unplug()
        await until(lambda flap=flap: table.links().count("lost") == flap)  # type: ignore[misc]
        peer.plug()
        await until(table.is_ready)
        table.events[:] = [event for event in table.events if event.details.get("state") == "lost"]
    assert table.source.health().losses == 1000
    assert (asyncio.all_tasks(), threading.active_count()) == (tasks, threads)
    assert descriptors() == before
    await table.close()


async def test_closing_twice_ends_the_events(peer: Peer) -> None:
    table = Table(peer.link)
    table.start()
    await until(table.links)
    await table.close()
    await table.source.close()
    assert [event async for event in table.source.events()] == []
