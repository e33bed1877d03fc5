"""``studio learn`` as a person meets it: a terminal, a reader on a port, a deck, a few mistakes."""

from __future__ import annotations

import asyncio
import os
import sys
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from drivers.barcode_line.plugin import BarcodeLinePlugin
from drivers.learning.map_file import map_text
from hardware_sim.evdev.reader import keystrokes
from hardware_sim.pty_line import PtyLine
from studio.domain.cards import DECK
from studio.domain.instants import Instant
from studio.ports.devices import EventKind

PROGRAM = """
import argparse, sys, tempfile
from drivers.learning.command import LearnCommand
tempfile.tempdir = sys.argv[1]  # the port's lock file
parser = argparse.ArgumentParser()
command = LearnCommand()
command.add_arguments(parser)
sys.exit(command.run(parser.parse_args(sys.argv[2:])))
"""


class Person:
    """Somebody at a terminal, with a reader on a pseudo-terminal of its own."""

    def __init__(self, tmp_path: Path) -> None:
        self._folder = tmp_path
        self.line = PtyLine(tmp_path / "reader")
        self.line.plug()
        self.output = tmp_path / "map.toml"
        self.seen = bytearray()

    async def start(self, *options: str) -> None:
        self._terminal, theirs = os.openpty()
        os.set_blocking(self._terminal, False)
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", PROGRAM, str(self._folder), str(self.line.link),
            "--output", str(self.output), *options,
            stdin=theirs, stdout=theirs, stderr=theirs, cwd=Path(__file__).parents[4],
        )  # fmt: skip
        os.close(theirs)
        self._changed = asyncio.Event()
        asyncio.get_running_loop().add_reader(self._terminal, self._read)

    def type(self, text: str) -> None:
        os.write(self._terminal, text.encode())

    async def sees(self, text: str) -> None:
        """Wait until ``text`` is on the terminal, and look only behind it from now on."""
        async with asyncio.timeout(60):
            while (place := self.seen.find(text.encode())) < 0:
                self._changed.clear()
                await self._changed.wait()
        del self.seen[: place + len(text)]

    async def ends(self) -> int:
        async with asyncio.timeout(60):
            status = await self._process.wait()
        asyncio.get_running_loop().remove_reader(self._terminal)
        os.close(self._terminal)
        self.line.unplug()
        return status

    def _read(self) -> None:
        try:
            self.seen += os.read(self._terminal, 65536)
        except OSError:  # the other end is closed
            asyncio.get_running_loop().remove_reader(self._terminal)
        self._changed.set()


def code_of(number: int) -> str:
    return f'{number:04}"\\'


async def test_a_deck_with_mistakes_becomes_a_map_that_the_settings_accept(tmp_path: Path) -> None:
    person = Person(tmp_path)
    await person.start()
    await person.sees("1/52  AD  ace of diamonds")
    await person.sees("reader syncing")
    for number in range(len(DECK)):
        if number == 3:
            person.line.write(b"NR\r")
            await person.sees("pass the same card again")
        if number == 10:
            person.line.write(f"{code_of(2)}\r".encode())
            await person.sees("is the code of the 3 of diamonds (card 3) already")
        if number == 20:
            person.line.write(b"wrong card\r")
            await person.sees("22/52")
            person.type("b\n")
            await person.sees("21/52")
        person.line.write(f"{code_of(number)}\r".encode())
        person.line.write(f"{code_of(number)}\r".encode() if number == 30 else b"")
        if number < 51:
            await person.sees(f"{number + 2}/52  {DECK[number + 1].code}")
    await person.sees("all 52 learnt")
    assert await person.ends() == 0
    shown = '[tables.reader.settings]\nport = "/dev/serial/by-id/usb-reader"\n'
    document = tomllib.loads("[[tables]]\n[tables.reader]\n" + shown + person.output.read_text(encoding="utf-8"))
    settings = document["tables"][0]["reader"]["settings"]
    assert BarcodeLinePlugin().check("reader-1", settings).map == {
        code_of(number): card.code for number, card in enumerate(DECK)
    }
    decoder = BarcodeLinePlugin().decoder("reader-1", settings)
    (event,) = decoder.feed(f"{code_of(50)}\r".encode(), Instant(0, 0))
    assert (event.kind, event.card) == (EventKind.CARD, DECK[50])


async def test_giving_up_writes_nothing(tmp_path: Path) -> None:
    person = Person(tmp_path)
    await person.start()
    await person.sees("reader syncing")
    person.line.write(b"0001\r")
    await person.sees("2/52")
    person.type("q\n")
    await person.sees("1 of 52 learnt, nothing is written")
    assert await person.ends() == 1
    assert not person.output.exists()


async def test_a_reader_that_types_learns_in_the_same_way(tmp_path: Path) -> None:
    person = Person(tmp_path)
    further = tmp_path / "reader.toml"
    further.write_text("simulated = true\n", encoding="utf-8")
    await person.start("--driver", "evdev", "--settings", str(further), "--decks", "2")
    await person.sees("reader syncing")
    person.line.write(keystrokes("0417", 10**9))
    await person.sees("2/104  2D  2 of diamonds, deck 1")
    person.type("q\n")
    assert await person.ends() == 1


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--decks", "0"), "there must be at least one deck, not 0"),
        (("--driver", "evdev"), "must be the reader's link under /dev/input/by-id/"),
        (("--settings", "nowhere.toml"), "No such file"),
    ],
)
async def test_what_cannot_begin_says_why(tmp_path: Path, options: tuple[str, ...], sentence: str) -> None:
    person = Person(tmp_path)
    await person.start(*options)
    await person.sees("studio learn: ")
    await person.sees(sentence)
    assert await person.ends() == 2


async def test_an_existing_file_is_never_overwritten(tmp_path: Path) -> None:
    person = Person(tmp_path)
    person.output.write_text("precious", encoding="utf-8")
    await person.start()
    await person.sees("exists: choose another file")
    assert await person.ends() == 2
    assert person.output.read_text(encoding="utf-8") == "precious"


def test_any_printable_code_stands_in_the_map() -> None:
    codes = {chr(code) + 'x"\\': "8S 3" for code in range(0x20, 0x7F)}
    assert tomllib.loads(map_text(codes, "a reader"))["tables"]["reader"]["settings"]["map"] == codes


def test_the_entry_point_makes_a_command_without_arguments() -> None:
    point = EntryPoint("learn", "drivers.learning.command:LearnCommand", "studio.commands")
    assert point.load()().name == "learn"
