from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from studio.bench import programs
from studio.bench.programs import ProgramEndedError, running

SLEEPS = (sys.executable, "-c", "print('ready', flush=True); import time; time.sleep(60)")
STUBBORN = (
    sys.executable,
    "-c",
    "import signal, time; signal.signal(15, signal.SIG_IGN); print('ready', flush=True); time.sleep(60)",
)


async def wait_until_ready(log: Path) -> None:
    while "ready" not in log.read_text():  # noqa: ASYNC110, ASYNC240 - a small file, told by nobody
        await asyncio.sleep(0.02)


async def test_a_program_that_ends_is_named_with_its_last_words(tmp_path: Path) -> None:
    command = (sys.executable, "-c", "import sys; print('out of cards'); sys.exit(3)")
    async with running("dealer", command, tmp_path) as program:
        with pytest.raises(ProgramEndedError, match=r"the dealer ended with code 3\nout of cards"):
            await program.raise_when_ended()


async def test_a_program_runs_until_the_block_ends(tmp_path: Path) -> None:
    async with running("sleeper", SLEEPS, tmp_path) as program:
        await wait_until_ready(program.log)
        assert program.process.returncode is None
    assert program.process.returncode == -15


async def test_a_program_that_does_not_stop_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "_STOP_SECONDS", 0.1)
    async with running("stubborn", STUBBORN, tmp_path) as program:
        await wait_until_ready(program.log)
    assert program.process.returncode == -9


async def test_a_program_gets_its_environment(tmp_path: Path) -> None:
    command = (sys.executable, "-c", "import os; print(os.environ['SHOE'])")
    async with running("shoe", command, tmp_path, {"SHOE": "red"}) as program:
        await program.process.wait()
    assert program.log.read_text() == "red\n"
