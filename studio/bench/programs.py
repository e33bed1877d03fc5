"""The programs around a measured studio: started, watched and stopped. It knows nothing of what they do."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_STOP_SECONDS: Final = 5.0
_LAST_WORDS: Final = 5


class ProgramEndedError(RuntimeError):
    """A program ended before the measurement did; the text says which, how, and its last words."""


@dataclass(frozen=True, slots=True)
class RunningProgram:
    """A program that runs, and its log."""

    name: str
    process: asyncio.subprocess.Process
    log: Path

    async def raise_when_ended(self) -> None:
        """Wait until the program has ended, then raise :class:`ProgramEndedError`."""
        code = await self.process.wait()
        words = self.log.read_text(encoding="utf-8", errors="replace").splitlines()[-_LAST_WORDS:]
        message = "\n".join((f"the {self.name} ended with code {code}", *words))
        raise ProgramEndedError(message)


@asynccontextmanager
async def running(
    name: str, command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None
) -> AsyncIterator[RunningProgram]:
    """Run a program until the block ends; what it says goes to ``<name>.log`` in ``folder``."""
    path = folder / f"{name}.log"
    with path.open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env={**os.environ, **(environment or {})},
            # A session of its own: Ctrl-C reaches the benchmark alone, which stops the others.
            start_new_session=True,
        )
    try:
        yield RunningProgram(name, process, path)
    finally:
        await _stop(process)


async def _stop(process: asyncio.subprocess.Process) -> None:
    if process.returncode is not None:
        return
    process.terminate()
    try:
        async with asyncio.timeout(_STOP_SECONDS):
            await process.wait()
    except TimeoutError:
        os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
