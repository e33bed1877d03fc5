from __future__ import annotations

import asyncio
import os
import tempfile
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from serial_bench import FAST, Pty, Recorder, make_port, until

from drivers.serial_port import PortState, SerialPort, parse_address
from drivers.serial_port.lock import PortLock
from studio.domain.instants import Instant


@pytest.fixture(autouse=True)
def locks_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep lock files out of the machine's folder, where they would stay."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


@pytest.fixture
def pty(tmp_path: Path) -> Iterator[Pty]:
    pty = Pty(tmp_path / "shoe")
    yield pty
    pty.unplug()


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
async def port(pty: Pty, recorder: Recorder) -> AsyncIterator[SerialPort]:
    port = make_port(recorder, str(pty.link))
    yield port
    await port.close()


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


async def test_an_absent_port_is_looked_for_until_it_comes(pty: Pty, recorder: Recorder, port: SerialPort) -> None:
    port.start()
    await until(lambda: recorder.states == [PortState.ABSENT])
    assert "plug the reader in" in recorder.reasons[0]
    pty.plug()
    await until(lambda: recorder.states == [PortState.ABSENT, PortState.OPENING, PortState.OPEN])


async def test_bytes_go_both_ways_and_are_captured_with_the_same_stamp(
    pty: Pty, recorder: Recorder, port: SerialPort
) -> None:
    pty.plug()
    port.start()
    await until(lambda: recorder.count(PortState.OPEN))
    os.write(pty.master, b"\x00\r\n\x11\x13\xff")
    await until(lambda: recorder.data == b"\x00\r\n\x11\x13\xff")
    assert b"".join(data for _, data, _ in recorder.captured) == recorder.data
    assert {device for device, _, _ in recorder.captured} == {"shoe-1"}
    assert recorder.captured[-1][2] == recorder.at[-1]
    assert recorder.at == sorted(recorder.at, key=lambda at: at.monotonic_ns)
    port.send(b"\x00\r\n\x11")
    port.send(b"\x13\xff")
    got = b""
    for _ in range(1000):
        got += pty.read()
        if len(got) == 6:
            break
        await asyncio.sleep(0.001)
    assert got == b"\x00\r\n\x11\x13\xff"


async def test_a_burst_larger_than_one_read_arrives_whole(pty: Pty, recorder: Recorder, port: SerialPort) -> None:
    pty.plug()
    port.start()
    await until(lambda: recorder.count(PortState.OPEN))
    burst = bytes(range(256)) * 64
    sent = 0
    while sent < len(burst):
        try:
            sent += os.write(pty.master, burst[sent : sent + 1024])
        except BlockingIOError:
            await asyncio.sleep(0.001)
    await until(lambda: len(recorder.data) == len(burst))
    assert recorder.data == burst


async def test_each_unplug_is_lost_once_and_comes_back_by_itself(
    pty: Pty, recorder: Recorder, port: SerialPort
) -> None:
    port.start()
    for flap in range(1, 4):
        pty.plug()
        await until(lambda flap=flap: recorder.count(PortState.OPEN) == flap)  # type: ignore[misc]
        pty.unplug()
        await until(lambda flap=flap: recorder.count(PortState.LOST) == flap)  # type: ignore[misc]
        await until(lambda: recorder.states[-1] is PortState.ABSENT)
        assert recorder.count(PortState.LOST) == flap


async def test_a_device_that_takes_no_byte_is_lost(pty: Pty, recorder: Recorder, port: SerialPort) -> None:
    pty.plug()
    port.start()
    await until(lambda: recorder.count(PortState.OPEN))

    def fill() -> bool:
        port.send(b"x" * 1024)
        return recorder.count(PortState.LOST) > 0

    await until(fill)
    assert any("took no byte" in reason for reason in recorder.reasons)


async def test_what_is_sent_while_no_line_is_open_is_forgotten(
    pty: Pty, recorder: Recorder, port: SerialPort
) -> None:
    port.start()
    await until(lambda: recorder.count(PortState.ABSENT))
    port.send(b"stale")
    pty.plug()
    await until(lambda: recorder.count(PortState.OPEN))
    port.send(b"fresh")
    got = b""
    for _ in range(1000):
        got += pty.read()
        if b"fresh" in got:
            break
        await asyncio.sleep(0.001)
    assert got == b"fresh"


async def test_reopening_on_purpose_is_no_loss(pty: Pty, recorder: Recorder, port: SerialPort) -> None:
    pty.plug()
    port.start()
    await until(lambda: recorder.count(PortState.OPEN))
    port.reopen()
    await until(lambda: recorder.count(PortState.OPEN) == 2)
    assert recorder.count(PortState.LOST) == 0


