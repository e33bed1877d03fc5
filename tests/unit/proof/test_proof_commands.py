"""The commands about the journal: what they print, and their exit status."""

from __future__ import annotations

import asyncio
import io
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from support.actors import KEY
from support.proved_journal import SIGNER, SIGNING_PEM, play

from studio.__main__ import main
from studio.adapters.sealing import write_private
from studio.proof.report import Progress

SETTINGS = """\
[studio]
mode = "simulation"

[[tables]]
id = "t1"
name = "Table 1"
reader = { driver = "smartshoe", device = "shoe-1", settings = { port = "no-shoe", simulated = true } }
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("commanded") / "journal.sqlite"
    asyncio.run(play(path, with_bytes=True))
    return path


@pytest.fixture
def folder(played: Path, tmp_path: Path) -> Path:
    """A settings folder with its data, as the demo and a deployment have it."""
    (tmp_path / "data").mkdir()
    shutil.copy(played, tmp_path / "data" / "journal.sqlite")
    (tmp_path / "studio.toml").write_text(SETTINGS)
    write_private(tmp_path / "studio.key", KEY)
    write_private(tmp_path / "signing.key", SIGNING_PEM)
    (tmp_path / f"signing-{SIGNER.key_id}.pub").write_bytes(SIGNER.public_pem)
    return tmp_path


def change(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder / "data" / "journal.sqlite")) as connection:
        connection.execute(statement)
        connection.commit()


@pytest.mark.parametrize("place", [".", "data", "data/journal.sqlite"])
def test_a_whole_journal_is_said_to_be_whole_wherever_it_is_named(
    folder: Path, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(folder / place)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert "48 events" in said[0]
    assert said[-1] == "WHOLE"


def test_a_broken_row_is_named_and_the_status_is_1(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(folder, "UPDATE events SET actor_name = 'Bo' WHERE sequence = 12")
    assert main(["verify", str(folder)]) == 1
    broken = [line for line in capsys.readouterr().out.splitlines() if line.startswith("BROKEN")]
    assert broken[0].startswith("BROKEN table t1, row 12: the chain hash is wrong")


def test_very_many_broken_rows_are_counted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(folder, "UPDATE transfers SET cause = 'x'")
    for number in range(30):
        change(folder, f"INSERT INTO receipts VALUES ('new-{number}', 'f', 200, '')")  # noqa: S608 - ours
    assert main(["verify", str(folder), "--without-keys"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert len([line for line in said if line.startswith("BROKEN")]) == 20
    assert said[-1].startswith("and ")


@pytest.mark.parametrize(
    ("removed", "sentence"),
    [
        ("studio.key", "the sealing key was not found: give it with --key-file"),
        ("signing-*.pub", "no public key was found: give one with --public-key"),
        ("data/journal.sqlite", "there is no journal at"),
    ],
)
def test_what_is_missing_is_asked_for_and_the_status_is_2(
    folder: Path, removed: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for file in folder.glob(removed):
        file.unlink()
    assert main(["verify", str(folder / "data")]) == 2
    assert sentence in capsys.readouterr().err


def test_what_is_no_journal_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "data" / "journal.sqlite").write_bytes(b"no database" * 1000)
    assert main(["verify", str(folder)]) == 2
    assert "cannot be read as a journal" in capsys.readouterr().err


def test_keys_are_listed_without_a_key_being_printed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["keys", "list", "--config", str(folder / "studio.toml")]) == 0
    said = capsys.readouterr().out
    assert [line.split()[0] for line in said.splitlines()] == ["sealing", "signing"]
    assert SIGNER.key_id in said
    assert KEY.hex() not in said
    assert main(["keys", "new", "--config", str(folder / "studio.toml")]) == 2
    assert "is there already" in capsys.readouterr().err


def test_a_rotated_studio_still_verifies(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["keys", "rotate", "--config", str(folder / "studio.toml")]) == 0
    assert "Restart the studio" in capsys.readouterr().out
    assert main(["verify", str(folder)]) == 0


def test_backup_verify_restore(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = ["--config", str(folder / "studio.toml")]
    assert main(["backup", *config, "--to", str(folder / "backups")]) == 0
    (backup,) = (folder / "backups").glob("*.sqlite")
    assert main(["restore", str(backup), *config, "--by", "tim"]) == 2
    assert "is there: move it and its -wal aside first" in capsys.readouterr().err
    (folder / "data").rename(folder / "old")
    content = bytearray(backup.read_bytes())
    content[-1] ^= 1
    backup.write_bytes(content)
    assert main(["restore", str(backup), *config, "--by", "tim"]) == 1
    assert f"BROKEN file, {backup.name}: a byte of it" in capsys.readouterr().err
    content[-1] ^= 1
    backup.write_bytes(content)
    assert main(["restore", str(backup), *config, "--by", "tim"]) == 0
    assert main(["verify", str(folder)]) == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["hold", "place", "--round", "1", "--by", "lea", "--reason", "x"], "--table must say something"),
        (["hold", "place", "--table", "t1", "--by", "lea", "--reason", "x"], "say which round with --round"),
        (["hold", "place", "--table", "t1", "--round", "1", "--by", "lea"], "--reason must say something"),
        (["hold", "place", "--table", "t1", "--round", "9", "--by", "lea", "--reason", "x"], "has no round 9"),
        (["hold", "release", "--table", "t2", "--round", "1", "--by", "lea", "--reason", "x"], "has no round 1"),
        (["retain", "--by", "tim"], "retention_years in [studio.proof] is 0"),
        (["export", "--to", "data"], "data is there already: an export overwrites nothing"),
        (["backup", "--to", "data/journal.sqlite"], "File exists"),
    ],
)
def test_what_cannot_be_done_is_said(
    folder: Path,
    arguments: list[str],
    sentence: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(folder)
    assert main(arguments) == 2
    assert sentence in capsys.readouterr().err


def test_no_hold_is_said_too(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hold", "list", "--config", str(folder / "studio.toml")]) == 0
    assert capsys.readouterr().out == "no round is under a legal hold\n"


def test_a_day_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["export", "--to", "x", "--from", "yesterday"])
    assert "write it as 2026-01-31" in capsys.readouterr().err


def test_a_long_check_says_how_far_it_is_and_a_short_one_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    now_ns = [0]
    monkeypatch.setattr("studio.proof.report.time.monotonic_ns", lambda: now_ns[0])
    quiet, said = io.StringIO(), io.StringIO()
    assert len(list(Progress(quiet).over(range(2_000), "events", 2_000))) == 2_000
    assert quiet.getvalue() == ""
    for number in Progress(said).over(range(2_000), "events", 2_000):
        now_ns[0] = number * 1_000_000
    assert said.getvalue() == "events: 1024 of 2000\n"
