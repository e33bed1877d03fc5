"""The sub-commands ``rounds`` and ``incident`` on a journal file."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from support.recorded_table import KEY, RecordedTable, write
from support.tables import SUPERVISOR

from studio import __main__
from studio.app import table_setup
from studio.domain.anomalies import WayOut
from studio.domain.commands import ResolveIncident, Suspend, VoidRound
from studio.proof.places import JOURNAL_FILE
from studio.settings import load_settings

SETTINGS = """
[studio]
mode = "simulation"
host = "127.0.0.1"
port = 8700
data = "data"
people = "people.toml"
key_file = "key"

[[tables]]
id = "t1"
name = "Table 1"
variant = "deluxe"
shoe_control = false
[tables.limits]
currency = "EUR"
minimum = 100
maximum = 100000
increment = 2
[tables.reader]
driver = "smartshoe"
device = "shoe-1"
[tables.reader.settings]
port = "/dev/null"
"""


@pytest.fixture
async def config(tmp_path: Path) -> Path:
    """The settings of a studio that has played two rounds: one stopped for a while, one void."""
    file = tmp_path / "studio.toml"
    file.write_text(SETTINGS, encoding="utf-8")
    key = tmp_path / "key"
    key.write_bytes(KEY)
    key.chmod(0o600)
    settings = load_settings(file)
    played = RecordedTable(table_setup(settings.tables[0], settings.studio.mode))
    played.ready().round(3).cards("TC")
    played.do(Suspend("A quarrel"), SUPERVISOR)
    played.do(ResolveIncident(1, WayOut.GO_ON, "procedure", "Calm again"), SUPERVISOR)
    played.cards("9C TD TH").decide("stand").commit()
    played.wait(60).round(4)
    played.do(VoidRound("misdeal", "Card on the floor"), SUPERVISOR)
    (tmp_path / "data").mkdir()
    await write(tmp_path / "data" / JOURNAL_FILE, played)
    return file


def run(config: Path, *arguments: str) -> int:
    name, *rest = arguments
    return __main__.main([name, "--config", str(config), *rest])


def test_rounds_are_listed_newest_first(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(config, "rounds") == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("2023-11-14 22:14:")
    assert "t1  round 2  voided  Dora  round-voided #" in first
    assert "t1  round 1  settled  Dora  supervisor-stop 1" in second


@pytest.mark.parametrize(
    ("conditions", "rounds"),
    [
        (["--player", "P4"], [2]),
        (["--card", "9C"], [1]),
        (["--table", "t1", "--incident", "1"], [1]),
        (["--kind", "round-voided"], [2]),
        (["--since", "2023-11-14T22:14:00+00:00"], [2]),
        (["--until", "2023-11-14T22:14"], [1]),
        (["--limit", "1"], [2]),
        (["--limit", "0"], []),
    ],
)
def test_conditions_narrow_it(
    config: Path, capsys: pytest.CaptureFixture[str], conditions: list[str], rounds: list[int]
) -> None:
    assert run(config, "rounds", "--json", *conditions) == 0
    found = [json.loads(line)["span"]["round"] for line in capsys.readouterr().out.splitlines()]
    assert found == rounds


def test_a_record_is_printed_in_words(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(config, "incident", "t1", "1") == 0
    out = capsys.readouterr().out
    for part in ("t1, round 1: supervisor-stop 1 (suspend)", "go-on, procedure, Calm again", "Sam (supervisor)"):
        assert part in out
    assert "money to all players together: 0 minor units of EUR" in out


def test_a_record_is_written_as_json_and_pdf_whose_hashes_fit(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(config, "incident", "t1", "1", "--json", "--pdf", str(tmp_path / "record.pdf")) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["record"]["number"] == 1
    assert said["pdf_sha256"] == hashlib.sha256((tmp_path / "record.pdf").read_bytes()).hexdigest()


def test_a_record_without_an_incident_is_named_by_its_event(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(config, "rounds", "--kind", "round-voided", "--json")
    sequence = json.loads(capsys.readouterr().out)["noticed"][0]["sequence"]
    assert run(config, "incident", "t1", str(sequence), "--event") == 0
    out = capsys.readouterr().out
    assert "round-voided (void)" in out
    assert "money to all players together: 1000 minor units" in out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["incident", "t1", "9"], "table t1 has no incident 9"),
        (["incident", "t2", "1"], "there is no table t2; there are t1"),
        (["incident", "t1", "1", "--event"], "no record of table t1 begins with event 1"),
        (["incident", "t1", "1", "--pdf", "/nonexistent/file"], "No such file"),
        (["rounds", "--incident", "1"], "--incident needs --table"),
    ],
)
def test_what_cannot_be_is_a_sentence_and_status_2(
    config: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    assert run(config, *arguments) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert sentence in shown.err


def test_a_time_that_is_none_is_refused(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run(config, "rounds", "--since", "yesterday")
    assert "no time such as" in capsys.readouterr().err


def test_a_missing_key_is_named(config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "key").unlink()
    assert run(config, "rounds") == 2
    assert "the sealing key" in capsys.readouterr().err
