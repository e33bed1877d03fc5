"""The page of the tools for readers: every option has its row, and what it shows is what they print."""

from __future__ import annotations

import argparse
import datetime as dt
import io
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from doc_pages import ROOT, coded, page

from drivers.kit.command import TrialCommand
from drivers.kit.corruption import Change, Found, Outcome, try_driver
from drivers.kit.installed import installed_case, peer_names
from drivers.learning.command import LearnCommand
from drivers.workbench import devices
from drivers.workbench.checks import Machine
from drivers.workbench.devices import ADAPTERS, DevicesCommand, FoundDevice
from drivers.workbench.doctor import DoctorCommand
from drivers.workbench.drivers import decoding_plugin
from drivers.workbench.holders import Holder
from drivers.workbench.recordings import read_chunks
from drivers.workbench.replay import ReplayBytesCommand
from drivers.workbench.sniff import SniffCommand, Sniffer
from studio.domain.instants import Instant

PAGE = page("reference/readers/tools.md")
ATTACH = page("how-to/attach-a-real-shoe.md")
COMMANDS = (
    *(DevicesCommand(), DoctorCommand(), SniffCommand(), ReplayBytesCommand()),
    *(LearnCommand(), TrialCommand()),
)
ONE_BYTE = (Change.SUBSTITUTED, Change.DELETED, Change.INSERTED)
DEVICES, DOCTOR, SNIFFED, REPLAYED = (fence.text for fence in PAGE.fences("text"))
(RECORDING,) = (fence.text for fence in PAGE.fences("json"))


def parsers() -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Yield each command's parser, and each trial's, by the heading of its options."""
    for command in COMMANDS:
        parser = argparse.ArgumentParser(add_help=False)
        command.add_arguments(parser)
        trials = [one for one in parser._actions if isinstance(one, argparse._SubParsersAction)]
        if not trials:
            yield f"## {command.name}", parser
        for one in trials:
            yield from ((f"### {command.name} {trial}", its_own) for trial, its_own in one.choices.items())


def shown_default(action: argparse.Action) -> str:
    if action.required:
        return "required"
    match action.default:
        case None:
            return "none"
        case False:
            return "no"
        case _:
            return f"`{action.default}`"


def options(parser: argparse.ArgumentParser) -> dict[str, str]:
    return {
        (action.option_strings or [str(action.metavar or action.dest).upper()])[0]: shown_default(action)
        for action in parser._actions
        if action.dest != "help"
    }


def rows_of(heading: str) -> dict[str, str]:
    return {coded(row[0])[0]: row[1] for row in PAGE.rows(heading) if coded(row[0])}


@pytest.mark.parametrize("heading", [heading for heading, _ in parsers()])
def test_every_option_has_its_row_with_its_default(heading: str) -> None:
    there = options(dict(parsers())[heading])
    if heading.startswith("### "):  # a trial: what all of them have stands above
        assert {name: there.pop(name) for name in ("--driver", "--seed")}.keys() < rows_of("## trial").keys()
    assert rows_of(heading) == there


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    """The settings that the how-to page shows, for a table whose reader is not plugged in."""
    (table, _) = (fence.text for fence in ATTACH.fences("toml"))
    file = tmp_path / "studio.toml"
    file.write_text(f'[[tables]]\nid = "t1"\n\n{table}', encoding="utf-8")
    return file


def run(command: Any, *words: str) -> int:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    status: int = command.run(parser.parse_args(words))
    return status


def test_devices_prints_what_is_shown(
    settings: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    used = FoundDevice(
        "serial",
        "/dev/ttyUSB0",
        "/dev/serial/by-id/usb-FTDI_FT232R_A1B2C302-if00-port0",
        "FTDI serial adapter (0403:6001, serial number A1B2C302)",
        ADAPTERS[0x0403, None][1],
        ("table t1, reader",),
        (Holder(812, "studio"),),
    )
    monkeypatch.setattr(devices, "with_users", lambda _devices, configured: [used] if configured else [])
    assert run(DevicesCommand(), "--config", str(settings)) == 0
    assert capsys.readouterr().out == DEVICES


def test_the_doctor_finds_what_is_shown(settings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = settings.parent
    for pid, name in ((12, "chronyd"), (640, "ModemManager")):
        (folder / "proc" / str(pid)).mkdir(parents=True)
        (folder / "proc" / str(pid) / "comm").write_text(f"{name}\n")
    (folder / "studio.key").write_bytes(bytes(32))
    (folder / "studio.key").chmod(0o600)
    machine = Machine(folder / "dev", folder / "proc", folder / "sys")
    doctor = DoctorCommand(machine, lambda: dt.datetime(2026, 11, 30, tzinfo=dt.UTC))

    assert run(doctor, "--config", str(settings)) == 1

    said = capsys.readouterr().out.replace(str(folder), "/etc/studio")
    assert re.sub(r"\w+ +\d+ MiB", "ok    48210 MiB", said) == DOCTOR


def test_sniffing_shows_what_is_shown(tmp_path: Path) -> None:
    (tmp_path / "recording").write_text(RECORDING, encoding="utf-8")
    out, record = io.StringIO(), io.StringIO()
    sniffer = Sniffer(out, decoding_plugin("barcode_line").decoder("reader", {}), record)
    for chunk in read_chunks(tmp_path / "recording"):
        sniffer.on_bytes(chunk.data, Instant(chunk.at_ns or 0, 0))
    assert out.getvalue() == SNIFFED
    assert record.getvalue() == RECORDING


def test_replaying_prints_what_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "recording").write_text(RECORDING, encoding="utf-8")
    assert run(ReplayBytesCommand(), "--driver", "barcode_line", str(tmp_path / "recording")) == 0
    assert capsys.readouterr().out == REPLAYED


def stated() -> dict[str, Found]:
    """Return the figures of the page, by driver."""
    found: dict[str, Found] = {}
    for driver, change, tried, *outcomes, deaf in PAGE.rows("## What was found"):
        one = found.setdefault(coded(driver)[0], Found())
        counts = Counter(dict(zip(Outcome, map(int, outcomes), strict=True)))
        assert counts.total() == int(tried)
        one.outcomes[Change(change)] = counts
        one.deaf[Change(change)] = int(deaf)
    return found


def test_the_figures_are_of_every_driver_that_has_a_peer() -> None:
    assert set(stated()) == set(peer_names())
    believed = {driver for driver, found in stated().items() if found.wrong(*ONE_BYTE)}
    assert believed == {"barcode_line", "bee_tek", "evdev"}
    for driver in believed:  # what is said of them above the table
        assert f"`{driver}`" in PAGE.text.partition("## What was found")[2].partition("|")[0]


def test_the_figures_are_what_the_trial_finds() -> None:
    found = try_driver(installed_case("barcode_line"), two_byte=0, seed=1)
    said = stated()["barcode_line"]
    assert {change: found.outcomes[change] for change in ONE_BYTE} == {
        change: said.outcomes[change] for change in ONE_BYTE
    }


def test_the_udev_rules_know_every_adapter_that_the_tools_know() -> None:
    rules = (ROOT / "deploy" / "60-studio-readers.rules").read_text(encoding="utf-8")
    (ids,) = re.findall(r'SUBSYSTEM=="tty".*ATTRS\{idVendor\}=="([^"]+)"', rules)
    assert set(ids.split("|")) == {f"{vendor:04x}" for vendor, _ in ADAPTERS}
    assert "../../deploy/60-studio-readers.rules" in ATTACH.links()
