"""The process as its caller sees it: a ready line, a serial port, a control API, a clean end."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import serial

from hardware_sim.shoe_process import TOKEN_VARIABLE
from hardware_sim.smartshoe.wire import DeviceType, Frame, FrameDecoder, HostType, encode_frame

TOKEN = "for-tests-only" * 2
ROOT = Path(__file__).parents[3]


@contextlib.contextmanager
def started(*arguments: str, token: str = TOKEN) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(  # noqa: S603 - the arguments are this file's own
        [sys.executable, "-m", "hardware_sim.shoe_process", *arguments],
        cwd=ROOT,
        env=os.environ | {TOKEN_VARIABLE: token},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def receive(port: serial.Serial, decoder: FrameDecoder, wanted: DeviceType) -> Frame:
    while data := port.read(1):
        for frame in decoder.feed(data):
            if frame.type == wanted:
                return frame
    pytest.fail(f"no {wanted.name} came in time")


def test_a_card_pulled_over_the_api_arrives_on_the_port_and_sigterm_ends_cleanly(tmp_path: Path) -> None:
    link = tmp_path / "shoe"
    with started("--link", str(link), "--seed", "3", "--decks", "2", "--paused") as process:
        assert process.stdout is not None
        ready = json.loads(process.stdout.readline())
        assert ready["link"] == str(link)
        client = httpx.Client(base_url=ready["control"], headers={"Authorization": f"Bearer {TOKEN}"})
        with client, serial.Serial(str(link), 115200, timeout=5, exclusive=True) as port:
            decoder = FrameDecoder()
            hello = receive(port, decoder, DeviceType.HELLO)
            port.write(encode_frame(Frame(HostType.ACK, 0, hello.boot, b"\x00")))
            assert receive(port, decoder, DeviceType.HEARTBEAT).boot == hello.boot
            pulled = client.post("/pull").raise_for_status().json()
            card = receive(port, decoder, DeviceType.CARD)
            assert int.from_bytes(card.payload[:2], "big") == pulled["ordinal"] == 1
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=10)
        assert (process.returncode, errors) == (0, "")
    assert not link.is_symlink()


@pytest.mark.parametrize(
    ("arguments", "token", "words"),
    [
        ((), "", TOKEN_VARIABLE),
        ((), "short", "at least 16 characters"),
        (("--decks", "9"), TOKEN, "1 to 8 decks"),
        (("--serial", "123456789"), TOKEN, "--serial must be from 0"),
    ],
)
def test_wrong_settings_end_with_a_sentence(
    tmp_path: Path, arguments: tuple[str, ...], token: str, words: str
) -> None:
    with started("--link", str(tmp_path / "shoe"), *arguments, token=token) as process:
        _, errors = process.communicate(timeout=10)
    assert process.returncode == 2
    assert words in errors
    assert "Traceback" not in errors
