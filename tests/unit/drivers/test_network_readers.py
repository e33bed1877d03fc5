"""Readers behind network serial servers: through the real plug-ins, over real connections."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.network_readers import ReadingSource, Rfc2217Server, TcpServer, until

from drivers.bee_tek.plugin import BeeTekPlugin
from drivers.smartshoe.plugin import SmartshoePlugin
from hardware_sim.smartshoe.wire import DeviceType, Frame, encode_frame
from studio.ports.devices import EventKind, LinkState

HELLO = encode_frame(Frame(DeviceType.HELLO, 0, 0x5A, bytes.fromhex("01003f08010051a0000100010000"), True))
PROOF = b" [Manual Burn Cards]<Card:9D> \r\n"
_ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def locks_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep lock files out of the machine's folder, where they would stay."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


@pytest.fixture
def descriptors() -> Iterator[None]:
    before = len(list(Path("/proc/self/fd").iterdir()))
    yield
    assert len(list(Path("/proc/self/fd").iterdir())) <= before


def card(code: str) -> bytes:
    return f" [Manual Burn Cards]<Card:{code}> \r\n".encode("ascii")


def open_line(address: str) -> ReadingSource:
    return ReadingSource(BeeTekPlugin(), address)


async def heard(server: TcpServer, reader: ReadingSource) -> None:
    """Let the server's device be heard for the first time on this connection."""
    await until(lambda: reader.link is LinkState.SYNCING and server.accepted)
    server.say(PROOF)
    await until(lambda: reader.link is LinkState.READY)


async def test_cards_cut_anywhere_by_the_network_come_whole() -> None:
    async with TcpServer() as server, open_line(server.address) as reader:
        await heard(server, reader)
        stream = card("8S") + card("8S") + card("TH")
        for place in range(0, len(stream), 7):
            server.say(stream[place : place + 7])
            await until(lambda end=place + 7: len(reader.captured) >= len(PROOF) + min(end, len(stream)))  # type: ignore[misc]
        await until(lambda: len(reader.cards()) == 3)
        assert reader.cards() == ["8S", "8S", "TH"]
        assert reader.captured == PROOF + stream


async def test_the_halves_of_two_connections_are_no_card() -> None:
    async with TcpServer() as server, open_line(server.address) as reader:
        await heard(server, reader)
        server.say(b" [Manual Burn Cards]<Card:8")
        await until(lambda: reader.captured.endswith(b"Card:8"))
        server.hang_up()
        await until(lambda: reader.link is LinkState.LOST or server.accepted == 2)
        await until(lambda: server.accepted == 2 and reader.link is LinkState.SYNCING)
        server.say(b"S> \r\n" + card("KH") + card("QC"))
        await until(lambda: "QC" in reader.cards())
        assert "8S" not in [str(one.card) for one in reader.events if one.card is not None]


async def test_a_server_that_goes_away_is_lost_once_and_proves_itself_again_when_it_is_back() -> None:
    async with TcpServer() as server, open_line(server.address) as reader:
        await heard(server, reader)
        await server.go_away()
        await until(lambda: "does not open" in reader.reason)
        assert reader.source.health().losses == 1
        assert reader.link is LinkState.OPENING
        await server.come_back()
        await until(lambda: reader.link is LinkState.SYNCING and server.accepted == 2)
        server.say(card("KH"))
        await until(lambda: reader.link is LinkState.READY)
        server.say(card("QC"))
        await until(lambda: reader.cards() == ["QC"])
        assert reader.links() == ["opening", "syncing", "ready", "lost", "opening", "syncing", "ready"]
        assert reader.source.health().losses == 1


async def test_a_server_that_is_not_there_yet_is_tried_until_it_comes(descriptors: None) -> None:  # noqa: ARG001 - it counts
    server = TcpServer()
    await server.come_back()
    await server.go_away()
    async with open_line(server.address) as reader:
        await until(lambda: "does not open" in reader.reason)
        await server.come_back()
        await heard(server, reader)
    await server.go_away()


