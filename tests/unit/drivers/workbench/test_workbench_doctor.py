"""The doctor on machines that a test makes: every finding comes with its fix."""

from __future__ import annotations

import argparse
import datetime as dt
import socket
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from drivers.workbench.checks import (
    Finding,
    Machine,
    Weight,
    check_clock,
    check_disk,
    check_driver,
    check_intruders,
    check_port,
    check_secret,
    check_year,
)
from drivers.workbench.doctor import DoctorCommand
from drivers.workbench.drivers import ConfiguredSource

NOW = dt.datetime(2026, 11, 30, tzinfo=dt.UTC)


def machine(folder: Path) -> Machine:
    made = Machine(folder / "dev", folder / "proc", folder / "sys")
    for one in (made.dev, made.proc, made.sys):
        one.mkdir(parents=True)
    return made


def process(made: Machine, pid: int, name: str, opened: Path | None = None) -> None:
    folder = made.proc / str(pid)
    (folder / "fd").mkdir(parents=True)
    (folder / "comm").write_text(f"{name}\n")
    if opened is not None:
        (folder / "fd" / "7").symlink_to(opened)


def source(port: str, driver: str = "smartshoe") -> ConfiguredSource:
    return ConfiguredSource("t1", "reader", driver, "shoe-1", {"port": port})


def weights(findings: Iterable[Finding]) -> list[Weight]:
    found = list(findings)
    assert all(one.fix for one in found if one.weight is not Weight.OK)
    return [one.weight for one in found]


def test_a_port_that_is_there_and_free_is_in_order(tmp_path: Path) -> None:
    made = machine(tmp_path)
    (made.dev / "shoe").write_bytes(b"")
    assert weights(check_port(source(str(made.dev / "shoe")), made)) == [Weight.OK]


def test_a_port_that_is_not_there_stops_the_table(tmp_path: Path) -> None:
    made = machine(tmp_path)
    assert weights(check_port(source(str(made.dev / "shoe")), made)) == [Weight.STOP]


def test_a_port_that_may_be_another_reader_tomorrow_stops_the_table(tmp_path: Path) -> None:
    (finding,) = check_port(source("/dev/ttyUSB0"), machine(tmp_path))
    assert finding.weight is Weight.STOP
    assert "/dev/serial/by-id" in finding.text


def test_the_name_that_stays_is_given_for_one_that_does_not(tmp_path: Path) -> None:
    made = machine(tmp_path)
    for name, link in (
        ("ttyUSB0", "by-id/usb-ACME_A1"),
        ("ttyUSB0", "by-path/pci-1"),
        ("ttyACM3", "by-path/pci-2"),
    ):
        (made.dev / name).write_bytes(b"")
        (made.dev / "serial" / link).parent.mkdir(parents=True, exist_ok=True)
        (made.dev / "serial" / link).symlink_to(made.dev / name)
    (first,) = check_port(source("/dev/ttyUSB0"), made)
    (second,) = check_port(source("/dev/ttyACM3"), made)
    (absent,) = check_port(source("/dev/ttyUSB1"), made)
    assert f'port = "{made.dev}/serial/by-id/usb-ACME_A1"' in first.fix
    assert f'port = "{made.dev}/serial/by-path/pci-2"' in second.fix
    assert absent.fix == "correct `port` in the settings"


def test_the_process_that_holds_a_port_is_named(tmp_path: Path) -> None:
    made = machine(tmp_path)
    port = made.dev / "shoe"
    port.write_bytes(b"")
    process(made, 812, "picocom", port)
    held, _ = check_port(source(str(port)), made)
    assert "process 812 (picocom)" in held.text


def test_a_port_that_this_user_may_not_open_stops_the_table(tmp_path: Path) -> None:
    made = machine(tmp_path)
    (made.dev / "shoe").write_bytes(b"")
    forbidden = replace(made, may_open=lambda _node: False)
    (finding,) = check_port(source(str(made.dev / "shoe")), forbidden)
    assert "usermod -aG" in finding.fix


