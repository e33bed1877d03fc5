"""What a simulation does to the server's process: real processes, killed and kept from writing."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware_sim.server_process import CLOCK_AHEAD_SECONDS, ServerProcess
from studio.adapters.clocks import ShiftedClock, SystemClock

WRITER = """
import sys
for line in sys.stdin:
    try:
        with open("written", "a") as file:
            file.write(line)
        print("written", flush=True)
    except OSError as error:
        print(error.strerror, flush=True)
"""


class Victim:
    """A process that appends each line it is told to a file, and says what came of it."""

    def __init__(self, folder: Path) -> None:
        self.process = subprocess.Popen(  # noqa: S603 - this very test's own program
            (sys.executable, "-c", WRITER), cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.pid_file = folder / "server.pid"
        self.pid_file.write_text(str(self.process.pid), encoding="ascii")

    def write(self) -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("a line\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()


@pytest.fixture
def victim(tmp_path: Path) -> Iterator[Victim]:
    victim = Victim(tmp_path)
    with victim.process:
        yield victim
        victim.process.kill()


def test_a_full_disk_takes_nothing_until_there_is_room_again(victim: Victim, tmp_path: Path) -> None:
    server = ServerProcess(victim.pid_file)
    assert (victim.write(), server.is_disk_full) == ("written", False)
    server.set_disk_full(is_full=True)
    assert (victim.write(), server.is_disk_full) == ("File too large", True)
    server.set_disk_full(is_full=False)
    assert (victim.write(), server.is_disk_full) == ("written", False)
    assert (tmp_path / "written").read_text(encoding="ascii") == "a line\n" * 2


def test_a_killed_process_is_gone(victim: Victim) -> None:
    ServerProcess(victim.pid_file).kill()
    assert victim.process.wait(10) == -signal.SIGKILL


@pytest.mark.parametrize("text", [None, "nonsense"])
def test_without_a_process_nothing_happens(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "server.pid").write_text(text, encoding="ascii")
    server = ServerProcess(tmp_path / "server.pid")
    server.kill()
    server.set_disk_full(is_full=True)
    server.set_clock_ahead(is_ahead=True)
    assert [server.is_disk_full, server.is_clock_ahead, server.has_clock] == [False] * 3


def test_the_clock_is_ahead_while_it_is_said_to_be(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "server.pid", tmp_path / "clock")
    server.set_clock_ahead(is_ahead=True)
    assert server.is_clock_ahead
    before = SystemClock().now().wall_ns
    seen = ShiftedClock(tmp_path / "clock").now().wall_ns
    after = SystemClock().now().wall_ns
    assert before <= seen - CLOCK_AHEAD_SECONDS * 1_000_000_000 <= after
    server.set_clock_ahead(is_ahead=False)
    assert not server.is_clock_ahead
