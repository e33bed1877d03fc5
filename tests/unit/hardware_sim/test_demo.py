"""The demo command: its options, and one real run: up, played on, killed, back, stopped."""

from __future__ import annotations

import argparse
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from hardware_sim.demo import DemoCommand

PATIENCE_SECONDS = 60.0
RUN = """
import argparse, sys
from hardware_sim.demo import DemoCommand
parser = argparse.ArgumentParser()
DemoCommand().add_arguments(parser)
sys.exit(DemoCommand().run(parser.parse_args(sys.argv[1:])))
"""


def parse(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    DemoCommand().add_arguments(parser)
    return parser.parse_args(arguments)


def test_a_port_in_use_is_refused_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
        assert DemoCommand().run(parse("--data", str(tmp_path / "demo"), "--port", port)) == 1
    assert "--port" in capsys.readouterr().err
    assert not (tmp_path / "demo").exists()


@pytest.mark.parametrize("pace", ["0", "-1", "101", "nan"])
def test_an_impossible_pace_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], pace: str) -> None:
    assert DemoCommand().run(parse("--data", str(tmp_path / "demo"), "--port", "0", "--pace", pace)) == 1
    assert "--pace" in capsys.readouterr().err


@dataclass(frozen=True, slots=True)
class Demo:
    """A running demo and the tokens of its page."""

    process: subprocess.Popen[str]
    folder: Path
    page: str

    @property
    def keys(self) -> dict[str, str]:
        return {name: values[0] for name, values in parse_qs(urlsplit(self.page).fragment).items()}

    def dealer_view(self) -> dict[str, Any] | None:
        """Return the dealer's view, ``None`` while the server is away."""
        url = urlsplit(self.page)
        try:
            response = httpx.get(
                f"http://{url.netloc}/v1/tables/t1/views/dealer",
                headers={"Authorization": f"Bearer {self.keys['dealer']}"},
                trust_env=False,
            )
        except httpx.TransportError:
            return None
        view: dict[str, Any] = response.json()["view"]
        return view

    def wait_for(self, what: str) -> dict[str, Any]:
        """Return the first dealer's view with ``what``: a phase, or an open incident's kind."""
        seen: list[set[str]] = []
        end = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end:
            view = self.dealer_view()
            if view is not None:
                shown = {view["table"]["phase"], *(each["kind"] for each in view["incidents"])}
                if what in shown:
                    return view
                if shown not in seen[-1:]:
                    seen.append(shown)
            time.sleep(0.05)
        pytest.fail(f"no {what} within {PATIENCE_SECONDS:g} s, but {seen}")


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Demo]:
    folder = tmp_path / "demo"
    with subprocess.Popen(  # noqa: S603 - this very test's own program
        (sys.executable, "-c", RUN, "--data", str(folder), "--port", "0", "--pace", "10"),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            page = next((line.strip() for line in process.stdout if "/demo#" in line), "")
            assert re.match(r"http://127\.0\.0\.1:\d+/demo#table=t1&", page)
            yield Demo(process, folder, page)
        finally:
            process.terminate()


def test_a_demo_survives_a_killed_server_deals_and_stops_as_one(demo: Demo) -> None:
    # Before the first card: one that is on its way during the kill would be held for the supervisor.
    demo.wait_for("betting")
    assert set(demo.keys) == {"table", "dealer", "supervisor", "control", "control_token"}
    response = httpx.post(
        f"{demo.keys['control']}/faults/kill_server",
        json={"active": True},
        headers={"Authorization": f"Bearer {demo.keys['control_token']}"},
        trust_env=False,
    )
    assert response.is_success
    demo.wait_for("crash-recovery")

    dealt = demo.wait_for("decisions")["table"]
    assert [seat["player"] for seat in dealt["seats"] if seat["hands"]]

    demo.process.send_signal(signal.SIGTERM)
    assert demo.process.wait(20) == 0
    assert not list(demo.folder.glob("*.pid"))
    assert demo.dealer_view() is None