def test_an_adapter_that_keeps_bytes_back_is_told(tmp_path: Path) -> None:
    made = machine(tmp_path)
    (made.dev / "ttyUSB3").write_bytes(b"")
    (made.dev / "shoe").symlink_to("ttyUSB3")
    timer = made.sys / "bus" / "usb-serial" / "devices" / "ttyUSB3"
    timer.mkdir(parents=True)
    (timer / "latency_timer").write_text("16\n")
    assert weights(check_port(source(str(made.dev / "shoe")), made)) == [Weight.OK, Weight.WARN]
    (timer / "latency_timer").write_text("1\n")
    assert weights(check_port(source(str(made.dev / "shoe")), made)) == [Weight.OK]


def test_a_serial_server_is_asked(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert weights(check_port(source(f"socket://127.0.0.1:{port}"), machine(tmp_path))) == [Weight.OK]
    assert weights(check_port(source(f"socket://127.0.0.1:{port}"), Machine())) == [Weight.STOP]


def test_an_unknown_driver_stops_the_table() -> None:
    assert weights(check_driver(source("/x", "nobody"))) == [Weight.STOP]
    assert weights(check_driver(source("/x"))) == []


def test_programs_that_open_ports_unasked_are_named(tmp_path: Path) -> None:
    made = machine(tmp_path)
    process(made, 5, "bash")
    process(made, 6, "ModemManager")
    process(made, 7, "brltty")
    assert weights(check_intruders(made)) == [Weight.WARN, Weight.WARN]


def test_a_machine_without_a_time_service_is_told(tmp_path: Path) -> None:
    made = machine(tmp_path)
    assert weights(check_clock(made, tmp_path / "none")) == [Weight.WARN]
    process(made, 9, "chronyd")
    assert weights(check_clock(made, tmp_path / "none")) == [Weight.OK]


@pytest.mark.parametrize(("mib", "weight"), [(100, Weight.STOP), (1000, Weight.WARN), (9000, Weight.OK)])
def test_room_for_the_journal(tmp_path: Path, mib: int, weight: Weight) -> None:
    assert weights(check_disk(tmp_path / "data", mib << 20)) == [weight]


def test_a_key_that_others_may_read_stops_the_studio(tmp_path: Path) -> None:
    key = tmp_path / "studio.key"
    assert weights(check_secret(key)) == [Weight.WARN]
    key.write_text("x")
    key.chmod(0o644)
    assert weights(check_secret(key)) == [Weight.STOP]
    key.chmod(0o600)
    assert weights(check_secret(key)) == [Weight.OK]


def test_a_clock_that_was_never_set() -> None:
    assert weights(check_year(dt.datetime(1970, 1, 1, tzinfo=dt.UTC))) == [Weight.STOP]
    assert weights(check_year(NOW)) == []


def run(config: Path, made: Machine) -> int:
    parser = argparse.ArgumentParser()
    command = DoctorCommand(made, lambda: NOW)
    command.add_arguments(parser)
    return command.run(parser.parse_args(["--config", str(config)]))


def test_the_command_says_what_stops_a_table_and_how_to_mend_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = machine(tmp_path / "machine")
    config = tmp_path / "studio.toml"
    config.write_text(
        '[studio]\nmode = "live"\n[[tables]]\nid = "t1"\n'
        f'reader = {{ driver = "smartshoe", device = "s", settings = {{ port = "{tmp_path}/shoe" }} }}\n'
    )
    assert run(config, made) == 1
    assert "-> plug the reader in" in capsys.readouterr().out
    (tmp_path / "shoe").write_bytes(b"")
    assert run(config, made) == 0


def test_a_file_that_is_no_settings_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "studio.toml").write_text("not toml at all")
    assert run(tmp_path / "studio.toml", machine(tmp_path / "machine")) == 2
    assert "cannot be read as settings" in capsys.readouterr().err
