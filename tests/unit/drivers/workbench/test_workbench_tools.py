"""Devices, sniff and replay-bytes: on real ports, with recordings that come out as they went in."""

from __future__ import annotations

import argparse
import io
import json
import os
import signal
import subprocess
import sys
import termios
import tty
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from drivers.workbench.devices import DevicesCommand, FoundDevice, input_devices, video_devices, with_users
from drivers.workbench.drivers import ConfiguredSource, decoding_plugin
from drivers.workbench.recordings import Chunk, chunk_line, read_chunks
from drivers.workbench.replay import ReplayBytesCommand
from drivers.workbench.sniff import Sniffer, line_of
from studio.domain.instants import Instant
from studio.ports.devices import CardSource, Decoder, RawCapture, Resume

ANGEL_EYE = bytes.fromhex("05334481B8033444") * 3
VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[3] / "vectors" / "protocols.json").read_text(encoding="utf-8")
)


def replay(*arguments: str) -> int:
    command = ReplayBytesCommand()
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return command.run(parser.parse_args(list(arguments)))


def test_a_recording_gives_back_its_chunks(tmp_path: Path) -> None:
    chunks = [Chunk(5, b"\x00\xff"), Chunk(9, b"8S\r")]
    (tmp_path / "r.jsonl").write_text("".join(map(chunk_line, chunks)))
    assert list(read_chunks(tmp_path / "r.jsonl")) == chunks


def test_raw_bytes_are_read_too(tmp_path: Path) -> None:
    (tmp_path / "r.bin").write_bytes(ANGEL_EYE)
    assert list(read_chunks(tmp_path / "r.bin")) == [Chunk(None, ANGEL_EYE)]


@pytest.mark.parametrize(
    "line", ['{"at_ns": 1}', '{"at_ns": "x", "bytes": ""}', "{", '{"at_ns": 1, "bytes": "z"}']
)
def test_a_line_that_is_no_part_of_a_recording_is_named(
    tmp_path: Path, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "r.jsonl").write_text(f'{{"at_ns": 1, "bytes": "00"}}\n{line}\n')
    assert replay("--driver", "angel_eye", str(tmp_path / "r.jsonl")) == 2
    assert "line 2" in capsys.readouterr().err


def test_a_recordings_times_decide_what_a_lone_copy_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = ANGEL_EYE[:8]
    recording = chunk_line(Chunk(1_000_000_000, copy)) + chunk_line(Chunk(9_000_000_000, b"\x05"))
    (tmp_path / "r.jsonl").write_text(recording)
    assert replay("--driver", "angel_eye", str(tmp_path / "r.jsonl")) == 0
    (event, *_) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (event["card"], event["suspect"]) == ("8S", True)


@pytest.mark.parametrize(
    "vector",
    [one for one in VECTORS if one["protocol"] == "smartshoe" and "chunks" in one and "host_sends" not in one],
    ids=lambda vector: vector["name"],
)
def test_the_events_have_the_form_of_the_vectors(
    vector: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "raw").write_bytes(bytes.fromhex("".join(vector["chunks"])))
    assert replay("--driver", "smartshoe", str(tmp_path / "raw")) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    expected = vector["expect"]
    told = [{key: event.get(key) for key in want} for event, want in zip(events, expected, strict=False)]
    assert told == expected


def test_settings_come_from_the_table_that_has_the_driver(tmp_path: Path) -> None:
    (tmp_path / "raw").write_bytes(ANGEL_EYE)
    config = tmp_path / "studio.toml"
    config.write_text(
        '[[tables]]\nid = "t1"\n'
        'reader = { driver = "angel_eye", device = "s", settings = { port = "/dev/x", colour = 1 } }\n'
    )
    assert replay("--driver", "angel_eye", "--config", str(config), str(tmp_path / "raw")) == 2
    assert replay("--driver", "smartshoe", "--config", str(config), str(tmp_path / "raw")) == 2


