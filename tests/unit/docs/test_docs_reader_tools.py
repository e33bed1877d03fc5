"""The page of the tools for readers: every option has its row, and what it shows is what they print."""

from __future__ import annotations

import argparse
import datetime as dt
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from doc_pages import ROOT, coded, page

from drivers.kit.command import TrialCommand
from drivers.kit.corruption import Change, Found, Outcome
from drivers.kit.installed import peer_names
from drivers.learning.command import LearnCommand
from drivers.workbench import devices
from drivers.workbench.checks import Machine
from drivers.workbench.devices import ADAPTERS, DevicesCommand
from drivers.workbench.doctor import DoctorCommand
from drivers.workbench.drivers import decoding_plugin
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
DEVICES, DOCTOR, SNIFFED, REPLAYED = (fence.text for fence in PAGE.fences("text"))
(RECORDING,) = (fence.text for fence in PAGE.fences("json"))


def parsers() -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Yield each command's parser by the heading of its options; a trial's own, then what all trials have."""
    for command in COMMANDS:
        parser = argparse.ArgumentParser(add_help=False)
        command.add_arguments(parser)
        subparsers = [one for one in parser._actions if isinstance(one, argparse._SubParsersAction)]
        if not subparsers:
            yield f"## {command.name}", parser
        for trial, its_own in ((subparsers and subparsers[0].choices) or {}).items():
            yield f"### {command.name} {trial}", its_own


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


@pytest.mark.parametrize(("heading", "parser"), parsers(), ids=lambda one: one if isinstance(one, str) else "")
def test_every_option_has_its_row_with_its_default(heading: str, parser: argparse.ArgumentParser) -> None:
    rows = {coded(row[0])[0]: row[1] for row in PAGE.rows(heading) if coded(row[0])}
    common = {"--driver", "--seed"} if heading.startswith("### ") else set()
    assert rows == {name: default for name, default in options(parser).items() if name not in common}


def test_the_options_of_every_trial_have_their_rows() -> None:
    rows = {coded(row[0])[0] for row in PAGE.rows("## trial") if coded(row[0])}
    assert rows >= {"--driver", "--seed"}


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
    device = devices.FoundDevice(
        "serial",
        "/dev/ttyUSB0",
        "/dev/serial/by-id/usb-FTDI_FT232R_A1B2C302-if00-port0",
        "FTDI serial adapter (0403:6001, serial number A1B2C302)",
        ADAPTERS[0x0403, None][1],
    )
    used = devices.FoundDevice(
        device.kind,
        device.node,
        device.path,
        device.what,
        device.could_be,
        ("table t1, reader",),
        (devices.Holder(812, "studio"),),
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


def test_the_figures_are_of_every_driver_with_a_peer_and_add_up() -> None:
    rows = PAGE.rows("## What was found")
    found: dict[str, Found] = {}
    for driver, change, *counts in rows:
        tried, *outcomes, deaf = map(int, counts)
        assert tried == sum(outcomes)
        one = found.setdefault(coded(driver)[0], Found())
        one.outcomes.setdefault(Change(change)).update(dict(zip(Outcome, outcomes, strict=True)))
        one.deaf[Change(change)] = deaf
    assert set(found) == set(peer_names())
    one_byte = set(Change) - {Change.TWO_BYTES}
    assert {driver for driver, one in found.items() if one.wrong(*one_byte)} == {
        "barcode_line",
        "bee_tek",
        "evdev",
    }


def test_the_udev_rules_know_every_adapter_that_the_tools_know() -> None:
    rules = (ROOT / "deploy" / "60-studio-readers.rules").read_text(encoding="utf-8")
    (ids,) = re.findall(r'SUBSYSTEM=="tty".*ATTRS\{idVendor\}=="([^"]+)"', rules)
    assert set(ids.split("|")) == {f"{vendor:04x}" for vendor, _ in ADAPTERS}
    assert json.dumps("60-studio-readers.rules").strip('"') in ATTACH.text