async def test_a_port_in_use_is_tried_again_until_it_is_free(
    pty: Pty, recorder: Recorder, port: SerialPort
) -> None:
    pty.plug()
    other = PortLock(parse_address(str(pty.link)))
    other.acquire()
    port.start()
    await until(lambda: any("in use by process" in reason for reason in recorder.reasons))
    assert recorder.count(PortState.OPEN) == 0
    other.release()
    await until(lambda: recorder.count(PortState.OPEN) == 1)


async def test_one_device_under_two_names_is_opened_once(
    pty: Pty, recorder: Recorder, port: SerialPort, tmp_path: Path
) -> None:
    pty.plug()
    alias = tmp_path / "alias"
    alias.symlink_to(pty.link)
    second_recorder = Recorder()
    second = make_port(second_recorder, str(alias))
    port.start()
    await until(lambda: recorder.count(PortState.OPEN))
    second.start()
    await until(lambda: any("exclusively lock" in reason for reason in second_recorder.reasons))
    assert second_recorder.count(PortState.OPEN) == 0
    await second.close()


async def test_a_capture_that_fails_stops_no_byte(pty: Pty) -> None:
    class Failing(Recorder):
        def capture(self, device: str, data: bytes, received: Instant) -> None:
            raise OSError(device, data, received)

    recorder = Failing()
    port = make_port(recorder, str(pty.link))
    pty.plug()
    port.start()
    await until(lambda: recorder.count(PortState.OPEN))
    os.write(pty.master, b"card")
    await until(lambda: recorder.data == b"card")
    assert port.capture_errors >= 1
    await port.close()


async def test_closing_twice_ends_the_thread_and_frees_the_port(
    pty: Pty, recorder: Recorder, port: SerialPort
) -> None:
    before, threads = descriptors(), threading.active_count()
    pty.plug()
    port.start()
    await until(lambda: recorder.count(PortState.OPEN))
    await asyncio.gather(port.close(), port.close())
    await port.close()
    pty.unplug()
    assert (descriptors(), threading.active_count()) == (before, threads)
    port.send(b"after the end")
    port.reopen()


async def test_closing_a_port_that_was_never_started_is_allowed(port: SerialPort) -> None:
    await port.close()


async def test_a_fault_in_the_thread_is_reported_and_not_silent(
    pty: Pty, recorder: Recorder, port: SerialPort, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise LookupError

    monkeypatch.setattr("drivers.serial_port.port.open_line", broken)
    pty.plug()
    port.start()
    await until(lambda: recorder.count(PortState.LOST))
    assert "restart this source" in recorder.reasons[-1]


async def test_a_thousand_flaps_leak_nothing_and_lose_once_each(
    pty: Pty, recorder: Recorder, port: SerialPort
) -> None:
    async def flap(number: int) -> None:
        pty.plug()
        await until(lambda: recorder.count(PortState.OPEN) >= number)
        pty.unplug()
        await until(lambda: recorder.count(PortState.LOST) >= number)

    port.start()
    await flap(1)  # the first takes the lock, which stays
    tasks = asyncio.all_tasks()
    before, threads = descriptors(), threading.active_count()
    for number in range(2, 1001):
        await flap(number)
    await until(lambda: recorder.states[-1] is PortState.ABSENT)
    assert recorder.count(PortState.LOST) == recorder.count(PortState.OPEN) == 1000
    assert (descriptors(), threading.active_count()) == (before, threads)
    assert asyncio.all_tasks() == tasks


async def test_a_network_port_connects_speaks_is_lost_and_comes_back(recorder: Recorder) -> None:
    peers: list[asyncio.StreamWriter] = []

    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peers.append(writer)
        while data := await reader.read(100):
            writer.write(data.upper())
        writer.close()

    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    number = server.sockets[0].getsockname()[1]
    before = descriptors()
    port = make_port(recorder, f"socket://127.0.0.1:{number}", FAST)
    port.start()
    await until(lambda: recorder.count(PortState.OPEN) == 1)
    port.send(b"status")
    await until(lambda: recorder.data == b"STATUS")
    peers[0].close()
    await until(lambda: recorder.count(PortState.OPEN) == 2)
    port.send(b"again")
    await until(lambda: recorder.data == b"STATUSAGAIN")
    assert recorder.count(PortState.LOST) == 1
    await port.close()
    await until(lambda: descriptors() == before)
    server.close()
    await server.wait_closed()
