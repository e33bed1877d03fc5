"""The demo command: its options, and real runs: up, played on, killed, back, stopped."""

from __future__ import annotations

import argparse
import contextlib
import re
import signal
import socket
import subprocess
import sys
import time
import uuid
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


def test_ctrl_c_before_anything_runs_ends_quietly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("hardware_sim.demo_run.make_demo_folder", interrupted)
    assert DemoCommand().run(parse("--data", str(tmp_path / "demo"), "--port", "0")) == 0


@dataclass(frozen=True, slots=True)
class TableKeys:
    """What the page knows of one table."""

    dealer: str
    guest: str
    control: str | None


@dataclass(frozen=True, slots=True)
class Demo:
    """A running demo and the tokens of its page."""

    process: subprocess.Popen[str]
    folder: Path
    page: str
    client: httpx.Client

    @property
    def keys(self) -> dict[str, str]:
        return {name: values[0] for name, values in parse_qs(urlsplit(self.page).fragment).items()}

    def table(self, name: str) -> TableKeys:
        _, dealer, guest, *control = self.keys[name].split(",")
        return TableKeys(dealer, guest, control[0] if control else None)

    def view(self, table: str, audience: str, token: str) -> dict[str, Any] | None:
        """Return a view, ``None`` while the server is away."""
        try:
            response = self.client.get(f"/v1/tables/{table}/views/{audience}", headers=bearer(token))
        except httpx.TransportError:
            return None
        view: dict[str, Any] = response.json()["view"]
        return view

    def wait_for(self, table: str, what: str) -> dict[str, Any]:
        """Return the first dealer's view with ``what``: a phase, or an open incident's kind."""
        seen: list[set[str]] = []
        end = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end:
            view = self.view(table, "dealer", self.table(table).dealer)
            if view is not None:
                shown = {view["table"]["phase"], *(each["kind"] for each in view["incidents"])}
                if what in shown:
                    return view
                if shown not in seen[-1:]:
                    seen.append(shown)
            time.sleep(0.05)
        pytest.fail(f"no {what} at {table} within {PATIENCE_SECONDS:g} s, but {seen}")

    def place_bet(self, table: str, seat: int) -> bool:
        """Bet as the guest, if betting is open; return whether the bet was taken."""
        answer = self.client.post(
            f"/v1/tables/{table}/bets",
            json={"bets": [{"seat": seat, "amount": 1000, "kind": "main"}]},
            headers=bearer(self.table(table).guest) | {"Idempotency-Key": uuid.uuid4().hex},
        )
        return answer.is_success and answer.json()["items"][0]["accepted"]

    def rounds(self, table: str) -> list[dict[str, Any]]:
        """Return the guest's bet history at a table, newest first."""
        answer = self.client.get(f"/v1/tables/{table}/history", headers=bearer(self.table(table).guest))
        rounds: list[dict[str, Any]] = answer.json()["rounds"]
        return rounds


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@contextlib.contextmanager
def running(folder: Path, pace: int) -> Iterator[Demo]:
    with subprocess.Popen(  # noqa: S603 - this very test's own program
        (sys.executable, "-c", RUN, "--data", str(folder), "--port", "0", "--pace", str(pace)),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            page = next((line.strip() for line in process.stdout if "/demo#" in line), "")
            address = re.match(r"(http://127\.0\.0\.1:\d+)/demo#supervisor=", page)
            assert address, "the demo did not come up; its logs say why"
            with httpx.Client(base_url=address[1], trust_env=False) as client:
                yield Demo(process, folder, page, client)
        finally:
            process.terminate()


GUEST_SEATS = {"t1": 5, "t2": 1, "t3": 3, "t4": 1}
"""Where automated players leave the guest room."""


@pytest.mark.timeout(300)
def test_a_person_plays_a_settled_round_at_each_of_the_four_tables(tmp_path: Path) -> None:
    with running(tmp_path / "demo", pace=10) as demo:
        assert demo.keys.keys() == {"supervisor", "control_token", *GUEST_SEATS}
        assert [name for name in GUEST_SEATS if demo.table(name).control is None] == ["t3"]
        left = set(GUEST_SEATS)
        settled: dict[str, dict[str, Any]] = {}
        while left:
            # What is not answered is played by default when its deadline passes (R9).
            for table in sorted(left):
                view = demo.view(table, "public", demo.table(table).guest)
                assert view is not None
                if view["phase"] == "betting":
                    demo.place_bet(table, GUEST_SEATS[table])
                ended = [each for each in demo.rounds(table) if each["ended"] == "settled"]
                if ended:
                    settled[table] = ended[-1]
                    left.discard(table)
            time.sleep(0.1)
    for table, played in settled.items():
        (bet, *_) = [each for each in played["bets"] if each["kind"] == "main"]
        assert bet["seat"] == GUEST_SEATS[table]
        assert bet["result"] in {"won", "lost", "push"}
        assert len(played["dealer"]) >= 2


def test_a_demo_survives_a_killed_server_deals_and_stops_as_one(tmp_path: Path) -> None:
    with running(tmp_path / "demo", pace=10) as demo:
        # Before the first card: one that is on its way during the kill would be held for the supervisor.
        demo.wait_for("t1", "betting")
        response = httpx.post(
            f"{demo.table('t1').control}/faults/kill_server",
            json={"active": True},
            headers=bearer(demo.keys["control_token"]),
            trust_env=False,
        )
        assert response.is_success
        demo.wait_for("t1", "crash-recovery")

        dealt = demo.wait_for("t1", "decisions")["table"]
        assert [seat["player"] for seat in dealt["seats"] if seat["hands"]]

        demo.process.send_signal(signal.SIGTERM)
        assert demo.process.wait(30) == 0
        assert not list(demo.folder.glob("*.pid"))
        assert demo.view("t1", "dealer", demo.table("t1").dealer) is None
