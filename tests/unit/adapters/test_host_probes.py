"""Probes of the machine, each with its threshold (anomalies.md: thresholds are settable)."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from studio.adapters.host_probes import ClockProbe, DiskProbe, JournalProbe, RecorderProbe, free_space
from studio.domain.anomalies import AnomalyKind
from studio.domain.instants import Instant
from studio.ports.conditions import Condition

SECOND = 1_000_000_000
MIB = 1 << 20


def at(seconds: float, *, moved: float = 0.0) -> Instant:
    """Return a moment whose wall clock was moved by some seconds."""
    return Instant(int(seconds * SECOND), int((1_700_000_000 + seconds + moved) * SECOND))


@pytest.mark.parametrize(("free_mib", "is_low"), [(511, True), (512, False), (513, False)])
def test_the_disk_is_low_under_the_reserve(tmp_path: Path, free_mib: int, *, is_low: bool) -> None:
    found = DiskProbe(tmp_path, 512, lambda _: free_mib * MIB + 1)(at(0))
    assert found.kind is AnomalyKind.DISK_LOW
    assert bool(found.text) is is_low


def test_a_disk_that_does_not_answer_is_low(tmp_path: Path) -> None:
    def fails(_: Path) -> int:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    assert "does not answer" in DiskProbe(tmp_path, 512, fails)(at(0)).text
    assert free_space(tmp_path) > 0


@pytest.mark.parametrize(
    ("moved", "warns", "blocks"),
    [(0.0, False, False), (0.4, False, False), (0.6, True, False), (-0.6, True, False), (2.1, True, True)],
)
def test_a_step_of_the_wall_clock_warns_and_a_large_one_stops_new_rounds(
    moved: float, *, warns: bool, blocks: bool
) -> None:
    probe = ClockProbe(500, 2_000)
    assert probe(at(0)).text == ""
    found = probe(at(1, moved=moved))
    assert (bool(found.text), found.blocks) == (warns, blocks)


def test_the_clock_is_right_again_once_it_goes_evenly_for_a_while() -> None:
    probe = ClockProbe(500, 2_000)
    probe(at(0))
    assert probe(at(1, moved=-3600)).blocks
    assert probe(at(10, moved=-3600)).text
    assert probe(at(12, moved=-3600)).text == ""


def test_a_slow_drift_is_no_step() -> None:
    probe = ClockProbe(500, 2_000)
    assert not any(probe(at(second, moved=second * 0.0005)).text for second in range(5_000))


def test_a_recorder_that_touches_its_file_lives(tmp_path: Path) -> None:
    file = tmp_path / "beat"
    probe = RecorderProbe(str(file), 10)
    assert probe(at(0)).text == ""
    assert probe(at(11)).text.startswith("No sign of life at")
    file.write_text("1")
    assert probe(at(12)).text == ""
    assert probe(at(23)).text
    os.utime(file, (5, 5))
    assert probe(at(24)).text == ""


@pytest.fixture
def recorder() -> Iterator[HTTPServer]:
    class Beats(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/alive" else 503)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Beats) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_a_recorder_that_answers_lives(recorder: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    address = f"http://127.0.0.1:{recorder.server_port}"
    alive, ill = RecorderProbe(f"{address}/alive", 10), RecorderProbe(f"{address}/ill", 10)
    absent = RecorderProbe("http://127.0.0.1:1/", 10)
    for probe in (alive, ill, absent):
        probe(at(0))
    assert [bool(probe(at(11)).text) for probe in (alive, ill, absent)] == [False, True, True]


class Copy:
    broken = ""
    failure = ""
    lag_seconds = 0.0


class Patrol:
    broken = ""
    failure = ""


def test_a_copy_that_lags_or_a_wrong_chain_breaks_the_proof() -> None:
    copy = Copy()
    probe = JournalProbe(Patrol(), copy, 30)
    assert probe(at(0)).text == ""
    copy.lag_seconds, copy.failure = 30.5, "the folder is not there"
    assert probe(at(0)).text == "The second copy lags by over 30 s (the folder is not there)"
    copy.broken = "table t1, row 5: the chain hash is wrong"
    assert probe(at(0)).text == "table t1, row 5: the chain hash is wrong: run studio verify"


@pytest.mark.parametrize("copy", [None, Copy()])
def test_a_row_that_is_not_as_it_was_written_breaks_the_proof_with_a_copy_or_without(copy: Copy | None) -> None:
    patrol = Patrol()
    probe = JournalProbe(patrol, copy, 30)
    assert probe(at(0)) == Condition(AnomalyKind.JOURNAL_BROKEN)
    patrol.failure = "disk I/O error"
    assert probe(at(0)).text == "The journal cannot be read again: disk I/O error"
    patrol.broken = "table t1, row 5: the chain hash is wrong"
    assert probe(at(0)).text == "table t1, row 5: the chain hash is wrong: run studio verify"
