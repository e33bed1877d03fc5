"""The demo's child processes: start, watch, restart a killed one, and stop them all.

It knows processes and their logs, nothing of what runs in them.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

_STOP_SECONDS: Final = 6.0
_LOG_TAIL_LINES: Final = 12
_ANNOUNCEMENT_SECONDS: Final = 20.0


class ChildError(RuntimeError):
    """A child did not start, or ended by itself; the text says which, with what code, and its last words."""


@dataclass(frozen=True, slots=True)
class Program:
    """Arguments for the Python interpreter; ``announces`` says that its first line of output is to be read."""

    name: str
    arguments: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    announces: bool = False
    is_revived: bool = False
    """Whether it is started again after it was killed (SIGKILL)."""


class Children:
    """The running programs of one demo, each with ``<name>.log`` and ``<name>.pid`` in ``folder``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._running: dict[str, tuple[Program, asyncio.subprocess.Process]] = {}

    async def start(self, program: Program) -> str:
        """Start ``program``; return its announcement, or an empty text where it makes none.

        Raises :class:`ChildError` when it ends before its announcement.
        """
        with self._log(program).open("ab") as log:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                *program.arguments,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE if program.announces else log,
                stderr=log,
                env={**os.environ, **program.environment},
                # A session of its own: Ctrl-C in the terminal reaches the demo alone, which stops them in order.
                start_new_session=True,
            )
        self._running[program.name] = (program, process)
        self.pid_file(program.name).write_text(str(process.pid), encoding="ascii")
        if process.stdout is None:
            return ""
        try:
            async with asyncio.timeout(_ANNOUNCEMENT_SECONDS):
                line = await process.stdout.readline()
        except TimeoutError:
            line = b""
        if not line:
            raise self._ended(program, process)
        return line.decode()

    def pid_file(self, name: str) -> Path:
        """Return where the process id of program ``name`` is kept up to date."""
        return self._folder / f"{name}.pid"

    def raise_if_ended(self) -> None:
        """Raise :class:`ChildError` when one has ended that is not to be revived."""
        for program, process in self._running.values():
            if process.returncode is not None and not _is_to_be_revived(program, process):
                raise self._ended(program, process)

    async def watch(self, on_revived: Callable[[str], None]) -> None:
        """Start killed programs again where they ask for it, for ever.

        Raises :class:`ChildError` for any other end.
        """
        while True:
            waits = [asyncio.ensure_future(process.wait()) for _, process in self._running.values()]
            try:
                await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for wait in waits:
                    wait.cancel()
            self.raise_if_ended()
            for program, process in tuple(self._running.values()):
                if process.returncode is not None:
                    await self.start(program)
                    on_revived(program.name)

    async def stop(self) -> None:
        """End all, the last started first: SIGTERM, and SIGKILL for what has not ended a few seconds later."""
        for _, process in reversed(self._running.values()):
            _send(process, signal.SIGTERM)
            try:
                async with asyncio.timeout(_STOP_SECONDS):
                    await process.wait()
            except TimeoutError:
                _send(process, signal.SIGKILL)
                await process.wait()
        for name in self._running:
            self.pid_file(name).unlink(missing_ok=True)
        self._running.clear()

    def _log(self, program: Program) -> Path:
        return self._folder / f"{program.name}.log"

    def _ended(self, program: Program, process: asyncio.subprocess.Process) -> ChildError:
        log = self._log(program)
        last_words = log.read_text(encoding="utf-8", errors="replace").splitlines()[-_LOG_TAIL_LINES:]
        end = "did not come up" if process.returncode is None else f"ended with code {process.returncode}"
        return ChildError("\n".join((f"the {program.name} {end}; see {log}", *last_words)))


def _send(process: asyncio.subprocess.Process, number: signal.Signals) -> None:
    # It may end by itself between a look at it and the signal.
    with contextlib.suppress(ProcessLookupError):
        process.send_signal(number)


def _is_to_be_revived(program: Program, process: asyncio.subprocess.Process) -> bool:
    return program.is_revived and process.returncode == -signal.SIGKILL
