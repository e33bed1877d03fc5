from __future__ import annotations

import pytest

from drivers.serial_port import parse_address


@pytest.mark.parametrize("port", ["/dev/ttyUSB0", "/dev/ttyACM12", "/dev/./ttyUSB3", "//dev/ttyUSB0"])
def test_numbered_usb_devices_are_refused_with_a_hint(port: str) -> None:
    with pytest.raises(ValueError, match="/dev/serial/by-id/"):
        parse_address(port)


@pytest.mark.parametrize(
    "port",
    [
        "/dev/serial/by-id/usb-FTDI_FT232R_A50285BI-if00-port0",
        "/dev/serial/by-path/pci-0000:00:14.0-usb-0:2:1.0-port0",
        "/tmp/table-1/shoe",  # noqa: S108 - a text, not a file
        "/dev/ttyS0",
    ],
)
def test_stable_paths_are_taken_as_they_are(port: str) -> None:
    address = parse_address(port)
    assert (address.text, address.path) == (port, port)


@pytest.mark.parametrize(
    ("port", "text"),
    [
        ("socket://127.0.0.1:4001", "socket://127.0.0.1:4001"),
        ("socket://nport-3.studio.lan:4001/", "socket://nport-3.studio.lan:4001"),
        ("socket://[::1]:4001", "socket://[::1]:4001"),
        ("rfc2217://10.0.7.3:2217", "rfc2217://10.0.7.3:2217"),
    ],
)
def test_network_serial_servers_have_no_path(port: str, text: str) -> None:
    address = parse_address(port)
    assert (address.text, address.path) == (text, None)
    assert address.is_rfc2217 == port.startswith("rfc2217")


@pytest.mark.parametrize(
    ("port", "says"),
    [
        ("loop://", "not supported"),
        ("spy:///dev/serial/by-id/x", "not supported"),
        ("socket://127.0.0.1", "host:port"),
        ("socket://127.0.0.1:0", "host:port"),
        ("socket://127.0.0.1:99999", "host:port"),
        ("socket://127.0.0.1:4001?logging=debug", "nothing more"),
        ("socket://me@127.0.0.1:4001", "nothing more"),
        ("socket://8.8.8.8:4001", "isolated network"),
        ("socket://134744072:4001", "isolated network"),
        ("socket://[::ffff:8.8.8.8]:4001", "isolated network"),
        ("COM3", "absolute path"),
        ("", "absolute path"),
    ],
)
def test_anything_else_is_refused_with_what_to_write(port: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        parse_address(port)