@pytest.mark.parametrize("driver", [BeeTekPlugin(), SmartshoePlugin()], ids=lambda driver: driver.name)
async def test_a_server_that_accepts_and_says_nothing_is_never_ready(
    driver: BeeTekPlugin | SmartshoePlugin,
) -> None:
    async with TcpServer() as server, ReadingSource(driver, server.address) as reader:
        await until(lambda: server.accepted)
        await until(lambda: reader.link is LinkState.SYNCING)
        await asyncio.sleep(0.5)
        assert reader.link is LinkState.SYNCING
        assert reader.reason
        assert reader.links() == ["opening", "syncing"]
        assert [one for one in reader.events if one.kind is not EventKind.LINK] == []


async def test_a_connection_whose_far_end_fell_silent_is_stale_then_lost_and_opened_again() -> None:
    """Half open: nothing ends the connection, but the heartbeats have stopped."""
    async with TcpServer() as server, ReadingSource(SmartshoePlugin(), server.address) as reader:
        await until(lambda: server.heard)
        server.say(HELLO)
        await until(lambda: reader.link is LinkState.READY)
        await until(lambda: reader.link is LinkState.STALE)
        await until(lambda: server.accepted == 2)
        await until(lambda: reader.link is LinkState.SYNCING)
        assert reader.links() == ["opening", "syncing", "ready", "stale", "lost", "opening", "syncing"]
        assert reader.source.health().losses == 1


async def test_a_far_end_that_lost_its_power_is_asked_whether_it_is_there() -> None:
    """A shoe that may be silent for hours has no heartbeat to miss: only the connection can tell."""
    async with TcpServer() as server, open_line(server.address) as reader:
        await heard(server, reader)
        (line,) = connections_to(server.number)
        with line:
            assert line.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
            idle, gap, tries = (
                line.getsockopt(socket.IPPROTO_TCP, option)
                for option in (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT)
            )
            assert idle + gap * tries <= 15
            assert line.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) <= 15_000


def connections_to(number: int) -> list[socket.socket]:
    """Return this process's connections to a port, as sockets of their own."""
    found = []
    for entry in Path("/proc/self/fd").iterdir():
        try:
            copy = socket.socket(fileno=os.dup(int(entry.name)))
        except OSError:
            continue  # no socket, or closed meanwhile
        try:
            is_it = copy.family == socket.AF_INET and copy.getpeername()[1] == number
        except OSError:
            is_it = False
        if is_it:
            found.append(copy)
        else:
            copy.close()
    return found


# pyserial's client names its thread by methods that Python has deprecated.
@pytest.mark.filterwarnings("ignore:set:DeprecationWarning")
async def test_an_rfc2217_server_is_told_the_speed_read_lost_and_opened_again() -> None:
    server = Rfc2217Server()
    try:
        async with open_line(server.address) as reader:
            for connection in (1, 2):
                await until(lambda: reader.link is LinkState.SYNCING)
                assert server.baud == 9600
                server.say(PROOF + card("8S") + b"\xff" + card("KH"))
                await until(lambda at=connection: reader.cards() == ["8S", "KH"] * at)  # type: ignore[misc]
                server.hang_up()
                await until(lambda at=connection: reader.source.health().losses == at)  # type: ignore[misc]
    finally:
        server.close()


_OWNER = """
import asyncio, sys
from drivers.bee_tek.plugin import BeeTekPlugin

async def own():
    source = BeeTekPlugin().open("shoe-1", {"port": sys.argv[1]}, resume=None, capture=lambda *_: None)
    async for event in source.events():
        print(event.details["state"], flush=True)

asyncio.run(own())
"""


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_a_second_process_does_not_get_a_network_port_until_its_owner_is_killed(
    host: str, tmp_path: Path
) -> None:
    async with TcpServer() as server:
        environment = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": str(_ROOT)}
        owner = await asyncio.create_subprocess_exec(
            sys.executable, "-c", _OWNER, server.address, stdout=asyncio.subprocess.PIPE, env=environment
        )
        assert owner.stdout is not None
        assert [await owner.stdout.readline() for _ in range(2)] == [b"opening\n", b"syncing\n"]
        async with open_line(server.address.replace("127.0.0.1", host)) as reader:
            await until(lambda: f"in use by process {owner.pid}" in reader.reason)
            assert reader.link is LinkState.OPENING
            assert server.accepted == 1
            owner.send_signal(signal.SIGKILL)
            await owner.communicate()
            await until(lambda: reader.link is LinkState.SYNCING and server.accepted == 2)