def test_sniff_shows_raw_and_decoded_and_keeps_a_recording(tmp_path: Path) -> None:
    master, slave = os.openpty()
    tty.setraw(slave)
    port, record = tmp_path / "port", tmp_path / "r.jsonl"
    port.symlink_to(os.ttyname(slave))
    config = tmp_path / "shoe.toml"
    config.write_text("baud = 19200\n")
    sniff = subprocess.Popen(  # noqa: S603 - our own command
        [
            *(sys.executable, "-m", "studio", "sniff", str(port), "--driver", "angel_eye"),
            *("--config", str(config), "--record", str(record)),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert sniff.stdout is not None
    assert sniff.stderr is not None
    while "-- open:" not in (line := sniff.stdout.readline()):
        assert line, sniff.stderr.read()
    assert termios.tcgetattr(slave)[5] == termios.B19200
    os.write(master, ANGEL_EYE)
    shown = ""
    while '"card": "8S"' not in shown:
        shown += sniff.stdout.readline()
    second = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-m", "studio", "sniff", str(port), "--seconds", "0.5"],
        capture_output=True,
        text=True,
        check=False,
    )
    sniff.send_signal(signal.SIGINT)
    _, warned = sniff.communicate()
    assert sniff.returncode == 0
    os.close(master)
    os.close(slave)
    assert "05 33 44" in shown
    assert "hole card" in warned
    assert f"in use by process {sniff.pid}" in second.stdout
    assert b"".join(chunk.data for chunk in read_chunks(record)) == ANGEL_EYE
    assert record.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("driver", "settings", "baud"),
    [("angel_eye", {}, 4800), ("bee_tek", {"baud": 19_200}, 19_200), ("smartshoe", {}, 115_200)],
)
def test_sniff_opens_the_line_as_the_driver_does(driver: str, settings: dict[str, Any], baud: int) -> None:
    assert line_of(decoding_plugin(driver), settings).baud == baud


class _AnotherPlugin:
    """A driver that is made of nothing of ours."""

    name = "another"
    counts = False

    def open(
        self, device: str, settings: Mapping[str, Any], *, resume: Resume | None, capture: RawCapture
    ) -> CardSource:
        raise NotImplementedError

    def decoder(self, device: str, settings: Mapping[str, Any]) -> Decoder:
        raise NotImplementedError


def test_sniff_takes_the_speed_from_the_settings_of_a_driver_of_another_make() -> None:
    assert line_of(_AnotherPlugin(), {"baud": 2400}).baud == 2400
    assert line_of(_AnotherPlugin(), {}).baud == 115_200


def test_a_speed_that_is_typed_wins(tmp_path: Path) -> None:
    master, slave = os.openpty()
    tty.setraw(slave)
    port = tmp_path / "port"
    port.symlink_to(os.ttyname(slave))
    words = (sys.executable, "-m", "studio", "sniff", str(port), "--driver", "angel_eye", "--baud", "9600")
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as sniff:  # noqa: S603 - our own command
        assert sniff.stdout is not None
        while "-- open:" not in (line := sniff.stdout.readline()):
            assert line
        speed = termios.tcgetattr(slave)[5]
        sniff.send_signal(signal.SIGINT)
    os.close(master)
    os.close(slave)
    assert speed == termios.B9600


def test_sniff_says_what_a_lone_copy_is_once_the_time_is_over() -> None:
    out = io.StringIO()
    sniffer = Sniffer(out, decoding_plugin("angel_eye").decoder("a", {}), None)
    sniffer.on_bytes(ANGEL_EYE[:8], Instant(0, 0))
    sniffer.tick(Instant(2_000_000_000, 0))
    assert '"suspect": true' in out.getvalue()


def test_scanners_that_type_and_cameras_are_found_by_names_that_stay(tmp_path: Path) -> None:
    for folder, name in (("input", "usb-Zebra-event-kbd"), ("input", "usb-Mouse-event-mouse"), ("v4l", "usb-Cam")):
        by_id = tmp_path / folder / "by-id"
        by_id.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"")
        (by_id / name).symlink_to(tmp_path / name)
    assert [one.could_be for one in (*input_devices(tmp_path), *video_devices(tmp_path))] == [
        ("evdev",),
        ("camera",),
    ]


def test_who_uses_and_who_holds_a_device_is_said(tmp_path: Path) -> None:
    node = tmp_path / "ttyX"
    node.write_bytes(b"")
    proc = tmp_path / "proc" / "44"
    (proc / "fd").mkdir(parents=True)
    (proc / "comm").write_text("studio\n")
    (proc / "fd" / "3").symlink_to(node)
    device = FoundDevice("serial", str(node), "", "x", ("smartshoe",))
    configured = [ConfiguredSource("t1", "reader", "smartshoe", "shoe-1", {"port": str(node)})]
    (found,) = with_users([device], configured, tmp_path / "proc")
    assert found.used_by == ("table t1, reader",)
    assert [(one.pid, one.name) for one in found.held_by] == [(44, "studio")]


def test_the_list_of_devices_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    command = DevicesCommand()
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    assert command.run(parser.parse_args(["--json"])) == 0
    assert all(json.loads(line)["could_be"] for line in capsys.readouterr().out.splitlines())
