"""The demo's child processes: announced, watched, revived after a kill, stopped."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from hardware_sim.demo_processes import ChildError, Children, Program
from hardware_sim.server_process import ServerProcess

SLEEPS = ("-c", "import signal; signal.pause()")


@pytest.fixture
async def children(tmp_path: Path) -> AsyncIterator[Children]:
    children = Children(tmp_path)
    yield children
    await children.stop()


def pid(children: Children, name: str) -> int:
    return int(children.pid_file(name).read_text(encoding="ascii"))


async def test_an_announcement_is_the_first_line(children: Children) -> None:
    program = Program("a", ("-c", "print('ready', flush=True); print('more')"), announces=True)
    assert await children.start(program) == "ready\n"
    assert await children.start(Program("b", SLEEPS)) == ""


async def test_a_child_that_ends_before_its_announcement_is_an_error_with_its_last_words(
    children: Children,
) -> None:
    program = Program("shoe", ("-c", "import sys; sys.exit('no such shoe')"), announces=True)
    with pytest.raises(ChildError, match="no such shoe"):
        await children.start(program)


async def test_the_environment_is_passed_on(children: Children) -> None:
    program = Program(
        "a", ("-c", "import os; print(os.environ['TOKEN_FOR_A'])"), {"TOKEN_FOR_A": "x"}, announces=True
    )
    assert await children.start(program) == "x\n"


async def test_a_killed_child_is_started_again_where_it_asks_for_it(children: Children) -> None:
    await children.start(Program("server", SLEEPS, is_revived=True))
    first = pid(children, "server")
    revived = asyncio.Event()
    watching = asyncio.create_task(children.watch(lambda _: revived.set()))
    ServerProcess(children.pid_file("server")).kill()
    async with asyncio.timeout(10):
        await revived.wait()
    assert pid(children, "server") != first
    children.raise_if_ended()
    watching.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await watching


@pytest.mark.parametrize(("number", "is_revived"), [(signal.SIGKILL, False), (signal.SIGTERM, True)])
async def test_any_other_end_of_a_child_is_an_error(
    children: Children,
    number: signal.Signals,
    is_revived: bool,  # noqa: FBT001 - a table
) -> None:
    await children.start(Program("players", SLEEPS, is_revived=is_revived))
    os.kill(pid(children, "players"), number)
    with pytest.raises(ChildError, match=f"players ended with code -{int(number)}"):
        await asyncio.wait_for(children.watch(lambda _: None), 10)


async def test_stopping_ends_every_child_and_its_pid_file(children: Children) -> None:
    await children.start(Program("a", SLEEPS))
    await children.start(Program("b", SLEEPS))
    pids = (pid(children, "a"), pid(children, "b"))
    await children.stop()
    for each in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(each, 0)
    assert not children.pid_file("a").exists()
