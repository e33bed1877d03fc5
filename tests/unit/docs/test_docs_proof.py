"""The pages about the journal: each command that they show is run, and the reference names every option."""

from __future__ import annotations

import argparse
import asyncio
import configparser
import shlex
import shutil
import time
from pathlib import Path

import pytest
from doc_pages import ROOT, coded, first_keys, page
from support.actors import KEY
from support.proved_journal import SIGNER, SIGNING_PEM, play

from studio.__main__ import main
from studio.adapters.journal_copy import JournalCopy
from studio.adapters.key_files import public_files
from studio.adapters.sealing import write_private
from studio.proof.backup_command import BackupCommand, RestoreCommand
from studio.proof.export_command import ExportCommand
from studio.proof.keys_command import KeysCommand
from studio.proof.retention_command import HoldCommand, RetainCommand
from studio.proof.verify_command import VerifyCommand
from studio.settings import load_settings

PAGES = ("keys", "verify", "backup", "look-after-the-journal")
COMMANDS = (
    *(VerifyCommand(), BackupCommand(), RestoreCommand(), ExportCommand()),
    *(KeysCommand(), HoldCommand(), RetainCommand()),
)
UNITS = sorted(path for path in (ROOT / "deploy").iterdir() if path.suffix in {".service", ".timer"})
SETTINGS = """\
[studio]
mode = "simulation"
data = "{folder}/lib/studio"

[studio.proof]
copy_folder = "{folder}/audit"
retention_years = 1

[[tables]]
id = "t1"
name = "Table 1"

[tables.reader]
driver = "smartshoe"
device = "shoe-1"
settings = {{ port = "{folder}/no-shoe", simulated = true }}
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("documented") / "journal.sqlite"
    asyncio.run(play(path, with_bytes=True))
    return path


@pytest.fixture
def machine(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that stands for the machine's root, with a journal, its keys and its second copy."""
    settings, data = tmp_path / "etc" / "studio", tmp_path / "lib" / "studio"
    for folder in (settings, data, tmp_path / "audit"):
        folder.mkdir(parents=True)
    (settings / "studio.toml").write_text(SETTINGS.format(folder=tmp_path), encoding="utf-8")
    write_private(settings / "studio.key", KEY)
    write_private(settings / "signing.key", SIGNING_PEM)
    (settings / f"signing-{SIGNER.key_id}.pub").write_bytes(SIGNER.public_pem)
    shutil.copy(played, data / "journal.sqlite")
    monkeypatch.chdir(data)
    return tmp_path


def shown(name: str) -> list[list[str]]:
    """Return the commands of a page, each as words."""
    text = "".join(fence.text for fence in page(f"how-to/{name}.md").fences("sh"))
    return [shlex.split(line) for line in text.splitlines()]


def run(machine: Path, words: list[str]) -> None:
    """Run a command as the page shows it, its paths below the machine's folder."""
    settings = machine / "etc" / "studio"
    places = {
        "/etc/studio/studio.toml": settings / "studio.toml",
        "/var/lib/studio": machine / "lib" / "studio",
        "/var/lib/studio-broken": machine / "lib" / "studio-broken",
        "/var/backups/studio": machine / "backups",
        "/mnt/audit/studio": machine / "audit",
        "studio.key": settings / "studio.key",
        "signing-1.pub": settings / f"signing-{SIGNER.key_id}.pub",
    }
    if any("journal-TIME" in word for word in words):
        (backup,) = (machine / "backups").glob("*.sqlite")
        words = [str(backup) if "journal-TIME" in word else word for word in words]
    program, *arguments = [str(places.get(word, word)) for word in words]
    match program:
        case "studio":
            assert main(arguments) == 0, words
        case "mv":
            source, target = arguments
            Path(source).rename(target)
        case other:
            assert other == "systemctl"


@pytest.mark.parametrize("name", PAGES)
async def test_every_command_of_a_page_does_what_it_says(machine: Path, name: str) -> None:
    if name == "keys":  # it begins with a machine that has none
        for file in (machine / "etc" / "studio").iterdir():
            if file.name != "studio.toml":
                file.unlink()
    if name == "verify":
        await asyncio.to_thread(copy_journal, machine)
    commands = shown(name)
    assert len(commands) >= 4
    for words in commands:
        await asyncio.to_thread(run, machine, words)
    if name == "keys":
        assert len(public_files(machine / "etc" / "studio" / "signing.key")) == 2


def copy_journal(machine: Path) -> None:
    JournalCopy(machine / "lib" / "studio" / "journal.sqlite", machine / "audit", time.monotonic_ns).close()


def test_the_settings_shown_load(tmp_path: Path) -> None:
    shown_settings = "\n".join(fence.text for fence in page("how-to/look-after-the-journal.md").fences("toml"))
    begins = '[studio]\nmode = "live"\n\n'
    tables = SETTINGS.format(folder=tmp_path).partition("[[tables]]")[2]
    (tmp_path / "studio.toml").write_text(f"{begins}{shown_settings}\n[[tables]]{tables}", encoding="utf-8")
    server = load_settings(tmp_path / "studio.toml").studio
    assert str(server.proof.copy_folder) == "/mnt/audit/studio"
    assert server.watch.recorder == "/run/recorder/heartbeat"


def test_the_reference_names_every_command_with_its_options() -> None:
    rows = {coded(row[0])[0]: coded(row[1]) for row in page("reference/command-line.md").rows()}
    assert set(first_keys(page("reference/command-line.md").rows())) == {command.name for command in COMMANDS}
    for command in COMMANDS:
        parser = argparse.ArgumentParser(add_help=False)
        command.add_arguments(parser)
        options = [(action.option_strings or [action.dest])[0] for action in parser._actions]
        assert rows[command.name] == options


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_a_unit_runs_a_command_that_is_there(unit: Path) -> None:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign] # keys of units have capitals
    parser.read_string(unit.read_text(encoding="utf-8"))
    if unit.suffix == ".timer":
        return
    program, *words = shlex.split(parser["Service"]["ExecStart"])
    if program.endswith("/studio"):
        assert words[0] in {"serve", *(command.name for command in COMMANDS)}
    if words[0] == "serve":
        assert (parser["Service"]["Type"], parser["Service"]["WatchdogSec"]) == ("notify", "20")
