"""The command ``studio learn``: opens the reader, guides the person, writes the map."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from drivers.barcode_line.plugin import BarcodeLinePlugin
from drivers.evdev.plugin import EvdevPlugin
from drivers.learning.classroom import Classroom
from drivers.learning.lesson import Lesson
from drivers.learning.map_file import map_text
from drivers.ssi.plugin import SsiPlugin
from studio.domain.instants import Instant
from studio.ports.devices import CardSource, CardSourcePlugin

PLUGINS: Final[Mapping[str, CardSourcePlugin]] = {
    one.name: one for one in (BarcodeLinePlugin(), EvdevPlugin(), SsiPlugin())
}
_NO_CODE: Final[Mapping[str, Any]] = {
    "pattern": "(?!)(?P<card>)",
    "duplicates": "gate",
    "gate_codes": [],
    "map": {},
}
"""Settings by which the driver knows no code, so that it tells each as it is."""


class LearnCommand:
    """The sub-command ``learn`` of ``studio`` (entry-point group ``studio.commands``)."""

    name = "learn"
    help = "learn which code is which card: pass a deck before a reader in the order shown, get the settings' map"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's options."""
        parser.add_argument("port", help="the reader's port, as in its settings")
        parser.add_argument("--driver", choices=sorted(PLUGINS), default=BarcodeLinePlugin.name)
        parser.add_argument(
            "--settings",
            type=Path,
            metavar="FILE",
            help="TOML with further settings of the reader: baud, terminators …",
        )
        parser.add_argument(
            "--decks", type=int, default=1, help="learn so many decks, where each card has a code of its own"
        )
        parser.add_argument("--output", type=Path, required=True, metavar="FILE", help="where to write the map")

    def run(self, arguments: argparse.Namespace) -> int:
        """Learn; return 0 when the map is written, 1 when the lesson was not finished, 2 if it cannot begin."""
        try:
            lesson = Lesson(arguments.decks)
            settings = _settings(arguments.settings, arguments.port)
            _refuse_existing(arguments.output)
            with contextlib.suppress(KeyboardInterrupt):
                asyncio.run(_learn(lesson, PLUGINS[arguments.driver], settings))
        except (ValueError, OSError) as error:
            sys.stderr.write(f"studio {self.name}: {error}\n")
            return 2
        if lesson.wanted is not None:
            _say(f"{lesson.learnt} of {lesson.total} learnt, nothing is written")
            return 1
        reader = f"the reader at {arguments.port}"
        arguments.output.write_text(map_text(lesson.entries(), reader), encoding="utf-8")
        _say(f"written to {arguments.output}: put it behind [tables.reader.settings] of the table")
        return 0


def _refuse_existing(output: Path) -> None:
    if output.exists():
        message = f"{output} exists: choose another file, or remove it"
        raise ValueError(message)


def _settings(file: Path | None, port: str) -> dict[str, Any]:
    try:
        given = {} if file is None else tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        message = f"{file} is no TOML: {error}"
        raise ValueError(message) from None
    return {**given, **_NO_CODE, "port": port}


async def _learn(lesson: Lesson, plugin: CardSourcePlugin, settings: Mapping[str, Any]) -> None:
    source = plugin.open("reader", settings, resume=None, capture=_forget)
    classroom = Classroom(lesson, _say)
    lines: asyncio.Queue[str] = asyncio.Queue()
    try:
        with _typed_lines(lines):
            classroom.begin()
            await _first_of(_listen(source, classroom), _obey(lines, classroom))
    finally:
        await source.close()


async def _first_of(*tasks: Any) -> None:  # noqa: ANN401 - any coroutines
    running = [asyncio.ensure_future(task) for task in tasks]
    done, others = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
    for task in others:
        task.cancel()
    for task in done:
        task.result()


async def _listen(source: CardSource, classroom: Classroom) -> None:
    async for event in source.events():
        classroom.on_event(event)
        if classroom.is_over:
            return


async def _obey(lines: asyncio.Queue[str], classroom: Classroom) -> None:
    while not classroom.is_over:
        classroom.on_line(await lines.get())


@contextlib.contextmanager
def _typed_lines(lines: asyncio.Queue[str]) -> Iterator[None]:
    """Put what is typed into ``lines``; a standard input that cannot be waited for types nothing."""
    loop = asyncio.get_running_loop()

    def read() -> None:
        line = sys.stdin.readline()
        if line:
            lines.put_nowait(line)
        else:
            loop.remove_reader(sys.stdin)

    try:
        loop.add_reader(sys.stdin, read)
    except (OSError, ValueError):
        yield
        return
    try:
        yield
    finally:
        loop.remove_reader(sys.stdin)


def _forget(device: str, data: bytes, received: Instant) -> None:
    """Stand in for the raw capture: nothing of a lesson is kept but its map."""


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
